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
# too slow for rows of 4 MB and more.
lyra2="${EMULATOR-} $BUILDDIR/src/lyra2"
if [ -n "${EMULATOR-}" ]; then
	awk -F, 'NR == 1 || 8 * $4 * $8 * $9 < 4e6' "$vectors" >"$work/small"
	vectors=$work/small
fi
rows=$(($(wc -l <"$vectors") - 1))
kernels=$($lyra2 kernels | awk '/runs on this CPU/ { print $1 }')
ok "there are kernels" test -n "$kernels"
for kernel in $kernels; do
	is "kernel $kernel gives $rows of them" "$($lyra2 selftest \
		--kernel "$kernel" --vectors "$vectors" 2>&1)" \
	    "$rows passed, 0 failed"
done
tap_done
