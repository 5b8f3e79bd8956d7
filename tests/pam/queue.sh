# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Admission: who hashes, who waits, and who is refused; see pam/helper/queue.c.
. "$SRCDIR/tests/lib/pam.sh"
command -v pgrep >/dev/null || skip_all "no pgrep here"

ask=$BUILDDIR/tests/pam/ask
chkpwd=$prefix/sbin/lyra2_chkpwd
echo 'max_concurrent = 2' >>"$conf"
sed -i "s,^root:[^:]*,root:$(hash '$6$salt$' secret)," /etc/shadow
user a "$(hash '$6$salt$' secret)"
user b "$(hash '$6$salt$' secret)"
# Takes seconds: time enough to look at it.
slow='$5$rounds=9999999$salt$x'
# The costliest that is allowed, for what has to outlast a sleep.
slower='$lyra2$v=30$t=247$r=4096$c=256$abcdefghijklmnopqrstuv$'
slower=$slower...........................................
for name in s t u; do
	user $name "$slow"
done
names_for 2001 2002 2003 2004
strace=no
! strace -o /dev/null true 2>/dev/null || strace=yes

TERMINAL=64
# begin CALLER USER: a request that nobody waits for; its output is in "said"
begin()
{
	: >"$work/said"
	CALLER=$1 "$ask" 1 "${flags:-0}" "${with:-$conf}" "$2" secret '' "${by:-$chkpwd}" \
	    >"$work/said" 2>&1 &
}
held()
{
	[ "$(slots_held "${2:-*}")" -eq "$1" ]
}
holds()
{
	wait_for held "$@"
}
# waiting turn|slot COUNT: who waits for a turn, waits for a lock
waiting()
{
	w_turn=$(locks_of /run/lyra2/slots | grep -c -e '->')
	w_slot=$(($(alive lyra2_chkpwd | wc -l) - w_turn - $(slots_held '*')))
	case $1 in
	turn) [ "$w_turn" -eq "$2" ] ;;
	slot) [ "$w_slot" -eq "$2" ] && sleep 0.1 ;;
	esac
}
end_all()
{
	pkill -9 -x lyra2_chkpwd
	wait
}
# verdict CALLER USER
verdict()
{
	CALLER=$1 "$ask" 1 "${flags:-0}" "$conf" "$2" secret '' "$chkpwd" |
	    sed -n 's/^verdict \([0-9]*\).*/\1/p'
}

# ---- the files ----
chgrp 42 /etc/shadow 2>/dev/null || :	# a namespace may have one group
group=$(stat -c %g /etc/shadow)
# lyra2_update itself is not in that group.
make_files()
{
	"$ask" 1 0 "$conf" a wrong '' "$prefix/sbin/lyra2_update" >/dev/null
	stat -c '%F %a %u %g' /run/lyra2 /run/lyra2/slot* | sort | uniq -c |
	    tr -s ' \n' ' '
}
made=" 1 directory 2750 0 $group 3 fifo 660 0 $group 1 regular file 660 0 $group "
is "root's helper makes the files" "$(make_files)" "$made"
for half in 'mkdir -m 700 /run/lyra2' \
    'mkdir -m 700 /run/lyra2; chgrp GROUP /run/lyra2' \
    'mkdir /run/lyra2; chgrp GROUP /run/lyra2; chmod 2750 /run/lyra2
	umask 177; : >/run/lyra2/slots; mkfifo /run/lyra2/slot.2' \
    'mkdir /run/lyra2; chgrp GROUP /run/lyra2; chmod 2750 /run/lyra2
	umask 177; : >/run/lyra2/slots; chgrp GROUP /run/lyra2/slots'; do
	rm -r /run/lyra2
	sh -c "$(echo "$half" | sed "s/GROUP/$group/g")"
	is "who made them was killed: $half" "$(make_files)" "$made"
done
if strace -o /dev/null true 2>/dev/null; then
	rm /run/lyra2/*
	"$ask" 1 0 "$conf" a wrong '' strace -o "$work/trace" \
	    "$prefix/sbin/lyra2_update" >/dev/null
	fails "in its directory they have the group: no chown(2), which a \
sandbox may punish" grep 'chown' "$work/trace"
fi
flags=$TERMINAL verdict 0 root >/dev/null	# makes root's own

# ---- turns: a source has one slot ----
begin 2001 s
ok "a user has a slot" holds 1
begin 2001 t
ok "the user's next request waits for a turn" wait_for waiting turn 1
ok "and has no slot" held 1
begin 2002 s
ok "another user has another" holds 2
end_all
# One user may have many IDs by subuid(5), but none of them has a name.
begin 100001 s
holds 1 || echo "# none held"
begin 100002 s
ok "user IDs without a name are one source" wait_for waiting turn 1
end_all
# same RHOST USER RHOST USER: whether root's services take these for one source
same()
{
	RHOST=$1 begin 0 "$2"
	holds 1 || echo "# none held"
	RHOST=$3 begin 0 "$4"
	if wait_for there_are 2 lyra2_chkpwd && sleep 0.2 && held 1; then
		echo one
	else
		echo two
	fi
	end_all
}
is "one account: one source" "$(same '' s '' s)" one
is "two accounts" "$(same '' s '' t)" two
is "no more than a byte of a name is in a lock" "$(same '' s '' aks)" one
is "one host" "$(same 192.0.2.1 s 192.0.2.1 t)" one
is "two hosts, one account" "$(same 192.0.2.1 s 192.0.2.2 s)" two
is "this host, by two of its addresses" "$(same 127.0.0.1 s 127.9.0.2 t)" one
is "one network of IPv6" "$(same 2001:db8::1 s 2001:db8::2:1 s)" one
is "two networks of IPv6" "$(same 2001:db8:0:1::1 s 2001:db8:0:2::1 s)" two
is "two addresses of IPv4, written in IPv6" \
    "$(same ::ffff:192.0.2.1 s ::ffff:192.0.2.2 s)" two

# ---- slots: two for all, one for root's services, one for root itself ----
begin 2001 s
begin 2002 s
ok "two users have the slots" holds 2
begin 2003 a
ok "a third waits for any" wait_for waiting slot 1
is "a service of root does not" "$(verdict 0 a)" 0
begin 0 s
ok "there is one slot for those" holds 3
flags=$TERMINAL begin 0 b
ok "the next of them waits" wait_for waiting slot 2
is "root does not" "$(flags=$TERMINAL verdict 0 root)" 0
RHOST=192.0.2.1 flags=$TERMINAL begin 0 root
ok "but root from elsewhere waits" wait_for waiting slot 3
flags=$TERMINAL begin 2004 root
ok "and a user who wants to be root" wait_for waiting slot 4
flags=$TERMINAL begin 0 nobody-here
ok "and a name that is unknown" wait_for waiting slot 5
begin 2004 s
ok "who waits for a turn" wait_for waiting turn 1
# usage: what those who wait have used of the processor, and how often
usage()
{
	for u_pid in $(alive lyra2_chkpwd | tail -n 5); do
		grep ctxt "/proc/$u_pid/status"
		cut -d ' ' -f 14,15 "/proc/$u_pid/stat"
	done
}
usage >"$work/before"
sleep 1
usage >"$work/after"
ok "nobody who waits has run meanwhile" cmp "$work/before" "$work/after"
ok "these are five" test "$(grep -c nonvol "$work/after")" -eq 5
begin 0 root
ok "root waits, too, where a service names no terminal" wait_for waiting slot 6
end_all
# The crowd of hosts has no end, so one slot is for users alone.
for host in 1 2; do
	RHOST=192.0.2.$host begin 0 s
done
ok "services have their slot and another" holds 2
RHOST=192.0.2.3 begin 0 s
ok "no more" wait_for waiting slot 1
is "a user finds a slot" "$(verdict 2001 a)" 0
ok "of which the services still have none" held 2
end_all
for which in -o -n; do
	begin 2001 s
	ok "$which: one" holds 1
	begin 2002 t
	ok "$which: both" holds 2
	begin 2003 a
	ok "$which: one waits" wait_for waiting slot 1
	which_pid=$(alive lyra2_chkpwd | if [ $which = -o ]; then
		sed -n 1p; else sed -n 2p; fi)
	kill -9 "$which_pid"
	ok "$which: whichever ends, it is served" \
	    wait_for grep -q '^verdict 0 ' "$work/said"
	ok "$which: at once, and the other goes on" held 1
	end_all
done
# ---- whose module is gone ----
begin 2001 s
begin 2002 s
holds 2 || echo "# no two held"
for how in "slot 2003" "turn 2001"; do
	begin "${how#* }" a
	job=$!
	wait_for waiting "${how% *}" 1 || echo "# it does not wait"
	kill -9 $job
	ok "it leaves the queue: $how" wait_for there_are 2 lyra2_chkpwd
done
replace "$work/late" <<EOF
#!/bin/sh
echo \$\$ >"$work/pid"
until [ -e "$work/gone" ]; do sleep 0.1; done
exec "$chkpwd"
EOF
end_all
begin 2001 s
begin 2002 s
holds 2 || echo "# no two held"
ASK=gone CALLER=2003 "$ask" 1 0 "$conf" a secret '' "$work/late"
ok "one is about to enter" wait_for test -s "$work/pid"
: >"$work/gone"
ok "and does not: its module is gone" wait_for sh -c \
    '! grep -q "^State:.[^Z]" "/proc/$1/status"' - "$(cat "$work/pid")"
ok "there was no slot for it" held 2
end_all

# ---- seats ----
daemon_log "$work/log" sh -c 'until test -e "$1"; do sleep 0.1; done' - \
    "$work/logged" &
ok "something takes what is logged" wait_for test -S /dev/log
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
	begin 2001 s
done
ok "there are seats for sixteen" wait_for waiting turn 15
if [ $strace = yes ]; then
	CALLER=2001 "$ask" 1 0 "$conf" a secret '' strace -o /dev/null -e \
	    inject=pwrite64:error=EFBIG "$chkpwd" >/dev/null
fi
is "the next is refused" "$(verdict 2001 a)" 15
is "and one more" "$(verdict 2001 a)" 15
is "another user is not" "$(verdict 2002 a)" 0
ok "all sixteen are there" there_are 16 lyra2_chkpwd
: >"$work/logged"
ok "the log is complete" wait_for sh -c '! test -e /dev/log'
is "two refusals, and one that cannot be noted: one line" \
    "$(grep -c 'refused: too many at once \[UID=2001\]' "$work/log")" 1
fails "a refusal is no failure" grep -q 'check failed' "$work/log"
end_all

# ---- a log that takes nothing ----
rm -f "$work/logged"
cat >"$work/full.py" <<'PY'
import os, socket, sys, time
log = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
log.bind("/dev/log")
one = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
one.connect("/dev/log")
one.setblocking(False)
try:
    while True:
        one.send(b"x")
except BlockingIOError:
    open(sys.argv[1], "w").close()
time.sleep(60)
PY
python3 "$work/full.py" "$work/logged" &
full=$!
wait_for test -e "$work/logged" || echo "# it is not full"
RHOST=192.0.2.1 "$ask" 1 0 "$conf" a wrong '' "$chkpwd" >"$work/said" &
ok "a failure waits for the log" wait_for waiting slot 1
is "and has no slot" "$(slots_held '*')" 0
for word in secret wrong; do
	CALLER=2001 "$ask" 1 0 "$conf" a $word '' "$chkpwd" >"$work/$word" &
	ok "a user's guess waits for the log: $word" holds 1
	ok "it is given up" wait_for held 0
	is "and nobody has learnt anything" "$(cat "$work/$word")" ""
done
is "nor has who failed" "$(cat "$work/said")" ""
kill $full
rm /dev/log
wait_for grep -q '^end' "$work/said"
is "until the log is there" "$(grep ^verdict "$work/said")" "verdict 7 "

# ---- what was known on arrival may be old when the turn comes ----
begin 2001 s
holds 1 || echo "# none held"
CALLER=2001 "$ask" 1 0 "$conf" a secret '' "$chkpwd" >"$work/late" &
ok "one waits" wait_for waiting turn 1
sleep 0.2
sed -i 's,^a:,a:!,' /etc/shadow
pkill -9 -x -o lyra2_chkpwd
wait_for grep -q '^end' "$work/late"
is "an account locked meanwhile" "$(grep ^verdict "$work/late")" "verdict 7 "
sed -i 's,^a:!,a:,' /etc/shadow
end_all

# ---- a helper that users have stopped ----
sed -i "s,^s:[^:]*,s:$slower," /etc/shadow
begin 2001 s
holds 1 || echo "# none held"
sleep 3
ok "who works keeps the slot" held 1
kill -STOP "$(alive lyra2_chkpwd)"
begin 0 s
holds 2 || echo "# no two held"
left=$(alive lyra2_chkpwd -n)
kill -STOP "$left"
ok "who does not work is killed" wait_for there_are 1 lyra2_chkpwd
is "the other is left" "$(alive lyra2_chkpwd)" "$left"
sleep 2.5
ok "nobody kills helpers of root's services" held 1
end_all
cat >"$work/poke.py" <<'PY'
import contextlib, fcntl, os, re, signal, socket, sys, time
def handled():
    with open("/proc/%s/status" % sys.argv[1]) as status:
        pending = re.search(r"ShdPnd:\s*(\w+)", status.read()).group(1)
    return not int(pending, 16) >> (signal.SIGPROF - 1) & 1
with contextlib.suppress(OSError):
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
ours, theirs = socket.socketpair()
fcntl.fcntl(ours, fcntl.F_SETOWN, int(sys.argv[1]))
fcntl.fcntl(ours, 10, signal.SIGPROF)	# F_SETSIG
fcntl.fcntl(ours, fcntl.F_SETFL, os.O_ASYNC)
for i in range(4):
    if sys.argv[2] == "kill":
        os.kill(int(sys.argv[1]), signal.SIGPROF)
    else:
        theirs.send(b"x")
    os.kill(int(sys.argv[1]), signal.SIGCONT)
    while not handled():
        pass
    os.kill(int(sys.argv[1]), signal.SIGSTOP)
    time.sleep(0.6)
time.sleep(0.6)
PY
# On a busy machine it can run for some milliseconds before it stops again.
for how in kill F_SETSIG; do
	for try in 1 2 3 4; do
		begin 2001 s
		holds 1 || echo "# none held"
		poked=$(alive lyra2_chkpwd)
		kill -STOP "$poked"
		python3 "$work/poke.py" "$poked" $how
		poked=$(alive lyra2_chkpwd)
		end_all
		[ -n "$poked" ] || break
		echo "# try $try: it has run"
	done
	is "signals are no work: $how" "$poked" ""
done
# The helper's child has the slot during a rehash.
printf '%s\n' t_cost=10 rows=4096 max_concurrent=2 >"$work/costly"
CALLER=2001 "$ask" 1 32 "$work/costly" a secret '' \
    "$prefix/sbin/lyra2_update" >/dev/null &
wait_for alive lyra2_update
parent=$(alive lyra2_update)
child_alone()
{
	[ "$(alive lyra2_update)" -ne "$parent" ]
}
ok "a rehash goes on alone" wait_for child_alone
ok "with a slot" held 1
kill -STOP "$(alive lyra2_update -n)"
ok "stopped, it is killed" wait_for there_are 0 lyra2_update
ok "it has no slot any more" held 0
wait
if [ $strace = yes ]; then
	CALLER=2001 "$ask" 1 0 "$conf" a secret '' strace -y -o "$work/trace" \
	    -e trace=close,timer_delete "$chkpwd" >/dev/null
	is "who gives the slot back is watched until it has" \
	    "$(grep -e timer_delete -e 'close.*/slot\.' "$work/trace" |
	    tail -n 2 | cut -d '(' -f 1 | tr '\n' ' ')" "close timer_delete "
else
	skip "who gives the slot back" "strace may not trace here"
fi
cat >"$work/fork.c" <<'C'
#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

pid_t fork(void)
{
	void *next = dlsym(RTLD_NEXT, "fork");
	pid_t (*call)(void), pid;

	memcpy(&call, &next, sizeof(call));
	pid = call();
	if (pid == 0)
		raise(SIGSTOP);
	return pid;
}
C
if preload fork; then
	CALLER=2001 "$ask" 1 32 "$work/costly" a secret '' env \
	    LD_PRELOAD="$work/fork.so" "$prefix/sbin/lyra2_update" >/dev/null &
	ok "a child stops before it has a timer" wait_for sh -c \
	    '[ "$(pgrep -r T -x lyra2_update)" ]'
	is "and has no slot" "$(slots_held '*')" 0
	pkill -9 -x lyra2_update
	wait
else
	skip "a child that stops" "$CC fails"
fi

# ---- how long ----
cat >"$work/alarm.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *name;

__attribute__((constructor)) static void start(void)
{
	name = getenv("ALARMS");
}

unsigned alarm(unsigned seconds)
{
	FILE *f = fopen(name, "a");

	if (f && fprintf(f, "%u ", seconds) > 0)
		fclose(f);
	return (unsigned)syscall(SYS_alarm, seconds == 30 ? 1 : seconds);
}
C
cp "$chkpwd" "$work/lyra2_chkpwd"
chmod 755 "$work/lyra2_chkpwd"
if preload alarm; then
	# limited CALLER USER: the verdict, and the limits that it has set
	limited()
	{
		rm -f "$work/alarms"
		CALLER=$1 "$ask" 1 0 "$conf" "$2" secret '' env \
		    LD_PRELOAD="$work/alarm.so" ALARMS="$work/alarms" \
		    "$work/lyra2_chkpwd" >"$work/said"
		cat "$work/said" "$work/alarms" | tr '\n' ' '
	}
	is "30 s of the queue, of 120 s" "$(limited 2001 a)" \
	    "verdict 0  end 0  120 10 120 30 120 "
	begin 2001 s
	begin 2002 s
	holds 2 || echo "# no two held"
	is "who waits for a turn for longer ends" "$(limited 2001 a)" \
	    "120 10 120 30 "
	is "so does who waits for a slot" "$(limited 2003 a)" \
	    "120 10 120 30 "
	end_all
else
	skip "how long a helper waits" "$CC fails"
fi

# ---- how many slots ----
sed '/max_concurrent/d' "$conf" >"$work/default"
with=$work/default begin 0 a
wait
cpus=$(nproc --all)
[ "$cpus" -gt 2 ] || cpus=2
is "by default, as many as processors" \
    "$(od -An -tu4 -N4 /run/lyra2/slots | tr -d ' ')" "$cpus"
verdict 0 a >/dev/null
if ! another_id "no user asks for more slots" uid:; then
	echo 'max_concurrent = 9' >"$work/more"
	chmod 755 "$work"
	chmod 644 "$work/more"
	# Until just now there were nine.
	with=$work/more begin 0 a
	wait
	verdict 0 a >/dev/null
	for name in s t u; do
		id=$(id -u $name)
		with=$work/more CALLER=0 setpriv --reuid "$id" --regid 100 \
		    --clear-groups "$ask" 1 0 "$work/more" $name secret '' \
		    "$chkpwd" >/dev/null &
	done
	ok "one of three users waits" wait_for waiting slot 1
	ok "two have slots, not nine" held 2
	end_all
	# Nobody is made to wait for a hash of a gigabyte.
	id=$(id -u b)
	# The tree may lie in root's home: only setpriv can still enter it.
	is "nor costly ones" "$(ASK=costly timeout 60 setpriv --reuid "$id" \
	    --regid 100 --clear-groups "$ask" 1 0 "$work/more" b wrong '' \
	    "$chkpwd" | sed -n 's/^verdict \([0-9]*\).*/\1/p')" 7
	cat >"$work/peak.py" <<'PY'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PY
	ok "nor those of the defaults where all are cheap" test "$(python3 \
	    "$work/peak.py" setpriv --reuid "$id" --regid 100 --clear-groups \
	    "$ask" 1 0 "$conf" b wrong '' "$chkpwd")" -lt 20000
	CALLER=0 setpriv --reuid "$(id -u s)" --regid 100 --clear-groups \
	    "$ask" 1 0 "$work/more" s secret '' "$chkpwd" >/dev/null &
	ok "a user asks" holds 1
	is "a user who says to be root has no slot of root's" \
	    "$(slots_held 0) $(slots_held 1)" "0 0"
	end_all
	rm -r /run/lyra2
	chmod 4755 "$chkpwd"
	setpriv --reuid "$id" --regid 100 --clear-groups "$ask" 1 0 "$conf" b \
	    wrong '' "$chkpwd" >/dev/null
	chmod 2755 "$chkpwd"
	is "who is set-user-ID makes what is missing" \
	    "$(stat -c '%F %a %u %g' /run/lyra2/slot.2)" "fifo 660 0 $group"
fi

# ---- where it cannot work ----
if [ $strace = yes ]; then
	for fault in "EIO 0" "EINVAL 0" "ENOLCK 15" "ENOMEM 15"; do
		is "locks that fail: ${fault% *}" "$(timeout 10 "$ask" 1 0 \
		    "$conf" a secret '' strace -o /dev/null \
		    -e "inject=fcntl:error=${fault% *}" "$chkpwd" |
		    sed -n 's/^verdict \([0-9]*\).*/\1/p')" "${fault#* }"
	done
	is "without a timer there is no slot" "$(CALLER=2001 timeout 10 \
	    "$ask" 1 0 "$conf" a secret '' strace -o /dev/null -e \
	    inject=timer_create:error=EAGAIN "$chkpwd" |
	    sed -n 's/^verdict \([0-9]*\).*/\1/p')" 15
else
	skip "where it cannot work" "strace may not trace here"
fi
: >/run/locked
for link in slots slot.1; do
	rm -r /run/lyra2
	mkdir /run/lyra2
	ln -s /run/locked "/run/lyra2/$link"
	begin 0 s
	ok "a helper meets a link: $link" wait_for computes lyra2_chkpwd
	is "it is not followed: $link" \
	    "$(find "/proc/$(alive lyra2_chkpwd -n)/fd/" -lname /run/locked)" ""
	end_all
done
for spoil in 'rm -r /run/lyra2; : >/run/lyra2' \
    'rm /run/lyra2; mkdir -p /run/lyra2/slots'; do
	sh -c "$spoil"
	is "goes on without: $spoil" "$(verdict 0 a)" 0
done
rm -r /run/lyra2 "$work"
tap_done
