#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# lyra2 kernels: the list, the choices, and their reasons.
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"

lyra2=$BUILDDIR/src/lyra2
[ -x "$lyra2" ] || skip_all "configured with --disable-tool"
unset LYRA2_KERNEL

# choices: prints lanes (2 words), kernel and reason of each choice
choices()
{
	"$lyra2" kernels | sed '1,/^$/d'
}

usable=$("$lyra2" kernels | sed -n 's/ *runs on this CPU$//p')
is "the choices are kernels that run here" \
	"$(choices | awk '{ print $3 }' | sort -u | grep -vxF "$usable")" ""
is "the first is that for the defaults, as is the first of the list" \
	"$(choices | sed -n 's/ *widest$//; s/ *measured on .*//; 1p')" \
	"more lanes       $(echo "$usable" | head -n 1)"
is "a reason says who found out, or that nobody did" \
	"$(choices | cut -c 29- | grep -cxE 'measured on .+|widest')" 2
LYRA2_KERNEL=plain
export LYRA2_KERNEL
is "LYRA2_KERNEL chooses for all, and is a reason" \
	"$(choices | cut -c 18- | sort -u)" "plain      LYRA2_KERNEL asks for it"
tap_done
