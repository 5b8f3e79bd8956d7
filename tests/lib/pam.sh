# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Sourced by the suites of the PAM module: enters a private namespace, and has
# what they share.  There the module is staged, hashes are cheap, and the
# machine's own files are out of reach; see tests/lib/namespace.
#
#	user NAME HASH [REST]	adds an account; REST of its shadow line
#	hash SETTING PASSWORD	prints what crypt(3) gives
#	service NAME WORDS...	makes a PAM service of pam_lyra2 with options
#	try SERVICE USER CALL...	runs tests/pam/try
#	stored NAME		prints the user's field of /etc/shadow
#	slots_held NUMBER	whether that slot is taken; '*': how many are
#	another_id WHAT CALL...	if a call needs a user ID that this namespace
#				lacks, skips WHAT
#	daemon_log FILE CMD...	runs a command and collects what it logs
#	wait_for CMD...		until that succeeds, for 20 seconds at most
#	alive NAME [-n]		the processes of that name, or the newest; not
#				those that have ended, of which the shell takes
#				no notice while it waits for a substitution
#	there_are COUNT NAME	whether so many are alive
#	computing PID [TICKS]	whether it has come to a slow hash
#	waiting PID		whether it waits: it sleeps, again and again
#	computes NAME		whether the newest has come to a slow hash
#	preload NAME		makes NAME.so of NAME.c, both in $work
#	replace HELPER <FILE	puts a file in its place, as it may still run
. "$SRCDIR/tests/lib/tap.sh"

if [ "${PAM_NS_INSIDE:-}" != yes ]; then
	prefix=$(cd "$BUILDDIR" && find tests/stage -name sbin -type d |
	    sed 's,^tests/stage\(.*\)/sbin$,\1,')
	[ -n "$prefix" ] || skip_all "configured with --disable-pam"
	status=0
	"$SRCDIR/tests/lib/namespace" "$BUILDDIR/tests/stage" "$prefix" \
	    sh "$SRCDIR/tests/${0##*/tests/}" "$prefix" || status=$?
	[ "$status" -ne 77 ] || skip_all "no mount namespace available here"
	exit "$status"
fi
prefix=$1
module=$(find "$prefix" -name pam_lyra2.so)
conf=/etc/security/pam_lyra2.test
CHEAP='t_cost=1
cost=4
cols=704'
echo "$CHEAP" >"$conf"
pam_ids=1000
# shellcheck disable=SC2034	# for the suites
work=$(mktemp -d)

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
	for pam_type in auth account password session; do
		echo "$pam_type required $module conf=$conf nodelay $*"
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

# locks_of FILE...: as /proc/locks names them: other namespaces have files with
# the same number
locks_of()
{
	stat -c '%Hd %Ld %i' "$@" | while read -r lo_major lo_minor lo_inode; do
		printf ' %02x:%02x:%d ' "$lo_major" "$lo_minor" "$lo_inode"
		echo
	done >"$work/locks"
	grep -F -f "$work/locks" /proc/locks
}

slots_held()
{
	# shellcheck disable=SC2086	# all of them
	locks_of /run/lyra2/slot.$1 | grep -c .
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

# A tenth of a second of the processor is more than all that comes before.
computing()
{
	[ "$(awk '{ print $14 }' "/proc/$1/stat")" -ge "${2-10}" ]
}

waiting()
{
	[ "$(awk '/^voluntary/ { print $2 }' "/proc/$1/status")" -ge 30 ]
}

computes()
{
	c_pid=$(alive "$1" -n) && computing "$c_pid"
}

preload()
{
	# shellcheck disable=SC2086	# CC may have arguments
	$CC -D_GNU_SOURCE -I"$SRCDIR/tests/lib" -shared -fPIC \
	    -o "$work/$1.so" "$work/$1.c" 2>/dev/null
}

replace()
{
	cat >"$1.new" && chmod 755 "$1.new" && mv -f "$1.new" "$1"
}
