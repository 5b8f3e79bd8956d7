# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The library exports what the header, the version script and lyra2(3) name.
# The functions that it calls neither print nor end the program.
. "$SRCDIR/tests/lib/tap.sh"

objects=$BUILDDIR/src/.libs
library=$objects/liblyra2.so
[ -f "$library" ] || skip_all "configured with --disable-shared"

# declared HEADER: prints the functions that it declares
declared()
{
	sed -n 's/^LYRA2_API .*[ *]\(lyra2_[a-z_0-9]*\)(.*/\1/p' \
	    "$SRCDIR/src/$1" | sort
}

# exports VERSION: prints the names that the version script has under it
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

# A symbol that is bound by name at run time may be bound to a program's own
# function.
calls=$(readelf -rW "$library")
ok "calls of the C library go through the dynamic linker" \
	sh -c 'echo "$1" | grep -q " getrandom"' - "$calls"
is "no call of our own does" "$(echo "$calls" | grep -o ' lyra2_[a-z_]*')" ""

# Threads share these: which kernels have passed their tests, what the CPU has.
# gcc appends a number to their names, and clang puts the function's before it.
is "the library keeps nothing else from one call to the next" \
	"$(objdump -t "$library" | awk '/ O \.(data|bss)\t/ { print $NF }' |
	sed 's/\.[0-9]*$//; s/.*\.//' |
	grep -vxE 'completed|__dso_handle|__TMC_END__' | sort |
	paste -sd ' ')" "known passed passed"

# Functions for standard streams, the process's end, signals, the environment
is "the library calls nothing that prints or exits" \
	"$(nm -D --undefined-only "$library" | awk '{ print $NF }' |
	sed 's/@.*//; s/^_*//; s/_chk$//' | grep -xE \
	-e 'v?f?d?printf|f?puts|putchar|fputc|fwrite|write|perror|v?syslog' \
	-e 'std(out|err)|exit|quick_exit|abort|assert_fail|raise|kill' \
	-e '(secure_)?getenv|signal|sigaction')" ""

# ---- kernels ----

# Each file has an object, which is empty if the kernel is for another CPU.
names=$(sed -n 's/^KERNEL(\([a-z0-9]*\),.*/\1/p' \
	"$SRCDIR/src/kernels/kernels.def" | sort)
is "each kernel has an object, and each object a row in kernels.def" \
	"$(cd "$objects/../kernels/.libs" && printf '%s\n' core-*.o |
	sed 's/^core-//; s/\.o$//' | sort)" "$names"
here=$(nm "$library" | sed -n 's/.* t lyra2_blamka_\([a-z0-9]*\)$/\1/p' | sort)
ok "the library has kernels: $(echo "$here" | paste -sd ' ')" \
	sh -c 'echo "$1" | grep -qx plain' - "$here"

# symbols OBJECT NAME: its only global symbol is the kernel.  On i386, a helper
# that finds the address of data may be there, too.
symbols()
{
	is "${1##*/} defines what others need" \
		"$(nm -g --defined-only "$1" | awk '{ print $NF }' |
		grep -v '^__x86.get_pc_thunk')" "$2"
}

# registers OBJECT NAME: no kernel uses 512-bit registers.  On an Intel server,
# the first instruction with 512 bits stops the core for 0.1 ms: R=T=16 took 8 %
# longer for one such copy.
registers()
{
	if [ "$2" = avx512vl ] && readelf -p .comment "$1" | grep -q clang; then
		skip "512-bit registers of ${1##*/}" \
			"clang takes some for loops over many lanes"
	else
		is "${1##*/} uses no 512-bit registers" \
			"$(objdump -d "$1" | grep -o 'zmm\|file format' |
			sort -u)" "file format"
	fi
}

# kernels.def asks for BMI2 only where a kernel is compiled for it.
without_bmi2()
{
	! "$BUILDDIR/config.status" --config | grep -q march || return 0
	is "${1##*/} has no instruction of BMI2" "$(objdump -d "$1" |
		grep -oE '\<(rorx|mulx|sarx|shlx|shrx|bzhi|pdep|pext)[lq]?\>' |
		sort -u)" ""
}

for name in $names; do
	for function in "" 30_128 25_128 25_256; do
		object=${function:+libblake2b_${function}_la-}core-$name.o
		object=$objects/../kernels/.libs/$object want=
		! echo "$here" | grep -qx "$name" ||
			want=lyra2_${function:+blake2b_}${function:-blamka}_$name
		symbols "$object" "$want"
		[ -z "$want" ] || registers "$object" "$name"
		without_bmi2 "$object"
	done
	# A kernel without a file for Bash uses another kernel's.
	[ -f "$SRCDIR/src/bash/bash-$name.c" ] || continue
	object=$objects/../bash/.libs/bash-$name.o
	symbols "$object" "${want:+bash_blocks_$name}"
	[ -z "$want" ] || registers "$object" "$name"
done

kind=T
! grep -q '^#define LYRA2_IFUNC 1' "$BUILDDIR/config.h" || kind=i
is "the choices are ifuncs if configure said so, and there is a choice" \
	"$(nm "$objects/dispatch.o" |
	sed -n 's/.* \(.\) lyra2_core_\(alone\|together\)$/\1/p' | sort -u)" \
	"$kind"
tap_done
