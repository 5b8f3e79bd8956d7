#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The packages on a system that systemd has booted: see booted.py.
# SUITES=trixie runs it on that release alone; with
# SCENARIOS="people far_users bursts wrong_su" only these functions of
# booted.py, of which the first two make the users.

# ok calls the function.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"

suites=${SUITES:-bookworm trixie}
work=$BUILDDIR/builds/booted
roots=$SRCDIR/tests/lib/roots
# A make that runs this script exports flags that are not for these builds.
unset MAKEFLAGS MFLAGS MAKELEVEL

for suite in $suites; do
	for set in build booted; do
		why=$("$roots" make --set $set "$suite" 2>&1) || skip_all "$why"
	done
done

build() {
	mkdir "$work/$1"
	"$roots" run --set build --bind "$SRCDIR:/src" \
		--rw-bind "$work:/packages" "$1" -- /src/tests/lib/build-debs \
		"/packages/$tarball" /src/debian "/packages/$1" -Pnocheck
}

rm -rf "$work"
mkdir -p "$work"
ok "make dist" make -C "$BUILDDIR" dist
tarball=$(cd "$BUILDDIR" && echo lyra2-*.tar.xz)
mv "$BUILDDIR/$tarball" "$work"
unit=tests/system/booted@.service
# boot SUITE TEST HOW... -- INIT...: runs tests/system/TEST.py
boot() {
	suite=$1 test=$2
	shift 2
	rm -f "$work/$suite/tap"
	[ -z "${SCENARIOS:-}" ] ||
		echo "SCENARIOS=\"$SCENARIOS\"" >"$work/$suite/environment"
	timeout -k 10 1500 "$roots" run --set booted \
		--bind "$SRCDIR:/src" --rw-bind "$work/$suite:/debs" \
		--bind "$SRCDIR/$unit:/etc/systemd/system/${unit##*/}" \
		"$@" "systemd.wants=booted@$test.service" \
		>"$work/$suite.console" 2>&1 </dev/null
	include "$suite, $test" <"$work/$suite/tap"
}
# Whoever mounts a directory again in that system gets an error.
confine="/confine mount-bind=EACCES -- /lib/systemd/systemd"
for suite in $suites; do
	ok "$suite: packages" build "$suite"
	if [ -z "${SCENARIOS:-}" ]; then
		boot "$suite" unit --boot "$suite" --
		# shellcheck disable=SC2086	# words
		boot "$suite" unit --init \
			--bind "$BUILDDIR/tests/place/confine:/confine" \
			"$suite" -- $confine
	fi
	boot "$suite" booted --boot "$suite" --
done
tap_done
