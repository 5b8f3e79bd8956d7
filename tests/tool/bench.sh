#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# lyra2 bench, lyra2 calibrate and tests/bench say what they should; how fast is
# no matter.
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
ok "unless told otherwise, the default of logins too, in 96 MiB" says \
    "len([r for r in d['kernels'] if r['mib'] == 1.5]) == 5 * $usable and
     [r['function'] for r in d['kernels'] if r['mib'] == 96] ==
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
}

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
for table in kernels memory processes; do
	ok "nothing to measure: --$table" refused \
	    "$lyra2" bench --$table --version 2.5 --lanes 2
done

# ---- beside others: tests/bench ----
bench=$BUILDDIR/tests/bench/bench
compare()
{
	"$BUILDDIR/libtool" --mode=execute "$bench" --runs 1 "$@"
}
# phs FUNCTION: a library whose PHS() computes it
phs()
{
	# shellcheck disable=SC2086	# CC may be several words
	${CC:-cc} -shared -fPIC -I"$SRCDIR/src" -DFUNCTION="$1" -xc \
	    -o "$work/phs.so" - -L"$plugins" -llyra2 -Wl,-rpath,"$plugins" <<'C'
#include "lyra2.h"
int PHS(void *, size_t, const void *, size_t, const void *, size_t, unsigned,
	unsigned);
int PHS(void *out, size_t n, const void *in, size_t inlen, const void *salt,
	size_t saltlen, unsigned t_cost, unsigned m_cost)
{
	struct lyra2_params p;

	lyra2_params_init(&p);
	FUNCTION;
	p.lanes = 1;
	p.t_cost = t_cost;
	p.rows = m_cost;
	return lyra2_kdf(0, &p, in, inlen, salt, saltlen, out, n);
}
C
}
says_of_phs()
{
	says "[(r['rows'], r['function'], r['same_output']) for r in d['phs']]
	    == [(n, '$1', $2) for n in (16, 32, 64)] and
	    all(abs(r['peer_us'] / r['ours_us'] / r['ratio'] - 1) < .01
		for r in d['phs'])" compare phs "$work/phs.so"
}
if [ -e "$plugins/liblyra2.so" ] &&
    phs 'p.version = 25; p.sponge = LYRA2_BLAKE2B'; then
	ok "a library with PHS(): the function is found" \
	    says_of_phs '2.5 blake2b' True
	phs 'p.rho = 2'
	ok "or it is none of ours" says_of_phs '3 blamka' False
	ok "a library without PHS()" exits 2 \
	    compare phs "$plugins/liblyra2.so"
else
	skip "a library with PHS()" "no shared library here"
fi
ok "a library that isn't there" exits 2 compare phs "$work/no.so"
ok "bench ghost: each kernel beside what it cannot beat" says \
    "len(d['ghost']) == 4 * ($usable + 1) and
     all(r['time_of_ghosts'] == 1 for r in d['ghost']
	 if r['kernel'] == 'ghost') and
     all(r['ns_per_duplexing'] > 0 for r in d['ghost'])" compare ghost
measure()
{
	python3 "$SRCDIR/tests/bench/readme.py" "$BUILDDIR" --runs 1 \
	    --max-memory 4M >"$work/rows" || return
	for row in 'Lyra2 3 blake2b' 'default setting' 'time per MiB' \
	    '1 processes' '3 blamka, 4 lanes, plain'; do
		grep "^$row.* [0-9]*\.[0-9][0-9] " "$work/rows" || return
	done
}
ok "make bench has a row for each number" measure
ok "one pass of 64 MiB moves 574" grep -q 'blamka t=1 moves 574 MiB' \
    "$work/rows"

# ---- calibrate ----
count="3 + 3 * (d['rows'] - 3) + 4 * d['t_cost'] * d['rows']"
ok "calibrate keeps to time and memory, and counts what must move" says \
    "d['memory'] <= 4 << 20 and d['memory'] == d['rows'] * 256 * 96 and
     d['t_cost'] >= 2 and d['time_ms'] <= d['target_ms'] == 1000 and
     abs(d['guesses'][0]['guesses_per_s'] * ($count) * 256 * 96 / 1.008e12
	 - 1) < 1e-4 and
     [g['hash'] for g in d['guesses'] if 'bound' in g['known']] ==
     ['\$lyra2\$ as chosen'] and
     {'\$lyra2\$ as chosen', '\$6\$ default'} <=
     {g['hash'] for g in d['guesses']}" \
    "$lyra2" calibrate --target 1s --max-memory 4M --parallel 2 --runs 1 \
    --sponge blake2b --lanes 1 --outer bash256 --force --json
is "the rows fill the memory first" \
    "$(grep -o '"rows":[0-9]*' "$work/json" | head -n 1)" '"rows":170'
# choose [OPTION...]: quickly
choose()
{
	timeout -s KILL 60 "$lyra2" calibrate --target 100ms --parallel 2 \
	    --runs 1 --lanes 1 "$@"
}
choose --max-memory 1M --sponge blake2b --outer bash256 --force >"$work/conf"
is "it prints lines of pam_lyra2.conf, and all else in comments" \
    "$(sed -e '/^#/d' -e '/^t_cost = [0-9]*$/d' -e '/^rows = [0-9]*$/d' \
    "$work/conf")" "version = 3
sponge = blake2b
cols = 256
lanes = 1
outer = bash256
max_concurrent = 2"
audited=$work/root
audit()
{
	"$lyra2" audit --root "$audited" 2>&1
}
value()
{
	sed -n "s/^$1 = //p" "$work/conf"
}
if "$lyra2" audit --help >/dev/null 2>&1; then
	mkdir -p "$audited/etc"
	echo root:x:0:0::/:/bin/sh >"$audited/etc/passwd"
	echo "root:$(echo secret | "$lyra2" hash --sponge blake2b \
	    --rows "$(value rows)" --t-cost "$(value t_cost)" --outer bash256 \
	    --lanes 1):20000::::::" >"$audited/etc/shadow"
	at=$(audit | sed -n 's/^lyra2 audit: \(.*\.conf\): No such file.*/\1/p')
	mkdir -p "${at%/*}"
	{ printf 'rehash = never\nrows = 77\ncost = 5\n'; cat "$work/conf"
	} >"$at"
	is "the module takes every line, and the last of a key" "$(audit |
	    grep -c '^lyra2 audit:')$(audit | grep -c ' current .* root$')" 01
else
	skip "what the module makes of it" "built without audit"
fi
ok "a target out of reach is a no" exits 1 \
    "$lyra2" calibrate --target 1ms --parallel 1 --runs 1 --lanes 512
ok "less than 8 MiB is a no" exits 1 choose --max-memory 4M
ok "which says why" grep -q \
    '^lyra2 calibrate: less than 8 MiB is too weak' "$work/err"
ok "with the warning" grep -q \
    '^lyra2 calibrate: [0-9.]* MiB are less than the default, 96 MiB' \
    "$work/err"
is "and no settings, but in comments" \
    "$(grep -vc '^#' "$work/out")$(grep -c '^# rows = ' "$work/out")" 01
is "the target is 100 ms if not given, and four lanes" "$("$lyra2" calibrate \
    --json --max-memory 1M --parallel 1 --runs 1 |
    grep -o '"target_ms":[0-9]*\|"lanes":[0-9]*' | tr '\n' ' ')" \
    '"target_ms":100 "lanes":4 '
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
    if not sent and b"calibrate [" in seen:
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
