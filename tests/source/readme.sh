# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# README.md is short, and what it tells a new user to type works as pasted.
. "$SRCDIR/tests/lib/tap.sh"

readme=$SRCDIR/README.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
lines=$(wc -l <"$readme")
ok "README.md has at most 126 lines ($lines)" test "$lines" -le 126
ok "README is the same text" cmp "$readme" "$SRCDIR/README"

# section HEADING: its indented lines, which are commands, output and code
section()
{
	sed -n "/^## $1/,/^## /s/^    //p" "$readme"
}

# Programs stand where bootstrap would have put them.
ln -s "$BUILDDIR" "$work/build"
if [ -x "$BUILDDIR/src/lyra2" ]; then
	section 'First steps' | sed -n 's/^[$] //p' >"$work/steps"
	ok "the first steps" sh -euxc "cd $work && . ./steps"
	shown=$(section 'First steps' | grep '^[$]lyra2' | sed 's/\.\.\.//')
	# shellcheck disable=SC2016	# for the shell that is started
	is "the hash that they show" "$(sh -ec "cd $work && . ./steps" |
	    head -n 1 | cut -c"1-${#shown}")" "$shown"
else
	skip "the first steps" "configured with --disable-tool"
fi

{
	printf '#include <err.h>\n#include <stdio.h>\n#include <lyra2.h>\n'
	printf 'void try(const char *password, size_t len);\n'
	printf 'void try(const char *password, size_t len)\n{\n'
	section 'First steps' | sed -n '/LYRA2_MAX_STRING/,$p'
	echo '}'
} >"$work/example.c"
# shellcheck disable=SC2086	# CC may be several words
ok "the example in C compiles" ${CC:-cc} -Wall -Wextra -Werror -c \
	-I"$SRCDIR/src" -o "$work/example.o" "$work/example.c"

section 'Speed' | grep -q . && is "make bench is where it says" \
	"$(sed -n 's/.*`make -C build \([a-z]*\)`.*/\1/p' "$readme")" bench
# A tarball lacks some.
[ -e "$SRCDIR/.git" ] || tap_done
# shellcheck disable=SC2013	# names are words
for name in $(sed -n '/^## Where/,$p' "$readme" |
    grep -oE '\<[a-z]+/|COPYING' | grep -v '^tool/'); do
	ok "there is $name" test -e "$SRCDIR/$name"
done
tap_done
