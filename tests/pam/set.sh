# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# New passwords, asked for without the module, which would refuse some of these
# requests itself; and what changes in /etc/shadow between the look at the old
# password and the lock.
. "$SRCDIR/tests/lib/pam.sh"
command -v pgrep >/dev/null || skip_all "no pgrep here"

ask=$BUILDDIR/tests/pam/ask
update=$prefix/sbin/lyra2_update
OP_SET=4 NULLOK=1 CHECK_OLD=2 ROOT=4
sha=$(hash '$6$salt$' secret)
user alice "$sha"
user blank ''
cp -p /etc/shadow "$work/old"

# sets FLAGS USER OLD NEW: asks, prints the verdict
sets()
{
	"$ask" "$OP_SET" "$1" "$conf" "$2" "$3" "$4" "$update" |
	    sed -n 's/^verdict \([0-9]*\) .*/\1/p'
}
# refuses WHAT VERDICT FLAGS USER OLD NEW: changes nothing
refuses()
{
	r_what=$1 r_verdict=$2
	shift 2
	is "$r_what: refused" "$(sets "$@")" "$r_verdict"
	ok "$r_what: nothing changes" cmp /etc/shadow "$work/old"
	cp -p "$work/old" /etc/shadow
}

# ---- what a request has to have ----
refuses "a wrong old password" 7 $CHECK_OLD alice wrong new
refuses "no old password" 7 $CHECK_OLD alice '' new
refuses "no new password" 20 $ROOT alice secret ''
refuses "a new password of 512 bytes" 20 $ROOT alice secret \
    "$(printf '%0512d' 0)"
refuses "a user without a line" 10 $ROOT nobody-here '' new
refuses "a blank password, without nullok" 7 $CHECK_OLD blank '' new
is "a blank password, with nullok" "$(sets $((CHECK_OLD | NULLOK)) blank '' \
    new)" 0
ok "it is set" grep -q '^blank:.lyra2' /etc/shadow
cp -p "$work/old" /etc/shadow
# ---- what root sets, whatever the entry looks like ----
# lines LINE: root sets the password of "odd"; prints the verdict and the line
day=$(($(date +%s) / 86400))
echo odd:x:1499:100::/:/bin/sh >>/etc/passwd
odd()
{
	cp -p "$work/old" /etc/shadow
	printf %b "$1" >>/etc/shadow
	"$ask" "$OP_SET" $ROOT "$conf" odd '' newone "$update" |
	    sed -n 's/^verdict \([0-9]*\) .*/\1/p'
	sed '/^odd/!d;s/:[$]lyra2[$][^:]*:/:HASH:/;s/:'"$day"':/:TODAY:/' \
	    /etc/shadow | tr '\r' R
}
is "no line: one is added, as by pam_unix" "$(odd '')" "0
odd:HASH:TODAY::::::"
is "nor a line break at the end of the file" "$(odd 'other:*:1::::::')" "0
odd:HASH:TODAY::::::"
ok "that line is whole" grep -q '^other:\*:1::::::$' /etc/shadow
is "8 fields" "$(odd 'odd:*:1:0:99999:7::\n')" "0
odd:HASH:TODAY:0:99999:7::"
is "10 fields" "$(odd 'odd:*:1:0:99999:7::::\n')" "0
odd:HASH:TODAY:0:99999:7::::"
is "a carriage return" "$(odd 'odd:*:1:0:99999:7:::\r\n')" "0
odd:HASH:TODAY:0:99999:7:::R"
is "huge dates" "$(odd 'odd:*:99999999999:0:99999999999999999999:7:::\n')" \
    "0
odd:HASH:TODAY:0:99999999999999999999:7:::"
is "two lines: refused" "$(odd 'odd:*:1::::::\nodd:*:1::::::\n')" "20
odd:*:1::::::
odd:*:1::::::"
cp -p "$work/old" /etc/shadow
refuses "no line, and not root" 9 $CHECK_OLD odd '' new
service std
is "chpasswd and passwd for a user without a line" \
    "$(printf 'new1word\nnew1word\n' | try std odd passwd |
    grep -o 'passwd=[0-9]*')" passwd=0
is "and a login then" "$(echo new1word | try std odd auth account |
    grep -o '[a-z]*=[0-9]*' | tr '\n' ' ')" "auth=0 account=0 "
cp -p "$work/old" /etc/shadow
echo "inpasswd:$sha:1500:100::/:/bin/sh" >>/etc/passwd
echo "inpasswd:$sha:19000::::::" >>/etc/shadow
cp -p /etc/shadow "$work/old"
refuses "a hash in /etc/passwd" 25 $ROOT inpasswd '' new

grep ^alice: "$work/old" >>/etc/shadow
cp -p /etc/shadow "$work/twice"
is "two lines of the user: not set" "$(sets $CHECK_OLD alice secret new)" 20
ok "both stay" cmp /etc/shadow "$work/twice"
cp -p "$work/old" /etc/shadow

[ ! -e /etc/.pwd.lock ] || mv /etc/.pwd.lock "$work/lock"
ln -s nowhere /etc/.pwd.lock
refuses "a lock that is a symbolic link" 22 $CHECK_OLD alice secret new
fails "and makes nothing at its end" test -e /etc/nowhere
rm /etc/.pwd.lock
mv /etc/shadow /etc/shadow.real
ln -s shadow.real /etc/shadow
ok "a file that is a symbolic link: refused, and it is said" sh -c '"$@" |
    grep -q "alice not changed: the file is a symbolic link"' - \
    "$ask" "$OP_SET" $CHECK_OLD "$conf" alice secret new "$update"
ok "the link is still one" test -L /etc/shadow
mv /etc/shadow.real /etc/shadow
is "the right old password" "$(sets $CHECK_OLD alice secret new)" 0
is "its day is today" "$(awk -F: '/^alice:/ { print $3 }' /etc/shadow)" \
    "$(($(date +%s) / 86400))"

# ---- what another process does before the lock is ours ----
cat >"$work/hold.py" <<'PY'
import fcntl, os, sys, time
fd = os.open("/etc/.pwd.lock", os.O_RDWR | os.O_CREAT, 0o600)
fcntl.lockf(fd, fcntl.LOCK_EX)
open(sys.argv[1], "w").close()
time.sleep(60)
PY
waits_for_lock()
{
	find /proc/[0-9]*/fd -lname '/etc/.pwd.lock' -printf '%h\n' \
	    2>/dev/null | grep -v "^/proc/$holder/" | grep -q .
}
# between EDIT FLAGS USER OLD NEW: as sets, while the lock is held; the line of
# the user is edited in between, and by $once_more while that hash is computed
between()
{
	b_edit=$1
	shift
	cp -p "$work/old" /etc/shadow
	rm -f "$work/held"
	python3 "$work/hold.py" "$work/held" &
	holder=$!
	wait_for test -e "$work/held"
	sets "$@" >"$work/verdict" &
	job=$!
	wait_for waits_for_lock || echo "it has not waited: "
	slots_held '*' >"$work/slots"
	sed -i "$b_edit" /etc/shadow
	cp -p /etc/shadow "$work/edited"
	kill "$holder"
	if [ -n "${once_more:-}" ]; then
		wait_for computes lyra2_update || echo "it does not hash again: "
		kill -STOP "$(alive lyra2_update)"
		sed -i "$once_more" /etc/shadow
		cp -p /etc/shadow "$work/edited"
		kill -CONT "$(alive lyra2_update)"
	fi
	wait "$job" "$holder" 2>/dev/null
	cat "$work/verdict"
}
is "nothing happens: it is set" "$(between '' $CHECK_OLD alice secret new)" 0
ok "it is new" grep -q '^alice:.lyra2' /etc/shadow
is "who waits for the lock has no slot" "$(cat "$work/slots")" 0
# One who freezes all of theirs holds up a change of another's only once.
waits_for_turn()
{
	locks_of /run/lyra2/slots | grep -q -e '->'
}
cp -p "$work/old" /etc/shadow
rm -f "$work/held"
python3 "$work/hold.py" "$work/held" &
holder=$!
wait_for test -e "$work/held"
CALLER=2001 sets $CHECK_OLD alice secret new >/dev/null &
ok "a user's change waits for the lock" wait_for waits_for_lock
CALLER=2001 sets $CHECK_OLD alice secret newer >/dev/null &
ok "the user's next change does not, but for its turn" \
    wait_for waits_for_turn
kill "$holder"
wait
# to SETTING PASSWORD: an edit that gives alice that hash
to()
{
	echo "s,^alice:[^:]*,alice:$(hash "$1" "$2"),"
}
# As a login does that began before.
is "the old password is rehashed: it is set" \
    "$(between "$(to '$5$salt$' secret)" $CHECK_OLD alice secret new)" 0
ok "it is new all the same" grep -q '^alice:.lyra2' /etc/shadow
slow=$(to '$5$rounds=9999999$salt$' secret)
is "rehashed, and again: refused" "$(once_more=$(to '$6$again$' secret)
    between "$slow" $CHECK_OLD alice secret new)" 20
ok "that hash stays" cmp /etc/shadow "$work/edited"
is "the password is changed: refused" \
    "$(between "$(to '$6$salt$' other)" $CHECK_OLD alice secret new)" 7
ok "that password stays" cmp /etc/shadow "$work/edited"
is "the password is deleted: refused" \
    "$(between 's,^alice:[^:]*,alice:,' $((CHECK_OLD | NULLOK)) alice secret \
    new)" 20
ok "it stays deleted" cmp /etc/shadow "$work/edited"
is "the password is locked: refused" \
    "$(between 's,^alice:,alice:!,' $CHECK_OLD alice secret new)" 7
ok "it stays locked" cmp /etc/shadow "$work/edited"
is "the account expires: refused" \
    "$(between 's,^alice:.*,&19100:,;s,:::19100:$,::19100:,' \
    $CHECK_OLD alice secret new)" 13
ok "its line stays" cmp /etc/shadow "$work/edited"
is "the user is removed: refused" \
    "$(between '/^alice:/d' $CHECK_OLD alice secret new)" 9
ok "no line comes back" cmp /etc/shadow "$work/edited"
is "root has seen no old one: it is set all the same" \
    "$(between "$(to '$6$salt$' other)" $ROOT alice '' new)" 0
ok "it is root's" grep -q '^alice:.lyra2' /etc/shadow
rm -r "$work"
tap_done
