#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tests/bench prints what it should; the speed does not matter here.
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"

objects=$BUILDDIR/src/.libs
[ -f "$objects/liblyra2.so" ] || skip_all "configured with --disable-shared"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# phs COLUMNS: makes a library whose PHS() computes version 2.5 with so many
phs()
{
	# shellcheck disable=SC2086	# CC may be several words
	${CC:-cc} -shared -fPIC -I"$SRCDIR/src" -DCOLS="$1" -xc \
	    -o "$work/phs.so" - -L"$objects" -llyra2 -Wl,-rpath,"$objects" <<'C'
#include "lyra2.h"
int PHS(void *, size_t, const void *, size_t, const void *, size_t, unsigned,
	unsigned);
int PHS(void *out, size_t n, const void *in, size_t inlen, const void *salt,
	size_t saltlen, unsigned t_cost, unsigned m_cost)
{
	struct lyra2_params p = { .version = 25, .sponge = LYRA2_BLAKE2B,
				  .rows = m_cost, .t_cost = t_cost,
				  .cols = COLS, .lanes = 1 };

	return lyra2_kdf(NULL, &p, in, inlen, salt, saltlen, out, n);
}
C
}
bench()
{
	"$BUILDDIR/tests/bench/bench" 1 "$@" 2>&1 || echo "status $?"
}

ok "a library with PHS()" phs 256
bench 25 1 128 "$work/phs.so" >"$work/said"
is "the library is listed next to liblyra2" \
    "$(grep -c '^PHS() .*[0-9]$' "$work/said")" 1
is "each kernel has a time for 1, 2 and 4 lanes" \
    "$(grep -c '^plain  .*[0-9]$' "$work/said")" 3
is "ours is what others are compared with" \
    "$(awk '/^ours, t=1 .* 64 |^bash256 / { print $(NF - 1) }' \
	"$work/said" | sort -u)" 1.00
is "several processes are counted" \
    "$(grep -c '^[0-9]* at once: [0-9.]* hashes a second' "$work/said")" 2
ok "a library that computes something else" phs 255
is "is refused" "$(bench 25 1 128 "$work/phs.so" | grep -E '^(bench|status)')" \
"bench: $work/phs.so: computes another function
status 2"
is "no library" "$(bench 25 1 128 ./none.so | tail -n 1)" "status 2"
tap_done
