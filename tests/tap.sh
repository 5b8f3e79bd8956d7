# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Sourced by the test scripts: says what passed in the Test Anything Protocol.
#
#	ok DESCRIPTION COMMAND...	passes if the command succeeds
#	fails DESCRIPTION COMMAND...	passes if it fails
#	is DESCRIPTION GOT WANTED	passes if the two strings are equal
#	skip DESCRIPTION REASON		counts as skipped
#	skip_all REASON			skips the whole script
#	tap_done			ends the script

tap_count=0
tap_failed=0

# tap_result STATUS DESCRIPTION [OUTPUT]
tap_result()
{
	tap_count=$((tap_count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $tap_count - $2"
		return
	fi
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_count - $2"
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
	tap_status=1
	tap_output=$("$@" 2>&1 </dev/null) || tap_status=0
	tap_result "$tap_status" "$tap_what" "succeeded: $*
$tap_output"
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
	echo "ok $tap_count - $1 # SKIP $2"
}

skip_all()
{
	echo "1..0 # SKIP $1"
	exit 0
}

tap_done()
{
	echo "1..$tap_count"
	[ "$tap_failed" -eq 0 ]
	exit
}
