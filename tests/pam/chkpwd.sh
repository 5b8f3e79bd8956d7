# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# lyra2_chkpwd, and programs without privilege that need it:
# tests/pam/chkpwd.py.
# Where the door is open nobody needs it.
export DOOR=closed
. "$SRCDIR/tests/lib/pam.sh"
setpriv --reuid 1 --clear-groups true 2>/dev/null ||
	skip_all "this namespace has one user ID"

sha=$(hash '$6$saltsalt$' secret)
for name in alice bob; do
	user $name "$sha"
done
user blank ''
user longest "$(hash '$6$saltsalt$' "$(printf '%0511d' 7)")"
user slow "\$5\$rounds=999999\$saltsalt\$$(printf %043d 0)"
echo "twin:x:1001:100::/:/bin/sh" >>/etc/passwd
echo "twin:$sha:19000::::::" >>/etc/shadow
configure rehash=never max_concurrent=2
service std
service null nullok
mkdir -p /dev/pts
mount -t devpts -o newinstance,ptmxmode=666 none /dev/pts
ln -s pts/ptmx /dev/ptmx
# A library that a user would load into lyra2_chkpwd.
cat >"$work/evil.c" <<-'C'
	#include <fcntl.h>
	__attribute__((constructor)) static void loaded(void)
	{
		open("/mnt/tmp/loaded", O_CREAT | O_WRONLY, 0600);
	}
C
chmod 755 "$work"
preload evil || :
cp "$SRCDIR/tests/pam/clock.c" "$work/fast.c"
preload fast || rm -f "$work/fast.so"
PYTHONPATH=$SRCDIR/tests/lib python3 -B "$SRCDIR/tests/pam/chkpwd.py" \
    "$lyra2d" "$BUILDDIR/tests/pam/try" "$work"
status=$?
rm -r "$work"
exit $status
