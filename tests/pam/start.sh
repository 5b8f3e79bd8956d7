# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The state that a helper gives itself, whatever it inherits; and which rights
# it keeps.
. "$SRCDIR/tests/lib/pam.sh"
command -v pgrep >/dev/null || skip_all "no pgrep here"

ask=$BUILDDIR/tests/pam/ask
chkpwd=$prefix/sbin/lyra2_chkpwd
update=$prefix/sbin/lyra2_update
user alice "$(hash '$6$salt$' secret)"
user slow '$5$rounds=9999999$salt$x'
chmod 755 "$work"

# What a helper may inherit: all that exec(2) does not reset.
cat >"$work/inherit.py" <<'PY'
import ctypes, os, resource, signal, sys
PR_SET_TIMERSLACK = 29
os.chdir(sys.argv[1])
os.umask(0)
ctypes.CDLL(None).prctl(PR_SET_TIMERSLACK, 1000000000)
for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
signal.setitimer(signal.ITIMER_PROF, 0.4)
signal.setitimer(signal.ITIMER_VIRTUAL, 0.4)
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
for limit, soft in (resource.RLIMIT_FSIZE, 1), (resource.RLIMIT_CPU, 1), \
        (resource.RLIMIT_DATA, 64 << 20), (resource.RLIMIT_AS, 256 << 20), \
        (resource.RLIMIT_NOFILE, 30), (resource.RLIMIT_CORE, 4096):
    hard = resource.getrlimit(limit)[1]
    if hard != resource.RLIM_INFINITY:
        soft = min(soft, hard)
    resource.setrlimit(limit, (soft, hard))
os.close(1)
os.close(2)
os.execv(sys.argv[2], sys.argv[2:])
PY
# started HELPER TICKS COMMAND...: a helper that has computed for so many
# hundredths of a second: $pid
started()
{
	helper=$1 ticks=$2
	shift 2
	"$@" "$ask" 1 0 "$conf" slow x '' python3 "$work/inherit.py" "$work" \
	    "$helper" >/dev/null 2>&1 &
	job=$!
	wait_for alive "${helper##*/}" || echo "# it has not started"
	pid=$(alive "${helper##*/}" -n)
	wait_for computing "$pid" "$ticks" || echo "# it does not compute"
}
ended()
{
	kill -9 "$pid"
	wait "$job" 2>/dev/null
}
# said KEY FILE: that line of a file in /proc
said()
{
	sed -n "s/^$1[: 	]*//p" "/proc/$pid/$2" | tr -s ' \t' ' ' |
	    sed 's/ $//'
}
for helper in "$chkpwd" "$update"; do
	name=${helper##*/}
	started "$helper" 50 env
	ok "$name: no timer of the caller ends it" test -e "/proc/$pid"
	is "$name: directory" "$(readlink "/proc/$pid/cwd")" /
	is "$name: file mode mask" "$(said Umask status)" 0077
	is "$name: no signal is blocked" "$(said SigBlk status | tail -c 8)" \
	    0000000
	# SIGPIPE is 13, SIGXFSZ 25; 32 and 33 belong to the C library.
	is "$name: two signals are ignored" \
	    "$(said SigIgn status | tail -c 8)" 1001000
	is "$name: descriptors 1 and 2" \
	    "$(readlink "/proc/$pid/fd/1" "/proc/$pid/fd/2" | tr '\n' ' ')" \
	    "/dev/null /dev/null "
	for limit in 'Max cpu time' 'Max file size' 'Max data size' \
	    'Max address space'; do
		limits=$(said "$limit" limits)
		is "$name: $limit: all that it may have" \
		    "${limits%% *}" "$(echo "$limits" | cut -d' ' -f2)"
	done
	limits=$(said 'Max open files' limits)
	ok "$name: it may open files" test "${limits%% *}" -gt 30
	is "$name: no core file" "$(said 'Max core file size' limits)" \
	    "0 0 bytes"
	is "$name: timers are exact" \
	    "$(cat "/proc/$pid/timerslack_ns" 2>/dev/null || echo 50000)" 50000
	ended
done

# ---- rights ----
if ! setpriv --reuid 1 --clear-groups true 2>/dev/null; then
	skip "rights" "this namespace has one user ID"
	tap_done
fi
started "$update" 10 setpriv --regid 100 --groups 42,100
is "lyra2_update: the group is root's" "$(said Gid status)" "0 0 0 0"
is "lyra2_update: there are no others" "$(said Groups status)" ""
ended
if ionice -c 3 true 2>/dev/null; then
	started "$update" 10 env CALLER=1 ionice -c 3
	fails "lyra2_update: reads and writes do not wait for idle moments" \
	    sh -c 'ionice -p "$1" | grep idle' - "$pid"
	ended
else
	skip "lyra2_update: input and output" "ionice is not permitted"
fi
none=-sys_ptrace,-perfmon,-sys_admin
# Root without these rights may look at what it runs itself, if that lets it.
if setpriv --bounding-set $none true 2>/dev/null; then
	started "$update" 10 setpriv --bounding-set $none
	fails "lyra2_update: others may not look into its memory" setpriv \
	    --bounding-set $none cat "/proc/$pid/maps"
	ended
else
	skip "lyra2_update: its memory" "setpriv is not permitted here"
fi
cat >"$work/set-id.py" <<'PY'
import os, sys
os.setresuid(int(sys.argv[1]), 0, 0)
os.execv(sys.argv[2], sys.argv[2:])
PY
alice=$(awk -F: '/^alice:/ { print $3 }' /etc/passwd)
is "lyra2_update: set-user-ID programs become root first" \
    "$("$ask" 1 0 "$conf" alice secret '' python3 "$work/set-id.py" "$alice" \
    "$update")" ""
is "an argument is refused" \
    "$(timeout 1 "$ask" 1 0 "$conf" alice secret '' "$chkpwd" x)" ""
: >"$work/log"
is "a file is no module: it waits" "$(daemon_log "$work/log" \
    timeout 1 "$chkpwd" </etc/passwd || echo $?)" 124
ok "a file is no module: said" grep -q 'inappropriate use.*UID=0' "$work/log"

if strace -o /dev/null true 2>/dev/null; then
	# shellcheck disable=SC2094	# it is only read
	is "nobody waits where the system cannot tell" "$(daemon_log \
	    "$work/log" timeout 5 strace -o "$work/trace" -e \
	    "inject=/^(newf|f)stat(at)?$:error=EIO" -P /etc/passwd "$chkpwd" \
	    </etc/passwd || echo $?)" 4
	# The environment's time zone would be a file to read.
	"$ask" 1 0 "$conf" alice secret '' env TZ=:/etc/group strace -f -o \
	    "$work/trace" "$update" >/dev/null
	fails "the environment is forgotten" grep '/etc/group' "$work/trace"
	ok "it sets a time to end" grep -q 'alarm(120)' "$work/trace"
	ok "it does not wait for a request for ever" \
	    grep -q 'alarm(10)' "$work/trace"
	# 32 is FLAG_DETACH: a second process stores the hash, if this one
	# hears within a second that the verdict has arrived.
	two_alarms()
	{
		[ "$(sed -n 's/ .*alarm(120).*//p' "$work/trace" |
		    sort -u | wc -l)" -eq 2 ]
	}
	tries=0
	: >"$work/trace"
	until two_alarms || [ $tries -eq 5 ]; do
		sed -i "s,^alice:[^:]*,alice:$(hash '$6$salt$' secret)," \
		    /etc/shadow
		"$ask" 1 32 "$conf" alice secret '' strace -f -e trace=alarm \
		    -o "$work/trace" "$update" >/dev/null
		tries=$((tries + 1))
		sleep 0.2
	done
	ok "the process that stores a hash has a time to end, too" two_alarms
	daemon_log "$work/log" "$ask" 1 0 "$conf" alice wrong '' strace -o \
	    "$work/trace" -e trace=connect,recvfrom "$update" >/dev/null
	is "the log is opened before the request is read" \
	    "$(sed -n -e 's/^connect(.*"\/dev\/log".*/log/p' \
	    -e 's/^recvfrom(0, .*/read/p' "$work/trace" | head -n 1)" log
	# drops FAULT...: a user's lyra2_chkpwd, with faults; what it answers
	drops()
	{
		"$ask" 1 0 "$conf" alice secret '' strace -u alice -o \
		    "$work/trace" "$@" "$chkpwd"
	}
	chgrp 42 "$chkpwd"
	for mode in 2755 4755; do
		chmod $mode "$chkpwd"
		is "$mode: answers" "$(drops -e trace=all)" "verdict 0 
end 0 "
		case $mode in
		2*) kept=setresgid regain=setregid look=getresgid ;;
		*) kept=setresuid regain=setreuid look=getresuid ;;
		esac
		# Not dropped; not really; that is not seen; it can be undone.
		for fault in $kept:error=EAGAIN $kept:retval=0 \
		    $look:error=EFAULT:when=1+ $regain:retval=0; do
			is "$mode: nothing with $fault" \
			    "$(drops -e "inject=$fault")" ""
			ok "$mode: there was $fault" grep -q INJECTED \
			    "$work/trace"
		done
	done
else
	skip "what it does with faults" "strace may not trace here"
fi
rm -r "$work"
tap_done
