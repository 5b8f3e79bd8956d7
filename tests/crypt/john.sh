# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Debian's John the Ripper finds a password through libxcrypt with the method
# (built by tests/crypt/libxcrypt.sh).  RUNS=5 measures for doc/attack-cost.
. "$SRCDIR/tests/lib/tap.sh"

lib=${LIBCRYPT:-$BUILDDIR/builds/libxcrypt/build/.libs}
[ -e "$lib/libcrypt.so.1" ] ||
	skip_all "tests/crypt/libxcrypt.sh has not built libxcrypt"
command -v john >/dev/null || skip_all "no john here"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
echo "root:x:0:0::$work:/bin/sh" >passwd

# private COMMAND...: runs it as a root whose home is $work: john writes there.
private()
{
	flags=-m
	[ "$(id -u)" -eq 0 ] || flags=-Urm
	# shellcheck disable=SC2086	# words
	unshare $flags sh -c 'mount --make-rprivate / &&
		mount --bind passwd /etc/passwd && exec "$@"' sh env \
	    HOME="$work" LD_LIBRARY_PATH="$lib" "$@"
}
private true 2>said || skip_all "no namespace: $(cat said)"

ok "john finds a password of each method" \
    private python3 -B "$SRCDIR/tests/crypt/john.py" "${RUNS:-1}"
echo "$tap_output" | sed 's/^/# /'
ok "it wrote in the home directory of the test" test -e .john/john.pot
tap_done
