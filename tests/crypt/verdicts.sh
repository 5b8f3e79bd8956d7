# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# 10,000 strings inside and outside of the grammar in lyra2(5): the library,
# libxcrypt with the method (built by tests/crypt/libxcrypt.sh) and the
# specification accept the same ones; see verdicts.py.
. "$SRCDIR/tests/lib/tap.sh"

lib=$BUILDDIR/builds/libxcrypt/build/.libs/libcrypt.so.1
[ -e "$lib" ] || skip_all "tests/crypt/libxcrypt.sh has not built libxcrypt"
said=$BUILDDIR/tests/crypt/verdicts.said
is "each of 10,000 strings has one result" "$(python3 \
    "$SRCDIR/tests/crypt/verdicts.py" "$SRCDIR" \
    "$BUILDDIR/src/.libs/liblyra2.so" "$lib" 10000 2>"$said")" ""
ok "it has counted them" grep -q "'malformed'" "$said"
echo "# $(tail -n 1 "$said")"
rm -f "$said"
tap_done
