# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The outer hash in the tool: hash, verify, bench.
. "$SRCDIR/tests/lib/tap.sh"

lyra2=$BUILDDIR/src/lyra2
[ -x "$lyra2" ] || skip_all "configured with --disable-tool"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

new_hash()
{
	echo password | "$lyra2" hash --rows 16 --cols 8 "$@"
}

# verify STRING [OPTION]...: the exit status
verify()
{
	string=$1
	shift
	echo password | "$lyra2" verify "$@" "$string" >"$work/out" 2>&1
	echo $?
}

# shellcheck disable=SC2016	# that is the string
is "--outer bash256 is in the string" "$(new_hash --outer bash256 |
	sed 's/256\$.*/256/')" '$lyra2$v=30$t=2$r=16$c=8$o=bash256'
is "--outer none is not" "$(new_hash --outer none | grep -c 'o=')" 0
is "another name is wrong" "$(new_hash --outer sha256 2>&1)" \
	"lyra2 hash: --outer: sha256 is not bash256 or none"
stored=$(new_hash --outer bash256)
is "verify knows the password" "$(verify "$stored")" 0
is "and no other" "$(echo other | "$lyra2" verify "$stored" >/dev/null
	echo $?)" 1
is "as wanted" "$(verify "$stored" --rows 16 --cols 8 --outer bash256
	grep rehash "$work/out")" "0
needs rehash: no"
is "not as wanted" "$(verify "$stored" --rows 16 --cols 8
	grep rehash "$work/out")" "0
needs rehash: yes"
salt='$0123456789ABCDEFabcdef'
digits=${stored##*\$}
for bad in "o=$salt\$$digits" "o=bash512$salt\$$digits" \
    "o=bash256\$o=bash256$salt\$$digits" "o=bash256\$f=blake2b$salt\$$digits" \
    "o=bash256$salt\$${digits%??????????????????}." \
    "o=bash256$salt\$${digits%.}${digits%?}."; do
	is "$bad is malformed" "$(verify "\$lyra2\$v=30\$t=2\$r=16\$c=8\$$bad")" \
		2
done

# ---- bench --bash ----
usable=$("$lyra2" kernels | grep -c 'runs on this CPU')
is "bench --bash: three hashes on each kernel" "$("$lyra2" bench --bash \
	--runs 1 --csv | grep -c bash)" "$((3 * usable))"
"$lyra2" bench --bee2 "$work/none.so" >"$work/out" 2>&1
is "--bee2: a library that is not there" $? 2
cat >"$work/other.c" <<'END'
#include <stddef.h>
#include <string.h>
size_t bashHash_keep(void) { return 1; }
void bashHashStart(void *state, size_t level) { (void)state; (void)level; }
void bashHashStepH(const void *p, size_t n, void *state)
{ (void)p; (void)n; (void)state; }
void bashHashStepG(unsigned char *hash, size_t n, void *state)
{ (void)state; memset(hash, 0, n); }
END
# shellcheck disable=SC2086	# CC may have arguments
${CC:-cc} -shared -fPIC -o "$work/other.so" "$work/other.c"
is "--bee2: another hash is not the same" "$("$lyra2" bench --runs 1 --json \
	--bee2 "$work/other.so" | grep -o '"same_output":[a-z]*' | sort -u)" \
	'"same_output":false'
tap_done
