# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# lyra2 audit next to what then happens: each user logs in through each PAM
# service, with stacks of many kinds: tests/tool/audit-logins.py.
. "$SRCDIR/tests/lib/pam.sh"
[ -x "$prefix/bin/lyra2" ] || skip_all "configured with --disable-tool"
unix=$(find /usr/lib /lib -name pam_unix.so 2>/dev/null | head -n 1)
[ -n "$unix" ] || skip_all "pam_unix.so is not installed"
# An own /usr/lib, whose pam.d the stacks make and remove
mkdir /mnt/lib /mnt/lib-work
if mount -t overlay -o \
    lowerdir=/usr/lib,upperdir=/mnt/lib,workdir=/mnt/lib-work \
    none /usr/lib 2>/dev/null; then
	vendor=yes
else
	vendor=no
	[ ! -d /usr/lib/pam.d ] || mount -t tmpfs none /usr/lib/pam.d
fi
[ ! -d /usr/etc/pam.d ] || mount -t tmpfs none /usr/etc/pam.d
end_service
PYTHONPATH=$SRCDIR/tests/lib:$SRCDIR/tests/place \
    python3 -B "$SRCDIR/tests/tool/audit-logins.py" "$prefix" "$module" \
    "$conf" "$unix" "$vendor"
status=$?
rm -r "$work"
exit $status
