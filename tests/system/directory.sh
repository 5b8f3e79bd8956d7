#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# {LYRA2} in the slapd of each release of Debian: binds, bad values, many
# clients in little memory, replication, and logins on clients.

# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"
# shellcheck source=tests/lib/releases.sh
. "$SRCDIR/tests/lib/releases.sh"

work=$BUILDDIR/builds/directory

[ -e "$SRCDIR/debian/slapd-lyra2.README.Debian" ] ||
	skip_all "debian/, which says how the module is loaded, is not here"
need_roots directory build

tell() {
	"$roots" run --set directory --bind "$SRCDIR:/src" \
		--bind "$work/$1:/build" "$1" -- \
		env PYTHONPATH=/src/tests/lib python3 -B \
		/src/tests/system/directory.py /src /build/tree \
		>"$work/$1.tap" 2>&1
}

for suite in $suites; do
	ok "$suite: build and install" build "$suite" --disable-pam \
		--enable-slapd --with-slapddir=/usr/lib/ldap
done
for suite in $suites; do
	tell "$suite" &
done
wait
for suite in $suites; do
	absorb "$suite" <"$work/$suite.tap"
done
tap_done
