# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# How long a refusal takes says nothing of the account: a wrong password, an
# unknown, a locked and a blank user, an empty password, and users whose hash is
# cheaper than one and a half of the configured, all cost that much; also where
# the parameters have few rows.
# Medians are reported; only the fastest attempt of one user against twice the
# median of the other can fail, as it does when a hash is left out.
. "$SRCDIR/tests/lib/pam.sh"

ask=$BUILDDIR/tests/pam/ask

# Makes user NAME, whose hash has these parameters, which it also configures.
configure()
{
	name=$1
	shift
	printf '%s\n' max_concurrent=1 t_cost=1 "$@" >"$conf"
	# shellcheck disable=SC2046	# words
	user "$name" "$(echo secret | "$prefix/bin/lyra2" hash --t-cost 1 \
	    $(printf -- '--%s ' "$@"))"
}

configure known cost=9
user locked "!$(stored known)"
user star '*'
user blank ''
user damaged '$lyra2$'
user sha512 "$(hash '$6$salt$' secret)"
user yescrypt "$(hash '$y$j85$saltsalt$' secret)"
user cheap "$(echo secret | "$prefix/bin/lyra2" hash --t-cost 1 --cost 7)"

# matrix USER: the memory that a wrong password of that user takes
matrix()
{
	"$ask" 1 0 "$conf" "$1" wrong '' strace -qq -o "$work/trace" \
	    -e trace=/^mmap2?$ "$prefix/sbin/lyra2_chkpwd" >/dev/null
	sed -n 's/^mmap2*(NULL, \([0-9]*\), .*MAP_PRIVATE|MAP_ANON.*/\1/p' \
	    "$work/trace" | sort -n | tail -n 1
}
if strace -o /dev/null true 2>/dev/null; then
	ok "a hash takes memory" test "$(matrix known)" -ge 65536
	for name in nobody-here locked star blank damaged; do
		is "$name: a hash of the same size" "$(matrix $name)" \
		    "$(matrix known)"
	done
else
	skip "a hash of the same size" "strace may not trace here"
fi

# ---- together with pam_unix, which computes each hash it knows twice ----
cat >"$work/knows.c" <<'C'
/* A libcrypt that knows every method with a $, or with 1 for INVALID none. */
int crypt_checksalt(const char *setting)
{
	return setting[0] == '$' ? INVALID : 1;
}
C
# counted: the hashes in the trace; half a hash is one of half the configured
# rows, and as small as a quarter is what is timed.  Each map has 2 MiB more to align it.
counted()
{
	sed -n 's/^mmap2*(NULL, \([0-9]*\), .*MAP_PRIVATE|MAP_ANON.*/\1/p' \
	    "$work/trace" | awk -v whole="$size" '
		BEGIN { more = 2 * 1024 * 1024 }
		$1 > whole / 8 { sum += $1 - more }
		END { printf "%.1f", sum / (whole - more) }'
}
# hashes FLAGS USER PRELOAD [PASSWORD]: how many a wrong password costs here
hashes()
{
	"$ask" 1 "$1" "$conf" "$2" "${4-wrong}" '' strace -qq \
	    -E "LD_PRELOAD=$3" -o "$work/trace" -e trace=/^mmap2?$ \
	    "$prefix/sbin/lyra2_update" >/dev/null
	counted
}
libcrypt()
{
	$CC -shared -fPIC -DINVALID="$1" -o "$2" "$work/knows.c" 2>/dev/null
}
BEFORE_UNIX=16 all=$work/all.so none=$work/none.so
if ! strace -o /dev/null true 2>/dev/null; then
	skip "before pam_unix" "strace may not trace here"
elif ! libcrypt 0 "$all" || ! libcrypt 1 "$none"; then
	skip "before pam_unix" "$CC fails"
else
	size=$(matrix known)
	# Twice a whole one is left to pam_unix, and twice a quarter of one.
	for name in known=1.5 cheap=3.0 nobody-here=3.5 locked=3.5 \
	    star=3.5 blank=3.5 damaged=3.5; do
		is "pam_unix computes two: ${name%=*}" \
		    "$(hashes $BEFORE_UNIX "${name%=*}" "$all")" "${name#*=}"
	done
	is "of an empty password, too" \
	    "$(hashes $BEFORE_UNIX known "$all" '')" 1.5
	for name in known cheap nobody-here locked; do
		is "pam_unix computes nothing of $name" \
		    "$(hashes $BEFORE_UNIX $name "$none")" 1.5
		is "pam_unix is not there: $name" \
		    "$(hashes 0 $name "$all")" 1.5
	done
fi

cat >"$work/time.py" <<'PY'
import subprocess, sys, time
ask, conf, chkpwd, rounds = *sys.argv[1:4], int(sys.argv[4])
users = sys.argv[5:]
times = {user: [] for user in users}
for i in range(rounds):
    for user in users:
        name, given, word = user.partition("/")
        start = time.monotonic()
        subprocess.run([ask, "1", "0", conf, name,
                        word if given else "wrong", "",
                        chkpwd], stdout=subprocess.DEVNULL)
        times[user].append((time.monotonic() - start) * 1000)
known = sorted(times[users[0]])
for user in users:
    t = sorted(times[user])
    middle = len(t) // 2
    # A hash that is left out is a factor; what is less is the machine's noise.
    alike = t[0] <= 2 * known[middle] and known[0] <= 2 * t[middle]
    print(user, "%.1f" % t[middle], "%.1f...%.1f" % (t[0], t[-1]),
          "alike" if alike else "different")
PY
# Compares each user, NAME[/PASSWORD], with the first one.
compare()
{
	what=$1
	shift
	python3 "$work/time.py" "$ask" "$conf" "$prefix/sbin/lyra2_chkpwd" \
	    "$@" >"$work/times"
	sed 's/^/# median and range in ms: /' "$work/times"
	while read -r name _ _ verdict; do
		is "$what: $name" "$verdict" alike
	done <"$work/times"
}

compare "cost=9" 21 \
    known nobody-here locked star blank damaged sha512 yescrypt cheap \
    yescrypt/ known/
# Users have not learnt that a guess is wrong before it counts.
names_for 2001
export CALLER=2001
compare "a user's guess" 11 known sha512/secret cheap/secret known/secret
user dear "$(hash '$6$rounds=60000$salt$' secret)"
# added FLAGS: how many hashes are computed beside that of a right password
added()
{
	"$ask" 1 "$1" "$conf" dear secret '' strace -qq -o "$work/trace" \
	    -e trace=/^mmap2?$ "$prefix/sbin/lyra2_chkpwd" >/dev/null
	grep -cE '^mmap2?\(NULL, [0-9]{5,}, .*MAP_PRIVATE\|MAP_ANON' \
	    "$work/trace"
}
if strace -o /dev/null true 2>/dev/null; then
	ok "nor before pam_unix would have computed that of a wrong one" \
	    test "$(added $BEFORE_UNIX)" -gt "$(added 0)"
else
	skip "what pam_unix would compute" "strace may not trace here"
fi
unset CALLER

# ---- a clock that fails makes no refusal cheaper, or endless ----
# clockless WHEN USER: how many hashes a wrong password costs without the time
clockless()
{
	timeout 20 "$ask" 1 0 "$conf" "$2" wrong '' strace -qq \
	    -e trace=/^mmap2?$,/^clock_gettime -o "$work/trace" \
	    -e "inject=/^clock_gettime:error=EIO:when=$1" \
	    "$prefix/sbin/lyra2_chkpwd" >/dev/null || echo "no end, "
	counted
}
if ! strace -o /dev/null true 2>/dev/null; then
	skip "a clock that fails" "strace may not trace here"
else
	size=$(matrix known)
	for when in 1 2 3 4 1+; do
		is "a clock that fails, $when: Lyra2" \
		    "$(clockless $when known)" 1.5
		is "a clock that fails, $when: SHA-512" \
		    "$(clockless $when sha512)" 1.5
	done
	ok "the clock fails" grep -q 'clock_gettime.*(INJECTED)' "$work/trace"
fi
configure few rows=16 cols=8192
compare "few rows" 11 few nobody-here sha512 yescrypt
configure lanes rows=256 cols=512 lanes=16
compare "many lanes" 11 lanes nobody-here sha512
rm -r "$work"
tap_done
