# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# A login brings the stored hash to the configured parameters: when, when not,
# and with what left as it was.
. "$SRCDIR/tests/lib/pam.sh"

P='prompt: Password: /'
service std
ours='$lyra2$v=30$t=1$r=16$c=704$p=4$'

# login WHAT USER PASSWORD [SERVICE]: the login succeeds; a rehash has ended
login()
{
	is "$1: login" "$(echo "$3" | try "${4:-std}" "$2" auth)" "${P}auth=0/"
	l_tries=0
	while grep -qsx lyra2_update /proc/[0-9]*/comm &&
	    [ $l_tries -lt 1000 ]; do
		sleep 0.05
		l_tries=$((l_tries + 1))
	done
}
# stays WHAT USER PASSWORD [SERVICE]: the login succeeds, no byte changes
stays()
{
	cp -p /etc/shadow "$work/before"
	login "$@"
	ok "$1: /etc/shadow stands" cmp /etc/shadow "$work/before"
}
# becomes WHAT USER PASSWORD PREFIX [SERVICE]
becomes()
{
	b_prefix=$4
	login "$1" "$2" "$3" "${5:-std}"
	case $(stored "$2") in
	"$b_prefix"*) b_got=$b_prefix ;;
	*) b_got=$(stored "$2") ;;
	esac
	is "$1: new hash" "$b_got" "$b_prefix"
}

# ---- every method becomes ours, with a password that it hashed whole ----
n=0
for setting in 'sa' '_J9..salt' '$1$salt$' '$3$' '$sha1$1000$salt$' \
    '$2b$04$abcdefghijklmnopqrstuu' '$5$salt$' '$6$salt$' \
    '$7$6U..../....salt$' '$y$j75$saltsalt$' '$gy$j75$saltsalt$'; do
	n=$((n + 1))
	user "method$n" "$(hash "$setting" secret)"
	becomes "$setting" "method$n" secret "$ours"
	stays "$setting, again" "method$n" secret
done

# ---- the parameters decide: to more, and to others of equal cost ----
user params "$(hash '$6$salt$' secret)"
becomes "first" params secret "$ours"
service exact rehash=exact
for change in t_cost=2:'$lyra2$v=30$t=2$r=16$c=704$p=4$' \
    cost=5:'$lyra2$v=30$t=1$r=32$c=704$p=4$' \
    cols=720:'$lyra2$v=30$t=1$r=16$c=720$p=4$' \
    lanes=2:'$lyra2$v=30$t=1$r=16$c=704$p=2$' \
    version=2.5:'$lyra2$v=25$t=1$r=16$c=704$' \
    outer=bash256:'$lyra2$v=30$t=1$r=16$c=704$p=4$o=bash256$'; do
	service changed "${change%%:*}"
	becomes "${change%%:*}" params secret "${change#*:}" changed
	stays "${change%%:*} taken back" params secret
	becomes "${change%%:*} taken back, exact" params secret "$ours" exact
done
service changed sponge=blake2b
becomes "sponge=blake2b" params secret \
    '$lyra2$v=30$t=1$r=16$c=704$p=4$f=blake2b$' changed
becomes "sponge=blake2b taken back" params secret "$ours"

# ---- never to weaker hashes ----
service strong t_cost=3 cost=5
becomes "a strong hash" params secret '$lyra2$v=30$t=3$r=32$c=704$p=4$' strong
user big-yescrypt "$(hash '$y$j9T$saltsalt$' secret)"
cp "$conf" "$work/conf"
for damage in 'rm $conf' 'echo "cots = 4" >>$conf' 'echo "rows =" >>$conf' \
    'chmod 666 $conf' 'chown 1 $conf' 'echo garbage >$conf'; do
	case $damage in
	chown*) chown 1 "$conf" 2>/dev/null || {
		skip "$damage" "this namespace has one user ID"
		continue
	} ;;
	*) eval "$damage" ;;
	esac
	stays "$damage" params secret
	stays "$damage: yescrypt" big-yescrypt secret
	stays "$damage, exact" params secret exact
	rm -f "$conf"
	cp "$work/conf" "$conf"
done
stays "yescrypt of more memory" big-yescrypt secret
user any "$(hash '$6$salt$' secret)"
service tiny cols=1
stays "parameters of less than 1 MiB" any secret tiny
service tiny cols=1 rehash=exact
stays "parameters of less than 1 MiB, exact" any secret tiny

# ---- back: each hash of Lyra2, whatever it costs, and no other ----
user back "$(hash '$6$salt$' secret)"
back_id=$pam_ids
becomes "before going back" back secret '$lyra2$v=30$t=3$r=32' strong
lyra2_hash=$(stored back)
# back_with OPTION...: a service with them; user back has a hash of Lyra2
back_with()
{
	service back "$@"
	pam_back=$(mktemp "$work/shadow.XXXXXX")
	awk -F: -v OFS=: -v hash="$lyra2_hash" '
		$1 == "back" { $2 = hash } { print }' /etc/shadow >"$pam_back"
	cat "$pam_back" >/etc/shadow
}
user legacy "$(hash '$6$salt$' secret)"
for way in yescrypt:'$y$j9T$' bcrypt:'$2b$05$' sha512crypt:'$6$' \
    'scrypt:$7$CU..../....'; do
	back_with "method=${way%%:*}"
	becomes "${way%%:*}: back" back secret "${way#*:}" back
	stays "${way%%:*}: back, again" back secret back
	stays "${way%%:*}: another method" legacy secret back
done
back_with method=yescrypt crypt_cost=6
becomes "crypt_cost: back" back secret '$y$jAT$' back
for wrong in crypt_cost=4 method=des 'method=bcrypt [crypt_cost=3]'; do
	# shellcheck disable=SC2086	# words
	back_with method=yescrypt $wrong
	stays "$wrong" back secret back
done
back_with method=bcrypt crypt_cost=31
stays "more than may be verified" back secret back
back_with method=yescrypt max_memory=8M
becomes "more than max_memory" back secret '$y$j9T$' back
stays "more than max_memory: its user gets in" back secret back
back_with method=bcrypt
user long-back "$(hash '$6$salt$' "$(printf '%073d' 0)")"
becomes "a password of 73 bytes" long-back "$(printf '%073d' 0)" "$ours"
stays "bcrypt would look at 72 of them" long-back "$(printf '%073d' 0)" back
service back-exact method=yescrypt rehash=exact
becomes "exact: any other method" legacy secret '$y$j9T$' back-exact
for option in rehash=never rehash=log-only; do
	back_with method=yescrypt $option
	stays "back, but $option" back secret back
done
back_with method=yescrypt
if ! another_id "a new password has the method" uid:; then
	is "passwd" "$(printf 'secret\nZebra-5319x\nZebra-5319x\n' |
	    try back back "euid:$back_id" passwd | sed 's,.*/p,p,')" \
	    "passwd=0/"
	ok "passwd: of the method" grep -q '^back:.y.j9T.' /etc/shadow
fi

# ---- the method of the machine's own tools ----
for defs in ':$y$j9T$' 'ENCRYPT_METHOD SHA512:$6$' \
    ' ENCRYPT_METHOD	bcrypt # x:$2b$05$' 'ENCRYPT_METHOD MD5:$y$j9T$'; do
	echo "${defs%%:*}" >/etc/login.defs
	back_with method=system
	becomes "system, \"${defs%%:*}\"" back secret "${defs#*:}" back
	stays "system, \"${defs%%:*}\", again" back secret back
done
back_with method=system crypt_cost=4
becomes "a cost of no method" back secret '$y$j9T$' back
echo 'ENCRYPT_METHOD SHA512' >/etc/login.defs

# ---- FIPS 140: nothing changes that is not configured ----
fips=/proc/sys/crypto/fips_enabled
if mount -t tmpfs none /proc/sys 2>/dev/null; then
	mkdir "${fips%/*}"
	echo 1 >$fips
	user in-fips "$(hash '$6$salt$' secret)"
	back_with
	stays "FIPS: sha512crypt" in-fips secret
	stays "FIPS: Lyra2" back secret back
	if ! another_id "FIPS: a new password" uid:; then
		is "FIPS: passwd" "$(printf 'secret\nZebra-5\nZebra-5\n' |
		    try back back "euid:$back_id" passwd |
		    sed 's,.*/p,p,')" "passwd=0/"
		ok "FIPS: of the machine's method" grep -q '^back:.6.' /etc/shadow
	fi
	back_with rehash=always
	becomes "FIPS, rehash=always" back secret '$6$' back
	stays "FIPS, rehash=always: sha512crypt" in-fips secret back
	service fips-lyra2 method=lyra2
	stays "FIPS, method=lyra2" in-fips secret fips-lyra2
	service fips-both method=lyra2 rehash=always
	becomes "FIPS, both" in-fips secret "$ours" fips-both
	user no-fips "$(hash '$6$salt$' secret)"
	rm $fips && mkdir $fips
	stays "FIPS: not to be read" no-fips secret
	rmdir $fips && echo 0 >$fips
	becomes "FIPS, but 0" no-fips secret "$ours"
	umount /proc/sys
else
	skip "FIPS" "mount is not permitted"
fi
rm /etc/login.defs

# ---- the members of a group ----
user in-group "$(hash '$6$salt$' secret)"
user no-group "$(hash '$6$salt$' secret)"
echo 'trial:x:4242:in-group' >>/etc/group
service trial rehash_group=trial
stays "who is no member" no-group secret trial
becomes "a member" in-group secret "$ours" trial
service no-trial rehash_group=no-such-group
stays "no such group" no-group secret no-trial
service bad-trial rehash_group=
stays "no name of a group" no-group secret bad-trial

# ---- what forbids it ----
for option in norehash rehash=never rehash=log-only; do
	service forbidden "$option"
	user "$option" "$(hash '$6$salt$' secret)"
	stays "$option" "$option" secret forbidden
done
# It would come between the look at the old password and the new hash.
if ! another_id "passwd does not rehash first" uid:; then
	user change "$(hash '$6$salt$' secret)"
	cp -p /etc/shadow "$work/before"
	is "passwd, the new one is refused" \
	    "$(printf 'secret\nx\nx\nx\nx\nx\nx\n' | try std change \
	    "euid:$pam_ids" passwd | sed 's,.*/p,p,')" "passwd=20/"
	wait_for there_are 0 lyra2_update
	ok "passwd: no rehash of the old one" cmp /etc/shadow "$work/before"
fi
user des "$(hash sa longer-than-8)"
stays "DES looked at 8 bytes" des longer-than-8
user eighth "$(hash sa "$(printf 'p\303\251')")"
stays "DES ignores the eighth bit" eighth "$(printf 'p\303\251')"
user bsdi "$(hash '_J9..salt' "$(printf 'p\303\251')")"
stays "so does bsdicrypt" bsdi "$(printf 'p\303\251')"
becomes "DES, of 8 bytes" des longer-t "$ours"
user bcrypt "$(hash '$2b$04$abcdefghijklmnopqrstuu' "$(printf '%073d' 0)")"
stays "bcrypt looked at 72 bytes" bcrypt "$(printf '%073d' 0)"
becomes "bcrypt, of 72 bytes" bcrypt "$(printf '%072d' 0)" "$ours"
user big "$(hash "sa$(printf '%040d' 0)" "$(printf '%0129d' 0)")"
stays "bigcrypt looked at 128 bytes" big "$(printf '%0129d' 0)"
echo "inpasswd:$(hash '$6$salt$' secret):1500:100::/:/bin/sh" >>/etc/passwd
echo "inpasswd:!:19000::::::" >>/etc/shadow
stays "hash in /etc/passwd" inpasswd secret
both=$(hash '$6$salt$' secret)
echo "both:$both:1501:100::/:/bin/sh" >>/etc/passwd
echo "both:$both:19000::::::" >>/etc/shadow
stays "hash in /etc/passwd, and the same in /etc/shadow" both secret
user twice "$(hash '$6$salt$' secret)"
echo "twice:$(hash '$6$salt$' secret):1::::::" >>/etc/shadow
stays "two lines" twice secret
sed -i '/^twice:/d' /etc/shadow
user expired "$(hash '$6$salt$' secret)" '19000:0:99999:7::19100:'
stays "expired account" expired secret
user blank ''
service null nullok
cp /etc/shadow "$work/before"
is "blank password: login" "$(try null blank auth)" "auth=0/"
ok "blank password: /etc/shadow stands" cmp /etc/shadow "$work/before"
user wrong "$(hash '$6$salt$' secret)"
cp /etc/shadow "$work/before"
is "wrong password" "$(echo Secret | try std wrong auth)" "${P}auth=7/"
ok "wrong password: /etc/shadow stands" cmp /etc/shadow "$work/before"

# ---- root ----
sed -i "s,^root:[^:]*,root:$(hash '$6$salt$' secret)," /etc/shadow
service root-yes rehash_root=yes
service root-no rehash_root=no
known=$(perl -e 'print defined crypt("x", $ARGV[0]) &&
    crypt("x", $ARGV[0]) !~ /^\*/ ? "yes" : "no"' \
    "${ours}AAAAAAAAAAAAAAAAAAAAAA\$")
stays "root, rehash_root=no" root secret root-no
if [ "$known" = no ]; then
	stays "root, when crypt(3) cannot read it" root secret
	is "root's new password: set" \
	    "$(printf 'new\nnew\n' | try std root passwd | sed 's,.*/p,p,')" \
	    "passwd=0/"
	is "root's new password: of libcrypt's own method" \
	    "$(stored root | cut -c1-3)" '$y$'
	sed -i "s,^root:[^:]*,root:$(hash '$6$salt$' secret)," /etc/shadow
else
	becomes "root, when crypt(3) can read it" root secret "$ours"
fi
becomes "root, rehash_root=yes" root secret "$ours" root-yes

# ---- what is left as it was ----
user last "$(hash '$6$salt$' secret)" '12345:1:2:3:4:99999:5'
{
	echo '# a comment'
	echo
	echo 'garbage without a colon'
	echo '  blanks:x:1'
	echo 'short:!'
	echo '+nis::::::::'
	printf 'nonumber:!:a:b:c:d:e:f:g\nno-newline:!:1::::::'
} >>/etc/shadow
chmod 604 /etc/shadow
chown 0:100 /etc/shadow 2>/dev/null || true
noted=yes
setfattr -n user.note -v kept /etc/shadow 2>/dev/null ||
    setfattr -n trusted.note -v kept /etc/shadow 2>/dev/null || noted=no
setfacl -m u:0:r-- /etc/shadow 2>/dev/null || true
{
	stat -c '%a %u %g' /etc/shadow
	getfattr -d -m - --absolute-names /etc/shadow
	getfacl -n --absolute-names /etc/shadow
} >"$work/attributes" 2>/dev/null
if [ $noted = yes ]; then
	ok "there are attributes to keep" grep -q note "$work/attributes"
else
	skip "there are attributes to keep" "setfattr cannot set any here"
fi
cp -p /etc/shadow "$work/before"
becomes "file full of oddities" last secret "$ours"
new=$(stored last)
ok "all bytes but the hash stand" perl -e '
	local $/; my ($old, $new, $hash) = @ARGV;
	open A, "<", $old; open B, "<", $new; my $a = <A>; my $b = <B>;
	$a =~ s/^(last:)[^:]*/$1$hash/m; exit($a eq $b ? 0 : 1)' \
    "$work/before" /etc/shadow "$new"
{
	stat -c '%a %u %g' /etc/shadow
	getfattr -d -m - --absolute-names /etc/shadow
	getfacl -n --absolute-names /etc/shadow
} >"$work/attributes2" 2>/dev/null
ok "owner, mode, ACL and attributes stand" \
    diff "$work/attributes" "$work/attributes2"
setfacl -b /etc/shadow 2>/dev/null || true

again()
{
	sed -i "s,^last:[^:]*,last:$(hash '$6$salt$' secret)," /etc/shadow
}
# digests: those attributes in which the kernel keeps one of the contents
digests()
{
	getfattr -d -m - --absolute-names /etc/shadow 2>/dev/null |
	    grep -o '^security\.[ei][vm][ma]'
}
for name in security.ima security.evm; do
	again
	if setfattr -n $name -v 0x01abcdef /etc/shadow 2>/dev/null; then
		is "$name is there" "$(digests)" $name
		becomes "$name" last secret "$ours"
		is "$name of the old contents: not copied" "$(digests)" ""
		setfattr -x $name /etc/shadow 2>/dev/null
	else
		skip "$name of the old contents" "setfattr cannot set any here"
	fi
done

# ---- what is in the way ----
temp=/etc/.shadow.lyra2
again
mkdir "$temp.0"
becomes "a directory of the temporary name" last secret "$ours"
rmdir "$temp.0"
for squat in 'mkfifo' 'ln -s /etc/passwd' 'touch'; do
	again
	cp /etc/passwd "$work/passwd"
	$squat "$temp.0"
	becomes "temporary name taken by $squat" last secret "$ours"
	ok "$squat: nothing was written through it" \
	    cmp /etc/passwd "$work/passwd"
done
fails "no temporary file is left" ls "$temp".*
again
for i in 0 1 2 3 4 5 6 7; do
	mkdir "$temp.$i"
done
stays "directories of every temporary name" last secret
rmdir "$temp".*
mv /etc/shadow /etc/shadow.real
ln -s shadow.real /etc/shadow
stays "a symbolic link" last secret
ok "the link is still one" test -L /etc/shadow
mv /etc/shadow.real /etc/shadow
ln -s passwd "$work/lock"
mv -T "$work/lock" /etc/.pwd.lock
stays "the lock is a symbolic link" last secret
rm /etc/.pwd.lock
if mount --bind /etc/shadow /etc/shadow 2>/dev/null; then
	stays "a bind mount on /etc/shadow" last secret
	umount /etc/shadow
else
	skip "a bind mount on /etc/shadow" "mount is not permitted"
fi
fails "nothing is left of that" ls "$temp".*
if mount --bind /etc /etc 2>/dev/null &&
    mount -o remount,bind,ro /etc 2>/dev/null; then
	stays "a read-only /etc" last secret
	umount /etc
else
	skip "a read-only /etc" "mount is not permitted"
fi
if chattr +i /etc/shadow 2>/dev/null; then
	stays "an immutable file" last secret
	chattr -i /etc/shadow
else
	skip "an immutable file" "chattr (e2fsprogs) is missing or not permitted"
fi

again
echo 1 >/etc/shadow.lock
becomes "a stale lock file of shadow-utils" last secret "$ours"
rm /etc/shadow.lock
again
ln /etc/shadow /etc/shadow.link
becomes "a second link" last secret "$ours"
ok "the other link keeps the old file" grep -q '^last:\$6' /etc/shadow.link
rm /etc/shadow.link

# ---- what cannot be replaced costs no second hash ----
# matrices: how many hashes of Lyra2 a login computes, by what it maps: 16 rows
# of 704 columns take 1056 KiB, mapped in units of 64 KiB.  Random salts cannot
# be seen where getrandom() is no system call.
matrices()
{
	"$BUILDDIR/tests/pam/ask" 1 0 "$conf" last secret '' strace -qq -o \
	    "$work/trace" -e trace=mmap "$prefix/sbin/lyra2_update" \
	    >/dev/null
	grep -c 'mmap(NULL, 1114112, .*MAP_PRIVATE|MAP_ANONYMOUS' "$work/trace"
}
if ! strace -o /dev/null true 2>/dev/null; then
	skip "what cannot be replaced" "strace may not trace here"
else
	again
	is "a hash is computed to replace another" "$(matrices)" 1
	again
	for obstacle in 'mount --bind /etc/shadow /etc/shadow|umount /etc/shadow' \
	    'mount --bind /etc /etc; mount -o remount,bind,ro /etc|umount /etc' \
	    'chattr +i /etc/shadow|chattr -i /etc/shadow' \
	    'cp /etc/shadow /etc/real; ln -sf real /etc/shadow|mv /etc/real /etc/shadow'; do
		if sh -c "${obstacle%|*}" 2>/dev/null; then
			is "no hash is computed: ${obstacle%|*}" "$(matrices)" 0
			sh -c "${obstacle#*|}"
		else
			skip "no hash is computed: ${obstacle%|*}" \
			    "that is not possible here"
		fi
	done
fi

# ---- large files ----
cp -p /etc/shadow "$work/small"
python3 -c 'print("long:!" + "x" * 70000 + ":1::::::")' >/etc/shadow
cat "$work/small" >>/etc/shadow
again
becomes "a line of 70,000 characters before the user's" last secret "$ours"
python3 -c '
for i in range(1000000):
    print("u%06d:$lyra2$v=30$t=2$r=2048$c=256$%s$%s:19000:0:99999:7:::" %
          (i, "s" * 22, "h" * 43))' >/etc/shadow
cat "$work/small" >>/etc/shadow
again
becomes "a million lines of Lyra2 before the user's" last secret "$ours"
is "no line is lost" "$(grep -c '^u[0-9]*:.lyra2' /etc/shadow)" 1000000
cp "$work/small" /etc/shadow

# ---- a lock that another process holds, in both ways ----
cat >"$work/hold.py" <<'PY'
import fcntl, os, struct, sys, time
fd = os.open("/etc/.pwd.lock", os.O_RDWR | os.O_CREAT, 0o600)
F_OFD_SETLK = 37
if sys.argv[1] == "posix":
    fcntl.lockf(fd, fcntl.LOCK_EX)
else:
    fcntl.fcntl(fd, F_OFD_SETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))
open(sys.argv[2], "w").close()
time.sleep(60)
PY
for kind in posix ofd; do
	again
	python3 "$work/hold.py" "$kind" "$work/held-$kind" &
	holder=$!
	wait_for test -e "$work/held-$kind" || echo "# it is not held"
	stays "$kind lock held by another" last secret
	kill "$holder"
	wait "$holder" 2>/dev/null
	becomes "$kind lock given back" last secret "$ours"
done
rm -r "$work"
tap_done
