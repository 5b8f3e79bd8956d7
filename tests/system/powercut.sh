#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The power fails while passwords are set: /etc/shadow is the old file or the
# new one, and a password that was said to be set is.  See powercut.py.

# The shell in the root expands what stands in single quotes; ok calls the
# functions.
# shellcheck disable=SC2016,SC2317
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"
# shellcheck source=tests/lib/machines.sh
. "$SRCDIR/tests/lib/machines.sh"

suite=bookworm
work=$BUILDDIR/builds/powercut
needs_guest $suite

prepare() {
	"$guest" make --bind "$SRCDIR:/src" --bind "$work:/debs" "$suite" \
		"$work" sh -ec '
		for name in liblyra2-0 libpam-lyra2-bin libpam-lyra2 lyra2; do
			dpkg -i /debs/${name}_*.deb
		done
		cp -R /src/tests /opt
		printf "%s\n" method=lyra2 cost=8 \
			>>/etc/security/pam_lyra2.conf
		for i in $(seq 500); do
			echo "user$i:x:$((3000 + i)):100::/:/bin/sh"
		done >>/etc/passwd
		pwconv
		useradd alice
		echo "alice:word 0" | chpasswd
		/opt/tests/system/powercut.py'
}

ok "packages" packages $suite "$work"
ok "a disk for the machine" prepare
# Without auto_da_alloc, ext4 makes no allowance for programs that rename a file
# before its data are on the disk.
lasting=0
for after in 1.3 7.1 2.9 6.3 0.5 3.7 9.1 4.7 5.5 0; do
	"$guest" cut "$work" $after rootflags=noauto_da_alloc \
		init=/opt/tests/system/powercut.py lasting="$lasting" \
		>"$work/said"
	state=$(sed -n 's/^state: //p' "$work/said")
	echo "# $state; then $(grep -c '^set: ' "$work/said") more"
	is "after number $lasting: alice's password, the others' lines, the file" \
		"$state" "$(echo "$state" | sed -n \
		"s/^\($lasting\|$((lasting + 1))\) same 0:42:100640$/&/p;t;s/.*/$lasting/p")"
	lasting=$(sed -n 's/^set: //p;s/^state: \([0-9]*\) .*/\1/p' \
		"$work/said" | tail -n 1)
	[ -n "$lasting" ] || {
		ok "it starts again: see $work/console" false
		break
	}
done
tap_done
