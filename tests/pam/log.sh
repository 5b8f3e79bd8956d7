# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# What the module says to the system's log: the lines that log watchers know
# from pam_unix, and its own.
. "$SRCDIR/tests/lib/pam.sh"

sha=$(hash '$6$salt$' secret)
today=$(($(date +%s) / 86400))
printf 'auth required %s nodelay\n' "$(find /usr/lib /lib -name pam_unix.so \
    2>/dev/null | head -n 1)" >/etc/pam.d/unix
service std norehash
service rehash
user alice "$sha"

# logged SERVICE USER INPUT CALL...: what one run logs, without priority of the
# facility, program and process, and with the module's name taken out; without
# what lyra2_chkpwd and unix_chkpwd, which pam_unix of 1.6 and later runs even as
# root, say of wrong passwords
logged()
{
	logged_service=$1 logged_user=$2 logged_input=$3
	shift 3
	: >"$work/log"
	# shellcheck disable=SC2059 # the input has its newlines as \n
	printf "$logged_input" | daemon_log "$work/log" \
	    "$BUILDDIR/tests/pam/try" /etc/pam.d "$logged_service" \
	    "$logged_user" "$@" >/dev/null
	sed -e '/^<[0-9]*> unix_chkpwd\[/d' \
	    -e '/^<85> lyra2_[a-z]*\[[0-9]*\]: password check failed/d' \
	    -e 's/^<\([0-9]*\)> [^:]*: pam_[a-z0-9]*(\([^)]*\))/\1 \2/' \
	    -e 's/^<\([0-9]*\)> \(lyra2_[a-z]*\)\[[0-9]*\]/\1 \2/' \
	    "$work/log"
}

# 85 is LOG_AUTHPRIV | LOG_NOTICE, 83 | LOG_ERR, 82 | LOG_CRIT, 86 | LOG_INFO.
failure='logname= uid=0 euid=0 tty= ruser= rhost= '
is "wrong password" "$(logged std alice 'x\n' auth)" \
    "85 std:auth: authentication failure; $failure user=alice"
is "wrong password: what the helper says" \
    "$(sed -n 's/^<85> lyra2_[a-z]*\[[0-9]*\]: \(pass.*\)/\1/p' "$work/log")" \
    "password check failed for user (alice)"
is "wrong password: as pam_unix" \
    "$(logged std alice 'x\n' auth | sed 's/std/unix/')" \
    "$(logged unix alice 'x\n' auth)"
is "unknown user" "$(logged std nobody-here 'x\n' auth)" \
    "85 std:auth: check pass; user unknown
85 std:auth: authentication failure; $failure"
is "unknown user: as pam_unix" \
    "$(logged std nobody-here 'x\n' auth | sed 's/std/unix/')" \
    "$(logged unix nobody-here 'x\n' auth)"
is "four times: as pam_unix" \
    "$(logged std alice 'x\nx\nx\nx\n' auth auth auth auth |
	sed 's/std/unix/')" \
    "$(logged unix alice 'x\nx\nx\nx\n' auth auth auth auth)"
is "four times: at the end" \
    "$(logged std alice 'x\nx\nx\nx\n' auth auth auth auth | tail -n 2)" \
    "<85> try: PAM 3 more authentication failures; $failure user=alice
<85> try: PAM service(std) ignoring max retries; 4 > 3"
is "a bad name" "$(logged std -x '' auth)" "85 std:auth: bad username [-x]"
is "no password given" "$(logged std alice '' auth | tail -n 1)" \
    "82 std:auth: auth could not identify password for [alice]"
is "session" "$(logged std alice '' open close)" \
    "86 std:session: session opened for user alice(uid=1001) by (uid=0)
86 std:session: session closed for user alice"
service quiet quiet
is "session, quiet" "$(logged quiet alice '' open close)" ""
is "right password" "$(logged std alice 'secret\n' auth)" ""

# ---- accounts ----
user expired "$sha" '19000:0:99999:7::19100:'
user inactive "$sha" '19000:0:30:7:10::'
user enforced "$sha" '0:0:99999:7:::'
user warned "$sha" "$((today - 27)):0:30:7:::"
is "expired account" "$(logged std expired '' account)" \
    "85 std:account: account expired has expired (account expired)"
is "inactive account" "$(logged std inactive '' account)" \
    "85 std:account: account inactive has expired (failed to change password)"
is "password to be changed" "$(logged std enforced '' account)" \
    "85 std:account: expired password for user enforced (root enforced)"
is "unknown account" "$(logged std nobody-here '' account)" \
    "83 std:account: could not identify user (from getpwnam(nobody-here))"
is "account to be warned" "$(logged std warned '' account)" \
    "87 std:account: password for user warned will expire in 3 days"

# ---- changes ----
is "rehash" "$(logged rehash alice 'secret\n' auth)" \
    "85 lyra2_update: password of user alice rehashed from sha512crypt to lyra2(v=30 t=1 r=16 c=704 p=4)"
service log-only rehash=log-only cost=5
is "rehash, log-only" "$(logged log-only alice 'secret\n' auth)" \
    "85 lyra2_update: password of user alice would be rehashed from lyra2(v=30 t=1 r=16 c=704 p=4)"
for option in rehash=always rehash=log-only; do
	service never-back method=yescrypt crypt_cost=12 $option
	is "rehash, back, at no cost there is, $option" \
	    "$(logged never-back alice 'secret\n' auth)" \
	    "85 lyra2_update: password of user alice not rehashed from lyra2(v=30 t=1 r=16 c=704 p=4): crypt(3) cannot make the configured method at this crypt_cost"
done
service back method=yescrypt
is "rehash, back" "$(logged back alice 'secret\n' auth)" \
    "85 lyra2_update: password of user alice rehashed from lyra2(v=30 t=1 r=16 c=704 p=4) to yescrypt"
is "new password, back, at no cost there is" \
    "$(logged never-back alice 'secret\nsecret\n' passwd)" \
    "84 never-back:chauthtok: new password of user alice is not of the configured method: crypt(3) cannot make it at this crypt_cost
85 never-back:chauthtok: password changed for alice"
is "new password" "$(logged std alice 'new\nnew\n' passwd)" \
    "85 std:chauthtok: password changed for alice"
user twice "$sha"
echo "twice:$sha:19000::::::" >>/etc/shadow
is "no rehash" "$(logged rehash twice 'secret\n' auth)" \
    "85 lyra2_update: password of user twice not rehashed from sha512crypt: /etc/shadow has more than one line of that user"
user locked-out "$sha"
python3 -c 'import fcntl, sys, time
f = open("/etc/.pwd.lock", "w")
fcntl.lockf(f, fcntl.LOCK_EX)
open(sys.argv[1], "w").close()
time.sleep(60)' "$work/held" &
wait_for test -e "$work/held"
is "no rehash while the file is locked" \
    "$(logged rehash locked-out 'secret\n' auth)" \
    "85 lyra2_update: password of user locked-out not rehashed from sha512crypt: another program holds the lock /etc/.pwd.lock"
kill $!
wait

# ---- costs that are refused before any work ----
digits=$(printf '%042d.' 0)
for hash in '$y$jHT$saltsaltsaltsalt$abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq' \
    '$7$HU..../....salt$abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq' \
    '$2b$31$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuuabcdefghij' \
    '$6$rounds=999999999$salt$abc' \
    "\$lyra2\$v=30\$t=1000000\$r=65536\$c=256\$saltsalt\$$digits" \
    '$lyra2$v=30$t=2$r=16$c=16$short' '$lyra2$'; do
	costly=costly$((costly_count = ${costly_count:-0} + 1))
	user "$costly" "$hash"
	is "refused: $hash" \
	    "$(timeout 10 sh -c : && logged std "$costly" 'x\n' auth |
		head -n 1)" \
	    "83 std:auth: password hash of user $costly refused: it is damaged, or costs more than is allowed"
done
user method '$unknown$salt$hash'
is "unknown method" "$(logged std method 'x\n' auth | head -n 1)" \
    "83 std:auth: password hash of user method refused: its method is unknown to libcrypt"

# ---- options and configuration ----
service odd nullokXYZ minlen=x rounds=99999999999
is "options" "$(logged odd alice 'new\n' auth account | head -n 6)" \
    "83 odd:auth: unrecognized option [nullokXYZ]
83 odd:auth: option [minlen=x] ignored: it must be a number, 0 to 511
83 odd:account: unrecognized option [nullokXYZ]
83 odd:account: option [minlen=x] ignored: it must be a number, 0 to 511"
echo 'max_memory = a lot' >>"$conf"
is "configuration" "$(logged std alice 'new\n' auth)" \
    "83 std:auth: $conf:4: max_memory ignored: it must be a number, 1048576 to 1073741824, or one with K, M or G"
printf '%s\n' "$CHEAP" >"$conf"
sed 's/^# \([a-z_]* = \)/\1/' "$SRCDIR/pam/pam_lyra2.conf" >"$work/sample"
sed -i "s,conf=[^ ]*,conf=$work/sample," /etc/pam.d/std
is "the sample configuration says nothing wrong" \
    "$(logged std alice 'new\n' account)" ""
# shellcheck disable=SC2013	# keys are words
for key in $(sed -n 's/^\.It Cm \([a-z_]*\)$/\1/p' \
    "$SRCDIR/man/pam_lyra2.conf.5"); do
	echo "$key =" >"$work/sample"
	ok "pam_lyra2.conf(5): $key is known, and in the sample" sh -c \
	    'echo "$1" | grep -q "$2 ignored" &&
	    { [ "$2" = cost ] || grep -q "^# $2 = " "$3"; }' - \
	    "$(logged std alice '' account)" "$key" \
	    "$SRCDIR/pam/pam_lyra2.conf"
done
service std
user des "$(hash sa longer-than-8)"
is "what is for debugging is not said" \
    "$(logged std des 'longer-than-8\n' auth)" ""
service debug debug
is "nor without debug what the helper says" \
    "$(logged debug des 'longer-than-8\n' auth)" \
    "87 debug:auth: username [des] obtained
87 debug:auth: password of user des not rehashed: the old method truncates passwords"
service std norehash
service debug debug norehash
is "debug" "$(logged debug alice 'new\n' auth)" \
    "87 debug:auth: username [alice] obtained"

# ---- a helper that is not there, or dies ----
chkpwd=$prefix/sbin/lyra2_chkpwd
cp "$chkpwd" "$work/chkpwd"
replace "$chkpwd" </dev/null
is "no helper: refused" "$(echo new | try std alice auth)" \
    "prompt: Password: /auth=9/"
is "no helper: said" "$(logged std alice 'new\n' auth | head -n 1)" \
    "82 std:auth: $chkpwd ended early: it cannot be run"
replace "$chkpwd" <"$work/chkpwd"
rm -r "$work"
tap_done
