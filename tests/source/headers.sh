# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# lyra2.h needs no other header, in C and in C++, and is short enough.  A
# program that takes every error for a no accepts only the correct password.
. "$SRCDIR/tests/lib/tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
program=$SRCDIR/tests/source/header.c
compiles()
{
	"$@" -Wall -Wextra -Wpedantic -Wconversion -Werror -I"$SRCDIR/src" -c \
		-o "$work/use.o" "$program"
}

for standard in c99 c11 c17; do
	# shellcheck disable=SC2086	# CC may have arguments
	ok "compiles as $standard" compiles ${CC:-cc} -std=$standard
done
linker=${CC:-cc}
for cxx in g++ clang++; do
	if ! command -v $cxx >/dev/null; then
		skip "compiles as C++ with $cxx" "no $cxx here"
		continue
	fi
	linker=$cxx
	for standard in c++11 c++20; do
		ok "compiles as $standard with $cxx" compiles $cxx -x c++ \
			-std=$standard
	done
done
is "it has at most 150 lines" \
    "$(($(wc -l <"$SRCDIR/src/lyra2.h") <= 150))" 1
# The last compiler made the object: one of C++, if there is one.
right=$(awk -F, '$1 == "right" && $4 == "lyra2" && $6 == 4 &&
    $2 == "70617373776f7264" { print $3; exit }' \
    "$SRCDIR/doc/spec/strings.csv")
for library in "$BUILDDIR/src/.libs/liblyra2.so" \
    "$BUILDDIR/src/.libs/liblyra2.a"; do
	what="a program by $linker with ${library##*/}"
	if [ ! -e "$library" ]; then
		skip "$what" "not built"
		continue
	fi
	# shellcheck disable=SC2086	# CC may have arguments
	ok "$what" $linker -o "$work/use" "$work/use.o" "$library" \
	    -Wl,-rpath,"${library%/*}"
	ok "lets the correct password in" "$work/use" "$right"
	"$work/use" "${right%?}2"
	is "and no other password" $? 1
	"$work/use" "\$lyra2\$v=30\$t=1\$r=8\$c=2\$saltsalt"
	is "nor a string that is none" $? 1
done
# shellcheck disable=SC2086	# CC may have arguments
is "who ignores a result is warned" "$(${CC:-cc} -Wall -I"$SRCDIR/src" -c \
    -DIGNORE -o "$work/use.o" "$program" 2>&1 |
    grep -c 'warning: ignoring return value')" 1
tap_done
