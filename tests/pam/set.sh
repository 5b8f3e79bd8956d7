# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# New passwords, requested without the module, which would refuse some of these
# requests itself.  Also changes to /etc/shadow between the check of the old
# password and the lock.
. "$SRCDIR/tests/lib/pam.sh"
command -v pgrep >/dev/null || skip_all "no pgrep here"

NULLOK=1 CHECK_OLD=2 ROOT=4
sha=$(hash '$6$salt$' secret)
user alice "$sha"
user blank ''
echo odd:x:1499:100::/:/bin/sh >>/etc/passwd
cp -p /etc/shadow "$work/old"

# sets FLAGS USER OLD NEW: makes the request and prints the result
sets()
{
	ask set "$1" "$2" "$3" "$4" |
	    sed -n 's/^verdict \([0-9]*\) .*/\1/p'
}
# refuses WHAT RESULT FLAGS USER OLD NEW: the request gives RESULT and changes
# nothing
refuses()
{
	r_what=$1 r_verdict=$2
	shift 2
	cp -p /etc/shadow "$work/before"
	is "$r_what: refused" "$(sets "$@")" "$r_verdict"
	ok "$r_what: nothing changes" cmp /etc/shadow "$work/before"
	cp -p "$work/old" /etc/shadow
}

# ---- the parts that a request needs ----
refuses "a wrong old password" 7 $CHECK_OLD alice wrong new
refuses "no new password" 20 $ROOT alice secret ''
refuses "a new password of 512 bytes" 20 $ROOT alice secret \
    "$(printf '%0512d' 0)"
refuses "a user without a line" 10 $ROOT nobody-here '' new
refuses "a blank password, without nullok" 7 $CHECK_OLD blank '' new
is "a blank password, with nullok" "$(sets $((CHECK_OLD | NULLOK)) blank '' \
    new)" 0
ok "it is set" grep -q '^blank:.lyra2' /etc/shadow
is "the right old password" "$(sets $CHECK_OLD alice secret new)" 0
is "its day is today" "$(awk -F: '/^alice:/ { print $3 }' /etc/shadow)" \
    "$(($(date +%s) / 86400))"
cp -p "$work/old" /etc/shadow
refuses "no line, and not root" 9 $CHECK_OLD odd '' new
grep ^alice: "$work/old" >>/etc/shadow
refuses "two lines of the user" 20 $CHECK_OLD alice secret new
echo "inpasswd:$sha:1500:100::/:/bin/sh" >>/etc/passwd
echo "inpasswd:$sha:19000::::::" >>/etc/shadow
refuses "a hash in /etc/passwd" 10 $ROOT inpasswd '' new
ln -s nowhere /etc/.pwd.lock.new && mv -T /etc/.pwd.lock.new /etc/.pwd.lock
refuses "a lock that is a symbolic link" 22 $CHECK_OLD alice secret new
fails "and makes nothing at its end" test -e /etc/nowhere
rm /etc/.pwd.lock
mv /etc/shadow /etc/shadow.real
ln -s shadow.real /etc/shadow
ask set $CHECK_OLD alice secret new >"$work/said"
ok "a file that is a symbolic link: refused, and it is said" \
    grep -q "alice not changed: the file is a symbolic link" "$work/said"
ok "the link is still one" test -L /etc/shadow
mv /etc/shadow.real /etc/shadow

# ---- root sets a password in any entry ----
# odd LINE: root sets the password of "odd"; prints the result and the line
odd()
{
	printf %b "$1" >>/etc/shadow
	ask set $ROOT odd '' newone >"$work/said"
	sed -n 's/^verdict \([0-9]*\) .*/\1/p' "$work/said"
	sed '/^odd/!d;s/:[$]lyra2[$][^:]*:/:HASH:/;s/:'"$(($(date +%s) / \
	    86400))"':/:TODAY:/' /etc/shadow | tr '\r' R
	cp -p /etc/shadow "$work/odd"
	cp -p "$work/old" /etc/shadow
}
is "no line, no line break: one is added" "$(odd 'other:*:1::::::')" "0
odd:HASH:TODAY::::::"
ok "the line before is whole" grep -q '^other:\*:1::::::$' "$work/odd"
is "a lock that was missing is root's alone" \
    "$(stat -c '%u %a' /etc/.pwd.lock)" "0 600"
is "a blank first, and four fields" "$(odd ' odd:*::: \n')" 20
is "five fields" "$(odd 'odd:*::0:99\n')" "0
odd:HASH:TODAY:0:99"
is "a NUL byte at the end" "$(odd 'odd:*:1:0:99\0x\n' | tr '\0' N)" "0
odd:HASH:TODAY:0:99Nx"
is "a NUL byte after the name: no login would read it" \
    "$(odd 'odd\0:*:1:0:99\n' | tr '\0' N)" "20
oddN:*:1:0:99"
printf '\t\f odd:*:1:0:99999:7:::\n' >>/etc/shadow
is "blanks first" "$(ask set $ROOT odd '' newone |
    sed -n 's/^verdict \([0-9]*\) .*/\1/p'
    grep -c "$(printf '^\t\f odd:.lyra2.*:0:99999:7:::$')" /etc/shadow
    grep -c odd: /etc/shadow)" "0
1
1"
cp -p "$work/old" /etc/shadow
for line in 'odd:*:99999999999:0:9:7:::' 'odd:*:1:0:-1:7:::' 'odd' \
    'odd:*:1:0:99999:7::' 'odd:*:1:0:99999:7::::' \
    'odd:*:1:0:99999:7:::\r'; do
	is "damaged, no login would read it: $line" "$(odd "$line\n")" "20
$(printf '%s' "$line" | sed 's/\\r/R/')"
done
ok "what is wrong is said" grep -q 'not changed: /etc/shadow:[0-9]*: the C library ignores' \
    "$work/said"
service std
is "chpasswd and passwd for a user without a line" \
    "$(printf 'new1word\nnew1word\n' | try std odd passwd |
    grep -o 'passwd=[0-9]*')" passwd=0
is "and a login then" "$(echo new1word | try std odd auth |
    grep -o '[a-z]*=[0-9]*' | tr '\n' ' ')" "auth=0 "
cp -p "$work/old" /etc/shadow

# ---- the audit system ----
# audited OP PASSWORD NEW: prints how often the audit system is told
audited()
{
	: >"$work/trace"
	ask "$1" $CHECK_OLD alice "$2" "$3" >/dev/null
	idle
	cp -p "$work/old" /etc/shadow
	grep -c NETLINK_AUDIT "$work/trace"
}
if ! ldd "$lyra2d" | grep -q libaudit; then
	skip "the audit system is told" "built without libaudit"
elif ! strace -o /dev/null true 2>/dev/null; then
	skip "the audit system is told" "strace may not trace here"
else
	end_service
	lyra2d="strace -f -qq -e trace=socket -o $work/trace $lyra2d"
	start_service
	is "the audit system is told of a rehash" \
	    "$(audited verify secret '')" 1
	is "and not of a wrong password" "$(audited verify wrong '')" 0
	is "of a change" "$(audited set secret new)" 1
	is "of a change that is refused" "$(audited set wrong new)" 1
	kill "$(alive lyra2d)"
	wait "$service_pid"
	lyra2d=${lyra2d##* }
	start_service
fi

# ---- changes by other processes before lyra2d has the lock ----
waits_for_lock()
{
	find /proc/[0-9]*/fd -lname '/etc/.pwd.lock' -printf '%h\n' \
	    2>/dev/null | grep -v "^/proc/$holder/" | grep -q .
}
cp -p "$work/old" /etc/shadow
hold_lock posix
sets $CHECK_OLD alice secret new >"$work/verdict" &
job=$!
wait_for waits_for_lock
sleep 3
given_back
wait $job
is "another process has the lock for three seconds" "$(cat "$work/verdict")" 0

# between WHAT RESULT EDIT FLAGS USER OLD NEW: as sets, while another process
# has the lock.  EDIT changes the user's line in between, and $once_more does so
# while that hash is computed.  If no password is set, the line stays as edited.
between()
{
	b_what=$1 b_verdict=$2 b_edit=$3
	shift 3
	cp -p "$work/old" /etc/shadow
	hold_lock posix
	sets "$@" >"$work/verdict" &
	job=$!
	wait_for waits_for_lock || echo "# it has not waited"
	sed -i "$b_edit" /etc/shadow
	cp -p /etc/shadow "$work/edited"
	given_back
	if [ -n "${once_more:-}" ]; then
		wait_for computes lyra2d || echo "# it does not again"
		kill -STOP "$c_pid"
		sed -i "$once_more" /etc/shadow
		cp -p /etc/shadow "$work/edited"
		kill -CONT "$c_pid"
	fi
	wait "$job"
	is "$b_what" "$(cat "$work/verdict")" "$b_verdict"
	if [ "$b_verdict" = 0 ]; then
		ok "$b_what: it is new" grep -q '^alice:.lyra2' /etc/shadow
	else
		ok "$b_what: that stays" cmp /etc/shadow "$work/edited"
	fi
}
# to SETTING PASSWORD: prints an edit that gives alice that hash
to()
{
	echo "s,^alice:[^:]*,alice:$(hash "$1" "$2"),"
}
between "nothing happens: it is set" 0 '' $CHECK_OLD alice secret new
# A login that began earlier makes such an edit.
between "the old password is rehashed: it is set" 0 "$(to '$5$salt$' secret)" \
    $CHECK_OLD alice secret new
once_more=$(to '$6$again$' secret)
between "rehashed, and again: refused" 20 \
    "$(to '$5$rounds=3000000$salt$' secret)" $CHECK_OLD alice secret new
once_more=''
between "the password is changed: refused" 7 "$(to '$6$salt$' other)" \
    $CHECK_OLD alice secret new
between "the password is deleted: refused" 20 's,^alice:[^:]*,alice:,' \
    $((CHECK_OLD | NULLOK)) alice secret new
between "the password is locked: refused" 7 's,^alice:,alice:!,' \
    $CHECK_OLD alice secret new
between "the account expires: refused" 13 \
    's,^alice:.*,&19100:,;s,:::19100:$,::19100:,' $CHECK_OLD alice secret new
between "the user is removed: refused" 9 '/^alice:/d' \
    $CHECK_OLD alice secret new
between "root has seen no old one: it is set all the same" 0 \
    "$(to '$6$salt$' other)" $ROOT alice '' new

# ---- a file system that is read-only, without the service ----
cp -p "$work/old" /etc/shadow
is "a read-only /etc, private: it is not changed, and that is said" \
    "$(LYRA2D="unshare -m sh -c 'mount --bind /etc /etc &&
	mount -o remount,bind,ro /etc && exec $lyra2d --private'" \
    ask set $CHECK_OLD alice secret new | tail -n 1)" \
    "verdict 22 cannot lock the password files: Read-only file system"

# ---- a file that is larger than the memory for a hash, 16 MiB and 32 ----
# 65 MB; CHECK=long: the greatest, 512 MiB but for 260 KB
cp -p "$work/old" /etc/shadow
lines=70000
[ "${CHECK:-}" != long ] || lines=577000
filler=$(printf %900s '' | tr ' ' h)
yes "filler:\$6\$$filler:19000:0:99999:7:::" | head -n $lines >>/etc/shadow
is "a large file: set" "$(sets $CHECK_OLD alice secret new)" 0
is "a large file: by root, a user without a line" \
    "$(sets $ROOT odd '' new)" 0
user lazy "$(hash '$1$salt$' secret)"
ask verify 0 lazy secret '' >/dev/null
idle
ok "a large file: a login converts" grep -q '^lazy:.lyra2' /etc/shadow
is "a large file: nothing is lost" "$(wc -l </etc/shadow)" \
    $(($(wc -l <"$work/old") + lines + 2))

# ---- one slot ----
# The old password is verified again, while a login has the slot.
configure max_concurrent=1
cp -p "$work/old" /etc/shadow
user slow "$(hash '$6$rounds=1500000$salt$' secret)"
cp -p /etc/shadow "$work/old"
hold_lock posix
{ sets $CHECK_OLD alice secret new && echo set; } >>"$work/order" &
set_job=$!
wait_for waits_for_lock
sed -i "$(to '$5$rounds=700000$salt$' secret)" /etc/shadow
{ ask verify 0 slow secret '' && echo login; } >>"$work/order" &
login_job=$!
wait_for computes lyra2d
given_back
wait $set_job $login_job
is "a second check of the old password waits for a slot" \
    "$(sed 's/^\(verdict 0\|queued.*\|working.*\) *$//' "$work/order" |
    xargs)" "login 0 set"
rm -r "$work"
tap_done
