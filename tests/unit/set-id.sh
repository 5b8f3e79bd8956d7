# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# LYRA2_KERNEL is for tests: a set-id program does not listen to it.
. "$SRCDIR/tests/lib/tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
program=$work/show-kernel
cp "$BUILDDIR/tests/unit/show-kernel" "$program"

is "an ordinary program listens" "$(LYRA2_KERNEL=plain "$program")" plain
is "and knows no kernel of another name" \
	"$(LYRA2_KERNEL=nonsense "$program")" none

# A group of ours other than the one that we run in makes it set-group-id.
group=
for candidate in $(id -G) 65534; do
	if [ "$candidate" != "$(id -g)" ] &&
	    chgrp "$candidate" "$program" 2>/dev/null; then
		group=$candidate
	fi
done
if [ -z "$group" ]; then
	skip "a set-group-id program does not" "no second group to give it to"
elif ! chmod g+s "$program" || [ ! -g "$program" ] ||
    findmnt -n -o OPTIONS -T "$work" | grep -q nosuid; then
	skip "a set-group-id program does not" "$work is mounted nosuid"
else
	is "a set-group-id program does not" \
		"$(LYRA2_KERNEL=nonsense "$program")" "$("$program")"
fi
tap_done
