#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""module-races - a rehash while others change the same files.

usage: module-races.py TREE SOURCE

Runs as root in a scratch root; see pamroot.py.  Prints TAP.
"""

import collections
import contextlib
import fcntl
import random
import subprocess
import threading
import time

import clients
import pamroot
import tap
from pamroot import RIGHT, put, read, SHADOW

ROUNDS = 40
NOT_REHASHED = "password of user %s not rehashed from sha512crypt"


def people():
    for user in ("alice", "chris", "uma", "dora", "eve"):
        clients.add_user(user, RIGHT)
    pamroot.service("alone")


def login(user="alice"):
    return subprocess.Popen(["pamtester", "alone", user, "authenticate"],
                            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, text=True)


def give(process, password=RIGHT):
    process.stdin.write(password + "\n")
    process.stdin.close()


@contextlib.contextmanager
def locked():
    """The lock of lckpwdf(3), which every writer of these files takes."""
    with open("/etc/.pwd.lock", "w", encoding="ascii") as file:
        fcntl.lockf(file, fcntl.LOCK_EX)
        yield


def waits_for_lock():
    """Whether a helper that hashed is at the lock: its try at it fails."""
    return clients.run(["pgrep", "-x", "lyra2_update"])[0] == 0


def at_the_lock(what, change, wanted):
    """CHANGE happens between a rehash's verification and its write."""
    sha = pamroot.crypt("sha512crypt", RIGHT)
    put("alice", sha)
    log = pamroot.Marker()
    process = login()
    with locked():
        give(process)
        while not waits_for_lock():
            time.sleep(0.01)
        time.sleep(0.3)		# it needs a hundredth; it waits a second
        change(sha)
        after = read(SHADOW)
    tap.equal(what + ": the login succeeds", process.wait(), 0)
    tap.ok(what + ": the change stands, and nothing else is written",
           wanted(sha) and read(SHADOW) == after, read(SHADOW))
    tap.equal(what + ": no line says rehashed",
              log.lines("alice rehashed from", patience=0.1), [])
    tap.ok(what + ": one says why not", log.lines(NOT_REHASHED % "alice"))


def line_of(user):
    return [x for x in read(SHADOW).splitlines() if x.startswith(user + ":")]


def changes_at_the_lock():
    other = pamroot.crypt("sha512crypt", "another pw")
    at_the_lock("account locked meanwhile", lambda x: put("alice", "!" + x),
                lambda x: clients.stored("alice") == "!" + x)
    at_the_lock("password changed meanwhile", lambda x: put("alice", other),
                lambda x: clients.stored("alice") == other)
    line = clients.shadow_line("alice")
    at_the_lock("user deleted meanwhile", lambda x: pamroot.edit(
        SHADOW, r"(?m)^alice:.*\n", ""), lambda x: line_of("alice") == [])
    pamroot.write(SHADOW, line + "\n", "a")


def lock_for_long():
    """Who holds the lock longer than a login should wait is left alone."""
    put("alice", pamroot.crypt("sha512crypt", RIGHT))
    before, log = read(SHADOW), pamroot.Marker()
    with locked():
        process = login()
        give(process)
        tap.equal("lock held by another: the login succeeds",
                  process.wait(timeout=60), 0)
    tap.ok("lock held by another: no rehash", read(SHADOW) == before)
    tap.ok("and a line says so", log.lines(NOT_REHASHED % "alice"))


def duel(rounds, command):
    """COMMAND against a login with a rehash; how the entry ended, counted."""
    sha, ends = pamroot.crypt("sha512crypt", RIGHT), collections.Counter()
    for _ in range(rounds):
        put("alice", sha)
        process = login()
        give(process)
        time.sleep(random.uniform(0, 0.05))
        clients.must(command)
        process.wait()
        fields = line_of("alice")
        ends[fields[0].split(":")[1][:8] if fields else "none"] += 1
    return ends


def passwd_lock():
    pamroot.configure(cost=8, cols=256)
    ends = duel(ROUNDS, ["passwd", "-l", "alice"])
    print("# passwd -l against a rehash: %s" % dict(ends))
    tap.ok("passwd -l against a rehash: always locked in the end",
           all(x.startswith("!") for x in ends), ends)
    tap.equal("none was left out", sum(ends.values()), ROUNDS)


def userdel():
    """userdel, and the account back again; no line comes back by itself."""
    line, account = clients.shadow_line("alice"), clients.must(
        ["grep", "^alice:", "/etc/passwd"])
    sha, left = pamroot.crypt("sha512crypt", RIGHT), []
    for _ in range(ROUNDS // 2):
        put("alice", sha)
        process = login()
        give(process)
        time.sleep(random.uniform(0, 0.05))
        clients.must(["userdel", "alice"])
        process.wait()
        left += line_of("alice")
        pamroot.write("/etc/passwd", account, "a")
        pamroot.write(SHADOW, line + "\n", "a")
    tap.equal("userdel against a rehash: never resurrected", left, [])
    pamroot.configure()


class Round:
    """Four writers at once; each on a line or a field of its own."""

    def __init__(self, number):
        self.number = number
        self.failed = []
        self.done = 0

    def work(self, function):
        try:
            function()
            self.done += 1
        except Exception as error:	# told by the thread that waits
            self.failed.append(repr(error))

    def run(self):
        jobs = [self.change, self.age, self.expire, lambda: self.enter("dora"),
                lambda: self.enter("eve")]
        threads = [threading.Thread(target=self.work, args=(x,)) for x in jobs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return self.failed

    def change(self):
        clients.chpasswd({"chris": "password %d" % self.number})

    def age(self):
        clients.must(["chage", "-M", str(1000 + self.number), "dora"])

    def expire(self):
        clients.must(["usermod", "-f", str(2000 + self.number), "uma"])

    def enter(self, user):
        process = login(user)
        give(process)
        if process.wait() != 0:
            raise clients.Failed("login of " + user)

    def lost(self):
        """What of this round is not in the file."""
        fields = {x: clients.shadow_line(x).split(":") for x in
                  ("chris", "dora", "eve", "uma")}
        checks = {
            "chpasswd": pamroot.enter("alone", "chris",
                                      "password %d" % self.number),
            "chage": fields["dora"][4] == str(1000 + self.number),
            "usermod": fields["uma"][6] == str(2000 + self.number),
            "dora's hash": fields["dora"][1].startswith("$"),
        }
        return ["round %d: %s" % (self.number, x) for x in checks
                if not checks[x]]


def forty_rounds():
    sha = pamroot.crypt("sha512crypt", RIGHT)
    count, failed, lost, kept = len(read(SHADOW).splitlines()), [], [], 0
    log = pamroot.Marker()
    for number in range(ROUNDS):
        put("dora", sha)
        put("eve", sha)
        a_round = Round(number)
        failed += a_round.run()
        lost += a_round.lost()
        kept += sum(clients.stored(x) == sha for x in ("dora", "eve"))
    tap.equal("%d rounds: everyone succeeds" % ROUNDS, failed, [])
    tap.equal("%d rounds: no change is lost" % ROUNDS, lost, [])
    tap.equal("%d rounds: no line is lost" % ROUNDS,
              len(read(SHADOW).splitlines()), count)
    tap.equal("%d rounds: one line in the log for each rehash" % ROUNDS,
              len(log.lines("user (dora|eve) rehashed from")),
              2 * ROUNDS - kept)
    tap.equal("nothing is left lying about", clients.run(
        ["sh", "-c", "ls -A /etc | grep -E 'lyra2[.]|shadow.(lock|[0-9])'"]
        )[1], "")


if __name__ == "__main__":
    pamroot.scenario([people, changes_at_the_lock, lock_for_long, passwd_lock,
                      userdel, forty_rounds], __doc__)
