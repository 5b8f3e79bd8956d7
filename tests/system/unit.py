#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""unit - a booted system on which systemd cannot start lyra2d.

usage: unit.py DEBS

Runs as root in a container; see booted.sh.  People log in with the stack as
Debian installs it, and then with ours: whoever the first lets in gets in, in at
most a second more, or six where lyra2d is silent.  Of the rows below, those run
that this system can make.  Prints TAP.
"""

import concurrent.futures
import contextlib
import ctypes
import os
import shutil
import signal
import sys
import time

import booted
import clients
import pamroot
import tap
from booted import journal, processes, served, systemctl, within
from pamroot import RIGHT, WRONG, put

UNIT = "lyra2d.service"
STACK = ["/etc/pam.d/common-" + x for x in
         ("auth", "account", "password", "session")]
PEOPLE = ["alice", "bob", "dave", "erin", "frank"]
SECONDS = 20		# how long starts and lines are counted
libc = ctypes.CDLL(None, use_errno=True)
PTRACE_DETACH, PTRACE_SEIZE, PTRACE_INTERRUPT = 17, 0x4206, 0x4207
WALL, MS_BIND = 1 << 30, 4096


# --- the stacks ------------------------------

def keep(name):
    os.makedirs("/root/" + name)
    for path in STACK:
        shutil.copy(path, "/root/" + name)


def use(name):
    """Sets the hash as of old, too."""
    for path in STACK:
        shutil.copy("/root/%s/%s" % (name, os.path.basename(path)), path)
    for user in PEOPLE:
        put(user, OLD)


# --- the people ------------------------------

WAYS = {
    "su": lambda: clients.check_su("bob", RIGHT, "alice"),
    "sudo": lambda: clients.check_sudo("dave", RIGHT),
    "login": lambda: clients.check_login("erin", RIGHT),
    "passwd": lambda: clients.passwd("frank", RIGHT, "Quagga-7731x")[0],
}


def timed(check):
    begun = time.monotonic()
    let_in = check()
    return let_in, time.monotonic() - begun


def log_in(name):
    use(name)
    return {way: timed(check) for way, check in WAYS.items()}


def by_wrong(name, guesser):
    use(name)
    return clients.check_su("bob", WRONG, guesser)


def row(what, more=1):
    """People log in; the guesser is another each time, and waits for none."""
    stock = log_in("stock")
    ours = log_in("ours")
    for way, (let_in, took) in stock.items():
        tap.equal("%s: %s with pam_unix" % (what, way), let_in, True)
        tap.ok("%s: %s in %.1f s, with pam_unix in %.1f s" % (
            what, way, ours[way][1], took),
               ours[way][0] and tap.within(ours[way][1] - took, more), ours)
    for user in PEOPLE[1:-1]:
        tap.ok("%s: %s has a new hash" % (what, user), within(
            5, lambda x=user: clients.stored(x).startswith("$lyra2$")))
    guesser = "guesser%d" % len(os.listdir("/home"))
    clients.add_user(guesser)
    tap.equal(what + ": a wrong password", by_wrong("ours", guesser), False)


# --- the systems ------------------------------

def starts():
    return int(systemctl("show", "-P", "NRestarts", UNIT))


def written():
    """How many lines there are of the unit, and about it."""
    clients.run(["journalctl", "--sync"])
    return len(clients.must(["journalctl", "-q", "--no-pager", "-o", "cat",
                             "-u", UNIT]).splitlines())


def does_not_start(what, sign):
    """systemd tries now and then, and says little."""
    tap.ok(what + ": the unit fails so", within(5, lambda: systemctl(
        "show", "-P", "ExecMainStatus", UNIT) == sign))
    tap.equal(what + ": nobody answers", served(), False)
    before = starts(), written()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        counted = pool.submit(time.sleep, SECONDS)
        row(what)
        counted.result()
    count, lines = starts() - before[0], written() - before[1]
    tap.ok("%s: in %d s, %d starts and %d lines" % (what, SECONDS, count,
                                                   lines),
           count <= 4 and lines <= 40)
    helps = what + ": a line says what helps"
    if clients.run(["systemctl", "is-active", "systemd-journald"])[0] != 0:
        return tap.skip(helps, "journald does not start, either")
    return tap.ok(helps, journal(
        "lyra2d does not run here.*systemctl start lyra2d"))


def false():
    folder = "/etc/systemd/system/lyra2d.service.d"
    os.makedirs(folder)
    pamroot.write(folder + "/false.conf",
                  "[Service]\nExecStart=\nExecStart=/bin/false\n")
    systemctl("daemon-reload")
    clients.run(["systemctl", "restart", UNIT])
    does_not_start("/bin/false", "1")
    shutil.rmtree(folder)
    systemctl("daemon-reload")
    systemctl("restart", UNIT)
    tap.ok("/bin/false is gone: it answers", served())


@contextlib.contextmanager
def traced(pid):
    """The process does nothing meanwhile; SIGSTOP does not stop process 1."""
    for request in PTRACE_SEIZE, PTRACE_INTERRUPT:
        if libc.ptrace(request, pid, None, None) != 0:
            raise OSError(ctypes.get_errno(), "ptrace")
    os.waitpid(pid, WALL)
    try:
        yield
    finally:
        libc.ptrace(PTRACE_DETACH, pid, None, None)


def frozen():
    """Before the first login, with the service, and then without."""
    pid = booted.main_pid()
    with traced(1):
        row("process 1 is frozen")
        os.kill(pid, signal.SIGSTOP)
        row("process 1 is frozen, lyra2d stopped", 6)
        tap.ok("a line says what helps", journal(
            "lyra2d does not answer.*systemctl restart lyra2d"),
               journal("lyra2d"))
        os.kill(pid, signal.SIGKILL)
        within(5, lambda: not served())
        row("process 1 is frozen, lyra2d killed")
        tap.equal("nothing is left", within(5, lambda: not [
            x for x in processes() if x != pid]), True)
    tap.ok("process 1 goes on: another lyra2d answers", within(20, served))


def no_mounts():
    does_not_start("no mounts", "226")


def main():
    global OLD
    for user in PEOPLE:
        clients.add_user(user)
    clients.must(["usermod", "-aG", "sudo", "dave"])
    OLD = pamroot.crypt("sha512crypt", RIGHT)
    pamroot.without_delays()
    keep("stock")
    # mount(8) has newer calls.
    mounts = libc.mount(b"/mnt", b"/mnt", None, MS_BIND, None) == 0
    said = booted.install()
    tap.equal("the installation warns that lyra2d does not answer",
              "lyra2d does not answer" in said, not mounts)
    pamroot.without_delays()
    keep("ours")
    pamroot.configure()
    for run in (frozen, false) if mounts else (no_mounts,):
        tap.attempt(run.__name__ + " is told to its end",
                    lambda x=run: x() or True)
    tap.done()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
