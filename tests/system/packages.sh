#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The packages: built and checked on each release of Debian, installed on a
# machine with users and beside slapd, built for other architectures and RPM.

# ok calls the functions, and the shell in the root expands $0.
# shellcheck disable=SC2016,SC2317
# shellcheck source=tests/lib/tap.sh
. "$SRCDIR/tests/lib/tap.sh"

suites="bookworm trixie"
work=$BUILDDIR/builds/packages
machine=e2e
with=
roots=$SRCDIR/tests/lib/roots
# What make says to its children is not meant for the builds in here.
unset MAKEFLAGS MFLAGS MAKELEVEL

for suite in $suites; do
	for set in e2e directory; do
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

# build SET SUITE OUT [OPTION...]: the packages, into OUT.
build() {
	set=$1 suite=$2 out=$3
	shift 3
	mkdir -p "$work/$out"
	in_root "$set" "$suite" env TZ="$zone" /src/tests/lib/build-debs \
		"/packages/$tarball" /src/debian "/packages/$out" "$@"
}

# lintian SUITE: debian/control names the policy that trixie's lintian asks
# for, which bookworm's does not know.
lintian() {
	unheard=
	[ "$1" != bookworm ] || unheard='--suppress-tags newer-standards-version'
	in_root build "$1" sh -c 'useradd builder && cd "/packages/$0" &&
		runuser -u builder -- lintian -EviI --pedantic $1 *.changes' \
		"$1" "$unheard" 2>&1
}

same_debs() {
	(cd "$work/$1" && sha256sum -- *.deb) >"$work/$1.sums"
	(cd "$work/$2" && sha256sum --check "$work/$1.sums")
}

# in_machine SUITE COMMAND...: in a fresh system with users' programs, the
# packages at /debs, the sources at /src and in the current directory, and what
# check-crypt-all made of libcrypt1, if anything.
in_machine() {
	suite=$1
	shift
	"$roots" run --set "$machine" ${with:+--with "$with"} \
		--bind "$SRCDIR:/src" --bind "$work/$suite:/debs" \
		--bind "${libcrypt:-/dev/null}:/libcrypt1.deb" \
		"$suite" -- env PYTHONPATH=/src/tests/lib \
		sh -c 'cd /src && exec "$@"' - "$@"
}

# in_stacks SUITE: the packages beside other modules of PAM.
in_stacks() {
	with="libpam-pwquality vsftpd"
	[ "$1" = trixie ] || with="libpam-pwquality proftpd-core"
	in_machine "$1" tests/system/stacks.py /debs
}

# in_directory SUITE: the packages beside Debian's slapd.
in_directory() {
	machine=directory
	in_machine "$1" tests/system/package-slapd.py /debs
}

# with_packages 'NAME...' COMMAND...: runs a command where they are installed.
with_packages='packages=$1 && shift && for package in $packages; do
	dpkg --install /debs/"$package"_*.deb || exit
done && exec "$@"'

# autopkgtest SUITE NAME 'PACKAGE...': as autopkgtest(1) would run it.
autopkgtest() {
	in_machine "$1" env LIBCRYPT1=/libcrypt1.deb \
		sh -c "$with_packages" - "$3" "debian/tests/$2"
}

# autopkgtest_directory SUITE: that needs slapd and its clients.
autopkgtest_directory() {
	machine=directory
	autopkgtest "$1" directory "liblyra2-0 lyra2 slapd-lyra2"
}

# begin NAME COMMAND...: an autopkgtest or a script of a scenario.  Most of
# the time it waits for wrong passwords to be refused, so others may go on.
begin() {
	name=$1
	shift
	"$@" >"$work/$name.tap" 2>&1 &
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
runtime="liblyra2-0 libpam-lyra2-bin libpam-lyra2 lyra2"

# The suite of the sources runs in one of the builds; what was built meets the
# known answers and real logins in both.
for suite in $suites; do
	zone=UTC
	nocheck=
	[ "$suite" = bookworm ] || nocheck=-Pnocheck
	ok "$suite: packages" build build "$suite" "$suite" $nocheck
	ok "$suite: hardened" in_root build "$suite" \
		blhc --all --debian "/packages/$suite/build.log"
	is "$suite: lintian has nothing to say" "$(lintian "$suite")" ""
	ok "$suite: autopkgtest library" autopkgtest "$suite" library \
		"liblyra2-0 liblyra2-dev"
	ok "$suite: autopkgtest tool" autopkgtest "$suite" tool \
		"liblyra2-0 lyra2"
done
# One of the two as autopkgtest, which packs installed packages again.
begin "bookworm, logins" in_machine bookworm tests/system/packages.py /debs
begin "bookworm, removal" in_machine bookworm tests/system/package-removal.py /debs
for suite in $suites; do
	begin "$suite, stacks" in_stacks "$suite"
	begin "$suite, slapd" in_directory "$suite"
done
begin "trixie, autopkgtest logins" autopkgtest trixie logins "$runtime"
begin "trixie, autopkgtest directory" autopkgtest_directory trixie
for suite in $suites; do
	libcrypt=$(find "$BUILDDIR/builds" \
		-path "*/libcrypt1-$suite/libcrypt1_*+lyra2*.deb")
	if [ -n "$libcrypt" ]; then
		begin "$suite, autopkgtest libcrypt" \
			autopkgtest "$suite" libcrypt "$runtime"
	else
		skip "$suite: beside a libcrypt1 with the method" \
			"make check-crypt-all makes that package"
	fi
done

zone=Asia/Tokyo
ok "built again elsewhere" build build trixie again -Pnocheck --build=any
ok "reproducible" same_debs trixie again

for arch in arm64 s390x; do
	ok "$arch: cross-built" build cross bookworm "$arch" \
		-a"$arch" -Pcross,nocheck --build=any
	ok "$arch: the packaged library passes its known answers" \
		in_root cross bookworm /src/tests/system/other-arch "$arch" \
		"/packages/$arch" /src/doc/spec/raw.csv
done

ok "RPM packages" build_rpms
is "they are four" "$(grep -c '^\(pam_\)*lyra2[a-z-]* /' "$work/rpm.log")" 4
ok "lyra2_chkpwd is set-user-id there" \
	grep -q 'lyra2_chkpwd -rwsr-xr-x' "$work/rpm.log"
ok "pam_lyra2 stays while a stack names it" \
	grep -q '^erased at the second try' "$work/rpm.log"

wait
for tap in "$work"/*.tap; do
	name=${tap##*/}
	include "${name%.tap}" <"$tap"
done
tap_done
