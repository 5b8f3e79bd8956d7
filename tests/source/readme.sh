# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# README.md is short, and what it tells a new user to type works as pasted.
. "$SRCDIR/tests/lib/tap.sh"

readme=$SRCDIR/README.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
lines=$(wc -l <"$readme")
ok "README.md has at most 100 lines ($lines)" test "$lines" -le 100
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

section 'Speed' | grep -q . && is "make bench is where it says" \
	"$(sed -n 's/.*`make -C build \([a-z]*\)`.*/\1/p' "$readme")" bench

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
