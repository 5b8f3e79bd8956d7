# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# abidiff(1) accepts tomorrow's library, with a new parameter, a new field and a
# new function: today's programs can run with it.  abidiff refuses a library in
# which a field has grown.
. "$SRCDIR/tests/lib/tap.sh"

command -v abidiff >/dev/null || skip_all "no abidiff here (abigail-tools)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# build NAME [SED]: builds a library from the sources, changed by SED
build()
{
	mkdir "$work/$1"
	cp "$SRCDIR"/src/*.[ch] "$SRCDIR"/src/bash/* "$SRCDIR"/src/kernels/* \
	    "$SRCDIR/src/lyra2.map" "$BUILDDIR/config.h" "$work/$1"
	(
	cd "$work/$1" || exit
	sed -i "${2-}" lyra2.h
	[ "$1" != tomorrow ] || {
		echo 'LYRA2_API int lyra2_new(void);' >>lyra2.h
		echo 'int lyra2_new(void) { return 0; }' >>params.c
		sed -i 's/^	lyra2_work;/&\n	lyra2_new;/' lyra2.map
	}
	sed -i 's/lyra2_blake2b_[0-9_]*##name/lyra2_blamka_##name/' dispatch.c
	# shellcheck disable=SC2086	# CC may have arguments
	${CC:-cc} -D_GNU_SOURCE -DLYRA2_CALLS -g -O0 -fPIC -I. -shared \
	    -fvisibility=hidden -Wl,--version-script=lyra2.map \
	    -Wl,-soname,liblyra2.so.0 -o "../$1.so" ./*.c
	)
}

# breaks NAME: succeeds if programs would not find types or functions as they
# were
breaks()
{
	abidiff --no-added-syms "$work/today.so" "$work/$1.so" >"$work/log" \
	    2>&1
	grep -qE '^ *type size changed|[1-9][0-9]* Removed' "$work/log"
}

ok "today's library compiles" build today
ok "tomorrow's too" build tomorrow \
    's/^\(	uint32_t\) reserved\[10\];/\1 tomorrow;\n\1 reserved[9];/
    s/LYRA2_FIELD_HASH = 12/&, LYRA2_FIELD_NEW = 13/'
breaks tomorrow
is "tomorrow's breaks nothing" $? 1
ok "and has changed" grep -q "'uint32_t tomorrow', at offset 192" "$work/log"
ok "one that breaks programs compiles" build broken \
    's/^	uint32_t t_cost;/	uint64_t t_cost;/'
ok "and is found" breaks broken
tap_done
