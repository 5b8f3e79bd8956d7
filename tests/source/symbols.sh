# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# What the library exports is what header, version script and lyra2(3) say,
# and what it calls can neither print nor end the program.
. "$SRCDIR/tests/lib/tap.sh"

objects=$BUILDDIR/src/.libs
library=$objects/liblyra2.so
[ -f "$library" ] || skip_all "configured with --disable-shared"

# declared HEADER
declared()
{
	sed -n 's/^LYRA2_API .*[ *]\(lyra2_[a-z_0-9]*\)(.*/\1/p' \
	    "$SRCDIR/src/$1" | sort
}

# exports VERSION: what the version script has under it
exports()
{
	sed -n "/^$1 {/,/^}/s/^	\\(lyra2_.*\\);/\\1/p" \
	    "$SRCDIR/src/lyra2.map"
}

in_header=$(declared lyra2.h)
in_manual=$(sed -n 's/^\.F[on] "*\(lyra2_[a-z_0-9]*\).*/\1/p' \
	"$SRCDIR/man/lyra2.3" | sort -u)
exported=$(nm -D --defined-only "$library" |
	sed -n 's/.* T \([^@]*\)@@LYRA2_0$/\1/p' | sort)

ok "lyra2.h declares functions" test -n "$in_header"
is "the version script has those of the header" "$(exports LYRA2_0)" \
	"$in_header"
is "and apart from them those that are not promised" \
	"$(exports LYRA2_PRIVATE)" "$(declared lyra2-kernels.h)"
is "the library exports them" "$exported" "$in_header"
is "lyra2(3) describes them" "$in_manual" "$in_header"
is "the library exports no data" \
	"$(nm -D --defined-only "$library" | grep -v ' [TA] ')" ""

# What is bound by name at run time may be bound to a program's own function.
calls=$(readelf -rW "$library")
ok "calls of the C library go through the dynamic linker" \
	sh -c 'echo "$1" | grep -q " getrandom"' - "$calls"
is "no call of our own does" "$(echo "$calls" | grep -o ' lyra2_[a-z_]*')" ""

# Standard streams, ends of the process, the plain environment.
is "the library calls nothing that prints or exits" \
	"$(nm -D --undefined-only "$library" | awk '{ print $NF }' |
	sed 's/@.*//; s/^_*//; s/_chk$//' | grep -xE \
	-e 'v?f?d?printf|f?puts|putchar|fputc|fwrite|write|perror|v?syslog' \
	-e 'std(out|err)|exit|quick_exit|abort|assert_fail|raise|kill' \
	-e '(secure_)?getenv|signal|sigaction')" ""

# symbols OBJECT PREFIX [MORE...]: named after it, as kernels are
symbols()
{
	object=$1 name=${1##*-} prefix=$2
	shift 2
	# i386 adds what finds the address of data.
	found=$(nm -g --defined-only "$object" 2>/dev/null |
		awk '{ print $NF }' | grep -v '^__x86.get_pc_thunk')
	# The file of a kernel for other CPUs is empty.
	[ -n "$found" ] || [ "$name" = plain.o ] || return 0
	is "${object##*/} defines what others need" "$found" \
		"$(printf '%s\n' "$prefix${name%.o}" "$@")"
}
for object in "$objects"/core-*.o; do
	symbols "$object" lyra2_core_
	# What has no kernel of Bash takes another's.
	bash=$objects/bash-${object##*/core-}
	[ ! -f "$bash" ] || symbols "$bash" bash_blocks_
done

# On an Intel server the first instruction with 512 bits stops the core for
# 0.1 ms: R=T=16 took 8 % longer for one such copy.
if [ ! -f "$objects/core-avx512vl.o" ]; then
	skip "no 512-bit registers" "no kernel for AVX-512 here"
elif readelf -p .comment "$objects/core-avx512vl.o" | grep -q clang; then
	skip "no 512-bit registers" "clang takes some for loops over many lanes"
else
	is "no 512-bit registers" \
		"$(objdump -d "$objects/core-avx512vl.o" \
			"$objects/bash-avx512vl.o" |
		grep -o 'zmm\|file format' | sort -u)" "file format"
fi

kind=T
! grep -q '^#define LYRA2_IFUNC 1' "$BUILDDIR/config.h" || kind=i
is "the choice is an ifunc if configure said so" \
	"$(nm "$objects/dispatch.o" | sed -n 's/.* \(.\) lyra2_core$/\1/p')" \
	"$kind"
tap_done
