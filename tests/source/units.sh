# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The service's units for systemd and OpenRC have their settings.
. "$SRCDIR/tests/lib/tap.sh"

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
	service RestartSec 5s
	service RestrictAddressFamilies AF_UNIX AF_NETLINK
	service RuntimeDirectory lyra2
	service RuntimeDirectoryPreserve yes
	service StartLimitIntervalSec 0
	service TimeoutStopSec 5s
	service Type notify
	service UMask 0077
	service WantedBy multi-user.target
	service WatchdogSec 30s
	openrc respawn_delay 5
	openrc respawn_max 0
	openrc supervisor supervise-daemon
END
ms=$(sed -n 's/^#define SERVICE_END_MS \([0-9]*\).*/\1/p' \
	"$SRCDIR/pam/service/service.h")
ok "the service ends by itself before systemd kills it" test "$ms" -lt 5000
tap_done
