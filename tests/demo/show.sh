# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Sourced by the demo: prints each command, and its result.

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# show COMMAND STATUS: runs a command line, which must end with that status
show()
{
	printf '$ %s\n' "$1"
	status=0
	(cd "$scratch" && sh -c "$1") || status=$?
	if [ "$status" -ne "$2" ]; then
		echo "demo: exit status $status where $2 was expected" >&2
		exit 1
	fi
	[ "$status" -eq 0 ] || printf '(exit status %s)\n' "$status"
}

say()
{
	printf '\n# %s\n' "$1"
}
