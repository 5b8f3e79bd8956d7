#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Power cuts while /etc/shadow is changed, on the file systems that /etc is on;
# see power.py.  STATES=N says how many of each.  What is printed as the seed
# makes the same choices again as POWER_SEED.

# ok calls the functions.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"
SUITES=bookworm	# which the machine runs
# shellcheck source=tests/lib/releases.sh
. "$SRCDIR/tests/lib/releases.sh"

states=${STATES:-250}
work=$BUILDDIR/builds/power
tree=$work/$SUITES/tree
guest=$SRCDIR/tests/lib/guest

command -v qemu-system-x86_64 >/dev/null || skip_all "no qemu-system-x86_64"
need_roots guest build

build_with_ask() {
	build "$SUITES" --disable-tool &&
		in_build "$SUITES" make -s tests/pam/ask &&
		install -D -t "$tree/usr/bin" "$work/$SUITES/tests/pam/ask"
}

prepare() {
	"$guest" make --bind "$SRCDIR:/src" --bind "$tree:/tree" "$work" \
		sh -c 'cp -a -T /tree / && ldconfig && cp -R /src/tests /opt'
}

# cut NAME MKFS OPTIONS: on one kind of file system.
cut() {
	"$guest" run "$work" PYTHONPATH=/opt/tests/lib \
		${POWER_SEED:+"POWER_SEED=$POWER_SEED"} \
		init=/opt/tests/lib/guest-init -- python3 -B \
		/opt/tests/system/power.py "$1" "$2" "$3" "$states" \
		>"$work/$1.tap"
}

ok "build" build_with_ask
ok "a disk for the machine" prepare
while read -r name mkfs options; do
	cut "$name" "$mkfs" "$options"
	include "$name" <"$work/$name.tap"
done <<END
ext4-ordered mkfs.ext4,-q data=ordered
ext4-writeback mkfs.ext4,-q data=writeback,noauto_da_alloc
xfs mkfs.xfs,-q,-K rw
btrfs mkfs.btrfs,-q,-K rw
END
tap_done
