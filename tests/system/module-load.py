#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""module-load - a crowd in little memory, passwords of any length, and time.

usage: module-load.py TREE SOURCE

Runs as root in a scratch root; see pamroot.py.  Prints TAP.
"""

import os
import statistics
import subprocess
import time

import clients
import control_group
import pamroot
import tap
from pamroot import OURS, RIGHT, WRONG, put

CROWD = 100
MATRIX = 24 << 20	# bytes, of t_cost 1, cost 10, cols 256
BOUND = 60		# seconds for what takes some hundredths of one


def people():
    clients.must(["useradd", "-m", "alice"])
    pamroot.service("alone")


# --- many at once ------------------------------

def crowd(users, in_group):
    """All log in at once, every other one wrongly; the exit statuses."""
    logins = [subprocess.Popen(
        ["pamtester", "alone", x, "authenticate"], text=True,
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=control_group.enter if in_group else None) for x in users]
    for i, login in enumerate(logins):
        login.stdin.write((WRONG if i % 2 else RIGHT) + "\n")
        login.stdin.close()
    return [x.wait() for x in logins]


def many_at_once():
    """The queue keeps all of them within the memory of a few hashes."""
    pamroot.configure(cost=10, cols=256, max_concurrent=2)
    users = ["user%02d" % x for x in range(CROWD)]
    clients.must(["newusers"], "".join(
        "%s:%s:::::/bin/sh\n" % (x, RIGHT) for x in users))
    sha = pamroot.crypt("sha512crypt", RIGHT)
    for user in users[::2]:
        put(user, sha)
    log, start = pamroot.Marker(), time.monotonic()
    with control_group.memory(8 * MATRIX) as peak:
        codes = crowd(users, peak)
        took = time.monotonic() - start
        print("# %d logins took %.1f s" % (CROWD, took))
        if peak:
            print("# at most %s of %d bytes were used" % (
                control_group.value(peak), 8 * MATRIX))
            tap.equal("none of %d logins at once is killed" % CROWD,
                      control_group.kills(), 0)
        else:
            tap.skip("none of %d logins at once is killed" % CROWD,
                     "no control group with a memory limit here")
    tap.equal("%d logins at once: the right ones come in" % CROWD,
              codes[::2], [0] * (CROWD // 2))
    tap.ok("%d logins at once: the wrong ones do not" % CROWD,
           all(x == 1 for x in codes[1::2]), codes)
    tap.equal("each of the right ones has a new hash", [
        x for x in users[::2]
        if not clients.stored(x).startswith("$lyra2$v=30$t=1$r=1024$")], [])
    tap.equal("no helper ended early", log.lines("ended early", 0.1), [])
    tap.equal("each wrong one has one line in the log", sorted(
        x.rpartition("(")[2].rstrip(")") for x in
        log.lines(r"password check failed for user \(", wanted=CROWD // 2)),
        users[1::2])


def would_be_killed():
    """The same without the queue: the limit is one that bites."""
    pamroot.configure(cost=10, cols=256, max_concurrent=CROWD)
    with control_group.memory(8 * MATRIX) as peak:
        if not peak:
            tap.skip("without the queue some would be killed",
                     "no control group with a memory limit here")
            return
        codes = crowd(["user%02d" % x for x in range(CROWD)], peak)
        tap.ok("without the queue some would be killed", control_group.kills() > 0)
    tap.ok("the login that it hits is refused",
           all(x != 0 for x in codes[1::2]), codes)


# --- lengths ------------------------------

def attempt(password):
    """Whether a program that passes on every byte lets alice in."""
    status, output = clients.run(
        ["try", "/etc/pam.d", "alone", "alice", "auth"], password + "\n")
    if status == 0 or "auth=7" in output:
        return status == 0
    raise clients.Failed("try: %d: %s" % (status, output))


def change(password):
    """Whether the user can have that as a new password."""
    return clients.run(["try", "/etc/pam.d", "alone", "alice", "passwd"],
                       (password + "\n") * 2)[0] == 0


def lengths():
    """What can be set can be used, whole; what cannot, is no password."""
    pamroot.configure()
    longest = 0
    for length in (0, 1, 510, 511, 512, 1024, 1 << 20):
        clients.chpasswd({"alice": RIGHT})
        password, start = "p" * length, time.monotonic()
        taken = change(password)
        longest = length if taken else longest
        tap.equal("%d bytes: changed and verified alike" % length,
                  attempt(password), taken)
        tap.equal("%d bytes: the password before" % length, attempt(RIGHT),
                  not taken)
        if length:
            tap.ok("%d bytes: one less is another password" % length,
                   not attempt(password[:-1]))
            tap.ok("%d bytes: another end is another password" % length,
                   not attempt(password[:-1] + "q"))
        tap.ok("%d bytes: in bounded time" % length,
               time.monotonic() - start < BOUND)
    tap.ok("511 bytes are possible", longest >= 511, longest)


def lengths_of_programs():
    """The same through chpasswd and sshd, as far as they pass on."""
    with clients.sshd():
        for length in (510, 511, 512, 1024):
            password = "p" * length
            clients.chpasswd({"alice": RIGHT})
            taken = clients.run(["chpasswd"], "alice:%s\n" % password)[0] == 0
            tap.equal("chpasswd and ssh, %d bytes" % length,
                      clients.check_ssh_password("alice", password), taken)
            tap.ok("chpasswd, %d bytes: never DES" % length,
                   clients.stored("alice").startswith(OURS))


# --- time ------------------------------

def peak_of(user, password):
    """The most memory that a process of one attempt had, in bytes."""
    process = subprocess.Popen(["pamtester", "alone", user, "authenticate"],
                               stdin=subprocess.PIPE, text=True,
                               stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    process.stdin.write(password + "\n")
    process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss << 10


def same_work():
    """Who cannot log in costs the hash that a wrong password costs."""
    pamroot.configure(cost=10, cols=256)
    clients.must(["useradd", "locked"])
    clients.must(["useradd", "star"])
    clients.chpasswd({"alice": RIGHT})
    put("locked", "!" + clients.stored("alice"))
    put("star", "*")
    cases = {"wrong password": "alice", "unknown user": "nobody-here",
             "locked user": "locked", "user without a password": "star"}
    times = {x: [] for x in cases}
    for what, user in cases.items():
        peak = peak_of(user, WRONG)
        tap.ok("%s: one whole matrix is computed" % what,
               MATRIX <= peak < 2 * MATRIX, peak)
    for _ in range(25):
        for what, user in cases.items():
            start = time.monotonic()
            pamroot.enter("alone", user, WRONG)
            times[what].append(1000 * (time.monotonic() - start))
    for what, values in times.items():
        quarters = statistics.quantiles(values, n=4)
        print("# %s: median %.1f ms, half of them %.1f to %.1f ms" % (
            what, quarters[1], quarters[0], quarters[2]))


if __name__ == "__main__":
    pamroot.story([people, many_at_once, would_be_killed, lengths,
                   lengths_of_programs, same_work], __doc__)
