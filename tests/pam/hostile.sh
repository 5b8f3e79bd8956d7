# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# shellcheck disable=SC3045	# dash and bash have ulimit -v and -S
# Local users who wish others ill: who guess in silence, hold up logins, or
# look where they should not.
. "$SRCDIR/tests/lib/pam.sh"
command -v pgrep >/dev/null || skip_all "no pgrep here"

ask=$BUILDDIR/tests/pam/ask
chkpwd=$prefix/sbin/lyra2_chkpwd
update=$prefix/sbin/lyra2_update
P='prompt: Password: /'
user alice "$(hash '$6$salt$' secret)"
user bob "$(hash '$5$rounds=100000$salt$' a-word-of-bob)"
user hasty "$(hash '$6$salt$' secret)"
user slow '$5$rounds=9999999$salt$x'
sed -i "s,^root:[^:]*,root:$(hash '$6$salt$' secret)," /etc/shadow
names_for 2001 2002 2003 2004 2006
service std
strace=no
! strace -o /dev/null true 2>/dev/null || strace=yes

# seconds COMMAND...: runs it in silence, prints how long that took
seconds()
{
	python3 -c 'import subprocess, sys, time
start = time.monotonic()
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL,
               stderr=subprocess.DEVNULL)
print("%.2f" % (time.monotonic() - start))' "$@"
}

# within WHAT LIMIT SECONDS
within()
{
	echo "# $1: $3 s"
	ok "$1: at most $2 s" awk "BEGIN { exit !($3 <= $2) }"
}

# The helper that a script starts instead of lyra2_update is called "update".
none_left()
{
	! alive 'lyra2_chkpwd|lyra2_update|update'
}
# newer_than PID HELPER: whether another one is the newest
newer_than()
{
	case $(alive "$2" -n) in
	"" | "$1") return 1 ;;
	esac
}
# at_work HELPER COUNT: whether so many of these, or more, are there
at_work()
{
	[ "$(alive "$1" | wc -l)" -ge "$2" ]
}
ok "no helper is at work" none_left

# ---- silent guessing ----
cp -p /etc/shadow "$work/before"
# guesses HOW HELPER PASSWORD: ten guesses by a module that behaves like HOW
guesses()
{
	g_how=$1
	: >"$work/log"
	daemon_log "$work/log" sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do
		ASK=$1 "$2" 1 0 "$3" alice "$4" "" "$5"
		while pgrep -r D,R,S,T,t -x "lyra2_chkpwd|lyra2_update"; do
			sleep 0.01
		done
	done' - "$g_how" "$ask" "$conf" "$3" "$2" >/dev/null 2>&1
	grep -c 'password check failed for user (alice)' "$work/log"
}
for helper in "$update" "$chkpwd"; do
	is "${helper##*/}: ten wrong guesses are in the log" \
	    "$(guesses polite "$helper" wrong)" 10
	is "${helper##*/}: as many of a module that says nothing" \
	    "$(guesses silent "$helper" wrong)" 10
	is "${helper##*/}: a right guess that nobody acknowledges" \
	    "$(guesses silent "$helper" secret)" 0
	ok "${helper##*/}: changes nothing" cmp /etc/shadow "$work/before"
	guesses gone "$helper" secret >/dev/null
	ok "${helper##*/}: nor does one of a module that is gone" \
	    cmp /etc/shadow "$work/before"
done

if [ $strace = yes ]; then
	for helper in "$update" "$chkpwd"; do
		cat >"$work/traced" <<TRACED
exec strace -qq -o $work/trace -s 20 -e trace=%file,sendto $helper
TRACED
		for word in secret wrong; do
			ASK=silent "$ask" 1 0 "$conf" alice "$word" '' \
			    sh "$work/traced" >/dev/null
			sed '/^sendto([0-9]*, "<85>/d;/^sendto(0, /,$d
			    s/0x[0-9a-f]*/POINTER/g' "$work/trace" \
			    >"$work/$word"
		done
		ok "${helper##*/}: files tell nothing of the verdict" \
		    cmp "$work/secret" "$work/wrong"
		ok "${helper##*/}: there is something to compare" \
		    grep -q shadow "$work/wrong"
	done
	# untold WORD: what a user's guess does until the log has it
	untold()
	{
		echo "exec strace -qq -o $work/trace $update" >"$work/traced"
		ASK=silent CALLER=2001 daemon_log "$work/log" "$ask" 1 0 \
		    "$conf" alice "$1" '' sh "$work/traced" >/dev/null
		sed '/^sendto([0-9]*, "<8/q' "$work/trace" |
		    sed 's/(.*//' | uniq
	}
	is "a user's guess: nothing shows before the log has it" \
	    "$(untold wrong)" "$(untold secret)"
	ok "it is in the log" grep -q 'check passed for user (alice)' \
	    "$work/log"
	echo "exec strace -qq -o $work/trace -e trace=sendto $update" \
	    >"$work/traced"
	daemon_log "$work/log" "$ask" 1 0 "$conf" alice wrong '' \
	    sh "$work/traced" >/dev/null
	is "a failure is logged before the verdict leaves" \
	    "$(sed -n 's/^sendto([0-9]*, "<85>.*/log/p;s/^sendto(0, .*/reply/p' \
	    "$work/trace" | uniq | tr '\n' ' ')" "log reply "
else
	skip "what the helper does until the verdict" "strace may not trace here"
fi

# su(1), as alice runs it, killed at any moment after the password went in
cat >"$work/killed.py" <<'PY'
import subprocess, sys, time
tool, word = sys.argv[1:]
answers = 0
for i in range(30):
    su = subprocess.Popen([tool, "/etc/pam.d", "std", "root", "euid:1001",
                           "auth"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    su.stdin.write(word.encode() + b"\n")
    su.stdin.close()
    time.sleep(i * 0.003)
    su.kill()
    answers += b"auth=" in su.stdout.read()
    su.wait()
    while subprocess.call(["pgrep", "-r", "D,R,S,T,t", "-x",
                           "lyra2_update"], stdout=subprocess.DEVNULL) == 0:
        time.sleep(0.01)
print(answers)
PY
if another_id "su, killed" uid:; then
	:
else
	: >"$work/log"
	daemon_log "$work/log" python3 "$work/killed.py" \
	    "$BUILDDIR/tests/pam/try" wrong >"$work/answers"
	logged=$(grep -c 'check failed for user (root) \[UID=1001\]' \
	    "$work/log")
	echo "# of 30 killed guesses at root, $(cat "$work/answers") had an" \
	    "answer, $logged are in the log"
	ok "su, killed: each guess with an answer is in the log" \
	    test "$(cat "$work/answers")" -le "$logged"
	ok "su, killed: /etc/shadow stands" cmp /etc/shadow "$work/before"
fi

# ---- what a process of the helper shows ----
# started HELPER COMMAND...: starts a slow check in the background, sets $pid
started()
{
	s_helper=$1 s_newest=$(alive "${1##*/}" -n)
	shift
	CALLER=${CALLER:-0} "$@" "$ask" 1 0 "$conf" slow x '' "$s_helper" \
	    >/dev/null &
	job=$!
	ok "${s_helper##*/} is at work" \
	    wait_for newer_than "$s_newest" "${s_helper##*/}"
	pid=$(alive "${s_helper##*/}" -n)
	wait_for settled "$pid" || echo "# it neither computes nor waits"
}
# settled PID: whether it computes, or waits until it may
settled()
{
	computing "$1" || waiting "$1"
}
ended()
{
	kill -9 "$pid"
	wait "$job" 2>/dev/null
}
cat >"$work/search.py" <<'PY'
import re, sys
pid, word = sys.argv[1], sys.argv[2].encode()
with open("/proc/%s/maps" % pid) as maps, \
        open("/proc/%s/mem" % pid, "rb") as mem:
    found = 0
    for line in maps:
        start, end, mode = re.match(r"(\w+)-(\w+) (..)", line).groups()
        if mode != "rw":
            continue
        mem.seek(int(start, 16))
        try:
            found += mem.read(int(end, 16) - int(start, 16)).count(word)
        except OSError:
            pass
print(found)
PY
# Others' lines fill a block of the file, so that no later use hides them all.
seq 60 | sed 's/.*/other&:$5$salt$left-by-others:19000:0:99999:7:::/' \
    >>/etc/shadow
for helper in "$chkpwd" "$update"; do
	started "$helper"
	ok "${helper##*/} hashes" wait_for computes "${helper##*/}"
	# It has to last until it has been searched.
	kill -STOP "$pid"
	is "${helper##*/}: no hash of another user is left in its memory" \
	    "$(python3 "$work/search.py" "$pid" left-by-others)" 0
	ok "${helper##*/}: the search finds what is there" test \
	    "$(python3 "$work/search.py" "$pid" rounds=9999999)" -gt 0
	ended
done
sed -i '/^other[0-9]*:/d' /etc/shadow
if ! another_id "dumpable" uid:; then
	slow_id=$(id -u slow)
	started "$chkpwd" setpriv --reuid "$slow_id" --regid 100 --clear-groups
	is "its user may not read the memory of lyra2_chkpwd" \
	    "$(stat -c %u "/proc/$pid/environ")" 0
	fails "nor its maps" setpriv --reuid "$slow_id" --regid 100 \
	    --clear-groups cat "/proc/$pid/maps"
	ended
	# with_files COUNT: what a user hears who may open so many
	with_files()
	{
		prlimit --nofile="$1" setpriv --reuid "$(id -u hasty)" \
		    --regid 100 --clear-groups "$ask" 1 0 "$conf" hasty x '' \
		    "$chkpwd"
	}
	is "a verdict where there are descriptors enough" \
	    "$(with_files 16)" "verdict 7 
end 0 "
	is "none where too few are left to log one" "$(with_files 15)" ""
fi

# ---- place in the scheduler ----
if chrt -i 0 nice -n 19 chrt -o 0 true 2>/dev/null; then
	started "$update" env CALLER=1 chrt -i 0 nice -n 19 taskset 1
	is "no idle class, no nice value, and all CPUs" \
	    "$(chrt -p "$pid" | sed -n 's/.*policy: //p') $(ps -o ni= -p \
	    "$pid" | tr -d ' ') $(taskset -p "$pid" | sed 's/.*: //')" \
	    "SCHED_OTHER 0 $(taskset -p $$ | sed 's/.*: //')"
	ended
else
	skip "place in the scheduler" "root may not raise priorities here"
fi
# soft limits are lifted in any case, hard ones where root may do that
is "RLIMIT_AS of the application: soft" \
    "$(ulimit -Sv 48000; echo secret | try std bob auth >/dev/null
    echo a-word-of-bob | try std bob auth)" "${P}auth=0/"
if (ulimit -v 48000; ulimit -v unlimited) 2>/dev/null; then
	is "RLIMIT_AS of the application: hard" "$(ulimit -v 48000
	    echo a-word-of-bob | try std bob auth)" "${P}auth=0/"
else
	skip "RLIMIT_AS of the application: hard" \
	    "root may not raise limits here"
fi

# ---- the module waits for no rehash, and for no dead helper ----
# instead_of_update WORDS...: the module starts that for lyra2_update
cp "$update" "$work/update"
chmod 755 "$work"
instead_of_update()
{
	printf '#!/bin/sh\n%s\n' "$*" | replace "$update"
}
if [ $strace = yes ]; then
	instead_of_update "exec strace -f -o /dev/null -e" \
	    "inject=fsync:delay_enter=3000000 $work/update"
	sed -i "s,^bob:[^:]*,bob:$(hash '$6$salt$' secret)," /etc/shadow
	echo secret >"$work/secret"
	within "a login on a disk whose fsync takes 3 s each" 2.5 \
	    "$(seconds sh -c '"$1" /etc/pam.d std bob auth <"$2"' - \
	    "$BUILDDIR/tests/pam/try" "$work/secret")"
	ok "the helper finishes alone" \
	    wait_for grep -q '^bob:.lyra2' /etc/shadow
	ok "and ends" wait_for none_left
	cat >"$work/slow.c" <<'C'
#include <unistd.h>
int fsync(int fd) { return fd < 0 ? -1 : (int)sleep(1); }
C
	preload slow
	instead_of_update "LD_PRELOAD=$work/slow.so exec $work/update"
	sed -i "s,^bob:[^:]*,bob:$(hash '$6$salt$' secret)," /etc/shadow
	is "login(1) does not take the helper for its shell" \
	    "$(echo secret | try std bob auth shell)" \
	    "prompt: Password: /auth=0/shell=0/"
	is "which has stored the new hash" "$(stored bob | cut -c1-7)" \
	    '$lyra2$'
	ok "and has ended" wait_for none_left
	# Longer than the module waits for a rehash.
	sed -i 's/sleep(1)/sleep(2)/' "$work/slow.c"
	preload slow
	cp -p /etc/shadow "$work/kept"
	sed -i "s,^bob:[^:]*:[0-9]*,bob:$(hash '$6$salt$' secret):0," \
	    /etc/shadow
	is "a rehash that lasts does not refuse a new password" \
	    "$(printf 'secret\nsecret\nnew1word\nnew1word\n' |
	    try std bob auth account passwd:e | grep -o 'passwd:e=[0-9]*')" \
	    passwd:e=0
	cp -p "$work/kept" /etc/shadow
	replace "$update" <"$work/update"
	within "a module that cannot send the request" 3 "$(seconds strace -o \
	    "$work/trace" -e inject=sendto:error=ENOMEM:when=2 \
	    "$BUILDDIR/tests/pam/try" /etc/pam.d std bob auth \
	    <"$work/secret")"
	ok "nor does its helper wait" wait_for none_left
	ok "that was the request" grep -q 'ENOMEM.*INJECTED' "$work/trace"
else
	skip "a slow disk" "strace may not trace here"
fi
# Who stops su(1) before it has asked must not have pam_unix(8) compute instead.
within "a helper that gets half of a request" 15 "$(seconds sh -c \
    'ASK=half "$@" >"$0"' "$work/said" "$ask" 1 0 "$conf" bob secret '' \
    "$chkpwd")"
is "is killed, and says nothing" "$(cat "$work/said")" ""
cat >"$work/vfork.c" <<'C'
#include <errno.h>
#include <sys/types.h>

pid_t vfork(void)
{
	errno = EAGAIN;
	return -1;
}
C
if preload vfork; then
	is "who allows su(1) no more processes, neither" \
	    "$(echo secret | env LD_PRELOAD="$work/vfork.so" \
	    "$BUILDDIR/tests/pam/try" /etc/pam.d std bob auth |
	    grep '^auth')" auth=15
else
	skip "who allows su(1) no more processes" "$CC fails"
fi

# Another thread of the application forks at the wrong moment, and its child
# keeps a copy of the helper's socket.
cat >"$work/fork.c" <<'C'
#include "clone.h"

static void before_clone(void)
{
	if (fork() == 0) {
		close(1);
		close(2);
		sleep(8);
		_exit(0);
	}
}

static void in_child(void)
{
}
C
if preload fork; then
	instead_of_update 'kill -9 $$'
	echo secret >"$work/bob"
	within "a dead helper whose socket another process has" 4 \
	    "$(seconds env LD_PRELOAD="$work/fork.so" \
	    "$BUILDDIR/tests/pam/try" /etc/pam.d std bob auth <"$work/bob")"
	ok "that process is there" alive try
	within "the same, SIGCHLD ignored" 4 \
	    "$(seconds env LD_PRELOAD="$work/fork.so" "$BUILDDIR/tests/pam/try" \
	    /etc/pam.d std bob minds:ignore auth <"$work/bob")"
	is "who kills the helper has no other module compute" \
	    "$(try std bob auth <"$work/bob")" "${P}auth=15/"
	cat >"$work/lasting.py" <<'PY'
import socket, struct, sys, time
module = socket.socket(fileno=0)
module.recv(4096)
module.sendall(struct.pack("=IIiI", 12, 1, 0, 0))	# the verdict: success
begun = time.monotonic()
while module.recv(4096):
    pass
with open(sys.argv[1], "w") as file:
    print("%.2f" % (time.monotonic() - begun), file=file)
PY
	instead_of_update "exec python3 $work/lasting.py $work/lasted"
	is "one that does not end" "$(env LD_PRELOAD="$work/fork.so" \
	    "$BUILDDIR/tests/pam/try" /etc/pam.d std bob auth <"$work/bob" |
	    tr '\n' '/')" "${P}auth=0/"
	ok "one that does not end has heard something" \
	    wait_for test -s "$work/lasted"
	within "it is told that the module has gone" 5 "$(cat "$work/lasted")"
	replace "$update" <"$work/update"
else
	skip "a dead helper whose socket another process has" "$CC fails"
fi

# The module's clock jumps to three seconds before the helper's time is over.
cat >"$work/jump.c" <<'C'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *t)
{
	static int calls;
	int rc = (int)syscall(SYS_clock_gettime, clock, t);

	t->tv_sec += calls++ ? 117 : 0;
	return rc;
}
C
echo secret >"$work/bob"
if preload jump; then
	instead_of_update 'sleep 60'
	within "a helper that says nothing" 20 \
	    "$(seconds env LD_PRELOAD="$work/jump.so" \
	    "$BUILDDIR/tests/pam/try" /etc/pam.d std bob auth <"$work/bob")"
else
	skip "a helper that says nothing" "$CC fails"
fi
instead_of_update 'printf xx >&0; sleep 60'
within "one that sends half of a reply" 30 "$(seconds \
    "$BUILDDIR/tests/pam/try" /etc/pam.d std bob auth <"$work/bob")"
pkill -f -x 'sleep 60'
replace "$update" <"$work/update"

# ---- on whose behalf a helper waits ----
# The seats of a user begin at 2^16 times the user ID plus one: see
# pam/helper/queue.c.
# seat_of USER CALL...: whether a login of bob uses a seat of that user
seat_of()
{
	so_at=$(python3 -c "print(($(id -u "$1") + 1) << 16)")
	shift
	strace -f -o "$work/trace" -e trace=fcntl "$BUILDDIR/tests/pam/try" \
	    /etc/pam.d std bob "$@" <"$work/secret" >/dev/null
	grep -q "F_OFD_SETLK, .*l_start=$so_at," "$work/trace"
}
if [ $strace = yes ]; then
	ok "sudo: of its user" seat_of alice ruser:alice auth
	ok "sudo with pam_rhost: of its user" \
	    seat_of alice ruser:alice "rhost:$(uname -n)" auth
	ok "sudo with fqdn, too: of its user" \
	    seat_of alice ruser:alice "rhost:$(uname -n).example" auth
	fails "sshd, login: of nobody" seat_of root auth
	fails "nor of the user that a client far away names" \
	    seat_of alice ruser:alice rhost:far.example auth
	another_id "su: of its user" uid: ||
	    ok "su: of its user" seat_of alice "euid:$(id -u alice)" auth
else
	skip "on whose behalf" "strace may not trace here"
fi

# ---- holding up others ----
cp -p "$work/before" /etc/shadow
echo 'max_concurrent = 2' >>"$conf"
# let_in WHAT LIMIT CALLER USER: a right password is found right, within LIMIT
let_in()
{
	rm -f "$work/said"
	within "$1" "$2" "$(seconds sh -c '"$@" >"$0"' "$work/said" \
	    env CALLER="$3" "$ask" 1 0 "$conf" "$4" secret '' "$chkpwd")"
	is "$1: the verdict" "$(cat "$work/said")" "verdict 0 
end 0 "
}
# Stopped, as a process in a frozen control group is.
for caller in 2001 2002 2003 2004; do
	for i in 1 2 3 4; do
		CALLER=$caller "$ask" 1 0 "$conf" slow x '' "$chkpwd" \
		    >/dev/null &
	done
done
ok "sixteen helpers of four users" wait_for at_work lyra2_chkpwd 16
pkill -STOP -x lyra2_chkpwd
let_in "root's login, with their helpers frozen" 3 0 root
let_in "another login through sshd or login" 3 0 hasty
let_in "the login of a user" 5 2006 hasty
pkill -9 -x lyra2_chkpwd
wait

# A flood of hashes, each of a second or more, by one user
sed -i "s,^slow:[^:]*,slow:\$5\$rounds=2000000\$salt\$x," /etc/shadow
i=0
while [ $i -lt 60 ]; do
	CALLER=2001 ASK=silent "$ask" 1 0 "$conf" slow x '' "$update" &
	i=$((i + 1))
done >"$work/flood"
ok "a flood has come" wait_for at_work lyra2_update 16
let_in "root's login, while one user runs su 60 times" 3 0 root
let_in "another login through sshd or login, meanwhile" 3 0 hasty
let_in "su of another user, meanwhile" 5 2002 hasty
is "the flood has one slot" "$(slots_held '*')" 1
ok "what is too much is refused" wait_for sh -c \
    "[ \$(grep -c '^verdict 15' $work/flood) -eq 44 ]"
pkill -9 -x lyra2_update
wait
rm -r "$work"
tap_done
