#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What doc/analysis.md says: each row comes back from others on the real sponge;
# the simulator pays what small graphs cost by hand;
# the simulator finds the published answers for scrypt and Argon2; who keeps all
# memory repeats nothing, and who keeps half of it waits.
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"

ok "visits run backward" "$SRCDIR/analysis/backward.py"
ok "prices of graphs that were computed by hand" \
	"$SRCDIR/tests/analysis/small.py" "$BUILDDIR/analysis/keep"
got=$("$SRCDIR/analysis/analysis.py" "$BUILDDIR/analysis/keep" test)
is "scrypt's times are within 10 % of the published" "$(
	printf '%s\n' "$got" | tr -d ,: | awk '$1 == "scrypt" && $3 == "time" &&
	$4 < 1.1 * $5 && $4 > .9 * $5' | wc -l)" 3
is "so are Argon2's gains" "$(printf '%s\n' "$got" | tr -d , | awk '
	/best:|storage:|both:/ && $(NF - 1) < 1.1 * $NF && $(NF - 1) > .9 * $NF
	' | wc -l)" 3
is "and the times of one and of three passes of its first version" "$(
	printf '%s\n' "$got" | tr -d , | awk '/first version.*t=[13]/ &&
	$(NF - 3) < 1.1 * $(NF - 2) && $(NF - 3) > .9 * $(NF - 2)' |
	wc -l)" 2
is "who keeps all memory repeats nothing, and gains nothing" "$(
	printf '%s\n' "$got" | awk '/^   (Lyra2|Argon2id) t=/ && $3 == 1 &&
	$5 == 1 && $6 == 1 && $7 > .9' | wc -l)" 4
is "who keeps half of Lyra2's memory waits, and loses" "$(
	printf '%s\n' "$got" | awk '/^   Lyra2 t=/ && $3 == .5 && $5 > 2 &&
	$7 > 1.2' | wc -l)" 2
tap_done
