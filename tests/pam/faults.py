#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""faults - each system call of a login or a change fails, or is the last one.

usage: faults.py BUILDDIR CONF EVERY

Runs as root in a namespace of tests/lib/namespace.  Each scenario runs once
to learn its calls, then once for each fault of each call, with the module
alone and, where /etc/pam.d has common-auth, in that stack.  EVERY is 1 for all
faults, N for one in N, the same ones each time.  Afterwards /etc/shadow must be
the old one or the new one, with all its attributes; a new one must have reached
the disk; what a process left behind may not hinder the next change; no process,
and so no lock, may be left after five seconds; no wrong password may be
accepted.  A kill comes before a call, and so after the one before it.  Prints
TAP, and counts.
"""

import collections
import contextlib
import ctypes
import errno
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../lib"))
import tap  # noqa: E402

RIGHT, WRONG, NEW, NEXT = "secret", "Secret", "Zebra-5319x", "Quagga-7731x"
SHADOW, GROUP, NEW_FILE = "/etc/shadow", 42, "/etc/.shadow.lyra2."
SLOTS = {"/run/lyra2": 0o2750, "/run/lyra2/slots": 0o660,
         "/run/lyra2/slot.2": 0o660}
LIMIT_MS = 5000
ERRORS = ["EIO", "ENOSPC", "ENOMEM", "EINTR", "EACCES", "EROFS", "EDQUOT",
          "EMFILE", "EAGAIN"]
HELPERS = ("lyra2_update", "lyra2_chkpwd")
# They are "always successful", getuid(2): all that can come is a kill.
CANNOT_FAIL = {"getuid", "geteuid", "getgid", "getegid", "getpid", "getppid",
               "gettid"}
DETACHED = 99
# PAM_CRED_UNAVAIL: where a helper is killed, or has no memory to queue with,
# pam_unix must not compute in its place.
REFUSED = 15
CHILD_OF = 100
STACKS = ("alone", "profile")
AGED = "19000:0:99999:7:::"


# --- scenarios -------------------------------------------------------------

# typed: what is typed at prompts.  fine: whether each call succeeds; one that
# does not may never.  new: the password of a new hash, where one comes.
# first: since the machine was started.  back: to another method.
Scenario = collections.namedtuple(
    "Scenario", "name calls typed fine new hash rest user first back",
    defaults=(None, "current", AGED, "alice", False, False))

LOGIN = ["auth", "account"]
OWN = ["euid:1001", "passwd"]
SCENARIOS = [
    Scenario("login, right", LOGIN, [RIGHT], [True, True]),
    Scenario("login, wrong", ["auth"], [WRONG], [False]),
    Scenario("login, right, outdated", LOGIN, [RIGHT], [True, True], RIGHT,
             "outdated"),
    Scenario("login, wrong, outdated", ["auth"], [WRONG], [False], None,
             "outdated"),
    Scenario("login, locked", ["auth"], [RIGHT], [False], None, "locked"),
    Scenario("login, unknown", ["auth"], [RIGHT], [False],
             user="nobody-here"),
    Scenario("login, blank", LOGIN, [""], [True, True], None, "blank"),
    Scenario("login, blank, refused", ["auth:n"], ["", ""], [False], None,
             "blank"),
    Scenario("account expired", LOGIN, [RIGHT], [True, False],
             rest="19000:0:99999:7::1:"),
    Scenario("password expired, changed at login", LOGIN + ["passwd:e"],
             [RIGHT, RIGHT, NEW, NEW], [True, False, True], NEW,
             rest="0:0:99999:7:::"),
    Scenario("the user's own process, right", ["uid:1001", "auth"], [RIGHT],
             [True], None, "outdated"),
    Scenario("the user's own process, wrong", ["uid:1001", "auth"], [WRONG],
             [False]),
    Scenario("su, right, outdated", ["euid:1001", "auth"], [RIGHT], [True],
             RIGHT, "outdated"),
    Scenario("passwd", OWN, [RIGHT, NEW, NEW], [True], NEW),
    Scenario("passwd, wrong", OWN, [WRONG, NEW, NEW], [False]),
    Scenario("passwd, too young", OWN, [RIGHT, NEW, NEW], [False],
             rest="20000:99999:99999:7:::"),
    Scenario("passwd by root", ["passwd"], [NEW, NEW], [True], NEW,
             "outdated"),
    Scenario("chpasswd", [], ["alice:" + NEW], [True], NEW, "outdated"),
    Scenario("login, the first of all", LOGIN, [RIGHT], [True, True],
             first=True),
    Scenario("login, right, going back", LOGIN, [RIGHT], [True, True], RIGHT,
             back=True),
]

# In others, what happens before a process asks, or is asked, is the same.
WITH_EARLY_CALLS = ("login, right", "the user's own process, right",
                    "su, right, outdated", "passwd",
                    "login, the first of all")


# --- the files -------------------------------------------------------------

def set_attributes(path):
    """Those of a file that others have set up; whether all could be set."""
    os.chown(path, 0, GROUP)
    os.chmod(path, 0o640)
    subprocess.run(["setfacl", "-m", "u:7:r", path], check=True)
    try:
        os.setxattr(path, "trusted.lyra2", b"kept")
    except OSError:
        return False
    return True


class Files:
    """/etc/shadow with one user to vary, and what else can be left behind."""

    def __init__(self, hashes):
        self.hashes = hashes
        self.attributes = {}
        self.line = b""
        with open(SHADOW, "rb") as file:
            self.before = b"".join(x for x in file
                                   if not x.startswith(b"alice:"))
        self.before += b"# a comment, : and blanks\n"
        self.after = b"carol:*:1::::::"
        self.content = b""
        self.known = set()

    def set(self, scenario):
        line = "alice:%s:%s\n" % (self.hashes[scenario.hash], scenario.rest)
        self.line = line.encode()
        self.content = self.before + self.line + self.after
        self.write()
        set_attributes(SHADOW)
        self.attributes = self.current()

    def write(self):
        new = SHADOW + ".new"
        with open(new, "wb") as file:
            file.write(self.content)
        if self.attributes:
            mode, uid, gid, xattrs = self.attributes
            os.chown(new, uid, gid)
            for name, value in xattrs.items():
                os.setxattr(new, name, value)
            os.chmod(new, mode)
        os.rename(new, SHADOW)

    @staticmethod
    def current():
        st = os.stat(SHADOW)
        return (stat.S_IMODE(st.st_mode), st.st_uid, st.st_gid,
                {x: os.getxattr(SHADOW, x) for x in os.listxattr(SHADOW)})

    @staticmethod
    def names():
        return {os.path.join(folder, name)
                for top in ("/etc", "/run") for folder, folders, files in
                os.walk(top) for name in folders + files}

    def remember(self):
        self.known = self.names()

    def restore(self, left):
        for path in left:
            if os.path.isdir(path) and not os.path.islink(path):
                os.rmdir(path)
            elif os.path.lexists(path):
                os.unlink(path)
        self.write()


class Library:
    def __init__(self):
        self.lyra2 = ctypes.CDLL("liblyra2.so.0")
        self.crypt = ctypes.CDLL("libcrypt.so.1").crypt
        self.crypt.restype = ctypes.c_char_p

    def verify(self, field, password):
        if not field.startswith(b"$lyra2$"):
            return self.crypt(password.encode(), field) == field
        return self.lyra2.lyra2_verify(
            None, field, password.encode(),
            ctypes.c_size_t(len(password))) == 0


# --- one run ---------------------------------------------------------------

class Bench:
    def __init__(self, build, conf):
        self.build, self.conf = build, conf
        self.library = Library()
        self.report = tempfile.mkdtemp() + "/report"
        outdated = self.library.crypt(RIGHT.encode(),
                                      b"$6$rounds=1000$saltsalt$").decode()
        self.hashes = {"outdated": outdated, "locked": "!" + outdated,
                       "blank": "", "current": ""}
        self.files = Files(self.hashes)
        with open(conf, encoding="utf-8") as file:
            self.forth = file.read()
        self.make_current()
        self.names = system_calls()

    def configure(self, back):
        with open(self.conf, "w", encoding="utf-8") as file:
            file.write(self.forth + "method = yescrypt\n" * back)

    def make_current(self):
        self.files.set(SCENARIOS[0])
        self.run(change_to(RIGHT), "alone", None)
        self.hashes["current"] = field_of("alice")

    def run(self, scenario, stack, rule):
        """The exit status, and what each call returned."""
        argv = [self.build + "/tests/pam/try", "/etc/pam.d", stack,
                scenario.user, "nodelay", *scenario.calls]
        if not scenario.calls:
            argv = ["chpasswd"]
        if scenario.first:
            shutil.rmtree("/run/lyra2", ignore_errors=True)
        if rule is not None:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self.report)
            argv = [self.build + "/tests/pam/inject", self.report,
                    str(LIMIT_MS + 1000), rule, *argv]
        done = subprocess.run(
            argv, input="".join(x + "\n" for x in scenario.typed).encode(),
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        if done.returncode == 77:
            raise OSError("no user notification")
        codes = dict(re.findall(r"(?m)^([a-z]+(?::[a-z]+)?)=(\d+)$",
                                done.stdout.decode()))
        if not scenario.calls:
            return {"chpasswd": done.returncode}
        return {x: int(y) for x, y in codes.items() if "uid:" not in x}

    def reported(self):
        with open(self.report, encoding="utf-8") as file:
            return file.read().splitlines()


def change_to(password):
    return Scenario("next", ["passwd"], [password, password], [True],
                    password)


def field_of(user):
    with open(SHADOW, encoding="utf-8") as file:
        return re.search(r"(?m)^%s:([^:]*):" % user, file.read()).group(1)


def system_calls():
    """The names of the numbers."""
    text = subprocess.run(
        [os.environ.get("CC", "cc"), "-E", "-dM", "-"], check=True, text=True,
        input="#include <sys/syscall.h>\n", stdout=subprocess.PIPE).stdout
    return {int(n): name for name, n in
            re.findall(r"#define __NR_(\w+) (\d+)", text)}


# --- faults ----------------------------------------------------------------

Fault = collections.namedtuple("Fault", "process call nth what persists file")


# A call of process, which is the application or one of our helpers.  early:
# before it asks, or is asked, and so the same in each scenario.
Call = collections.namedtuple("Call", "process number file name early")


def calls_of(bench):
    """Those of the run that was recorded."""
    ours, begun, calls = {0}, set(), []
    for line in bench.reported():
        process, number, file = line.split(" ", 2)
        process, number = int(process), int(number)
        name = bench.names.get(number, str(number))
        if name == "execve" and os.path.basename(file) in HELPERS:
            ours |= {process, process - CHILD_OF}
        if process == DETACHED or name == ("recvfrom" if process
                                           else "socketpair"):
            begun.add(process)
        calls.append(Call(process, number, file, name, process not in begun))
    return [x for x in calls if x.process in ours | {DETACHED}]


def waits_by_design(name, error):
    """A lock that is never free is waited for; EINTR is tried again."""
    return error == "EINTR" or (name == "fcntl" and
                                error in ("EAGAIN", "EACCES"))


def faults_of(calls, early_too, conf):
    """All of them; what can go wrong early is one case in most scenarios.
    Not that conf has nothing in it: the defaults then hold."""
    total = collections.Counter((x.number, x.file) for x in calls)
    later, seen = collections.Counter(), collections.Counter()
    last = {}
    for call in calls:
        seen[call] += 1
        later[call.number, call.file] += 1
        at = call.process, call.number, seen[call] + (
            0 if call.early else seen[call._replace(early=True)])
        again, last[call.process] = last.get(call.process) == call, call
        if again and call.name == "rt_sigaction":  # one of 64
            continue
        yield Fault(*at, "k", False, call.file)
        if call.name in CANNOT_FAIL or (call.early and not early_too):
            continue
        if call.name == "read" and call.file != conf:
            yield Fault(*at, "z", False, call.file)
        for error in ERRORS:
            yield Fault(*at, error, False, call.file)
            if later[call.number, call.file] < \
                    total[call.number, call.file] and \
                    not waits_by_design(call.name, error):
                yield Fault(*at, error, True, call.file)


def rule_of(fault):
    what = fault.what
    if what.startswith("E"):
        what = str(getattr(errno, what))
    return "%d:%d:%d:%s%s:%s" % (*fault[:3], what,
                                 "+" if fault.persists else "", fault.file)


def describe(bench, fault):
    who = {0: "application", DETACHED: "detached"}.get(
        fault.process, "helper %d" % (fault.process - CHILD_OF)
        if fault.process > CHILD_OF else "before helper %d" % fault.process)
    what = {"k": "killed", "z": "returns 0"}.get(fault.what, fault.what)
    return "%s: %s(%s) %d: %s%s" % (
        who, bench.names.get(fault.call, fault.call), fault.file, fault.nth,
        what, " from then on" if fault.persists else "")


# --- judgement -------------------------------------------------------------

def judge_shadow(bench, scenario):
    """(what is wrong, whether there is a new hash)."""
    files = bench.files
    with open(SHADOW, "rb") as file:
        now = file.read()
    wrong = []
    if files.current() != files.attributes:
        wrong.append("attributes changed: %r" % (files.current(),))
    if now == files.content:
        return wrong, False
    head, tail = len(files.before), len(files.after)
    line = now[head:len(now) - tail]
    fields, old = line.split(b":"), files.line.split(b":")
    if now[:head] != files.before or now[len(now) - tail:] != files.after or \
            line.count(b"\n") != 1 or len(fields) != len(old):
        wrong.append("/etc/shadow is torn: %r" % now)
    elif not scenario.new or not bench.library.verify(fields[1],
                                                      scenario.new):
        wrong.append("another hash: %r" % line)
    else:
        date = 3 if scenario.new == NEW else 2
        if fields[0] != old[0] or fields[date:] != old[date:]:
            wrong.append("other fields changed: %r" % line)
    return wrong, True


def judge_codes(bench, scenario, stack, fault, codes, expected, is_new):
    """codes are what the calls returned, and expected, without the fault."""
    wrong = ["%s is accepted" % x for x in expected
             if expected[x] != 0 and codes.get(x) == 0]
    if is_new and fault.what in ERRORS and fault.file.startswith(NEW_FILE) \
            and bench.names[fault.call] == "fsync":
        wrong.append("a new file that may not be on the disk")
    change = [x for x in codes if "passwd" in x and codes[x] == 0]
    if change and scenario.new and not is_new:
        wrong.append("success, but the password is not new")
    if fault.persists:  # it may hit pam_unix and libpam, too
        return wrong
    if fault.process == DETACHED and codes != expected:
        wrong.append("only the rehash failed: %r" % codes)
    if (stack == "profile" and fault.process > 0 and "auth" in expected and
            scenario.hash == "outdated" and codes != expected and
            codes["auth"] != REFUSED):
        wrong.append("pam_unix has not let in: %r" % codes)
    return wrong


def next_change(bench):
    """Where something was left behind."""
    codes = bench.run(change_to(NEXT), "alone", None)
    if codes != {"passwd": 0} or \
            not bench.library.verify(field_of("alice").encode(), NEXT):
        return ["the next change fails: %r" % codes]
    left = [x for x in os.listdir("/etc") if x.startswith(".shadow")]
    return ["the next change leaves %s" % x for x in left] + judge_slots()


def judge_slots():
    """Whether lyra2_chkpwd can use them."""
    wrong = []
    for path, mode in SLOTS.items():
        st = os.stat(path)
        now = st.st_uid, st.st_gid, stat.S_IMODE(st.st_mode)
        if now != (0, GROUP, mode):
            wrong.append("%s: %r" % (path, now))
    return wrong


class Sum:
    """What the faults of one scenario came to."""

    def __init__(self):
        self.faults = self.struck = self.killed = self.new = self.left = 0
        self.longest = 0
        self.bad = []

    def add(self, bench, scenario, stack, fault, expected):
        codes = bench.run(scenario, stack, rule_of(fault))
        struck, ms = map(int, bench.reported()[0].split())
        wrong, is_new = judge_shadow(bench, scenario)
        wrong += judge_codes(bench, scenario, stack, fault, codes, expected,
                             is_new)
        if struck < 0 or ms > LIMIT_MS:
            wrong.append("it takes %d ms" % ms)
        left = bench.files.names() - bench.files.known
        if left or scenario.first:
            wrong += next_change(bench)
        bench.files.restore(left)
        self.faults += 1
        self.struck += struck != 0
        self.killed += fault.what == "k"
        self.new += is_new
        self.left += bool(left)
        self.longest = max(self.longest, ms)
        self.bad += ["%s: %s" % (describe(bench, fault), x) for x in wrong]

    def merge(self, other):
        for name, value in other.items():
            if name == "longest":
                self.longest = max(self.longest, value)
            else:
                setattr(self, name, getattr(self, name) + value)


def is_chosen(fault, scenario, stack, every, part, parts):
    """Not by its place: two records of a scenario may differ."""
    key = zlib.crc32(("%s %s %s" % (scenario.name, stack, fault)).encode())
    return key % every == 0 and key // every % parts == part


def sweep(bench, scenario, stack, every, part, parts):
    with open("/etc/pam.d/chpasswd", "w", encoding="utf-8") as file:
        file.write("@include %s\n" % stack)
    bench.configure(scenario.back)
    bench.files.set(scenario)
    expected = bench.run(scenario, stack, "-")
    calls = calls_of(bench)
    wrong, is_new = judge_shadow(bench, scenario)
    bench.files.remember()
    bench.files.restore([])
    total = Sum()
    if [x == 0 for x in expected.values()] != scenario.fine or wrong or \
            is_new != bool(scenario.new):
        total.bad.append("without faults: %r, %r, %s hash" % (
            expected, wrong, "new" if is_new else "old"))
    if scenario.new == RIGHT and not any(
            x.process == DETACHED and x.name.startswith("rename")
            for x in calls):
        total.bad.append("who stores the new hash is not followed")
    early_too = scenario.name in WITH_EARLY_CALLS
    chosen = [x for x in faults_of(calls, early_too, bench.conf) if
              is_chosen(x, scenario, stack, every, part, parts)]
    for fault in chosen:
        total.add(bench, scenario, stack, fault, expected)
    bench.configure(False)
    return total


# --- all of them, on all CPUs ----------------------------------------------

def work(build, conf, every, part, parts):
    bench = Bench(build, conf)
    for stack in STACKS:
        if not os.path.exists("/etc/pam.d/" + stack):
            continue
        for scenario in SCENARIOS:
            done = sweep(bench, scenario, stack, every, part, parts)
            print(json.dumps([stack, scenario.name, vars(done)]), flush=True)
            if every == 1:  # an hour's work
                print("# worker %d: %s, %s: %d faults, %d findings" % (
                    part, stack, scenario.name, done.faults, len(done.bad)),
                    file=sys.stderr, flush=True)


# An /etc and a /run for each worker.
PRIVATE = """
for folder in /etc /run; do
	cp -a $folder "$0"
	mount -t tmpfs -o mode=755 none $folder
	cp -a "$0$folder/." $folder
done
exec "$@"
"""


def start(args, part, parts):
    folder = tempfile.mkdtemp()
    return subprocess.Popen(
        ["unshare", "-m", "sh", "-ec", PRIVATE, folder, sys.executable, "-B",
         os.path.abspath(__file__), *args, str(part), str(parts)],
        stdout=subprocess.PIPE, text=True)


def main(args):
    parts = 2 * (os.cpu_count() or 1)  # half of the time they wait
    sums, total = {}, Sum()
    workers = [start(args, x, parts) for x in range(parts)]
    if not set_attributes(SHADOW):
        tap.skip("an extended attribute", "none can be set here")
    for worker in workers:
        for line in worker.communicate()[0].splitlines():
            stack, name, numbers = json.loads(line)
            sums.setdefault((stack, name), Sum()).merge(numbers)
        tap.equal("worker %d comes to its end" % workers.index(worker),
                  worker.returncode, 0)
    if not any(stack == "profile" for stack, _ in sums):
        tap.skip("the stack of the package", "no pam-auth-update here")
    for (stack, name), one in sums.items():
        tap.ok("%s, %s: %d faults" % (stack, name, one.faults),
               not one.bad, "\n".join(one.bad))
        total.merge(vars(one))
    unreached = total.faults - total.struck
    tap.ok("almost all calls come again", unreached * 50 <= total.faults)
    print("# %d faults (%d kills) in %d scenarios; %d not reached, "
          "%d new hashes, %d left something behind, the longest took %d ms; "
          "%d findings" % (total.faults, total.killed, len(sums),
                           unreached, total.new, total.left,
                           total.longest, len(total.bad)))
    tap.done()


if __name__ == "__main__":
    if len(sys.argv) == 4:
        main(sys.argv[1:])
    elif len(sys.argv) == 6:
        work(*sys.argv[1:3], *map(int, sys.argv[3:]))
    else:
        sys.exit(__doc__)
