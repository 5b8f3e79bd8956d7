# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# libFuzzer on each reader of input from others, two at a time.  The seeds are
# lines of seeds/NAME.in, as echo -e would print them.
. "$SRCDIR/tests/lib/tap.sh"
. "$SRCDIR/tests/lib/builds.sh"

seconds=45
[ "${CHECK:-}" != long ] || seconds=600
seconds=${FUZZ_SECONDS:-$seconds}
command -v clang >/dev/null || skip_all "libFuzzer is clang's, which isn't here"
sanitize='-fsanitize=address,undefined -fno-sanitize-recover=all'

# A build without PAM has no objects of the module's readers, so these are
# compiled here.
build fuzz CC=clang --disable-pam --disable-shared --enable-static \
	--disable-tool CPPFLAGS=-DLYRA2_CALLS \
	CFLAGS="-O1 -g -fsanitize=fuzzer-no-link $sanitize"

# compile NAME SOURCE...: makes the fuzzer NAME
compile()
{
	name=$1
	shift
	# shellcheck disable=SC2086	# options
	clang -g -O1 -std=gnu11 $sanitize -fsanitize=fuzzer -D_GNU_SOURCE \
		-D_FILE_OFFSET_BITS=64 -DPAM_LYRA2_SBINDIR='"/nowhere"' \
		-DPAM_LYRA2_CONFDIR='"/nowhere"' \
		-DPAM_LYRA2_VENDORDIR='"/nowhere"' -I"$dir" -I"$SRCDIR" \
		-I"$SRCDIR/src" "$SRCDIR/tests/fuzz/$name.c" "$@" \
		"$dir/src/.libs/libcore.a" -lcrypt -o "$dir/$name"
}

plant()
{
	mkdir -p "$dir/corpus/$1"
	n=0
	while IFS= read -r line; do
		n=$((n + 1))
		printf '%b' "$line" >"$dir/corpus/$1/seed$n"
	done <"$SRCDIR/tests/fuzz/seeds/$1.in"
}

# fuzz NAME: runs the fuzzer; its status goes to NAME.status
fuzz()
{
	plant "$1"
	cd "$dir" || return
	status=0
	"./$1" -max_total_time="$seconds" -max_len=2048 -timeout=20 \
		-rss_limit_mb=2048 -close_fd_mask=1 -print_final_stats=1 \
		-artifact_prefix="$1-" "corpus/$1" 2>"$1.log" || status=$?
	echo $status >"$1.status"
}

report()
{
	is "$1: $seconds seconds" "$(cat "$dir/$1.status")" 0
	[ "$(cat "$dir/$1.status")" = 0 ] ||
		tail -n 30 "$dir/$1.log" | sed 's/^/# /'
	sed -n "s/^stat::number_of_executed_units: */# $1: inputs tried: /p" \
		"$dir/$1.log"
}

pam=$SRCDIR/pam
tool=$SRCDIR/src/tool
stored=$SRCDIR/src/stored
methods="$stored/crypt3.c $stored/method.c $stored/order.c $stored/policy.c
	$stored/setting.c $stored/stored.c"
config=$SRCDIR/src/config
account=$SRCDIR/src/account
lines="$account/lines.c $account/passwd.c
	$account/shadow-line.c"
conf="$methods $config/conf.c $config/login-defs.c $config/option.c
	$config/options.c $config/options-table.c $config/pam-line.c"
ok "string: builds" compile string
targets=string
if [ -f "$BUILDDIR/pam/libservice.la" ]; then
	# shellcheck disable=SC2086	# lists of files
	{
		ok "wire: builds" compile wire "$pam/protocol/request.c" "$pam/protocol/wire.c" \
			"$pam/protocol/clock.c"
		ok "shadow-line: builds" compile shadow-line $lines
		ok "conf: builds" compile conf $conf
		ok "verify: builds" compile verify $methods \
			"$pam/work/verify.c" "$tool/judge.c"
		ok "cost: builds" compile cost $methods
		ok "audit: builds" compile audit $conf $lines \
			"$account/aging.c" "$account/entry.c" \
			"$account/group.c" "$tool/accounts.c" \
			"$tool/architectures.c" "$tool/judge.c" "$tool/report.c" \
			"$tool/services.c" "$tool/names.c" "$tool/ask-lyra2d.c" \
			"$pam/protocol/request.c" "$pam/protocol/wire.c" \
			"$pam/protocol/clock.c"
	}
	targets="wire shadow-line conf verify cost audit string"
else
	skip "the module's readers" "configured with --disable-pam"
fi

# shellcheck disable=SC2086	# words
set -- $targets
while [ $# -gt 0 ]; do
	(fuzz "$1") &
	[ $# -lt 2 ] || (fuzz "$2")
	wait
	report "$1"
	[ $# -lt 2 ] || report "$2"
	shift
	[ $# -eq 0 ] || shift
done
tap_done
