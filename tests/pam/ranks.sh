# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Who may ask for all users, by the mode and the ACL of /etc/shadow:
# tests/pam/ranks.py.
. "$SRCDIR/tests/lib/pam.sh"
setpriv --reuid 1 --clear-groups true 2>/dev/null ||
	skip_all "this namespace has one user ID"
user alice "$(hash '$6$saltsalt$' secret)"
configure rehash=never
end_service
PYTHONPATH=$SRCDIR/tests/lib python3 -B "$SRCDIR/tests/pam/ranks.py" "$lyra2d"
status=$?
rm -r "$work"
exit $status
