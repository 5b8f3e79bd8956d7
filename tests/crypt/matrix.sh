# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The method in other configurations of libxcrypt, with other compilers and
# in other versions; each has to pass libxcrypt's own suite.
. "$SRCDIR/tests/lib/tap.sh"

build=$SRCDIR/crypt/build-libxcrypt
top=$BUILDDIR/builds/libxcrypt-matrix
rm -rf "$top"
mkdir -p "$top"
# What tests/crypt/libxcrypt.sh has fetched need not be fetched again.
source=$top/source
mkdir "$source"
cp "$BUILDDIR"/builds/libxcrypt/libxcrypt_* "$source" 2>/dev/null
if ! why=$("$build" --prepare "$source" 2>&1); then
	skip_all "$why"
fi
(cd "$source/libxcrypt" && autoreconf -fi) >"$top/autoreconf.log" 2>&1

# suite DIR: runs the tests in the build directory DIR
# The suite's own make is not to see what this one was called with.
suite()
{
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL \
	    make -C "$1" -j"$(nproc)" -k check >"$1/check.log" 2>&1 || {
		grep -E '^(FAIL|ERROR)|error:' "$1/check.log"
		return 1
	}
	# Every test may be skipped but those of the method.
	for test in ka-lyra2 alg-lyra2 crypt-lyra2 symbols-static; do
		grep -q 'result: PASS' "$1/test/$test.trs" || return 1
	done
}

# passes TREE NAME VARIABLE=... ARGUMENT...: configures NAME out of TREE
passes()
{
	tree=$1 where=$top/$2
	shift 2
	mkdir "$where"
	(cd "$where" && "$tree/configure" "$@") >"$where/configure.log" 2>&1 &&
	    suite "$where"
}

# -O1 compiles the kernels in half the time; tests/crypt/programs.sh has -O2.
ok "clang, -Werror, all hashes without the obsolete interface" \
    passes "$source/libxcrypt" clang CC=clang CFLAGS=-O1 \
    --enable-hashes=all --disable-obsolete-api
ok "gcc, -Werror, lyra2 as the only hash" \
    passes "$source/libxcrypt" alone CC=gcc CFLAGS=-O1 --enable-hashes=lyra2
# libxcrypt's own fallback for random bytes has a warning under sanitizers.
ok "gcc, address and undefined behaviour sanitizers" \
    passes "$source/libxcrypt" sanitized CC=gcc --disable-werror \
    CFLAGS='-O1 -fsanitize=address,undefined -fno-sanitize-recover=all' \
    --enable-hashes=lyra2

# prepare DIR OPTION...: the patched source, with the packaging of another
# version where the mirror does not hold its own
prepare()
{
	where=$1
	shift
	for packaging in '' --packaging=4.4.33; do
		rm -rf "$where"
		# shellcheck disable=SC2086	# nothing, or two words
		why=$("$build" --prepare "$@" ${packaging:+${packaging%%=*} \
		    ${packaging#*=}} "$where" 2>&1) && return
	done
	return 1
}

version()
{
	sed 's/^[0-9]*://;s/-[^-]*$//' "$1/version"
}

# tests/crypt/programs.sh has Debian 12's and 13's.
for want in 'forky 4.5.2+20251210' 'forky 4.5.1'; do
	dir=$top/${want#* }
	if ! prepare "$dir" --suite "${want% *}" --version "${want#* }"; then
		skip "libxcrypt ${want#* }" "$why"
		continue
	fi
	is "the series applies to $want without fuzz" "$(version "$dir")" \
	    "${want#* }"
	(cd "$dir/libxcrypt" && autoreconf -fi) >"$dir/autoreconf.log" 2>&1
	ok "$want, lyra2 as the only hash" passes "$dir/libxcrypt" \
	    "${want#* }-build" CC=gcc CFLAGS=-O1 --enable-hashes=lyra2
done
tap_done
