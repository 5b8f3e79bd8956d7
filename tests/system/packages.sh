#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The packages: built and judged on each release of Debian, installed, used and
# removed: debian/tests on a machine that systemd has booted, as Debian runs them
# for each upload, and scenarios; and those for RPM.  SUITES=trixie runs it on
# that release alone, SCENARIOS=removal that one.

# ok calls the functions, and the shell in the root expands $0.
# shellcheck disable=SC2016,SC2317
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"

suites=${SUITES:-bookworm trixie}
scenarios=${SCENARIOS:-debci removal stacks services}
work=$BUILDDIR/builds/packages
roots=$SRCDIR/tests/lib/roots
# Of tests/crypt/libxcrypt.sh, for the release that this machine has.
libcrypt=$BUILDDIR/builds/libxcrypt/build/.libs
# shellcheck source=/dev/null
host=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
# What make says to its children is not meant for the builds in here.
unset MAKEFLAGS MFLAGS MAKELEVEL

for suite in $suites; do
	for set in build debci e2e services; do
		why=$("$roots" make --set $set "$suite" 2>&1) || skip_all "$why"
	done
done

# in_root SET SUITE COMMAND...: with the sources and the results at hand.
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

# lintian SUITE: debian/control names the policy that trixie's lintian asks
# for, which bookworm's does not know; it wants scripts for /etc/init.d, too.
lintian() {
	unheard=
	no_script=package-supports-alternative-init-but-no-init.d-script
	[ "$1" != bookworm ] ||
		unheard=--suppress-tags=newer-standards-version,$no_script
	in_root build "$1" sh -c 'useradd builder && cd "/packages/$0" &&
		runuser -u builder -- lintian -EI --pedantic $1 *.changes' \
		"$1" "$unheard" 2>&1
}

no_key=
[ -e "$SRCDIR/debian/upstream/signing-key.asc" ] || no_key="X: lyra2 source:\
 debian-watch-does-not-check-openpgp-signature [debian/watch]"

# debci SUITE: debian/tests, by autopkgtest(1), with the source and binary
# packages that were built.
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

# scenario SUITE NAME: runs tests/system/NAME.py on a fresh machine.
scenario() {
	set -- "$1" "$2" "/src/tests/system/$2.py" /debs
	case $2 in
	services) options='--set services' ;;
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

# try_rpm is a script: the module's package cannot be erased from under a stack.
try_rpm='cd rpmbuild/RPMS/*/ && stack=/etc/pam.d/vpn &&
rpm -i --force-debian --nodeps pam_lyra2-[0-9]*.rpm &&
echo "auth required pam_lyra2.so" >$stack &&
! rpm -e --force-debian pam_lyra2 && rm $stack &&
rpm -e --force-debian pam_lyra2 && echo "erased at the second try"'

build_rpms() {
	in_root build bookworm sh -c 'useradd --create-home builder &&
		cp "/packages/$0" /home/builder && cd /home/builder &&
		runuser -u builder -- rpmbuild -ta --nodeps --nocheck "$0" &&
		rpm -qp --qf "%{name} [%{filenames} %{filemodes:perms}, ]\n" \
			rpmbuild/RPMS/*/*.rpm && eval "$1"' \
		"$tarball" "$try_rpm" >"$work/rpm.log" 2>&1 ||
		{ tail -n 40 "$work/rpm.log" && false; }
}

rm -rf "$work"
mkdir -p "$work"
ok "make dist" make -C "$BUILDDIR" dist
tarball=$(cd "$BUILDDIR" && echo lyra2-*.tar.xz)
mv "$BUILDDIR/$tarball" "$work"
for suite in $suites; do
	ok "$suite: packages" build "$suite"
done
# Most of the time they wait for wrong passwords to be refused.
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
	is "$suite: lintian has nothing to say, but for a key: PUBLISHING" \
		"$(lintian "$suite")" "$no_key"
done
if [ -z "${SUITES-}" ]; then
	ok "RPM packages" build_rpms
	is "they are four" \
		"$(grep -c '^\(pam_\)*lyra2[a-z-]* /' "$work/rpm.log")" 4
	ok "pam_lyra2 stays while a stack names it" \
		grep -q '^erased at the second try' "$work/rpm.log"
fi
wait
for tap in "$work"/*.tap; do
	name=${tap##*/}
	include "${name%.tap}" <"$tap"
done
tap_done
