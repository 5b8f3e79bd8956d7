# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# lyra2.h stands alone, in C and in C++, and is as short as it should be.
. "$SRCDIR/tests/lib/tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/use.c" <<'END'
#include <lyra2.h>
int f(void);
int f(void)
{
	struct lyra2_params p;
	enum lyra2_outer outer = LYRA2_BASH256;

	lyra2_params_init(&p);
	p.sponge = LYRA2_BLAKE2B;
	p.outer = outer;
	return lyra2_check_string(&p, NULL, 0) || LYRA2_MAX_MEMORY < 1;
}
END

compiles()
{
	"$@" -Wall -Wextra -Wpedantic -Wconversion -Werror -I"$SRCDIR/src" -c \
		-o "$work/use.o" "$work/use.c"
}

for standard in c99 c11 c17; do
	# shellcheck disable=SC2086	# CC may have arguments
	ok "compiles as $standard" compiles ${CC:-cc} -std=$standard
done
for cxx in g++ clang++; do
	if ! command -v $cxx >/dev/null; then
		skip "compiles as C++ with $cxx" "no $cxx here"
		continue
	fi
	for standard in c++11 c++20; do
		ok "compiles as $standard with $cxx" compiles $cxx -x c++ \
			-std=$standard
	done
done
sed 's/return lyra2_check_string/lyra2_check_string/; s/ ||.*/; return 0;/' \
    "$work/use.c" >"$work/ignores.c"
# shellcheck disable=SC2086	# CC may have arguments
is "who ignores a result is warned" "$(${CC:-cc} -Wall -I"$SRCDIR/src" -c \
    -o "$work/use.o" "$work/ignores.c" 2>&1 |
    grep -c 'warning: ignoring return value')" 1
tap_done
