# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Sourced by the test scripts: says what passed in the Test Anything Protocol.
#
#	ok DESCRIPTION COMMAND...	passes if the command succeeds
#	fails DESCRIPTION COMMAND...	passes if the command exists and fails
#	is DESCRIPTION GOT WANTED	passes if the two strings are equal
#	skip DESCRIPTION REASON		counts as skipped
#	skip_all REASON			skips the whole script
#	include PREFIX <FILE		counts the results in FILE, also of TAP
#	tap_done			ends the script

# A user's PATH in Debian has no ldconfig.
PATH=$PATH:/usr/sbin:/sbin
# Files of a test must not be writable for a group, as a user's umask may allow.
umask 022
tap_count=0
tap_failed=0

# tap_result STATUS DESCRIPTION [OUTPUT]
tap_result()
{
	tap_count=$((tap_count + 1))
	if [ "$1" -eq 0 ]; then
		printf 'ok %d - %s\n' $tap_count "$2"
		return
	fi
	tap_failed=$((tap_failed + 1))
	printf 'not ok %d - %s\n' $tap_count "$2"
	printf '%s\n' "${3-}" | sed 's/^/# /'
}

ok()
{
	tap_what=$1
	shift
	tap_status=0
	tap_output=$("$@" 2>&1 </dev/null) || tap_status=$?
	tap_result "$tap_status" "$tap_what" "exit status $tap_status from: $*
$tap_output"
}

fails()
{
	tap_what=$1
	shift
	tap_status=0
	tap_output=$("$@" 2>&1 </dev/null) || tap_status=$?
	case $tap_status in
	0 | 126 | 127) tap_result 1 "$tap_what" "exit status $tap_status \
from: $*
$tap_output" ;;
	*) tap_result 0 "$tap_what" ;;
	esac
}

is()
{
	tap_status=0
	[ "$2" = "$3" ] || tap_status=1
	tap_result "$tap_status" "$1" "got:    $2
wanted: $3"
}

skip()
{
	tap_count=$((tap_count + 1))
	printf 'ok %d - %s # SKIP %s\n' $tap_count "$1" "$2"
}

skip_all()
{
	echo "1..0 # SKIP $1"
	exit 0
}

# A scenario that breaks off prints no plan, and so it fails.
include()
{
	tap_plan=missing
	while IFS= read -r tap_line; do
		case $tap_line in
		"ok "*" # SKIP "*)
			tap_line=${tap_line#*- }
			skip "$1: ${tap_line% # SKIP *}" "${tap_line#* # SKIP }"
			;;
		"ok "*) tap_result 0 "$1: ${tap_line#*- }" ;;
		"not ok "*) tap_result 1 "$1: ${tap_line#*- }" ;;
		1..*) tap_plan=there ;;
		"# "*) printf '%s\n' "$tap_line" ;;
		*) printf '# %s\n' "$tap_line" ;;
		esac
	done
	is "$1: came to its end" $tap_plan there
}

tap_done()
{
	echo "1..$tap_count"
	[ "$tap_failed" -eq 0 ]
	exit
}
