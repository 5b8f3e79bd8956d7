# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The module with false services, and services with false modules, public and
# private: odd packets, silence and death at each point: tests/pam/talks.py.
. "$SRCDIR/tests/lib/pam.sh"
setpriv --reuid 1 --clear-groups true 2>/dev/null ||
	skip_all "this namespace has one user ID"

user alice "$(hash '$6$saltsalt$' secret)"
user slow "\$6\$rounds=9000000\$saltsalt\$$(printf %086d 0)"
configure rehash=never max_concurrent=4
service std
daemon_log "$work/log" sleep 600 &
wait_for test -S /dev/log
PYTHONPATH=$SRCDIR/tests/lib python3 -B "$SRCDIR/tests/pam/talks.py" \
    "$service_pid" "$work/log" "$BUILDDIR/tests/pam/try" "$lyra2d"
status=$?
rm -r "$work"
exit $status
