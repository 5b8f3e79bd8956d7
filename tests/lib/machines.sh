# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Sourced after tap.sh by the suites that run in a virtual machine.
#
#	needs_guest SUITE...	skips all if a root or the emulator is missing
#	packages SUITE DIR	builds the packages in an empty DIR

roots=$SRCDIR/tests/lib/roots
# shellcheck disable=SC2034	# for the suites
guest=$SRCDIR/tests/lib/guest
# A make that runs these suites exports flags that are not for these builds.
unset MAKEFLAGS MFLAGS MAKELEVEL

needs_guest()
{
	command -v qemu-system-x86_64 >/dev/null ||
		skip_all "no qemu-system-x86_64"
	for ng_suite in "$@"; do
		for ng_set in guest build; do
			ng_why=$("$roots" make --set $ng_set "$ng_suite" 2>&1) ||
				skip_all "$ng_why"
		done
	done
}

# The shell in the root expands what stands in single quotes.
# shellcheck disable=SC2016
packages()
{
	rm -rf "$2" && mkdir -p "$2" &&
	make -C "$BUILDDIR" dist && mv "$BUILDDIR"/lyra2-*.tar.xz "$2" &&
	"$roots" run --set build --bind "$SRCDIR:/src" \
		--rw-bind "$2:/packages" "$1" -- sh -c \
		'/src/tests/lib/build-debs /packages/lyra2-*.tar.xz \
			/src/debian /packages -Pnocheck'
}
