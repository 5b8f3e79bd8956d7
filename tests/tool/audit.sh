#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# lyra2 audit on shadow files of every kind: the right judgement,
# the right exit status, and nothing of a hash in what it prints.
# shellcheck disable=SC2016	# hashes are full of dollar signs
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"

lyra2=$BUILDDIR/src/lyra2
"$lyra2" audit --help >/dev/null 2>&1 || skip_all "built without audit"
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir "$root/etc"
shadow=$root/etc/shadow

make() {
	echo secret | "$lyra2" hash "$@"
}

# entry USER FIELD: one more line of the shadow file.
entry() {
	printf '%s:%s:19000:0:99999:7:::\n' "$1" "$2" >>"$shadow"
}

# audit [OPTION...]: output and exit status on the last line.
audit() {
	"$lyra2" audit --root "$root" "$@" 2>&1 && echo 0 || echo $?
}

# said USER: method, parameters, memory, status and crypt of the table's row.
said() {
	audit | awk -v user="$1" '$6 == user { print $1, $2, $3, $4, $5 }'
}

# json EXPRESSION: of the object in "a".
json() {
	"$lyra2" audit --root "$root" --json | python3 -c \
		"import json, sys; a = json.load(sys.stdin); print($1)"
}

# It stands where configure's --sysconfdir says.
conf=$(audit | sed -n 's/^lyra2 audit: \(.*\.conf\): No such file.*/\1/p')
ok "a missing configuration is named" test -n "$conf"
mkdir -p "${conf%/*}"
echo 'rows = 64' >"$conf"
printf '%s::/:\n' root:x:0:0 toor:x:0:0 ann:x:1:1 toor:x:5:5 \
	>"$root/etc/passwd"
entry same "$(make --rows 64)"
is "as configured" "$(said same)" "lyra2 v=30\$t=2\$r=64\$c=256\$p=4 1536K current -"
entry star '*'
entry bang '!$6$saltsalt$notlookedat'
entry odd '$9$odd$odd'
is "exit 0 where nothing is weaker" "$(audit | tail -n 1)" 0
entry more "$(make --rows 128)"
is "costlier is not weaker" "$(said more | cut -d ' ' -f 4)" differs
is "nor is it exit 1" "$(audit | tail -n 1)" 0
entry less "$(make --rows 32)"
is "fewer rows are weaker" "$(said less | cut -d ' ' -f 4)" weaker
is "and exit 1" "$(audit | tail -n 1)" 1
entry fast "$(make --rows 64 --t-cost 1)"
is "less time is weaker" "$(said fast | cut -d ' ' -f 4)" weaker
entry old "$(make --rows 64 --version 2.5)"
is "an older one, with one lane, is kept" "$(said old | cut -d ' ' -f 4)" kept
entry salt "$(make --rows 64 --salt saltsalt)"
is "a short salt is weaker" "$(said salt | cut -d ' ' -f 4)" weaker

entry sha '$6$rounds=4000$thesaltthesalt$QlXX'
entry bcr '$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'
entry yes '$y$j9T$thesaltthesalt$QlXX'
entry md5 '$1$thesalt$QlXX'
entry des abJnggxhB/yWI
entry nil ''
entry evil '$lyra2$v=30$t=4294967295$r=2048$c=256$AAAAAAAAAAAAAAAAAAAAAA$'
entry long "\$sha1\$$(printf '%070d' 1)\$thesaltthesalt\$QlXX"
is "what has no room is left out" "$(said long)" "sha1crypt - - weaker -"
sed -i '/^long:/d' "$shadow"
is "SHA-512" "$(said sha)" "sha512crypt rounds=4000 - weaker -"
is "bcrypt" "$(said bcr)" "bcrypt 05 - weaker -"
is "yescrypt" "$(said yes)" "yescrypt j9T 16384K kept -"
is "MD5 keeps its salt to itself" "$(said md5)" "md5crypt - - weaker -"
is "DES" "$(said des)" "descrypt - - weaker -"
is "blank" "$(said nil)" "blank - - weaker -"
is "locked" "$(said bang)" "locked - - - -"
is "no login" "$(said star)" "locked - - - -"
is "unknown" "$(said odd)" "unknown - - unknown -"
is "absurd parameters" "$(said evil)" "malformed - - unknown -"

# More memory than 64 rows take: the module leaves it.
entry scr '$7$CU..../....thesalt$QlXX'
is "what is never replaced is kept" "$(said scr)" "scrypt - 65536K kept -"
sed -i '/^scr:/d' "$shadow"

entry root '$6$thesaltthesalt$QlXX'
entry toor '$6$thesaltthesalt$QlXX'
is "root is exempt" "$(said root | cut -d ' ' -f 4)" exempt
is "whatever its name is, by the first of its lines" "$(said toor | cut -d ' ' -f 4)" exempt
if echo 'int crypt_checksalt(const char *s) { return s == 0; }' |
    ${CC:-cc} -shared -fPIC -x c -o "$root/crypt.so" - 2>/dev/null; then
	is "even if this system's crypt(3) knows all: it is another one's" \
	    "$(LD_PRELOAD=$root/crypt.so said root | cut -d ' ' -f 4)" exempt
else
	skip "another system's crypt(3)" "${CC:-cc} makes no shared library"
fi
echo 'rehash_root = no' >>"$conf"
is "and if the configuration has it" \
    "$(said root | cut -d ' ' -f 4)" exempt
is "but for nobody else" "$(said sha | cut -d ' ' -f 4)" weaker
sed -i '/rehash_root/d' "$conf"
echo 'rehash_root = yes' >>"$conf"
is "unless it is configured not to be" \
	"$(said root | cut -d ' ' -f 4)" weaker

is "totals" "$(json 'a["totals"]["current"], a["totals"]["differs"],
	a["totals"]["weaker"], a["totals"]["kept"], a["totals"]["locked"], a["totals"]["unknown"]')" \
	"1 1 10 2 2 2"
is "what crypt(3) of another system knows is not said" \
	"$(json 'a["totals"]["only_pam"]') $(audit | grep -c 'only PAM')" \
	"None 0"

is "JSON has the same" "$(json '[(x["method"], x["parameters"], x["memory"],
	x["status"], x["crypt"]) for x in a["users"]
	if x["user"] == "same"]')" \
	"[('lyra2', 'v=30\$t=2\$r=64\$c=256\$p=4', 1572864, 'current', None)]"
is "no part of a salt or hash is printed" \
	"$( (audit; audit --json) | grep -cE 'thesalt|QlXX|looked|AAAA|CCCC')" 0

# users: of the table, in its order
users() {
	audit "$@" | sed '1d' | awk 'NF == 6 { print $6 }' | tr '\n' ' '
}
printf 'printer:x:7:7::/:\nnobody:x:65534:65534::/:\n' >>"$root/etc/passwd"
sed -i '1i\printer:$1$thesalt$QlXX:19000::::::' "$shadow"
entry nobody '*'
is "accounts for programs come last, without those that are locked" \
	"$(users | sed 's/.*toor //')" "printer "
is "these are counted" "$(audit | grep '^Not listed')" \
	"Not listed: 1 locked accounts for programs"
is "--users leaves them out" "$(users --users | grep -cE 'printer|nobody')" 0
is "and out of the totals" \
	"$(audit --users | sed -n 's/^\([0-9]*\) users:.*/\1/p')" \
	"$(users --users | wc -w)"
is "--weak lists what is weaker" "$(audit --weak | awk 'NF == 6 && NR > 1 {
	print $4 }' | sort -u)" weaker
is "all of it" "$(users --weak | wc -w)" \
	"$(json 'a["totals"]["weaker"]')"
is "JSON says which they are" "$(json '[x["user"] for x in a["users"]
	if x["system"]]')" "['printer', 'nobody']"
mkdir -p "$root/etc"
echo 'UID_MIN	7' >"$root/etc/login.defs"
is "where login.defs says so they are people" "$(users --users |
	grep -c printer)" 1
rm "$root/etc/login.defs"

{
	printf 'gap\n\n:x:\nnul\0:*:\n+::::::::\n-@group:*:\n'
	printf 'e\033"\\:*:\n'
	printf '%5000s:*:\n' long
	printf 'last:*'
} >>"$shadow"
is "lines that are no entries are counted" \
	"$(json 'a["totals"]["ignored_lines"]')" 7
is "a strange name stays what it is in JSON" \
	"$(json 'any(x["user"] == "e\x1b\"\\" for x in a["users"])')" True
is "and harmless on a terminal" "$(audit | grep -c "$(printf '\033')")" 0

echo 'rows = few' >"$conf"
is "a wrong configuration is named" "$(audit | grep -c ':1: rows')" 1

# ---- numbers, one string, shared salts, a fleet ----
echo 'rows = 64' >"$conf"
cp "$shadow" "$root/aside"
echo 'kept:$7$CU..../....thesalt$QlXX:' >"$shadow"
is "what is kept is no failure" "$(audit | tail -n 1)" 0
{
	printf 'des2:abAAAAAAAAAAA:\nbob:$6$one$QlXX:\neve:$6$one$QlXY:\n'
	printf 'joe:$6$rounds=9$one$QlXX:\nnot:!$6$one$QlXX:\n'
} >>"$shadow"
is "the same salt and parameters" "$(audit | grep '^Same salt')" \
	"Same salt: bob eve"
is "in JSON" "$(json 'a["same_salt"], a["totals"]["same_salt"],
	a["totals"]["kept"]')" "[['bob', 'eve']] 2 1"
echo 'ann:ab./././././.:' >>"$shadow"
is "more than one salt" "$(audit | grep '^Same salt')" \
	"Same salt: bob eve
Same salt: ann des2"
is "and in JSON" "$(json 'a["same_salt"]')" \
	"[['bob', 'eve'], ['ann', 'des2']]"
# What promtool demands: HELP, TYPE, then samples, and a last newline.
is "metrics" "$("$lyra2" audit --root "$root" --metrics | awk '
	/^# HELP [a-z0-9_]+ .+/ { name = $3; next }
	/^# TYPE / && $3 == name && $4 == "gauge" { typed = name; next }
	/^[a-z0-9_]+(\{status="[a-z]+"\})? [0-9]+$/ &&
	    substr($1, 1, length(name)) == name && name == typed {
		n++; if (/kept|same/) sum += $2; next }
	{ print "not in the format: " $0 }
	END { print n, sum }')" "8 5"
if command -v promtool >/dev/null; then
	ok "promtool takes them" sh -c '"$0" audit --root "$1" --metrics |
		promtool check metrics' "$lyra2" "$root"
else
	skip "promtool takes them" "promtool is not installed"
fi
is "not two formats at once" "$(audit --json --metrics | tail -n 1)" 2
is "one string" "$(make --rows 32 | audit --string | sed 1d)" \
"lyra2         v=30\$t=2\$r=32\$c=256\$p=4         768K weaker   -        -
A guess costs 0.25 times as much as configured.
1"
is "of another method" "$(echo "\$6\$one\$QlXX" | audit --string |
	awk '{ print $1, $3, $4 }' | tail -n 2)" "sha512crypt - weaker
1  "
is "its cost in JSON" "$(make --rows 128 | "$lyra2" audit --root "$root" --string \
	--json | python3 -c 'import json, sys
print(json.load(sys.stdin)["users"][0]["cost"])')" 4
is "a string that is cut off: exit 1" "$(make | cut -c 1-80 |
	audit --string | tail -n 1)" 1
is "no string: exit 2" "$(audit --string </dev/null | tail -n 1)" 2
for host in one two; do
	"$lyra2" audit --root "$root" --json >"$root/$host.json"
done
is "a fleet" "$("$SRCDIR/doc/examples/audit-fleet.py" "$root/one.json" \
	"$root/two.json"; echo $?)" \
"0 current, 0 differs, 10 weaker, 2 kept, 0 exempt, 2 locked, 0 unknown, \
0 only_pam, 8 same_salt, 0 ignored_lines
one: 'des2' 'bob' 'eve' 'joe' 'ann'
two: 'des2' 'bob' 'eve' 'joe' 'ann'
1"
for said in '2:{}' '0:{"totals":{"\u001b[2J":1},"users":[]}' \
    '2:{"totals":{"x":"\u001b"},"users":[]}' '2:{"totals":{"x":1e999}}'; do
	echo "${said#*:}" >"$root/one.json"
	"$SRCDIR/doc/examples/audit-fleet.py" "$root/one.json" \
		>"$root/said" 2>&1
	is "a machine that said ${said#*:}" \
		"$? $(tr -d '[:print:]\n' <"$root/said")" "${said%%:*} "
done
# Why they stay; lastlog is whatever this machine has.
mkdir -p "$root/bin" "$root/home/bob/.ssh"
: >"$root/home/bob/.ssh/authorized_keys"
printf '#!/bin/sh\nprintf "Header\\n$4 tty1\\033 Nov 1"\n' >"$root/bin/lastlog"
chmod +x "$root/bin/lastlog"
printf 'x:%s\n' x::: >"$root/bin/lastlog2"
cp "$root/etc/passwd" "$root/passwd"
{
	printf 'bob:x:1001:1::/home/bob:/bin/sh\n'
	printf 'joe:x:1002:1::/:/usr/sbin/nologin\ndes2:y:1003:1::/:/bin/sh\n'
	printf 'eve:x:1004:1::/:\n'
} >>"$root/etc/passwd"
sed -i 's/^joe.*/&:::::1:/' "$shadow"
printf 'd\351s:%s:\n' '$1$one$QlXX' '*' >>"$shadow"
is "why they stay" "$("$lyra2" audit --root "$root" --json |
	PATH=$root/bin:$PATH "$SRCDIR/doc/examples/audit-why.py" "$root")" \
"'des2': the hash is not used: see /etc/passwd, last login: tty1\x1b Nov 1
'bob': has SSH keys, last login: tty1\x1b Nov 1
'eve': last login: tty1\x1b Nov 1
'joe': the account has expired, the shell is /usr/sbin/nologin, \
last login: tty1\x1b Nov 1
'd\xe9s': more than one line in /etc/shadow, not in /etc/passwd, \
last login: tty1\x1b Nov 1
'ann': last login: tty1\x1b Nov 1"
mv "$root/passwd" "$root/etc/passwd"
mv "$root/aside" "$shadow"

# ---- a string from Python, and from Ansible's filter ----
examples()
{
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$SRCDIR/doc/examples \
	    LD_LIBRARY_PATH=$BUILDDIR/src/.libs python3 "$@"
}
if examples -c 'import lyra2_hash' 2>/dev/null; then
	examples -c 'import lyra2_hash as l
f = l.FilterModule().filters()["lyra2_hash"]
print(f("s\u00e9cret"), f(b"x" * 511))' >"$root/strings"
	cut -d ' ' -f 1 "$root/strings" >"$root/string"
	is "lyra2_hash.py" "$(printf 's\303\251cret\n' | "$lyra2" verify -f \
		"$root/string")" "verified: yes
needs rehash: no"
	is "another salt for each" "$(tr ' ' '\n' <"$root/strings" |
		cut -d '$' -f 8 | sort -u | wc -l)" 2
	is "too long" "$(examples -c 'import lyra2_hash
lyra2_hash.hash_password("x" * 512)' 2>&1 | tail -n 1)" \
		"OSError: [Errno 90] Message too long"
	echo secret | examples "$SRCDIR/doc/examples/lyra2_hash.py" \
		>"$root/string"
	is "from a shell" "$(echo secret | "$lyra2" verify -f "$root/string" |
		head -n 1)" "verified: yes"
else
	skip "lyra2_hash.py" "Python cannot load this build's library"
fi

# ---- files that lead elsewhere ----
echo 'rows = 64' >"$conf"
other='setpriv --reuid 65534 --regid 65534 --clear-groups'
if $other test -x "$lyra2" 2>/dev/null; then
	chmod 755 "$root"
	for path in "$shadow" "$conf"; do
		chmod 600 "$path"
		is "not by root: ${path##*/}" \
			"$($other "$lyra2" audit --root "$root" 2>&1)" \
			"lyra2 audit: $path: Permission denied; run this as root"
		chmod 644 "$path"
	done
else
	skip "not by root" "no other user can run the tool here"
fi
for path in "$shadow" "$root/etc/passwd" "$conf"; do
	mv "$path" "$root/aside"
	mkfifo "$path"
	wanted=2
	[ "$path" != "$conf" ] || wanted=1
	is "a fifo: ${path##*/}" "$(timeout 10 "$lyra2" audit --root "$root" \
		>/dev/null 2>&1; echo $?)" $wanted
	rm "$path"
	ln -s "$root/aside" "$path"
	is "a link that leads out: ${path##*/}" "$(audit | tail -n 1)" 3
	rm "$path"
	ln -s /aside "$path"
	is "a link inside: ${path##*/}" "$(audit | tail -n 1)" 1
	rm "$path"
	mv "$root/aside" "$path"
done
rm "$shadow"
is "no shadow file: exit 3" "$(audit | tail -n 1)" 3
is "an operand: exit 2" "$(audit more | tail -n 1)" 2
tap_done
