# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The examples of the manuals do what the manuals say.
. "$SRCDIR/tests/tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The program between .Bd -literal and .Ed, as a reader would see it.
sed -n '/^\.Bd -literal/,/^\.Ed/{/^\./!p;}' "$SRCDIR/man/lyra2.3" |
	sed 's/\\e/\\/g' >"$work/example.c"
example()
{
	# shellcheck disable=SC2086	# CC and CFLAGS may be several words
	"$BUILDDIR/libtool" --quiet --tag=CC --mode=link ${CC:-cc} $CFLAGS \
		-Wall -Wextra -Werror -I"$SRCDIR/src" \
		"$work/example.c" -o "$work/example" \
		"$BUILDDIR/src/liblyra2.la"
}
ok "the example of lyra2(3) compiles" example
is "and does what it says" \
	"$("$work/example" | sed 's/\$[^$]*\$[^$]*$/.../')" \
	"\$lyra2\$v=30\$t=2,r=2048,c=256...
welcome"

lyra2=$BUILDDIR/src/lyra2
verify()
{
	printf '%s' "$1" | "$lyra2" verify "$2"
}
examples=$(sed -n 's/^\.Dl \(\$lyra2\$.*\)/\1/p' "$SRCDIR/man/lyra2.5")
is "lyra2(5) has two examples" "$(echo "$examples" | wc -l)" 2
for string in $examples; do
	if [ ! -x "$lyra2" ]; then
		skip "an example of lyra2(5)" "configured with --disable-tool"
		continue
	fi
	ok "the password of $string" verify password "$string"
	fails "no other password of it" verify passwort "$string"
done
tap_done
