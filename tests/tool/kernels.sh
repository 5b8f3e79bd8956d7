#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# lyra2 kernels: the list, the choice for each sponge, and its reason.
# shellcheck disable=SC2317	# tap.sh calls the functions
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"

lyra2=$BUILDDIR/src/lyra2
[ -x "$lyra2" ] || skip_all "configured with --disable-tool"
command -v python3 >/dev/null || skip_all "no python3 to read JSON with"
unset LYRA2_KERNEL

# says EXPRESSION: of the object that --json prints, d
says()
{
	"$lyra2" kernels --json | python3 -c "
import json, sys
d = json.load(sys.stdin)
sys.exit(not ($1))"
}

# reasons PATTERN: every reason is like this
reasons()
{
	[ "$("$lyra2" kernels | sed '1,/^$/d' | cut -c 42- |
		grep -cxE "$1")" -eq 6 ]
}

ok "the choices are kernels that run here" says "
    {c['kernel'] for c in d['choices']} <=
    {k['name'] for k in d['kernels'] if k['usable']}"
ok "each sponge has one for one lane and one for more" says "
    sorted((c['sponge'], c['lanes']) for c in d['choices']) == sorted(
    (s, n) for s in ('blamka', 'blake2b', 'half-blamka') for n in (1, 4))"
ok "the first is that for the defaults, as is the first of the list" says "
    d['choices'][0]['sponge'] == 'blamka' and d['choices'][0]['lanes'] == 4
    and d['choices'][0]['kernel'] == d['kernels'][0]['name']"
ok "several lanes take the widest" says "
    all(c['why'] == 'widest' for c in d['choices'] if c['lanes'] > 1)"
ok "a reason says who found out, or that nobody did" \
    reasons 'measured on .+|widest'
ok "a hash takes the kernel that is named" test \
    "$(echo pw | "$lyra2" hash --cost 4 --sponge blake2b --json |
    sed 's/.*"kernel":"\([^"]*\)".*/\1/')" = \
    "$("$lyra2" kernels | awk '$1 == "blake2b" && $2 == "more" { print $4 }')"

LYRA2_KERNEL=plain
export LYRA2_KERNEL
ok "LYRA2_KERNEL is a reason" reasons 'LYRA2_KERNEL asks for it'
ok "and chooses for all" says "
    {c['kernel'] for c in d['choices']} == {'plain'}"
tap_done
