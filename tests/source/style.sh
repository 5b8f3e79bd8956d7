# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# shellcheck disable=SC2086	# lists of files
# The rules of style that a script can check: line and function length, licence
# lines, one algorithm text, no wiping by memset, no exit from the library.
. "$SRCDIR/tests/lib/tap.sh"

# shellcheck disable=SC3013  # dash and bash have -ef
[ ! "$SRCDIR" -ef "$BUILDDIR" ] ||
	skip_all "built among the sources, which cannot be told from the rest"
cd "$SRCDIR" || exit
code=$(find src pam crypt analysis tests -name '*.[ch]' 2>/dev/null | sort)
text=$(find src pam crypt analysis tests man debian .ci bootstrap configure.ac \
	Makefile.am HACKING README.md \
	\( -path crypt/patches -o -path crypt/series -o \
	-path debian/build -o -path debian/.debhelper \) -prune -o -type f \
	! -name '*.csv' ! -name '*.in' -print 2>/dev/null | sort)

# expand counts columns as an editor does: a tab goes to the next multiple of 8.
# Other files, such as expected output, have lines that others wrote.
too_wide()
{
	for file in $code bootstrap src/kernels/kernels.def doc/design \
	    doc/testing HACKING tests/README Makefile.am $(echo "$text" | grep -E '^(crypt|pam)/'); do
		expand "$file" | awk -v file="$file" \
			'length > 80 { print file ":" NR ": " length " columns" }'
	done
}
is "lines have at most 80 columns" "$(too_wide)" ""

is "no line ends in blanks" \
	"$(grep -nE '[ 	]+$' $code man/* Makefile.am configure.ac)" ""
is "no merge has left its marks" \
	"$(grep -nE '^(<<<<<<<|>>>>>>>) ' $text)" ""

no_licence()
{
	for file in $text; do
		case $file in
		debian/*|HACKING|README.md|tests/README|.ci/*) continue ;;
		esac
		head -n 3 "$file" | grep -q 'SPDX-License-Identifier: ' ||
			echo "$file"
	done
}
is "every file names its licence" "$(no_licence)" ""

# functions: prints name, length and file of each, by ctags
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

is "the algorithm is in one place: phases, and the sweeps they are made of" \
	"$(grep -lE 'wander_row_alone\(' $code)" \
	"src/kernels/core-body.h
src/kernels/core-sweep.h"
text_of_lyra2=$(find src/kernels -name "core-*.h" \
	! -name core-kernel.h ! -name core-function.h | sort)
is "one algorithm: no #if but for 128-bit integers, and a gcc that unrolls" \
	"$(grep -n '^ *# *if' $text_of_lyra2 |
	grep -vE 'ifdef __SIZEOF_INT128__|if defined\(__GNUC__\)')" ""
is "and no intrinsic in it" \
	"$(grep -nE '_mm|__m[0-9]|<.*intrin\.h>' $text_of_lyra2)" ""
is "no #if in the text of Bash, nor an intrinsic" "$(grep -nE \
	'^ *# *if|_mm|__m[0-9]|<.*intrin\.h>' src/bash/bash-body.h)" ""
is "the text of Lyra2 does not mention Bash" \
	"$(grep -lwiE 'bash(_.*)?' src/kernels/* src/dispatch.*)" ""
for file in $(grep -l '"core-body.h"' src/kernels/core-*.c) \
    $(grep -l '"bash-body.h"' src/bash/bash-*.c); do
	ok "$file only includes it" test "$(wc -l <"$file")" -le 13
done
is "the library never prints, exits or asserts at run time" \
	"$(grep -nE '\<(printf|fprintf|puts|perror|exit|abort|assert)\(' \
	src/kernels/* src/kdf.c src/lyra2.c src/encode.c src/params.c \
	src/matrix.c src/dispatch.c src/bash/* src/selftest.c src/wipe.h)" ""
is "hashes are compared in constant time" \
	"$(grep -nE '\<(str|mem)n?(case)?cmp\(' pam/work/verify.c)" ""
# The first comment says what the file does, without its name.
first_comment()
{
	for file in $code; do
		case $file in
		crypt/*) continue ;;
		esac
		awk -v file="$file" '
			FNR == 2 && !/^\/\*( [^ ]|$)/ { bad = 1 }
			FNR < 4 && /^(\/\*|.\*) [a-z0-9_-]+\.[ch] - / { bad = 1 }
			END { if (bad) print file }' "$file"
	done
}
is "every source file says first what it does" "$(first_comment)" ""

# First the header that declares the file's functions, if there is one; then
# system headers, then the project's, each sorted.  Headers under #if may be
# anywhere, and kernels include rows and core in the order they need.
include_order()
{
	for file in $code; do
		case $file in
		crypt/*|src/kernels/core-*|src/kernels/vec-*) continue ;;
		esac
		! grep -qE '"(core|bash)-body.h"' "$file" || continue
		awk -v file="$file" '
			/^#if/ && !/_H$/ { depth++ }
			/^#endif/ && depth { depth-- }
			/^#pragma GCC visibility push/ { depth++ }
			/^#pragma GCC visibility pop/ { depth-- }
			!/^#include .*\.h/ || depth { next }
			!seen++ && $2 ~ /^"/ { next }
			{
				rank = $2 ~ /^"/
				if (rank < last || (rank == last && $2 < name))
					print file ":" FNR ": " $2
				last = rank
				name = $2
			}' "$file"
	done
}
is "includes are in the one order" "$(include_order)" ""

# includes DIRECTORY OTHER: prints where files of DIRECTORY include headers of
# OTHER.  Both are patterns.  With /dev/null, grep always names the file.
includes()
{
	files=$(echo "$code" | grep "^$1")
	grep -nE "^#include [<\"]$2/" $files /dev/null
}

# The directories, from the lowest: library, stored, config, account; above them
# tool, pam and openldap, which do not include each other, except that tool
# includes pam/protocol.  In pam: protocol; above it module and shadow; above
# those work, then service.
upward()
{
	above='(src/)?tool|pam|crypt'
	includes 'src/\(kernels/\|bash/\|\)[^/]*$' \
	    "((src/)?(stored|config|account)|$above)"
	includes src/stored/ "(src/(config|account)|$above)"
	includes src/config/ "(src/account|$above)"
	includes src/account/ "($above)"
	includes src/tool/ '(pam/(module|shadow|work|service)|crypt)'
	includes pam/ '((src/)?tool|crypt)'
	includes crypt/openldap/ "($above|src/(stored|config|account))"
	includes pam/protocol/ 'pam/(module|shadow|work|service)'
	includes pam/module/ 'pam/(shadow|work|service)'
	includes pam/shadow/ 'pam/(module|work|service)'
	includes pam/work/ 'pam/(module|service)'
	includes pam/service/ 'pam/module'
}
is "no directory includes headers from above" "$(upward)" ""

# links FILE: prints pairs of FILE and each header that it includes, without .c
# and .h, because both are one module.  lyra2.h, the interface, is left out.  A
# bare name is of the same directory or of src/.
links()
{
	sed -n '/"lyra2\.h"/d; s/^#include "\(.*\)".*/\1/p' "$1" |
	while read -r name; do
		[ ! -e "${1%/*}/$name" ] || name=${1%/*}/$name
		echo "$1 $name"
	done | sed 's/\.[ch]\>//g; s,src/\(bash/\|kernels/\|\),,g'
}

# tsort(1) names the modules of a cycle.
circles()
{
	for file in $(echo "$code" | grep -E '^(src|pam|crypt)/'); do
		links "$file"
	done | { tsort >/dev/null; } 2>&1
}
is "no cycle of includes" "$(circles)" ""

# files: prints the project's files; in a tarball, without those that autotools
# make
files()
{
	git ls-files 2>/dev/null ||
		find . \( -path './build*' -o -path ./autom4te.cache -o \
		-path ./crypt/series -o -name Makefile.in -o -name configure \
		-o -name aclocal.m4 -o -name config.h.in \) -prune -o \
		! -type d -print | sed 's,^\./,,'
}
# A built-in rule of make writes NAME.sh over NAME if NAME.sh is newer.
overwritten()
{
	for file in $text; do
		[ "$file" = "${file%.sh}" ] || [ ! -f "${file%.sh}" ] ||
			echo "${file%.sh}"
	done
}
is "no script has the name of another file and .sh" "$(overwritten)" ""

# unnamed: prints the tests that tests/README does not name
unnamed()
{
	for file in tests/*/*.sh $(grep -l '"check-main.h"' tests/unit/*.c); do
		name=${file#tests/}
		case $name in
		lib/*|demo/show.sh) continue ;;
		esac
		grep -qE "(^| )${name%.c}( |\$)" tests/README || echo "$file"
	done
}
is "tests/README names every test" "$(unnamed)" ""
# no_test: prints the tests in the documents that are not there
no_test()
{
	cat tests/README doc/testing doc/design |
		grep -oE '\<[a-z]+/[a-z-]+\.(sh|py|c)\>' | sort -u |
		while read -r file; do
			[ -e "tests/$file" ] || echo "$file"
		done
}
is "each test in the documents exists" "$(no_test)" ""

is "nothing is left to do" "$(grep -nE '\<(TO''DO|FIX''ME|X''XX)\>' $text)" ""
tap_done
