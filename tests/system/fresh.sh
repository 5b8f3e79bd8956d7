#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Runs the commands of README.md on machines that have just been installed and
# have nothing but git, as somebody who logs in there: su - gives root and a
# user with sudo the PATH that Debian gives them.
#
# One machine of each release; on it root and the user, each with a clone and
# the two commands in one order or the other, so that each pair of release,
# user and order is there.  CHECK=long: all that "check" has, each on a machine
# of its own, every line of README.md, and what is interrupted.  The machines
# need a network, for apt.

# shellcheck disable=SC2016	# the shell in there expands it
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"

roots=$SRCDIR/tests/lib/roots
work=$BUILDDIR/builds/fresh
debs=${XDG_CACHE_HOME:-$HOME/.cache}/lyra2/debs
rm -rf "$work"
mkdir -p "$work/readme" "$debs/bookworm" "$debs/trixie"
for suite in bookworm trixie; do
	why=$("$roots" make --set minimal $suite 2>&1) || skip_all "$why"
done
git clone -q --depth 1 "file://$SRCDIR" "$work/clone" 2>/dev/null ||
	skip_all "$SRCDIR is not a git checkout"

# What a machine runs first: a user with sudo, and the words of the scenarios.
#
#	person NAME		makes a clone in the home of root or jo
#	as COMMAND		runs it there, as that person who logs in
cat >"$work/readme/start" <<'START'
as()
{
	su - "$person" -c "cd lyra2 && set -eux && $1"
}
person()
{
	person=$1
	[ "$person" = root ] || grep -q "^$person:" /etc/passwd || {
		apt-get update -q
		apt-get install -q -y --no-install-recommends sudo
		useradd --create-home --shell /bin/bash "$person"
		echo "$person ALL=(ALL) NOPASSWD: ALL" >"/etc/sudoers.d/$person"
	}
	home=$(getent passwd "$person" | cut -d: -f6)
	cp -R /clone "$home/lyra2"
	chown -R "$person:" "$home/lyra2"
	echo "# $person in $home/lyra2"
}
START

# on SUITE NAME SCRIPT [OPTION...]: runs a script by root on a fresh machine
# that keeps its packages for the next; with options of roots
on()
{
	on_suite=$1 on_name=$2 on_script=$3
	shift 3
	"$roots" run --set minimal --bind "$work/clone:/clone" \
	    --bind "$work/readme:/readme" "$@" \
	    --rw-bind "$debs/$on_suite:/var/cache/apt/archives" "$on_suite" -- \
	    sh -euc ". /readme/start; $on_script" >"$work/$on_name.log" 2>&1 \
	    </dev/null
}

# readme HEADING PROMPT: the commands in that section of README.md
readme()
{
	sed -n "/^## $1/,/^## /"'{/\\$/N;'"s/^    [$2] //p;}" \
	    "$SRCDIR/README.md"
}
readme 'First steps' '$' >"$work/readme/first-steps"

# sums NAME: what the checks in that log counted
sums()
{
	grep -E '^[0-9]+ passed, [0-9]+ failed$' "$work/$1.log"
}

# scenario SUITE NAME SCRIPT [OPTION...]: prints TAP about a script that must
# succeed; each check in it ends in a count without failures
scenario()
{
	story_name=$2 story_begun=$(date +%s) story_status=0
	on "$@" --keep-net || story_status=$?
	! sums "$2" | grep -vq ' 0 failed$' || story_status=1
	echo "# $2: $(sums "$2" | tr '\n' ';') $(($(date +%s) - story_begun)) s"
	grep '^SKIP: ' "$work/$2.log" | sort | uniq -c | sed 's/^/# /'
	if [ "$story_status" -ne 0 ]; then
		echo "not ok - $story_name"
		grep -E '^(FAIL|ERROR): ' "$work/$2.log" | tail -n 20
		tail -n 30 "$work/$2.log" | sed 's/^/# /'
	else
		echo "ok - $story_name"
	fi
}

# The clones are configured once: the second command goes on with the build.
once()
{
	persons=$(grep -c '^# [a-z]* in ' "$work/$1.log")
	if [ "$(grep -c '^+ .*/configure' "$work/$1.log")" = "$persons" ]; then
		echo "ok - $1: each clone is configured once"
	else
		echo "not ok - $1: each clone is configured once"
	fi
}

demo='as "./bootstrap demo"; '
# The first target has all that differs between releases, and these suites of
# it what differs between users.
check='as "./bootstrap check check"; '
cat >"$work/readme/brief" <<'BRIEF'
set -- tests/demo/runs.sh tests/tool/audit.sh tests/pam/helpers.sh \
    tests/pam/log.sh tests/pam/rehash.sh tests/pam/start.sh
MAKEFLAGS="TESTS=$(echo "$*" | sed 's/ /\\ /g')"
export MAKEFLAGS
exec ./bootstrap check check
BRIEF
brief='as "sh /readme/brief"; '
[ "${CHECK:-}" != long ] || check='as "./bootstrap check"; '
clean='test -z "$(as "git status --porcelain")"; '
first='as "sh -eux /readme/first-steps"; '

# autoreconf is interrupted later each time.
interrupted='as ./bootstrap; for s in 1 2 3 5 8; do
	rm -f "$home/lyra2/configure"
	as "timeout -s KILL $s ./bootstrap >/dev/null" || :
done; '

# A chroot, and nothing else: no mounts, no namespace.
chroot='mkdir -p /plain/dev /plain/proc /plain/tmp
cp -a /bin /etc /lib* /root /sbin /usr /var /plain
cp -a /dev/null /dev/zero /dev/full /dev/urandom /dev/random /plain/dev
for command in demo check; do
	chroot /plain sh -c "cd /root/lyra2 && ./bootstrap $command"
done; '

# A mirror may lack a source package: once more, as the error then says.
cat >"$work/readme/advised" <<'ADVISED'
said=$("$@" 2>&1) && status=0 || status=$?
echo "$said"
advice=$(echo "$said" | sed -n 's/.* 404 .*; use \([^,]*\),.*/\1/p')
[ "$status" -eq 0 ] || [ -z "$advice" ] || exec "$@" $advice
exit "$status"
ADVISED

# pasted SECTION: its lines one by one, those after # by root
pasted()
{
	sed -n "/^## $1/,/^## /"'{/\\$/N;s/\\\n */ /;s/^    \([$#]\) /\1 /p;}' \
	    "$SRCDIR/README.md" | sed 's/apt-get remove/& -y/
		s|^. crypt/build-|$ sh /readme/advised crypt/build-|' |
	while read -r prompt line; do
		case $prompt in
		"#") echo "(cd \"\$home/lyra2\" && $line)" ;;
		*) echo "as '$line'" ;;
		esac
	done
}
pasted="$first$(pasted Packages | sed '$d')
lyra2 kernels; lyra2 audit; $clean
$(pasted Programs)
$(pasted Packages | tail -n 1); "

# scenarios SUITE WHO ORDER WHO ORDER: one by one, as they share packages
scenarios()
{
	if [ "${CHECK:-}" != long ]; then
		scenario "$1" "$1" "person $2; $3$first$clean person $4; $5$clean"
		once "$1"
		return
	fi
	for who in root jo; do
		scenario "$1" "$1-$who-demo-check" \
		    "person $who; $demo$first$check$clean"
		once "$1-$who-demo-check"
		scenario "$1" "$1-$who-check-demo" "person $who; $check$demo$clean"
		once "$1-$who-check-demo"
	done
	scenario "$1" "$1-pasted" "person jo; as ./bootstrap; $pasted$demo$clean"
	scenario "$1" "$1-interrupted" "person root; $interrupted$demo$chroot"
}

{
	scenarios bookworm root "$demo$check" jo "$brief$demo"
	echo "1..n"
} >"$work/bookworm.tap" 2>&1 &
{
	scenarios trixie jo "$demo$check" root "$brief$demo"
	echo "1..n"
} >"$work/trixie.tap" 2>&1 &

# ---- errors ----
says()
{
	is "$1" "$(grep -oE "$2" "$work/$3.log" | head -n 1)" "$4"
}
fails "without a network" on bookworm no-network \
    'cp -R /clone /root/lyra2; cd /root/lyra2; ./bootstrap'
says "it asks for one" 'Is there a network' no-network 'Is there a network'
fails "without sudo" on bookworm no-sudo \
    'useradd -m jo; cd /clone; runuser -u jo -- ./bootstrap'
says "it says what an administrator does" \
    'administrator run: apt-get update && apt-get install.* gcc' no-sudo \
    'administrator run: apt-get update && apt-get install --no-install-recommends autoconf automake libtool pkg-config gcc'

wait
for suite in bookworm trixie; do
	include $suite <"$work/$suite.tap"
done
tap_done
