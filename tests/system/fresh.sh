#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Runs the commands of README.md on machines that have just been installed and
# have nothing but git.
#
# CHECK=long: by root and by a user with sudo, in both orders, on both
# releases; the packages, and common errors.  Otherwise, some of this.  The
# machines need a network, for apt.

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

# on SUITE NAME SCRIPT [OPTION...]: runs a script by root on a fresh machine
# that keeps its packages for the next; with options of roots
on()
{
	on_suite=$1 on_name=$2 on_script=$3
	shift 3
	"$roots" run --set minimal --bind "$work/clone:/clone" \
	    --bind "$work/readme:/readme" "$@" --rw-bind "$debs/$on_suite:/var/cache/apt/archives" \
	    "$on_suite" -- sh -euc "$on_script" >"$work/$on_name.log" 2>&1 </dev/null
}

# The start of a script: a clone in the home directory of root, or of jo.
by_root='cp -R /clone /root/lyra2; cd /root/lyra2; as() { sh -euxc "$1"; }; '
by_user='apt-get update -q; apt-get install -q -y sudo
useradd --create-home --shell /bin/bash jo
echo "jo ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/jo
cp -R /clone /home/jo/lyra2; chown -R jo: /home/jo/lyra2; cd /home/jo/lyra2
as() { runuser -u jo -- env HOME=/home/jo sh -euxc "$1"; }; '

# readme HEADING PROMPT: the commands in that section of README.md
readme()
{
	sed -n "/^## $1/,/^## /"'{/\\$/N;'"s/^    [$2] //p;}" \
	    "$SRCDIR/README.md"
}
readme 'First steps' '$' >"$work/readme/first-steps"

# story SUITE NAME SCRIPT [OPTION...]: prints TAP about a script that must
# succeed; it ends, if with check, in a count without failures
story()
{
	story_name=$2 story_begun=$(date +%s) story_status=0
	on "$@" --keep-net || story_status=$?
	sum=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$work/$2.log" |
	    tail -n 1)
	case $sum in
	'' | *' 0 failed') ;;
	*) story_status=1 ;;
	esac
	echo "# $2: ${sum:-no tests}, $(($(date +%s) - story_begun)) s"
	if [ "$story_status" -ne 0 ]; then
		echo "not ok - $story_name"
		grep -E '^(FAIL|ERROR): ' "$work/$2.log" | tail -n 20
		tail -n 30 "$work/$2.log" | sed 's/^/# /'
	else
		echo "ok - $story_name"
	fi
}

demo='as "./bootstrap demo"; '
check='as "./bootstrap check"; '
clean='test -z "$(git -c safe.directory=* status --porcelain)"; '
first='as "sh -eux /readme/first-steps"; '

# autoreconf is interrupted later each time.
interrupted='as ./bootstrap; for s in 1 2 3 5 8; do
	rm -f configure
	as "timeout -s KILL $s ./bootstrap >/dev/null" || :
done; '

# A chroot, and nothing else: no mounts, no namespace.
chroot='mkdir -p /plain/dev /plain/proc /plain/tmp
cp -a /bin /etc /lib* /root /sbin /usr /var /plain
cp -a /dev/null /dev/zero /dev/full /dev/urandom /dev/random /plain/dev
for command in demo check; do
	chroot /plain sh -c "cd /root/lyra2 && ./bootstrap $command"
done; '

# Run by root: installs build packages, installs, and removes in the last line.
packages="$(readme Packages '#' | sed -n 1p); $(readme Packages '$'); $clean
$(readme Packages '#' | sed '1d;$d'); lyra2 kernels; lyra2 audit
$(readme Packages '#' | sed -n '$s/remove/remove -y/p'); "

# stories SUITE: one after the other, as they share the packages
stories()
{
	if [ "${CHECK:-}" != long ] && [ "$1" = trixie ]; then
		story "$1" "$1-check" "$by_root$check"
		return
	fi
	story "$1" "$1-demo-check" "$by_root$demo$first$check$clean"
	[ "${CHECK:-}" = long ] || return 0
	story "$1" "$1-check-demo" "$by_root$check$demo"
	story "$1" "$1-user-demo-check" "$by_user$demo$first$check$clean"
	story "$1" "$1-user-check-demo" "$by_user$check$demo"
	story "$1" "$1-packages-demo" "$by_root$packages$demo$clean"
	story "$1" "$1-interrupted" "$by_root$interrupted$demo$chroot"
}

for suite in bookworm trixie; do
	{
		stories $suite
		echo "1..n"
	} >"$work/$suite.tap" 2>&1 &
done

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
	absorb $suite <"$work/$suite.tap"
done
tap_done
