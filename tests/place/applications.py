# SPDX-License-Identifier: BSD-2-Clause
"""What a PAM call leaves in its application: nothing.

Each scenario below is a program that logs in, with lyra2d and without, as
root's program and as a set-user-ID program.  It returns what is left, in words.
"""
import os
import resource
import signal
import subprocess
import sys
import threading
import time

import application
import lyra2d
import place
from application import Pam, begin, left, login

ALL = ("authenticate", "acct_mgmt", "setcred", "open_session")


def expect(got, wanted, what="codes"):
    return "" if got == wanted else "%s: %r; " % (what, got)


# ---- the programs ----
def plain():
    return expect(login(calls=ALL), [0] * 4) + left()


def wrong():
    codes = login(password="wrong", calls=("authenticate",))
    return expect(codes, [7]) + left()


def no_user():
    codes = login("nobody-here", calls=("authenticate",))
    return expect(codes, [10]) + left()


def between():
    one = Pam()
    said = expect(one.call("authenticate"), 0) + left("descriptors")
    one.call("setcred")
    said += left()
    one.end()
    return said + left()


def changes():
    one = Pam("passwd", "carol", *["secret"] * (os.getuid() != 0),
              "another-1", "another-1")
    said = expect(one.call("chauthtok"), 0)
    one.end()
    return said + left()


def ten():
    codes = [login() for _ in range(10)]
    return expect(codes, [[0, 0]] * 10) + left()


def subreaper():
    application.libc.prctl(application.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    return ten()


def threads():
    codes = []
    some = [threading.Thread(target=lambda: codes.extend(
        login() for _ in range(4))) for _ in range(3)]
    for one in some:
        one.start()
    for one in some:
        one.join()
    return expect(codes, [[0, 0]] * 12) + left()


def few():
    """Fewer descriptors are free than the module asks for."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    used = max(int(x) for x in os.listdir("/proc/self/fd")) + 1
    for free in range(8):
        resource.setrlimit(resource.RLIMIT_NOFILE, (used + free, hard))
        login(calls=("authenticate",))
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return left()


def stays():
    """Never calls pam_end()."""
    kept = [Pam() for _ in range(10)]
    codes = [x.call(y) for x in kept for y in ("authenticate", "setcred")]
    return expect(codes, [0] * 20) + left()


def forks():
    """A child goes on where its parent was, and each ends the handle."""
    one = Pam()
    said = expect(one.call("authenticate"), 0)
    child = os.fork()
    if child == 0:
        code = one.call("setcred") or one.call("open_session")
        one.end()
        os._exit(code)
    status = os.waitpid(child, 0)[1]
    application.signals.clear()
    said += expect(status, 0, "child") + expect(one.call("setcred"), 0)
    one.end()
    return said + left()


def forks_first():
    """A child authenticates with its parent's handle; then the parent does."""
    one = Pam()
    child = os.fork()
    if child == 0:
        os._exit(one.call("authenticate"))
    status = os.waitpid(child, 0)[1]
    application.signals.clear()
    said = expect(status, 0, "child") + expect(one.call("authenticate"), 0)
    one.end()
    return said + left()


def executes():
    """Becomes another program without an end."""
    one = Pam()
    said = expect(one.call("authenticate"), 0)
    if said:
        return said
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-B", sys.argv[0], "--left"])


def closes():
    """Closes all descriptors between the calls, and opens others."""
    one = Pam()
    said = expect(one.call("authenticate"), 0)
    os.closerange(3, 256)
    null = os.open("/dev/null", os.O_RDWR)
    for fd in range(3, 32):
        os.dup2(null, fd)
    one.call("setcred")
    one.end()
    for fd in range(3, 32):
        try:
            if os.readlink("/proc/self/fd/%d" % fd) == "/dev/null":
                os.close(fd)
                continue
        except OSError:
            pass
        said += "closed: %d; " % fd
    return said + left()


def reaps():
    """Waits for any child while it asks, as the program of some daemon does."""
    taken, done = [], []

    def wait():
        while not done:
            try:
                taken.append(os.waitpid(-1, 0))
            except ChildProcessError:
                time.sleep(0.001)
    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    codes = [login() for _ in range(5)]
    done.append(True)
    thread.join(1)
    return expect(codes, [[0, 0]] * 5) + expect(taken, [], "taken") + left()


def asks_again():
    """Drops root, and asks by the connection that is left."""
    mine = application.descriptors()
    one = Pam()
    said = expect(one.call("authenticate"), 0)
    os.setresuid(1001, 1001, 1001)
    for name in application.descriptors() - mine:
        if "socket:" not in name:
            continue
        fd = int(name.split()[0])
        os.set_blocking(fd, False)
        for packet in (lyra2d.header(lyra2d.STATUS, "root"),
                       lyra2d.header(lyra2d.SET, "root"),
                       lyra2d.secret("", "hacked")):
            try:
                os.write(fd, packet)
                time.sleep(0.5)
                answer = os.read(fd, 4096)
            except OSError:
                continue
            said += expect(answer, b"", "answer")
    return said


SCENARIOS = (plain, wrong, no_user, between, changes, ten, subreaper, threads,
             few, stays, forks, forks_first, executes, closes, reaps,
             asks_again)


# ---- the rows ----
def program(words, name):
    """Runs a scenario behind these words; what it says, or that it failed."""
    try:
        done = subprocess.run(
            [*words, sys.executable, "-B", sys.argv[0], "--program", name],
            text=True, check=False, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, timeout=60)
    except subprocess.TimeoutExpired:
        return "no end"
    return done.stdout.strip().split("\n")[-1] if done.returncode == 0 else \
        "exit status %d: %s" % (done.returncode, done.stderr[-1000:])


def service_left(before):
    """What the service still has a moment after all applications' end."""
    end = time.monotonic() + 3
    while time.monotonic() < end and served() > before:
        time.sleep(0.02)
    return "" if served() <= before else \
        "the service had %d, and has %d" % (before, served())


def served():
    """The number of the service's descriptors, or 0 without a service."""
    if not os.path.exists(lyra2d.SOCKET):
        return 0
    return len(os.listdir("/proc/%d/fd" % place.services()[0]))


def scenarios(*names, words=()):
    def check():
        said = []
        for name in names:
            # The user changes the password before root does.
            for who in ("+1001", ""):
                begun = served()
                text = program(words, name + who) or service_left(begun)
                said += ["%s%s: %s" % (name, who, text)] if text else []
        return "\n".join(said)
    return check


# PID 1 that waits for one child alone, and reaps no other.
LAZY = ("unshare", "-pf", "--mount-proc", "/usr/bin/python3", "-ISc", """
import os, sys
pid = os.fork()
if not pid:
    os.execvp(sys.argv[1], sys.argv[1:])
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
""")
FIRST = ("unshare", "-pf", "--mount-proc")


def rows(name, check):
    for what, service in (("", True), (", no service", False)):
        yield place.Row(name + what, service=service, ways=(), check=check)


def main():
    if sys.argv[1:2] == ["--left"]:
        application.before.update(
            {x: set() for x in application.now()})
        application.before["descriptors"] = {
            x for x in application.descriptors()
            if int(x.split()[0]) in (0, 1, 2, place.NULL)}
        print(left("programs", "zombies", "locks", "files"))
        return
    if sys.argv[1:2] == ["--program"]:
        name, _, uid = sys.argv[2].partition("+")
        if uid:
            os.setresuid(int(uid), 0, 0)
        begin()
        print(next(x for x in SCENARIOS if x.__name__ == name)())
        sys.stdout.flush()
        os._exit(0)
    table = [row for x in SCENARIOS for row in rows(
        "a program: " + x.__name__, scenarios(x.__name__))]
    for what, words in (("PID 1", FIRST), ("below a PID 1 that does not reap",
                                           LAZY)):
        table += rows(what, scenarios("plain", "ten", "wrong", "threads",
                                      "stays", words=words))
    place.main(table)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    main()
