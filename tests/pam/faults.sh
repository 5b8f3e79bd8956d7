# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# tests/unit/writer.c tests the writer of /etc/shadow alone.  This script tests
# it in lyra2d, in a login that rehashes and in a change: the order of the
# calls, and the result if a call for /etc fails or is the last one.
# CHECK=long takes each call, not one of three.
. "$SRCDIR/tests/lib/pam.sh"

strace -y -o /dev/null true 2>/dev/null || skip_all "strace may not trace here"
CHECK_OLD=2
user alice "$(hash '$6$salt$' secret)"
user bob '!'
end_service
command -v setfacl >/dev/null && setfacl -m u:7:r /etc/shadow
command -v setfattr >/dev/null && setfattr -n user.note -v kept /etc/shadow
cp --preserve=all /etc/shadow "$work/old"

# act rehash|to-yescrypt|change OPTION...: does that under strace, with these
# options
act()
{
	a_what=$1 new=lyra2
	shift
	configure
	if [ "$a_what" = to-yescrypt ]; then
		new=y
		configure method=yescrypt
	fi
	cp --preserve=all "$work/old" /etc/shadow
	if [ "$a_what" = change ]; then
		LYRA2D="strace -f $* $lyra2d --private" \
		    ask set $CHECK_OLD alice secret newone
		return
	fi
	rm -f /run/lyra2/socket
	strace -f "$@" "$lyra2d" &
	tracer=$!
	wait_for ask listens
	ask verify 0 alice secret ''
	# SIGTERM ends a worker that does not hold the lock.
	wait_for no_worker
	kill "$(alive lyra2d -o)" 2>/dev/null
	wait "$tracer"
}
no_worker()
{
	[ "$(alive lyra2d | wc -l)" -le 1 ]
}
attributes()
{
	stat -c '%a %u %g' "$1"
	getfattr -d -m - "$1" 2>/dev/null | tail -n +2
}
is_old()
{
	cmp -s /etc/shadow "$work/old"
}
is_new()
{
	stored alice | grep -q "^[$]${new}[$]" && [ "$(sed '/^alice:/d' \
	    /etc/shadow)" = "$(sed '/^alice:/d' "$work/old")" ]
}
# judge: prints whether the file is neither the old nor the new one, has other
# attributes, or cannot be changed next
judge()
{
	is_old || is_new || echo "torn"
	[ "$(attributes /etc/shadow)" = "$(attributes "$work/old")" ] ||
	    echo "other attributes"
	LYRA2D="$lyra2d --private" ask set 4 alice '' next |
	    grep -q '^verdict 0' || echo "no next change"
	ls /etc/.shadow.lyra2.* 2>/dev/null
}
# calls: prints the calls of the process that takes the lock, as "NAME NTH", but
# not those that the service itself makes as often
calls()
{
	perl -ne '
		($pid, $name) = /^(\d+) +(\w+)\(/ or next;
		$first //= $pid;
		$of{$pid}{$name}++;
		$writer = $pid if /SETLK.*WRLCK/;
		END {
			for $name (sort keys %{$of{$writer}}) {
				$not = $writer == $first ? 0 :
				    $of{$first}{$name} // 0;
				print "$name $_\n"
				    for $not + 1 .. $of{$writer}{$name};
			}
		}' "$work/trace"
}

step=3 number=0
[ "${CHECK:-}" != long ] || step=1
about='-P /etc -P /etc/shadow -P /etc/.shadow.lyra2.0 -P /etc/.pwd.lock'
for what in rehash to-yescrypt change; do
	act $what -y -o "$work/trace" >/dev/null
	ok "$what: a new hash" is_new
	is "$what: an order that survives a power failure" "$(perl -ne '
		s/^\d+ +//;
		$on = 1 if /SETLK.*WRLCK/;
		next unless $on;
		print "block " if /^rt_sigprocmask\(SIG_SETMASK, ~/;
		print "create " if m{^openat\(\d+</etc>, "\.shadow.*, 0600\b} &&
		    /O_EXCL/ && /O_NOFOLLOW/ && /O_CLOEXEC/;
		print "$1 " if m{^(fchown|fchmod|fsync|close)\(\d+</etc/\.shad};
		print "look " if /^newfstatat\(\d+<\/etc>, "shadow"/;
		print "rename " if /^renameat2?\(/;
		print "fsync-directory " if m{^fsync\(\d+</etc>};
		print "unlock " if m{^close\(\d+<.*\.pwd\.lock>};
		' "$work/trace")" "block create fchmod fchown fsync close look \
rename fsync-directory unlock "
	# shellcheck disable=SC2086	# words
	act $what $about -o "$work/trace" >/dev/null
	calls >"$work/calls"
	# Each scenario takes other calls, and either fault in turn.
	faults=0 old=0 number=$((number + 1)) line=$number
	while read -r name nth; do
		line=$((line + 1))
		[ $((line % step)) -eq 0 ] || continue
		fault=error=EIO
		[ $((faults % 2)) -eq 0 ] || fault=signal=KILL
		# shellcheck disable=SC2086	# words
		act $what $about -o /dev/null \
		    -e "inject=$name:$fault:when=$nth" >/dev/null 2>&1
		faults=$((faults + 1))
		! is_old || old=$((old + 1))
		judge | sed "s/^/$name $nth, $fault: /"
	done <"$work/calls" >"$work/bad"
	is "$what: $faults faults, $old left the old file" \
	    "$(cat "$work/bad")" ""
	ok "$what: some strike, and not all before the new file" \
	    test 0 -lt "$old" -a "$old" -lt "$faults"
done
rm -r "$work"
tap_done
