#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The packages in a machine with Debian's SELinux policy enforced, and in one
# with the packages' AppArmor profiles: see selinux.py and apparmor.py.  The
# kernel of the machine with bookworm has the door of rights.h closed, that with
# trixie open.  SUITES=trixie runs that alone.

# The shell in the root expands what stands in single quotes; ok calls the
# functions.
# shellcheck disable=SC2016,SC2317
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"
# shellcheck source=tests/lib/machines.sh
. "$SRCDIR/tests/lib/machines.sh"

suites=${SUITES:-bookworm trixie}
# shellcheck disable=SC2086	# words
needs_guest $suites

# The packages are installed while no policy is enforced.  Then all files get
# the labels that "fixfiles relabel" would give them at the first boot.  Not
# every Linux can report a relabelling of / to audit; // is not reported.
prepare() {
	"$guest" make --bind "$SRCDIR:/src" --bind "$work:/debs" "$suite" \
		"$work" sh -ec '
		for name in liblyra2-0 libpam-lyra2-bin libpam-lyra2; do
			dpkg -i /debs/${name}_*.deb
		done
		cp -R /src/tests /opt
		cp /src/tests/system/selinux*.service /etc/systemd/system
		systemctl enable selinux.service selinux-getty.service
		systemctl mask systemd-udevd.service systemd-udevd-kernel.socket \
			systemd-udevd-control.socket systemd-udev-trigger.service \
			serial-getty@ttyS0.service getty@tty1.service \
			systemd-pstore.service e2scrub_reap.service \
			systemd-tmpfiles-clean.timer
		/src/tests/system/selinux-users
		spec=/etc/selinux/default/contexts/files/file_contexts
		setfiles -m -F $spec //
		find / -xdev ! -type d | setfiles -m -F $spec -f -'
}

for suite in $suites; do
	work=$BUILDDIR/builds/selinux/$suite
	ok "$suite: packages" packages "$suite" "$work"
	ok "$suite: a disk for the machine" prepare
	"$guest" run "$work" security=selinux selinux=1 enforcing=1 \
		audit_backlog_limit=8192 >"$work/tap"
	include "$suite, enforcing" <"$work/tap"
	"$guest" run "$work" security=apparmor apparmor=1 >"$work/apparmor.tap"
	include "$suite, AppArmor" <"$work/apparmor.tap"
done
tap_done
