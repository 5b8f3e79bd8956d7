# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The demo ends without an error, for root and for an ordinary user.
. "$SRCDIR/tests/lib/tap.sh"

command -v pamtester >/dev/null || skip_all "pamtester is missing"
# Starts a user's program as Debian's su and login do
other='setpriv --reuid 65534 --regid 65534 --clear-groups
	env -u TMPDIR PATH=/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games'

demo=$(sh "$SRCDIR/tests/demo/demo" "$BUILDDIR" 2>&1) && status=0 || status=$?
is "the demo" "$status" 0
[ "$status" -eq 0 ] || printf '%s\n' "$demo" | sed 's/^/# /'
ends=$(printf '%s\n' "$demo" | tail -n 5)
# shellcheck disable=SC2016	# for the shell that is started
ok "its last five lines say what to try next" sh -c \
    'echo "$1" | head -n 1 | grep -q "^The demo is over" &&
    echo "$1" | grep -q "^Next: "' - "$ends"
ok "the tool is where they say" sh -c "$(printf '%s\n' "$ends" |
    sed -n 's/.* to call it: //p') && lyra2 --version"
if ! $other test -r "$BUILDDIR/tests/stage.stamp" 2>/dev/null; then
	skip "the demo by an ordinary user" "the build cannot be read by another"
else
	# shellcheck disable=SC2086 # words
	ok "the demo by an ordinary user" $other sh -c 'umask 002
	    exec sh "$@"' - "$SRCDIR/tests/demo/demo" "$BUILDDIR"
fi
tap_done
