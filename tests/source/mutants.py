#!/usr/bin/python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""Breaks one line of C after another, and says which faults no test notices.

Works on a copy of the tree, in DIR.  The copy is configured as the build in the
current directory.  tests/README says which tests run for a file.
The same seed draws the same faults, and a larger N draws more.  An interrupted
run continues.  After a change of the tree, surviving faults are tried again.
"""

import argparse
import collections
import fcntl
import hashlib
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
ROW = re.compile(r"^    ((?:src|pam|crypt)/\S*) +(\w+/\S.*)$", re.M)
HIDDEN = re.compile(r'/\*[\s\S]*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\])+\''
                    r"|^#(?! *define)(?:.*\\\n)*.*$|^# *define \S+", re.M)
OPPOSITE = dict(zip("== != && || < <= > >= -1 0 false true".split(),
                    "!= == || && <= < >= > 0 -1 true false".split()))


def masked(text):
    """Returns the text, blank in comments, strings and most directives."""
    return HIDDEN.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def closing(text, start):
    """Returns where the parenthesis at start closes, and the commas before."""
    depth, commas = 0, []
    for i in range(start, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0:
            return i, commas
        if depth == 1 and text[i] == ",":
            commas.append(i)


def conditions(text, code):
    """A condition is negated, or an error that it finds is ignored."""
    for m in re.finditer(r"\b(if|while) \(", code):
        start = m.end() - 1
        end, _ = closing(code, start)
        inside = text[start:end + 1]
        yield "negated", start, end + 1, f"(!{inside})"
        if re.match(r"\s*\{?\s*(return (-|NULL|false)|goto )", code[end + 1:]):
            yield "error ignored", start, end + 1, f"({inside} && 0)"
    for m in re.finditer(r"(?<= )([=!<>]=|[<>]|&&|\|\|)(?=\s)", code):
        yield ("off by one" if m[0][0] in "<>" else "negated", m.start(),
               m.end(), OPPOSITE[m[0]])
    for m in re.finditer(r"\breturn (-1|0|false|true);", code):
        yield "error ignored", m.start(1), m.end(1), OPPOSITE[m[1]]


def calls(text, code):
    """A call is dropped, but for free(3), or two arguments change places."""
    for m in re.finditer(r"\b[a-z]\w*\(", code):
        before = code[code.rfind("\n", 0, m.start()) + 1:m.start()]
        end, commas = closing(code, m.end() - 1)
        if not before.startswith("\t"):
            continue		# a definition
        if before.strip() in ("", "(void)") and code[end + 1] == ";" and \
                m[0] != "free(":
            yield "call dropped", m.start(), end + 1, "(void)0"
        edges = [m.end() - 1, *commas, end]
        for a, b, c in zip(edges, edges[1:], edges[2:]):
            one, two = text[a + 1:b].strip(), text[b + 1:c].strip()
            # Only the compiler meets "&x" for "x" or for a number.
            if one != two and one[0].isalpha() == two[0].isalpha() and \
                    not m[0].endswith("cmp("):
                yield "swapped", a + 1, c, f"{two}, {one}"


def constants(_, code):
    for m in re.finditer(r"(?<![\w.])(0|[1-9]\d*)(?![\dx])", code):
        returned = re.search(r"return -?$", code[:m.start()])
        for n in {int(m[0]) + 1, abs(int(m[0]) - 1)} if not returned else ():
            yield "off by one", m.start(), m.end(), str(n)


class Fault(collections.namedtuple("Fault", "path line kind old new broken")):
    def __str__(self):
        return "{}:{}: {}: {} -> {}".format(
            *(" ".join(str(part).split()) for part in self[:5]))


def lines_of(path):
    """Returns the faults of each kind, for each line that can be broken."""
    text = (SOURCE / path).read_text()
    lines = collections.defaultdict(lambda: collections.defaultdict(list))
    for make in (conditions, calls, constants):
        for kind, start, end, new in make(text, masked(text)):
            line = text.count("\n", 0, start) + 1
            lines[line][kind].append(Fault(
                path, line, kind, text[start:end], new,
                text[:start] + new + text[end:]))
    return [kinds for _, kinds in sorted(lines.items())]


def draw(paths, n, seed):
    rng = random.Random(seed)
    lines = [kinds for path in paths for kinds in lines_of(path)]
    rng.shuffle(lines)
    for kinds in lines[:n]:
        yield rng.choice(kinds[rng.choice(sorted(kinds))])


# ---- the copy and its tests ----
# A broken writer that ran as root changed /dev/null: only the copy is writable.
LAST = 'cd "$PWD" && exec "$@"'
FENCE = ["unshare", "-m", "sh", "-c", 'mount --bind "$0" "$0" && '
         "mount -o remount,bind,ro /dev && mount -o remount,bind,ro / && "
         + LAST]


def table():
    rows = collections.defaultdict(list)
    for folder, tests in ROW.findall((SOURCE / "tests/README").read_text()):
        rows[folder] += tests.split()
    return rows


def tests_of(path, rows):
    """Returns the tests of the row with the longest directory that fits."""
    return rows[max(filter(path.startswith, rows), key=len, default="")]


class Copy:
    def __init__(self, at):
        self.tree, self.build, self.digest = at / "tree", at / "build", 0
        self.times = {}
        shutil.copytree(SOURCE, self.tree, dirs_exist_ok=True,
                        ignore=self.made, copy_function=self.update)
        self.build.mkdir(exist_ok=True)
        if not (self.build / "Makefile").exists():
            subprocess.run(
                ["sh", "-c", 'eval "../tree/configure $($0 --config) '
                 '--enable-werror"', os.path.abspath("config.status")],
                cwd=self.build, stdout=subprocess.DEVNULL, check=True)
        self.digest = str(self.digest)
        status, said = self.make("all")
        if status != 0:
            sys.exit(f"no build, without a fault:\n{said}")

    @staticmethod
    def made(folder, names):
        """Names in a directory that are not copied: builds, and .git."""
        return [x for x in names
                if x == ".git" or os.path.exists(f"{folder}/{x}/config.log")]

    def update(self, old, new):
        """Copies a file; one that has changed looks new to make."""
        new, data = pathlib.Path(new), pathlib.Path(old).read_bytes()
        self.digest ^= int(hashlib.sha256(data).hexdigest()[:16], 16)
        if not new.exists():
            shutil.copy2(old, new)
        elif new.read_bytes() != data:
            shutil.copyfile(old, new)

    def make(self, *arguments, limit=600):
        """Returns make's status, or None if it hangs; and its output."""
        env = {k: v for k, v in os.environ.items()
               if k != "MFLAGS" and "MAKE" not in k}
        env["TEMP"] = env["TMPDIR"] = str(self.build.parent)	# TEMP: Check's
        process = subprocess.Popen(
            [*(FENCE if os.geteuid() == 0 else ["sh", "-c", LAST]),
             self.build.parent, "make", "-s", f"-j{os.cpu_count()}",
             *arguments], text=True, cwd=self.build, env=env,
            stdout=subprocess.PIPE, errors="replace",
            stderr=subprocess.STDOUT, start_new_session=True)
        try:
            said, _ = process.communicate(timeout=limit)
            return process.returncode, said
        except subprocess.TimeoutExpired:
            return None, ""
        finally:
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)

    def outcome(self, fault, tests):
        """Returns the outcome of a fault, and the test that noticed."""
        for test in set(tests) - set(self.times):
            self.make("all")		# without the fault before
            start = time.monotonic()
            status, said = self.make("check-TESTS", f"TESTS=tests/{test}")
            self.times[test] = time.monotonic() - start
            if status != 0 or "# PASS:  0" in said:
                sys.exit(f"{test} does not pass, without a fault:\n{said}")
        whole = (self.tree / fault.path).read_text()
        (self.tree / fault.path).write_text(fault.broken)
        try:
            if self.make("all")[0] != 0:
                return "unbuilt", "-"
            for test in tests:
                status, _ = self.make("check-TESTS", f"TESTS=tests/{test}",
                                      limit=20 + 3 * self.times[test])
                if status != 0:
                    return "hangs" if status is None else "noticed", test
            return "lived", "-"
        finally:
            (self.tree / fault.path).write_text(whole)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add, rows = parser.add_argument, table()
    add("-n", type=int, default=30, help="how many lines (30)")
    add("-s", "--seed", default="1", help="a word that says which (1)")
    add("-d", "--dir", default="mutants", type=pathlib.Path,
        help="where the copy and the log are (mutants)")
    add("files", nargs="*", default=["src", "pam"],
        help="C files, and folders of them (src pam)")
    args = parser.parse_args()
    paths = {str(path.relative_to(SOURCE)) for name in args.files
             for path in [SOURCE / name, *(SOURCE / name).rglob("*.c")]
             if path.suffix == ".c"}
    faults = list(draw(sorted(path for path in paths if tests_of(path, rows)),
                       args.n, args.seed))
    args.dir.mkdir(parents=True, exist_ok=True)
    counts = collections.Counter()
    with (args.dir / "log").open("a+") as log:
        fcntl.flock(log, fcntl.LOCK_EX)		# only one process writes at a time
        log.seek(0)
        copy = Copy(args.dir.resolve())
        past = {key: rest for key, *rest in map(str.split, log)}
        for fault in faults:
            key = hashlib.sha256((fault.path + fault.broken).encode())
            key = key.hexdigest()[:16]
            result, by, digest = past.get(key, ("", "", ""))
            if not result or result == "lived" and digest != copy.digest:
                result, by = copy.outcome(fault, tests_of(fault.path, rows))
                print(key, result, by, copy.digest, file=log, flush=True)
            counts[result] += 1
            print(f"{result:8} {by:18} {fault}", flush=True)
    built = counts.total() - counts["unbuilt"]
    print(*(f"{counts[x]} {x}," for x in "noticed hangs unbuilt".split()),
          f"{counts['lived']} lived ({100 * counts['lived'] / max(built, 1):.0f} % of {built})")


main()
