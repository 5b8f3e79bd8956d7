# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# When bootstrap installs, generates, configures and counts, and its messages if
# it cannot.  Stand-ins replace the programs that it runs.
. "$SRCDIR/tests/lib/tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree run=$work/tree/bootstrap
afresh='ran autoreconf configure make .'
mkdir -p "$work/bin" "$tree" "$work/other"
(cd "$SRCDIR" && cp --parents bootstrap Makefile.am configure.ac \
    tests/README tests/lib/progress.sh src/encode.c src/account/aging.c \
    tests/unit/encode.c crypt/lib/alg-lyra2.c "$tree")
touch "$work/installed" "$work/other/file"

# program NAME <BODY: makes a script that notes its calls
program()
{
	printf '#!/bin/sh\nwork=%s\necho %s >>$work/did\n%s\n' "$work" "$1" \
	    "$(cat)" >"$work/bin/$1"
	chmod +x "$work/bin/$1"
}
echo 'echo "${uid-0}"' | program id
echo '[ -z "$no_sudo" ] && exec "$@"' | program sudo
echo '! grep -s . "$work/installed" || echo installed' | program dpkg-query
echo '[ -z "$no_network" ] && echo 1.0 >"$work/installed"' | program apt-get
program autoreconf <<'END'
mkdir build-aux
printf '#!/bin/sh\necho configure >>%s/did; : >Makefile\n%s\n' "$work" \
    '[ -z "$broken" ]' >configure
[ -z "$killed" ] || kill -TERM $PPID $$
chmod +x configure
END
program make <<'END'
case "$*" in *" checks "*) ;; *) exit 0 ;; esac
printf 'PASS: tes%s: tests/two.sh 1 - it works\nts/one.sh 1 - so does it\n' \
    "${two-PASS}"
echo 'SKIP: tests/three - no'
[ -z "$broken" ] || exit "$broken"
case ${two-PASS} in
PASS) printf '# PASS:  2\n# FAIL:  0\n# ERROR: 0\n' ;;
FAIL) printf '%s\n' '# PASS:  1' '# FAIL:  1' '# ERROR: 1' '.. contents::' \
    'not ok 1 - it works' '# PASS: tests/a' '# PASS:  3' '# FAIL:  3' ;;
esac >build/test-suite.log
[ "${two-PASS}$none" = PASS ]
END

# says WHAT TEXT [VARIABLE=VALUE...] COMMAND...: runs it with the stand-ins; the
# last line lists the stand-ins that it called
says()
{
	what=$1 text=$2
	shift 2
	: >"$work/did"
	env -C "$work" PATH="$work/bin:$PATH" CC= CHECK= BUILD=build "$@" \
	    >"$work/said" 2>&1
	echo "ran $(grep -v 'id\|query' "$work/did" | tr '\n' ' ')." >>"$work/said"
	ok "$what" grep -qF -e "$text" "$work/said"
}

says "no network" "is there a network" no_network=1 "$run"
says "no sudo" "administrator can run: apt-get install" uid=1 no_sudo=1 "$run"
says "with sudo" "ran sudo sudo apt-get sudo apt-get auto" uid=1 "$run"
says "again: only makes" "ran make ." uid=1 "$run"
touch "$tree/build/object"
says "another compiler" "$afresh" CC=gcc "$run"
fails "in an empty directory" test -e "$tree/build/object"
echo 2.0 >>"$work/installed"
says "another version has come" "$afresh" CC=gcc "$run"
says "configure fails" "ran autoreconf configure ." broken=1 "$run"
says "it fails no more" "$afresh" "$run"
says "interrupted" "same command goes on from here" killed=1 CC=cc "$run"
says "it goes on" "$afresh" CC=cc "$run"
cp -R "$tree" "$work/a b"
says "a path with a blank" "another path than '$work/a b'" "$work/a b/bootstrap"
says "a directory of others" "set BUILD to the name" BUILD="$work/other" "$run"
ok "which is left alone" test -e "$work/other/file"
says "chekc" "no step 'chekc': it can be build, demo or" "$run" chekc
says "check chekc" "no target 'chekc'" "$run" check chekc
says "no file" "no file 'src/none.c'" "$run" check src/none.c
says "a file without a quick test" "no quick test for crypt/lib/alg-lyra2.c" \
    "$run" check crypt/lib/alg-lyra2.c
says "a file" "TARGETS=tests/unit/params tests/" "$run" check src/encode.c
says "a unit program" "TARGETS=tests/unit/encode" \
    "$run" check tests/unit/encode.c
says "of a lower directory" "TARGETS=tests/unit/files tests/unit/pam-entry" \
    "$run" check src/account/aging.c
fails "without what takes longer" grep -q 'pam/set.sh' "$work/said"
says "CHECK=fast" "CHECK=fast: it can be" CHECK=fast "$run" check
says "check, whose output is cut" "2 passed, 0 failed" "$run" check
ok "and what is skipped" grep -q '^SKIP: tests/three' "$work/said"
says "a failure, and an error" "1 passed, 2 failed" two=FAIL "$run" check
says "its log is shown" "not ok 1" two=FAIL "$run" check
says "a suite that has not run" "2 passed, 1 failed" none=1 "$run" check
says "make has failed" "0 passed, 1 failed" broken=1 "$run" check
says "make has run none" "0 passed, 1 failed" broken=0 "$run" check
tap_done
