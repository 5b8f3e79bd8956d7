# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# A login replaces the stored hash by one with the configured parameters: when
# it does, when not, and what it leaves as it was.  tests/unit/pam-entry
# compares parameters.
. "$SRCDIR/tests/lib/pam.sh"

P='prompt: Password: /'
service std
service null nullok
# with NAME LINE...: makes a configuration, which login uses by its name
with()
{
	w_name=$1
	shift
	{
		echo "$CHEAP"
		printf '%s\n' "$@"
	} >"$work/with.$w_name"
}
with std
ours='$lyra2$t2n10c171p2$'
sha=$(hash '$6$salt$' secret)

# login WHAT USER PASSWORD [WITH]: logs in, and waits until a rehash has ended
login()
{
	[ "${4-}" = '' ] || cp "$work/with.$4" "$conf"
	is "$1: login" "$(echo "$3" | try std "$2" auth)" "${P}auth=0/"
	idle	# the configuration is read again before a rehash
	cp "$work/with.std" "$conf"
}
# stays WHAT USER PASSWORD [WITH]: the login succeeds and changes no byte
stays()
{
	cp -p /etc/shadow "$work/before"
	login "$@"
	ok "$1: /etc/shadow stands" cmp /etc/shadow "$work/before"
}
# becomes WHAT USER PASSWORD PREFIX [WITH]: after a login, the hash has this
# PREFIX
becomes()
{
	b_prefix=$4
	login "$1" "$2" "$3" "${5-}"
	case $(stored "$2") in
	"$b_prefix"*) b_got=$b_prefix ;;
	*) b_got=$(stored "$2") ;;
	esac
	is "$1: new hash" "$b_got" "$b_prefix"
}
# again USER [HASH]: gives the user that hash, or a SHA-512 hash
again()
{
	awk -F: -v OFS=: -v name="$1" -v hash="${2-$sha}" '
		$1 == name { $2 = hash } { print }' /etc/shadow >"$work/again"
	cat "$work/again" >/etc/shadow
}

# ---- tests/unit/order.c has all hashes, tests/pam/users.py all users ----
user alice "$sha"
user big "$sha"
with exact rehash=exact
with leave method=yescrypt rehash=leave
with costly cost=12 cols=256
with changed t_cost=3 lanes=1 method=bash-lyra2
with broken garbage rehash=exact
for wrong in 'method=des' 'method=bcrypt crypt_cost=31' \
    'method=yescrypt crypt_cost=4' 'rehash=never' 'rehash=log-only'; do
	# shellcheck disable=SC2086	# words
	with wrong $wrong
	stays "$wrong" alice secret wrong
done
becomes "weaker" alice secret "$ours"
stays "again" alice secret
stays "a broken configuration, exact" big secret broken
becomes "more memory" big secret '$lyra2$t2n12c256p2$' costly
stays "more memory than any new hash takes" big secret
becomes "other parameters" alice secret '$bashlyra2$t3n10c171p1$' changed
stays "taken back" alice secret
becomes "taken back, exact" alice secret "$ours" exact
with back method=yescrypt max_memory=8M
stays "back, but not leave" alice secret back
becomes "leave, from more than max_memory" alice secret '$y$j9T$' leave
stays "its user gets in" alice secret back
with cost method=yescrypt crypt_cost=6
becomes "crypt_cost" alice secret '$y$jAT$' cost
word73=$(printf '%073d' 0)
user long "$(hash '$6$salt$' "$word73")"
becomes "a password of 73 bytes" long "$word73" "$ours"
with bcrypt method=bcrypt rehash=leave
stays "bcrypt would look at 72 of them" long "$word73" bcrypt

# passwd WHAT USER PASSWORD NEW RESULT METHOD WITH
passwd()
{
	cp "$work/with.$7" "$conf"
	another_id "passwd: $1" uid: ||
	    is "passwd: $1" "$(printf '%s\n%s\n%s\n' "$3" "$4" "$4" |
	    try std "$2" "euid:$(id_of "$2")" passwd |
	    sed 's,.*/p,p,')$(stored "$2" | grep -o '^.[a-z0-9]*')" \
	    "passwd=$5/$6"
	cp "$work/with.std" "$conf"
}
id_of()
{
	awk -F: -v name="$1" '$1 == name { print $3 }' /etc/passwd
}
passwd "a broken file: libcrypt's own method" alice secret Zebra-5x 0 '$y' \
    broken
passwd "72 bytes of bcrypt" alice Zebra-5x "${word73%?}" 0 '$2b' bcrypt
passwd "not 73" alice "${word73%?}" "$word73" 20 '$2b' bcrypt
passwd "bash-lyra2" alice "${word73%?}" secret 0 '$bashlyra2' changed

# ---- the method of the machine's own tools ----
for defs in ':$y$j9T$' ' ENCRYPT_METHOD	bcrypt # x:$2b$05$' \
    'ENCRYPT_METHOD MD5:$y$j9T$' 'ENCRYPT_METHOD SHA512:$6$'; do
	echo "${defs%%:*}" >/etc/login.defs
	with system method=system rehash=leave
	again alice "$(hash '$1$salt$' secret)"
	becomes "system, \"${defs%%:*}\"" alice secret "${defs#*:}" system
done

# ---- no method: nothing changes that is not configured ----
printf '%s\n' cost=10 rehash=exact rehash_root=yes >"$work/with.nothing"
again alice "$(hash '$1$salt$' secret)"
stays "no method: md5crypt" alice secret nothing
passwd "no method" alice secret secret2 0 '$6' nothing
rm /etc/login.defs

# ---- the members of a group ----
echo 'trial:x:4242:alice' >>/etc/group
again alice
with no-trial rehash_group=shadow
stays "who is no member" alice secret no-trial
with trial rehash_group=trial
becomes "a member" alice secret "$ours" trial

# ---- a program that runs as its user, through lyra2_chkpwd ----
if ! another_id "a screen locker converts, too" uid:; then
	again alice
	is "a screen locker: login" "$(echo secret | try std alice \
	    "uid:$(id_of alice)" auth)" "${P}auth=0/"
	idle
	case $(stored alice) in
	"$ours"*) converted=yes ;;
	*) converted=$(stored alice) ;;
	esac
	is "a screen locker: new hash" "$converted" yes
fi

# ---- reasons that forbid a rehash ----
# A rehash would come between the check of the old password and the new hash.
if ! another_id "passwd does not rehash first" uid:; then
	again alice
	cp -p /etc/shadow "$work/before"
	is "passwd, the new one is refused" \
	    "$(printf 'secret\nx\nx\nx\nx\nx\nx\n' | try std alice \
	    "euid:$(id_of alice)" passwd | sed 's,.*/p,p,')" "passwd=20/"
	idle
	ok "passwd: no rehash of the old one" cmp /etc/shadow "$work/before"
fi
echo "inpasswd:$sha:1500:100::/:/bin/sh" >>/etc/passwd
for field in '!' "$sha"; do
	echo "inpasswd:$field:19000::::::" >>/etc/shadow
	cp -p /etc/shadow "$work/before"
	is "hash in /etc/passwd, $field in /etc/shadow: not ours" \
	    "$(echo secret | try std inpasswd auth)" "${P}auth=10/"
	ok "$field: /etc/shadow stands" cmp /etc/shadow "$work/before"
	sed -i '/^inpasswd:/d' /etc/shadow
done
user twice "$sha"
echo "twice:$sha:1::::::" >>/etc/shadow
stays "two lines" twice secret
sed -i '/^twice:/d' /etc/shadow
user blank ''
cp /etc/shadow "$work/before"
is "blank password: login" "$(try null blank auth)" "auth=0/"
ok "blank: /etc/shadow stands" cmp /etc/shadow "$work/before"

# ---- the package is being removed: no hash that pam_unix cannot verify ----
removal=/run/pam_lyra2.removal
again alice
: >$removal
stays "a removal: a login" alice secret
stays "a removal: a login, bash-lyra2" alice secret changed
passwd "a removal" alice secret secret2 20 '$6' std
passwd "a removal, another method" alice secret secret2 0 '$2b' bcrypt
rm $removal
again alice
becomes "no removal" alice secret "$ours"

# ---- root ----
again root
with root-yes rehash_root=yes
with root-no rehash_root=no
stays "root, rehash_root=no" root secret root-no
stays "root, whatever crypt(3) can read" root secret
is "root's new password: set, by libcrypt's own method" \
    "$(printf 'new\nnew\n' | try std root passwd |
    sed 's,.*/p,p,')$(stored root | cut -c1-3)" 'passwd=0/$y$'
again root
becomes "root, rehash_root=yes" root secret "$ours" root-yes

# ---- other lines stay as they were; a long line, a large file ----
{
	printf '# a comment\n\ngarbage without a colon\n  blanks:x:1\n'
	printf 'short:!\n+nis::::::::\nlong:%070000d:1::::::\n' 0
	seq -f 'u%06.0f:$y$j9T$salt$hash:19000:0:99999:7:::' 200000
	printf 'nonumber:!:a:b:c:d:e:f:g\n'
} >>/etc/shadow
user last "$sha" '12345:1:99999:3:4:99999:5'
printf 'no-newline:!:1::::::' >>/etc/shadow
chmod 604 /etc/shadow
chown 0:100 /etc/shadow 2>/dev/null || true
noted=yes
setfattr -n user.note -v kept /etc/shadow 2>/dev/null ||
    setfattr -n trusted.note -v kept /etc/shadow 2>/dev/null || noted=no
setfacl -m u:0:r-- /etc/shadow 2>/dev/null || true
attributes()
{
	stat -c '%a %u %g' /etc/shadow
	getfattr -d -m - --absolute-names /etc/shadow 2>/dev/null
	getfacl -n --absolute-names /etc/shadow 2>/dev/null
}
attributes >"$work/attributes"
if [ $noted = yes ]; then
	ok "there are attributes to keep" grep -q note "$work/attributes"
else
	skip "there are attributes to keep" "setfattr cannot set any here"
fi
cp -p /etc/shadow "$work/before"
becomes "file full of oddities" last secret "$ours"
ok "all bytes but the hash stand" perl -e '
	local $/; my ($old, $new, $hash) = @ARGV;
	open A, "<", $old; open B, "<", $new; my $a = <A>; my $b = <B>;
	$a =~ s/^(last:)[^:]*/$1$hash/m; exit($a eq $b ? 0 : 1)' \
    "$work/before" /etc/shadow "$(stored last)"
is "owner, mode, ACL and attributes stand" "$(attributes)" \
    "$(cat "$work/attributes")"
sed -i '/^u[0-9]/d' /etc/shadow
setfacl -b /etc/shadow 2>/dev/null || true
# In these attributes, the kernel keeps a digest of the file.
for name in security.ima security.evm; do
	again alice
	if setfattr -n $name -v 0x01abcdef /etc/shadow 2>/dev/null; then
		becomes "$name" alice secret "$ours"
		is "$name of the old contents: not copied" \
		    "$(attributes | grep -c "^$name")" 0
	else
		skip "$name of the old contents" "setfattr cannot set any here"
	fi
done

# ---- files with the temporary file's name, or a similar one ----
temp=/etc/.shadow.lyra2
for squat in mkdir mkfifo 'ln -s /etc/passwd' touch; do
	again alice
	cp /etc/passwd "$work/passwd"
	$squat "$temp.0"
	becomes "temporary name taken by $squat" alice secret "$ours"
	ok "$squat: nothing was written through it" \
	    cmp /etc/passwd "$work/passwd"
	[ ! -d "$temp.0" ] || rmdir "$temp.0"
done
again alice
echo 1 >/etc/shadow.lock
ln /etc/shadow /etc/shadow.link
becomes "a stale lock file of shadow-utils, a second link" alice secret "$ours"
ok "the other link keeps the old file" grep -q '^alice:\$6' /etc/shadow.link
rm /etc/shadow.lock /etc/shadow.link
again alice

# ---- a hash that cannot be replaced stays, and costs no second hash ----
# The service ends for a read-only file system once an hour: not now.
cut -d. -f1 /proc/uptime >/run/lyra2/renewed
# matrices: prints how many Lyra2 hashes a login computes.  It counts mappings
# of this size: 1024 rows of 171 columns in units of 64 KiB, and 2 MiB to align
# to a huge page.
matrices()
{
	strace -f -qq -o "$work/trace" -e trace=mmap -p "$service_pid" &
	m_strace=$!
	wait_for grep -q '^TracerPid:.[1-9]' "/proc/$service_pid/status"
	echo secret | try std alice auth >/dev/null
	idle
	kill "$m_strace"
	wait "$m_strace" 2>/dev/null || :
	grep -c 'mmap(NULL, 18939904, .*MAP_PRIVATE|MAP_ANONYMOUS' "$work/trace"
}
traces=yes
strace -o /dev/null true 2>/dev/null || traces=no
while IFS='|' read -r obstacle away early; do
	if ! sh -c "$obstacle" 2>/dev/null; then
		skip "$obstacle" "that is not possible here"
		continue
	fi
	stays "$obstacle" alice secret
	[ "$traces:$early" != yes:early ] ||
	    is "no hash is computed: $obstacle" "$(matrices)" 0
	sh -c "$away"
done <<'END'
mount --bind /etc/shadow /etc/shadow|umount /etc/shadow|early
mount --bind /etc /etc; mount -o remount,bind,ro /etc|umount /etc|early
chattr +i /etc/shadow|chattr -i /etc/shadow|early
mv /etc/shadow /etc/real; ln -s real /etc/shadow|mv /etc/real /etc/shadow|early
ln -sf passwd /etc/.pwd.lock|rm /etc/.pwd.lock|
mkdir $(seq -f /etc/.shadow.lyra2.%g 0 7)|rmdir /etc/.shadow.lyra2.*|
END
for kind in posix ofd; do
	hold_lock $kind
	stays "$kind lock held by another" alice secret
	given_back
done
other=$(hash '$6$other$' secret)
for meanwhile in '' "$other"; do
	again alice
	hold_lock posix
	echo secret | try std alice auth >/dev/null
	sleep 0.5
	[ -z "$meanwhile" ] || again alice "$meanwhile"
	given_back
	idle
	wanted=${meanwhile:-$ours}
	is "stored while the rehash waits for the lock: '$meanwhile'" \
	    "$(stored alice | cut -c "1-${#wanted}")" "$wanted"
done
again alice
cp -a /etc "$work/etc"
if mount -t tmpfs -o size=512k none /etc 2>/dev/null; then
	cp -a "$work/etc/." /etc
	dd if=/dev/zero of=/etc/filler bs=4k 2>/dev/null || true
	stays "a full file system" alice secret
	is "and no new password, and why" "$(ask set 4 alice '' new |
	    grep -c '^verdict 20 \|: No space left')" 1
	ok "nothing is changed by that" cmp /etc/shadow "$work/before"
	umount /etc
else
	skip "a full file system" "mount is not permitted"
fi
fails "no temporary file is left" ls "$temp".*
[ $traces = no ] || is "a hash is computed to replace another" "$(matrices)" 1
rm -r "$work"
tap_done
