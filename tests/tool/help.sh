#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# lyra2(1) and --help have the same commands, and the same options for each.
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"

lyra2=$BUILDDIR/src/lyra2
page=$SRCDIR/man/lyra2.1
[ -x "$lyra2" ] || skip_all "configured with --disable-tool"

# from_page SECTION: prints the options in its lists
from_page()
{
	awk -v section="$1" '
		/^\.S[hs]/ { inside = $0 ~ "^\\.Ss " section "( Op .*)?$" }
		inside && /^\.It Fl Fl/' "$page" |
	grep -o 'Fl Fl [a-z-]*' | sed 's/.* //' | sort
}

# from_help COMMAND: prints the options in its --help
from_help()
{
	"$lyra2" "$1" --help | sed -n 's/^  --\([a-z-]*\).*/\1/p' |
	grep -vx help | sort
}

commands=$("$lyra2" --help | sed -n 's/^  \([a-z]*\) .*/\1/p')
is "its commands are those of --help" \
    "$(sed -n 's/^\.Ss lyra2 \([a-z]*\).*/\1/p' "$page" | sort)" \
    "$({ echo "$commands"; echo audit; } | sort -u)"
for command in "" $commands; do
	# shellcheck disable=SC2086	# no command
	is "at most 80 columns: $command" "$("$lyra2" $command --help |
	    awk 'length > 80')" ""
done
for words in help --help -h; do
	is "lyra2 $words" "$("$lyra2" $words)" "$("$lyra2" --help)"
done
version=$(sed -n "s/^AC_INIT(.lyra2., .\([0-9.]*\).*/\1/p" "$SRCDIR/configure.ac")
for words in version --version -V; do
	is "lyra2 $words" "$("$lyra2" $words)" "lyra2 $version"
done
is "lyra2 help hash" "$("$lyra2" help hash)" "$("$lyra2" hash --help)"
is "lyra2 help hush" "$("$lyra2" help hush 2>&1)" \
    'lyra2: hush: no such command; see "lyra2 --help"'
for command in $commands; do
	case $command in
	hash | verify)
		options=$(from_page Parameters; from_page "lyra2 $command") ;;
	*)
		options=$(from_page "lyra2 $command") ;;
	esac
	is "lyra2 $command" "$(echo "$options" | sort)" \
	    "$(from_help "$command")"
done
if command -v mandoc >/dev/null; then
	is "and is correct mdoc" "$(mandoc -Tlint -W warning "$page")" ""
else
	skip "and is correct mdoc" "no mandoc"
fi
tap_done
