# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# In which order a new hash gets to the disk, and what happens to it if others
# are at work on /etc/shadow meanwhile.
. "$SRCDIR/tests/lib/pam.sh"

ask=$BUILDDIR/tests/pam/ask
update=$prefix/sbin/lyra2_update
OP_VERIFY=1
ATTACHED=0	# without FLAG_DETACH: no second process
user alice "$(hash '$6$salt$' secret)"
user bob '!'
cp -p /etc/shadow "$work/old"

# rehash COMMAND...: a login by lyra2_update, started by a command
rehash()
{
	cp -p "$work/old" /etc/shadow
	"$ask" "$OP_VERIFY" "$ATTACHED" "$conf" alice secret '' "$@" "$update" \
	    2>&1
}
is_new()
{
	grep -q '^alice:.lyra2' /etc/shadow
}
none_left()
{
	! ls /etc/.shadow.lyra2.* 2>/dev/null
}

cp -p "$work/old" /etc/shadow
{ cat "$conf"; echo 'rehash = never'; } >"$work/never"
"$ask" "$OP_VERIFY" "$ATTACHED" "$work/never" alice secret '' "$update" \
    >/dev/null
ok "rehash = never: nothing changes" cmp /etc/shadow "$work/old"

# ---- the system calls ----
rehash >/dev/null	# makes the file of slots
if strace -y -o /dev/null true 2>/dev/null; then
	rehash strace -y -o "$work/trace" >/dev/null
	ok "traced: a new hash" is_new
	is "the order that survives a power failure" "$(perl -ne '
		BEGIN { $new = qr{/etc/\.shadow\.lyra2\.0} }
		$on = 1 if /SETLK.*WRLCK/ && m{<.*\.pwd\.lock>};
		next unless $on;
		print "block " if /^rt_sigprocmask\(SIG_SETMASK, ~/;
		print "unblock " if /^rt_sigprocmask\(SIG_SETMASK, \[\]/;
		print "read " if m{^openat\(\d+</etc>, "shadow", } &&
		    /O_NOFOLLOW/ && /O_CLOEXEC/;
		print "create " if m{^openat\(\d+</etc>, "\.shadow.*, 0600\)} &&
		    /O_EXCL/ && /O_NOFOLLOW/ && /O_CLOEXEC/;
		if (s/^(\w+)\(\d+<$new(?:\(deleted\))?>.*/$1/) {
			chomp;
			print "$_ " if /chown|chmod|write|fsync|close/ &&
			    $_ ne $last;
			$last = $_;
		}
		print "look " if /^newfstatat\(\d+<\/etc>, "shadow"/ ||
		    /^statx\(\d+<\/etc>, "shadow"/;
		print "rename " if /^renameat2?\(/;
		print "fsync-directory " if m{^fsync\(\d+</etc>};
		' "$work/trace")" \
	    "block read create fchown fchmod write fsync close look rename fsync-directory unblock "
	cp -p "$work/old" /etc/shadow
	daemon_log "$work/log" "$ask" "$OP_VERIFY" "$ATTACHED" "$conf" alice \
	    secret '' strace -y -s 200 -o "$work/trace2" "$update" >/dev/null
	is "a log that hangs does not keep the lock" "$(perl -ne '
		print "unlock " if m{^close\(\d+<.*\.pwd\.lock>};
		print "log " if /^sendto\(.* rehashed from /;
		' "$work/trace2")" "unlock log "
	# nth CALL PATTERN: how many of these calls there are up to the first
	# that matches, after the file was opened to be replaced
	nth()
	{
		perl -ne 'BEGIN { ($call, $pattern) = splice @ARGV, 0, 2 }
			$n++ if /^$call\(/;
			$on = 1 if /SETLK.*WRLCK/ && /pwd\.lock/;
			if ($on && /^$call\(/ && /$pattern/) {
				print $n;
				exit;
			}' "$1" "$2" "$work/trace"
	}
	reads=$(nth read '/etc/shadow>')
	writes=$(nth write 'shadow\.lyra2')
	closes=$(nth close 'shadow\.lyra2')
	rehash strace -o /dev/null -e "inject=read:error=EINTR:when=$reads" \
	    >/dev/null
	ok "a signal interrupts the read: it goes on" is_new
	rehash strace -o /dev/null -e "inject=write:error=EINTR:when=$writes" \
	    >/dev/null
	ok "a signal interrupts the write: it goes on" is_new
	# faulty WHAT FAULT: nothing changes with that
	faulty()
	{
		rehash strace -o "$work/trace2" -e "inject=$2" >/dev/null
		ok "$1: it happens" grep -q INJECTED "$work/trace2"
		ok "$1: the old one stays" cmp /etc/shadow "$work/old"
		ok "$1: nothing is left" none_left
	}
	faulty "an end that is none" "read:retval=0:when=$reads"
	faulty "a byte that was not read" "read:retval=1:when=$reads"
	for fault in EIO ENOSPC; do
		faulty "closing the new file fails with $fault" \
		    "close:error=$fault:when=$closes"
	done
	faulty "the disk refuses the data" fsync:error=EIO:when=1
	faulty "a write fails" "write:error=EIO:when=$writes"
	faulty "a byte that is not written" "write:retval=1:when=$writes"
	faulty "no list of attributes" flistxattr:error=EIO
	for call in fchown fchmod; do
		faulty "$call fails" \
		    "$call:error=EPERM:when=$(nth $call 'shadow\.lyra2')"
	done
	: >"$work/log"
	cp -p "$work/old" /etc/shadow
	daemon_log "$work/log" "$ask" "$OP_VERIFY" "$ATTACHED" "$conf" alice \
	    secret '' strace -o /dev/null -e inject=/^renameat:error=EIO \
	    "$update" >/dev/null
	ok "renaming fails: it is said" \
	    grep -q 'not rehashed.*Input/output error' "$work/log"
	ok "renaming fails: nothing is left" none_left
	cp -p "$work/old" /etc/shadow
	daemon_log "$work/log" timeout 10 "$ask" "$OP_VERIFY" "$ATTACHED" \
	    "$conf" alice secret '' strace -o /dev/null -P /etc/.pwd.lock \
	    -e inject=fcntl:error=ENOLCK "$update" >/dev/null
	ok "locking fails: it is said, and not tried again" \
	    grep -q 'not rehashed.*No locks available' "$work/log"
	setfattr -n user.note -v kept "$work/old" 2>/dev/null ||
	    setfattr -n trusted.note -v kept "$work/old" 2>/dev/null || :
	if getfattr -d -m - "$work/old" 2>/dev/null | grep -q note; then
		for call in fgetxattr fsetxattr; do
			cp --preserve=all "$work/old" /etc/shadow
			"$ask" "$OP_VERIFY" "$ATTACHED" "$conf" alice secret \
			    '' strace -o "$work/trace2" -e \
			    inject=$call:error=EIO "$update" >/dev/null
			ok "$call fails: the old one stays" \
			    cmp /etc/shadow "$work/old"
			ok "$call was called" grep -q INJECTED "$work/trace2"
		done
		setfattr -x user.note "$work/old" 2>/dev/null ||
		    setfattr -x trusted.note "$work/old"
	else
		skip "attributes" "setfattr cannot set any here"
	fi
else
	skip "the order of system calls" "strace may not trace here"
fi

# ---- others at work ----
$CC -D_GNU_SOURCE -shared -fPIC -o "$work/watch.so" \
    "$SRCDIR/tests/pam/watch.c" || {
	skip "others at work" "$CC cannot make a shared library"
	tap_done
}
# meddle COMMAND: a login; the command runs before the new file is put in place
meddle()
{
	rehash env LD_PRELOAD="$work/watch.so" BEFORE_FSYNC="$1" >/dev/null
}
meddle ':'
ok "nobody meddles: a new hash" is_new
# The time of the copy has a fraction, as those that the kernel sets.
touch -d '2020-01-01 00:00:00.123456789' "$work/old"
while read -r what command; do
	meddle "$command; cp -p /etc/shadow $work/meddled"
	ok "$what: what the other has written stays" \
	    cmp /etc/shadow "$work/meddled"
	fails "$what: it is not ours" is_new
	ok "$what: nothing is left" none_left
done <<EOF
inode cp -p /etc/shadow /etc/shadow+; mv /etc/shadow+ /etc/shadow
size echo carol:x:1:::::: >>/etc/shadow; touch -r $work/old /etc/shadow
seconds sed s/bob:!/bob:*/ $work/old | tee /etc/shadow; touch -d '2020-01-01 00:00:01.123456789' /etc/shadow
nanoseconds sed s/bob:!/bob:*/ $work/old | tee /etc/shadow; touch -d '2020-01-01 00:00:00.123456788' /etc/shadow
EOF
meddle 'kill -TERM $PPID; kill -INT $PPID'
ok "a signal at the wrong moment: a new hash all the same" is_new
ok "a signal at the wrong moment: nothing is left" none_left
# A control group that a user owns can be frozen, with the lock held.
(meddle 'kill -STOP $PPID'; : >"$work/over") &
ok "who is frozen does not have the lock without end" \
    wait_for test -e "$work/over"
pkill -9 -x lyra2_update
ok "the old file stands" cmp /etc/shadow "$work/old"
meddle ':'
ok "and the next change is made" is_new
ok "nothing is left of either" none_left
slots_held '*' >/dev/null
meddle "grep -cFf $work/locks /proc/locks >$work/slots"
is "who writes has no slot" "$(cat "$work/slots")" 0
cp -p "$work/old" /etc/shadow
truncate -s 513M /etc/shadow
"$ask" "$OP_VERIFY" "$ATTACHED" "$conf" alice secret '' "$update" >/dev/null
is "a file of more than 512 MiB is left alone" \
    "$(head -n 2 /etc/shadow | sed -n 's/^alice:\(...\).*/\1/p')" '$6$'
meddle 'stat -c "%a %u" /etc/.shadow.lyra2.0 >'"$work/mode"
is "the new file is never open to others" "$(cat "$work/mode")" "640 0"

# ---- nothing secret is left in a helper that ends ----
cp "$prefix/sbin/lyra2_chkpwd" "$work/lyra2_chkpwd"
chmod 755 "$work/lyra2_chkpwd"
# The C library, which wipes nothing, reads no farther than alice's line.
user pad "*$(printf '%05000d' 0)"
user carol 'a-word-of-carol'
user dave "$(hash '$6$salt$' word-of-dave)"
cp -p /etc/shadow "$work/old"
word=no-such-word-anywhere
wanted=nor-this-new-word-of-alice
backwards()
{
	for word; do
		printf '%s' "$word" | rev
		printf ' '
	done
}
new_hash='$c=704$......................$....................'
crypt_hash='$y$j9T$......................$....................'
# left OP FLAGS USER PASSWORD NEW HELPER WORD...: what it frees or keeps of words
left()
{
	l_helper=$6 l_op=$1
	l_flags=$2 l_user=$3 l_password=$4 l_new=$5
	shift 6
	rm -f "$work/found"
	"$ask" "$l_op" "$l_flags" "$conf" "$l_user" "$l_password" "$l_new" \
	    env LD_PRELOAD="$work/watch.so" FOUND="$work/found" \
	    SECRETS="$(backwards "$@")" "$l_helper" >/dev/null
	[ ! -e "$work/found" ] || cat "$work/found"
}
old_hash()
{
	stored alice | cut -c10-60
}
sed -i "s,^alice:[^:]*,alice:$(hash '$6$salt$' $word)," /etc/shadow
cp -p /etc/shadow "$work/old"
is "login with a rehash" "$(left 1 0 alice $word '' "$update" $word \
    "$(old_hash)" "$new_hash" a-word-of-carol)" ""
cp -p "$work/old" /etc/shadow
is "wrong password" "$(left 1 0 alice x$word '' "$update" x$word \
    "$(old_hash)" "$new_hash" a-word-of-carol)" ""
ok "wrong password: nothing changes" cmp /etc/shadow "$work/old"
is "lyra2_chkpwd" "$(left 1 0 alice $word '' "$work/lyra2_chkpwd" $word \
    "$(old_hash)" a-word-of-carol)" ""
cp -p "$work/old" /etc/shadow
is "root's new password, by crypt(3)" "$(left 4 4 root '' $wanted "$update" \
    $wanted "$crypt_hash" a-word-of-carol)" ""
cp -p "$work/old" /etc/shadow
is "a new password" "$(left 4 2 alice $word $wanted "$update" $word $wanted \
    "$new_hash" a-word-of-carol)" ""
cp -p "$work/old" /etc/shadow
ok "the search finds what is there" test -n \
    "$(left 1 0 alice $word '' "$update" lyra2_update)"
rm -r "$work"
tap_done
