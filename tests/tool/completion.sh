#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What bash completes after "lyra2"
# shellcheck disable=SC2016	# bash's words
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"

lyra2=$BUILDDIR/src/lyra2
[ -x "$lyra2" ] || skip_all "configured with --disable-tool"
command -v bash >/dev/null || skip_all "no bash here"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# completes WORD...: prints the possible completions of the last word
completes()
{
	bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
		_lyra2 "$1"; echo "${COMPREPLY[@]}"' \
		"$SRCDIR/src/tool/completion/lyra2" "$lyra2" "$@"
}

is "commands" "$(completes ve)" verify
is "all of them, and two options" "$(completes '' | wc -w)" \
	"$(($("$lyra2" --help | grep -c '^  [a-z]') + 2))"
is "options of a command" "$(completes audit --str)" "--stranded --string"
is "every one that --help has" "$(completes hash '' | tr ' ' '\n' | sort)" \
	"$("$lyra2" hash --help | grep -o '^  --[a-z-]*' | tr -d ' ' | sort)"
is "no option where a number is wanted" "$(completes hash --cost '')" ""
is "but after a flag" "$(completes audit --json --stra)" --stranded
is "methods" "$(completes hash --method '')" "lyra2 bash-lyra2"
is "kernels" "$(completes selftest --kernel pla)" plain
touch "$work/hash"
is "files" "$(completes verify -f "$work/h")" "$work/hash"
is "nothing for what is no command" "$(completes nonsense --)" ""
tap_done
