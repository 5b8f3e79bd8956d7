# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# A full file system, limits of the caller, and what the audit system is told.
. "$SRCDIR/tests/lib/pam.sh"

ask=$BUILDDIR/tests/pam/ask
update=$prefix/sbin/lyra2_update
OP_VERIFY=1 OP_SET=4 CHECK_OLD=2
user alice "$(hash '$6$salt$' secret)"
cp -p /etc/shadow "$work/old"

# ---- the audit system ----
# sockets OP PASSWORD NEW: those that lyra2_update makes
sockets()
{
	"$ask" "$1" $CHECK_OLD "$conf" alice "$2" "$3" strace -qq \
	    -e trace=socket -o "$work/trace" "$update" >/dev/null
	cp -p "$work/old" /etc/shadow
}
if ! ldd "$update" | grep -q libaudit; then
	skip "the audit system is told" "built without libaudit"
elif ! strace -o /dev/null true 2>/dev/null; then
	skip "the audit system is told" "strace may not trace here"
else
	sockets "$OP_VERIFY" secret ''
	ok "the audit system is told of a rehash" \
	    grep -q NETLINK_AUDIT "$work/trace"
	sockets "$OP_VERIFY" wrong ''
	fails "and not of a wrong password" grep -q NETLINK_AUDIT "$work/trace"
	for word in secret wrong; do
		sockets "$OP_SET" $word new
		is "once of a change: $word" \
		    "$(grep -c NETLINK_AUDIT "$work/trace")" 1
	done
fi

# ---- a file system without room for the new file ----
# asks OP PASSWORD NEW: replies go to "said", log lines to "log"
asks()
{
	: >"$work/log"
	daemon_log "$work/log" "$ask" "$1" 4 "$conf" alice "$2" "$3" \
	    "$update" >"$work/said"
}
cp -a /etc "$work/etc"
if mount -t tmpfs -o size=512k none /etc 2>/dev/null; then
	cp -a "$work/etc/." /etc
	dd if=/dev/zero of=/etc/filler bs=4k 2>/dev/null || true
	asks "$OP_VERIFY" secret ''
	ok "full file system: the login succeeds" grep -q '^verdict 0 ' \
	    "$work/said"
	ok "full file system: it is said" grep -q 'No space left' "$work/log"
	asks "$OP_SET" '' new
	ok "full file system: the change is refused" grep -q '^verdict 20 ' \
	    "$work/said"
	ok "full file system: nothing is changed" cmp /etc/shadow "$work/old"
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
