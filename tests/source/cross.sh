# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The library's tests on other CPUs, under qemu's emulation of programs: big
# and little endian, 32 and 64 bits; x86 without AVX2; and another libc.
. "$SRCDIR/tests/lib/tap.sh"
. "$SRCDIR/tests/lib/builds.sh"

# The emulator keeps copies in memory, which are not the program's.
TEST_INSTRUMENTED=1
UNIT_SECONDS=900	# for each test of a unit program
export TEST_INSTRUMENTED UNIT_SECONDS

# libtool interprets -static itself, and configure does not know -all-static.
link=-all-static

# The machine's own apt downloads Check for another architecture.  It uses lists
# of its own, so that the system gains no architecture.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/lyra2/foreign
foreign_apt()
{
	apt-get -q -o APT::Architecture="$arch" -o APT::Architectures="$arch" \
		-o Dir::State="$cache/$arch/state" \
		-o Dir::State::status="$cache/$arch/status" \
		-o Dir::Cache="$cache/$arch/cache" -o APT::Sandbox::User= "$@"
}

get_check()
{
	[ ! -e "$cache/$arch/root/usr/include/check.h" ] || return 0
	mkdir -p "$cache/$arch/state/lists/partial" \
		"$cache/$arch/cache/archives/partial" "$cache/$arch/debs"
	touch "$cache/$arch/status"
	# One list may be missing: the download will show if it matters.
	foreign_apt update || :
	cd "$cache/$arch/debs" &&
		foreign_apt download check libsubunit-dev || return
	for deb in *.deb; do
		dpkg-deb -x "$deb" "$cache/$arch/root" || return
	done
}

# Prints the test vectors of under 1 MB: emulators are slow.
small_answers()
{
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print; next }
		$at["r"] * $at["c"] < 10000' "$SRCDIR/doc/spec/raw.csv" \
		>"$dir/small.csv"
	is "$1: no known answer is wrong" "$("$2" "$dir/src/lyra2" selftest \
		--kernel all --vectors "$dir/small.csv" 2>&1 |
		grep -v ': not supported$' |
		sed 's/^[1-9][0-9]* passed, 0 failed, .* skipped$/none/')" none
}

is "every.c calls all functions" \
    "$(sed -n '/^LYRA2_0/,/^}/s/^	\(lyra2_.*\);/\1/p' "$SRCDIR/src/lyra2.map" |
    while read -r name; do
	grep -q "$name(" "$SRCDIR/tests/source/every.c" || echo "$name"
    done)" ""

# static_library NAME COMPILER EMULATOR: links liblyra2.a, as installed, into
# each kind of program; -L is for the one that is not static
static_library()
{
	ok "$1: its liblyra2.a is installed" make -C "$dir" install-exec \
		DESTDIR="$dir/root"
	for how in -static -static-pie -pie; do
		if ! echo 'int main(void) { return 0; }' |
		    "$2" $how -fPIE -x c -o "$dir/every" - 2>/dev/null; then
			skip "$1: it links, $how" "its libc has no rcrt1.o"
			continue
		fi
		ok "$1: it links, $how" "$2" $how -fPIE -Wall -Werror \
			-I"$SRCDIR/src" -o "$dir/every" \
			"$SRCDIR/tests/source/every.c" \
			"$(find "$dir/root" -name liblyra2.a)"
		ok "$1: each function works, $how" "$3" \
			-L "/usr/${2%-gcc}" "$dir/every"
	done
}

# on ARCHITECTURE TRIPLET CPU LIBDIR: runs the tests there; CPU is qemu's name
on()
{
	arch=$1
	emulator=qemu-$3-static
	if ! command -v "$2-gcc" >/dev/null || ! command -v "$emulator" \
	    >/dev/null; then
		skip "$1: the library's tests" "no $2-gcc or no $emulator here"
		return
	fi
	if ! (get_check) >/dev/null 2>&1; then
		skip "$1: the library's tests" "apt has no Check for $1"
		build "$1" --host="$2" CC="$2-gcc" CFLAGS=-O1 \
			CPPFLAGS=-DLYRA2_CALLS --disable-pam \
			--disable-shared --enable-static LDFLAGS=-static
		small_answers "$1" "$emulator"
		static_library "$1" "$2-gcc" "$emulator"
		return
	fi
	root=$cache/$1/root/usr
	build "$1" --host="$2" CC="$2-gcc" CFLAGS=-O1 CPPFLAGS=-DLYRA2_CALLS \
		--disable-pam --disable-shared --enable-static LDFLAGS=-static \
		CHECK_CFLAGS="-I$root/include" CHECK_LIBS="-L$root/lib/$4 \
-lcheck -lsubunit -lm -lrt -pthread"
	library_tests "$1" LOG_COMPILER="$emulator" EMULATOR="$emulator"
	static_library "$1" "$2-gcc" "$emulator"
}
on s390x s390x-linux-gnu s390x s390x-linux-gnu
on arm64 aarch64-linux-gnu aarch64 aarch64-linux-gnu
on armhf arm-linux-gnueabihf arm arm-linux-gnueabihf
on i386 i686-linux-gnu i386 i386-linux-gnu
on riscv64 riscv64-linux-gnu riscv64 riscv64-linux-gnu

# strict COMPILER: prints the files of library and module in which it finds what
# libxcrypt's warnings are about, as errors
strict()
{
	find src pam -name '*.c' | sort | while read -r file; do
		null=-Wnull-dereference
		case $file in
		src/tool/*) continue ;;
		pam/*) null='' functions=128 ;;	# gcc cannot follow lists
		src/kernels/*) functions='128 25,128 25,256 30,128' ;;
		*) functions=128 ;;
		esac
		for f in $functions; do
			[ "$f" = 128 ] && f= ||
				f="-DCORE_VERSION=${f%,*} -DCORE_ROTATION=${f#*,}"
			# shellcheck disable=SC2086	# several words
			$1 -std=c11 -O2 -S -o /dev/null -D_GNU_SOURCE \
			    -D_FILE_OFFSET_BITS=64 -I. -Isrc -Isrc/kernels \
			    -Isrc/bash -I"$BUILDDIR" -idirafter /usr/include \
			    -DPAM_LYRA2_SBINDIR='"/"' \
			    -DPAM_LYRA2_CONFDIR='"/"' -DPAM_LYRA2_VENDORDIR='"/"' \
			    $warnings $null $f "$file" \
			    2>/dev/null || echo "$file $f"
		done
	done
}
warnings="-Werror -Wall -Wextra -Wcast-align -Wcast-qual -Wconversion
-Wformat=2 -Wmissing-declarations -Wmissing-prototypes -Wnested-externs
-Wold-style-definition -Wpointer-arith -Wshadow
-Wstrict-overflow=2 -Wstrict-prototypes -Wundef -Wvla -Wwrite-strings"
for compiler in i686-linux-gnu-gcc 'gcc -m32' 'clang --target=i686-linux-gnu' \
    arm-linux-gnueabihf-gcc; do
	# shellcheck disable=SC2086	# several words
	if echo '#include <stdlib.h>' | $compiler -fsyntax-only -x c - \
	    2>/dev/null; then
		is "$compiler: libxcrypt's warnings, on 32 bits" \
			"$(cd "$SRCDIR" && strict "$compiler")" ""
	else
		skip "$compiler: libxcrypt's warnings" "it compiles nothing"
	fi
done

# use_i386 COMPILER [EMULATOR]: tests a library that is compiled as for use
# shellcheck disable=SC2086	# commands, with their options
use_i386()
{
	build i386-use --host=i686-linux-gnu CC="$1" --disable-pam \
		--disable-shared --enable-static LDFLAGS=-static
	ok "i386: stack.c is built" make -C "$dir" LDFLAGS=$link \
		tests/unit/stack
	is "i386: a stack aligned to 4 bytes does for every implementation" \
		"$(${2-} "$dir/tests/unit/stack" 2>&1)" ""
	if command -v qemu-i386-static >/dev/null; then
		ok "i386: show-kernel is built" make -C "$dir" LDFLAGS=$link \
			tests/unit/show-kernel
		is "i386: a CPU without SSE2" "$(qemu-i386-static \
			-cpu pentium3 "$dir/tests/unit/show-kernel" 2>&1)" plain
	else
		skip "i386: a CPU without SSE2" "no qemu-i386"
	fi
	ok "i386: the library is installed" make -C "$dir" install-exec \
		DESTDIR="$dir/root"
	for how in -static -static-pie; do
		ok "i386: liblyra2.a links, $how" $1 $how -I"$SRCDIR/src" \
			-o "$dir/try" "$SRCDIR/tests/unit/stack.c" \
			"$(find "$dir/root" -name liblyra2.a)"
		is "i386: and works, $how" "$(${2-} "$dir/try" 2>&1)" ""
	done
}

# tries COMPILER [EMULATOR]: succeeds if its programs run here.  An emulator may
# permit unaligned vectors, so it comes last.
# shellcheck disable=SC2086	# commands, with their options
tries()
{
	[ -z "$done" ] && echo '#include <errno.h>
int main(void) { return errno; }' |
		$1 -static -x c -o "$BUILDDIR/builds/try-i386" - 2>/dev/null &&
		${2-} "$BUILDDIR/builds/try-i386" 2>/dev/null || return
	done=yes
	use_i386 "$@"
}

mkdir -p "$BUILDDIR/builds"
done=
tries i686-linux-gnu-gcc
tries 'gcc -m32'
tries i686-linux-gnu-gcc 'qemu-i386-static -cpu max'
[ -n "$done" ] || skip "i386: a stack aligned to 4 bytes" "no compiler for it"

# x86 MODEL PROGRAM...: runs this build's program on another x86
x86()
{
	model=$1
	shift
	"$BUILDDIR/libtool" --mode=execute qemu-x86_64-static -cpu "$model" "$@"
}

chosen()
{
	model=$1
	shift
	x86 "$model" "$BUILDDIR/tests/unit/show-kernel" "$@"
}

case $(uname -m) in
x86_64) emulator=qemu-x86_64-static ;;
*) emulator= ;;
esac
if [ -n "$emulator" ] && command -v $emulator >/dev/null; then
	is "Nehalem: without AVX2 the choice is another" \
		"$(chosen Nehalem | grep -v avx)" "$(chosen Nehalem)"
	is "Haswell: a kernel is chosen" "$(chosen Haswell | wc -w)" 1
	is "Nehalem: AVX2 asked for is an error and no illegal instruction" \
		"$(chosen Nehalem avx2)" none
	is "Haswell: AVX2 asked for is used" \
		"$(chosen Haswell avx2)" avx2
	is "Nehalem: lyra2 kernels says which run there" "$(x86 Nehalem \
		"$BUILDDIR/src/lyra2" kernels 2>/dev/null |
		awk '/runs on/ { print $1 }' | paste -sd ' ')" "sse2 plain"
	is "Nehalem: a wrong name, and those that run there" "$(echo x |
		LYRA2_KERNEL=none x86 Nehalem "$BUILDDIR/src/lyra2" hash 2>&1 |
		sed 's/.*it runs //')" "sse2, plain"
	for model in Nehalem Haswell; do
		ok "$model: test vectors" x86 $model "$BUILDDIR/src/lyra2" \
			selftest --kernel all
		ok "$model: kernels agree" x86 $model "$BUILDDIR/tests/unit/kernels"
	done
else
	skip "x86 without and with AVX2" "no x86-64 here, or no qemu-x86_64"
fi

if command -v musl-gcc >/dev/null; then
	build musl CC=musl-gcc CFLAGS=-O1 CPPFLAGS=-DLYRA2_CALLS --disable-pam \
		--disable-shared --enable-static LDFLAGS=-static
	is "musl: no known answer is wrong" \
		"$("$dir/src/lyra2" selftest --vectors \
		"$SRCDIR/doc/spec/raw.csv" 2>&1 | tail -n 1)" \
		"165 passed, 0 failed, 145 skipped"
else
	skip "musl" "no musl-gcc here"
fi
tap_done
