# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Admission: how many helpers hash at once, in which order, and what becomes
# of their slots.
. "$SRCDIR/tests/lib/pam.sh"
command -v pgrep >/dev/null || skip_all "no pgrep here"

ask=$BUILDDIR/tests/pam/ask
chkpwd=$prefix/sbin/lyra2_chkpwd
echo 'max_concurrent = 2' >>"$conf"
sed -i "s,^root:[^:]*,root:$(hash '$6$salt$' secret)," /etc/shadow
# Long enough that who is served first also prints first.
middling=$(hash '$6$rounds=100000$salt$' secret)
for name in a b c d e f g h; do
	user "$name" "$middling"
done

# Takes seconds: time enough to stop the helper while it has a slot.
user slow '$5$rounds=9999999$salt$x'

# locks PATTERN COUNT: waits until that many locks of the file begin there
locks()
{
	slots=$(slots_id)
	i=0
	while [ "$(grep -c " $slots $1 " /proc/locks)" -ne "$2" ]; do
		i=$((i + 1))
		[ $i -lt 200 ] || return 1
		sleep 0.05
	done
}
# See pam/helper/queue.c: slots from 0, tickets from 2^44, by the clock.
SLOT='[01]'
TICKET='1759[23][0-9]*'

# hold COUNT: starts a helper and stops it when it has the COUNTth slot
hold()
{
	"$ask" 1 0 "$conf" slow x '' "$chkpwd" >/dev/null &
	locks "$SLOT" "$1" || echo "# no slot was taken"
	held=$(alive lyra2_chkpwd -n)
	kill -STOP "$held"
}

# verdict USER: asks, and prints the user when there is one
verdict()
{
	"$ask" 1 0 "$conf" "$1" secret '' "$chkpwd" | grep -q '^verdict 0 ' &&
	    echo "$1" >>"$work/order"
}

chgrp 42 /etc/shadow 2>/dev/null || :	# a namespace may have one group
# lyra2_update itself is not in that group.
"$ask" 1 0 "$conf" root wrong '' "$prefix/sbin/lyra2_update" >/dev/null
group=$(stat -c %g /etc/shadow)
is "there are slots for all" "$(stat -c '%a %u %g' /run/lyra2/slots)" \
    "660 0 $group"
is "their directory" "$(stat -c '%a %u %g' /run/lyra2)" "750 0 $group"
for half in 'mkdir -m 700 /run/lyra2' \
    "mkdir -m 700 /run/lyra2; chgrp $group /run/lyra2" \
    "mkdir -m 750 /run/lyra2; chgrp $group /run/lyra2
	umask 177; : >/run/lyra2/slots" \
    "mkdir -m 750 /run/lyra2; chgrp $group /run/lyra2
	umask 177; : >/run/lyra2/slots; chgrp $group /run/lyra2/slots"; do
	rm -r /run/lyra2
	sh -c "$half"
	"$ask" 1 0 "$conf" root wrong '' "$prefix/sbin/lyra2_update" >/dev/null
	is "who made them was killed: $half" \
	    "$(stat -c '%a %u %g' /run/lyra2 /run/lyra2/slots | tr '\n' ' ')" \
	    "750 0 $group 660 0 $group "
done

# ---- a queue behind two slots, in order of arrival ----
hold_both()
{
	hold 1
	first=$held
	hold 2
	second=$held
}

eight_wait()
{
	: >"$work/order"
	waiting=0
	for name in a b c d e f g h; do
		verdict "$name" &
		waiting=$((waiting + 1))
		locks "$TICKET" $waiting || echo "# $name did not queue"
	done
}

# The third of those that wait dies in the queue; nobody loses a place by it.
release()
{
	: >"$work/order"
	kill -9 "$(alive lyra2_chkpwd | sed -n 5p)"
	kill -9 "$first"
	locks "$TICKET" 0 || echo "# not everyone was served"
	i=0
	while [ "$(wc -l <"$work/order")" -lt 7 ] && [ $i -lt 200 ]; do
		sleep 0.05
		i=$((i + 1))
	done
	kill -9 "$second"
	wait
	order=$(tr '\n' ' ' <"$work/order")
}

hold_both
ok "who has a slot has no ticket" locks "$TICKET" 0
daemon_log "$work/log" sh -c 'until test -e "$1"; do sleep 0.1; done' - \
    "$work/logged" &
ok "something takes what is logged" wait_for test -S /dev/log
"$ask" 1 0 "$conf" a wrong '' "$chkpwd" >/dev/null &
gone=$!
ok "a third one queues" locks "$TICKET" 1
kill -9 $gone
ok "a helper whose module is gone leaves the queue" locks "$TICKET" 0
ok "and ends" wait_for there_are 2 lyra2_chkpwd
: >"$work/logged"
ok "the log is complete" wait_for sh -c '! test -e /dev/log'
is "and looks at no password" "$(cat "$work/log")" ""
eight_wait
is "while both slots are taken nobody is served" "$(cat "$work/order")" ""
verdict root
is "but root is" "$(cat "$work/order")" "root"
# Its helper ends a moment after it has told the verdict.
ok "the others wait" wait_for there_are 10 lyra2_chkpwd
release
# A helper that does not run for 100 ms, on a busy machine, is passed over, as
# intended.  So there are some tries.
tries=0
while [ "$order" != "a b d e f g h " ] && [ $tries -lt 4 ]; do
	echo "# try $tries: $order"
	tries=$((tries + 1))
	hold_both
	eight_wait
	release
done
is "a killed helper's slot is free at once, in order of arrival" \
    "$order" "a b d e f g h "
verdict a
is "nothing has to be cleaned up" "$(tail -n 1 "$work/order")" a

# ---- never more than two at once, however many come ----
: >"$work/order"
for i in 1 2 3 4 5; do
	for name in a b c d e f g h; do
		verdict "$name" &
	done
done
wait
is "forty at once: all get their answer" "$(wc -l <"$work/order")" 40
if strace -o /dev/null true 2>/dev/null; then
	rm -f "$work"/t.*
	for name in a b c d e f g h; do
		"$ask" 1 0 "$conf" "$name" secret '' strace -ttt -e \
		    trace=fcntl,close,sendto -o "$work/t.$name" "$chkpwd" \
		    >/dev/null &
	done
	wait
	is "never more than two have a slot" "$(cat "$work"/t.* | perl -ne '
		if (/^([\d.]+) .*SETLK, \{l_type=F_WRLCK.*l_start=(0|1),.* = 0$/) {
			push @e, [$1, 1];
			$open = 1;
		} elsif ($open && /^([\d.]+) sendto/) {
			push @e, [$1, -1];
			$open = 0;
		}
		END {
			for (sort { $a->[0] <=> $b->[0] } @e) {
				$n += $_->[1];
				$max = $n if $n > $max;
			}
			print $max <= 2 && @e == 16 ? "yes" : "$max of " . @e;
		}')" "yes"
else
	skip "never more than two have a slot" "strace may not trace here"
fi

# ---- what was known on arrival may be old when the turn comes ----
hold 1
hold 2
"$ask" 1 0 "$conf" a secret '' "$chkpwd" >"$work/late" &
ok "one waits" locks "$TICKET" 1
sed -i 's,^a:,a:!,' /etc/shadow
sleep 0.2
pkill -9 -x -o lyra2_chkpwd
wait_for grep -q '^end' "$work/late"
is "an account locked meanwhile" "$(grep ^verdict "$work/late")" "verdict 7 "
sed -i 's,^a:!,a:,' /etc/shadow
pkill -9 -x lyra2_chkpwd
wait

# ---- one user, one slot ----
# Slots of users begin at 2^61, their own queues at 2^62 and their ID.
USER_SLOT='230584300921369395[2-9]'
user_2001=$((1 << 62 | 2001)) user_2002=$((1 << 62 | 2002))
nameless=$((1 << 62 | 0xffffffff))
names_for 2001 2002
for caller in 2001 2001; do
	CALLER=$caller "$ask" 1 0 "$conf" slow x '' "$chkpwd" >/dev/null &
done
ok "a user takes a slot" locks "$USER_SLOT" 1
ok "there are two of them" \
    wait_for there_are 2 lyra2_chkpwd
sleep 0.3
ok "and no second one" locks "$USER_SLOT" 1
ok "the user's queue is taken" locks $user_2001 1
CALLER=2002 "$ask" 1 0 "$conf" slow x '' "$chkpwd" >/dev/null &
ok "another user has another" locks "$USER_SLOT" 2
ok "and another queue" locks $user_2002 1
pkill -9 -x lyra2_chkpwd
wait
# One user may have many IDs by subuid(5), but none of them has a name.
for caller in 100001 100002; do
	CALLER=$caller "$ask" 1 0 "$conf" slow x '' "$chkpwd" >/dev/null &
	ok "$caller, without a name" locks $nameless 1
	ok "$caller: one slot" locks "$USER_SLOT" 1
done
pkill -9 -x lyra2_chkpwd
wait
if ! another_id "a user who says to be root" uid:; then
	# FLAG 0 and the user's own name: lyra2_chkpwd answers.
	id=$(awk -F: '/^slow:/ { print $3 }' /etc/passwd)
	CALLER=0 setpriv --reuid "$id" --regid 100 --clear-groups "$ask" 1 0 \
	    "$conf" slow x '' "$chkpwd" >/dev/null &
	ok "a user who says to be root is no root" locks "$USER_SLOT" 1
	pkill -9 -x lyra2_chkpwd
	wait
fi

# ---- how long a helper waits: each look moves its clock on by a second ----
cat >"$work/ticks.c" <<'C'
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static char name[256];
static int ticks;

__attribute__((constructor)) static void start(void)
{
	snprintf(name, sizeof(name), "%s", getenv("TICKS"));
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
	int rc = (int)syscall(SYS_clock_gettime, clock, t);

	t->tv_sec += ticks;
	return rc;
}

int poll(struct pollfd *p, nfds_t n, int ms)
{
	const struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	ticks += ms == 10;
	return ppoll(p, n, &t, NULL);
}

__attribute__((destructor)) static void end(void)
{
	FILE *f = fopen(name, "w");

	if (f && fprintf(f, "%d\n", ticks) > 0)
		fclose(f);
}
C
# waited USER: how many seconds, and the verdict
waited()
{
	timeout 60 "$ask" 1 0 "$conf" "$1" secret '' env \
	    LD_PRELOAD="$work/ticks.so" TICKS="$work/ticks" \
	    "$work/lyra2_chkpwd" | grep '^verdict' >"$work/said"
	echo "$(cat "$work/ticks") $(cat "$work/said")"
}
cp "$chkpwd" "$work/lyra2_chkpwd"
chmod 755 "$work/lyra2_chkpwd"
if $CC -shared -fPIC -o "$work/ticks.so" "$work/ticks.c" 2>/dev/null; then
	CALLER=2001 "$ask" 1 0 "$conf" slow x '' "$chkpwd" >/dev/null &
	locks $user_2001 1 || echo "# the queue is not taken"
	kill -STOP "$(alive lyra2_chkpwd -n)"
	is "a user waits 30 s behind their own logins" \
	    "$(CALLER=2001 waited a)" "30 verdict 0 "
	pkill -9 -x lyra2_chkpwd
	wait
	hold_both
	is "after 20 s a slot is taken for stuck" "$(waited a)" "20 verdict 0 "
	is "root does not wait for others" "$(waited root)" "0 verdict 0 "
	root=$(stored root)
	sed -i "s,^root:[^:]*,root:$(stored slow)," /etc/shadow
	"$ask" 1 0 "$conf" root x '' "$chkpwd" >/dev/null &
	locks $((1 << 62 | 1 << 44)) 1 || echo "# root's slot is not taken"
	kill -STOP "$(alive lyra2_chkpwd -n)"
	sed -i "s,^root:[^:]*,root:$root," /etc/shadow
	is "root waits 3 s behind root's logins" "$(waited root)" \
	    "3 verdict 0 "
	pkill -9 -x lyra2_chkpwd
	wait
else
	skip "how long a helper waits" "$CC fails"
fi

sed '/max_concurrent/d' "$conf" >"$work/default"
"$ask" 1 0 "$work/default" slow x '' "$chkpwd" >/dev/null &
ok "without max_concurrent there are slots, too" locks "$SLOT" 1
pkill -9 -x lyra2_chkpwd
wait

# ---- where it cannot work, all go on without ----
if strace -o /dev/null true 2>/dev/null; then
	for fault in EIO EACCES; do
		: >"$work/order"
		for first in 1 2 3 4 5; do
			timeout 10 "$ask" 1 0 "$conf" a secret '' strace \
			    -o /dev/null \
			    -e inject=fcntl:error=$fault:when=$first+ "$chkpwd" | grep -c '^verdict 0' >>"$work/order"
		done
		is "nobody waits for locks that begin to fail: $fault" \
		    "$(tr '\n' ' ' <"$work/order")" "1 1 1 1 1 "
	done
else
	skip "locks that begin to fail" "strace may not trace here"
fi
# A link must not have another file locked, or made.
: >/run/locked
for target in /run/locked /run/made; do
	rm -r /run/lyra2
	mkdir /run/lyra2
	ln -s $target /run/lyra2/slots
	"$ask" 1 0 "$conf" slow x '' "$chkpwd" >/dev/null &
	ok "a helper meets a link to $target" wait_for alive lyra2_chkpwd
	sleep 0.3
	is "a link to $target is not followed" \
	    "$(find "/proc/$(alive lyra2_chkpwd -n)/fd/" -lname $target)" ""
	fails "nothing is made: $target" test -e /run/made
	pkill -9 -x lyra2_chkpwd
	wait
done
for spoil in 'rm -r /run/lyra2; : >/run/lyra2' \
    'rm /run/lyra2; mkdir /run/lyra2; ln -s /etc/passwd /run/lyra2/slots' \
    'rm -r /run/lyra2; mkdir -p /run/lyra2/slots'; do
	sh -c "$spoil"
	: >"$work/order"
	verdict a
	is "goes on without slots: $spoil" "$(cat "$work/order")" a
done
rm -r /run/lyra2 "$work"
tap_done
