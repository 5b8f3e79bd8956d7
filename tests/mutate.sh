# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Every mutant of tests/mutate.list is noticed by a test.
. "$SRCDIR/tests/lib/tap.sh"

[ -d "$BUILDDIR/tests/stage" ] || make -s -C "$BUILDDIR" tests/stage.stamp
command -v strace >/dev/null || skip_all "no strace here"
exec "$SRCDIR/tests/mutate"
