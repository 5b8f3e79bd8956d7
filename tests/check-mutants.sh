# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Every mutant of tests/mutate.list is noticed by a test.
. "$SRCDIR/tests/lib/tap.sh"

[ -d "$BUILDDIR/tests/stage" ] || make -s -C "$BUILDDIR" tests/stage.stamp
strace -o /dev/null true 2>/dev/null || skip_all "strace may not trace here"
[ "$(id -u)" = 0 ] || skip_all "many tests need the user IDs that root has"
exec "$SRCDIR/tests/mutate"
