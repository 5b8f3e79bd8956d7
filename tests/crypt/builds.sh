# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The method in libxcrypt as distributions and its maintainers build it: with
# link-time optimization, marks for CET, without semantic interposition, for
# i386, under valgrind, and from the archive that "make dist" makes.
. "$SRCDIR/tests/lib/tap.sh"

top=$BUILDDIR/builds/libxcrypt-builds
# shellcheck source=tests/lib/libxcrypt.sh
. "$SRCDIR/tests/lib/libxcrypt.sh"
get_source
tree=$top/source/libxcrypt

# objects NAME: those of the method in the shared library
objects()
{
	find "$top/$1/lib/.libs" -name '*lyra2*.o' | sort
}

# unmarked NAME: objects without marks for both halves of CET
unmarked()
{
	for object in $(objects "$1"); do
		readelf -n "$object" | grep -q 'IBT, SHSTK' || echo "$object"
	done
}

ok "link-time optimization, all hashes" passes "$tree" lto CC=gcc AR=gcc-ar \
    NM=gcc-nm RANLIB=gcc-ranlib CFLAGS='-O2 -flto=auto' --enable-hashes=all
ok "CET" passes "$tree" cet CC=gcc CFLAGS='-O2 -fcf-protection=full' \
    --enable-hashes=lyra2
ok "CET: there are objects to look at" test -n "$(objects cet)"
is "CET: each object has the marks" "$(unmarked cet)" ""
ok "no semantic interposition" passes "$tree" interposition CC=gcc \
    CFLAGS='-O2 -fno-semantic-interposition' --enable-hashes=lyra2

# Without distcheck-hook: it wants perlcritic with exactly its authors' policies,
# and the method has no Perl.
# distcheck configures again, and takes from DISTCHECK_CONFIGURE_FLAGS how.
distcheck()
{
	cp -R "$tree" "$top/archive" && cd "$top/archive" &&
	sed -i '/^distcheck-hook:/,/^$/{/^\t/d}' Makefile.am Makefile.in &&
	./configure CC=gcc CFLAGS=-O1 >configure.log 2>&1 &&
	without_ours make -j"$(nproc)" distcheck \
	    DISTCHECK_CONFIGURE_FLAGS='CC=gcc CFLAGS=-O1' >distcheck.log 2>&1
}

from_archive()
{
	if ! (distcheck); then
		tail -n 20 "$top/archive/distcheck.log"
		return 1
	fi
	for test in ka-lyra2 alg-lyra2 crypt-lyra2; do
		grep -q "^PASS: test/$test\$" "$top/archive/distcheck.log" ||
			return 1
	done
}
ok "make distcheck" from_archive

# i386 is run by this machine itself, with the libc of a cross-compiler.
i386=i686-linux-gnu
libc=$(dirname "$($i386-gcc -print-file-name=libc.so.6 2>/dev/null)")
interpreter="-Wl,--dynamic-linker=$libc/ld-linux.so.2 -Wl,-rpath,$libc"
runs_i386()
{
	# shellcheck disable=SC2086	# words
	echo 'int main(void) { return 0; }' |
	    $i386-gcc $interpreter -xc -o "$top/try" - 2>/dev/null &&
	    "$top/try" 2>/dev/null
}
if runs_i386; then
	ok "i386, all hashes" passes "$tree" i386 --build=$i386 --host=$i386 \
	    CC=$i386-gcc CFLAGS=-O2 LDFLAGS="$interpreter" --enable-hashes=all
else
	skip "i386, all hashes" "no $i386-gcc here, or its programs do not run"
fi

if command -v valgrind >/dev/null; then
	target=check-valgrind-memcheck
	ok "valgrind has nothing to say" passes "$tree" valgrind CC=gcc \
	    CFLAGS='-O1 -g' --enable-valgrind-memcheck --enable-hashes=lyra2
else
	skip "valgrind has nothing to say" "no valgrind here"
fi
tap_done
