# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Calls every entry point for every state of a user, through pam_lyra2 and, with
# the same input, through pam_unix.  Both give the same results and the same log
# lines, or the test says why not.  Also tests the messages of pam_lyra2 alone.
. "$SRCDIR/tests/lib/pam.sh"

unix=$(find /usr/lib /lib -name pam_unix.so 2>/dev/null | head -n 1)
[ -n "$unix" ] || skip_all "pam_unix.so is not installed"

# ---- the log: a mark before each run names the run ----
daemon_log "$work/log" sleep 600 &
wait_for test -S /dev/log
runs=0
mark()
{
	logger -t run "$1"
}
# lines_of RUN: prints the lines without the names of modules and processes, and
# without lines of one side only: lyra2d's results, libpam's about each module
# that asks, libcrypt's warnings
lines_of()
{
	sed -n "/run: $1\$/,/run: /p" "$work/log" |
	    sed -e '/ run: /d' -e '/^<[0-9]*> unix_chkpwd\[/d' \
	    -e '/lyra2d\[[0-9]*\]: password check [fp]a/d' \
	    -e '/): conversation failed$/d;/ is unknown to libcrypt\.$/d' \
	    -e 's/^<\([0-9]*\)> [^:]*: pam_[a-z0-9]*(\([^)]*\))/\1 \2/' \
	    -e 's/^<\([0-9]*\)> *\(lyra2d\)\[[0-9]*\]/\1 \2/' \
	    -e 's/-unix:/:/;s/(\([a-z]*\)-unix)/(\1)/'
}

# Both modules must see the same entries.
configure rehash=never
pair()
{
	pair_name=$1
	shift
	service "$pair_name" "$@"
	for type in auth password; do
		echo "$type required $unix nodelay $*"
	done >"/etc/pam.d/$pair_name-unix"
}
pair std
pair null nullok

# both WHAT SERVICE USER INPUT WANTED [CALL...]: both modules give WANTED and
# log the same
# change: the same, each time from the old password
# differ: as both; after WANTED, the result of pam_unix and the reason
compare()
{
	what=$1 service=$2 name=$3 input=$4 wanted=$5 theirs=$6
	shift 6
	! another_id "$what" "$@" || return 0
	[ "$wanted" != "$theirs" ] || echo "$what" >"$work/alike.$((runs + 1))"
	runs=$((runs + 1))
	for side in ours theirs; do
		[ -z "$reset" ] || sed -i \
		    "s,^$name:[^:]*:[^:]*:,$name:$sha:19000:," /etc/shadow
		mark "$runs $side"
		# shellcheck disable=SC2059 # the input has its newlines as \n
		is "$what, $side" "$(printf "$input" |
		    try "$service" "$name" "$@" | not_braked)" "$wanted"
		service=$service-unix wanted=$theirs
	done
	mark end
}
# For a user with many failures, answers come later, but are the same.
not_braked()
{
	sed 's,info: Too many failed attempts: please wait [0-9]* seconds\./,,g'
}
both()
{
	b1=$1 b2=$2 b3=$3 b4=$4 b5=$5
	shift 5
	compare "$b1" "$b2" "$b3" "$b4" "$b5" "$b5" "$@"
}
reset=''
change()
{
	reset=yes
	both "$@"
	reset=''
}
differ()
{
	d1=$1 d2=$2 d3=$3 d4=$4 d5=$5 d6=$6
	echo "# $1: pam_unix differs, because $7"
	shift 7
	compare "$d1" "$d2" "$d3" "$d4" "$d5" "$d6" "$@"
}
# says WHAT SERVICE USER INPUT LINES [CALL...]: pam_lyra2 logs LINES
says()
{
	what=$1 service=$2 name=$3 input=$4
	mark "$((runs = runs + 1)) ours"
	printf '%s\n%s\n' "$what" "$5" >"$work/says.$runs"
	shift 5
	[ $# -gt 0 ] || set -- auth
	# shellcheck disable=SC2059
	printf "$input" | try "$service" "$name" "$@" >/dev/null
	idle
	mark end
}

P='prompt: Password: /'
sha=$(hash '$6$saltsalt$' secret)
today=$(($(date +%s) / 86400))
user good "$sha"

# ---- right, wrong, unknown ----
both "right password" std good 'secret\n' "${P}auth=0/" auth
both "wrong password" std good 'Secret\n' "${P}auth=7/" auth
both "longer password" std good 'secretx\n' "${P}auth=7/" auth
both "unknown user" std nobody-here 'secret\n' "${P}auth=10/" auth
both "third failure" std good 'a\nb\nc\nd\n' \
    "${P}auth=7/${P}auth=7/${P}auth=11/${P}auth=11/" auth auth auth auth
user hpux "$(hash sa secret),M.z8"
both "aging of HP-UX behind a hash" std hpux 'secret\nSecret\n' \
    "${P}auth=0/${P}auth=7/" auth auth
user hpux16 "$(hash "sa$(printf %022d 0)" more-than-eight),M.z8"
both "and behind a long one" std hpux16 'more-than-eight\nmore-thaN-eight\n' \
    "${P}auth=0/${P}auth=7/" auth auth
both "success forgets failures" std good 'a\nb\nsecret\nc\n' \
    "${P}auth=7/${P}auth=7/${P}auth=0/${P}auth=7/" auth auth auth auth
both "no answer to the prompt" std good '' "${P}auth=20/" auth
both "the conversation is not ready yet: an error, says libpam" \
    std good 'secret\n' "auth=20/${P}auth=0/" again auth auth
both "setcred" std good '' "setcred=0/" setcred
both "an application closes what it does not know" std good 'secret\n' \
    "${P}auth=0/reuse=0/setcred=0/kept=0/" auth reuse setcred kept

# ---- no answer: pam_unix and modules below act as without pam_lyra2 ----
for below in "requisite pam_deny.so" "required $module"; do
	{
		echo "auth [success=done auth_err=1 authtok_err=1" \
		    "cred_unavail=die default=ignore] $module skip_unix"
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
sed 's/authtok_err=1/authtok_err=die/' /etc/pam.d/requisite >/etc/pam.d/ends
is "no answer ends the stack, and the next call is new" \
    "$(echo secret | try ends good again auth auth)" "auth=20/${P}auth=0/"
# ---- a token of the module before, and the delay ----
pair first use_first_pass
both "use_first_pass without a token" first good '' "auth=7/" auth
for name in std std-unix; do
	sed -n 's/^auth required/auth optional/p' "/etc/pam.d/$name"
	echo "auth required $module use_first_pass nodelay"
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
for name in -good +good; do
	both "name $name" std $name 'secret\n' "auth=10/" auth
done

# ---- fields that no password matches, not even the field itself ----
n=0
for field in '!' '*' '!!' '*LK*' x ab '*0' '*1' "!$sha" 'a b' "${sha%?}" \
    "${sha}x" '$6$saltsalt$' '$6$saltsalt'; do
	n=$((n + 1))
	user "locked$n" "$field"
	both "stored $field, itself typed" null "locked$n" "$field\n" \
	    "${P}auth=7/" auth
	both "stored $field, right or nothing typed" null "locked$n" \
	    'secret\n\n' "${P}auth=7/${P}auth=7/" auth auth
done

# ---- empty passwords ----
user blank ''
user hashed "$(hash '$6$saltsalt$' '')"
both "blank without nullok" std blank '\nx\n' "${P}auth=7/${P}auth=7/" \
    auth auth
both "blank with nullok" null blank '' "auth=0/" auth
both "blank, nullok and PAM_DISALLOW_NULL_AUTHTOK" null blank '\n' \
    "${P}auth:n=7/" auth:n
both "and PAM_SILENT" null blank '\n' "${P}auth:ns=7/" auth:ns
echo "# not compared: pam_unix before 1.6 takes it without nullok,"
echo "# and a later one asks for no password where it has nullok"
is "hash of the empty password" "$(echo | try std hashed auth)" "${P}auth=7/"
is "hash of the empty password, nullok" "$(echo | try null hashed auth)" \
    "${P}auth=0/"
is "hash of the empty password, wrong" "$(echo x | try null hashed auth)" \
    "${P}auth=7/"
sed -i 's/^root:[^:]*/root:/' /etc/shadow
both "unknown user, nullok, root's password blank" null nobody-here '\n' \
    "${P}auth=10/" auth
# ---- entries out of order ----
echo 'lone:x:1500:100::/:/bin/sh' >>/etc/passwd
echo 'garbage:x:1501:100::/:/bin/sh' >>/etc/passwd
echo "garbage:$sha" >>/etc/shadow
echo "inpasswd:$sha:1502:100::/:/bin/sh" >>/etc/passwd
user twice "$sha"
echo "twice:$(hash '$6$saltsalt$' other):19000::::::" >>/etc/shadow
both "passwd says x, shadow has no line" std lone 'secret\n' "${P}auth=9/" auth
is "a damaged line" "$(echo secret | try std garbage auth)" "${P}auth=9/"
is "four times: the next module decides each time" \
    "$(printf 'a\nb\nc\nd\n' | try std garbage auth auth auth auth)" \
    "${P}auth=9/${P}auth=9/${P}auth=9/${P}auth=9/"
differ "hash in passwd" std inpasswd 'secret\n' "${P}auth=10/" "${P}auth=0/" \
    "it is no user of ours; the stack goes on to it" auth
for name in marked mismarked; do
	user "$name" "$sha"
	sed -i "s/^$name:x:/$name:##marked:/" /etc/passwd
done
both "##marked of marked: see shadow" std marked 'secret\n' "${P}auth=0/" \
    auth
differ "##marked of another" std mismarked 'secret\n' "${P}auth=10/" \
    "${P}auth=7/" "the hash is in /etc/passwd" auth
both "two lines: the first counts" std twice 'secret\n' "${P}auth=0/" auth

# ---- methods of libcrypt; tests/unit/pam-entry has all ----
for setting in 'sa' '$2b$04$abcdefghijklmnopqrstuu' '$y$j75$saltsalt$'; do
	n=$((n + 1))
	user "method$n" "$(hash "$setting" secret)"
	both "$setting" std "method$n" 'secret\nSecret\n' \
	    "${P}auth=0/${P}auth=7/" auth auth
done
phrase='a long password of more than eight bytes'
user big "$(hash 'saxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' "$phrase")"
both "bigcrypt" std big "$phrase\n" "${P}auth=0/" auth
user bsdi "$(hash _J9..salt secret)"
both 'BSDi' std bsdi 'secret\n' "${P}auth=7/" auth
user ours "$("$prefix/bin/lyra2" hash --cost 4 <<END
secret
END
)"
differ '$lyra2$' std ours 'secret\n' "${P}auth=0/" "${P}auth=7/" \
    "this system's crypt(3) does not know the method" auth
setting=$(stored ours | cut -d'$' -f 1-7)
user nohash "$setting\$x"
is 'a wrong password for $lyra2$' "$(echo Secret | try std ours auth)" \
    "${P}auth=7/"
is 'no hash after a setting of $lyra2$' "$(echo secret | try std nohash auth)" \
    "${P}auth=7/"

# ---- lengths ----
user len511 "$(hash '$6$saltsalt$' "$(printf '%0511d' 0)")"
both "511 bytes" std len511 "$(printf '%0511d' 0)\n" "${P}auth=0/" auth
for bytes in 510 512 1024 1048576; do
	both "$bytes bytes are not its password" std len511 \
	    "$(printf "%0${bytes}d" 0)\n" "${P}auth=7/" auth
done
is 'a password of 512 bytes for $lyra2$' \
    "$(printf '%0512d\n' 0 | try std ours auth)" "${P}auth=7/"

# ---- new passwords; days in words of shadow(5): last change, min, max... ----
user fresh "$sha" "$today:0:99999:7:::"
user expired "$sha" "19000:0:99999:7::19100:"
user inactive "$sha" "19000:0:30:7:10::"
user aged "$sha" "19000:0:30:7:::"
user young "$sha" "$today:5:99999:7:::"
C='info: Changing password for '
O='prompt: Current password: /'
N='prompt: New password: /'
R='prompt: Retype new password: /'
same='error: The password has not been changed./'
pair len minlen=8
pair use use_authtok
change "root sets a password" std good 'newone\nnewone\n' \
    "$N${R}passwd=0/" passwd
change "root mistypes it" std good 'newone\nnewtwo\n' \
    "$N${R}error: Sorry, passwords do not match./passwd=24/" passwd
change "the user sets one" std good 'secret\nnewone\nnewone\n' \
    "${C}good./$O$N${R}passwd=0/" euid:1001 passwd
change "the user forgot the old one" std good 'wrong\n' \
    "${C}good./${O}passwd=7/" euid:1001 passwd
change "the same again, three times" std good \
    'secret\nsecret\nsecret\nsecret\nsecret\nsecret\nsecret\n' \
    "${C}good./$O$N$R$same$N$R$same$N$R${same}passwd=20/" euid:1001 passwd
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
both "too early" std young 'secret\n' \
    "${C}young./${O}error: You must wait longer to change your password./passwd=20/" \
    "$(uid young)" passwd
both "root is not bound by that" std young 'newone\nnewone\n' \
    "$N${R}passwd=0/" passwd
both "expired account" std expired 'secret\n' "${C}expired./${O}passwd=13/" \
    "$(uid expired)" passwd
both "inactive account" std inactive 'secret\n' \
    "${C}inactive./${O}passwd=27/" "$(uid inactive)" passwd
echo "# not compared: pam_unix since 1.7.2 refuses"
another_id "only if expired, and it is not" "$(uid fresh)" ||
    is "only if expired, and it is not" \
    "$(printf 'secret\nnewone\nnewone\n' |
	try std fresh "$(uid fresh)" passwd:e)" \
    "${C}fresh./$O$N${R}passwd:e=0/"
change "only if expired, and it is" std aged 'secret\nnewone\nnewone\n' \
    "${C}aged./$O$N${R}passwd:e=0/" "$(uid aged)" passwd:e
change "the same, asked by login as root" std aged \
    'secret\nnewone\nnewone\n' "${C}aged./$O$N${R}passwd:e=0/" passwd:e
# The account phase of pam_unix asks pam_lyra2's result whether this login had a
# password.
sed "\$ a account required $unix no_pass_expiry" /etc/pam.d/std \
    >/etc/pam.d/no-expiry
sed -i "s,^aged:[^:]*:[^:]*,aged:$sha:19000," /etc/shadow
is "pam_unix with no_pass_expiry: a login with a key" \
    "$(try no-expiry aged account </dev/null)" "account=0/"
is "no_pass_expiry: with the password" \
    "$(echo secret | try no-expiry aged auth account |
    grep -o '[a-z]*=[0-9]*' | tr '\n' ' ')" "auth=0 account=12 "

# ---- users without a line of shadow ----
both "no line in shadow: one is added" std lone 'newone\nnewone\n' \
    "$N${R}passwd=0/" passwd
differ "hash in passwd" std inpasswd 'newone\nnewone\n' "passwd=6/" \
    "$N${R}passwd=0/" "only /etc/shadow is ours; the stack goes on to it" \
    passwd
{
	echo "password [success=ok ignore=ignore default=die] $module"
	echo "password required pam_permit.so"
} >/etc/pam.d/ignores
is "hash in passwd: the next module gets the new one" \
    "$(printf 'newone\nnewone\n' | try ignores inpasswd passwd)" \
    "$N${R}passwd=0/"
differ "two lines" std twice 'newone\nnewone\n' "$N${R}passwd=20/" \
    "$N${R}passwd=0/" "it changes both, whosever they are" passwd

# ---- without lyra2d's service and program: never success ----
user without "$sha"
cp -p /etc/shadow "$work/before"
end_service
cp -p "$lyra2d" "$work/lyra2d"
# without WHAT SERVICE USER INPUT WANTED CALL...: the module gives WANTED
without()
{
	w_what="$how: $1" w_service=$2 w_user=$3 w_input=$4 w_wanted=$5
	shift 5
	# shellcheck disable=SC2059
	another_id "$w_what" "$@" ||
	    is "$w_what" "$(printf "$w_input" | try "$w_service" "$w_user" \
	    "$@")" "$w_wanted"
}
for how in missing empty silent crashed; do
	rm "$lyra2d"
	case $how in
	empty) install -m 755 /dev/null "$lyra2d" ;;
	silent) printf '#!/bin/sh\n' | replace "$lyra2d" ;;
	crashed) printf '#!/bin/sh\nkill -SEGV $$\n' | replace "$lyra2d" ;;
	esac
	without "a blank password" null blank '\n' "${P}auth=9/" auth
	without "the right one" std without 'secret\n' "${P}auth=9/" auth
	# A user may have caused this, unless there is no such program: no other
	# module may hash instead.
	refused=15
	case $how in missing | empty) refused=9 ;; esac
	without "the right one, in su" std without 'secret\n' \
	    "${P}auth=$refused/" \
	    "$(uid without)" auth
	without "no password is asked for" std without 'secret\nnew\n' \
	    "passwd=$refused/" "$(uid without)" passwd
	without "a new password" std without 'newone\nnewone\n' "passwd=9/" \
	    passwd
	cp -p "$work/lyra2d" "$lyra2d.new"
	mv "$lyra2d.new" "$lyra2d"
done
ok "nothing was changed" cmp /etc/shadow "$work/before"
start_service

# ---- users of another name service, whose passwords are elsewhere ----
mkdir /run/nss
if cp "$BUILDDIR/tests/pam/.libs/libnss_remote.so.2" /run/nss 2>/dev/null; then
	echo /run/nss >>/etc/ld.so.conf
	ldconfig -X
	sed -i 's/^passwd:.*/passwd: files remote/' /etc/nsswitch.conf
	differ "password elsewhere, three times" std remote 'a\nb\nc\n' \
	    "${P}auth=10/${P}auth=10/${P}auth=11/" \
	    "${P}auth=7/${P}auth=7/${P}auth=11/" \
	    "it is no user of ours" auth auth auth
	differ "a blank password elsewhere" std blank-remote 'x\n' \
	    "${P}auth=10/" "${P}auth=7/" "it is no user of ours" auth
	both "no new password is asked for" std remote '' "passwd=10/" passwd
	for name in +remote -remote a:remote "a
remote" "$(printf '%0250d' 0)remote"; do
		is "no name service is asked for $(echo "$name" |
		    tr '\n' '/' | cut -c 1-20)" \
		    "$(ask verify 0 "$name" secret '' | grep '^verdict')" \
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

# ---- pam_lyra2's messages; 85 is LOG_AUTHPRIV | LOG_NOTICE, 83 | LOG_ERR ----
rehashed="85 lyra2d: password of user alice"
lyra2='lyra2(t2n10c171p2)'
user alice "$sha"
configure
says "rehash" std alice 'secret\n' "$rehashed rehashed from sha512crypt to $lyra2"
configure rehash=log-only cost=11
says "rehash, log-only" std alice 'secret\n' \
    "$rehashed would be rehashed from $lyra2 to lyra2"
says "rehash, log-only, again: it is said once a day" std alice 'secret\n' ""
touch -d '23 hours ago' /run/lyra2/said/*
says "rehash, log-only, that day" std alice 'secret\n' ""
touch -d '25 hours ago' /run/lyra2/said/*
says "rehash, log-only, the next day" std alice 'secret\n' \
    "$rehashed would be rehashed from $lyra2 to lyra2"
touch -d '25 hours' /run/lyra2/said/*
says "rehash, log-only, the clock was set back" std alice 'secret\n' \
    "$rehashed would be rehashed from $lyra2 to lyra2"
configure rehash=log-only method=bash-lyra2
says "rehash, log-only, of another method" std alice 'secret\n' \
    "$rehashed would be rehashed from $lyra2 to bash-lyra2"
configure rehash=log-only cost=11
says "rehash, log-only, of the one before" std alice 'secret\n' \
    "$rehashed would be rehashed from $lyra2 to lyra2"
says "a line that is shorter than another, again" std alice 'secret\n' ""
configure method=yescrypt crypt_cost=12
says "a cost that there is not" std alice 'secret\n' \
    "83 lyra2d: $conf:5: crypt(3) cannot make yescrypt at this crypt_cost"
says "it is said once" std alice 'secret\nsecret\n' \
    "85 std:chauthtok: password changed for alice" passwd
sed -i "s,^alice:[^:]*,alice:$(stored ours)," /etc/shadow
configure method=yescrypt rehash=leave
says "rehash, back" std ours 'secret\n' \
    "85 lyra2d: password of user ours rehashed from lyra2(t2n4c256p2) to yescrypt"
configure
sed -i "s,^twice:.*,twice:$sha:19000::::::," /etc/shadow
says "no rehash" std twice 'secret\n' \
    "85 lyra2d: password of user twice not rehashed from sha512crypt: /etc/shadow:$(grep -n ^twice: /etc/shadow |
    tail -n 1 | cut -d : -f 1): another line has that name"
user held "$sha"
hold_lock posix
says "no rehash while the file is locked" std held 'secret\n' \
    "85 lyra2d: password of user held not rehashed from sha512crypt: another program holds the lock /etc/.pwd.lock"
given_back
user des "$(hash sa longer-than-8)"
says "why the hash stays" std des 'longer-than-8\n' \
    "85 lyra2d: password of user des not rehashed from descrypt: the old method truncates passwords; the user has to set a new one"
sed -i "s,^root:[^:]*,root:$sha," /etc/shadow
configure rehash_root=no
says "why root's hash stays, once a boot" std root 'secret\nsecret\n' \
    "85 lyra2d: password of user root not rehashed from sha512crypt: rehash_root = no" auth auth
configure garbage
says "a mistake in the configuration, once" std good 'newone\nnewone\n' \
    "83 lyra2d: $conf:4: this line has no \"=\"" auth auth
printf 'ENCRYPT_METHOD SHA512\nSHA_CRYPT_MAX_ROUNDS 1000\n' >/etc/login.defs
configure method=system rehash=never
says "a low cost in login.defs is no mistake" std good 'newone\n' ""
configure rehash=never
# Hashes with costs that are refused before any work
for field in '$2b$31$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuuabcdefghij' \
    "\$lyra2\$t1000000n15c256p2\$saltsalt\$$(printf '%042d.' 0)" \
    '$lyra2$'; do
	n=$((n + 1))
	user "costly$n" "$field"
	says "refused: $field" std "costly$n" 'x\n' \
	    "83 std:auth: password hash of user costly$n refused: it is damaged, or its cost is higher than allowed
85 std:auth: authentication failure; logname= uid=0 euid=0 tty= ruser= rhost=  user=costly$n"
done
echo "garbage:$sha" >>/etc/shadow
garbage="user garbage: /etc/shadow:$(grep -n ^garbage: /etc/shadow |
    cut -d : -f 1): the C library ignores the line: a field is no number, or there are not 5 or 8 to 9 fields"
says "a damaged line" std garbage 'x\n' "83 std:auth: $garbage
85 std:auth: authentication failure; logname= uid=0 euid=0 tty= ruser= rhost=  user=garbage"
says "a damaged line, and root's passwd" std garbage 'x\nx\n' \
    "83 std:chauthtok: $garbage
83 std:chauthtok: $garbage
83 std:chauthtok: password of user garbage not changed: ${garbage#user garbage: }" passwd
user method '$unknown$salt$hash'
says "unknown method" std method 'x\n' \
    "83 std:auth: password hash of user method refused: its method is unknown to libcrypt
85 std:auth: authentication failure; logname= uid=0 euid=0 tty= ruser= rhost=  user=method"
# A name must not act on the terminal that shows the log.
escape=$(printf 'e\033\302\177x')
user "$escape" '$unknown$salt$hash'
says "a name that is not printable" std "$escape" 'x\n' \
    "83 std:auth: password hash of user e???x refused: its method is unknown to libcrypt
85 std:auth: authentication failure; logname= uid=0 euid=0 tty= ruser= rhost=  user=e???x"
user "$escape-y" "$sha" 0:0:99999:7::1:
ask verify 0 "$escape-y" wrong '' >/dev/null
service odd nullokXYZ minlen=x rounds=99999999999
says "options" odd good 'newone\n' "83 odd:auth: unrecognized option [nullokXYZ]
83 odd:auth: option [minlen=x] ignored: it must be a number, 0 to 511"
service debug debug
service above before_unix
another_id "a wrong old password, where pam_unix is not asked" euid:1001 ||
    says "a wrong old password, where pam_unix is not asked" above good \
    'wrong\n' \
    "85 above:chauthtok: authentication failure; logname= uid=1001 euid=0 tty=\
 ruser= rhost=  user=good" euid:1001 passwd
says "with debug" debug good 'newone\n' \
    "87 debug:auth: username [good] obtained"

# ---- the log of all runs ----
mark last
wait_for grep -q 'run: last' "$work/log"
ok "lyra2d logs a failure itself" grep -q \
    '^<85> lyra2d.*: password check failed for user (good)' "$work/log"
ok "and no name that is not printable" grep -q \
    '^<85> lyra2d.*: password check failed for user (e???x-y)' "$work/log"
run=0
while [ $run -lt $runs ]; do
	run=$((run + 1))
	[ ! -e "$work/alike.$run" ] ||
	    is "$(cat "$work/alike.$run"): logged alike" \
	    "$(lines_of "$run ours")" "$(lines_of "$run theirs")"
	[ ! -e "$work/says.$run" ] ||
	    is "$(head -n 1 "$work/says.$run")" "$(lines_of "$run ours")" \
	    "$(sed 1d "$work/says.$run")"
done
rm -r "$work"
tap_done
