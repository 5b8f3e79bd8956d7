# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Every entry point for every state of a user, through pam_lyra2 and, with the
# same words, through pam_unix: the same answers, or a reason why not.
. "$SRCDIR/tests/lib/pam.sh"

unix=$(find /usr/lib /lib -name pam_unix.so 2>/dev/null | head -n 1)
[ -n "$unix" ] || skip_all "pam_unix.so is not installed"

# The lyra2 services never rehash: both modules must see the same entries.
pair()
{
	pair_name=$1
	shift
	service "$pair_name" norehash "$@"
	for type in auth account password session; do
		echo "$type required $unix nodelay $*"
	done >"/etc/pam.d/$pair_name-unix"
}
pair std
pair null nullok

# both WHAT SERVICE USER INPUT WANTED [CALL...]: both modules give WANTED
# differ: the same, with what pam_unix gives and why after WANTED
compare()
{
	what=$1 service=$2 name=$3 input=$4 wanted=$5 theirs=$6
	shift 6
	! another_id "$what" "$@" || return 0
	# shellcheck disable=SC2059 # the input has its newlines as \n
	is "$what" "$(printf "$input" | try "$service" "$name" "$@")" "$wanted"
	# shellcheck disable=SC2059
	is "$what, pam_unix" \
	    "$(printf "$input" | try "$service-unix" "$name" "$@")" "$theirs"
}
both()
{
	b1=$1 b2=$2 b3=$3 b4=$4 b5=$5
	shift 5
	compare "$b1" "$b2" "$b3" "$b4" "$b5" "$b5" "$@"
}
differ()
{
	d1=$1 d2=$2 d3=$3 d4=$4 d5=$5 d6=$6
	echo "# $1: pam_unix differs, because $7"
	shift 7
	compare "$d1" "$d2" "$d3" "$d4" "$d5" "$d6" "$@"
}

P='prompt: Password: /'
sha=$(hash '$6$saltsalt$' secret)
today=$(($(date +%s) / 86400))
user good "$sha"

# ---- right, wrong, unknown ----
both "right password" std good 'secret\n' "${P}auth=0/" auth
both "wrong password" std good 'Secret\n' "${P}auth=7/" auth
both "beginning of the password" std good 'secre\n' "${P}auth=7/" auth
both "longer password" std good 'secretx\n' "${P}auth=7/" auth
both "unknown user" std nobody-here 'secret\n' "${P}auth=10/" auth
both "third failure" std good 'a\nb\nc\nd\n' \
    "${P}auth=7/${P}auth=7/${P}auth=11/${P}auth=11/" auth auth auth auth
both "success forgets failures" std good 'a\nb\nsecret\nc\n' \
    "${P}auth=7/${P}auth=7/${P}auth=0/${P}auth=7/" auth auth auth auth
both "no answer to the prompt" std good '' "${P}auth=20/" auth
both "the conversation is not ready yet: an error, says libpam" \
    std good 'secret\n' "auth=20/${P}auth=0/" again auth auth
both "setcred" std good '' "setcred=0/" setcred
both "session" std good '' "open=0/close=0/" open close

# ---- no answer, in a stack: pam_unix and those below act as without us ----
for below in "requisite pam_deny.so" "required $module conf=$conf norehash"; do
	{
		echo "auth [success=done cred_unavail=die default=ignore]" \
		    "$module conf=$conf norehash before_unix"
		echo "auth [success=done default=ignore] $unix nodelay"
		echo "auth $below nodelay"
	} >"/etc/pam.d/${below%% *}"
	sed 1d "/etc/pam.d/${below%% *}" >"/etc/pam.d/${below%% *}-unix"
done
both "no answer, pam_deny below" requisite good '' "${P}auth=7/" auth
both "no answer, and one at the next call" requisite good 'secret\n' \
    "auth=7/${P}auth=0/" again auth auth
both "no answer, a module below that asks" required good 'secret\n' \
    "${P}auth=0/" again auth
sed 's/cred_unavail/authtok_err=die &/' /etc/pam.d/requisite >/etc/pam.d/ends
is "no answer ends the stack, and the next call is new" \
    "$(echo secret | try ends good again auth auth)" "auth=20/${P}auth=0/"
# ---- a token of the module before, and the delay ----
pair first use_first_pass
both "use_first_pass without a token" first good '' "auth=7/" auth
for name in std std-unix; do
	sed -n 's/^auth required/auth optional/p' "/etc/pam.d/$name"
	echo "auth required $module conf=$conf use_first_pass nodelay norehash"
done >/etc/pam.d/twice
is "one question for three modules" "$(echo secret | try twice good auth)" \
    "${P}auth=0/"
is "one wrong answer to three modules" "$(echo wrong | try twice good auth)" \
    "${P}auth=7/"
sed 's/nodelay//' /etc/pam.d/std >/etc/pam.d/delay
before=$(date +%s%N)
echo wrong | try delay good auth >/dev/null
ok "a failure is followed by a delay" \
    [ $(($(date +%s%N) - before)) -gt 900000000 ]

# ---- names ----
user a,b "$sha"
user a "$(hash '$6$saltsalt$' other)"
long=$(printf '%0300d' 0 | tr 0 n)
both "name with a comma" std a,b 'secret\n' "${P}auth=0/" auth
both "its beginning is another user" std a 'secret\n' "${P}auth=7/" auth
both "name with a colon" std good:x 'secret\n' "${P}auth=10/" auth
both "name of 300 characters" std "$long" 'secret\n' "${P}auth=10/" auth
both "name with a minus" std -good 'secret\n' "auth=10/" auth
both "name with a plus" std +good 'secret\n' "auth=10/" auth
both "no name in account" std -good '' "account=10/" account

# ---- fields that no password has: also not the field itself ----
n=0
for field in '!' '*' '!!' '*LK*' x ab '*0' '*1' "!$sha" NP 'a b'; do
	n=$((n + 1))
	user "locked$n" "$field"
	both "stored $field, itself typed" std "locked$n" "$field\n" \
	    "${P}auth=7/" auth
	both "stored $field, with nullok" null "locked$n" "$field\n" \
	    "${P}auth=7/" auth
	both "stored $field, nothing typed" null "locked$n" '\n' \
	    "${P}auth=7/" auth
done
both "a locked password is no locked account" std locked1 '' "account=0/" \
    account

# ---- empty passwords ----
user blank ''
user hashed "$(hash '$6$saltsalt$' '')"
both "blank without nullok" std blank '\n' "${P}auth=7/" auth
both "blank without nullok, something typed" std blank 'x\n' "${P}auth=7/" auth
both "blank with nullok" null blank '' "auth=0/" auth
both "blank, nullok and PAM_DISALLOW_NULL_AUTHTOK" null blank '\n' \
    "${P}auth:n=7/" auth:n
both "unknown user with nullok" null nobody-here '\n' "${P}auth=10/" auth
echo "# not compared: pam_unix before 1.6 takes it without nullok,"
echo "# and a later one asks for no password where it has nullok"
is "hash of the empty password" "$(echo | try std hashed auth)" "${P}auth=7/"
is "hash of the empty password, nullok" "$(echo | try null hashed auth)" \
    "${P}auth=0/"
is "hash of the empty password, wrong" "$(echo x | try null hashed auth)" \
    "${P}auth=7/"
sed -i 's/^root:[^:]*/root:/' /etc/shadow
both "unknown user, root's password blank" null nobody-here '\n' \
    "${P}auth=10/" auth

# ---- entries out of order ----
echo 'lone:x:1500:100::/:/bin/sh' >>/etc/passwd
echo 'garbage:x:1501:100::/:/bin/sh' >>/etc/passwd
echo "garbage:$sha" >>/etc/shadow
echo "inpasswd:$sha:1502:100::/:/bin/sh" >>/etc/passwd
user twice "$sha"
echo "twice:$(hash '$6$saltsalt$' other):19000::::::" >>/etc/shadow
for name in lone garbage; do
	both "$name: passwd says x, shadow has no line" std "$name" \
	    'secret\n' "${P}auth=9/" auth
	both "$name: account" std "$name" '' "account=9/" account
done
both "hash in passwd" std inpasswd 'secret\n' "${P}auth=0/account=0/" auth \
    account
for name in marked mismarked; do
	user "$name" "$sha"
	sed -i "s/^$name:x:/$name:##marked:/" /etc/passwd
done
both "##marked of marked: see shadow" std marked 'secret\n' "${P}auth=0/" \
    auth
both "##marked of another" std mismarked 'secret\n' "${P}auth=7/" auth
both "two lines: the first counts" std twice 'secret\n' "${P}auth=0/" auth

# ---- aging; days in words of shadow(5): last change, min, max, warn... ----
gone='error: Your account has expired; please contact your system administrator./'
must='error: You are required to change your password immediately'
user fresh "$sha" "$today:0:99999:7:::"
user expired "$sha" "19000:0:99999:7::19100:"
user inactive "$sha" "19000:0:30:7:10::"
user aged "$sha" "19000:0:30:7:::"
user enforced "$sha" "0:0:99999:7:::"
user warned "$sha" "$((today - 27)):0:30:7:::"
user lastday "$sha" "$((today - 29)):0:30:7:::"
user young "$sha" "$today:5:99999:7:::"
user future "$sha" "$((today + 50)):0:30:7:::"
user noage "$sha" ":0:30:7:::"
both "account: fresh" std fresh '' "account=0/" account
both "account: expired" std expired '' "${gone}account=13/" account
both "account: silent" std expired '' "account:s=13/" account:s
both "account: inactive" std inactive '' "${gone}account=27/" account
both "account: aged" std aged '' "$must (password expired)./account=12/" account
both "account: enforced" std enforced '' \
    "$must (administrator enforced)./account=12/" account
both "account: to be warned" std warned '' \
    "info: Warning: your password will expire in 3 days./account=0/" account
both "account: last day" std lastday '' \
    "info: Warning: your password will expire in 1 day./account=0/" account
both "account: too young to change" std young '' "account=0/" account
both "account: changed in the future" std future '' "account=0/" account
both "account: unknown" std nobody-here '' "account=10/" account
pair no-expiry no_pass_expiry
both "no_pass_expiry: a login with a key" no-expiry aged '' "account=0/" \
    account
both "no_pass_expiry: with the password" no-expiry aged 'secret\n' \
    "${P}auth=0/$must (password expired)./account=12/" auth account
both "no_pass_expiry: with a wrong one first" no-expiry aged 'x\n' \
    "${P}auth=7/account=0/" auth account
both "no_pass_expiry: the account has expired" no-expiry expired '' \
    "${gone}account=13/" account
service lonely before_unix nullok
is "blank, before_unix without pam_unix" "$(try lonely blank auth </dev/null)" \
    "auth=0/"
# The control of Debian's profile, pam_unix in sessions alone, and a stack that
# lets in every user that the module does not refuse.
{
	echo "account [success=1 new_authtok_reqd=done ignore=ignore" \
	    "user_unknown=ignore authinfo_unavail=ignore default=die]" \
	    "$module conf=$conf before_unix"
	echo "account requisite pam_permit.so"
	echo "account required pam_permit.so"
	echo "session required $unix"
} >/etc/pam.d/no-unix
for name in "fresh:account=0/" "expired:${gone}account=13/" \
    "inactive:${gone}account=27/" \
    "aged:$must (password expired)./account=12/" \
    "enforced:$must (administrator enforced)./account=12/"; do
	is "account: ${name%%:*}, before_unix without pam_unix" \
	    "$(try no-unix "${name%%:*}" account </dev/null)" "${name#*:}"
done

# ---- every method of libcrypt, and the right one out of its own kind ----
for setting in 'sa' '$1$salt$' '$3$' '$md5,rounds=100$salt$$' \
    '$sha1$1000$salt$' '$2b$04$abcdefghijklmnopqrstuu' \
    '$2a$04$abcdefghijklmnopqrstuu' '$5$salt$' '$5$rounds=1000$salt$' \
    '$7$7U..../....salt$' '$y$j75$saltsalt$' '$gy$j75$saltsalt$'; do
	n=$((n + 1))
	user "method$n" "$(hash "$setting" secret)"
	both "$setting" std "method$n" 'secret\nSecret\n' \
	    "${P}auth=0/${P}auth=7/" auth auth
done
phrase='a long password of more than eight bytes'
user big "$(hash 'saxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' "$phrase")"
both "bigcrypt" std big "$phrase\n" "${P}auth=0/" auth
user bsdi "$(hash _J9..salt secret)"
differ 'BSDi' std bsdi 'secret\n' "${P}auth=0/" "${P}auth=7/" \
    "it takes every long hash without a \$ for bigcrypt" auth
user ours "$("$prefix/bin/lyra2" hash --cost 4 <<EOF
secret
EOF
)"
differ '$lyra2$' std ours 'secret\n' "${P}auth=0/" "${P}auth=7/" \
    "this system's crypt(3) does not know the method" auth

# A hash with more or less than libcrypt computes is another one.
for field in "${sha%?}" "${sha}x" '$6$saltsalt$' '$6$saltsalt'; do
	n=$((n + 1))
	user "damaged$n" "$field"
	both "stored $field" std "damaged$n" 'secret\n' "${P}auth=7/" auth
done

setting=$(awk -F: '/^ours:/ { print $2 }' /etc/shadow | cut -d'$' -f 1-7)
user nohash "$setting\$x"
is 'a wrong password for $lyra2$' "$(echo Secret | try std ours auth)" \
    "${P}auth=7/"
is 'no hash after a setting of $lyra2$' "$(echo secret | try std nohash auth)" \
    "${P}auth=7/"
is 'a password of 512 bytes for $lyra2$' \
    "$(printf '%0512d\n' 0 | try std ours auth)" "${P}auth=7/"

# ---- lengths ----
for bytes in 510 511 512 513 600 1023 1024 1025; do
	word=$(printf "%0${bytes}d" 0)
	user "len$bytes" "$(hash '$6$saltsalt$' "$word")"
done
both "510 bytes" std len510 "$(printf '%0510d' 0)\n" "${P}auth=0/" auth
both "511 bytes" std len511 "$(printf '%0511d' 0)\n" "${P}auth=0/" auth
for bytes in 512 513 600 1023 1024 1025 1048576; do
	both "$bytes bytes are no password" std len511 \
	    "$(printf "%0${bytes}d" 0)\n" "${P}auth=7/" auth
done

# ---- new passwords ----
C='info: Changing password for '
O='prompt: Current password: /'
N='prompt: New password: /'
R='prompt: Retype new password: /'
pair len minlen=8
pair use use_authtok
reset()
{
	for name; do
		sed -i "s,^$name:[^:]*:[^:]*:,$name:$sha:19000:," /etc/shadow
	done
}
# change WHAT SERVICE USER INPUT WANTED [CALL...]: as both, from the same start
change()
{
	c1=$1 c2=$2 c3=$3 c4=$4 c5=$5
	shift 5
	! another_id "$c1" "$@" || return 0
	reset "$c3"
	# shellcheck disable=SC2059
	is "$c1" "$(printf "$c4" | try "$c2" "$c3" "$@")" "$c5"
	reset "$c3"
	# shellcheck disable=SC2059
	is "$c1, pam_unix" "$(printf "$c4" | try "$c2-unix" "$c3" "$@")" "$c5"
}
change "root sets a password" std good 'newone\nnewone\n' \
    "$N${R}passwd=0/" passwd
change "root mistypes it" std good 'newone\nnewtwo\n' \
    "$N${R}error: Sorry, passwords do not match./passwd=24/" passwd
change "the user sets one" std good 'secret\nnewone\nnewone\n' \
    "${C}good./$O$N${R}passwd=0/" euid:1001 passwd
change "the user forgot the old one" std good 'wrong\n' \
    "${C}good./${O}passwd=7/" euid:1001 passwd
# another: sets another password once the user is asked for a new one
another()
{
	wait_for grep -q 'New password' "$work/said"
	sed -i "s,^good:[^:]*,good:$(hash '$6$saltsalt$' other)," /etc/shadow
}
if ! another_id "another process was first" euid:1001; then
	reset good
	{
		echo secret
		another
		printf 'newone\nnewone\n'
	} | "$BUILDDIR/tests/pam/try" /etc/pam.d std good euid:1001 passwd \
	    >"$work/said"
	is "another process was first" "$(tail -n 1 "$work/said")" "passwd=7"
fi
change "the same again, three times" std good \
    'secret\nsecret\nsecret\nsecret\nsecret\nsecret\nsecret\n' \
    "${C}good./$O$N${R}error: The password has not been changed./$N${R}error: The password has not been changed./$N${R}error: The password has not been changed./passwd=20/" \
    euid:1001 passwd
change "none at all" std good 'secret\n\n\nnewone\nnewone\n' \
    "${C}good./$O$N${R}error: No password has been supplied./$N${R}passwd=0/" \
    euid:1001 passwd
change "shorter than minlen" len good \
    'secret\nseven77\nseven77\neight888\neight888\n' \
    "${C}good./$O$N${R}error: You must choose a longer password./$N${R}passwd=0/" \
    euid:1001 passwd
change "minlen does not bind root" len good 'newone\nnewone\n' \
    "$N${R}passwd=0/" passwd
change "use_authtok without a token" use good '' "passwd=20/" passwd
change "unknown user" std nobody-here '' "passwd=10/" passwd
change "more than 512 bytes" std good \
    "$(printf '%0600d\\n%0600d\\n%s' 0 0 'newone\nnewone\n')" \
    "$N${R}error: You must choose a shorter password./$N${R}passwd=0/" passwd

uid()
{
	awk -F: -v name="$1" '$1 == name { print "euid:" $3 }' /etc/passwd
}
for name in std std-unix; do
	another_id "$name: a first password" "$(uid blank)" ||
	    is "$name: a first password" "$(printf 'newone\nnewone\n' |
	    try "$name" blank "$(uid blank)" passwd)" "$N${R}passwd=0/"
	sed -i 's/^blank:[^:]*/blank:/' /etc/shadow
done
echo "# not compared: pam_unix of 1.7.2 and later asks, and then refuses it"
is "a first password, only if expired" "$(printf 'newone\nnewone\n' |
    try std blank passwd:e)" "$N${R}passwd:e=0/"
sed -i 's/^blank:[^:]*/blank:/' /etc/shadow
both "too early" std young 'secret\n' \
    "${C}young./${O}error: You must wait longer to change your password./passwd=20/" \
    "$(uid young)" passwd
both "root is not bound by that" std young 'newone\nnewone\n' \
    "$N${R}passwd=0/" passwd
both "expired account" std expired 'secret\n' "${C}expired./${O}passwd=13/" \
    "$(uid expired)" passwd
both "inactive account" std inactive 'secret\n' \
    "${C}inactive./${O}passwd=27/" "$(uid inactive)" passwd
echo "# not compared: pam_unix up to 1.7 lets it be changed"
another_id "only if expired, and it is not" "$(uid fresh)" ||
    is "only if expired, and it is not" \
    "$(echo secret | try std fresh "$(uid fresh)" passwd:e)" \
    "${C}fresh./${O}error: Your password is not expired./passwd:e=20/"
change "only if expired, and it is" std aged 'secret\nnewone\nnewone\n' \
    "${C}aged./$O$N${R}passwd:e=0/" "$(uid aged)" passwd:e
change "the same, asked by login as root" std aged \
    'secret\nnewone\nnewone\n' "${C}aged./$O$N${R}passwd:e=0/" passwd:e

# ---- where there is no line of shadow to change ----
both "no line in shadow: one is added" std lone 'newone\nnewone\n' \
    "$N${R}passwd=0/" passwd
differ "hash in passwd" std inpasswd 'newone\nnewone\n' "passwd=6/" \
    "$N${R}passwd=0/" "only /etc/shadow is ours; the stack goes on to it" \
    passwd
{
	echo "password [success=ok ignore=ignore default=die] $module conf=$conf"
	echo "password required pam_permit.so"
} >/etc/pam.d/ignores
is "hash in passwd: the next module gets the new one" \
    "$(printf 'newone\nnewone\n' | try ignores inpasswd passwd)" \
    "$N${R}passwd=0/"
differ "two lines" std twice 'newone\nnewone\n' "$N${R}passwd=20/" \
    "$N${R}passwd=0/" "it changes both, whosever they are" passwd

# ---- helpers that do not run, or end without a word: never success ----
service asks-both nullok rehash=log-only
user without "$sha"
cp -p /etc/shadow "$work/before"
# damage HOW FILE: another file in its place, as it may still run
damage()
{
	rm "$2"
	case $1 in
	forbidden) install -m 0 "$work/helper" "$2" ;;
	empty) install -m 755 /dev/null "$2" ;;
	silent)
		echo '#!/bin/sh' >"$2"
		chmod 755 "$2"
		;;
	kill-*)
		printf '#!/bin/sh\nkill -%s $$\n' "${1#kill-}" >"$2"
		chmod 755 "$2"
		;;
	silent-third-time)
		cp -p "$work/helper" "$2.real"
		install -m 666 /dev/null /run/asked
		cat >"$2" <<-SH
			#!/bin/sh
			echo >>/run/asked
			[ \$(wc -l </run/asked) -ge 3 ] || exec $2.real
		SH
		chmod 755 "$2"
		;;
	esac
}
# without HOW HELPER WHAT SERVICE USER INPUT WANTED CALL...
without()
{
	w_what="$1 $2: $3" w_helper=$prefix/sbin/$2
	w_service=$4 w_user=$5 w_input=$6 w_wanted=$7
	cp -p "$w_helper" "$work/helper"
	damage "$1" "$w_helper"
	shift 7
	# shellcheck disable=SC2059
	another_id "$w_what" "$@" ||
	    is "$w_what" "$(printf "$w_input" | try "$w_service" "$w_user" \
	    "$@")" "$w_wanted"
	rm -f "$w_helper" "$w_helper.real"
	cp -p "$work/helper" "$w_helper"
}
for how in missing forbidden empty silent; do
	without $how lyra2_chkpwd "a blank password" null blank '\n' \
	    "${P}auth=9/" auth
	without $how lyra2_chkpwd "the right one" std without 'secret\n' \
	    "${P}auth=9/" auth
	without $how lyra2_update "the right one" asks-both without \
	    'secret\n' "${P}auth=9/" auth
	without $how lyra2_chkpwd "an expired account" std expired '' \
	    "account=9/" account
	without $how lyra2_chkpwd "no new password is asked for" asks-both \
	    without 'secret\nnewone\nnewone\n' \
	    "${C}without./${O}passwd=9/" "$(uid without)" passwd
	without $how lyra2_update "a new password" std without \
	    'newone\nnewone\n' "$N${R}passwd=20/" passwd
done
# What users can bring about ends the stack, a crash does not.
without kill-KILL lyra2_chkpwd "the right one" std without 'secret\n' \
    "${P}auth=15/" auth
without kill-SEGV lyra2_chkpwd "the right one" std without 'secret\n' \
    "${P}auth=9/" auth
# Those before tell that there is a password, and that it is the right one.
without silent-third-time lyra2_chkpwd "no new password is asked for" \
    asks-both without 'secret\nnewone\nnewone\n' \
    "${C}without./${O}passwd=9/" "$(uid without)" passwd
[ ! -s /run/asked ] || is "the third time" "$(wc -l </run/asked)" 3
ok "nothing was changed" cmp /etc/shadow "$work/before"

# ---- users of another name service, whose passwords are elsewhere ----
mkdir /run/nss
if cp "$BUILDDIR/tests/pam/.libs/libnss_remote.so.2" /run/nss 2>/dev/null; then
	echo /run/nss >>/etc/ld.so.conf
	ldconfig -X
	sed -i 's/^passwd:.*/passwd: files remote/' /etc/nsswitch.conf
	differ "password elsewhere" std remote 'secret\n' "${P}auth=9/" \
	    "${P}auth=7/" "a stack may end at a wrong password of ours" auth
	differ "a third time" std remote 'a\nb\nc\n' \
	    "${P}auth=9/${P}auth=9/${P}auth=9/" \
	    "${P}auth=7/${P}auth=7/${P}auth=11/" "(as before)" auth auth auth
	both "a blank password elsewhere" std blank-remote 'x\n' \
	    "${P}auth=7/" auth
	both "account" std remote '' "account=0/" account
	both "no new password is asked for" std remote '' "passwd=10/" passwd
	for name in +remote -remote a:remote "a
remote" "$(printf '%0250d' 0)remote"; do
		is "no name service is asked for $(echo "$name" |
		    tr '\n' '/' | cut -c 1-20)" \
		    "$("$BUILDDIR/tests/pam/ask" 1 0 "$conf" "$name" secret \
		    '' "$prefix/sbin/lyra2_chkpwd" | grep '^verdict')" \
		    "verdict 10 "
	done
	{
		sed 's/required/optional/' /etc/pam.d/std
		echo 'password required pam_permit.so'
	} >/etc/pam.d/goes-on
	is "not even by the second call" "$(printf 'newone\nnewone\n' |
	    try goes-on remote passwd)" "passwd=0/"
else
	skip "users of another name service" "configured with --disable-shared"
fi
tap_done
