# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# What tests/mutate makes of what the tests of a mutant say, with a tree that
# builds nothing and tests that are played.
. "$SRCDIR/tests/lib/tap.sh"
command -v python3 >/dev/null || skip_all "no python3 here"

# says TESTS SKIP SKIPPED LINE...: the verdict on a mutant with these tests,
# named in its list with this skip, of which one is skipped on the code as it
# is; each run of a test says the next line, "pass" that nothing fails
says()
{
	python3 - "$SRCDIR/tests/mutate" "$@" <<'PY'
import importlib.machinery, importlib.util, io, contextlib, sys
path, tests, skip, skipped, *lines = sys.argv[1:]
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("mutate", path)
mutate = importlib.util.module_from_spec(
    importlib.util.spec_from_loader("mutate", loader))
loader.exec_module(mutate)

class Played(mutate.Tree):
    def mutate(self, mutant):
        return lambda: None
    def make(self, tests):
        return mutate.run(["true"])
    def run_test(self, test):
        line = lines.pop(0)
        return (None if line == "pass" else
                mutate.TOO_LONG if line == "hangs" else line), []

tests = tests.split()
report = mutate.Report(1)
mutant = mutate.Mutant("file", tests, ["old"], ["new"], "", skip, 1)
with contextlib.redirect_stdout(io.StringIO()) as said:
    mutate.judge(Played("/nowhere"), mutant, report,
                 {test: [skipped] if skipped else [] for test in tests})
print(*report.counts, "flaky" if "flaky" in said.getvalue() else "",
      "%d left" % len(lines), said.getvalue().split()[0])
PY
}
one='not ok 5 - a' other='not ok 6 - b'
is "a failure that comes back kills" "$(says a.sh '' '' "$one" "$one")" \
    "killed  0 left ok"
is "also with another value" "$(says a '' '' \
    "not ok 3 - f.c:case: Assertion 'p == 0' failed: p == 0x55d8" \
    "not ok 3 - f.c:case: Assertion 'p == 0' failed: p == 0x5620")" \
    "killed  0 left ok"
is "one that does not is flaky" "$(says a.sh '' '' "$one" pass)" \
    "survived flaky 0 left not"
is "so is one in another line each time" \
    "$(says a.sh '' '' "$one" "$other" 'not ok 7 - c')" \
    "survived flaky 0 left not"
is "one in front does not hide one that comes back" \
    "$(says a.sh '' '' "$one" "$other" "$other")" "killed  0 left ok"
is "then the next test decides" \
    "$(says 'a.sh b.sh' '' '' "$one" pass "$other" "$other")" \
    "killed flaky 0 left ok"
is "nothing fails" "$(says 'a.sh b.sh' '' '' pass pass)" \
    "survived  0 left not"
is "no end, twice" "$(says a.sh '' '' hangs hangs)" "timed out  0 left ok"
is "no end, once" "$(says a.sh '' '' hangs pass)" "survived flaky 0 left not"
is "a skip that the list does not name excuses nothing" \
    "$(says a.sh '' 'ok 7 - limits # SKIP not here' pass)" \
    "survived  0 left not"
is "nor does another than it names" \
    "$(says a.sh labels 'ok 7 - limits # SKIP not here' pass)" \
    "survived  0 left not"
is "the one that it names" \
    "$(says a.sh limits 'ok 7 - limits # SKIP not here' pass)" \
    "undecided  0 left ok"
is "a skipped suite" "$(says a.sh '' '1..0 # SKIP no strace here' pass)" \
    "undecided  0 left ok"
tap_done
