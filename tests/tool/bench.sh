#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# lyra2 bench and lyra2 calibrate say what they should; how fast is no matter.
# shellcheck disable=SC2317	# tap.sh calls the functions
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"

lyra2=$BUILDDIR/src/lyra2
[ -x "$lyra2" ] || skip_all "configured with --disable-tool"
command -v python3 >/dev/null || skip_all "no python3 to read JSON with"
plugins=$BUILDDIR/src/.libs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# says EXPRESSION COMMAND...: what it prints is JSON, d, of which this is true
says()
{
	expression=$1
	shift
	"$@" >"$work/json" || return
	python3 - "$expression" "$work/json" <<'PYTHON'
import json
import sys

with open(sys.argv[2], encoding="utf-8") as f:
    d = json.load(f)
if not eval("(" + sys.argv[1] + ")"):
    sys.exit("not so: %s\nof: %s" % (sys.argv[1], json.dumps(d)))
PYTHON
}

# exits STATUS COMMAND...: with a message
exits()
{
	wanted=$1
	shift
	status=0
	"$@" >"$work/out" 2>"$work/err" || status=$?
	cat "$work/err"
	[ "$status" -eq "$wanted" ] && grep -q '^lyra2 [a-z]*: .' "$work/err"
}

# refused COMMAND...: as a fault of the input, in one line
refused()
{
	exits 2 "$@" && [ "$(wc -l <"$work/err")" -eq 1 ]
}

# ---- bench ----
quick="--runs 1 --rows 16 --t-cost 1"

usable=$("$lyra2" kernels | grep -c 'runs on this CPU')
# shellcheck disable=SC2086  # $quick: several words
{
ok "the kernels, each on five functions" says \
    "len(d['kernels']) == 5 * $usable and
     len({r['function'] for r in d['kernels']}) == 5 and
     all(r['median_us'] > 0 for r in d['kernels'])" \
    "$lyra2" bench $quick --json
ok "unless told otherwise, the default of logins too, in 48 MiB" says \
    "len([r for r in d['kernels'] if r['mib'] == 1.5]) == 5 * $usable and
     [r['function'] for r in d['kernels'] if r['mib'] == 48] ==
     ['3 blamka'] * $usable" "$lyra2" bench --runs 1 --json
ok "lanes are for version 3 only" says \
    "len(d['kernels']) == 3 * $usable" \
    "$lyra2" bench $quick --lanes 2 --json
is "the kernel that is named is that of the first function" \
    "$("$lyra2" bench $quick --sponge blake2b --lanes 2 | head -n 1)" \
    "Kernel for 3 blake2b: $("$lyra2" kernels |
    awk '$1 == "blake2b" && $2 == "more" { print $4 }')"
ok "time per duplexing is what it says" says \
    "all(abs(r['ns_per_duplexing'] * 2 * 16 * 256 / 1e3 / r['median_us'] - 1)
	 < 0.01 for r in d['kernels'])" \
    "$lyra2" bench $quick --sponge blake2b --version 3 --json
is "comma-separated values have a header" \
    "$("$lyra2" bench $quick --csv | head -n 1)" \
    "kernel,function,mib,median_us,stddev_us,ns_per_duplexing,mib_per_s,\
moved_gb_per_s"
is "and as many fields in each line" \
    "$("$lyra2" bench $quick --csv --fresh --cpu-time | awk -F, 'NF != 8')" ""
}

# paper PLUGIN EXPRESSION [OPTION...]
paper()
{
	plugin=$1
	expression=$2
	shift 2
	says "$expression" "$lyra2" bench --paper --phs "$plugins/$plugin" \
	    --json --runs 1 "$@"
}
keys="['rows', 't_cost', 'ours_us', 'peer_us', 'ratio', 'same_output']"
for plugin in libphs_lyra2_v25.so libphs_lyra2_v3.so; do
	if [ ! -e "$plugins/$plugin" ]; then
		skip "the paper's table with $plugin" "it was not built"
		continue
	fi
	ok "the paper's table with $plugin finds the function" paper $plugin \
	    "[r['rows'] for r in d['paper']] == [16, 32, 64] and
	     [r['t_cost'] for r in d['paper']] == [16, 32, 64] and
	     all(list(r) == $keys for r in d['paper']) and
	     all(r['same_output'] is True for r in d['paper']) and
	     all(abs(r['peer_us'] / r['ours_us'] / r['ratio'] - 1) < .01
		 for r in d['paper'])"
	ok "with another function $plugin differs" paper $plugin \
	    "[r['same_output'] for r in d['paper']] == [False]" \
	    --version 3 --sponge half-blamka --rows 16 --t-cost 1
	ok "several libraries have names" paper $plugin \
	    "[r['peer'] for r in d['paper']] == ['$plugin'] * 2 and
	     len(d['paper_spread']) == 3" \
	    --phs "$plugins/$plugin" --rows 16 --t-cost 1
done
# named NAME EXPRESSION: a library of that name has this one in JSON
named()
{
	cp "$plugins/libphs_lyra2_v3.so" "$work/$1" &&
	says "d['paper_spread'][1]['build'] == $2" "$lyra2" bench \
	    --phs "$work/$1" --rows 16 --t-cost 1 --runs 1 --json
}
if [ -e "$plugins/libphs_lyra2_v3.so" ]; then
	ok "a library's name in UTF-8, and no UTF-8" named \
	    "$(printf 'na\303\257v\377.so')" "'na??v?.so'"
else
	skip "libraries' names" "none was built"
fi
ok "alone, the kernels are compared with the plain one" says \
    "len(d['paper_spread']) == $usable + 1 and
     [r['normalised'] for r in d['paper_spread']
      if r['build'].startswith('plain ')] == [1] and
     list(d['paper'][0]) == ['rows', 't_cost', 'ours_us']" \
    "$lyra2" bench --paper --rows 16 --t-cost 1 --runs 1 --json
ok "a library that isn't there" exits 3 "$lyra2" bench --phs "$work/no.so"
ok "a library without PHS()" exits 2 \
    "$lyra2" bench --phs "$plugins/liblyra2.so"

ok "memory doubles up to the limit; 4 MiB is the scale" says \
    "[round(r['mib']) for r in d['memory']] == [1, 2, 4, 8] and
     d['memory'][2]['scaling'] == 1" \
    "$lyra2" bench --memory --max-memory 8M --runs 1 --json
ok "without 4 MiB there is no scale" says \
    "[r['scaling'] for r in d['memory']] == [None, None]" \
    "$lyra2" bench --memory --max-memory 2M --runs 1 --json
ok "one process, two, three" says \
    "[r['processes'] for r in d['processes']] == [1, 2, 3] and
     d['processes'][0]['speedup'] == 1" \
    "$lyra2" bench --processes --max-processes 3 --rows 64 --runs 2 --json
# ignoring COMMAND...: as a parent does that ignores SIGCHLD, over exec
ignoring()
{
	"$BUILDDIR/libtool" --mode=execute python3 -c '
import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.execv(sys.argv[1], sys.argv[1:])' "$@"
}
ok "a process that fails is seen, also where SIGCHLD was ignored" exits 3 \
    ignoring "$lyra2" bench --processes --rows 4294967295 --cols 16384
ok "huge pages on and off, memory fresh and kept" says \
    "sorted((r['memory'], r['huge_pages']) for r in d['huge_pages']) ==
     [('fresh', False), ('fresh', True), ('kept', False), ('kept', True)]" \
    "$lyra2" bench --huge-pages --rows 256 --runs 1 --json
for table in kernels paper memory processes huge-pages; do
	ok "nothing to measure: --$table" refused \
	    "$lyra2" bench --$table --version 2.5 --lanes 2
done
ok "other hashes: crypt(3) here has \$6\$ at least" says \
    "{'Lyra2 3 blake2b t=1', 'Lyra2 3 blamka t=1', '\$lyra2\$ default',
      '\$6\$ 5000 rounds'} <= {r['hash'] for r in d['peers']}" \
    "$lyra2" bench --peers --runs 1 --json
cp "$work/json" "$work/peers"
ok "each with its library" says "all(r['library'] for r in d['peers'])" \
    cat "$work/peers"
ok "and what it moves: one pass of ours in 64 MiB, 704 MiB" says \
    "[round(r['moved_mib']) for r in d['peers'][:3]] == [704, 704, 816] and
     all(abs(r['moved_mib'] / r['median_ms'] / r['moved_mib_per_ms'] - 1) < .01
	 for r in d['peers'] if r['moved_mib'])" cat "$work/peers"
# peer LIBRARY HASH EXPRESSION
peer()
{
	if ! ldconfig -p | grep -q "$1"; then
		skip "$2" "no $1 here"
		return
	fi
	ok "$2 of $1" says "[$3 for r in d['peers'] if r['hash'] == '$2'] ==
	    [True]" cat "$work/peers"
}
peer libsodium.so.23 "Argon2id t=1 p=1 sodium" "round(r['moved_mib']) == 192 and
    r['library'].startswith('libsodium.so.23') and
    r['built_for'] in ('avx512f', 'avx2', 'ssse3', 'plain')"
peer libargon2.so.1 "Argon2id t=1 p=1 argon2" \
    "round(r['moved_mib']) == 192 and r['library'] == 'libargon2.so.1'"

measure()
{
	python3 "$SRCDIR/tests/tool/readme-speed.py" "$lyra2" --runs 1 --max-memory 4M \
	    >"$work/rows" || return
	for row in 'Lyra2 3 blake2b' 'default setting' 'time per MiB' \
	    '1 processes' '3 blamka, 4 lanes, plain' '4 lanes, '; do
		grep "^$row.* [0-9]*\.[0-9][0-9] " "$work/rows" || return
	done
}
ok "make bench has a row for each number" measure
# texts FILE [PATTERN]: words of a picture, by default the names of bars
texts()
{
	sed -n '/<text>/{s/<[^>]*>//g;s/^[ 	]*//;p;}' "$work/$1.svg" |
	    grep -E "${2:-ours [0-9]|gcc|so$}" | sort -u
}
draw="$lyra2 bench --plot $work/plot.svg --runs 1 --max-memory 2M --rows 16
    --t-cost 1"
# shellcheck disable=SC2086  # $draw: several words
ok "without gnuplot there is no picture, and no waiting" exits 3 \
    "$BUILDDIR/libtool" --mode=execute env PATH="$work" $draw
if command -v gnuplot >/dev/null; then
	# shellcheck disable=SC2086
	ok "gnuplot draws" $draw
	ok "not where there is no directory" exits 3 \
	    "$lyra2" bench --plot "$work/no/plot.svg"
	"$lyra2" bench --paper --runs 1 --rows 16 --cols 8 \
	    --plot "$work/costs.svg" >"$work/out"
	is "a group of bars for each cost" "$(grep -o 'R=[RT0-9= ]*' \
	    "$work/costs.svg" | tr '\n' ,)" "R=T=16,R=16 T=32,R=16 T=64,"
	is "a name for each bar, as given or the file's" "$("$lyra2" bench \
	    --paper --runs 1 --rows 16 --t-cost 1 --plot "$work/names.svg" \
	    --phs "reference, gcc=$plugins/libphs_lyra2_v3.so" \
	    --phs "$plugins/libphs_lyra2_v25.so" >/dev/null; texts names)" \
	    "$(printf '%s\n' 'libphs_lyra2_v25.so' 'ours 3 blamka' \
	    'reference, gcc')"
	is "the axes have units" "$(texts plot '^(time|memory|rows)')" \
	    "$(printf '%s\n' 'memory, MiB' 'rows R, passes T' 'time / ours' \
	    'time, ms')"
	is "a curve for each hash that is installed" "$(texts plot 'Lyra2,|\$')" \
	    "$(printf '%s\n' '$y$ (yescrypt)' 'Lyra2, t=1' 'Lyra2, t=2')"
	cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
	ok "the title names the processor" grep -q \
	    "^<title>lyra2 .*: ${cpu:-$(uname -m)}</title>" "$work/plot.svg"
	is "the columns are those asked for" "$(sed -n 3p "$work/out")" \
	    "The paper's table: C=8, 64-byte key"
	ok "not on a full disk" exits 3 "$lyra2" bench --paper --runs 1 \
	    --rows 16 --t-cost 1 --plot /dev/full
	ok "not where nothing is measured" exits 2 \
	    "$lyra2" bench --version 2.5 --lanes 2 --plot "$work/empty.svg"
	fails "and nothing is left of that" test -e "$work/empty.svg"
	ok "a picture" grep -q '</svg>' "$work/plot.svg"
else
	skip "the picture" "no gnuplot"
fi
ok "two formats at once are refused" exits 2 "$lyra2" bench --json --csv

# ---- calibrate ----
conf=$work/pam_lyra2.conf
cat >"$conf" <<'CONF'
# kept
minlen = 9
  rows=77
cost = 5
rehash = never
CONF
chmod 640 "$conf"
count="5 + 5 * (d['rows'] - 3) + 6 * d['t_cost'] * d['rows']"
ok "calibrate keeps to time and memory, and counts what moves" says \
    "d['memory'] <= 4 << 20 and d['memory'] == d['rows'] * 256 * 96 and
     d['t_cost'] >= 2 and d['time_ms'] <= d['target_ms'] == 1000 and
     d['guesses'][0]['bytes_per_guess'] == ($count) * 256 * 96 and
     all(abs(g['guesses_per_s'] * g['bytes_per_guess'] / 1e12 - 1) < 1e-4
	 for g in d['guesses'] if g['memory']) and
     {'\$lyra2\$ as chosen', '\$6\$ default'} <=
     {g['hash'] for g in d['guesses']}" \
    "$lyra2" calibrate --target 1s --max-memory 4M --parallel 2 --runs 1 \
    --sponge blake2b --lanes 1 --outer bash256 --write "$conf" --force --json
is "the rows fill the memory first" \
    "$(sed -n 's/^rows = //p' "$conf")" 170
is "the file keeps its mode" "$(stat -c %a "$conf")" 640
is "its other lines stay, the old values don't" \
    "$(grep -v '^# Chosen\|^t_cost = ' "$conf")" "# kept
minlen = 9
rehash = never
version = 3
sponge = blake2b
rows = 170
cols = 256
lanes = 1
outer = bash256
max_concurrent = 2"
audited=$work/root
audit()
{
	"$lyra2" audit --root "$audited" 2>&1
}
if "$lyra2" audit --help >/dev/null 2>&1; then
	mkdir -p "$audited/etc"
	echo root:x:0:0::/:/bin/sh >"$audited/etc/passwd"
	echo "root:$(echo secret | "$lyra2" hash --sponge blake2b --rows 170 \
	    --outer bash256 \
	    --t-cost "$(sed -n 's/^t_cost = //p' "$conf")"):20000::::::" \
	    >"$audited/etc/shadow"
	at=$(audit | sed -n 's/^lyra2 audit: \(.*\.conf\): No such file.*/\1/p')
	mkdir -p "${at%/*}"
	cp "$conf" "$at"
	is "the module takes every line, and hashes so" "$(audit | grep -c \
	    '^lyra2 audit:')$(audit | grep -c ' current .* root$')" 01
else
	skip "what the module makes of it" "built without audit"
fi
is "nothing else is left in the directory" \
    "$(find "$work" -maxdepth 1 -name 'pam_lyra2.conf*' | wc -l)" 1
# write_to FILE: a quick choice
write_to()
{
	timeout -s KILL 60 "$lyra2" calibrate --target 100ms --max-memory 1M \
	    --parallel 1 --runs 1 --lanes 1 --force --write "$1"
}
attributes()
{
	stat -c '%a %u %g' "$1"
}
# refuses KIND FILE: to replace it, which stays, and nothing else appears
refuses()
{
	before=$(ls -l "$2"; ls "$work")
	exits 3 write_to "$2" && grep -q "$1\$" "$work/err" &&
	[ "$(ls -l "$2"; ls "$work")" = "$before" ]
}
touch "$work/out" "$work/err"
ok "a new file" write_to "$work/new"
is "which is for everyone to read" "$(stat -c %a "$work/new")" 644
ok "again" write_to "$work/new"
is "leaves the lines of one choice" "$(grep -c . "$work/new")" 8
printf 'a\0b\nminlen = 9\0\nc' >"$work/bytes"
chmod 600 "$work/bytes"
chown 1:2 "$work/bytes" 2>/dev/null
ln -s bytes "$work/link"
before=$(attributes "$work/bytes")
ok "through a link" write_to "$work/link"
is "which stays" "$(readlink "$work/link")" bytes
is "what it leads to keeps owner, group and mode" \
    "$(attributes "$work/bytes")" "$before"
is "and all bytes of other lines" "$(head -n 3 "$work/bytes" | od -An -c)" \
    "$(printf 'a\0b\nminlen = 9\0\nc\n' | od -An -c)"
ln -s nowhere "$work/dangling"
mkfifo "$work/fifo"
mkdir "$work/directory"
ok "a link that leads nowhere is refused" refuses "a link to no file" \
    "$work/dangling"
ok "so is a fifo, at once" refuses "not a regular file" "$work/fifo"
ok "so is a directory" refuses "not a regular file" "$work/directory"
if mknod "$work/null" c 1 3 2>/dev/null; then
	ok "so is a device" refuses "not a regular file" "$work/null"
else
	skip "so is a device" "no right to make one"
fi
ok "a target out of reach is a no" exits 1 \
    "$lyra2" calibrate --target 1ms --parallel 1 --runs 1 --lanes 512
ok "a directory that isn't there, before the search" exits 3 \
    timeout -s KILL 20 "$lyra2" calibrate --target 60s --runs 10000 \
    --write "$work/no/file"
# On a disk that is full only later; the pipe to cat is no file.
full()
{
	{
		status=0
		# shellcheck disable=SC2016
		"$BUILDDIR/libtool" --mode=execute sh -c \
		    'trap "" XFSZ; ulimit -f 0; exec "$@"' sh \
		    "$lyra2" calibrate --target 100ms --max-memory 1M \
		    --parallel 1 --runs 1 --lanes 1 --force \
		    --write "$work/new" || status=$?
		echo "status $status"
	} 2>&1 | cat >"$work/out"
	cat "$work/out"
	grep -q '^status 3' "$work/out" && grep -q '^rows = ' "$work/out"
}
ok "what can't be written is still printed" full
is "and no temporary file is left" "$(ls "$work"/new*)" "$work/new"
cp "$work/new" "$work/kept"
ok "less than 8 MiB is not written" exits 1 "$lyra2" calibrate \
    --max-memory 4M --parallel 1 --runs 1 --lanes 1 --write "$work/new"
ok "but printed, with a warning" grep -q \
    '^lyra2 calibrate: [0-9.]* MiB are less than the default, 48 MiB' \
    "$work/err"
ok "and the file is as it was" cmp "$work/new" "$work/kept"
ok "1, 2 and 4 lanes beside each other, the most memory is chosen" says \
    "[r['lanes'] for r in d['choices']] == [1, 2, 4] and
     [r['moved_mib'] for r in d['choices'] if r['chosen']] ==
     [max(r['moved_mib'] for r in d['choices'] if r['memory_mib'] > 1.9)] and
     all(abs(r['area_time'] * r['lanes'] / (r['memory_mib'] * (r['t_cost'] + 1)
	 * r['rows'] * 256 / 1e6) - 1) < .05 for r in d['choices']) and
     [r['rows'] for r in d['choices'] if r['chosen']] == [d['rows']]" \
    "$lyra2" calibrate --target 50ms --max-memory 2M --parallel 1 --runs 1 \
    --json
is "the target is 100 ms if not given" "$("$lyra2" calibrate --json \
    --max-memory 1M --parallel 1 --runs 1 --lanes 1 | grep -o '"target_ms":[0-9]*')" \
    '"target_ms":100'
ok "a target without a unit" exits 2 "$lyra2" calibrate --target 100
ok "memory over the limit" exits 2 \
    "$lyra2" calibrate --target 1s --max-memory 2G

# On a terminal: the bar appears, an interrupt takes it and all processes away.
interrupt()
{
	python3 - "$lyra2" <<'PYTHON'
import os
import pty
import signal
import sys

pid, tty = pty.fork()
if pid == 0:
    # It would stay ignored where these tests run in the background.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.execv(sys.argv[1], ["lyra2", "calibrate", "--target", "60s",
                           "--max-memory", "256M"])
seen = b""
sent = False
while True:
    try:
        data = os.read(tty, 4096)
    except OSError:
        break
    if not data:
        break
    seen += data
    if not sent and b"calibrate, lanes 1 [" in seen:
        os.write(tty, b"\x03")
        sent = True
how = os.waitpid(pid, 0)[1]
print(seen, how)
assert sent and os.WTERMSIG(how) == signal.SIGINT
assert b"\r\x1b[K" in seen[seen.index(b"^C"):]
PYTHON
}
ok "an interrupt leaves a clean terminal" interrupt
tap_done
