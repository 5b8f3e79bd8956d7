# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The shadow of Debian 12 and 13 with ENCRYPT_METHOD LYRA2: its packages, its
# own tests, and logins with what its programs write: tests/crypt/shadow.py.
. "$SRCDIR/tests/lib/tap.sh"

roots=$SRCDIR/tests/lib/roots
# needs SUITE: what the package needs beyond the set "build"
needs()
{
	echo bison dh-package-notes docbook-xml docbook-xsl gettext itstool \
	    libsemanage-dev libxml2-utils xsltproc
	[ "$1" = bookworm ] || echo dh-debputy libacl1-dev libattr1-dev \
	    libbsd-dev libcmocka-dev libltdl-dev systemd-dev
}

# What make says to its children is not meant for the builds in here.
unset MAKEFLAGS MFLAGS MAKELEVEL

# in_root COMMAND...: where $suite's shadow can be built, with DIR at /srv/build
in_root()
{
	set -- "$suite" -- "$@"
	for package in $(needs "$suite"); do
		set -- --with "$package" "$@"
	done
	"$roots" run --set build --bind "$SRCDIR:/src" \
		--rw-bind "$dir:/srv/build" "$@"
}

# With one translation of the manual: all of them take most of an hour, and only
# the French one has each page that debian/ names.
# Without the unit tests: one of 4.17 fails with Debian's -D_FORTIFY_SOURCE,
# and Debian does not run it.
make_packages()
{
	in_root sh -c 'cd /srv/build/shadow &&
		sed -i "/^SUBDIRS = po ./s/=.*/= po fr/" man/Makefile.am &&
		DEB_BUILD_OPTIONS=nocheck \
		    dpkg-buildpackage -us -uc -b -j"$(nproc)"' \
	    >"$dir/packages.log" 2>&1 || { tail -n 20 "$dir/packages.log"; false; }
}

# Debian's newusers leaves the passwords to PAM; this one does not.
make_without_pam()
{
	in_root sh -c 'mkdir -p /srv/build/nopam &&
		cp /srv/build/shadow_*.tar.* /srv/build/shadow_*.dsc \
			/srv/build/nopam &&
		/src/crypt/build-shadow --configure --without-libpam \
			/srv/build/nopam'
}

for suite in ${SUITES:-bookworm trixie}; do
	dir=$BUILDDIR/builds/shadow-$suite
	# shellcheck disable=SC2046	# a list
	if ! why=$("$roots" make --set build "$suite" $(needs "$suite") 2>&1 &&
	    "$SRCDIR/crypt/build-shadow" --prepare --suite "$suite" "$dir" \
	    2>&1); then
		skip "$suite" "$(echo "$why" | tail -n 1)"
		continue
	fi
	ok "$suite: packages are made" make_packages
	ok "$suite: a build without PAM passes the unit tests" make_without_pam
	libcrypt=$(find "$BUILDDIR/builds" \
	    -path "*/libcrypt1-$suite/libcrypt1_*+lyra2*.deb")
	if [ -z "$libcrypt" ]; then
		skip "$suite: logins" "tests/crypt/programs.sh makes libcrypt1"
		continue
	fi
	"$roots" run --bind "$dir:/debs" --bind "$libcrypt:/libcrypt1.deb" \
	    --bind "$SRCDIR/tests:/tests" "$suite" -- \
	    env PYTHONPATH=/tests/lib python3 -B /tests/crypt/shadow.py \
	    >"$dir/tap" 2>&1
	absorb "$suite" <"$dir/tap"
done
tap_done
