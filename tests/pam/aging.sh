# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Dates of /etc/shadow: the service and this system's pam_unix give the
# same result on the same day.
. "$SRCDIR/tests/lib/pam.sh"
unix=$(find /usr/lib /lib -name pam_unix.so 2>/dev/null | head -n 1)
[ -n "$unix" ] || skip_all "pam_unix.so is not installed"
echo "account required $unix" >/etc/pam.d/unix
today=$(($(date +%s) / 86400))
cases=0
# FIELDS: last change, min, max, warning, inactive, expire
add()
{
	cases=$((cases + 1))
	user "u$cases" '*' "$1"
}
for last in '' 0 $((today - 100)) $((today - 1)) $today $((today + 1)); do
	for max in '' 0 1 99 100 101; do
		for inact in '' 0 1 2; do
			add "$last:0:$max:7:$inact::"
		done
	done
	for min in '' 0 1 100 101; do
		add "$last:$min:99999:7:::"
	done
	for expire in 0 1 $((today - 1)) $today $((today + 1)); do
		add "$last:0:99999:7::$expire:"
	done
done
# ours: prints for each user the result that the service's two answers imply
ours()
{
	PYTHONPATH=$SRCDIR/tests/lib python3 -B - $cases <<-'PY'
	import sys
	import lyra2d
	for n in range(1, int(sys.argv[1]) + 1):
	    client = lyra2d.Client()
	    client.hello()
	    code = client.status("u%d" % n)[1]
	    if code in (0, 20):
	        code = 12 if client.status("u%d" % n, 8)[1] == 0 else 0
	    print("account=%d/" % code)
	    client.close()
	PY
}
n=0
while [ $n -lt $cases ]; do
	n=$((n + 1))
	try unix "u$n" account | sed 's,.*account,account,'
	echo
done | grep . >"$work/theirs"
ours >"$work/ours"
grep '^u' /etc/shadow | cut -d : -f 3- | paste - "$work/theirs" "$work/ours" |
    awk '$2 != $3 { print "# " $0 }' >"$work/other"
cat "$work/other"
is "$cases dates: the same results" "$(wc -l <"$work/other")" 0
rm -r "$work"
tap_done
