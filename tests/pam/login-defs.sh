# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# "method = system" beside pam_unix: the same login.defs, and the same words on
# the line of pam_unix, give both new hashes of the same method and cost.
. "$SRCDIR/tests/lib/pam.sh"
unix=$(find /usr/lib /lib -name pam_unix.so 2>/dev/null | head -n 1)
[ -n "$unix" ] || skip_all "pam_unix.so is not installed"
echo "password required $unix" >/etc/pam.d/unix
configure method=system rehash=never
user alice '*'

# kind: prints method and cost of alice's hash
kind()
{
	stored alice | sed -n 's/^\(\$6\$rounds=[0-9]*\).*/\1/p;t
		s/^\(\$g*y\$[^$]*\).*/\1/p;t
		s/^\$2.\$\([0-9]*\).*/bcrypt \1/p;t
		s/^\(\$[0-9]\$\).*/\1/p'
}
stock()
{
	printf 'Zebra-5x\nZebra-5x\n' | try unix alice passwd >/dev/null
	kind
}
ours()
{
	sed -i 's/^alice:[^:]*/alice:*/' /etc/shadow
	ask set 4 alice '' Zebra-5x >/dev/null
	kind
}
# same TEXT: compares what both write with this login.defs
# shellcheck disable=SC2059	# the text is a format
same()
{
	printf "$@" >/etc/login.defs
	s_stock=$(stock)
	is "$(printf "$@" | cut -c 1-60 | tr '\n\t\r' '|>R')" \
	    "$(ours)" "$s_stock"
}
# line WORDS LOGIN_DEFS: the same for these words on the line of pam_unix
line()
{
	lines "password required %s $1\n" "$2"
}
# lines FORMAT LOGIN_DEFS: the same for these lines, with pam_unix as %s
lines()
{
	for l_file in common-password system-auth; do
		{
			echo "auth required $unix md5"
			# shellcheck disable=SC2059
			printf -- "$1" "$unix"
		} >/etc/pam.d/$l_file
		cp /etc/pam.d/$l_file /etc/pam.d/unix
		printf '%b' "$2" >/etc/login.defs
		l_stock=$(stock)
		is "$l_file: $(printf %s "$1 $2" | sed 's,\\,/,g')" \
		    "$(ours)" "$l_stock"
		rm /etc/pam.d/$l_file
	done
}
long=$(printf %300s '' | tr ' ' c)
S='ENCRYPT_METHOD SHA512\n'
R=SHA_CRYPT_MAX_ROUNDS
same "$S"
same "ENCRYPT_METHOD SHA512"
same "ENCRYPT_METHOD sha512\n"
same "ENCRYPT_METHOD SHA512-and-more\n"
same "encrypt_method SHA512\n"
same "\t ENCRYPT_METHOD\t\tSHA512\t\n"
same "ENCRYPT_METHOD=SHA512\n"
same "ENCRYPT_METHOD = SHA512\n"
same "ENCRYPT_METHOD SHA512\r\n"
same "ENCRYPT_METHOD SHA512#x\n"
same "# $long ENCRYPT_METHOD YESCRYPT\n$S"
same "${S}ENCRYPT_METHOD YESCRYPT\n"
same "ENCRYPT_METHOD YESCRYPT\n$S"
same "ENCRYPT_METHOD yescrypt\n${R} 7000\n"
same "ENCRYPT_METHOD GOST_YESCRYPT\n"
same "ENCRYPT_METHOD BLOWFISH\nBCRYPT_MAX_ROUNDS 7\n"
same "$S$R 7000\n"
same "$R 7000\n$S"
same "$S$R 7000\n$R 9000\n"
same "$S#$R 7000\n"
same "${S}SHA_CRYPT_MIN_ROUNDS 7000\n"
same "$S$R 999\n"
same "$S$R 1000\n"
same "$S$R 5000\n"
same "$S$R -1\n"
same "$S$R 2147483647\n"
same "$S$R x\n"
same "$S$R \"7000\"\n"
same "$S$R 0x4000\n"
same "$S$R\n"
same "${S}sha_crypt_max_rounds\t=\t7000"
# Only Linux-PAM 1.7 takes the cost of yescrypt from here, and a number only if
# nothing follows it.
if grep -q YESCRYPT_COST_FACTOR "$unix"; then
	for factor in 0 3 5 6 7 12 x; do
		same "ENCRYPT_METHOD YESCRYPT\nYESCRYPT_COST_FACTOR $factor\n"
	done
	same "$S$R 7000 \n"
	same "$S$R 7000x\n"
	line sha512 "ENCRYPT_METHOD YESCRYPT\n$R 7000\n"
	line yescrypt "${S}YESCRYPT_COST_FACTOR 6\n"
	line gost_yescrypt "YESCRYPT_COST_FACTOR 6\n"
	line "sha512 rounds=x" "$R 7000\n"
	line "blowfish rounds=6x" ""
	line "yescrypt rounds=" "YESCRYPT_COST_FACTOR 6\n"
	line "blowfish rounds=3" "$S"
	line "gost_yescrypt rounds=2" "YESCRYPT_COST_FACTOR 6\n"
else
	for factor in 0:7 3:7 6:A 12:F x:9; do
		printf 'ENCRYPT_METHOD YESCRYPT\nYESCRYPT_COST_FACTOR %s\n' \
		    "${factor%:*}" >/etc/login.defs
		is "YESCRYPT_COST_FACTOR ${factor%:*}, as Linux-PAM 1.7" \
		    "$(ours)" "\$y\$j${factor#*:}T"
	done
	printf '%b' "$S$R 7000x\n" >/etc/login.defs
	is "7000x, as Linux-PAM 1.7" "$(ours)" '$6$'
	while read -r words defs wanted; do
		mkdir -p /etc/pam.d
		echo "password required $unix $words" |
		    tr , ' ' >/etc/pam.d/common-password
		printf '%b' "$defs" | tr , ' ' >/etc/login.defs
		is "$words, $defs, as Linux-PAM 1.7" "$(ours)" "$wanted"
		rm /etc/pam.d/common-password
	done <<-END
		sha512 ENCRYPT_METHOD,YESCRYPT\\n$R,7000\\n \$6\$rounds=7000
		yescrypt ENCRYPT_METHOD,SHA512\\nYESCRYPT_COST_FACTOR,6 \$y\$jAT
		gost_yescrypt YESCRYPT_COST_FACTOR,6 \$gy\$j9T
		sha512,rounds=x $R,7000 \$6\$rounds=7000
		blowfish,rounds=6x x bcrypt 05
		yescrypt,rounds= YESCRYPT_COST_FACTOR,6 \$y\$jAT
		blowfish,rounds=3 x bcrypt 04
		gost_yescrypt,rounds=2 YESCRYPT_COST_FACTOR,6 \$gy\$j7T
	END
fi
line "obscure yescrypt" "$S"
line "obscure use_authtok try_first_pass yescrypt" "ENCRYPT_METHOD YESCRYPT\n"
line sha512 "ENCRYPT_METHOD YESCRYPT\n"
line "sha512 rounds=7000" ""
line "rounds=7000 shadow" "$S"
line "sha512 # yescrypt" "ENCRYPT_METHOD YESCRYPT\n"
line gost_yescrypt "$S"
line blowfish "$S"
line "yescrypt rounds=6" ""
line "blowfish rounds=6" "$S"
line "gost_yescrypt rounds=6" "$S"
line "sha512 rounds=7000 rounds=8000" ""
line "sha512 rounds=999" "$R 7000\n"
line "sha512crypt shadow" "ENCRYPT_METHOD YESCRYPT\n"
Y='ENCRYPT_METHOD YESCRYPT\n'
lines 'password required %s \\\n\tobscure sha512\n' "$Y"
lines 'password required \\ \t\n %s sha512\n' "$Y"
lines '-password [success=ok default=bad]%s sha512\n' "$Y"
lines 'password optional pam_permit.so pam_unix.so sha512\n\
password required %s\n' "$Y"
line obscure "$S$R 7000\n"

# ---- without a method, the default is the same ----
echo 'cost = 10' >"$conf"
line "obscure yescrypt" "$S"
line obscure "$S"
rm -r "$work"
tap_done
