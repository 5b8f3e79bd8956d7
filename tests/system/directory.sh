#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# directory.sh - {LYRA2} in the slapd of each release of Debian: binds, bad
# values, a crowd in little memory, replication, and logins of its clients.

# The shell in the root expands what stands in single quotes; ok calls build.
# shellcheck disable=SC2016,SC2317
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"

suites=${SUITES:-bookworm trixie}
work=$BUILDDIR/builds/directory
roots=$SRCDIR/tests/lib/roots
# What make says to its children is not meant for the builds in here.
unset MAKEFLAGS MFLAGS MAKELEVEL

[ -e "$SRCDIR/debian/slapd-lyra2.README.Debian" ] ||
	skip_all "debian/, which says how the module is loaded, is not here"
for suite in $suites; do
	for set in directory build; do
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
			--libdir="$lib" --sysconfdir=/etc --disable-pam \
			--enable-slapd --with-slapddir=/usr/lib/ldap
		rm -rf tree
		make -s -j2 all
		make -s install DESTDIR=/build/tree'
}

tell() {
	"$roots" run --set directory --bind "$SRCDIR:/src" \
		--bind "$work/$1:/build" "$1" -- \
		env PYTHONPATH=/src/tests/lib python3 -B \
		/src/tests/system/directory.py /src /build/tree \
		>"$work/$1.tap" 2>&1
}

for suite in $suites; do
	ok "$suite: build and install" build "$suite"
done
for suite in $suites; do
	tell "$suite" &
done
wait
for suite in $suites; do
	absorb "$suite" <"$work/$suite.tap"
done
tap_done
