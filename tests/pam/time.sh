# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The work for an answer does not depend on the account.  A wrong password, an
# empty one, and an unknown, locked or blank user all take as much.  So do users
# with a hash that takes more than max_memory, or that is cheaper than one and a
# quarter of the configured one.  For requests by users, a correct password
# takes as much, too.  A wrong password costs one hash, not three.
#
# The script counts hashes by their mappings.
. "$SRCDIR/tests/lib/pam.sh"
strace -o /dev/null true 2>/dev/null || skip_all "strace may not trace here"

# user_with NAME WORD...: makes a user whose hash has these parameters
user_with()
{
	u_name=$1
	shift
	user "$u_name" "$(echo secret | "$prefix/bin/lyra2" hash "$@")"
}
configure rehash=never cols=256 cost=9 max_concurrent=1 max_memory=16M
user_with known --cost 9
user_with cheap --cost 7
user_with refused --cost 10
user locked "!$(stored known)"
user blank ''
user damaged '$lyra2$'
user quick "$(hash '$1$saltsalt$' secret)"
user slow "$(hash '$5$rounds=200000$saltsalt$' secret)"
names_for 2001

# ---- hashes, in quarters of one; each mapping has 2 MiB more to align ----
end_service
service_of=$lyra2d
lyra2d="strace -f -qq -e trace=/^mmap2?$ -o $work/trace $service_of"
start_service
# matrices: prints the sizes of mappings that may be matrices
matrices()
{
	sed -n 's/.*mmap2*(NULL, \([0-9]\{5,\}\), .*MAP_PRIVATE|MAP_ANON.*/\1/p' \
	    "$work/trace"
}
asked()
{
	: >"$work/trace"
	ask verify 0 "$1" "$2" '' >/dev/null
	idle
}
asked known wrong
size=$(matrices | sort -n | tail -n 1)
# hashes_now: prints the number of hashes since the trace is empty
hashes_now()
{
	matrices | awk -v whole="$size" '
		BEGIN { more = 2 * 1024 * 1024 }
		$1 > whole / 8 { sum += $1 - more }
		END { printf "%.2f", int(4 * sum / (whole - more) + 0.5) / 4 }'
}
hashes()
{
	asked "$@"
	hashes_now
}
for name in known cheap quick nobody-here locked blank damaged refused; do
	is "$name: as many hashes as all" "$(hashes $name wrong)" 1.25
done
is "slow: only what is always measured" "$(hashes slow wrong)" 0.25
is "the correct password, for root programs" "$(hashes known secret)" 1.00
export CALLER=2001
# Users do not learn that a guess is wrong before it counts.
for name in known cheap quick; do
	is "the correct password, for a user: $name" \
		"$(hashes $name secret)" 1.25
done
unset CALLER

# ---- another number of lanes: time counts, not rows ----
# cpu: prints the CPU time of a hash with the cost of half, with one lane and with
# four, in us.  The least of nine: other programs take from the caches.
cpu()
{
	python3 - "$prefix/bin/lyra2" <<-'PY'
	import resource, subprocess, sys
	def one(lanes):
	    before = resource.getrusage(resource.RUSAGE_CHILDREN)
	    subprocess.run([sys.argv[1], "hash", "--cost", "10", "--lanes", lanes],
	                   input=b"secret", stdout=subprocess.DEVNULL, check=True)
	    used = resource.getrusage(resource.RUSAGE_CHILDREN)
	    return int(1e6 * (used.ru_utime + used.ru_stime -
	                      before.ru_utime - before.ru_stime))
	rounds = [(one("1"), one("4")) for _ in range(9)]
	print(*map(min, zip(*rounds)))
	PY
}
configure rehash=never cols=256 cost=11 lanes=4 max_concurrent=1
user_with lane --cost 10 --lanes 1
user_with half --cost 10 --lanes 4
asked nobody-here wrong
size=$(matrices | sort -n | tail -n 1)
read -r one four <<-END
	$(cpu)
END
is "half of the hash: a quarter and half more" "$(hashes half wrong)" 1.25
if [ $((10 * one)) -lt $((14 * four)) ]; then
	skip "a hash with one lane" "takes as long as with four: $one, $four"
else
	# lyra2d measures, too, and only once.
	for _ in 1 2 3 4 5; do
		got=$(hashes lane wrong)
		[ "$(echo "$got" | tr -d .)" -gt 100 ] || break
	done
	ok "a hash with one lane takes longer, and less is added: $got hashes" \
		test "$(echo "$got" | tr -d .)" -le 100
fi
configure rehash=never cols=256 cost=9 max_concurrent=1
asked known wrong
size=$(matrices | sort -n | tail -n 1)

# ---- the length of a password ----
# Each of these is wrong.  The module sends at most 512 bytes of a password.
user_with weaker --cost 8
user expired "$(stored known)" '19000:0:9:7:9::'
user slower "$(hash '$6$rounds=1000000$saltsalt$' secret)"
service std
# long BYTES: prints a password
long()
{
	head -c "$1" /dev/zero | tr '\0' p
}
# typed USER BYTES: prints the result of a login, and counts its hashes
typed()
{
	: >"$work/trace"
	{ long "$2"; echo; } | try std "$1" nodelay auth | sed 's/.*auth=/auth=/'
	idle
	hashes_now
}
if [ "${CHECK-}" = all ]; then
	lengths="0 20 511 512 600 100000"
	names="known weaker locked expired nobody-here"
else
	lengths="20 512 600"
	names="known nobody-here"
fi
for bytes in $lengths; do
	for name in $names; do
		code=7
		[ "$name" != nobody-here ] || code=10
		is "$name, $bytes bytes: as many hashes as all" \
			"$(typed "$name" "$bytes")" "auth=$code/1.25"
	done
	is "slower, $bytes bytes: its own hash, and a quarter" \
		"$(typed slower "$bytes")" "auth=7/0.25"
done
rm -r "$work"
tap_done
