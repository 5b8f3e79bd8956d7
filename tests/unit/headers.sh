# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# lyra2.h stands alone, in C and in C++, and is as short as it should be.
. "$SRCDIR/tests/lib/tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/use.c" <<'END'
#include <lyra2.h>
int f(void);
int f(void) { return LYRA2_BLAMKA + (int)LYRA2_MAX_MEMORY; }
END

compiles()
{
	"$@" -Wall -Wextra -pedantic -Werror -I"$SRCDIR/src" -c \
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
tap_done
