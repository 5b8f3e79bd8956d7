# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Three ways to the same hash: libxcrypt with the method (of
# tests/crypt/libxcrypt.sh), the lyra2 tool, and pam_lyra2, which has to let the
# password in.  And each string, good or bad, has the same verdict everywhere.
. "$SRCDIR/tests/lib/pam.sh"

lib=$BUILDDIR/builds/libxcrypt/build/.libs/libcrypt.so.1
[ -e "$lib" ] || skip_all "tests/crypt/libxcrypt.sh has not built libxcrypt"

service login norehash nullok
count=200
python3 "$SRCDIR/tests/crypt/agree.py" "$lib" "$BUILDDIR/src/lyra2" $count \
    >"$work/sets"
is "$count sets of parameters" "$(wc -l <"$work/sets")" $count
is "libcrypt and the tool agree" \
    "$(awk '$(NF - 1) != $NF' "$work/sets")" ""

awk '{ print "u" NR, $(NF - 1) }' "$work/sets" | while read -r name hash; do
	user "$name" "$hash"
done
refused='' n=0
while read -r word hash _; do
	n=$((n + 1))
	got=$(perl -e 'print pack("H*", $ARGV[0]), "\n"' "${word#x}" |
	    try login u$n auth)
	[ "$got" = "prompt: Password: /auth=0/" ] ||
		refused="$refused u$n:$got $hash"
done <"$work/sets"
is "pam_lyra2 lets each password in" "$refused" ""
is "and a wrong one not" "$(echo wrong | try login u1 auth)" \
    "prompt: Password: /auth=7/"

# ---- 10,000 strings inside and outside of the grammar in lyra2(5) ----
if [ -e "$BUILDDIR/crypt/openldap/pw-lyra2.la" ]; then
	mkdir -p "$work/root/etc"
	: >"$work/root/etc/passwd"
	cat >"$work/slapd.c" <<'END'
/* What slapd gives to its module, and a way to ask the module. */
#include <stdlib.h>
#include "crypt/openldap/slapd.h"
static slapd_check_fn *module_check;
void *ber_memalloc(size_t n) { return malloc(n); }
int lutil_passwd_add(struct berval *scheme, slapd_check_fn *check,
		     slapd_hash_fn *hash)
{
	(void)scheme, (void)hash;
	module_check = check;
	return 0;
}
int check(const struct berval *value, const struct berval *password)
{
	const char *text;

	return module_check(value, value, password, &text);
}
END
	# shellcheck disable=SC2086	# CC may have arguments
	ok "what stands in for slapd compiles" ${CC:-cc} -shared -fPIC \
	    -I"$SRCDIR" -o "$work/slapd.so" "$work/slapd.c"
	is "each of 10,000 strings has one verdict" \
	    "$(python3 "$SRCDIR/tests/crypt/verdicts.py" "$SRCDIR" "$BUILDDIR" \
		"$lib" "$work/slapd.so" "$work/root" 10000 2>"$work/said")" ""
	echo "# $(tail -n 1 "$work/said")"
else
	skip "each of 10,000 strings has one verdict" "--disable-slapd"
fi
tap_done
