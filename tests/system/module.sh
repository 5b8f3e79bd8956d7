#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# module.sh - the PAM module in whole systems: built and installed on each
# release of Debian, used by the programs that ask for passwords.

# The shell in the root expands what stands in single quotes; ok calls build.
# shellcheck disable=SC2016,SC2317
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"

suites=${SUITES:-bookworm trixie}
stories=${STORIES:-logins changes trouble races load}
work=$BUILDDIR/builds/module
roots=$SRCDIR/tests/lib/roots
# What make says to its children is not meant for the builds in here.
unset MAKEFLAGS MFLAGS MAKELEVEL

[ -e "$SRCDIR/debian/pam-configs/lyra2" ] ||
	skip_all "debian/, which says how the module is enabled, is not here"
for suite in $suites; do
	for set in e2e build; do
		why=$("$roots" make --set $set "$suite" 2>&1) || skip_all "$why"
	done
done

# build SUITE: installs into work/SUITE/tree, having built what is out of date.
build() {
	mkdir -p "$work/$1"
	"$roots" run --set build --bind "$SRCDIR:/src" \
		--rw-bind "$work/$1:/build" "$1" -- sh -euc '
		cd /build
		lib=/usr/lib/$(gcc -print-multiarch)
		[ -e config.status ] || /src/configure -q --prefix=/usr \
			--libdir="$lib" --sysconfdir=/etc --disable-tool
		rm -rf tree
		make -s -j2 all tests/pam/try
		make -s install DESTDIR=/build/tree
		install -D -t tree/usr/bin tests/pam/try'
}

# tell SUITE STORY: what tests/system/module-STORY.py tells.
tell() {
	"$roots" run --bind "$SRCDIR:/src" --bind "$work/$1:/build" "$1" -- \
		env PYTHONPATH=/src/tests/lib \
		python3 -B "/src/tests/system/module-$2.py" /build/tree /src \
		>"$work/$1-$2.tap" 2>&1
}

# tell_all SUITE: the stories one after the other, each in a fresh copy.
tell_all() {
	for story in $stories; do
		tell "$1" "$story"
	done
}

for suite in $suites; do
	ok "$suite: build and install" build "$suite"
done
for suite in $suites; do
	tell_all "$suite" &
done
wait
for suite in $suites; do
	for story in $stories; do
		absorb "$suite, $story" <"$work/$suite-$story.tap"
	done
done
tap_done
