# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Debian 13's shadow with ENCRYPT_METHOD LYRA2: its packages, its
# own tests, and logins with what its programs write: tests/crypt/shadow.py.
. "$SRCDIR/tests/lib/tap.sh"

roots=$SRCDIR/tests/lib/roots
suite=trixie
# What the package needs beyond the set "build"
needs='bison git dh-debputy dh-package-notes docbook-xml docbook-xsl gettext itstool
	libacl1-dev libattr1-dev libbsd-dev libcmocka-dev libltdl-dev
	libsemanage-dev libxml2-utils systemd-dev xsltproc'

# What make says to its children is not meant for the builds in here.
unset MAKEFLAGS MFLAGS MAKELEVEL

# in_root COMMAND...: where shadow can be built, with DIR at /srv/build
in_root()
{
	set -- "$suite" -- "$@"
	for package in $needs; do
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

git_am()
{
	"$SRCDIR/crypt/build-shadow" --series "$dir" && cd "$dir/upstream" &&
		git init -q && git add -A -f &&
		git -c user.name=a -c user.email=a@a commit -qm base &&
		git -c user.name=a -c user.email=a@a am -q ../series/*.patch
}

dir=$BUILDDIR/builds/shadow-$suite
# shellcheck disable=SC2086	# a list
why=$("$roots" make --set build "$suite" $needs 2>&1 &&
    "$SRCDIR/crypt/build-shadow" --prepare --suite "$suite" "$dir" 2>&1) ||
	skip_all "$(echo "$why" | tail -n 1)"
ok "git am takes what --series writes" git_am
ok "packages are made" make_packages
ok "a build without PAM passes the unit tests" make_without_pam
libcrypt=$(find "$BUILDDIR/builds" \
    -path "*/libcrypt1-$suite/libcrypt1_*+lyra2*.deb")
if [ -n "$libcrypt" ]; then
	"$roots" run --bind "$dir:/debs" --bind "$libcrypt:/libcrypt1.deb" \
	    --bind "$SRCDIR/tests:/tests" "$suite" -- \
	    env PYTHONPATH=/tests/lib python3 -B /tests/crypt/shadow.py \
	    >"$dir/tap" 2>&1
	include "$suite" <"$dir/tap"
else
	skip "logins" "tests/crypt/programs.sh makes libcrypt1"
fi
tap_done
