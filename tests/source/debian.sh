# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# libpam-lyra2.postrm counts users when the package is purged; the units of the
# service have their settings.
. "$SRCDIR/tests/lib/tap.sh"

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir "$root/etc" "$root/run"

# purged: prints the postrm's output
purged()
{
	DPKG_ROOT=$root DPKG_MAINTSCRIPT_PACKAGE_REFCOUNT=${copies-1} \
		sh "$SRCDIR/debian/libpam-lyra2.postrm" purge 2>&1
}
# counts NUMBER LINE...: with these lines of shadow, the postrm counts NUMBER
counts()
{
	c_wanted=$1
	shift
	for c_file in shadow passwd; do
		rm -f "$root/etc/shadow" "$root/etc/passwd"
		printf '%s\n' "$@" >"$root/etc/$c_file"
		is "$c_wanted in $c_file: $*" "$(purged | sed 's/.*: //')" \
			"$c_wanted"
	done
}
# shellcheck disable=SC2016	# hashes
{
	counts 1 'a:$lyra2$t2n12c256p2$salt$hash:1:'
	counts 1 'a:$bashlyra2$t2n12c256p2$salt$hash:1:'
	counts 3 'a:$lyra2$x:' 'b:$6$x:' 'c:!$bashlyra2$x:' 'd:!!$lyra2$x:'
	counts '' 'a:$6$$lyra2$:' 'b::$lyra2$x:' 'c:$bash$x:' 'd:$xlyra2$x' \
		'e:$y$bashlyra2$x:'
	echo 'a:$bashlyra2$x:' >"$root/etc/shadow"
}
ok "the note names the package and the reason" \
	test "$(purged)" = "libpam-lyra2: note: passwords that are still \
hashed with Lyra2: 1"
is "another architecture's copy stays: no note" "$(copies=2 purged)" ""
rm "$root"/etc/*
is "no files: no note" "$(purged)" ""

# Only CHECK=long starts the unit under systemd.
while read -r unit key value; do
	is "$unit: $key" \
		"$(sed -n "s/^$key=//p" "$SRCDIR/pam/service/lyra2d.$unit.in")" \
		"$value"
done <<-'END'
	service CapabilityBoundingSet CAP_DAC_OVERRIDE CAP_CHOWN CAP_AUDIT_WRITE
	service KillMode mixed
	service LimitCORE 0
	service LogRateLimitBurst 100000
	service LogRateLimitIntervalSec 1s
	service MemoryDenyWriteExecute yes
	service MemorySwapMax 0
	service Nice -5
	service NoNewPrivileges yes
	service OOMPolicy continue
	service OOMScoreAdjust -900
	service PrivateNetwork yes
	service ProtectSystem strict
	service ReadWritePaths /etc
	service Restart always
	service RestartSec 10s
	service RestrictAddressFamilies AF_UNIX AF_NETLINK
	service RuntimeDirectory lyra2
	service RuntimeDirectoryPreserve yes
	service StartLimitIntervalSec 0
	service TimeoutStopSec 5s
	service Type notify
	service UMask 0077
	service WantedBy multi-user.target
	service WatchdogSec 30s
	openrc respawn_delay 10
	openrc respawn_max 0
	openrc supervisor supervise-daemon
END
ms=$(sed -n 's/^#define SERVICE_END_MS \([0-9]*\).*/\1/p' \
	"$SRCDIR/pam/service/service.h")
ok "the service ends by itself before systemd kills it" test "$ms" -lt 5000
tap_done
