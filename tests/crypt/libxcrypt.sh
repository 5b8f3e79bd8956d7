# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# This distribution's libxcrypt with the lyra2 method: built by build-libxcrypt,
# tested by its own suite, and by checks that this suite cannot make
. "$SRCDIR/tests/lib/tap.sh"

build=$SRCDIR/crypt/build-libxcrypt
dir=$BUILDDIR/builds/libxcrypt
lib=$dir/build/.libs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# status COMMAND...: prints its exit status and the last line of its output
status()
{
	said=$("$@" 2>&1) && status=0 || status=$?
	echo "$status $(echo "$said" | tail -n 1)"
}

# lists: prints a digest that changes if apt-get update or a lock touches a list
lists()
{
	find /var/lib/apt/lists -printf '%p %s %T@\n' | sort | sha256sum
}

# ---- messages for wrong input ----
ok "--help" "$build" --help
tell='; try --help'
is "no DIR" "$(status "$build")" "2 build-libxcrypt: no DIR given$tell"
is "two DIRs" "$(status "$build" a b)" "2 build-libxcrypt: one DIR only$tell"
is "an unknown option" "$(status "$build" --fast a)" \
    "2 build-libxcrypt: unknown option --fast$tell"
is "an option without its argument" "$(status "$build" a --version)" \
    "2 build-libxcrypt: --version needs an argument$tell"

# ---- files that the archive has lost ----
# A stand-in for apt with four versions; $LOST names the files that a mirror
# lacks.
mkdir "$work/bin"
cat >"$work/bin/apt-get" <<'APT'
#!/bin/sh
eval last=\${$#}
case $* in
indextargets*) . /etc/os-release && echo "$VERSION_CODENAME main mirror" ;;
*--tar-only*) need=${last%-*}.orig ;;
*--diff-only*) need=$last.debian ;;
source*) need="${last%-*}.orig $last.debian" ;;
esac
for file in ${need-}; do
	case " $LOST " in
	*" ${file#*=} "*) echo "E: $file  404  Not Found" && exit 100 ;;
	esac
	: >"libxcrypt_${file#*=}.tar.xz"
done
APT
printf '#!/bin/sh\nprintf "Version: %%s\\n" 3-1 5-2 2-4 4-1\n' \
    >"$work/bin/apt-cache"
chmod +x "$work/bin"/*

# takes LOST [OPTION...]: prints which version the command takes, and its files
takes()
{
	LOST=$1
	export LOST
	shift
	rm -rf "$work/lost"
	PATH=$work/bin:$PATH "$build" "$@" --prepare "$work/lost" 2>&1 |
	    sed -n 's/.*lost ([^)]*); //p; s/.*\(cannot fetch [^:]*\):.*/\1/p'
	(cd "$work/lost" && echo libxcrypt_*)
}
is "all is there: it says nothing" "$(takes '')" \
    "libxcrypt_5-2.debian.tar.xz libxcrypt_5.orig.tar.xz"
is "its packaging is lost: that of the version before" "$(takes '5-2.debian')" \
    "taking 5-2 with the debian/ of 4-1
libxcrypt_4-1.debian.tar.xz libxcrypt_5.orig.tar.xz"
is "and of the versions after" "$(takes '3-1.debian 2-4.debian' --version 3)" \
    "taking 3-1 with the debian/ of 4-1
libxcrypt_3.orig.tar.xz libxcrypt_4-1.debian.tar.xz"
is "upstream's archive is lost: the version before" "$(takes '5.orig 4.orig')" \
    "taking 3-1
libxcrypt_3-1.debian.tar.xz libxcrypt_3.orig.tar.xz"
is "a version that was asked for is never replaced" \
    "$(takes '5.orig' --version 5)" \
    "cannot fetch libxcrypt 5-2
libxcrypt_*"

# ---- the build and the suite ----
lists=$(lists)
built=$(CFLAGS=-O1 "$build" "$dir" 2>&1) || case $built in
*"cannot fetch"* | *"apt-get update"* | *"no mirror"*)
	skip "it builds and passes" "$built"
	tap_done
	;;
esac
is "it passes its suite, with -Werror" \
    "$(echo "$built" | grep -cE '^# (FAIL|ERROR): +0$')" 2
is "apt's own lists are untouched" "$(lists)" "$lists"
for test in ka-lyra2 ka-bash-lyra2 alg-bash256 alg-lyra2 crypt-lyra2 badsalt badsetting \
    checksalt crypt-badargs gensalt gensalt-extradata symbols-static.pl \
    symbols-renames.pl; do
	is "$test is among them" "$(sed -n 's/^:test-result: //p' \
	    "$dir/build/test/${test%.pl}.trs")" PASS
done
is "a DIR with another version" "$(status "$build" --version 4.4.1 "$dir")" \
    "1 build-libxcrypt: $dir holds another version than 4.4.1"

# ---- as a pull request ----
mkdir "$work/am"
cp "$dir"/libxcrypt_*.orig.tar.* "$dir/version" "$work/am"
ok "--series writes patches" "$build" --series "$work/am"
git_am()
{
	git -C "$work/am/upstream" -c user.name=a -c user.email=a@a am -q "$@"
}
base()
{
	cd "$work/am/upstream" && git init -q && git add -A -f &&
		git -c user.name=a -c user.email=a@a commit -qm base
}
ok "upstream's source is a commit" base
series=$work/am/series
ok "git am takes the series of lyra2" git_am "$series"/*.patch
ok "it has a letter" test -s "$series/0000-cover-letter.txt"
is "each new file has its licence" "$(cd "$work/am/upstream" &&
    git diff --name-only --diff-filter=A HEAD~5 | xargs grep -L \
    'Redistributions in binary form')" ""
is "it says nothing of bash-lyra2" "$(cd "$work/am/upstream" &&
    git diff HEAD~5 | grep -iE "bash[_-]?lyra2|STB")" ""
new=$(cd "$work/am/upstream" && git diff --name-only --diff-filter=A HEAD~5 lib)
ok "lib gains at most 20 files" test "$(echo "$new" | wc -l)" -le 20
lines=$(cd "$work/am/upstream" && echo "$new" | xargs cat | wc -l)
ok "and at most 2,400 lines ($lines)" test "$lines" -le 2400
is "no message has more than 15 lines" "$(cd "$work/am/upstream" &&
    for c in 0 1 2 3 4; do
	test "$(git log -1 --format=%b HEAD~$c | wc -l)" -le 15 || echo $c
    done)" ""
ok "git am takes bash-lyra2 on top" git_am "$series"/bash/*.patch

# ---- 32 bits ----
# strict COMPILER: prints what it finds in the files of each commit, with
# libxcrypt's own warnings as errors
strict()
{
	warnings=$(sed -n 's/^WARN_CFLAGS = //p' "$dir/build/Makefile")
	cd "$work/am/upstream" || return
	branch=$(git symbolic-ref --short HEAD)
	for commit in $(git rev-list --reverse HEAD~8..HEAD); do
		git checkout -q "$commit"
		for file in lib/*lyra2*.c lib/alg-bash256.c test/*lyra2.c; do
			[ -e "$file" ] || continue
			# shellcheck disable=SC2086	# several words
			$1 -DHAVE_CONFIG_H -DIN_LIBCRYPT -I"$dir/build" -Ilib \
			    $warnings -Wno-unknown-warning-option -Werror -O2 \
			    -S -o /dev/null "$file" 2>&1 |
				grep -m 1 "error:"
		done
	done
	git checkout -q "$branch"
}
for compiler in i686-linux-gnu-gcc 'gcc -m32' 'clang --target=i686-linux-gnu' \
    arm-linux-gnueabihf-gcc; do
	# shellcheck disable=SC2086	# several words
	if echo '#include <stdlib.h>' | $compiler -fsyntax-only -x c - \
	    2>/dev/null; then
		is "$compiler: no warning in any commit" "$(strict "$compiler")" ""
	else
		skip "$compiler: warnings" "it compiles nothing"
	fi
done

# ---- one text ----
make_series=$SRCDIR/crypt/make-series
ok "the algorithm there is what src/ has" "$make_series" --check \
    "$work/am/upstream"
ok "and in what was built" "$make_series" --check "$dir/libxcrypt"
core=$work/am/upstream/lib/alg-lyra2-body.h
for edit in 's/sqrt \*= 2/sqrt *= 4/' '/^		window_next(/d' '$s/$/ /'; do
	cp "$core" "$work/core"
	sed "$edit" "$work/core" >"$core"
	is "not after $edit" "$(status "$make_series" --check \
	    "$work/am/upstream")" "1 make-series: lib/alg-lyra2-body.h is not \
the text of this tree"
	cp "$work/core" "$core"
done

# ---- the library ----
exports()
{
	nm -D --defined-only "$1" | awk '{ print $NF }' | sort
}
is "it exports what the system's exports" \
    "$(exports "$lib/libcrypt.so.1")" \
    "$(exports "$(ldconfig -p | sed -n 's/.*libcrypt.so.1.*=> //p' |
	head -n 1)")"
# No ifunc, no constructor of libgcc: programs that hash nothing lose no time.
is "nothing chooses a kernel before the first hash" \
    "$(readelf -rW "$lib/libcrypt.so.1" | grep -c IRELATIV)\
$(nm "$lib/libcrypt.so.1" | grep -c cpu_indicator)" 00
# The system's libcrypt is as large as this one without lyra2, stripped.
strip -o "$work/stripped" "$lib/libcrypt.so.1"
system=$(ldconfig -p | sed -n 's/.*libcrypt.so.1.*=> //p' | head -n 1)
grown=$(($(wc -c <"$work/stripped") - $(wc -c <"$system")))
ok "it is at most 45 KiB larger than the system's ($grown)" test \
    "$grown" -le 46080
is "it uses no 512-bit registers, which would stop the core for a while" \
    "$(objdump -d "$lib/libcrypt.so.1" | grep -o 'zmm\|file format' |
	sort -u)" "file format"

is "the method keeps nothing from one call to the next" \
    "$(nm "$dir"/build/lib/.libs/*-alg-lyra2*.o \
	"$dir"/build/lib/.libs/*-alg-bash256.o \
	"$dir"/build/lib/.libs/*-crypt-*lyra2.o | awk '$2 ~ /^[bBdDC]$/')" ""

# ---- the stack: remains of a call, and how much it takes ----
salt=MJHnaAkegEVYHsFKkmfzJ1
# The first call also binds symbols.
used()
{
	LD_LIBRARY_PATH=$lib "$work/stack" "\$y\$j75\$$salt" "$@" | tail -n +2
}
ok "stack.c is built" cc -o "$work/stack" "$SRCDIR/tests/crypt/stack.c" \
    -lcrypt -pthread
used "\$lyra2\$t2n4c12p1\$$salt" "\$lyra2\$t2n12c256p2\$$salt" \
    "\$bashlyra2\$t2n4c12p2\$$salt" "\$y\$j9T\$$salt" >"$work/used"
ok "no more stack than yescrypt: $(paste -sd ' ' "$work/used")" \
    awk '{ n[NR] = $1 } END { exit NR != 4 || n[1] > n[4] || n[2] > n[4] ||
    n[3] > n[4] }' "$work/used"
is "no word of a hash is left there" "$(awk 'NR < 4 { print $2 }' \
    "$work/used" | paste -sd ' ')" "0 0 0"

# ---- settings ----
is "60,000 mutated settings: crypt(5), crypt(3) and liblyra2 agree" \
    "$(python3 "$SRCDIR/tests/crypt/settings.py" \
    "$BUILDDIR/src/.libs/liblyra2.so" "$lib/libcrypt.so.1" \
    "$dir/libxcrypt/doc/crypt.5" 60000 2>"$work/said")" ""
echo "# $(cat "$work/said")"

hash=$(LD_LIBRARY_PATH=$lib perl -e 'print crypt($ARGV[0], $ARGV[1])' \
    secret '$lyra2$t2n4c16p2$MJHnaAkegEVYHsFKkmfzJ1')
is "no kernel is chosen by the environment" "$(LYRA2_KERNEL=none \
    LD_LIBRARY_PATH=$lib perl -e 'print crypt($ARGV[0], $ARGV[1])' \
    secret "$hash")" "$hash"
ok "the tool verifies what it hashes" sh -c \
    "echo secret | '$BUILDDIR/src/lyra2' verify '$hash'"
is "the table of test vectors has rows" \
    "$(grep -cE '"\$(bash)?lyra2' "$dir/libxcrypt/test/ka-table.inc")" 552
tap_done
