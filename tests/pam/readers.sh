# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Odd files of users, hashes and groups: our readers see what getpwnam(3),
# getspnam(3) and getgrnam(3) of this system see.
. "$SRCDIR/tests/lib/pam.sh"

count=2000
[ "${CHECK:-}" = "" ] || count=20000
seed=${SEED:-$(date +%s)}
"$BUILDDIR/tests/pam/readers" "$count" "$seed" >"$work/said" ||
    echo "# seed $seed"
cat "$work/said"
is "the same in odd files and $count mutations of them" \
    "$(tail -n 1 "$work/said" | sed 's/.*, //')" "0 differences"
tap_done
