# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Suites of lyra2d with the door as it is before Linux 6.16; see rights.h.
# CHECK=all adds the long ones.

# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"

suites="askers ranks"
[ "${CHECK:-}" != all ] || suites="$suites service floods guesses talks"
for suite in $suites; do
	# A pipe would count in another shell.
	log=$BUILDDIR/tests/pam/closed.$suite
	DOOR=closed sh "$SRCDIR/tests/pam/$suite.sh" >"$log"
	include "$suite" <"$log"
done
tap_done
