# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Odd lines in account files: service, module and audit agree.  An error that
# passes is forgotten.  More users do not cost more system calls.
. "$SRCDIR/tests/lib/pam.sh"

[ -x "$prefix/bin/lyra2" ] || skip_all "configured with --disable-tool"
service std
configure rehash_root=yes
python3 -B "$SRCDIR/tests/pam/odd.py" "$service_pid" "$work/log" "$conf" \
    "$prefix/bin/lyra2" >"$work/tap" 2>"$work/err" ||
    echo "# exit status $?" >>"$work/tap"
include odd <"$work/tap"
sed 's/^/# /' "$work/err"
tap_done
