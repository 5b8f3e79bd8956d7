# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The library agrees with the specification in Python, which shares no code with
# it.  The rows of both files of test vectors are right.
. "$SRCDIR/tests/lib/tap.sh"

library=$BUILDDIR/src/.libs/liblyra2.so
[ -f "$library" ] || skip_all "configured with --disable-shared"
command -v python3 >/dev/null || skip_all "no python3 here"

count=200
[ -z "${CHECK:-}" ] || count=2000
is "the library and the specification agree on $count random functions" \
    "$(python3 "$SRCDIR/tests/source/spec.py" "$SRCDIR" "$library" \
    $count 2>&1)" ""
ok "the specification computes what both files say" \
    python3 -B "$SRCDIR/doc/spec/lyra2.py" --check \
    "$SRCDIR/doc/spec/raw.csv" "$SRCDIR/doc/spec/strings.csv"
is "it is a program, too" "$(python3 -B "$SRCDIR/doc/spec/lyra2.py" password \
    "\$lyra2\$t2n4c12p2\$saltsalt" | cut -c 1-30)" \
    "\$lyra2\$t2n4c12p2\$saltsalt\$qPyc"
tap_done
