#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What doc/analysis says: each row comes back from others on the real sponge;
# who keeps all rows repeats none, and who keeps fewer repeats some; with two
# passes, that never pays.
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"

/usr/bin/python3 -c 'import numpy' || skip_all "no python3-numpy"
ok "visits run backward" "$SRCDIR/tests/attack/backward.py"
got=$("$SRCDIR/tests/attack/analysis.py" 2 32)
is "who keeps all rows repeats none" "$(printf '%s\n' "$got" |
	awk '$3 == 1 && $5 == 1 && $8 == 1' | wc -l)" 9
is "with two passes and more, who repeats work loses" "$(printf '%s\n' "$got" |
	awk '$2 > 1 && $3 < 1 && $4 == "work" && $5 > 1 && $8 < 1' | wc -l)" 12
is "who shares memory and repeats for nothing gains" "$(printf '%s\n' "$got" |
	awk '$3 == "shared" && $5 < 1.1 && $8 > 1 && $8 < 1.2' | wc -l)" 9
tap_done
