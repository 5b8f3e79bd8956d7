# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Static checks; strict builds with both compilers and without ifunc; the
# tarball; and a tree that is as clean after a build as before it.
. "$SRCDIR/tests/lib/tap.sh"
. "$SRCDIR/tests/lib/builds.sh"

# needs PROGRAM: succeeds if it is here; otherwise skips its check
needs()
{
	command -v "$1" >/dev/null && return
	skip "$1" "no $1 here"
	return 1
}

# cppcheck mistakes pointers to functions of a named type for integers.
cppcheck_all()
{
	cppcheck -q --std=c11 --error-exitcode=1 --inline-suppr \
		--enable=warning,performance,portability -j"$(nproc)" \
		--suppress=missingIncludeSystem \
		--suppress=AssignmentAddressToInteger \
		-I"$SRCDIR/src" -I"$SRCDIR/src/bash" -I"$SRCDIR/src/kernels" \
		-I"$SRCDIR" -DHAVE_LIBAUDIT \
		-DPAM_LYRA2_SBINDIR='"/sbin"' -DPAM_LYRA2_CONFDIR='"/etc"' \
		-DPAM_LYRA2_VENDORDIR='"/usr/lib"' \
		"$SRCDIR/src" "$SRCDIR/pam" "$SRCDIR/crypt/openldap"
}
! needs cppcheck || ok "cppcheck finds nothing" cppcheck_all

scripts()
{
	grep -lE '^(#!/bin/(ba)?sh|#!/usr/bin/env bash|# shellcheck shell=)' \
		"$SRCDIR/bootstrap" "$SRCDIR"/.ci/* "$SRCDIR"/tests/*/* \
		"$SRCDIR"/crypt/* "$SRCDIR"/debian/* \
		"$SRCDIR"/debian/tests/* 2>/dev/null
}
if needs shellcheck; then
	for script in $(scripts); do
		ok "shellcheck ${script#"$SRCDIR"/}" \
			shellcheck -x -P "$SRCDIR" "$script"
	done
fi

# Two complaints are no faults: of manuals that only an installed system has,
# and of return values in section 8, where PAM modules have them.
page_faults()
{
	mandoc -Tlint "$1" 2>&1 |
		grep -vE -e 'manual not found|outdated mandoc.db' \
			-e 'typo in section name'
}
if needs mandoc; then
	for page in "$SRCDIR"/man/*.[1-8]; do
		is "mandoc -Tlint ${page##*/}" "$(page_faults "$page")" ""
	done
fi

# These are no spelling errors: chage(1), names in a registry, macros of mdoc.
spelling()
{
	cd "$SRCDIR" && codespell -L chage,gost,nd,fo,bu,chekc \
		--skip '*.csv,*.svg,*.patch' README.md HACKING NEWS \
		SECURITY.md PUBLISHING bootstrap debian doc lyra2.spec man src \
		pam crypt analysis tests
}
if needs codespell; then
	is "codespell finds nothing" "$(spelling)" ""
fi

if needs pyflakes3; then
	ok "pyflakes finds nothing" pyflakes3 "$SRCDIR"/analysis \
	    "$SRCDIR"/crypt "$SRCDIR"/doc "$SRCDIR"/tests
fi

for cc in gcc clang; do
	if needs $cc; then
		build $cc-werror CC=$cc --enable-werror
	fi
done
build pointer --disable-ifunc --disable-pam --enable-werror CFLAGS=-O1 \
	CPPFLAGS=-DLYRA2_CALLS
library_tests pointer
build least --disable-tool --disable-pam --disable-shared --enable-static \
	CFLAGS=-O1 CPPFLAGS=-DLYRA2_CALLS
fails "--disable-tool builds no tool" test -e "$dir/src/lyra2"

installed()
{
	make -C "$BUILDDIR/builds/pointer" install \
		DESTDIR="$BUILDDIR/builds/image" >/dev/null &&
	cd "$BUILDDIR/builds/image/usr/local" &&
	for file in bin/lyra2 include/lyra2.h lib/liblyra2.so.0 \
	    lib/pkgconfig/lyra2.pc share/man/man3/lyra2.3 \
	    share/man/man5/lyra2.5; do
		[ -e "$file" ] || { echo "no $file"; return 1; }
	done
}
ok "make install DESTDIR= installs what it should" installed

# Runs only one test: the others have run.  distcheck tells whether the tarball
# is complete and the tree may be read-only.
distcheck()
{
	flags="--disable-pam CFLAGS=-O1 CPPFLAGS=-DLYRA2_CALLS"
	make -C "$BUILDDIR/builds/pointer" distcheck \
		AM_MAKEFLAGS=TESTS=tests/unit/params \
		DISTCHECK_CONFIGURE_FLAGS="$flags" \
		>"$BUILDDIR/builds/distcheck.log" 2>&1 && return
	tail -n 40 "$BUILDDIR/builds/distcheck.log"
	return 1
}
ok "make distcheck" distcheck
# A machine can compile a profile without AppArmor in its Linux.
profile()
{
	printf 'profile a /a {\n  include "%s"\n}\n' \
	    "$SRCDIR/pam/apparmor/lyra2" | apparmor_parser -q -K "$@"
}
if needs apparmor_parser; then
	ok "AppArmor takes the rules" profile -Q
	ok "and the profiles" apparmor_parser -QK \
	    "$SRCDIR"/pam/apparmor/usr.sbin.*
	is "they are about lyra2d" \
		"$(profile -Q -d 2>&1 | grep -c 'x:x.*(/usr/sbin/lyra2d)')" 1
fi

# not_packed: prints the project's files that are missing in the tarball of a
# build without PAM.  Packages add debian/; the other names are for work in git.
not_packed()
{
	tar -tf "$BUILDDIR"/builds/pointer/lyra2-*.tar.xz | sed 's,^[^/]*/,,' \
		>"$BUILDDIR/builds/packed"
	git -C "$SRCDIR" ls-files | grep -vxF -f "$BUILDDIR/builds/packed" |
		grep -vE '^(debian|\.ci|\.github)/|^\.editorconfig$|\.gitignore$'
}
if git -C "$SRCDIR" rev-parse >/dev/null 2>&1; then
	is "the tarball has all files" "$(not_packed)" ""
	is "a build leaves nothing that git sees" \
		"$(git -C "$SRCDIR" ls-files --others --exclude-standard)" ""
else
	skip "the tarball has all files" "not a git checkout"
	skip "a build leaves nothing that git sees" "not a git checkout"
fi
tap_done
