# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# How long a refusal takes says nothing of the account: the times for a wrong
# password, an unknown, a locked and a blank user overlap.  Medians are
# reported; no time passes or fails by itself.
. "$SRCDIR/tests/pam.sh"

printf 't_cost=1\ncost=9\nmax_concurrent=1\n' >"$conf"
ask=$BUILDDIR/tests/pam-ask
user known "$(echo secret | "$prefix/bin/lyra2" hash --t-cost 1 --cost 9)"
user locked "!$(stored known)"
user star '*'
user blank ''
user damaged '$lyra2$'

cat >"$work/time.py" <<'PY'
import subprocess, sys, time
ask, conf, chkpwd = sys.argv[1:4]
users = sys.argv[4:]
times = {user: [] for user in users}
for i in range(21):
    for user in users:
        start = time.monotonic()
        subprocess.run([ask, "1", "0", conf, user, "wrong", "", chkpwd],
                       stdout=subprocess.DEVNULL)
        times[user].append((time.monotonic() - start) * 1000)
known = sorted(times["known"])
for user in users:
    t = sorted(times[user])
    middle = len(t) // 2
    # Each median lies inside what the other varies by.
    alike = t[0] <= known[middle] <= t[-1] and known[0] <= t[middle] <= known[-1]
    print(user, "%.1f" % t[middle], "%.1f...%.1f" % (t[0], t[-1]),
          "alike" if alike else "different")
PY
python3 "$work/time.py" "$ask" "$conf" "$prefix/sbin/lyra2_chkpwd" \
    known nobody-here locked star blank damaged >"$work/times"
sed 's/^/# median and range in ms: /' "$work/times"
while read -r name _ _ verdict; do
	is "$name" "$verdict" alike
done <"$work/times"
rm -r "$work"
tap_done
