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

run() {
	"$roots" run --set directory --bind "$SRCDIR:/src" \
		--bind "$work/$1:/build" "$1" -- \
		env PYTHONPATH=/src/tests/lib python3 -B \
		/src/tests/system/directory.py /src /build/tree \
		>"$work/$1.tap" 2>&1
}

# interface SUITE: slapd.h says what the source of that slapd does
interface() {
	in_root=$("$roots" run --set directory "$1" -- \
		dpkg-query -Wf '${source:Version}' slapd)
	(
		program=directory.sh package=openldap suite=$1
		here=$SRCDIR/crypt suffix='' version=$in_root packaging=''
		dir=$work/$1/openldap
		# shellcheck source=crypt/source-package.sh
		. "$SRCDIR/crypt/source-package.sh"
		begin
		ls "$dir"/*.orig.tar.* >/dev/null 2>&1 || {
			private_apt "$suite"
			fetch "$(full_version "${version%-*}")" --tar-only
		}
		tar -C "$dir" --strip-components 1 --wildcards -xf \
			"$dir"/openldap_*.orig.tar.* \
			'*/include/lutil.h' '*/include/ac/*'
		in_build "$1" gcc -std=c11 -Wall -Wextra -Werror \
			-fsyntax-only -I/build/openldap/include -I/src \
			-include netinet/in.h \
			/src/tests/system/slapd-interface.c
	) >"$work/$1/interface.log" 2>&1 || {
		sed 's/^/# /' "$work/$1/interface.log"
		return 1
	}
}

for suite in $suites; do
	ok "$suite: build and install" build "$suite" --disable-pam \
		--enable-slapd --with-slapddir=/usr/lib/ldap
done
for suite in $suites; do
	run "$suite" &
done
for suite in $suites; do
	ok "$suite: slapd.h is as in slapd's source" interface "$suite"
done
wait
for suite in $suites; do
	include "$suite" <"$work/$suite.tap"
done
tap_done
