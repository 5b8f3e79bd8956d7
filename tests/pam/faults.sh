# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# lyra2_update, with each of its system calls failing or being its last one.
# After every run the old or the new /etc/shadow stands complete, what is left
# behind is in nobody's way, and the right password still lets the user in.
. "$SRCDIR/tests/lib/pam.sh"

strace -o /dev/null true 2>/dev/null ||
    skip_all "strace is missing, or may not trace here"

ask=$BUILDDIR/tests/pam/ask
update=$prefix/sbin/lyra2_update
OP_VERIFY=1 OP_SET=4
user alice "$(hash '$6$salt$' secret)"
user bob '!'
echo '# no newline at the end:' >>/etc/shadow
printf 'carol:*:1::::::' >>/etc/shadow
cp -p /etc/shadow "$work/old"
old=$(stored alice)

# run OP PASSWORD NEW [STRACE OPTION...]: prints the replies
run()
{
	op=$1 password=$2 new=$3
	shift 3
	"$ask" "$op" 4 "$conf" alice "$password" "$new" \
	    strace -qq -o "$work/trace" "$@" "$update" 2>&1
}

# What is not alice's hash, or her date where it may change, is as it was.
intact()
{
	perl -e '
		my ($op, @files) = @ARGV;
		my @text = map { local $/; open my $f, "<", $_ or die; <$f> }
		    @files;
		my $field = $op == 1 ? qr/[^:\n]*/ : qr/[^:\n]*:[^:\n]*/;
		s/^alice:$field:/alice:/m for @text;
		exit($text[0] eq $text[1] ? 0 : 1)' \
	    "$1" "$work/old" /etc/shadow
}

# verifies PASSWORD: the stored hash is that of the password
verifies()
{
	if [ "$1" = secret ] && cmp -s /etc/shadow "$work/old"; then
		return
	fi
	"$ask" "$OP_VERIFY" 0 "$conf" alice "$1" '' "$prefix/sbin/lyra2_chkpwd" |
	    grep -q '^verdict 0 '
}

# judge WHEN: what is wrong after a login, if anything
judge_1()
{
	intact 1 || echo "other bytes changed"
	verifies secret || echo "the stored hash is not the password's"
	[ "$1" = before ] || grep -q '^verdict 0 ' "$work/said" ||
	    echo "the login failed"
}

judge_4()
{
	intact 4 || echo "other bytes changed"
	if grep -q '^verdict 0 ' "$work/said"; then
		verifies new || echo "success, but the password is not new"
	elif grep -q '^verdict' "$work/said"; then
		verifies secret || echo "no success, but it is not the old one"
	else
		verifies secret || verifies new || echo "neither old nor new"
	fi
}

# steps OP: each call after the request came, and whether the verdict was sent
steps()
{
	awk '{
		name = $0
		sub(/\(.*/, "", name)
		count[name]++
		if (name == "recvfrom")
			started++
		else if (started >= 2 && name !~ /^(exit|exit_group)$/)
			print name, count[name], (sent >= 2 ? "after" : "before")
		if (name == "sendto")
			sent++
	}' "$work/trace"
}

sweep()
{
	sweep_op=$1 sweep_new=$2 password=secret
	[ "$sweep_op" = 1 ] || password=
	# The first run of all makes the file of slots; the others do as this.
	run "$sweep_op" "$password" "$sweep_new" >/dev/null
	cp -p "$work/old" /etc/shadow
	is "$3: nothing fails" \
	    "$(run "$sweep_op" "$password" "$sweep_new" | grep '^verdict')" \
	    "verdict 0 "
	steps >"$work/steps"
	cp -p "$work/old" /etc/shadow
	ok "$3: there are steps" [ "$(wc -l <"$work/steps")" -gt 40 ]
	while read -r name nth when; do
		case $name in
		openat | read | write | fsync | renameat | mkdir | fcntl)
			faults='error=EIO error=ENOSPC error=EINTR signal=KILL'
			;;
		*)
			faults='error=EIO signal=KILL'
			;;
		esac
		for fault in $faults; do
			run "$sweep_op" "$password" "$sweep_new" -e \
			    "inject=$name:$fault:when=$nth" >"$work/said"
			# A killed process has given no answer yet.
			[ "$fault" != signal=KILL ] ||
			    [ "$when" != after ] || [ "$name" != sendto ] ||
			    when=before
			"judge_$sweep_op" "$when" >"$work/verdict"
			is "$3: $name $nth ($when the verdict), $fault" \
			    "$(cat "$work/verdict")" ""
			[ "$(stored alice)" = "$old" ] ||
			    cp -p "$work/old" /etc/shadow
		done
	done <"$work/steps"
}

sweep "$OP_VERIFY" '' rehash
if ldd "$update" | grep -q libaudit; then
	run "$OP_VERIFY" secret '' -e trace=socket >/dev/null
	ok "the audit system is told of a rehash" \
	    grep -q NETLINK_AUDIT "$work/trace"
	cp -p "$work/old" /etc/shadow
	run "$OP_VERIFY" wrong '' -e trace=socket >/dev/null
	fails "and not of a wrong password" grep -q NETLINK_AUDIT "$work/trace"
else
	skip "the audit system is told" "built without libaudit"
fi
sweep "$OP_SET" new change

# ---- an end of file that is none; and wrong passwords ----
reads=$(grep -c '^read ' "$work/steps")
for op in $OP_VERIFY $OP_SET; do
	nth=0
	while [ $nth -lt "$reads" ]; do
		nth=$((nth + 1))
		run "$op" secret new -e "inject=read:retval=0:when=$((nth + 1))" \
		    >"$work/said"
		"judge_$op" before >"$work/verdict"
		is "op $op: read $((nth + 1)) gives nothing" \
		    "$(cat "$work/verdict")" ""
		cp -p "$work/old" /etc/shadow
	done
done
run "$OP_VERIFY" wrong '' >/dev/null
steps >"$work/steps"
while read -r name nth when; do
	run "$OP_VERIFY" wrong '' -e "inject=$name:error=EIO:when=$nth" \
	    >"$work/said"
	fails "wrong password, $name $nth fails" grep '^verdict 0 ' "$work/said"
	run "$OP_VERIFY" wrong '' -e "inject=$name:error=ENOMEM:when=$nth" \
	    >"$work/said"
	fails "wrong password, $name $nth lacks memory" \
	    grep '^verdict 0 ' "$work/said"
done <"$work/steps"
ok "wrong passwords change nothing" cmp /etc/shadow "$work/old"

# ---- what all that left behind ----
# login: a right password; replies go to "said", log lines to "log"
login()
{
	: >"$work/log"
	daemon_log "$work/log" "$ask" "$OP_VERIFY" 4 "$conf" alice secret '' \
	    "$update" >"$work/said"
}
login
ok "the next login rehashes" grep -q 'upgraded from sha512crypt' "$work/log"
ok "the next login changes nothing else" intact 1
fails "no temporary file is left" ls /etc/.shadow.lyra2.*

# ---- a file system without room for the new file ----
cp -a /etc "$work/etc"
if mount -t tmpfs -o size=512k none /etc 2>/dev/null; then
	cp -a "$work/etc/." /etc
	cp -p "$work/old" /etc/shadow
	dd if=/dev/zero of=/etc/filler bs=4k 2>/dev/null || true
	login
	is "full file system: rehash" "$(judge_1 after)" ""
	ok "full file system: it is said" grep -q 'No space left' "$work/log"
	run "$OP_SET" '' new >"$work/said"
	is "full file system: change" "$(judge_4 after)" ""
	ok "full file system: change refused" grep -q '^verdict 20 ' \
	    "$work/said"
	umount /etc
else
	skip "a full file system" "mount is not permitted"
fi

# ---- limits of the caller do not reach the helper ----
cp -p "$work/old" /etc/shadow
service std
is "the caller may write no file" \
    "$(ulimit -f 0; echo secret | try std alice auth)" \
    "prompt: Password: /auth=0/"
if (ulimit -f 0; ulimit -f unlimited) 2>/dev/null; then
	is "the hash is new all the same" "$(stored alice | cut -c1-7)" \
	    '$lyra2$'
else
	skip "the hash is new all the same" "root may not raise limits here"
fi
rm -r "$work"
tap_done
