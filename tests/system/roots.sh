#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# tests/lib/roots: copies are private and thrown away, the cache is built once,
# and errors say what is wrong.

# The shell in the root expands what stands in single quotes, and ok calls gone.
# shellcheck disable=SC2016,SC2317
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"

roots=$SRCDIR/tests/lib/roots
suite=bookworm
if ! why=$("$roots" make $suite 2>&1); then
	skip_all "$why"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() {
	"$roots" run "$@" 2>&1
}

status_of() {
	"$@" >/dev/null 2>&1 && echo 0 || echo $?
}

is "the status of the command is passed on" \
	"$(status_of run $suite -- sh -c 'exit 7')" 7
is "the command is root" "$(run $suite -- id -u)" 0
is "the environment is empty but for the usual" \
	"$(SECRET=x run $suite -- sh -c 'echo "$SECRET$HOME"')" /root

run $suite -- touch /etc/left-behind /tmp/left-behind
is "nothing stays in the root" \
	"$(run $suite -- sh -c 'ls /etc/left-behind 2>/dev/null')" ""
is "nothing reaches the host" "$(ls /etc/left-behind 2>/dev/null)" ""

echo kept >"$work/file"
is "--bind shows a file" \
	"$(run --bind "$work/file:/srv/a/file" $suite -- cat /srv/a/file)" kept
ok "--bind is read-only" test "$(status_of run --bind "$work:/srv/dir" \
	$suite -- sh -c 'echo changed >/srv/dir/file')" -ne 0
run --rw-bind "$work:/srv/dir" $suite -- sh -c 'echo changed >/srv/dir/file'
is "--rw-bind can be written" "$(cat "$work/file")" changed

is "the network is lo alone" \
	"$(run $suite -- ls /proc/sys/net/ipv4/conf | tr '\n' ' ')" \
	"all default lo "
is "lo is up" "$(run $suite -- sh -c 'ip -o link show up dev lo | wc -l')" 1
is "--keep-net has the host's network" \
	"$(run --keep-net $suite -- readlink /proc/self/ns/net)" \
	"$(readlink /proc/self/ns/net)"
is "processes of the host are out of sight" \
	"$(run $suite -- sh -c 'kill -0 '$$' 2>/dev/null &&
		echo seen')" ""
is "a pseudo-terminal works" \
	"$(run $suite -- script -qec tty /dev/null | tr -d '\r')" /dev/pts/0

# gone COMMAND: whether no such process is left, given two seconds to go.
gone() {
	tries=10
	while pgrep -fx "$1" >/dev/null; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 0.2
	done
}

nap="sleep 30.$$"
run $suite -- sh -c "$nap >/dev/null 2>&1 &"
ok "what a command leaves running dies with it" gone "$nap"
sh -c '"$0" run "$1" -- $2; :' "$roots" $suite "$nap" &
caller=$!
until pgrep -fx "$nap" >/dev/null; do sleep 0.1; done
kill -KILL $caller
ok "a command dies with its caller" gone "$nap"

log=$(run --bind "$SRCDIR/tests:/tests" $suite -- sh -c \
	'python3 /tests/lib/devlog.py /log sh -c "logger -t tester hello; exit 3"
	echo "$? $(cat /log)"')
is "devlog collects the log and passes the status on" "$log" \
	"3 <13> tester: hello"

# A stand-in shows what the cache does without building a root each time.
mkdir "$work/bin"
cat >"$work/bin/mmdebstrap" <<'END'
#!/bin/sh
echo built >>"$COUNT"
sleep 0.5
[ -z "$BROKEN" ] || { echo "E: $BROKEN"; exit 1; }
while [ "$1" != "$SUITE" ]; do shift; done
mkdir "$2"
END
chmod +x "$work/bin/mmdebstrap"
COUNT=$work/count SUITE=$suite PATH=$work/bin:$PATH XDG_CACHE_HOME=$work/cache
export COUNT SUITE PATH XDG_CACHE_HOME

broken=$(BROKEN="no such mirror" "$roots" make $suite 2>&1)
ok "a failed build says why" test "${broken#*no such mirror}" != "$broken"
rm "$COUNT"
"$roots" make $suite >"$work/one" &
"$roots" make $suite >"$work/two"
wait $!
is "two callers get the same root" "$(cat "$work/one")" "$(cat "$work/two")"
ok "which is there" test -d "$(cat "$work/one")"
is "and built once" "$(wc -l <"$COUNT")" 1
ok "other packages are another root" \
	test "$("$roots" make $suite zsh)" != "$(cat "$work/one")"
ok "another set is another root" \
	test "$("$roots" make --set build $suite)" != "$(cat "$work/one")"
"$roots" clean
ok "clean empties the cache" test ! -e "$work/cache/lyra2/roots"

for wrong in "make sarge" "make --set kitchen $suite" "run $suite true" \
	"run --bind /nowhere:/srv $suite -- true" "frobnicate $suite"; do
	# shellcheck disable=SC2086	# words on purpose
	is "'roots $wrong' is refused" "$(status_of "$roots" $wrong)" 125
done
tap_done
