# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The library's tests under the sanitizers of both compilers, without
# optimization, and a sample of them under valgrind.
. "$SRCDIR/tests/lib/tap.sh"
. "$SRCDIR/tests/lib/builds.sh"

UNIT_SECONDS=300	# for each test of a unit program
export UNIT_SECONDS
options='--disable-pam --disable-shared --enable-static
	CPPFLAGS=-DLYRA2_CALLS'

for cc in gcc clang; do
	if ! command -v $cc >/dev/null; then
		skip "$cc: AddressSanitizer and UBSan" "no $cc here"
		continue
	fi
	# shellcheck disable=SC2086	# options
	build $cc-address CC=$cc $options \
		CFLAGS="-O1 -g -fsanitize=address,undefined \
-fno-sanitize-recover=all"
	library_tests $cc-address
done

# As for debuggers, and for Debian's noopt: the stack stays small, and is wiped.
build unoptimized --disable-pam CFLAGS="-O0 -g"
library_tests unoptimized SLOW=yes

# The module and its service, in whole logins.  Other suites trace the programs,
# or load files built without AddressSanitizer, which cannot cope with either.
module_tests()
{
	make -k -C "$dir" check TESTS='tests/unit/pam-entry tests/unit/pam-options
		tests/pam/rehash.sh tests/unit/pam-wire' >"$dir/check.log" 2>&1
	grep -E '^(FAIL|ERROR):|^make.*\*\*\*' "$dir/check.log" | head -n 20
}
if [ -f "$BUILDDIR/pam/pam_lyra2.la" ]; then
	build gcc-address-pam CC=gcc CPPFLAGS=-DLYRA2_CALLS \
		CFLAGS="-O1 -g -fsanitize=address,undefined \
-fno-sanitize-recover=all"
	is "gcc-address-pam: the module's tests pass" "$(module_tests)" ""
else
	skip "gcc: the PAM module" "configured with --disable-pam"
fi

vectors()
{
	"$dir/src/lyra2" selftest --kernel all --vectors \
		"$SRCDIR/doc/spec/raw.csv" 2>&1 | tail -n 200
}
if command -v clang >/dev/null; then
	# shellcheck disable=SC2086	# options
	build clang-memory CC=clang $options \
		CFLAGS="-O1 -g -fsanitize=memory"
	is "clang-memory: no known answer is wrong" \
		"$(vectors | grep -v ': not supported$' |
		sed 's/.* passed/all passed/; s/, [0-9]* skipped//')" \
		"all passed, 0 failed"
	echo "# Check is not built for MemorySanitizer: its programs don't run"
else
	skip "clang: MemorySanitizer" "no clang here"
fi

memcheck()
{
	TEST_INSTRUMENTED=1 "$BUILDDIR/libtool" --mode=execute valgrind -q \
		--error-exitcode=9 --trace-children=no "$@"
}
if ! command -v valgrind >/dev/null; then
	skip "valgrind" "no valgrind here"
	tap_done
fi
ok "valgrind: test vectors" memcheck "$BUILDDIR/src/lyra2" selftest \
	--kernel all
ok "valgrind: parameters" memcheck "$BUILDDIR/tests/unit/params"
if [ ! -x "$BUILDDIR/tests/unit/secrets" ]; then
	skip "no branch depends on a secret" "no valgrind/memcheck.h here"
	tap_done
fi
for what in encode decode compare verify setup; do
	ok "no branch or address of $what depends on a secret" \
		memcheck "$BUILDDIR/tests/unit/secrets" $what
done
fails "valgrind would see one that did" \
	memcheck "$BUILDDIR/tests/unit/secrets" leak
tap_done
