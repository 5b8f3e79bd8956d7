# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Sourced by bootstrap and by crypt/build-*: shows that long work goes on.
#
#	progress COUNT LOG COMMAND...
#			runs the command with its output in LOG; meanwhile
#			says on standard error how long it has run and what the
#			function COUNT prints: each second on a terminal, else
#			each minute

progress()
{
	progress_count=$1 progress_log=$2 progress_status=0
	shift 2
	progress_ticks "$(date +%s)" &
	progress_ticker=$!
	"$@" >"$progress_log" 2>&1 || progress_status=$?
	# A trap of the caller could catch another signal in the child.
	kill -KILL "$progress_ticker" 2>/dev/null || :
	wait "$progress_ticker" 2>/dev/null || :
	[ ! -t 2 ] || printf '\r\033[K' >&2
	return "$progress_status"
}

# progress_ticks BEGUN: prints until the script ends or kills it.  Its last
# sleep goes on for a moment, and must not keep the script's output open.
progress_ticks()
{
	start='   ' end='\n' wait=60
	[ ! -t 2 ] || start='\r\033[K   ' end='' wait=1
	while sleep $wait >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do
		seconds=$(($(date +%s) - $1))
		# shellcheck disable=SC2059	# a format
		printf "$start%d:%02d  %.60s$end" $((seconds / 60)) \
		    $((seconds % 60)) "$($progress_count)" >&2
	done
}
