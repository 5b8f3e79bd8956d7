#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The lyra2 tool at a prompt, and with wrong input: it prints one message and
# has the right exit status, before it asks for a password.
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"

lyra2=$BUILDDIR/src/lyra2
[ -x "$lyra2" ] || skip_all "configured with --disable-tool"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# refused STATUS MESSAGE [ARGUMENT...]: the tool does not read standard input
refused()
{
	status=$1 message=$2
	shift 2
	is "lyra2 $*: $message" "$(cd "$work" &&
		"$lyra2" "$@" 2>&1 <&- && echo 0 || echo $?)" "$message
$status"
}

hash='$lyra2$t2n4c12p1$saltsalt$'
printf '%s%0400d\n' "$hash" 0 >"$work/long"
printf '%s\0more\n' "$hash" >"$work/nul"
: >"$work/empty"
refused 2 "lyra2 verify: string: longer than 159 characters" verify -f long
refused 2 "lyra2 verify: string: contains a NUL byte" verify -f nul
refused 2 "lyra2 verify: empty: empty" verify -f empty
refused 3 "lyra2 verify: .: Is a directory" verify -f .
refused 2 "lyra2 hash: -f: no such option
lyra2 hash: see \"lyra2 hash --help\"" hash -f x
# hinted HINT [ARGUMENT...]: the message contains the hint
hinted()
{
	hint=$1
	shift
	ok "lyra2 $*: $hint" sh -c 'echo "$1" | grep -qF -e "$2"' - \
	    "$("$lyra2" "$@" 2>&1 </dev/null)" "$hint"
}
hinted "put STRING in 'single quotes'" verify sh123saltsalt
hinted "crypt(3) may verify it" verify '$6$salt$hash'
for command in hash kernels; do
	hinted "see \"lyra2 $command --help\"" $command --no-such
done
is "an empty password is not without a word" \
    "$(echo | "$lyra2" hash --cost 4 2>&1 >/dev/null)" \
    "lyra2 hash: warning: the password is empty"
refused 2 "lyra2 verify: surplus: unexpected; see \"lyra2 verify --help\"" \
    verify "$hash" surplus
refused 2 "lyra2 hash: --cost: 18446744073709551620 is not 4...15" \
    hash --cost 18446744073709551620 # 2^64 and 4
salt=$(printf '%064d' 0)
is "a salt of 64 characters" "$(echo x | "$lyra2" hash --cost 4 --salt \
    "$salt" | cut -d '$' -f 4)" "$salt"
for salt in saltsal "$(printf '%065d' 0)" salt@salt; do
	refused 2 "lyra2 hash: --salt: $salt is not 8...64 characters of\
 ./0-9A-Za-z" hash --salt "$salt"
done
# left COMMAND [ARGUMENT...] -- WORD...: those in its memory when it answers
left()
{
	printf 'secret-of-nobody\n' | python3 -B "$SRCDIR/tests/lib/left.py" \
	    "$lyra2" "$@"
}
# ended LINE COMMAND [ARGUMENT...] -- WORD...: those in its memory when it has
# ended
ended()
{
	printf %b "$1" | { shift; python3 -B "$SRCDIR/tests/lib/left.py" -e \
	    "$lyra2" "$@"; }
}
is "no password is left in memory: hash" \
    "$(left hash --cost 4 -- secret-of t2n4c256)" "False True"
is "no password is left in memory: verify" \
    "$(left verify "$(echo x | "$lyra2" hash --cost 4)" -- secret-of verified)" "False True"
many=$(printf '%050d' 0 | sed 's/0/secret-of-/g')
for end in '\n' '\0' "$many\\n"; do
	is "nor at the end: hash, $(echo "$end" | tail -c 4)" \
	    "$(ended "$many$end" hash --cost 4 -- secret-of)" False
	is "nor at the end: verify, $(echo "$end" | tail -c 4)" \
	    "$(ended "$many$end" verify "$hash$(printf %043d 0 | tr 0 .)" \
		-- secret-of)" False
done
# typed BYTES: the status for a password of so many, and what is said
typed()
{
	printf "%0$1d\\n" 0 | "$lyra2" hash --cost 4 --cols 12 \
	    >"$work/hash" 2>"$work/said" && status=0 || status=$?
	cat "$work/said"
	echo "$status"
}
is "a password of 511 bytes" "$(typed 511)" 0
is "and no more" "$(typed 512; typed 9999)" \
    "lyra2 hash: password: longer than 511 bytes
2
lyra2 hash: password: longer than 511 bytes
2"
is "a NUL byte in it" "$(printf 'a\0b\n' | "$lyra2" hash 2>&1; echo $?)" \
    "lyra2 hash: password: contains a NUL byte, which crypt(3) cannot accept
2"
large="\$lyra2\$t2n14c512p1\$saltsalt\$$(printf '%043d' 0 | tr 0 .)"
is "no memory is no wrong password" "$(echo x |
    prlimit --as=200000000 "$lyra2" verify "$large" 2>&1; echo $?)" \
    "lyra2 verify: string: not enough memory for these parameters
3"
refused 3 "lyra2 verify: none: No such file or directory" verify -f none
refused 3 "lyra2 selftest: none: No such file or directory" \
    selftest --vectors none
refused 2 "lyra2 hash: --method: sha256 is not lyra2 or bash-lyra2" \
    hash --method sha256
for rehash in 'bash-lyra2 lyra2 no' 'lyra2 bash-lyra2 yes' 'lyra2 lyra2 no'; do
	# shellcheck disable=SC2086	# words
	set -- $rehash
	stored=$(echo password | "$lyra2" hash --cost 4 --method "$1")
	is "a hash of $1, wanted is $2" "$(echo password |
	    "$lyra2" verify --cost 4 --method "$2" "$stored" | grep rehash)" \
	    "needs rehash: $3"
done
is "and no other password" "$(echo other |
    "$lyra2" verify "$stored" >/dev/null; echo $?)" 1
refused 2 "lyra2 hash: rows * cols: 32768 * 512 take 1572864 KiB, the limit is\
 1048576" hash --cost 15 --cols 512
hinted 'as in $lyra2$t2n12c256p2$' verify "\$lyra2\$v=30\$t=2\$r=4096\$c=256\
\$p=4\$saltsalt\$x"
refused 3 "lyra2 selftest: .: Is a directory" selftest --vectors .
sed '2s/^[^,]*/9/' "$SRCDIR/doc/spec/raw.csv" >"$work/vectors"
: >"$work/empty"
refused 2 "lyra2 selftest: empty: no vectors" selftest --vectors empty
refused 2 "lyra2 selftest: vectors:2: version: not 2.5 or 3" \
    selftest --vectors vectors
sed '1s/^/x/' "$SRCDIR/doc/spec/raw.csv" >"$work/header"
refused 2 "lyra2 selftest: header:1: other columns than in doc/spec/raw.csv" \
    selftest --vectors header
sed '2s/,[^,]*,[^,]*$/,xx,/;3,$d' "$SRCDIR/doc/spec/raw.csv" >"$work/digits"
refused 2 "lyra2 selftest: digits:2: klen: not the length of key_hex" \
    selftest --vectors digits
sed '2s/.,[^,]*$/g,/;3,$d' "$SRCDIR/doc/spec/raw.csv" >"$work/digits"
refused 2 "lyra2 selftest: digits:2: a field has no bytes in hex" \
    selftest --vectors digits
sed '2s/[0-9a-f],[^,]*$/X,/;2y/X/0/;3,$d' "$SRCDIR/doc/spec/raw.csv" \
    >"$work/wrong"
is "a wrong answer is a no" "$(cd "$work" && "$lyra2" selftest --vectors \
    wrong >said; echo "$? $(tail -n 1 said)")" "1 0 passed, 1 failed"
sed '3s/[0-9a-f],[^,]*$/X,/;3y/X/0/;4,$d' "$SRCDIR/doc/spec/raw.csv" \
    >"$work/partly"
is "so it is next to a right one" "$(cd "$work" && "$lyra2" selftest \
    --vectors partly >said; echo "$? $(tail -n 1 said)")" "1 1 passed, 1 failed"
for n in 159 160 161; do
	string=$(printf '%s%0*d' "$hash" $((n - ${#hash})) 0)
	why="longer than 159 characters"
	[ $n -gt 159 ] || why="hash: not 32 bytes in 43 characters"
	is "a string of $n characters" "$(echo x | "$lyra2" verify "$string" \
	    2>&1 | grep -oF "$why")" "$why"
done
refused 2 "lyra2 calibrate: --target: 100ms is not 1...60000" \
    calibrate --target 100ms
kernels=$("$lyra2" kernels | awk '/runs on/ { printf "%s%s", s, $1; s = ", " }')
LYRA2_KERNEL=none
export LYRA2_KERNEL
for command in hash "verify $hash" kernels "selftest --vectors vectors"; do
	# shellcheck disable=SC2086	# several words
	refused 2 "lyra2 ${command%% *}: LYRA2_KERNEL: none: no kernel that\
 this CPU can run; it runs $kernels" $command
done
unset LYRA2_KERNEL

# The output is lines of the configuration file: times in comments, then the
# cost.
"$lyra2" calibrate --target 20 >"$work/conf" 2>"$work/warning"
cost=$(sed -n '$s/^cost = //p' "$work/conf")
is "calibrate: the last cost that was fast enough" "$(awk -v cost="$cost" '
	$2 == "cost" && $6 <= 20 && $7 == "ms" { last = $3 + 0 }
	$6 > 20 && $7 == "ms" { print $3 - last }
	END { print last - cost }' "$work/conf")" "1
0"
is "and a warning if that is less than the default" \
    "$(grep -c "less than the default" "$work/warning")" \
    "$([ "$cost" -lt 12 ] && echo 1 || echo 0)"

# A machine of 160 MiB, for which a hash of 48 MiB is too large, or of as many
# PAGES; with STEP, each hash takes STEP microseconds of CPU time, and WAITS times
# as long to get it.
cat >"$work/small.c" <<'EOF'
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
long sysconf(int x)
{
	return x == _SC_PHYS_PAGES ? atol(getenv("PAGES")) :
		x == _SC_PAGESIZE ? 4096 : -1;
}
int clock_gettime(clockid_t clock, struct timespec *t)
{
	static long clocks[16];
	long *now = &clocks[clock];

	if (getenv("STEP"))
		*now += atol(getenv("STEP")) *
			(clock == CLOCK_MONOTONIC ? atol(getenv("WAITS")) : 1);
	*t = (struct timespec){ *now / 1000000, *now % 1000000 * 1000 };
	return 0;
}
EOF
if ${CC:-cc} -shared -fPIC -o "$work/small.so" "$work/small.c" 2>/dev/null; then
	small()
	{
		WAITS=${WAITS:-1} PAGES=${PAGES:-40960} LD_PRELOAD=$work/small.so \
		    "$lyra2" calibrate "$@"
	}
	is "calibrate: a quarter of the memory" "$(small --target 60000 \
	    2>/dev/null | tail -n 2)" \
	    "# cost 11:  48.0 MiB, more than a quarter of this machine's memory
cost = 10"
	is "calibrate: 20.0 ms are at most 20" \
	    "$(STEP=20040 small --target 20 2>/dev/null | tail -n 1)" \
	    "cost = 10"
	is "calibrate: 20.1 ms are not" \
	    "$(STEP=20060 small --target 20 2>&1 >/dev/null)" "lyra2 calibrate:\
 --target: the lowest cost, 4, takes 20.1 ms here"
	is "calibrate: the time of others does not count, and is reported" \
	    "$(WAITS=2 STEP=20040 small --target 20 2>&1 >/dev/null)" \
	    "lyra2 calibrate: this machine is busy: the hashes took 701 ms of\
 CPU time, and 1403 ms to get it; repeat this when the machine is idle
lyra2 calibrate: cost 10 is less than the default, 12: each guess at a password\
 is cheaper"
	is "calibrate: the default is not less than the default" \
	    "$(PAGES=163840 small --target 60000 2>&1 | tail -n 2)" \
	    "# cost 13: 192.0 MiB, more than a quarter of this machine's memory
cost = 12"
else
	skip "calibrate: a quarter of the memory" "no compiler here"
fi

# prompt INPUT [SIGNAL [ignored | again]]: prints how "lyra2 hash" ends with the
# input and the signal, and whether the terminal echoes afterwards.  With again,
# the signal comes at the second prompt.  Then it prints whether the first
# password is still in memory.  For MORE, a long line, it prints how many
# characters are left in the terminal's queue.
prompt()
{
	PYTHONPATH=$SRCDIR/tests/lib python3 -B - "$lyra2" "$@" <<'PYTHON'
import fcntl
import os
import pty
import resource
import signal
import struct
import sys
import termios
import time

import left

tool, keys, *rest = sys.argv[1:]
name = getattr(signal, rest[0]) if rest else None
again = rest[1:] == ["again"]
master, slave = pty.openpty()
pid = os.fork()
if pid == 0:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.setsid()
    for fd in range(3):
        os.dup2(slave, fd)
    if name: # python itself ignores one
        signal.signal(name, signal.SIG_IGN if rest[1:] == ["ignored"]
                      else signal.SIG_DFL)
    os.execv(tool, ["lyra2", "hash", "--cost", "4"])
signal.alarm(60) # in place of waiting for what does not come
seen = b""


def echo():
    return termios.tcgetattr(slave)[3] & termios.ECHO


def wait_for(text):
    """Waits until the tool asks, and has discarded earlier input."""
    global seen
    while text not in seen:
        seen += os.read(master, 4096)
    seen = seen[seen.index(text) + len(text):]
    while echo():
        time.sleep(0.01)


wait_for(b"New password: ")
if again:
    os.write(master, b"first-of-two\n")
    wait_for(b"Retype new password: ")
if name:
    os.kill(pid, name)
    if name == signal.SIGTSTP:
        wait_for(b"New password: ")
if again:
    print("first-of-two" in str(left.memory(pid)))
if keys == "EOF":
    os.write(master, b"\4")
    while b"typed" not in seen:
        seen += os.read(master, 4096)
    print(seen.decode().split("\r\n")[1])
    keys = ""
if keys == "MORE":
    os.write(master, b"x" * 600 + b"\n")
    keys = ""
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    print("%d left," % struct.unpack("i", fcntl.ioctl(
        slave, termios.FIONREAD, bytes(4))), end=" ")
for i, line in enumerate(keys.split()):
    if i:
        wait_for(b"Retype new password: ")
    os.write(master, line.encode() + b"\n")
how = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
print(how if how >= 0 else signal.Signals(-how).name,
      "echo" if echo() else "no echo")
PYTHON
}

is "a password twice" "$(prompt "secret secret")" "0 echo"
is "what is too long is not left to the shell" "$(prompt MORE)" \
    "0 left, 2 echo"
is "Ctrl-D" "$(prompt EOF)" "lyra2 hash: password: none typed
2 echo"
for other in other secre secrets; do
	is "two passwords, secret and $other" "$(prompt "secret $other")" \
	    "2 echo"
done
for signal in ALRM HUP INT PIPE QUIT TERM; do
	is "SIG$signal ends it and leaves the terminal as it was" \
	    "$(prompt "" SIG$signal)" "SIG$signal echo"
	is "unless it is ignored" \
	    "$(prompt "secret secret" SIG$signal ignored)" "0 echo"
done
is "a stop asks again" "$(prompt "secret secret" SIGTSTP)" "0 echo"
is "and forgets what was typed" "$(prompt "secret secret" SIGTSTP again)" \
    "False
0 echo"
tap_done
