#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The RPM packages, with Debian's rpm, dnf and rpmlint: built, checked,
# installed, upgraded, and erased: see rpm.py.

# ok calls the functions.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"

work=$BUILDDIR/builds/rpm
roots=$SRCDIR/tests/lib/roots
# A make that runs this script exports flags that are not for these builds.
unset MAKEFLAGS MFLAGS MAKELEVEL

why=$("$roots" make --set rpm trixie 2>&1) || skip_all "$why"
rm -rf "$work"
mkdir -p "$work"
ok "make dist" make -C "$BUILDDIR" dist
mv "$BUILDDIR"/lyra2-*.tar.xz "$work"
"$roots" run --set rpm --bind "$SRCDIR:/src" --rw-bind "$work:/work" trixie -- \
	env PYTHONPATH=/src/tests/lib SYSTEMD_OFFLINE=1 \
	python3 -B /src/tests/system/rpm.py /work >"$work/tap" 2>&1
include "trixie" <"$work/tap"
tap_done
