# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The attributes of a process that computes a hash: tests/pam/proc.py stops one
# and reads them in /proc.
. "$SRCDIR/tests/lib/pam.sh"
setpriv --reuid 1 --clear-groups true 2>/dev/null ||
	skip_all "this namespace has one user ID"

user alice "\$5\$rounds=9999999\$saltsalt\$$(printf %043d 0)"
user large "\$lyra2\$t20n15c256p1\$saltsalt\$$(printf %043d 0 | tr 0 .)"
user weak "$(hash '$1$saltsalt$' secret)"
configure rehash=never max_concurrent=2
service std
PYTHONPATH=$SRCDIR/tests/lib python3 -B "$SRCDIR/tests/pam/proc.py" \
    "$service_pid" "$BUILDDIR/tests/pam/try" "$lyra2d" "$conf"
status=$?
rm -r "$work"
exit $status
