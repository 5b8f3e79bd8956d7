#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# lyra2 audit on shadow files of every kind: what the next login does, the
# right exit status, and nothing of a hash in what it prints or leaves behind.
# Whether logins do so: tests/pam/users.py, and with many stacks of PAM
# tests/tool/audit-logins.sh.
# shellcheck disable=SC2016	# hashes are full of dollar signs
# shellcheck source=tests/lib/pam.sh
. "$SRCDIR/tests/lib/pam.sh"

lyra2=$BUILDDIR/src/lyra2
[ -x "$lyra2" ] || skip_all "configured with --disable-tool"
shadow=/etc/shadow
# The configuration is where configure's --sysconfdir says.
stands() {
	grep -ao "/[^[:cntrl:]]*/$1/pam_lyra2\.conf" \
		"$BUILDDIR/src/.libs/lyra2" | head -n 1
}
conf=$(stands security) vendor=$(stands lib/pam_lyra2)
mkdir -p "${conf%/*}" "${vendor%/*}"
printf 'method = lyra2\ncost = 10\n' >"$conf"
printf '%s:/:\n' root:x:0:0: toor:x:0:0: ann:x:1001:1: toor:x:5:5: \
	old:x:1002:1: >/etc/passwd
echo 'trial:x:77:ann' >>/etc/group
: >$shadow
service login

# The last parts of hashes: as long as a method makes them
h22=QlXX..................
h43=$h22.....................
h86=$h43$h43
md5=\$1\$thesalt\$$h22
sha=\$6\$thesaltthesalt\$$h86

make() {
	echo secret | "$lyra2" hash "$@"
}

# entry USER FIELD [EXPIRE]: adds a line for that user to the shadow file
entry() {
	grep -q "^$1:" /etc/passwd || echo "$1:x:1100:1:::" >>/etc/passwd
	printf '%s:%s:19000:0:99999:7::%s:\n' "$1" "$2" "${3-}" >>$shadow
}

# audit [OPTION...]: prints the output, and the exit status as the last line
audit() {
	"$lyra2" audit "$@" 2>&1 && echo 0 || echo $?
}

# said USER: prints method, parameters and result from the user's row of the
# table
said() {
	audit | sed -En "s/^([^ ]+) +([^ ]+) +[^ ]+ +$1 +/\\1 \\2 /p"
}

# json EXPRESSION: evaluates it; "a" is the JSON object
json() {
	"$lyra2" audit --json | python3 -c \
		"import json, sys; a = json.load(sys.stdin); print($1)"
}

# ---- the result for each kind of entry ----
entry star '*'
entry bang '!$lyra2$t2n4c12p1$saltsalt$notlookedat'
is "exit 0 where crypt(3) verifies all" "$(audit | tail -n 1)" 0
entry same "$(make --cost 10)"
# The result of a login ends with this where libcrypt lacks the method.
pam=
[ "$(json '[x["crypt"] for x in a["users"] if x["user"] == "same"][0]')" = \
	True ] || pam=', only PAM can verify'
is "also where it does not, while PAM asks the module" \
	"$(audit | tail -n 1)" 0
is "then --stranded exits with 1" "$(audit --stranded | tail -n 1)" \
	"$([ -z "$pam" ]; echo $?)"
entry more "$(make --cost 11)"
entry less "$(make --cost 8)"
is "locked without a hash: counted" "$(audit | grep '^Not listed')" \
	"Not listed: 1 locked users without a hash"
keep='kept: it is not weaker than a new hash'
cuts='will become lyra2, or kept: the old method truncates passwords'
while read -r user field wanted; do
	[ "$field" = - ] || entry "$user" "$field"
	is "$user" "$(said "$user")" "$wanted"
done <<END
same - lyra2 t2n10c256p2 current$pam
more - lyra2 t2n11c256p2 $keep$pam
less - lyra2 t2n8c256p2 will become lyra2$pam
bang - locked - locked
sha \$6\$rounds=4000\$thesaltthesalt\$$h86 sha512crypt rounds=4000 will become lyra2
bcr \$2b\$05\$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW bcrypt 05 $cuts
yes \$y\$j9T\$thesaltthesalt\$$h43 yescrypt j9T will become lyra2
gost \$gy\$j9T\$thesaltthesalt\$$h43 gost-yescrypt j9T $keep
scr \$7\$CU..../....thesalt\$$h43 scrypt - $keep
md5 \$1\$thesalt\$$h22 md5crypt - will become lyra2
des abJnggxhB/yWI descrypt - $cuts
hpux abJnggxhB/yWI,M.z8 descrypt - $cuts
bsdi _J9..rasmBYk8r9AiWNc unknown - unknown
odd \$9\$odd\$odd unknown - unknown
evil \$lyra2\$t4294967295n4c16p1\$AAAAAAAAAAAAAAAAAAAAAA\$ lyra2 t4294967295n4c16p1 damaged, or too costly
short \$2b\$10 bcrypt - damaged, or too costly
cut6 \$6\$abc sha512crypt - damaged, or too costly
cuty \$y\$j9T\$ yescrypt j9T damaged, or too costly
cut1 \$1\$x md5crypt - damaged, or too costly
more1 $md5. md5crypt - damaged, or too costly
bad1 ${md5%.}, md5crypt - damaged, or too costly
big abJnggxhB/yWI........... bigcrypt - $cuts
cutbig abJnggxhB/yWI.......... bigcrypt - damaged, or too costly
long \$sha1\$$(printf '%070d' 1)\$thesalt\$QlXX........................ sha1crypt - will become lyra2
END
entry nil ''
is "blank" "$(said nil)" "blank - blank"
entry gone "$md5" 19001
is "expired" "$(said gone)" "md5crypt - kept: the account has expired"
entry soon "$md5" $(($(date +%s) / 86400 + 2))
is "not yet expired" "$(said soon)" "md5crypt - will become lyra2"
printf '%s:x:1100:1:::\n' due late >>/etc/passwd
printf "%s:$md5:19000:0:99:7:%s::\n" due '' late 9 >>$shadow
is "a new password is due" "$(said due)" "md5crypt - will become lyra2"
is "it is late" "$(said late)" "md5crypt - kept: the account has expired"
sed -i "s,^old:x,old:$md5," /etc/passwd
is "in /etc/passwd" "$(said old)" "md5crypt - kept: /etc/passwd has the hash"

# ---- the configuration ----
# with LINE USER: prints the user's result if the configuration has that line
with() {
	printf 'method = lyra2\ncost = 10\n%s\n' "$1" >"$conf"
	said "$2" | cut -d ' ' -f 3-
}
is "never" "$(with 'rehash = never' md5)" "kept: rehash = never"
is "log-only" "$(with 'rehash = log-only' md5)" \
	"kept: rehash = log-only, would become lyra2"
is "leave" "$(with "$(printf 'method = yescrypt\nrehash = leave')" more)" \
	"will become yescrypt$pam"
is "the new method" "$(with 'method = bcrypt' md5)" \
	"will become bcrypt, or kept: the new method truncates passwords"
removal=/run/pam_lyra2.removal
: >$removal
is "a removal has begun" "$(with '' md5)
$(audit | sed -n 's/^REMOVAL.*out.*; /; /p')" \
	"kept: pam_lyra2 is being removed: $removal
; pam_lyra2 is being removed: $removal"
is "a hash of another method is stored all the same" \
	"$(with 'method = yescrypt' md5)" "will become yescrypt"
rm $removal
is "max_memory" "$(with 'max_memory = 8M' more)" "$([ "$pam" ] &&
	echo "locked out now: the hash takes more than max_memory" ||
	echo "damaged, or too costly")"
is "max_memory below a new hash: that much all the same" \
	"$(with 'max_memory = 8M' same)" "current$pam"
is "just max_memory" "$(with 'max_memory = 24M' same)" "current$pam"
entry ann "$md5"
is "of the group" "$(with 'rehash_group = trial' ann)" "will become lyra2"
sed -i 's/:ann$/:nobody/' /etc/group
is "not of the group" "$(with 'rehash_group = trial' ann)" \
	"kept: not in rehash_group"
sed -i 's/^ann:x:1001:1:/ann:x:1001:77:/' /etc/passwd
is "of the group by its number" "$(with 'rehash_group = trial' ann)" \
	"will become lyra2"
sed -i 's/^ann:x:1001:77:/ann:x:1001:1:/' /etc/passwd
entry root "$sha"
entry toor "$sha"
for name in root toor; do
	is "$name, by the first of its lines" \
		"$(with 'rehash_root = no' $name)" \
		"kept: rehash_root = no"
done
is "root may have it" "$(with 'rehash_root = yes' root)" "will become lyra2"
# trial OPTION...: prints what becomes of the user md5 with these options
trial() {
	audit --json "$@" md5 | sed -n 's/.*"next_login":"\([^"]*\)".*/\1/p'
}
echo 'rehash = log-only' >"$conf"
is "a rehearsal" "$(trial --method yescrypt)" \
	"kept: rehash = log-only, would become yescrypt"
is "of more than one line" \
	"$(trial --set 'rehash = exact' --method bcrypt --set 'rehash=weaker')" \
	"will become bcrypt, or kept: the new method truncates passwords"
is "it changes nothing" "$(cat "$conf")" 'rehash = log-only'
is "a mistake in it" "$(audit --method lyra 2>&1 | head -n 1 | cut -c 1-43)" \
	"lyra2 audit: --set:1: method ignored: it mu"
is "and a wrong argument" "$(audit --method lyra | tail -n 1)" 2
is "too much of it: exit 2" "$(audit --set "$(printf '%01024d' 1)" |
	tail -n 1)" 2
is "where a value comes from" "$(audit --config --method yescrypt |
	grep ^method | tr -s ' ')" "method yescrypt --set:1"
is "a mistake: its line" "$(with 'method = lyra' md5; audit |
	grep -c ':3: method ignored')" "kept: rehash = never
1"
printf 'method = lyra2\ncost = 10\n' >"$conf"

# ---- audit --config ----
mkdir "$conf.d"
printf '\ncost = 9\n' >"$conf.d/5.conf"
printf 'cost = 8\nminlen = 7\n' >"$vendor"
is "an option, its value, file and line" \
	"$("$lyra2" audit --config | grep -E '^(min|cost|cols|max_c)' |
	    tr -s ' ')" \
	"minlen 7 $vendor:2
max_concurrent - default
cols 256 default
cost 9 $conf.d/5.conf:2"
is "as JSON" "$("$lyra2" audit --config --json | python3 -c 'import json, sys
o = json.load(sys.stdin); print(o["wrong"], len(o["options"]), *(
    o["options"]["cost"][x] for x in ("value", "file", "line")))')" \
	"False 13 9 $conf.d/5.conf 2"
is "no user's entry is in it" "$("$lyra2" audit --config | grep -c '[$]\|ann')" 0
printf 'rehash_group = a"b\\c\n' >"$conf.d/5.conf"
is "a value stays what it is in JSON" "$("$lyra2" audit --config --json |
	python3 -c 'import json, sys
print(json.load(sys.stdin)["options"]["rehash_group"]["value"])')" 'a"b\c'
echo 'memory = 1' >"$conf.d/6.conf"
is "a mistake: exit 2, its line, and what follows" \
	"$(audit --config | grep -E '6.conf|Until|^[0-9]')" \
	"lyra2 audit: $conf.d/6.conf:1: unknown key \"memory\"
Until the files are right, no hash is replaced, and new ones get
2"
ln -s 6.conf "$conf.d/6.conf" -f
is "a file that cannot be opened: exit 3, and no option" \
	"$(audit --config)" "lyra2 audit: $conf.d/6.conf: Too many levels of\
 symbolic links
3"
rm "$conf.d"/*

# warned: prints the warnings of audit --config, without the directory, and the
# exit status
warned() {
	audit --config | sed -n "s,^lyra2 audit: warning: ${conf%/*}/,,p; \
		s,^[0-9]\$,&,p" | sed "s,${conf%/*}/,,g"
}
printf 'cost = 10\nmethod = lyra2\n' >"$conf"
is "nothing to warn of: exit 0" "$(warned)" 0
printf '\nrehash_group = nobodies\n' >"$conf.d/1.conf"
is "no such group" "$(warned)" "pam_lyra2.conf.d/1.conf:2: rehash_group:\
 /etc/group has no group \"nobodies\"
1"
printf 'rehash_group = trial\nask_for_others = ann  webby\n' \
	>"$conf.d/1.conf"
is "no such user" "$(warned)" "pam_lyra2.conf.d/1.conf:2: ask_for_others:\
 /etc/passwd has no user \"webby\"
1"
echo 'max_memory = 23M' >"$conf.d/1.conf"
is "max_memory below the configured hash" "$(warned)" \
	"pam_lyra2.conf.d/1.conf:1: max_memory has no effect, because a new\
 hash takes 24.0 MiB
1"
echo 'max_memory = 24M' >"$conf.d/1.conf"
is "just the configured hash" "$(warned)" 0
echo 'cost = 11' >"$conf.d/trial.cnf"
touch "$conf.d/README" "$conf.d/1.conf~" "$conf.d/.1.conf.swp"
is "a name that is not read" "$(warned)" "pam_lyra2.conf.d/trial.cnf: it is\
 not read, because its name does not end in \".conf\"
1"
rm "$conf.d/trial.cnf"
ln -s nowhere "$conf.d/2.conf"
is "a dangling link" "$(warned)" "pam_lyra2.conf.d/2.conf: this link leads to\
 no file
1"
ln -sf 1.conf "$conf.d/2.conf"
is "a link to a file" "$(warned)" 0
printf '# more\ncost = 9\nmax_memory = 24M\n' >"$conf.d/3.conf"
is "two files that contradict" "$(warned)" "pam_lyra2.conf:1: \"cost = 10\"\
 has no effect, because pam_lyra2.conf.d/3.conf:2 says \"9\"
1"
rm "$conf.d/3.conf"
echo 'rehash = weaker' | tee "$conf.d/4.conf" >"$conf.d/5.conf"
is "two that agree, while another names the method" "$(warned)" 0
echo 'rehash = never' >"$conf.d/5.conf"
is "two that contradict, while another names it" "$(warned)" \
	"pam_lyra2.conf.d/4.conf:1: \"rehash = weaker\" has no effect, because\
 pam_lyra2.conf.d/5.conf:1 says \"never\"
1"
rm "$conf.d/4.conf" "$conf.d/5.conf"
printf '# more\ncost = 9\nmax_memory = 24M\n' >"$conf.d/3.conf"
is "as JSON" "$("$lyra2" audit --config --json 2>/dev/null |
	python3 -c 'import json, sys
o = json.load(sys.stdin)
print(len(o["mistakes"]), len(o["warnings"]), *o["warnings"])' |
	cut -d : -f 1)" "0 1 $conf"
printf 'method = lyra\nnewest = 1\n' >"$conf.d/3.conf"
is "mistakes come with file and line, too: exit 2" \
	"$("$lyra2" audit --config --json 2>/dev/null | python3 -c 'import sys
import json
print(*json.load(sys.stdin)["mistakes"], sep="\n")' | sed 's/ it must.*//')
$(audit --config | tail -n 1)" "$conf.d/3.conf:1: method ignored:
$conf.d/3.conf:2: unknown key \"newest\"
2"
rm -r "$conf.d" "$vendor"

# ---- totals, filters, JSON ----
is "totals" "$(json 'list(a["totals"].values())')" "[1, $([ "$pam" ] && echo \
	12, 8 || echo 14, 6), 1, 2, 10, $([ -z "$pam" ] && echo 0 || echo 3), 0, 0, 0]"
is "JSON has the same" "$(json '[(x["method"], x["parameters"], x["memory"],
	x["status"]) for x in a["users"] if x["user"] == "same"]')" \
	"[('lyra2', 't2n10c256p2', 25165824, 'current')]"
is "whether crypt(3) knows it, if it is a hash" "$(json '[x["crypt"]
	for y in ("bang", "md5", "evil") for x in a["users"]
	if x["user"] == y]')" "[None, True, None]"
is "no part of a salt or hash is printed" \
	"$( (audit; audit --json) | grep -cE 'thesalt|QlXX|looked|AAAA|CCCC')" 0
is "--stranded" "$("$lyra2" audit --stranded | tr '\n' ' ')" \
	"${pam:+same more less }"

[ -z "$pam" ] || {
	sed -i '/^root:/d' $shadow
	is "no word of root" "$(audit | grep -c '^Only PAM can verify root')" 0
	entry root "$(make --cost 4)"
	is "root only by PAM" "$(audit | grep -c '^Only PAM can verify root')" 1
}

# ---- the way back: the command that audit prints, pasted ----
[ -z "$pam" ] || {
	is "a method of crypt(3) alone does not go back" \
		"$(audit --method yescrypt | grep -c 'zz-revert')" 1
	mkdir "$conf.d"
	printf 'rehash_group = trial\nrehash = never\ncrypt_cost = 12\n' \
	    >"$conf.d/trial.conf"
	audit | sed -n '/^REMOVAL/,/conf$/s/^    //p' >"$work/back"
	is "a command goes back" "$(wc -l <"$work/back")" 2
	ok "the command succeeds" sh -e "$work/back"
	for name in same more less; do
		is "then, $name" "$(said $name | cut -d ' ' -f 3-)" \
			"will become yescrypt$pam"
	done
	is "and all that only PAM can verify" "$(json 'set(x["becomes"]
		for x in a["users"] if x["crypt"] is False)')" "{'yescrypt'}"
	is "the command is printed no more" "$(audit |
		sed -n '/^REMOVAL/,/yescrypt hashes:/p' | head -n 2)" \
		"REMOVAL     4 locked out before their next login
Only PAM can verify root: sulogin(8), in a rescue shell, cannot"
	is "--config says what it overrides" "$(warned)" \
		"pam_lyra2.conf:2: \"method = lyra2\" has no effect, because\
 pam_lyra2.conf.d/zz-revert.conf:1 says \"yescrypt\"
pam_lyra2.conf.d/trial.conf:2: \"rehash = never\" has no effect, because\
 pam_lyra2.conf.d/zz-revert.conf:2 says \"leave\"
pam_lyra2.conf.d/trial.conf:1: \"rehash_group = trial\" has no effect,\
 because pam_lyra2.conf.d/zz-revert.conf:3 says \"\"
pam_lyra2.conf.d/trial.conf:3: \"crypt_cost = 12\" has no effect, because\
 pam_lyra2.conf.d/zz-revert.conf:4 says \"0\"
1"
	echo 'rehash_group = trial' >"$conf.d/zzz.conf"
	is "and what overrides it" "$(warned | sed -n '/zz-revert.conf:3: /p')" \
		"pam_lyra2.conf.d/zz-revert.conf:3: \"rehash_group = \" has no\
 effect, because pam_lyra2.conf.d/zzz.conf:1 says \"trial\""
	is "then the command is printed again" "$(audit | grep -c "^    .*\
crypt_cost=0[\]n' [\]$")" 1
	rm -r "$conf.d"
}

# ---- the last login ----
if mount -t tmpfs none /var/log 2>/dev/null; then
	long=$(printf '%032d' 0 | tr 0 n)
	cp $shadow $shadow.aside
	entry "$long" '*'
	python3 -c 'import struct
with open("/var/log/wtmp", "wb") as f:
    for kind, day in (7, 20000), (7, 20001), (7, 19999), (8, 20002):
        for name in b"ann", b"n" * 32:
            f.write(struct.pack("hi32s4s32s256shhiii4i20s", kind, 1, b"tty1",
                                b"1", name, b"", 0, 0, 0, day * 86400, 0, 0, 0,
                                0, 0, b""))'
	is "the last login" "$(TZ=UTC "$lyra2" audit | awk '$4 == "ann" {
		print $3 }') $(TZ=UTC json '[x["last_login"] for x in a["users"]
		if x["user"] in ("md5", "ann")]')" \
		"2024-10-05 [None, '2024-10-05']"
	is "of a name of 32 characters" "$(TZ=UTC json '[x["last_login"]
		for x in a["users"] if len(x["user"]) == 32]')" "['2024-10-05']"
	is "its day is the administrator's" "$(TZ=WEST5 "$lyra2" audit |
		awk '$4 == "ann" { print $3 }')" 2024-10-04
	umount /var/log
	mv $shadow.aside $shadow
fi

# ---- lines that are no entries, and errors ----
{
	printf 'gap\n\n:x:\nnul\0:*:\n+::::::::\n-@group:*:\n'
	printf 'e\033\177"\\:%s:1::::::\n' "$md5"
	printf 'w\233x:%s:1::::::\n' "$md5"
	printf 'damaged$6$thesalt$QlXX:19000:0:\n%5000s:*:\n' long
	printf 'last:*'
} >>$shadow
is "lines that are no entries are counted" \
	"$(json 'a["totals"]["ignored_lines"]')" 9
is "none of their hashes is shown" "$( (audit; audit --json) | grep -c QlXX)" 0
is "a strange name stays what it is in JSON" \
	"$(json 'any(x["user"] == "e\x1b\x7f\"\\" for x in a["users"])')" True
odd=/etc/pam.d/$(printf 'e\033\177"')
echo "auth required pam_unix.so" >"$odd"
is "so does a service's" "$(json 'a["services"]["pam_unix_alone"]')" \
	"['e\\x1b\\x7f\"']"
is "and harmless on a terminal" "$(audit | LC_ALL=C grep -c \
	"$(printf '[\033\177-\377]')")" 0
is "a service without the module will lock out who is converted: exit 1" \
	"$(audit ann | sed -n 's/.* ann *//p; /^[0-9]$/p')" "$([ "$pam" ] &&
	echo 'will become lyra2, then locked out of e??"' ||
	echo 'will become lyra2')
$([ -z "$pam" ]; echo $?)"
is "nor in a user who is converted already: exit 1" \
	"$(audit same | tail -n 1)" "$([ -z "$pam" ]; echo $?)"
rm "$odd"
is "a user whom nothing concerns: exit 0" "$(audit bang | tail -n 1)" 0
echo 'auth required /nowhere/pam_lyra2.so' >/etc/pam.d/broken
is "a service that names a missing module: exit 1" \
	"$(audit bang | sed -n '/missing:/s/.*: //p; $p')" "broken
1"
rm /etc/pam.d/broken
is "names: only these users are judged" "$("$lyra2" audit ann bang |
	sed -nE '2,3s/.* (ann|bang) .*/\1/p; s/^([0-9]+ users).*/\1/p')" "bang
ann
2 users"
is "a user who is locked without a hash, too" \
	"$(audit star | sed -n '2s/.* star *//p')" locked
# string LINE: prints audit's report on that standard input, without the heading
string() {
	printf '%b\n' "$1" | audit --string | sed 1d | tr -s ' \n' ' /'
}
is "one string" "$(string "$md5\\r")" \
	"md5crypt - - - will become lyra2/0/"
is "a line of shadow" "$(string "ann:$md5:1:::::1:\\r")" \
	"md5crypt - - ann kept: the account has expired/$(:
	)Read as a line of shadow(5), with a name/0/"
is "a string that is cut off: exit 1" "$(make | cut -c 1-80 |
	audit --string | tail -n 1)" 1
is "locked ones, too" "$(for one in '!' '*' "!$md5" "ann:!$md5:1:::::1:"; do
	echo "$one" | audit --string | tail -n 1; done | tr '\n' ' ')" "1 1 1 1 "
is "a damaged line, no string: exit 2" "$(string 'a$1$t$QlXX:1:' |
	grep -c QlXX; audit --string </dev/null | tail -n 1)" "0
2"
sed -i '/^old:/d' /etc/passwd
printf 'cut$1$thesalt$QlXX:1103:1:::\n' >>/etc/passwd
is "nor of a damaged line of passwd" \
	"$( (audit; audit --json) | grep -c QlXX)" 0
sed -i '/^cut/d' /etc/passwd
printf 'strand:%s:1::::::\nmd5:%s:1::::::\n' "$(make --cost 4)" "$md5" \
	>$shadow
[ -z "$pam" ] || is "no hash is left in memory" \
	"$(python3 -B "$SRCDIR/tests/lib/left.py" "$lyra2" audit --stranded -- \
	strand thesalt QlXX)" "True False False"
is "nor of a user who was not asked for" \
	"$(python3 -B "$SRCDIR/tests/lib/left.py" -e "$lyra2" audit ann -- \
	ann thesalt QlXX)" "True False False"
printf 'md5:%s:1::::::\n' "$md5" '!' >$shadow
is "two lines of a user: the first one" "$(said md5)" \
	"md5crypt - kept: /etc/shadow has more than one line of that user"
printf 'twice:x:two:1:::\ntwice:x:1102:1:::\nonly:x:x:1:::\n' >>/etc/passwd
printf '+::::::\n-nis::::::\n' >>/etc/passwd
is "lines of NIS are no users" \
	"$(json 'sum(x["user"][0] in "+-" for x in a["users"])')" 0
printf "%s:$md5:1::::::\n" twice only >>$shadow
is "a damaged line of passwd, then a good one" "$(said twice)" \
	"md5crypt - will become lyra2"
is "a damaged line of passwd" "$(said only)" \
	"md5crypt - kept: /etc/passwd has no such user"
printf 'stray:$1$thesalt$QlXX:x::::::\n' >>$shadow
is "a damaged line of shadow is no line" "$(said stray)" ""
is "the others are ignored" "$(json 'a["totals"]["ignored_lines"]')" 2
printf 'bad:x:1104:1:::\n' >>/etc/passwd
printf 'bad:$1$thesalt$QlXX:x::::::\n' >>$shadow
is "nor a damaged line of a user" "$(said bad | sed 's/:[0-9]*:.*/:N/')" \
	"unknown - refused: /etc/shadow:N"
# A file that cannot be read does not permit the package's removal.
defs=/etc/login.defs
printf 'cost = 10\nmethod = system\nrehash_group = trial\n' >"$conf"
for file in /etc/passwd /etc/group $shadow $defs; do
	[ ! -e "$file" ] || mv "$file" "$file.aside"
	mkdir "$file"
	is "an error while $file is read: exit 3" "$("$lyra2" audit \
		--stranded >/dev/null 2>&1; echo $?)" 3
	rmdir "$file"
	[ ! -e "$file.aside" ] || mv "$file.aside" "$file"
done
printf 'method = lyra2\ncost = 10\n' >"$conf"
other='setpriv --reuid 65534 --regid 65534 --clear-groups'
is "no room for what it says: exit 3" \
	"$("$lyra2" audit >/dev/full 2>/dev/null; echo $?)" 3
chmod 600 $shadow
if $other test -x "$lyra2" 2>/dev/null; then
	is "not by root" "$($other "$lyra2" audit 2>&1 | tail -n 1)" \
		"lyra2 audit: /etc/shadow: Permission denied; run this as root"
else
	skip "not by root" "no other user can run the tool here"
fi
pwunconv() {
	sed -i "s,^ann:x,ann:$(make --cost 4)," /etc/passwd
	echo 'ann::5:5:' >>/etc/passwd	# counts for nobody
	rm $shadow
}
pwunconv
is "no shadow file: /etc/passwd" "$(said ann)" "lyra2 t2n4c256p2 $(
	[ "$pam" ] && echo "locked out now: /etc/passwd has the hash" ||
	echo "kept: /etc/passwd has the hash")"
is "no such user: exit 2" "$(audit ann no-one | tail -n 2)" \
	"lyra2 audit: no-one: /etc/passwd has no such user
2"
is "a damaged line of shadow has no method" "$(echo a:b:c |
	"$lyra2" audit --string --json | grep -o '"method":"[a-z]*"')" \
	'"method":"unknown"'
is "--string, and no standard input: exit 3" \
	"$(audit --string <&- | tail -n 1)" 3
# shellcheck disable=SC2015
is "--set without /proc: exit 3" "$(unshare -m sh -c 'mount -t tmpfs x /proc &&
	"$1" audit --config --set cost=9 >/dev/null 2>&1; echo $?' x "$lyra2")" 3
is "names and --string: exit 2" "$(audit --string ann | tail -n 1)" 2
tap_done
