# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Every mutant of tests/mutate.list is noticed by a test.
. "$SRCDIR/tests/lib/tap.sh"

[ -d "$BUILDDIR/tests/stage" ] || make -s -C "$BUILDDIR" tests/stage.stamp
strace -o /dev/null true 2>/dev/null || skip_all "strace may not trace here"
[ "$(id -u)" = 0 ] || skip_all "many tests need the user IDs that root has"
# First: is each line that it breaks still there?  Rewording costs no test.
"$SRCDIR/tests/mutate" --list >/dev/null || exit 1
exec "$SRCDIR/tests/mutate"
