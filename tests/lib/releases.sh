# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh disable=SC2034,SC2154	# shared with those who source it
# Sourced by suites that build and install in the root of each release of
# Debian, and then run scenarios there.  They set work, a folder.

suites=${SUITES:-bookworm trixie}
roots=$SRCDIR/tests/lib/roots
# What make says to its children is not meant for the builds in the roots.
unset MAKEFLAGS MFLAGS MAKELEVEL

# need_roots SET...: makes the roots with these sets, or skips the whole suite.
need_roots() {
	for suite in $suites; do
		for set in "$@"; do
			why=$("$roots" make --set "$set" "$suite" 2>&1) ||
				skip_all "$why"
		done
	done
}

# build SUITE [OPTION...]: installs into work/SUITE/tree, having built what is
# out of date; with more options for configure.
# shellcheck disable=SC2016	# the shell in the root expands this
build() {
	suite=$1
	shift
	mkdir -p "$work/$suite"
	in_build "$suite" sh -euc '
		lib=/usr/lib/$(gcc -print-multiarch)
		[ -e config.status ] || /src/configure -q --prefix=/usr \
			--libdir="$lib" --sysconfdir=/etc "$@"
		rm -rf tree
		make -s -j2 all
		make -s install DESTDIR=/build/tree' - "$@"
}

# in_build SUITE COMMAND...: with the sources in /src, in work/SUITE
# shellcheck disable=SC2016
in_build() {
	suite=$1
	shift
	"$roots" run --set build --bind "$SRCDIR:/src" \
		--rw-bind "$work/$suite:/build" "$suite" -- \
		sh -euc 'cd /build && exec "$@"' - "$@"
}
