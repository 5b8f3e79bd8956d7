#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The attacker's kernel computes Lyra2: each of four keys of a few small
# matrices is lyra2_crypt()'s.  How fast is no matter.
# shellcheck disable=SC2317	# tap.sh calls the functions
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"

attack()
{
	"$SRCDIR/analysis/attack.py" "$BUILDDIR/src/.libs/liblyra2.so" "$@"
}

found=0
attack 1 4 12 2 1 || found=$?
[ $found -ne 77 ] || skip_all "no OpenCL device, such as pocl-opencl-icd's"
for lanes in 1 2 4; do
	ok "$lanes lanes" attack $lanes 6 13 3 4
done
ok "rows that no local memory holds" attack 2 6 400 2 1
# Buffers of 256 MiB have room for two.
POCL_MEMORY_LIMIT=1
export POCL_MEMORY_LIMIT
ok "a matrix in each of three buffers" attack 2 12 256 2 5
tap_done
