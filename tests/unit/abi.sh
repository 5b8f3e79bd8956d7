# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# A program compiled with today's lyra2.h runs with tomorrow's library, whose
# struct lyra2_params has one field more, and tomorrow's program with today's
# library is told what it cannot have.
. "$SRCDIR/tests/lib/tap.sh"

library=$BUILDDIR/src/.libs/liblyra2.so
[ -f "$library" ] || skip_all "configured with --disable-shared"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc="${CC:-cc} -std=c11 -D_GNU_SOURCE"

# ---- tomorrow ----
mkdir "$work/src"
cp "$SRCDIR"/src/*.[ch] "$SRCDIR"/src/*.def "$BUILDDIR/config.h" "$work/src"
sed -i 's/^\(	uint32_t\) reserved\[6\];/\1 tomorrow;\n\1 reserved[5];/' \
    "$work/src/lyra2.h"
sed -i 's/LYRA2_NO_OUTER, { 0 } }/LYRA2_NO_OUTER, 0, { 0 } }/' \
    "$work/src/params.c"
is "tomorrow's header has one field more" \
    "$(grep -c '	uint32_t tomorrow;' "$work/src/lyra2.h")" 1
build_tomorrow()
{
	cd "$work/src" || return
	for file in bash bash-dispatch bash-plain core-avx2 core-avx512vl \
	    core-plain core-sse2 dispatch encode entropy lyra2 matrix outer \
	    params selftest; do
		# shellcheck disable=SC2086	# several words
		$cc -O1 -fPIC -I. -DLYRA2_SMALL -DLYRA2_CALLS -DBASH_PLAIN \
		    -c $file.c || return
	done
	# shellcheck disable=SC2086
	$cc -shared -Wl,-soname,liblyra2.so.0 -o ../liblyra2.so.0 ./*.o
}
ok "tomorrow's library compiles" build_tomorrow

# ---- today ----
cat >"$work/app.c" <<'END'
#include <lyra2.h>
#include <stdio.h>
#include <string.h>
#ifndef TOMORROW
#define TOMORROW 0
#endif
int main(void)
{
	struct { struct lyra2_params p; unsigned char after[64]; } x;
	char hash[LYRA2_MAX_STRING], why[128] = "";
	unsigned char key[8], after[64];
	size_t i;

	memset(&x, 0xa5, sizeof(x));
	memset(after, 0xa5, sizeof(after));
	lyra2_params_init(&x.p);
	x.p.rows = 12;
	x.p.cols = 2;
#if TOMORROW
	x.p.tomorrow = 1;
#endif
	if (lyra2_check(&x.p, why, sizeof(why)) < 0) {
		puts(why);
		return 1;
	}
	if (lyra2_kdf(NULL, &x.p, "pw", 2, "salt", 4, key, sizeof(key)) < 0 ||
	    lyra2_hash(NULL, &x.p, "pw", 2, hash, sizeof(hash)) < 0 ||
	    lyra2_verify(NULL, hash, "pw", 2) != 0 ||
	    lyra2_parse(hash, &x.p, NULL, 0) != 0 ||
	    lyra2_needs_rehash(hash, &x.p) != 0)
		return 1;
	lyra2_params_fill(&x.p);
	if (memcmp(x.after, after, sizeof(after)) != 0)
		return 1;
	for (i = 0; i < sizeof(key); i++)
		printf("%02x", key[i]);
	printf(" %lu\n", (unsigned long)lyra2_memory(&x.p));
	return 0;
}
END
# build NAME HEADERS [OPTION...]: a program linked with today's library
build()
{
	name=$1 headers=$2
	shift 2
	# shellcheck disable=SC2086	# several words
	$cc -I"$headers" -o "$work/$name" "$work/app.c" "$@"
}
ok "today's program compiles" build today "$SRCDIR/src" "$library"
today=$(LD_LIBRARY_PATH=${library%/*} "$work/today")
ok "it runs with today's library" test -n "$today"
is "and with tomorrow's, to the same end" \
    "$(LD_LIBRARY_PATH=$work "$work/today")" "$today"
ok "tomorrow's program compiles" build tomorrow "$work/src" -DTOMORROW=1 \
    "$library"
is "today's library refuses what it does not know" \
    "$(LD_LIBRARY_PATH=${library%/*} "$work/tomorrow")" \
    "reserved: must be 0; use lyra2_params_init()"
tap_done
