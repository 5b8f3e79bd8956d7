# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The examples in the manuals do what the manuals say.
. "$SRCDIR/tests/lib/tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$SRCDIR/tests/lib/examples" "$SRCDIR/man/lyra2.3" "$work"
is "lyra2(3) has three examples" "$(cd "$work" && echo *)" \
	"example1.c example2.c example3.c"

# says NUMBER TEXT: example NUMBER prints TEXT, without salts and hashes
says()
{
	# shellcheck disable=SC2086	# CC and CFLAGS may be several words
	ok "example $1 compiles" "$BUILDDIR/libtool" --quiet --tag=CC \
		--mode=link ${CC:-cc} $CFLAGS -Wall -Wextra -Werror \
		-I"$SRCDIR/src" "$work/example$1.c" -o "$work/example" \
		"$BUILDDIR/src/liblyra2.la"
	is "and does what it says" "$("$work/example" |
		sed 's/\$[^$]*\$[^$]*$/.../; /^kernel /d')" "$2"
}
says 1 "\$lyra2\$t2n12c256p2...
welcome"
says 2 "two keys"
says 3 "verified
too costly for us
lanes: 3 is not 1, 2 or 4"

# undocumented PLACES PAGE: prints the module's options that are allowed in
# these places, and have no entry in that manual
undocumented()
{
	sed -n "s/^\t{ \"\([a-z_]*\)\", \($1\),.*/\1/p" \
	    "$SRCDIR/src/config/options-table.c" | while read -r option; do
		grep -qE "^\.(It )?Cm $option\>" "$SRCDIR/man/$2" || echo "$option"
	done
}
is "pam_lyra2(8) has each option of the module" \
    "$(undocumented IN_ARGV pam_lyra2.8)" ""
is "pam_lyra2.conf(5) has each option of the file" \
    "$(undocumented '[A-Z_ |]*IN_FILE' pam_lyra2.conf.5)" ""
is "pam_lyra2.conf(5) and the sample have the same keys" \
    "$(sed -n 's/^\.It Cm \([a-z_]*\)$/\1/p' "$SRCDIR/man/pam_lyra2.conf.5" |
    sort)" "$(sed -n 's/^# \([a-z_]*\) = .*/\1/p' \
    "$SRCDIR/pam/pam_lyra2.conf" | sort)"
is "there are options to look for" "$(undocumented \
    'IN_ARGV\|IN_FILE' lyra2.3 | grep -c '^rehash\|^nullok$')" 4

lyra2=$BUILDDIR/src/lyra2
verify()
{
	printf '%s' "$1" | "$lyra2" verify "$2"
}
examples=$(grep '^[$]\(bash\)*lyra2[$]' "$SRCDIR/man/lyra2.5")
is "lyra2(5) has two examples" "$(echo "$examples" | wc -l)" 2
for string in $examples; do
	if [ ! -x "$lyra2" ]; then
		skip "an example of lyra2(5)" "configured with --disable-tool"
		continue
	fi
	ok "the password of $string" verify password "$string"
	fails "no other password of it" verify passwort "$string"
done
is "each line for the log is in a manual, or is pam_unix's" \
    "$(python3 -B "$SRCDIR/tests/source/messages.py" "$SRCDIR")" ""
tap_done
