#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The PAM module in whole systems: built and installed on each release of
# Debian, used by the programs that ask for passwords.

# shellcheck disable=SC2317	# ok calls build_with_try
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"
# shellcheck source=tests/lib/releases.sh
. "$SRCDIR/tests/lib/releases.sh"

scenarios=${SCENARIOS:-logins changes races}
work=$BUILDDIR/builds/module

[ -e "$SRCDIR/debian/pam-configs/lyra2" ] ||
	skip_all "debian/, which says how the module is enabled, is not here"
need_roots e2e build

# build_with_try SUITE: also builds and installs the program tests/pam/try.
build_with_try() {
	build "$1" --disable-tool &&
		in_build "$1" make -s tests/pam/try &&
		install -D -t "$work/$1/tree/usr/bin" "$work/$1/tests/pam/try"
}

# run SUITE SCENARIO: runs tests/system/module-SCENARIO.py.
run() {
	"$roots" run --bind "$SRCDIR:/src" --bind "$work/$1:/build" "$1" -- \
		env PYTHONPATH=/src/tests/lib \
		python3 -B "/src/tests/system/module-$2.py" /build/tree /src \
		>"$work/$1-$2.tap" 2>&1
}

# run_all SUITE: runs the scenarios one after the other, each in a fresh copy.
run_all() {
	for scenario in $scenarios; do
		run "$1" "$scenario"
	done
}

for suite in $suites; do
	ok "$suite: build and install" build_with_try "$suite"
done
for suite in $suites; do
	run_all "$suite" &
done
wait
for suite in $suites; do
	for scenario in $scenarios; do
		include "$suite, $scenario" <"$work/$suite-$scenario.tap"
	done
done
tap_done
