# SPDX-License-Identifier: BSD-2-Clause
"""Many at once, and users who starve, freeze and kill their own programs.

Each row is a system; see place.py for what happens in it.
"""
import contextlib
import os
import random
import re
import signal
import subprocess
import threading
import time

import place
from application import processes
from place import TOOLS, Row, ours, read, run, write
from processes import wait_for

CONFINE = TOOLS + "/confine"


def start(uid, *words, password=None, prefix=()):
    """A program of that user, which gets the password."""
    app = subprocess.Popen(
        [CONFINE, "-u", str(uid), "--", *prefix, *words], text=True,
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    if password:
        app.stdin.write(password + "\n")
        app.stdin.flush()
    return app


def auth(user, password="secret", *calls, uid=0, prefix=()):
    return start(uid, TOOLS + "/try", "/etc/pam.d", "sudo", user,
                 "says:" + password, *(calls or ("auth",)), prefix=prefix)


def ended(apps, seconds):
    """The exit statuses; those of programs without an end are None."""
    end = time.monotonic() + seconds
    for app in apps:
        try:
            app.wait(max(0, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            app.kill()
    return [x.poll() for x in apps]


# ---- 300 logins ----
def accounts():
    """150 users: u0 (2000) and so on; a hash takes 50 ms."""
    hashed = run("perl", "-e", "print crypt('secret', "
                 "'$6$rounds=200000$saltsalt$')")
    for path, line in (("/etc/passwd", "u%d:x:%d:100::/:/bin/sh\n"),
                       ("/etc/shadow", "u%%d:%s:19000:0:99999:7:::\n" %
                        hashed)):
        write(path, "".join(line % ((x, 2000 + x)[:line.count("%d")])
                            for x in range(150)), "a")


def all_at_once():
    apps = [auth("u%d" % x, "secret", "auth", "setcred", uid=uid)
            for x in range(150) for uid in (0, 2000 + x)]
    begun = time.monotonic()
    codes = ended(apps, 120)
    refused = [x for x in codes if x != 0]
    took = time.monotonic() - begun
    return "" if not refused else "%d refused, in %.0f s: %s" % (
        len(refused), took, sorted(set(map(str, refused))))


# ---- one user's programs, killed ----
def of_root():
    """Programs that may be left of a user's."""
    return {"%d %s" % x[:2] for x in processes()
            if x[1] in ("lyra2d", "su", "try")}


def killed():
    """alice may have 20 processes, and kills 200 su while they ask."""
    few = ("prlimit", "--nproc=20")
    begun = set(of_root())
    most = 0
    for _ in range(20):
        apps = [start(1001, TOOLS + "/su", "bob", password="wrong", prefix=few)
                for _ in range(10)]
        time.sleep(0.05)
        most = max(most, len(of_root() - begun))
        for app in apps:
            app.kill()      # as the user can
            app.wait()
    wait_for(lambda: not of_root() - begun, 20)
    left = of_root() - begun
    said = "" if most <= 45 else "%d processes; " % most
    return said + ("%d are left: %s" % (len(left), left) if left else "")


# ---- one user's private services, frozen ----
def late(before, after):
    """A second more for users, and something for 40 processes that wait."""
    return [x for x in after if after[x] > before[x] + (
        0.7 if x == "root" else 1.7)]


def frozen():
    """40 su of alice; all that works for her is stopped."""
    stop = threading.Event()

    def freeze():
        while not stop.is_set():
            time.sleep(0.02)
            for pid in place.services():
                with contextlib.suppress(ProcessLookupError):
                    if random.random() < 0.2:
                        os.kill(pid, signal.SIGSTOP)
    random.seed(1)
    before = times()
    thread = threading.Thread(target=freeze)
    thread.start()
    apps = [start(1001, TOOLS + "/su", "u0", password="wrong")
            for _ in range(40)]
    time.sleep(3)
    stop.set()
    thread.join()
    after = times()
    for _ in range(2):      # on a busy machine, the least counts
        if late(before, after):
            after = {x: min(after[x], took) for x, took in times().items()}
    for app in apps:
        app.kill()
    return "; ".join("%s took %.1f s, was %.1f" % (x, after[x], before[x])
                     for x in late(before, after)) + \
        place.LATE * bool(late(before, after))


def times():
    """How long each of three people's logins takes."""
    result = {}
    for name, uid, user in (("sudo", 1004, "dave"), ("root", 0, "erin"),
                            ("another sudo", 1006, "frank")):
        begun = time.monotonic()
        code = ended([auth(user, "secret", "auth", "setcred", uid=uid)], 20)[0]
        result[name] = time.monotonic() - begun if code == 0 else 99
    return result


# ---- limits that switch nothing off ----
# What a user can set before a set-user-ID program, for prlimit(1)
LIMITS = [("as=%d" % x) for x in range(2 << 20, 16 << 20, 1 << 19)] + \
    ["%s=%d" % (x, n) for x in ("data", "stack", "memlock")
     for n in (0, 65536, 1 << 19)] + \
    ["cpu=0", "cpu=1", "fsize=0", "sigpending=0", "locks=0", "msgqueue=0",
     "core=0", "rttime=0", "nproc=0", "nproc=1", "nproc=2"] + \
    ["nofile=%d" % x for x in range(3, 14)]


def limits():
    """A wrong password never gets an answer of pam_unix; a user for each."""
    apps = [auth("u%d" % i, "wrong", uid=2000 + i, prefix=(
        "prlimit", "--" + limit))
            for i, limit in enumerate(LIMITS)]
    codes = ended(apps, 60)
    said = ["%s: %s" % (limit, code)
            for limit, code in zip(LIMITS, codes) if code in (0, None)]
    log = read(place.LOG)
    said += ["%s: pam_unix answered" % limit
             for i, limit in enumerate(LIMITS) if ours() and
             re.search(r"pam_unix\(.*user=u%d\b" % i, log)]
    return "\n".join(said)


# ---- files of the brake ----
ODD_FILES = {
    "garbage": lambda path: write(path, "x" * 100),
    "nothing": lambda path: write(path, ""),
    "a directory": os.mkdir,
    "a link to a file": lambda path: os.symlink("/etc/shadow", path),
    "a link to itself": lambda path: os.symlink(path, path),
    "a pipe": os.mkfifo,
    "a device": lambda path: os.mknod(path, 0o20666, os.makedev(1, 5)),
    "a gigabyte": lambda path: (write(path, ""), os.truncate(path, 1 << 30)),
}


def brake_files():
    """The directory in which the service keeps a file for alice, or None."""
    ended([auth("alice", "wrong", uid=1001)], 20)
    return next((x for x, _, names in os.walk("/run/lyra2")
                 if "brake" in x and "1001" in names), None)


def damaged():
    """Such a user alone waits, at most 64 s, and is let in."""
    if not ours():
        return ""
    folder = brake_files()
    if not folder:
        return "no file for alice"
    names = [x.split(":")[0] for x in read("/etc/shadow").splitlines()]
    for number, make in enumerate(ODD_FILES.values()):
        make("%s/%d" % (folder, 2000 + number))
    apps = [auth("u%d" % x, "secret", "auth", "setcred", uid=2000 + x)
            for x in range(len(ODD_FILES))]
    said = "".join("%s waits; " % x for x, took in times().items() if took > 2)
    said += "".join("%s: refused (%s); " % (what, code) for what, code in
                    zip(ODD_FILES, ended(apps, 75)) if code != 0)
    if [x.split(":")[0] for x in read("/etc/shadow").splitlines()] != names:
        said += "/etc/shadow changed; "
    return said


def rows(name, check, **more):
    for what, service in (("", True), (", no service", False)):
        yield Row(name + what, service=service, ways=(), check=check, **more)


place.main([
    Row("300 logins at once", ways=(), check=all_at_once, before=accounts,
        long=True),
    Row("300 logins at once, no service", service=False, ways=(),
        check=all_at_once, before=accounts),
    *rows("killed su", killed),
    *rows("no limit makes pam_unix answer", limits, before=accounts,
          stack="both"),
    Row("40 frozen private services", service=False, ways=(), check=frozen,
        before=accounts),
    *rows("odd files of the brake", damaged, before=accounts, long=True),
], jobs=1)
