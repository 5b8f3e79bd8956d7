# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Services that verify passwords of other users: tests/pam/askers.py.
. "$SRCDIR/tests/lib/pam.sh"
setpriv --reuid 1 --clear-groups true 2>/dev/null ||
	skip_all "this namespace has one user ID"

sha=$(hash '$6$saltsalt$' secret)
today=$(($(date +%s) / 86400))
user alice "$sha"
user bob "$sha"
user expired "$sha" "19000:0:99999:7::1:"
user aged "$sha" "19000:0:9:7:::"
user lapsed "$sha" "19000:0:9:7:9::"
user young "$sha" "$today:9:::::"
user new "$sha" "0:0:99999:7:::"
sed -i "s|^root:[^:]*|root:$sha|" /etc/shadow
{
	echo "inside:$sha:1020:100::/:/bin/sh"
	echo "postgres:x:105:110::/:/bin/sh"
	echo "dovecot:x:106:111::/:/bin/sh"
} >>/etc/passwd
service std
echo "account required $module" >>/etc/pam.d/std
cat >/etc/pam.d/dates <<END
auth required pam_permit.so
account [success=1 new_authtok_reqd=done default=ignore] $module
account requisite pam_deny.so
account required pam_permit.so
END
configure rehash=never
daemon_log "$work/log" sleep 600 &
wait_for test -S /dev/log
chmod 755 "$work"
PYTHONPATH=$SRCDIR/tests/lib python3 -B "$SRCDIR/tests/pam/askers.py" \
    "$service_pid" "$work/log" "$BUILDDIR/tests/pam/try" "$conf" "$lyra2d"
status=$?
rm -r "$work"
exit $status
