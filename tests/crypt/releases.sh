# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# libcrypt1 packages with the method, made on Debian 12 and 13; unmodified
# programs that hash through them (programs.py); and the series on the next
# version.  Each build passes libxcrypt's own suite.
. "$SRCDIR/tests/lib/tap.sh"

roots=$SRCDIR/tests/lib/roots
top=$BUILDDIR/builds/libcrypt1
rm -rf "$top"
mkdir -p "$top"
# A make that runs this script exports flags that are not for these builds.
unset MAKEFLAGS MFLAGS MAKELEVEL

# source_of DIR SUITE VERSION: fetches the source of that version
source_of()
{
	"$SRCDIR/crypt/build-libxcrypt" --prepare --suite "$2" \
	    --version "$3" "$1"
}

# make_packages SUITE: makes the packages, without that for the installer
make_packages()
{
	"$roots" run --set build --rw-bind "$dir:/srv/build" "$1" -- \
	    sh -c 'cd /srv/build/libxcrypt && DEB_BUILD_PROFILES=noudeb \
		dpkg-buildpackage -us -uc -b' >"$dir/packages.log" 2>&1 ||
		{ grep -E '^(FAIL|ERROR)|error:' "$dir/packages.log"; return 1; }
	for test in ka-lyra2 alg-lyra2 crypt-lyra2; do
		grep -q "^PASS: test/$test\$" "$dir/packages.log" || return
	done
}

programs()
{
	"$roots" run --with apache2-utils --bind "$dir:/debs" \
	    --bind "$SRCDIR/tests:/tests" "$1" -- sh -c \
	    'dpkg -i /debs/libcrypt1_*.deb >&2 &&
		PYTHONPATH=/tests/lib python3 -B /tests/crypt/programs.py' \
	    2>"$dir/programs.err"
}

for release in bookworm:4.4.33 trixie:4.4.38; do
	suite=${release%:*} dir=$top/${release%:*}
	if ! why=$("$roots" make --set build "$suite" 2>&1 &&
	    source_of "$dir" "$suite" "${release#*:}" 2>&1); then
		skip "$suite" "$(echo "$why" | tail -n 1)"
		continue
	fi
	ok "$suite: packages are made and pass the suite" make_packages "$suite"
	deb=$(find "$dir" -name 'libcrypt1_*+lyra2.1_*.deb')
	is "$suite: libcrypt1 has the version suffix" \
	    "$(dpkg-deb -f "$deb" Version)" "$(cat "$dir/version")+lyra2.1"
	is "$suite: and no new dependency" \
	    "$(dpkg-deb -f "$deb" Depends | sed 's/ ([^)]*)//g')" libc6
	is "$suite: dpkg-gensymbols has nothing to say" \
	    "$(grep -c 'dpkg-gensymbols: \|^[-+] .*@' "$dir/packages.log")" 0
	programs "$suite" >"$dir/tap"
	include "$suite" <"$dir/tap"
done

# alone: builds the newest version with lyra2 as the only method
alone()
{
	cd "$dir/libxcrypt" && autoreconf -fi && mkdir "$dir/build" &&
	cd "$dir/build" && ../libxcrypt/configure CFLAGS=-O1 \
	    --enable-hashes=lyra2 && make -j"$(nproc)" check
}
dir=$top/4.5.1
if why=$(source_of "$dir" forky 4.5.1 2>&1); then
	ok "libxcrypt 4.5.1, lyra2 alone, passes its suite" alone
else
	skip "libxcrypt 4.5.1" "$(echo "$why" | tail -n 1)"
fi
tap_done
