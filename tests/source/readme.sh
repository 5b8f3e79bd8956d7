# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The commands in README.md work as pasted, and print the output shown there.
. "$SRCDIR/tests/lib/tap.sh"

readme=$SRCDIR/README.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ok "README is the same text" cmp "$readme" "$SRCDIR/README"

# section HEADING: prints its indented lines: commands, output and code
section()
{
	sed -n "/^## $1/,/^## /s/^    //p" "$readme"
}

# Programs are where bootstrap would have put them.
ln -s "$BUILDDIR" "$work/build"
if [ -x "$BUILDDIR/src/lyra2" ]; then
	section 'First steps' | sed -n 's/^[$] //p' >"$work/steps"
	ok "the first steps" sh -euxc "cd $work && . ./steps"
	# The output in README.md; ...  stands for parts that differ each time
	shown=$(section 'First steps' | grep -v '^[$] ')
	lines=$(echo "$shown" | wc -l)
	is "what they print" "$(sh -ec "cd $work && . ./steps" |
	    head -n "$lines" | sed '1s/[^$]*[$][^$]*$/.../')" "$shown"
else
	skip "the first steps" "configured with --disable-tool"
fi

{
	printf '#include <%s>\n' err.h errno.h lyra2.h string.h
	echo 'void example(const char *typed);'
	echo 'void example(const char *typed)'
	echo '{'
	section 'From C'
	echo '}'
} >"$work/example.c"
# shellcheck disable=SC2086	# CC may be several words
ok "the C example compiles" ${CC:-cc} -Wall -Wextra -Werror -I"$SRCDIR/src" \
	-c "$work/example.c" -o "$work/example.o"

targets=$(grep -o 'make -C build [a-z ]*' "$readme" | sed 's/.*build//')
for target in $targets; do
	ok "make has $target" grep -q "^$target:" "$SRCDIR/Makefile.am"
done

# PUBLISHING: its command leaves no placeholder.
published()
{
	git clone -q "file://$SRCDIR" "$work/clone" && cd "$work/clone" &&
	sed -n '/^    [$] git grep/,/^$/s/^    [$]* *//p' PUBLISHING |
	    sed 's|NAME <ADDRESS>|A B <a@b.org>|; s|HOST/PATH|b.org/c|' >run &&
	sh run && ! git grep -nF .example ':!PUBLISHING' ':!tests' &&
	grep -q '^Maintainer: A B <a@b.org>$' debian/control &&
	grep -q '^Vcs-Git: https://b.org/c.git$' debian/control
}
if ! [ -e "$SRCDIR/.git" ] || ! command -v git >/dev/null; then
	tap_done
fi
ok "PUBLISHING fills in all names and addresses" published
tap_done
