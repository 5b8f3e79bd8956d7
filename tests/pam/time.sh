# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The time of an answer does not depend on the account.  A wrong password, an
# empty one, and an unknown, locked or blank user all take as long.  So do users
# with a hash cheaper than one and a quarter of the configured one.  For
# requests by users, a correct password takes as long, too.  A wrong password
# costs one hash, not three.
#
# The script counts hashes by their mappings, and reports times.  The test fails
# if one user's fastest attempt takes more than twice the other's median.  That
# happens if a hash is left out.
. "$SRCDIR/tests/lib/pam.sh"
strace -o /dev/null true 2>/dev/null || skip_all "strace may not trace here"

# user_with NAME WORD...: makes a user whose hash has these parameters
user_with()
{
	u_name=$1
	shift
	user "$u_name" "$(echo secret | "$prefix/bin/lyra2" hash "$@")"
}
configure rehash=never cols=256 cost=9 max_concurrent=1
user_with known --cost 9
user_with cheap --cost 7
user locked "!$(stored known)"
user blank ''
user damaged '$lyra2$'
user sha512 "$(hash '$6$salt$' secret)"
user yescrypt "$(hash '$y$j85$saltsalt$' secret)"
names_for 2001

# ---- hashes, in quarters of one; each mapping has 2 MiB more to align ----
end_service
service_of=$lyra2d
lyra2d="strace -f -qq -e trace=/^mmap2?$ -o $work/trace $service_of"
start_service
# maps USER PASSWORD: prints the sizes of mappings that may be matrices
maps()
{
	: >"$work/trace"
	ask verify 0 "$1" "$2" '' >/dev/null
	idle
	sed -n 's/.*mmap2*(NULL, \([0-9]\{5,\}\), .*MAP_PRIVATE|MAP_ANON.*/\1/p' \
	    "$work/trace"
}
size=$(maps known wrong | sort -n | tail -n 1)
hashes()
{
	maps "$@" | awk -v whole="$size" '
		BEGIN { more = 2 * 1024 * 1024 }
		$1 > whole / 8 { sum += $1 - more }
		END { printf "%.2f", int(4 * sum / (whole - more) + 0.5) / 4 }'
}
for name in known nobody-here locked blank damaged; do
	is "$name: as many hashes as all" "$(hashes $name wrong)" 1.25
done
is "the correct password, for root programs" "$(hashes known secret)" 1.00
export CALLER=2001
is "the correct password, for a user" "$(hashes known secret)" 1.25
unset CALLER
kill "$(alive lyra2d)"
wait "$service_pid"
lyra2d=$service_of
start_service

# ---- times ----
cat >"$work/time.py" <<'PY'
import os
import sys
import time
import lyra2d
users = sys.argv[1:]
times = {user: [] for user in users}
caller = int(os.environ.get("CALLER", "0"))
for i in range(11):
    for user in users:
        name, given, word = user.partition("/")
        caller += caller > 0		# a new caller does not have to wait
        start = time.monotonic()
        client = lyra2d.Client()
        client.ask(lyra2d.VERIFY, name, word if given else "wrong",
                   caller=caller)
        times[user].append((time.monotonic() - start) * 1000)
        client.tell(lyra2d.FREE)
known = sorted(times[users[0]])
for user in users:
    t = sorted(times[user])
    middle = len(t) // 2
    # A hash that is left out changes the time by a factor; the rest is noise.
    alike = t[0] <= 2 * known[middle] and known[0] <= 2 * t[middle]
    print(user, "%.1f" % t[middle], "%.1f...%.1f" % (t[0], t[-1]),
          "alike" if alike else "different")
PY
# Compares each user, NAME[/PASSWORD], with the first one.
compare()
{
	what=$1
	shift
	PYTHONPATH=$SRCDIR/tests/lib python3 -B "$work/time.py" "$@" \
	    >"$work/times"
	sed 's/^/# median and range in ms: /' "$work/times"
	while read -r name _ _ verdict; do
		is "$what: $name" "$verdict" alike
	done <"$work/times"
}
compare "cost=9" known nobody-here sha512 yescrypt cheap yescrypt/ known/
# Users do not learn that a guess is wrong before it counts.
export CALLER=2001
compare "a user's guess" known sha512/secret cheap/secret known/secret
unset CALLER
rm -r "$work"
tap_done
