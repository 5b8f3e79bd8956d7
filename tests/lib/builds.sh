# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Sourced after tap.sh by the suites that build the tree another way.
#
#	build NAME ARGUMENT...	sets $dir, configures with these arguments and
#				makes there; prints a line of TAP
#	library_tests NAME [VARIABLE=VALUE...]
#				runs the library's tests in $dir, prints a line
#				of TAP; a skipped test is a failure

# LDFLAGS for make but not for configure; a suite may set this.
link=

# A make that runs this script exports variables of its own tree.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES CFLAGS LYRA2_KERNEL

configure_and_make()
{
	mkdir -p "$dir" && cd "$dir" || return
	if [ ! -f config.status ]; then
		"$SRCDIR/configure" -q "$@" \
			>configure.log 2>&1 || { cat configure.log; return 1; }
	fi
	make -j"$(nproc)" ${link:+"LDFLAGS=$link"} >make.log 2>&1 || {
		cat make.log
		return 1
	}
}

build()
{
	dir=$BUILDDIR/builds/$1
	build_name=$1
	shift
	ok "$build_name: builds" configure_and_make "$@"
}

# The only test that these builds may skip.  It searches memory, in which an
# emulator or a sanitizer keeps copies.
may_skip='tests/unit/wipe - the instrumentation'

library_tests()
{
	build_name=$1
	shift
	is "$build_name: the library's tests pass" \
		"$(make -k -j"$(nproc)" -C "$dir" ${link:+"LDFLAGS=$link"} \
		check-library "$@" 2>&1 | tee "$dir/check.log" |
		grep -E '^(FAIL|ERROR):|^make.*\*\*\*|^SKIP: [^ ]* - ' |
		grep -vE "$may_skip" | tail -n 20)" ""
	echo "# $(grep -c '^PASS:' "$dir/check.log") passed in $dir"
}
