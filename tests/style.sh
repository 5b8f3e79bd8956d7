# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# shellcheck disable=SC2086	# lists of files
# What a script can see of the house rules: line and function length, licence
# lines, one algorithm text, no wiping by memset, no way out of the library.
. "$SRCDIR/tests/tap.sh"

# shellcheck disable=SC3013  # dash and bash have -ef
[ ! "$SRCDIR" -ef "$BUILDDIR" ] ||
	skip_all "built among the sources, which cannot be told from the rest"
cd "$SRCDIR" || exit
code=$(find src pam crypt tests -name '*.[ch]' 2>/dev/null | sort)
text=$(find src pam crypt tests man debian .ci bootstrap configure.ac \
	Makefile.am README -path crypt/patches -prune -o -type f \
	! -name '*.csv' ! -name '*.in' -print 2>/dev/null | sort)

# expand counts columns as an editor does: a tab goes to the next of 8.
too_wide()
{
	for file in $code bootstrap; do
		expand "$file" | awk -v file="$file" \
			'length > 80 { print file ":" NR ": " length " columns" }'
	done
}
is "lines have at most 80 columns" "$(too_wide)" ""

is "no line ends in blanks" \
	"$(grep -nE '[ 	]+$' $code man/* Makefile.am configure.ac)" ""

no_licence()
{
	for file in $text; do
		case $file in
		debian/*|README|.ci/*) continue ;;
		esac
		head -n 3 "$file" | grep -q 'SPDX-License-Identifier: ' ||
			echo "$file"
	done
}
is "every file names its licence" "$(no_licence)" ""

# functions: name, length and file of each, by ctags
functions()
{
	ctags --languages=C --langmap=C:.c.h --kinds-C=f --fields=+ne \
		-o - $code 2>/dev/null | sed -n 's/^\([^	]*\)	'\
'\([^	]*\)	.*line:\([0-9]*\).*end:\([0-9]*\).*/\1 \2 \3 \4/p' |
		awk '{ print $1, $4 - $3 + 1, $2 }'
}
if ctags --version 2>/dev/null | grep -q Universal; then
	is "no function is longer than 60 lines" \
		"$(functions | awk '$2 > 60')" ""
	is "no entry point of PAM is longer than 25" \
		"$(functions | awk '/^pam_sm_/ && $2 > 25')" ""
	median=$(functions | awk '$3 ~ /^src/ { print $2 }' | sort -n |
		awk '{ n[NR] = $1 } END { print n[int((NR + 1) / 2)] }')
	ok "half of the library's functions have at most 12 lines ($median)" \
		test "$median" -le 12
else
	skip "lengths of functions" "no Universal Ctags here"
fi

ok "lyra2.h has at most 150 lines" test "$(wc -l <src/lyra2.h)" -le 150
is "the algorithm is in one file" "$(grep -lE 'wander_row\(' $code)" \
	src/core-body.h
is "one algorithm for all CPUs: no #if but for 128-bit integers" \
	"$(grep -n '^ *# *if' src/core-body.h |
	grep -vE 'ifdef __SIZEOF_INT128__')" ""
is "and no intrinsic in it" \
	"$(grep -nE '_mm|__m[0-9]|<.*intrin\.h>' src/core-body.h)" ""
for file in src/core-*.c; do
	ok "$file only includes it" test "$(wc -l <"$file")" -le 12
done
is "the library never prints, exits or asserts at run time" \
	"$(grep -nE '\<(printf|fprintf|puts|perror|exit|abort|assert)\(' \
	src/core* src/row* src/lyra2.c src/encode.c src/params.c \
	src/matrix.c src/dispatch.c src/selftest.c src/wipe.h)" ""
is "nothing is left to do" "$(grep -nE '\<(TO''DO|FIX''ME|X''XX)\>' $text)" ""
tap_done
