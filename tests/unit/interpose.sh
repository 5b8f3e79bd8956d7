# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# A program may have functions named as ours: the library calls its own.
. "$SRCDIR/tests/lib/tap.sh"

library=$BUILDDIR/src/.libs/liblyra2.so
[ -f "$library" ] || skip_all "configured with --disable-shared"

# What is bound by name at run time may be bound to somebody else's function.
calls=$(readelf -rW "$library")
ok "calls of the C library go through the dynamic linker" \
	sh -c 'echo "$1" | grep -q " getrandom"' - "$calls"
is "no call of our own does" "$(echo "$calls" | grep -o ' lyra2_[a-z_]*')" ""

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A program that calls the function $1, in main() on standard input, and
# defines all the others: each of them ends it.
make_program()
{
	{
		echo '#include <stdio.h>'
		echo '#include <stdlib.h>'
		sed -n 's/^	\(lyra2_.*\);/\1/p' "$SRCDIR/src/lyra2.map" |
			grep -vx "$1" |
			sed 's/.*/void &(void);\nvoid &(void) { abort(); }/'
		cat
	} >"$work/$1.c"
	# shellcheck disable=SC2086	# CC may have arguments
	${CC:-cc} -o "$work/$1" "$work/$1.c" "$library" \
		-Wl,-rpath,"${library%/*}" >"$work/log" 2>&1 || cat "$work/log"
}
is "a program with functions of the same names" "$(
	make_program lyra2_hash <<'END'
int lyra2_hash(void *, void *, const char *, size_t, char *, size_t);
int main(void)
{
	char hash[384];

	if (lyra2_hash(NULL, NULL, "pw", 2, hash, sizeof(hash)) != 0)
		return 1;
	puts(hash);
	return 0;
}
END
	make_program lyra2_verify <<'END'
int lyra2_verify(void *, const char *, const char *, size_t);
int main(int argc, char **argv)
{
	return argc == 2 ? lyra2_verify(NULL, argv[1], "pw", 2) : 2;
}
END
)" ""
hash=$("$work/lyra2_hash")
ok "gets a hash" test -n "$hash"
ok "that another one verifies" "$work/lyra2_verify" "$hash"
ok "as does the tool" sh -c 'echo pw | "$0" verify "$1"' \
	"$BUILDDIR/src/lyra2" "$hash"
tap_done
