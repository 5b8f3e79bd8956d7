# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The method in other configurations of libxcrypt, with other compilers and
# in other versions; each has to pass libxcrypt's own suite.
. "$SRCDIR/tests/lib/tap.sh"

top=$BUILDDIR/builds/libxcrypt-matrix
# shellcheck source=tests/lib/libxcrypt.sh
. "$SRCDIR/tests/lib/libxcrypt.sh"
get_source
tree=$top/source/libxcrypt

# -O1 compiles the kernels in half the time; tests/crypt/programs.sh has -O2.
ok "clang, -Werror, all hashes without the obsolete interface" \
    passes "$tree" clang CC=clang CFLAGS=-O1 \
    --enable-hashes=all --disable-obsolete-api
ok "gcc, -Werror, lyra2 as the only hash" \
    passes "$tree" alone CC=gcc CFLAGS=-O1 --enable-hashes=lyra2
# libxcrypt's own fallback for random bytes has a warning under sanitizers.
ok "gcc, address and undefined behaviour sanitizers" \
    passes "$tree" sanitized CC=gcc --disable-werror \
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
	bootstrapped "$dir/libxcrypt"
	ok "$want, lyra2 as the only hash" passes "$dir/libxcrypt" \
	    "${want#* }-build" CC=gcc CFLAGS=-O1 --enable-hashes=lyra2
done
tap_done
