# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Three ways to the same hash: libxcrypt with the method (of
# tests/crypt/libxcrypt.sh), the lyra2 tool, and pam_lyra2, which has to let the password in.
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
tap_done
