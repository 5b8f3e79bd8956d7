# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Unit programs: our own functions run as they are, and nothing of this machine
# is reached, even by root: neither a call that seams.list lacks, nor a file of
# the system by its name.
. "$SRCDIR/tests/lib/tap.sh"

cd "$BUILDDIR" || exit 1
# shellcheck disable=SC2086	# words
set -- $UNIT_PROGRAMS
[ $# -gt 0 ] || skip_all "there are no unit programs here"

# What our libraries define, one a line
own=$(find src pam -name '*.a' -exec nm -g --defined-only {} + 2>/dev/null |
	sed -n 's/.* [TDBR] \(.*\)/\1/p' | sort -u)
ok "our functions are known" test -n "$own"

# both LIST: prints which of these names are ours
both()
{
	sort -u | comm -12 - "$own_file"
}
own_file=$(mktemp)
trap 'rm -f "$own_file"' EXIT
echo "$own" >"$own_file"

# What stands for a CPU that computes wrongly
cpu='bash_blocks_plain|lyra2_blamka_plain|selftest|bash_dispatch'
allowed=$(sed '/^#/d; /^$/d' "$SRCDIR/tests/source/seams.list" |
	paste -sd '|' -)
for program; do
	name=${program#tests/unit/}
	is "$name calls nothing else" "$(nm -u "$program" |
		sed 's/^ *[A-Za-z] //; s/@.*//' | grep -Evx "$allowed")" ""
	# Not in a sentence, and not all of /etc, which has an inode.
	is "$name knows no file of the system" "$(readelf -p .rodata \
		"$program" | sed -n 's/^ *\[ *[0-9a-f]*\] *//p' |
		grep -E '^/(etc/|run|var|usr|sbin|dev/log)')" ""
	object=$(find tests/unit \( -name "$name.o" -o -name "*-$name.o" \) \
		-exec ls -t {} + | head -n 1)
	is "$name replaces no function of ours" "$({
		nm -g --defined-only "$object" |
			sed -n 's/.* [TDBRW] \(__wrap_\)*\(.*\)/\2/p'
		sed -n 's/^#define \([a-z_0-9]*\)[ (].*/\1/p' \
		    "$SRCDIR/$program.c"
	} | both | grep -Evx "$cpu")" ""
done
tap_done
