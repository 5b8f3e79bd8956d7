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
# Libraries: a clock that is forty times as fast, for programs that wait for
# minutes; and one that hangs while it starts lyra2d.
cat >"$work/fast.c" <<-'C'
	#include <poll.h>
	#include <sys/syscall.h>
	#include <time.h>
	#include <unistd.h>
	int clock_gettime(clockid_t id, struct timespec *t)
	{
		long rc = syscall(SYS_clock_gettime, id, t);
		long ns = t->tv_nsec * 40;
		t->tv_sec = t->tv_sec * 40 + ns / 1000000000;
		t->tv_nsec = ns % 1000000000;
		return (int)rc;
	}
	int poll(struct pollfd *p, nfds_t n, int ms)
	{
		struct timespec t;
		if (ms > 6000)	/* not what is taken for silence */
			ms /= 40;
		t.tv_sec = ms / 1000;
		t.tv_nsec = ms % 1000 * 1000000L;
		return ppoll(p, n, &t, 0);
	}
C
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
