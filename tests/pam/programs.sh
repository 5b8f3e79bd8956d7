# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh disable=SC2016 # dollars belong to the hashes
# This machine's own programs, on the files of a namespace: what
# tests/system/module.sh does at length and in whole systems.
. "$SRCDIR/tests/lib/pam.sh"

command -v pamtester >/dev/null || skip_all "pamtester is missing"
ours='$lyra2$v=30$t=1$r=16$c=704$'
sha=$(hash '$6$salt$' 'right pw')
for name in login su passwd chpasswd; do
	service "$name"
done

# as NAME COMMAND...: by a user, where there is more than one
as()
{
	as_id=$(awk -F: -v name="$1" '$1 == name { print $3 }' /etc/passwd)
	shift
	setpriv --reuid "$as_id" --regid 100 --clear-groups "$@"
}

su_alice()
{
	echo "$1" | as bob su alice -c true
}

login_alice()
{
	echo "$1" | pamtester login alice authenticate acct_mgmt
}

# put: alice's entry is an old one again
put()
{
	sed -i "s,^alice:[^:]*:,alice:$1:," /etc/shadow
}

# upgrades WHAT COMMAND: refuses a wrong password; a right one upgrades
upgrades()
{
	put "$sha"
	cp /etc/shadow "$work/before"
	fails "$1, wrong password" "$2" 'wrong pw'
	ok "$1, wrong password: /etc/shadow stands" \
	    cmp /etc/shadow "$work/before"
	ok "$1, right password" "$2" 'right pw'
	u_new=$(stored alice)
	is "$1: a new hash" "${u_new%"${u_new#"$ours"}"}" "$ours"
	sed "s|^alice:[^:]*|alice:$u_new|" "$work/before" >"$work/expected"
	ok "$1: all other bytes stand" cmp /etc/shadow "$work/expected"
	ok "$1, again" "$2" 'right pw'
	ok "$1, again: /etc/shadow stands" cmp /etc/shadow "$work/expected"
}

# sets WHAT PASSWORD COMMAND...: a change that works, to our method
sets()
{
	s_what=$1 s_password=$2
	shift 2
	put "$sha"
	ok "$s_what" "$@"
	is "$s_what: our method" "$(stored alice | cut -c1-26)" \
	    "$(echo "$ours" | cut -c1-26)"
	ok "$s_what: the new password" login_alice "$s_password"
	fails "$s_what: the old password" login_alice 'right pw'
}

by_chpasswd()
{
	echo "alice:newer pw" | chpasswd
}

by_root()
{
	printf '%s\n' 'newest pw' 'newest pw' | passwd alice
}

by_herself()
{
	printf '%s\n' 'right pw' 'own pw 4711' 'own pw 4711' | as alice passwd
}

user alice "$sha"
user bob '!'
printf '# a comment\n  blanks:x:1\nlast:*:1::::::' >>/etc/shadow
upgrades pamtester login_alice
sets chpasswd 'newer pw' by_chpasswd
sets "passwd by root" 'newest pw' by_root

# ---- passwd -l, while a login wants to store a new hash ----
printf 't_cost=1\ncost=9\n' >"$conf"
unlocked=0
for i in 0 1 2 3 4 5 6 7 8 9; do
	put "$sha"
	login_alice 'right pw' >"$work/out" 2>&1 &
	sleep "0.0$i"
	passwd -q -l alice
	wait $!
	case $(stored alice) in
	'!'*) ;;
	*) unlocked=$((unlocked + 1)) ;;
	esac
done
is "passwd -l against a rehash: none is unlocked" "$unlocked" 0
echo "$CHEAP" >"$conf"

# ---- programs that need more than one user ID ----
if as bob true 2>/dev/null; then
	chmod 711 "$work"
	upgrades su su_alice
	sets "passwd by the user" 'own pw 4711' by_herself
else
	skip "su and passwd by users" "this namespace has one user ID"
fi
rm -r "$work"
tap_done
