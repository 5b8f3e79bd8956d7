# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# libxcrypt with --with-lyra2=shared: the method is in liblyra2.so.0, which
# libcrypt loads at the first $lyra2$ call and not before.
. "$SRCDIR/tests/lib/tap.sh"

bundled=$BUILDDIR/builds/libxcrypt
[ -e "$bundled/build/.libs/libcrypt.so.1" ] ||
	skip_all "tests/crypt/libxcrypt.sh has not built libxcrypt"
dir=$BUILDDIR/builds/libxcrypt-shared
lib=$dir/.libs/libcrypt.so.1
lyra2=$BUILDDIR/src/.libs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A make that runs this has other aims.
unset MAKEFLAGS MFLAGS MAKELEVEL

build()
{
	rm -rf "$dir" && mkdir "$dir" && cd "$dir" &&
	"$bundled/libxcrypt/configure" CFLAGS=-O1 --with-lyra2=shared \
	    --disable-xcrypt-compat-files --enable-obsolete-api=glibc \
	    --enable-hashes=lyra2,descrypt &&
	make -j"$(nproc)"
}

exports()
{
	nm -D --defined-only "$1" | awk '{ print $NF }' | sort
}

# calls FOLDER: what shared.py says where FOLDER is searched for libraries
calls()
{
	env LYRA2_KERNEL=none LD_LIBRARY_PATH="$1" python3 \
	    "$SRCDIR/tests/crypt/shared.py" "$lib" \
	    '$lyra2$v=30$t=1$r=16$c=16$MJHnaAkegEVYHsFKkmfzJ1' 2>&1
}

refused=$(cd "$work" && "$bundled/libxcrypt/configure" --with-lyra2=static 2>&1)
is "another word than bundled or shared is refused" \
    "$(echo "$refused" | grep -o 'bad value static for --with-lyra2')" \
    "bad value static for --with-lyra2"
ok "it builds with -Werror" build
ok "it passes the suite" env LD_LIBRARY_PATH="$lyra2" \
    make -C "$dir" -j"$(nproc)" -k check
for test in ka-lyra2 crypt-lyra2 badsalt symbols-static symbols-renames; do
	is "$test is among what passes" \
	    "$(sed -n 's/^:test-result: //p' "$dir/test/$test.trs")" PASS
done
is "it has no kernel" "$(nm "$lib" | grep -c lyra2_core)" 0
is "it exports what the bundled form exports" "$(exports "$lib")" \
    "$(exports "$bundled/build/.libs/libcrypt.so.1")"

# LYRA2_KERNEL would make liblyra2 fail, if it were obeyed.
hash='$lyra2$v=30$t=1$r=16$c=16$MJHnaAkegEVYHsFKkmfzJ1$'
hash=${hash}xdvxMV4HG0Z6Cnc6Qwoo/VfRVUGqOMyWe8moNCKjY3Q
setting='$lyra2$v=30$t=2$r=16$c=256$A1.kA1.kA1.kA1.kA1.kA.'
is "the library is loaded at the first call, without the environment" \
    "$(calls "$lyra2")" "another: abNANd1rDfiNc 0 not loaded
crypt: $hash 0 loaded
crypt_rn: $hash 0 loaded
crypt_gensalt: $setting 0 loaded
another: abNANd1rDfiNc 0 loaded"

without_library()
{
	absent="another: abNANd1rDfiNc 0 not loaded
crypt: *0 ELIBACC not loaded
crypt_rn: NULL ELIBACC not loaded
crypt_gensalt: NULL ELIBACC not loaded
another: abNANd1rDfiNc 0 not loaded"
	is "without the library only lyra2 fails" "$(calls "$work/none")" \
	    "$absent"
	python3 "$SRCDIR/tests/crypt/agree.py" "$lib" "$BUILDDIR/src/lyra2" \
	    20 >"$work/sets"
	is "without it nothing is hashed wrongly" \
	    "$(awk '$(NF - 1) != "*0"' "$work/sets")" ""
	# As an older liblyra2 might
	echo 'int lyra2_crypt(void); int lyra2_crypt(void) { return 0; }' |
	    cc -shared -fPIC -o "$work/liblyra2.so.0" -xc -
	is "a library that lacks a function counts as none" \
	    "$(calls "$work" | sed '1!s/ loaded/ not loaded/')" "$absent"
}

if ldconfig -p | grep -q 'liblyra2\.so\.0 '; then
	skip "without the library" "this system has it installed"
else
	without_library
fi
LD_LIBRARY_PATH=$lyra2 python3 "$SRCDIR/tests/crypt/agree.py" "$lib" \
    "$BUILDDIR/src/lyra2" 50 >"$work/sets"
is "the tool agrees with it" "$(wc -l <"$work/sets")\
$(awk '$(NF - 1) != $NF' "$work/sets")" 50
tap_done
