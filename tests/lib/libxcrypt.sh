# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh disable=SC2154	# those who source it set top
# Sourced after tap.sh by the suites that build libxcrypt in several ways, each
# in a folder of $top, which is made afresh.  $top/source/libxcrypt is the
# source of this distribution with the method.
#
#	get_source		gets that source, or skips the whole suite
#	bootstrapped TREE	runs autoreconf
#	passes TREE NAME [VARIABLE=VALUE | OPTION]...
#				configures in $top/NAME, and runs libxcrypt's
#				own tests

build=$SRCDIR/crypt/build-libxcrypt
# A suite may set another target that runs the tests.
target=check

bootstrapped()
{
	(cd "$1" && autoreconf -fi) >"$1/../autoreconf.log" 2>&1
}

# What tests/crypt/libxcrypt.sh has fetched need not be fetched again.
get_source()
{
	rm -rf "$top"
	mkdir -p "$top/source"
	cp "$BUILDDIR"/builds/libxcrypt/libxcrypt_* "$top/source" 2>/dev/null
	why=$("$build" --prepare "$top/source" 2>&1) || skip_all "$why"
	bootstrapped "$top/source/libxcrypt"
}

# without_ours COMMAND...: the suite's own make is not to see what this one was
# called with.
without_ours()
{
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL "$@"
}

# make_target DIR TARGET: in that build directory
make_target()
{
	without_ours make -C "$1" -j"$(nproc)" -k "$2" >"$1/$2.log" 2>&1 || {
		grep -E '^(FAIL|ERROR)|error:|\*\*\*' "$1/$2.log"
		return 1
	}
}

# run_tests DIR: in that build directory.  Every test may be skipped but those
# of the method.
run_tests()
{
	for step in all test-programs "$target"; do
		make_target "$1" "$step" || return
	done
	for test in ka-lyra2 alg-lyra2 crypt-lyra2 symbols-static; do
		grep -q 'result: PASS' "$1/test/$test.trs" || {
			echo "$test has not passed"
			return 1
		}
	done
}

passes()
{
	tree=$1 where=$top/$2
	shift 2
	mkdir "$where"
	(cd "$where" && "$tree/configure" "$@") >"$where/configure.log" \
	    2>&1 || {
		tail -n 3 "$where/configure.log"
		return 1
	}
	run_tests "$where"
}
