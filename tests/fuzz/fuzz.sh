# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# A minute of libFuzzer on the strings, from a seed for each form they have.
. "$SRCDIR/tests/lib/tap.sh"
. "$SRCDIR/tests/lib/builds.sh"

seconds=${FUZZ_SECONDS:-60}
command -v clang >/dev/null || skip_all "libFuzzer is clang's, which isn't here"

build fuzz CC=clang --disable-pam --disable-shared --enable-static \
	--disable-tool CPPFLAGS=-DLYRA2_CALLS \
	CFLAGS="-O1 -g -fsanitize=fuzzer-no-link,address,undefined \
-fno-sanitize-recover=all"
ok "the fuzzer builds" clang -g -fsanitize=fuzzer,address,undefined \
	-fno-sanitize-recover=all -I"$SRCDIR/src" "$SRCDIR/tests/fuzz/string.c" \
	"$dir/src/.libs/libcore.a" -o "$dir/fuzz"

mkdir -p "$dir/corpus"
n=0
for string in '$lyra2$v=30$t=1$r=8$c=2$saltsalt$' \
	'$lyra2$v=30$t=1$r=8$c=2$p=2$f=blake2b$saltsalt$' \
	'$lyra2$v=25$t=1$r=8$c=2$saltsalt' \
	'$lyra2$v=25$t=1$r=3$c=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA'
do
	n=$((n + 1))
	printf '%s' "$string" >"$dir/corpus/seed$n"
done

fuzz()
{
	cd "$dir" && ./fuzz -max_total_time="$seconds" -max_len=512 \
		-timeout=10 -print_final_stats=1 corpus 2>fuzz.log
}
ok "$seconds seconds of strings" fuzz
sed -n 's/^stat::number_of_executed_units/# strings tried/p' "$dir/fuzz.log"
tap_done
