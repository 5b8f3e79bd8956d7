#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs the commands of README.md on fresh machines that have only git.  Root
# runs them, and so does the user that Debian's installer makes: at a terminal,
# where sudo asks for a password.
#
# Each release has one machine.  On it, root and the user each have a clone, and
# run the two commands in one order or the other.  So each combination of
# release, user and order is tested.  One of the two runs all of "check"; the
# other runs the parts that differ between users, in an unusual environment:
# groups, umask and TMPDIR, or a language, one CPU and no git.  CHECK=long: both
# run all, with every line of README.md, and with interruptions.  The machines
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

# The commands that a machine runs first: they make a user with sudo, and define
# the words of the scenarios.
#
# person NAME [GROUP...]: makes a clone in the home of root or joe
# as COMMAND: runs it there, as that person at a terminal
# tidy: fails if files are left behind
cat >"$work/readme/start" <<'START'
as()
{
	rm -f /keys
	: >/said
	mkfifo /keys
	exec 3<>/keys
	printf '%s\n' "cd lyra2" "set -eux" "$1" >/command
	script -qefc "su - $person --session-command '. /command'" /said <&3 &
	asked=0
	while kill -0 $! 2>/dev/null; do
		[ "$(grep -c "password for $person" /said)" -le $asked ] || {
			asked=$((asked + 1))
			echo "gorse 5" >&3
		}
		sleep 0.2
	done
	wait $!
}
person()
{
	person=$1
	shift
	[ "$person" = root ] || {
		apt-get update -q
		apt-get install -q -y --no-install-recommends adduser sudo
		adduser --disabled-password --gecos "" "$person"
		echo "$person:gorse 5" | chpasswd
		for group in sudo "$@"; do
			adduser "$person" "$group"
		done
	}
	home=$(getent passwd "$person" | cut -d: -f6)
	cp -R /clone "$home/lyra2"
	chown -R "$person:" "$home/lyra2"
	echo "# $person in $home/lyra2"
	touch /begun
}
tidy()
{
	git -c safe.directory='*' -C "$home/lyra2" status --porcelain >/left
	find /tmp "$home/tmp" -mindepth 1 -newer /begun 2>/dev/null >>/left || :
	cat /left
	test ! -s /left
}
START

# on SUITE NAME SCRIPT [OPTION...]: runs a script as root on a fresh machine,
# with these options of roots; keeps downloaded packages for the next machine
on()
{
	on_suite=$1 on_name=$2 on_script=$3 on_status=0
	shift 3
	"$roots" run --set minimal --bind "$work/clone:/clone" \
	    --bind "$work/readme:/readme" "$@" \
	    --rw-bind "$debs/$on_suite:/var/cache/apt/archives" "$on_suite" -- \
	    sh -euc ". /readme/start; $on_script" >"$work/$on_name.log" 2>&1 \
	    </dev/null || on_status=$?
	# A terminal ends lines with a return, and bootstrap overwrites some.
	sed -i 's/\r$//; s/.*\r\x1b\[K//' "$work/$on_name.log"
	return $on_status
}

# readme HEADING PROMPT: prints the commands in that section of README.md
readme()
{
	sed -n "/^## $1/,/^## /"'{/\\$/N;'"s/^    [$2] //p;}" \
	    "$SRCDIR/README.md"
}
readme 'First steps' '$' >"$work/readme/first-steps"

# sums NAME: prints the totals of the checks in that log
sums()
{
	grep -E '^[0-9]+ passed, [0-9]+ failed$' "$work/$1.log"
}

# failures NAME: prints what failed, in one line
failures()
{
	grep -E '^(FAIL|ERROR): ' "$work/$1.log" | sort -u | head -n 20 |
	    tr '#\n' ' ;'
}

# scenario SUITE NAME SCRIPT [OPTION...]: prints TAP about a script that must
# succeed; each check in it must print totals without failures
scenario()
{
	story_name=$2 story_begun=$(date +%s) story_status=0
	on "$@" --keep-net || story_status=$?
	! sums "$2" | grep -vq ' 0 failed$' || story_status=1
	echo "# $2: $(sums "$2" | tr '\n' ';') $(($(date +%s) - story_begun)) s"
	grep '^SKIP: ' "$work/$2.log" | sort | uniq -c | sed 's/^/# /'
	if [ "$story_status" -ne 0 ]; then
		echo "not ok - $story_name: $(failures "$2")"
		tail -n 30 "$work/$2.log" | sed 's/^/# /'
	else
		echo "ok - $story_name"
	fi
}

# The clones are configured once: the second command continues the build.
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
check='as "./bootstrap check"; '
# The tests that differ between users
brief='as "$around ./bootstrap check tests/demo/runs.sh tests/tool/audit.sh \
    tests/pam/retval.sh tests/pam/users.sh"
    as "$around ./bootstrap demo"; '
[ "${CHECK:-}" != long ] || brief='as "$around ./bootstrap check"
    as "$around ./bootstrap demo"; '
first='as "sh -eux /readme/first-steps"; '
groups='around="umask 077; mkdir -p ~/tmp; export TMPDIR=~/tmp;"; '
german='apt-get install -q -y --no-install-recommends locales
    localedef -i de_DE -f UTF-8 de_DE.UTF-8
    around="export LANG=de_DE.UTF-8; taskset -pc 0 \$\$;"
    chmod -x /usr/bin/git; '

# Each time, autoreconf is interrupted later.
interrupted='as ./bootstrap; for s in 1 2 3 5 8; do
	rm -f "$home/lyra2/configure"
	as "timeout -s KILL $s ./bootstrap >/dev/null" || :
done; '

# A plain chroot, without mounts and namespaces
chroot='mkdir -p /plain/dev /plain/proc /plain/tmp
cp -a /bin /etc /lib* /root /sbin /usr /var /plain
cp -a /dev/null /dev/zero /dev/full /dev/urandom /dev/random /plain/dev
for command in demo check; do
	chroot /plain sh -c "cd /root/lyra2 && ./bootstrap $command"
done; '

# pasted SECTION: runs its lines one by one; root runs those after #
pasted()
{
	sed -n "/^## $1/,/^## /"'{/\\$/N;s/\\\n */ /;s/^    \([$#]\) /\1 /p;}' \
	    "$SRCDIR/README.md" | sed 's/apt-get remove/& -y/' |
	while read -r prompt line; do
		case $prompt in
		"#") echo "(cd \"\$home/lyra2\" && $line)" ;;
		*) echo "as '$line'" ;;
		esac
	done
}
# The trial: alice, in the group, has another hash at the next login.
# bob is not in the group.
try='
for user in alice bob; do
	useradd -m "$user"
	echo "$user:gorse 5" | chpasswd -c SHA512
done
'
tried='
lyra2 audit | tee /audited
grep -q " alice .*will become lyra2" /audited
grep -q " bob .*kept: not in rehash_group" /audited
! grep -q "[$]lyra2[$]" /etc/shadow
'
# What the installed packages do
pasted="$first$(pasted Packages | grep -v 'apt-get remove')
lyra2 kernels; lyra2 audit; tidy $try
$(pasted Switch | sed '/yescrypt/,$d') $tried
$(pasted Switch | sed -n '/yescrypt/,$p')
$(pasted Programs)
$(pasted Packages | grep 'apt-get remove'); "

# release SUITE SCRIPT: runs the scenarios of one release
release()
{
	{
		scenario "$1" "$1" "$2"
		once "$1"
		if [ "${CHECK:-}" = long ]; then
			scenario "$1" "$1-pasted" \
			    "person joe; as ./bootstrap; $pasted${demo}tidy"
			scenario "$1" "$1-interrupted" \
			    "person root; $interrupted$demo$chroot"
		fi
		echo "1..n"
	} >"$work/$1.tap" 2>&1
}
release bookworm "person root; $demo$first${check}tidy
    person joe cdrom audio video plugdev; $groups${brief}tidy" &
release trixie "person joe; $demo$first${check}tidy
    person root; $german${brief}chmod +x /usr/bin/git; tidy" &

# ---- errors ----
says()
{
	is "$1" "$(grep -oE "$2" "$work/$3.log" | head -n 1)" "$4"
}
fails "without a network" on bookworm no-network 'person root; as ./bootstrap'
says "it asks for one" 'is there a network' no-network 'is there a network'
fails "without sudo" on bookworm no-sudo 'useradd -m joe; cp -R /clone /home/joe
    chown -R joe: /home/joe; runuser -u joe -- /home/joe/clone/bootstrap'
says "it says what an administrator does" 'An admin.* run: apt-get install' \
    no-sudo 'An administrator can run: apt-get install'
is "in one line" "$(grep -c . "$work/no-sudo.log")" 1
fails "in a directory with a blank" on bookworm blank \
    'cp -R /clone "/root/a b"; "/root/a b/bootstrap"'
says "it asks for another" 'choose another path' blank 'choose another path'

wait
for suite in bookworm trixie; do
	include $suite <"$work/$suite.tap"
done
tap_done
