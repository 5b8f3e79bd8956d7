# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# shellcheck disable=SC2086	# an emulator may stand before lyra2
# Known answers from public builds of Lyra2, each row on every kernel.
. "$SRCDIR/tests/tap.sh"

# EMULATOR runs programs of another CPU; usually there is none.
lyra2="${EMULATOR-} $BUILDDIR/src/lyra2"
[ -x "$BUILDDIR/src/lyra2" ] || skip_all "configured with --disable-tool"
rows=$(($(wc -l <"$SRCDIR/tests/vectors.csv") - 1))
is "there are 308 known answers" "$rows" 308
for kernel in $($lyra2 kernels | awk '/runs on this CPU/ { print $1 }'); do
	is "kernel $kernel gives them all" \
	    "$($lyra2 selftest --kernel "$kernel" \
		--vectors "$SRCDIR/tests/vectors.csv" 2>&1)" \
	    "$rows passed, 0 failed"
done
tap_done
