#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The attack's kernel computes Lyra2: on each width, every key of a few small
# matrices is lyra2_kdf()'s.  How fast is no matter.
# shellcheck disable=SC2317	# tap.sh calls the functions
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"

attack=$BUILDDIR/tests/attack/attack
if ! make -s -C "$BUILDDIR" tests/attack/attack >"$BUILDDIR/attack.out" 2>&1
then
	grep -q 'CL/cl.h\|-lOpenCL' "$BUILDDIR/attack.out" &&
		skip_all "no ocl-icd-opencl-dev"
	cat "$BUILDDIR/attack.out"
	exit 1
fi
rm "$BUILDDIR/attack.out"
found=0
"$attack" --device 0 --rows 16 --cols 4 --hashes 1 --group 1 || found=$?
[ $found -ne 77 ] || skip_all "no OpenCL device, such as pocl-opencl-icd's"

for width in 1 4; do
	while read -r name options; do
		# shellcheck disable=SC2086  # options
		ok "$name, width $width" "$attack" --width $width --group 2 \
			--hashes 6 --sample 6 --runs 1 $options
	done <<-'END'
		3-blamka-1-lane --lanes 1 --rows 37 --cols 7
		3-blamka-2-lanes --lanes 2 --rows 74 --cols 8
		3-blamka-4-lanes --lanes 4 --rows 256 --cols 16
		3-blake2b-4-lanes --sponge blake2b --rows 64 --cols 3
		2.5-blake2b --version 2.5 --rows 40 --cols 8
	END
done
# Buffers of 256 MiB have room for two: the last two are in the third buffer.
ok "a matrix in each of three buffers" env POCL_MEMORY_LIMIT=1 "$attack" \
	--memory 600M --sample 6 --runs 1
is "who keeps all rows repeats none" \
	"$("$SRCDIR/tests/attack/fewer-rows.py" 16 |
	awk 'NR > 1 { print $4 }' | uniq)" 1.0
fails "a lane too many" "$attack" --lanes 4 --rows 8
tap_done
