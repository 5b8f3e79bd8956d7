#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The packages: built and checked on each release of Debian, installed, used and
# removed.  debian/tests run on a machine that systemd has booted, as Debian
# runs them for each upload.  Then scenarios run.  SUITES=trixie selects that
# release, SCENARIOS=removal that scenario.  CHECK=long: dpkg is killed as well,
# and Debian 12 is upgraded to 13.

# ok calls the functions, and the shell in the root expands $0.
# shellcheck disable=SC2016,SC2317
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"

suites=${SUITES:-bookworm trixie}
scenarios="debci init oddfiles removal stacks services switch"
[ "${CHECK:-}" != long ] || scenarios="$scenarios killed"
scenarios=${SCENARIOS:-$scenarios}
work=$BUILDDIR/builds/packages
roots=$SRCDIR/tests/lib/roots
# Made by tests/crypt/libxcrypt.sh, for the release of this machine
libcrypt=$BUILDDIR/builds/libxcrypt/build/.libs
# shellcheck source=/dev/null
host=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
# A make that runs this script exports flags that are not for these builds.
unset MAKEFLAGS MFLAGS MAKELEVEL

for suite in $suites; do
	for set in build debci e2e services; do
		why=$("$roots" make --set $set "$suite" 2>&1) || skip_all "$why"
	done
done

# in_root SET SUITE COMMAND...: runs it in a root that has the sources and
# results
in_root() {
	set=$1 suite=$2
	shift 2
	"$roots" run --set "$set" --bind "$SRCDIR:/src" \
		--rw-bind "$work:/packages" "$suite" -- "$@"
}

build() {
	mkdir "$work/$1"
	in_root build "$1" /src/tests/lib/build-debs \
		"/packages/$tarball" /src/debian "/packages/$1" -Pnocheck
}

# lintian SUITE: runs lintian.  debian/control names the policy that trixie's
# lintian knows and bookworm's does not.  That one also wants scripts for
# /etc/init.d.
lintian() {
	unheard=
	no_script=package-supports-alternative-init-but-no-init.d-script
	[ "$1" != bookworm ] ||
		unheard=--suppress-tags=newer-standards-version,$no_script
	in_root build "$1" sh -c 'useradd builder && cd "/packages/$0" &&
		runuser -u builder -- lintian -EI --pedantic $1 *.changes' \
		"$1" "$unheard" 2>&1
}

# units SUITE: prints systemd's complaints about the units
units() {
	in_root debci "$1" sh -c 'dpkg --force-depends --unpack \
		"/packages/$0"/libpam-lyra2-bin_*.deb >/dev/null 2>&1 &&
		systemd-analyze verify --man=no lyra2d.service 2>&1 ||
		echo "exit $?"' "$1"
}

# A build on another day, in another directory, gives the same packages.
reproducible() {
	mkdir "$work/again"
	in_root build "$1" env TZ=Asia/Tokyo LC_ALL=C HOME=/nowhere \
		/src/tests/lib/build-debs "/packages/$tarball" /src/debian \
		/packages/again -Pnocheck || return
	for deb in "$work/$1"/*.deb; do
		cmp "$deb" "$work/again/${deb##*/}" || return
		echo "${deb##*/}"
	done
}

no_key=
[ -e "$SRCDIR/debian/upstream/signing-key.asc" ] || no_key="X: lyra2 source:\
 debian-watch-does-not-check-openpgp-signature [debian/watch]"

# debci SUITE: runs debian/tests by autopkgtest(1), with the source and binary
# packages that were built
debci() {
	unit=tests/system/debci.service out=$work/$1/debci tap=$work/$1-debci.tap
	timeout -k 10 900 "$roots" run --boot --set debci \
		--rw-bind "$work/$1:/debs" \
		--bind "$SRCDIR/$unit:/etc/systemd/system/${unit##*/}" \
		"$1" -- "systemd.wants=${unit##*/}" >"$out.console" 2>&1 </dev/null
	{
		cat "$out"/*-stdout
		sed -E 's/^([^ ]+) +PASS.*/ok - \1/; t
			s/^([^ ]+) +SKIP (.*)/ok - \1 # SKIP \2/; t
			s/^/not ok - /' "$out/summary"
	} | grep -E '^(not ok|ok|#) ' >"$tap"
	[ "$(cut -d ' ' -f 1 "$out/summary")" != \
		"$(sed -n 's/^Tests: //p' "$SRCDIR/debian/tests/control")" ] ||
		echo 1..n >>"$tap"
}

# scenario SUITE NAME: runs tests/system/NAME.py on a fresh machine
scenario() {
	set -- "$1" "$2" "/src/tests/system/$2.py" /debs
	case $2 in
	init) options='--with openrc --with runit' ;;
	services) options='--set services' ;;
	switch) options='--with ansible-core --with python3-passlib' ;;
	stacks) options='--with libpam-pwquality' ;;
	*) options= ;;
	esac
	if [ "$2" = removal ] && [ "$1" = "$host" ] &&
	    [ -e "$BUILDDIR/tests/crypt/libxcrypt.trs" ]; then
		options="--bind $libcrypt:/libcrypt"
		set -- "$@" /libcrypt
	fi
	suite=$1 name=$2
	shift 2
	# shellcheck disable=SC2086	# words
	"$roots" run $options --bind "$SRCDIR:/src" \
		--bind "$work/$suite:/debs" "$suite" -- \
		env PYTHONPATH=/src/tests/lib python3 -B "$@" \
		>"$work/$suite-$name.tap" 2>&1
}

# upgrading [COMMAND...]: runs it on Debian 12, where apt finds Debian 13 once
# its packages are fetched
upgrading() {
	sources=$("$roots" make --set booted trixie) || return
	# shellcheck disable=SC2086	# words
	"$roots" run --set booted $net --bind "$SRCDIR:/src" \
		--bind "$sources/etc/apt/sources.list.d:/etc/apt/sources.list.d" \
		--rw-bind "$work/upgrade/lists:/var/lib/apt/lists" \
		--rw-bind "$work/upgrade/archives:/var/cache/apt/archives" \
		--rw-bind "$work:/packages" bookworm -- \
		env PYTHONPATH=/src/tests/lib "$@"
}

# dist_upgrade: upgrades a stock system, and then one with these packages
dist_upgrade() {
	mkdir -p "$work/upgrade/lists" "$work/upgrade/archives"
	net=--keep-net
	upgrading sh -c 'apt-get -q update &&
		apt-get -qy --download-only dist-upgrade' \
		>"$work/upgrade/fetch.log" 2>&1 || return
	net=
	set -- python3 -B /src/tests/system/upgrade.py /packages/upgrade
	upgrading "$@" >"$work/upgrade-stock.tap" 2>&1
	upgrading "$@" /packages/bookworm /packages/trixie \
		>"$work/upgrade-ours.tap" 2>&1
}

rm -rf "$work"
mkdir -p "$work"
ok "make dist" make -C "$BUILDDIR" dist
tarball=$(cd "$BUILDDIR" && echo lyra2-*.tar.xz)
mv "$BUILDDIR/$tarball" "$work"
for suite in $suites; do
	ok "$suite: packages" build "$suite"
done
# Most of their time, the scenarios wait for wrong passwords to be refused.
for suite in $suites; do
	for name in $scenarios; do
		case $name in
		debci) debci "$suite" & ;;
		*) scenario "$suite" "$name" & ;;
		esac
	done
done
for suite in $suites; do
	ok "$suite: hardened" in_root build "$suite" \
		blhc --all --debian "/packages/$suite/build.log"
	is "$suite: systemd knows all of the unit" "$(units "$suite")" ""
	is "$suite: lintian has nothing to say, but for a key: PUBLISHING" \
		"$(lintian "$suite")" "$no_key"
done
is "${suite}: built again, all packages are the same" \
	"$(reproducible "$suite" 2>&1 | wc -l)" \
	"$(find "$work/$suite" -maxdepth 1 -name '*.deb' | wc -l)"
wait
if [ "${CHECK:-}" = long ] && [ "$suites" = "bookworm trixie" ]; then
	ok "with the packages of Debian 13, 12 becomes it" dist_upgrade
fi
for tap in "$work"/*.tap; do
	name=${tap##*/}
	include "${name%.tap}" <"$tap"
done
tap_done
