# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# shellcheck disable=SC2086	# an emulator may stand before lyra2
# Test vectors of public Lyra2 builds, each row on every kernel
. "$SRCDIR/tests/lib/tap.sh"

[ -x "$BUILDDIR/src/lyra2" ] || skip_all "configured with --disable-tool"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
vectors=$SRCDIR/doc/spec/raw.csv
is "there are 310 test vectors" "$(($(wc -l <"$vectors") - 1))" 310

# EMULATOR runs programs of another CPU; usually it is empty.  An emulator is
# too slow for rows of 4 MB and more, and so is a build that sets SLOW.
lyra2="${EMULATOR-} $BUILDDIR/src/lyra2"
if [ -n "${EMULATOR-}${SLOW-}" ]; then
	awk -F, 'NR == 1 || 8 * $4 * $8 * $9 < 4e6' "$vectors" >"$work/small"
	vectors=$work/small
fi
# Half-BlaMka, blocks of 8 and 10 words and rho above 1 are only in the
# executable specification.
rows=$(awk -F, 'NR > 1 && $2 != "half-blamka" && $4 == 12 && $5 == 1' \
    "$vectors" | wc -l)
others=$(($(wc -l <"$vectors") - 1 - rows))
kernels=$($lyra2 kernels | awk '/runs on this CPU/ { print $1 }')
ok "there are kernels" test -n "$kernels"
for kernel in $kernels; do
	$lyra2 selftest --kernel "$kernel" --vectors "$vectors" \
	    >"$work/said" 2>&1
	is "kernel $kernel gives $rows of them" "$(tail -n 1 "$work/said")" \
	    "$rows passed, 0 failed, $others skipped"
	is "and says $others times that it cannot" \
	    "$(grep -c ': not supported$' "$work/said")" "$others"
done
tap_done
