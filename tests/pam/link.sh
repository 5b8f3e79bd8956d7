# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The module's link over several calls, and private services: tests/pam/link.py.
. "$SRCDIR/tests/lib/pam.sh"
setpriv --reuid 1 --clear-groups true 2>/dev/null ||
	skip_all "this namespace has one user ID"

sha=$(hash '$6$saltsalt$' secret)
for name in alice bob carol; do
	user $name "$sha"
done
user slow "\$6\$rounds=9000000\$saltsalt\$$(printf %086d 0)"
sed -i "s,^root:[^:]*,root:$sha," /etc/shadow
configure rehash=never
service std
service null nullok
# Libraries: a fast clock, and one that hangs while it starts lyra2d.
cp "$SRCDIR/tests/pam/clock.c" "$work/fast.c"
cat >"$work/stuck.c" <<-'C'
	#include <unistd.h>
	pid_t vfork(void)
	{
		for (;;)
			pause();
	}
C
if ! preload fast || ! preload stuck; then
	rm -f "$work/fast.so"
fi
daemon_log "$work/log" sleep 600 &
wait_for test -S /dev/log
PYTHONPATH=$SRCDIR/tests/lib python3 -B "$SRCDIR/tests/pam/link.py" \
    "$service_pid" "$work/log" "$BUILDDIR/tests/pam" "$lyra2d" "$work" \
    "$conf"
status=$?
rm -r "$work"
exit $status
