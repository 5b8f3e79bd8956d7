# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Sourced by the suites of the PAM module: enters a private namespace, and has
# the functions that they share.  In the namespace the module is staged, hashes
# are cheap, and the machine's own files are out of reach: tests/lib/namespace.
# With DOOR=closed its kernel is one before 6.16, for the door of rights.h.
#
#	user NAME HASH [REST]	adds an account; REST ends its shadow line
#	hash SETTING PASSWORD	prints the result of crypt(3)
#	service NAME WORDS...	makes a PAM service of pam_lyra2 with options
#	configure LINE...	adds these lines to the usual configuration
#	start_service, end_service [SIGNAL]	lyra2d, which runs at first
#	idle			waits until lyra2d has no worker
#	ask OP FLAGS USER OLD NEW	asks lyra2d itself: tests/lib/lyra2d.py
#	try SERVICE USER CALL...	runs tests/pam/try
#	stored NAME		prints the user's field of /etc/shadow
#	another_id WHAT CALL...	if a call needs a user ID that this namespace
#				lacks, skips WHAT
#	daemon_log FILE CMD...	runs a command and collects what it logs
#	hold_lock posix|ofd	starts a process, $holder, that locks the
#				password files as lckpwdf(3) or lyra2d does
#	given_back		ends $holder
#	wait_for CMD...		repeats CMD until it succeeds, for a minute
#	alive NAME [-n]		prints the processes of that name, or the newest
#				one; leaves out those that have ended, which the
#				shell does not reap during a substitution
#	there_are COUNT NAME	succeeds if so many are alive
#	computing PID		succeeds if the process computes a slow hash
#	computes NAME		succeeds if the newest computes a slow hash
#	preload NAME		makes NAME.so of NAME.c, both in $work
#	replace HELPER <FILE	replaces a file that may still be running
. "$SRCDIR/tests/lib/tap.sh"

if [ "${PAM_NS_INSIDE:-}" != yes ]; then
	prefix=$(cd "$BUILDDIR" && find tests/stage -name sbin -type d |
	    sed 's,^tests/stage\(.*\)/sbin$,\1,')
	[ -n "$prefix" ] || skip_all "configured with --disable-pam"
	status=0 confine=
	[ "${DOOR:-}" != closed ] ||
		confine="$BUILDDIR/tests/place/confine passrights=EINVAL --"
	# shellcheck disable=SC2086	# words
	"$SRCDIR/tests/lib/namespace" "$BUILDDIR/tests/stage" "$prefix" \
	    $confine sh "$SRCDIR/tests/${0##*/tests/}" "$prefix" || status=$?
	[ "$status" -ne 77 ] || skip_all "no mount namespace available here"
	exit "$status"
fi
prefix=$1
module=$(find "$prefix" -name pam_lyra2.so)
conf=$(echo "$prefix"/etc | sed 's,^/usr/etc$,/etc,')/security/pam_lyra2.conf
CHEAP='method=lyra2
cost=10
cols=171'
mkdir -p "${conf%/*}"
echo "$CHEAP" >"$conf"
pam_ids=1000
# shellcheck disable=SC2034	# for the suites
work=$(mktemp -d)
lyra2d=$prefix/sbin/lyra2d

# What the unit of systemd leaves lyra2d, as setpriv(1) names it
capabilities=-all$(sed -n 's/^CapabilityBoundingSet=//p' \
	"$SRCDIR/pam/service/lyra2d.service.in" | tr '[:upper:]' '[:lower:]' |
	sed 's/\(^\| \)cap_/,+/g')

# start_service: starts lyra2d, and waits until it listens.  It ends by
# end_service, or with this namespace.
start_service()
{
	# shellcheck disable=SC2086	# words
	setpriv --bounding-set="$capabilities" $lyra2d \
		>/dev/null 2>"$work/lyra2d.err" &
	service_pid=$!
	wait_for ask listens
}

idle()
{
	wait_for there_are 1 lyra2d
}

configure()
{
	printf '%s\n' "$CHEAP" "$@" >"$conf"
}

ask()
{
	python3 -B "$SRCDIR/tests/lib/lyra2d.py" "$@"
}

# shellcheck disable=SC2120	# a signal is rare
end_service()
{
	kill "-${1:-TERM}" "$service_pid"
	wait "$service_pid" 2>/dev/null || :
}

user()
{
	pam_ids=$((pam_ids + 1))
	echo "$1:x:$pam_ids:100::/:/bin/sh" >>/etc/passwd
	echo "$1:$2:${3-19000:0:99999:7:::}" >>/etc/shadow
}

# names_for UID...: gives these user IDs names
names_for()
{
	for pam_id; do
		echo "user$pam_id:x:$pam_id:100::/:/bin/sh" >>/etc/passwd
	done
}

hash()
{
	perl -e 'print crypt($ARGV[1], $ARGV[0])' "$1" "$2"
}

service()
{
	pam_service=$1
	shift
	for pam_type in auth password; do
		echo "$pam_type required $module nodelay $*"
	done >"/etc/pam.d/$pam_service"
}

# One line: what the module said and what each call returned.
try()
{
	"$BUILDDIR/tests/pam/try" /etc/pam.d "$@" 2>&1 | tr '\n' '/'
}

stored()
{
	awk -F: -v name="$1" '$1 == name { print $2 }' /etc/shadow
}

another_id()
{
	id_what=$1
	shift
	case $* in
	*uid:*)
		setpriv --reuid 1 --clear-groups true 2>/dev/null && return 1
		skip "$id_what" "this namespace has one user ID"
		;;
	*)
		return 1
		;;
	esac
}

daemon_log()
{
	python3 "$SRCDIR/tests/lib/devlog.py" "$@"
}

hold_lock()
{
	rm -f "$work/held"
	python3 - "$1" "$work/held" <<-'PY' &
	import fcntl, os, struct, sys, time
	fd = os.open("/etc/.pwd.lock", os.O_RDWR | os.O_CREAT, 0o600)
	F_OFD_SETLK = 37
	if sys.argv[1] == "posix":
	    fcntl.lockf(fd, fcntl.LOCK_EX)
	else:
	    fcntl.fcntl(fd, F_OFD_SETLK,
	                struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))
	open(sys.argv[2], "w").close()
	time.sleep(60)
	PY
	holder=$!
	wait_for test -e "$work/held"
}

given_back()
{
	kill "$holder"
	wait "$holder" 2>/dev/null || :
}

wait_for()
{
	wf=0
	until "$@" >/dev/null 2>&1; do
		wf=$((wf + 1))
		[ $wf -lt 600 ] || return 1
		sleep 0.1
	done
}

alive()
{
	pgrep -r D,R,S,T,t -x "$@"
}

there_are()
{
	[ "$(alive "$2" | wc -l)" -eq "$1" ]
}

# All work before the hash takes less than a tenth of a second of CPU time.
computing()
{
	[ "$(awk '{ print $14 }' "/proc/$1/stat")" -ge 10 ]
}

computes()
{
	c_pid=$(alive "$1" -n) && computing "$c_pid"
}

preload()
{
	# shellcheck disable=SC2086	# CC may have arguments
	$CC -D_GNU_SOURCE -shared -fPIC \
	    -o "$work/$1.so" "$work/$1.c" 2>/dev/null
}

replace()
{
	cat >"$1.new" && chmod 755 "$1.new" && mv -f "$1.new" "$1"
}

start_service
