# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# shellcheck disable=SC2016	# scripts are written in single quotes
# When bootstrap installs, generates, configures and counts, and what it says
# when it cannot: with stand-ins for all the programs that it runs.
. "$SRCDIR/tests/lib/tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bin=$work/bin tree=$work/tree
mkdir "$bin" "$tree" "$work/state"

# ---- stand-ins ----
# program NAME BODY: a script; it can write to the log, $did
program()
{
	{
		echo '#!/bin/sh'
		echo "did=$work/did state=$work/state"
		echo "$2"
	} >"$bin/$1"
	chmod +x "$bin/$1"
}
for name in cat chmod cksum cp date dirname env grep ls mkdir nproc rm sed \
    sh sort tail touch tr wc; do
	ln -s "$(command -v $name)" "$bin/$name"
done
program id 'cat "$state/uid"'
program cc 'echo "cc (Distribution) 1.0"'
ln -s cc "$bin/other-cc"
for name in autoconf automake libtoolize; do
	program $name "echo $name 1.0"
done
program true "exit 0"
# A minute takes a moment.
program sleep "exec $(command -v sleep) 0.1"
# Installed is what the file says, name and version on a line.
program dpkg-query 'case $* in
*Status*)
	for package; do :; done
	! grep -q "^$package " "$state/installed" || echo installed ;;
*) for package; do grep "^$package " "$state/installed"; done ;;
esac'
program apt-get 'echo "apt-get $*" >>"$did"
[ ! -e "$state/no-network" ] || exit 100
[ "$1" = update ] || for package; do
	echo "$package 1.0" >>"$state/installed"
done'
program autoreconf 'echo autoreconf >>"$did"
mkdir build-aux
printf "%s\n" "#!/bin/sh" "echo configure \$CC \$* >>$did" \
    "[ ! -e $state/broken ] || exit 1" ": >config.status" ": >Makefile" \
    >configure
[ ! -e "$state/interrupted" ] || exit 1
chmod +x configure
touch Makefile.in config.h.in'
# A suite passes, fails or does not run: as the file for it says.
program make 'case $* in
*print-suites*)
	echo "check: tests/unit/one tests/tool/two.sh"
	echo "check-sanitize: tests/source/three.sh"
	echo "check-crypt: tests/crypt/four.sh" ;;
*" check")
	[ ! -e "$state/slow" ] || { sleep 1; sleep 1; sleep 1; }
	mkdir -p "$2/tests/unit" "$2/tests/tool"
	: >"$2/tests/unit/one.trs" >"$2/tests/unit/one.log"
	echo "PASS: tests/unit/one 1 - it works"
	[ -e "$state/absent" ] || : >"$2/tests/tool/two.trs"
	[ -e "$state/absent" ] || echo "PASS: tests/tool/two.sh 1 - it works" ;;
*check-sanitize)
	mkdir -p "$2/tests/source"
	: >"$2/tests/source/three.trs"
	echo "SKIP: tests/source/three.sh - no compiler" ;;
*check-crypt)
	mkdir -p "$2/tests/crypt"
	: >"$2/tests/crypt/four.trs"
	echo "not ok 1 - it works" >"$2/tests/crypt/four.log"
	echo "${four:-PASS}: tests/crypt/four.sh 1 - it works" ;;
*) echo make >>"$did" ;;
esac'

# bootstrap [VARIABLE=VALUE...] [ARGUMENT]: runs it there; what it did is in a
# file, what it said and its exit status are printed
bootstrap()
{
	: >"$work/did"
	status=0
	(cd "$work" && env -i PATH="$bin" "$@" 2>&1) || status=$?
	echo "status $status"
}

# did NAME [VARIABLE=VALUE...]: what a build did, in one line
did()
{
	bootstrap "$@" "$tree/bootstrap" >"$work/said"
	tr '\n' ',' <"$work/did"
}

mkdir -p "$tree/tests/lib"
cp "$SRCDIR/bootstrap" "$tree"
cp "$SRCDIR/tests/lib/progress.sh" "$tree/tests/lib"
touch "$tree/configure.ac" "$tree/Makefile.am"
echo 0 >"$work/state/uid"
: >"$work/state/installed"

# ---- what is done again ----
did >"$work/first"
ok "a first run installs, generates, configures and makes" grep -qE \
    'apt-get update.*,apt-get install.* gcc .*,autoreconf,configure,make,' \
    "$work/first"
is "a second run only makes" "$(did)" "make,"
is "another compiler: configures again" "$(did CC=other-cc)" \
    "configure other-cc,make,"
is "the same again: only makes" "$(did CC=other-cc)" "make,"
is "other flags: configures again" "$(did CFLAGS=-O3)" "configure,make,"
is "other arguments: configures again" \
    "$(did 'CONFIGURE_ARGS=--disable-pam --disable-tool')" \
    "configure --disable-pam --disable-tool,make,"
is "none: configures again" "$(did)" "configure,make,"
: >"$tree/build/object"
sed -i 's/^gcc 1.0/gcc 2.0/' "$work/state/installed"
is "another version has come: configures again" "$(did)" "configure,make,"
fails "in an empty directory" test -e "$tree/build/object"
echo "# changed" >>"$tree/Makefile.am"
is "Makefile.am has changed: generates" "$(did)" "autoreconf,make,"
cp -R "$tree" "$work/moved"
bootstrap "$work/moved/bootstrap" >/dev/null
is "the clone was copied: configures again" "$(tr '\n' , <"$work/did")" \
    "configure,make,"

# ---- what was interrupted ----
rm "$tree/build-aux/bootstrap.stamp"
: >"$work/state/interrupted"
did >/dev/null
rm "$work/state/interrupted"
is "autoreconf was interrupted: starts afresh" "$(did)" \
    "autoreconf,make,"
rm "$tree/Makefile.in"
is "automake has failed under make: starts afresh" "$(did)" "autoreconf,make,"
: >"$work/state/broken"
did CFLAGS=-O3 >/dev/null
rm "$work/state/broken"
is "configure has failed: again" "$(did CFLAGS=-O3)" "configure,make,"

# ---- what cannot be ----
cp -R "$tree" "$work/a b"
is "a path with a blank" "$(bootstrap BUILD="$work/b" "$work/a b/bootstrap")" \
    "bootstrap: make cannot build from '$work/a b': move the clone to where no name has blanks or quotes
status 1"
is "a build directory with a blank" \
    "$(bootstrap BUILD='b c' "$tree/bootstrap")" \
    "bootstrap: make cannot build in 'b c': set BUILD to a name without blanks and quotes
status 1"
: >"$tree/config.status"
ok "sources that are configured" sh -c 'echo "$1" | grep -q "make distclean"' \
    - "$(bootstrap "$tree/bootstrap")"
rm "$tree/config.status"
mkdir "$work/precious"
: >"$work/precious/file"
is "a directory that is not ours" \
    "$(bootstrap BUILD="$work/precious" "$tree/bootstrap")" \
    "bootstrap: $work/precious is not a build directory: move it, or set BUILD
status 1"
ok "it is left alone" test -e "$work/precious/file"
is "CHECK=fast" "$(bootstrap CHECK=fast "$tree/bootstrap" check)" \
    "bootstrap: CHECK=fast: it can be 'all' or 'long'
status 1"
ok "a word that is no step" sh -c 'echo "$1" | grep -q "^status 2"' - \
    "$(bootstrap "$tree/bootstrap" tset)"
ok "help is no step" sh -c 'echo "$1" | grep -q "^Usage: .*bootstrap"' - \
    "$(bootstrap "$tree/bootstrap" check --help)"
is "and does nothing" "$(cat "$work/did")" ""
ok "one step at a time" sh -c 'echo "$1" | grep -q "^status 2"' - \
    "$(bootstrap "$tree/bootstrap" demo check)"

# ---- packages ----
sed -i '/^make /d' "$work/state/installed"
: >"$work/state/no-network"
ok "no network: says so, and what is to be done" sh -c \
    'echo "$1" | grep -q "Is there a network.* apt-get install .* make$"' - \
    "$(bootstrap "$tree/bootstrap")"
rm "$work/state/no-network"
echo 1000 >"$work/state/uid"
ok "no sudo: names the packages" sh -c \
    'echo "$1" | grep -q "administrator run: .*apt-get install .* make$"' - \
    "$(bootstrap "$tree/bootstrap")"
is "and does nothing" "$(cat "$work/did")" ""
program sudo 'exit 1'
ok "sudo refuses: it is not taken for the network" sh -c \
    'echo "$1" | grep -q "sudo does not make you root.* install .* make$"' - \
    "$(bootstrap "$tree/bootstrap")"
is "and nothing is tried" "$(cat "$work/did")" ""
program sudo 'echo sudo >>"$did"; exec "$@"'
ok "with sudo" sh -c 'echo "$1" | grep -q "sudo,apt-get update.*,make,"' - \
    "$(did)"
is "nothing is missing: no sudo" "$(did)" "make,"
bootstrap "$tree/bootstrap" check >"$work/said"
fails "check goes on with what the others built" grep configure "$work/did"
ok "it says how long a target takes, and where its log is" grep -q \
    '^== make check: about [0-9]* minutes .*build/bootstrap-check.log' \
    "$work/said"

# ---- check ----
check()
{
	bootstrap "$@" "$tree/bootstrap" check >"$work/said"
	tail -n 2 "$work/said"
}
is "check: the last line" "$(check)" "3 passed, 0 failed
status 0"
is "and no other is like it" "$(grep -cE '^[0-9]+ passed' "$work/said")" 1
ok "what comes next" grep -q '^Next: ' "$work/said"
is "what is skipped is said" "$(grep ^SKIP "$work/said")" \
    "SKIP: tests/source/three.sh - no compiler"
is "one target of them" "$(bootstrap "$tree/bootstrap" check check-crypt |
    tail -n 2)" "1 passed, 0 failed
status 0"
ok "an unknown one" sh -c 'echo "$1" | grep -q "no target .check-all. here"' \
    - "$(bootstrap "$tree/bootstrap" check check-all)"
is "a failure" "$(check four=FAIL)" "2 passed, 1 failed
status 1"
ok "its log is shown" grep -q '^not ok 1' "$work/said"
: >"$work/state/absent"
is "a suite that has not run is a failure" "$(check)" "2 passed, 1 failed
status 1"
ok "it is named" grep -q '^ERROR: tests/tool/two.sh - it has not run' \
    "$work/said"
rm "$work/state/absent"
: >"$work/state/slow"
check >/dev/null
ok "long work says how far it is" grep -qx \
    '   0:0[0-9]  0 of 2 suites, 0 results' "$work/said"
rm "$work/state/slow"
is "no build, and still a last line" "$(check BUILD="$work/precious")" \
    "0 passed, 1 failed
status 1"

# ---- packages beside what bootstrap builds ----
if [ -e "$SRCDIR/debian/rules" ] &&
    [ -e /usr/share/dpkg/architecture.mk ]; then
	is "debian/rules has its own build directory" "$(cd "$tree" &&
	    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL \
	    make --no-print-directory -n -f "$SRCDIR/debian/rules" build)" \
	    "dh build --builddirectory=debian/build"
else
	skip "debian/rules has its own build directory" \
	    "no debian/rules or no dpkg-dev here"
fi
tap_done
