#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The lyra2 tool at a prompt, and what it makes of wrong input: one message,
# the right exit status, before any password is asked for.
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"

lyra2=$BUILDDIR/src/lyra2
[ -x "$lyra2" ] || skip_all "configured with --disable-tool"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# refused STATUS MESSAGE [ARGUMENT...]: without a look at standard input
refused()
{
	status=$1 message=$2
	shift 2
	is "lyra2 $*: $message" "$(cd "$work" &&
		"$lyra2" "$@" 2>&1 <&- && echo 0 || echo $?)" "$message
$status"
}

hash='$lyra2$v=30$t=1$r=8$c=2$saltsalt$'
printf '%s%0400d\n' "$hash" 0 >"$work/long"
printf '%s\0more\n' "$hash" >"$work/nul"
: >"$work/empty"
refused 2 "lyra2 verify: string: longer than 383 characters" verify -f long
refused 2 "lyra2 verify: string: holds a NUL byte" verify -f nul
refused 2 "lyra2 verify: empty: empty" verify -f empty
refused 2 "lyra2 hash: -f: no such option
lyra2 hash: see \"lyra2 hash --help\"" hash -f x
# hinted HINT [ARGUMENT...]: the message has it
hinted()
{
	hint=$1
	shift
	ok "lyra2 $*: $hint" sh -c 'echo "$1" | grep -qF -e "$2"' - \
	    "$("$lyra2" "$@" 2>&1 </dev/null)" "$hint"
}
hinted "put STRING in 'single quotes'" verify "=30=1=8=2"
hinted "crypt(3) may verify it" verify '$6$salt$hash'
for command in hash kernels; do
	hinted "see \"lyra2 $command --help\"" $command --no-such
done
is "an empty password is not without a word" \
    "$(echo | "$lyra2" hash --rows 12 2>&1 >/dev/null)" \
    "lyra2 hash: warning: the password is empty"
hinted "--max-processes: has an effect only with --processes" \
    bench --max-processes 2
hinted "--max-memory: has an effect only with --memory" bench --max-memory 2M
hinted "--rows: has an effect only with" bench --memory --rows 8
refused 3 "lyra2 verify: none: No such file or directory" verify -f none
refused 3 "lyra2 selftest: none: No such file or directory" \
    selftest --vectors none
refused 3 "lyra2 kdf: none: No such file or directory" \
    kdf --password-file none
refused 2 "lyra2 kdf: --password-file and --password-hex: give only one" \
    kdf --password-file none --password-hex 00
refused 2 "lyra2 hash: --cost and --rows: give only one" \
    hash --cost 5 --rows 32
refused 2 "lyra2 hash: --outer: sha256 is not bash256 or none" \
    hash --outer sha256
stored=$(echo password | "$lyra2" hash --rows 16 --cols 8 --outer bash256)
for outer in bash256:no none:yes; do
	is "a hash with bash256, wanted is ${outer%:*}" "$(echo password |
	    "$lyra2" verify --rows 16 --cols 8 --outer "${outer%:*}" "$stored" |
	    grep rehash)" "needs rehash: ${outer#*:}"
done
is "and no other password" "$(echo other |
    "$lyra2" verify "$stored" >/dev/null; echo $?)" 1
refused 2 "lyra2 verify: --rows and --cost: give only one" \
    verify --rows 32 --cost 5 "$hash"
refused 2 "lyra2 hash: rows * cols: 44000 * 256 and lanes: 4 take 1056000 KiB\
 of memory, the limit is 1048576" hash --rows 44000
refused 3 "lyra2 selftest: .: Is a directory" selftest --vectors .
sed '2s/^[^,]*/9/' "$SRCDIR/doc/spec/raw.csv" >"$work/vectors"
refused 2 "lyra2 selftest: vectors:2: version: not 2.5 or 3" \
    selftest --vectors vectors
kernels=$("$lyra2" kernels | awk '/runs on/ { printf "%s%s", s, $1; s = ", " }')
LYRA2_KERNEL=none
export LYRA2_KERNEL
for command in hash kdf "verify $hash" selftest\ --vectors\ vectors; do
	# shellcheck disable=SC2086	# several words
	refused 2 "lyra2 ${command%% *}: LYRA2_KERNEL: none: no kernel that\
 this CPU can run; it runs $kernels" $command
done
unset LYRA2_KERNEL

printf 'a\0b\n' >"$work/bytes"
is "--password-file: every byte of the file" \
    "$("$lyra2" kdf --rows 12 --password-file "$work/bytes")" \
    "$("$lyra2" kdf --rows 12 --password-hex 6100620a)"
: >"$work/large"
truncate -s 1048577 "$work/large"
refused 2 "lyra2 kdf: large: longer than 1048576 bytes" \
    kdf --password-file large

# prompt INPUT [SIGNAL [ignored]]: how "lyra2 hash" ends that gets the input and
# the signal, and whether the terminal echoes afterwards.
prompt()
{
	python3 - "$lyra2" "$@" <<'PYTHON'
import os
import pty
import resource
import signal
import sys
import termios
import time

tool, keys, *rest = sys.argv[1:]
name = getattr(signal, rest[0]) if rest else None
master, slave = pty.openpty()
pid = os.fork()
if pid == 0:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.setsid()
    for fd in range(3):
        os.dup2(slave, fd)
    if name: # python itself ignores one
        signal.signal(name, signal.SIG_IGN if rest[1:] else signal.SIG_DFL)
    os.execv(tool, ["lyra2", "hash", "--cost", "4", "--t-cost", "1"])
seen = b""


def echo():
    return termios.tcgetattr(slave)[3] & termios.ECHO


def wait_for(text):
    """Until it asks, and has thrown away what was typed before."""
    global seen
    while text not in seen:
        seen += os.read(master, 4096)
    seen = seen[seen.index(text) + len(text):]
    while echo():
        time.sleep(0.01)


wait_for(b"New password: ")
if name:
    os.kill(pid, name)
    if name == signal.SIGTSTP:
        wait_for(b"New password: ")
if keys == "EOF":
    os.write(master, b"\4")
    while b"typed" not in seen:
        seen += os.read(master, 4096)
    print(seen.decode().split("\r\n")[1])
    keys = ""
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
is "Ctrl-D" "$(prompt EOF)" "lyra2 hash: password: none typed
2 echo"
is "two passwords" "$(prompt "secret other")" "2 echo"
for signal in ALRM HUP INT PIPE QUIT TERM; do
	is "SIG$signal ends it and leaves the terminal as it was" \
	    "$(prompt "" SIG$signal)" "SIG$signal echo"
	is "unless it is ignored" \
	    "$(prompt "secret secret" SIG$signal ignored)" "0 echo"
done
is "a stop asks again" "$(prompt "secret secret" SIGTSTP)" "0 echo"
tap_done
