# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# libcrypt1 packages with the method, made on Debian 12 and 13, and unmodified
# programs that hash through them: tests/crypt/programs.py.
. "$SRCDIR/tests/lib/tap.sh"

# 4.4.38 is Debian 13's; where its own packaging is not on the mirror, that of
# Debian 12 serves.
fetch()
{
	case $1 in
	bookworm)
		"$SRCDIR/crypt/build-libxcrypt" --prepare --suite bookworm \
		    --version 4.4.33 "$2" ;;
	trixie)
		set -- --prepare --suite trixie --version 4.4.38 "$2"
		"$SRCDIR/crypt/build-libxcrypt" "$@" 2>/dev/null ||
		    "$SRCDIR/crypt/build-libxcrypt" --packaging 4.4.33 "$@" ;;
	esac
}

# make_packages SUITE DIR: in a scratch root, from DIR/libxcrypt
# The installation system's package has no part in this.
make_packages()
{
	"$SRCDIR/tests/lib/roots" run --set build --rw-bind "$2:/srv/build" "$1" \
	    -- sh -c 'cd /srv/build/libxcrypt && DEB_BUILD_PROFILES=noudeb \
		dpkg-buildpackage -us -uc -b' >"$2/packages.log" 2>&1
}

for suite in bookworm trixie; do
	dir=$BUILDDIR/builds/libcrypt1-$suite
	if ! why=$("$SRCDIR/tests/lib/roots" make --set build "$suite" 2>&1 &&
	    fetch "$suite" "$dir" 2>&1); then
		skip "$suite" "$(echo "$why" | tail -n 1)"
		continue
	fi
	ok "$suite: packages are made and pass the suite" \
	    make_packages "$suite" "$dir"
	deb=$(find "$dir" -name 'libcrypt1_*+lyra2.1_*.deb')
	is "$suite: libcrypt1 has the version suffix" \
	    "$(dpkg-deb -f "$deb" Version)" \
	    "$(cat "$dir/version")+lyra2.1"
	is "$suite: and no new dependency" \
	    "$(dpkg-deb -f "$deb" Depends | sed 's/ ([^)]*)//g')" libc6
	is "$suite: dpkg-gensymbols has nothing to say" \
	    "$(grep -c 'dpkg-gensymbols: \|^[-+] .*@' "$dir/packages.log")" 0

	"$SRCDIR/tests/lib/roots" run --with apache2 --with curl \
	    --with dovecot-imapd --with ldap-utils --with nginx --with slapd \
	    --bind "$dir:/srv/debs" --bind "$SRCDIR/tests:/srv/tests" \
	    "$suite" -- sh -c 'dpkg -i /srv/debs/libcrypt1_*.deb >&2 &&
		PYTHONPATH=/srv/tests/lib python3 -B /srv/tests/crypt/programs.py' \
	    >"$dir/programs" 2>"$dir/programs.err" ||
		echo "not ok	programs	$(tail -n 5 "$dir/programs.err")" \
		    >>"$dir/programs"
	while IFS='	' read -r verdict what why; do
		case $verdict in
		skip) skip "$suite: $what" "$why" ;;
		*) is "$suite: $what" "$verdict $why" "ok " ;;
		esac
	done <"$dir/programs"
done
tap_done
