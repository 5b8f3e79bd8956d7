# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The demo comes to its end, for root and for an ordinary user.
. "$SRCDIR/tests/tap.sh"

command -v pamtester >/dev/null || skip_all "pamtester is missing"
other='setpriv --reuid 65534 --regid 65534 --clear-groups'

ok "the demo" sh "$SRCDIR/tests/demo" "$BUILDDIR"
if ! $other test -r "$BUILDDIR/tests/stage.stamp" 2>/dev/null; then
	skip "the demo by an ordinary user" "the build cannot be read by another"
else
	# shellcheck disable=SC2086 # words
	ok "the demo by an ordinary user" $other \
	    sh "$SRCDIR/tests/demo" "$BUILDDIR"
fi
tap_done
