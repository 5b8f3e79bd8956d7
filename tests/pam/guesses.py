# SPDX-License-Identifier: BSD-2-Clause
"""How often a user can guess, and how long users who mistype have to wait.

	guesses.py PID LOG TRY LYRA2D SECONDS RATE

alice (1001) guesses bob's password for SECONDS: one guess after another, and 50
at once; by the service, by private ones while the socket is away, and while the
service is stopped.  She stops her programs, slows them, gives them little, and
kills them at any time, and as soon as she can know the answer: this test reads
the log for her.  Somebody freezes her private services.  Meanwhile the service
starts anew; at the end it does not run.  Before that, dave, erin, frank and gina
(1003 to 1006) mistype.  All passwords are "secret".

RATE is the speed of /mnt/tmp/fast.so (fast.c), which all programs of the guesses
get, but not this one.
"""
import contextlib
import itertools
import os
import random
import signal
import subprocess
import sys
import threading
import time

import lyra2d
import tap

pid, log, program, daemon, seconds, RATE = (
    int(sys.argv[1]), *sys.argv[2:5], int(sys.argv[5]), int(sys.argv[6]))
ALICE = "euid:1001"
TYPING = 1
PENALTIES = [2, 2, 2, 8, 16, 32]	# then 64 each: see pam/service/brake.h
SLOW = ["taskset", "-c", "0", "chrt", "--idle", "0"]


def most(duration):
    """The largest number of answers that may leave in that time."""
    penalties = itertools.chain(PENALTIES, itertools.repeat(64))
    left = itertools.accumulate(penalties, initial=0)
    return len(list(itertools.takewhile(lambda at: at <= duration, left)))


def answered(user="bob", uid=1001):
    with open(log, errors="replace") as file:
        return sum("for user (%s) [UID=%d]" % (user, uid) in line
                   for line in file)


# ---- the attacker ----
def start(user, password, *calls, prefix=()):
    app = subprocess.Popen(
        [*prefix, program, "/etc/pam.d", "std", user, *calls], text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    app.stdin.write(password + "\n")
    app.stdin.flush()
    return app


def ended(apps):
    return all(app.poll() is not None for app in apps)


def few():
    """Words that leave little to a program."""
    return ["prlimit", random.choice(
        ["--as=%d" % random.randrange(3 << 20, 16 << 20), "--nproc=1",
         "--cpu=1", "--nofile=%d" % random.randrange(5, 14),
         "--stack=65536"])]


def private():
    """The process IDs of her private services."""
    done = subprocess.run(["pgrep", "-x", "lyra2d"], text=True, check=False,
                          stdout=subprocess.PIPE)
    return [int(x) for x in done.stdout.split() if int(x) != pid and
            parent(int(x)) != pid]


def parent(one):
    try:
        with open("/proc/%d/stat" % one) as file:
            return int(file.read().rsplit(")", 1)[1].split()[1])
    except OSError:
        return pid


def signal_all(some, number):
    for one in some:
        with contextlib.suppress(ProcessLookupError):
            os.kill(one, number)


def stops(some, seconds):
    """They stand still for that time, after a random one."""
    time.sleep(random.random() / 10)
    some = some()
    signal_all(some, signal.SIGSTOP)
    time.sleep(seconds / RATE)
    signal_all(some, signal.SIGCONT)


@contextlib.contextmanager
def served(where):
    """By the service; by private ones; or the service is silent, too."""
    away = lyra2d.SOCKET + ".away"
    there = os.path.exists(lyra2d.SOCKET)
    if there and where == "private":
        os.rename(lyra2d.SOCKET, away)
    if there and where == "silent":
        os.kill(pid, signal.SIGSTOP)
    yield
    if there and where == "private":
        os.rename(away, lyra2d.SOCKET)
    if there and where == "silent":
        os.kill(pid, signal.SIGCONT)


TRICKS = ("kill", "early", "stop", "slow", "few", "freeze", "none")


def guess(count, trick, end):
    """Returns how many applications reported a wrong password."""
    before = answered()
    prefix = SLOW if trick == "slow" else few() if trick == "few" else ()
    apps = [start("bob", "wrong%d" % i, ALICE, "auth", prefix=prefix)
            for i in range(count)]
    if trick == "stop":
        stops(lambda: [app.pid for app in apps], 1)
    if trick == "freeze":
        stops(private, random.choice([1, 3, 8]))
    limit = min(end, time.monotonic() + (
        random.random() * 3 if trick == "early" else 10) / RATE)
    while time.monotonic() < limit and not ended(apps):
        if trick == "kill" and answered() > before:
            break
        time.sleep(0.002)
    for app in apps:
        app.kill()
    return sum(app.communicate()[0].count("auth=7") for app in apps)


def restart(again):
    """Ends the service; starts another one if again."""
    global pid
    os.kill(pid, signal.SIGTERM)
    while not lyra2d.is_gone():
        time.sleep(0.02)
    if again:
        pid = subprocess.Popen([daemon]).pid
        while not lyra2d.listens():
            time.sleep(0.02)


def honest(user, uid, waits):
    """Whether this user's own correct password is let in."""
    begun = time.monotonic()
    app = start(user, "secret", "euid:%d" % uid, "auth", "setcred")
    let_in = "setcred=0" in app.communicate()[0]
    if not let_in and RATE > 1:     # a pause of this machine counts RATE times
        app = start(user, "secret", "euid:%d" % uid, "auth", "setcred")
        let_in = "setcred=0" in app.communicate()[0]
    waits.append((time.monotonic() - begun) * RATE)
    return let_in


def guesses():
    if RATE > 1:
        with open("/etc/ld.so.preload", "w") as file:
            file.write("/mnt/tmp/fast.so\n")
        restart(True)
    begun = time.monotonic()
    end = begun + seconds / RATE
    told = tried = right = others = 0
    waits = []
    restarts = {seconds * 4 // 6: True, seconds * 5 // 6: False}
    while time.monotonic() < end:
        for at in [x for x in restarts if
                   time.monotonic() > begun + x / RATE]:
            restart(restarts.pop(at))
        count = random.choice([1, 1, 1, 50])
        with served(random.choice(["public", "private", "silent"]
                                  if count == 1 else ["public", "private"])):
            told += guess(count, random.choice(TRICKS), end)
            tried += count
            others += 1
            right += honest("dave", 1003, waits)
        honest("alice", 1001, [])
    took = (time.monotonic() - begun) * RATE
    got = answered()
    tap.ok("%d guesses in %.0f s: %d are answered, of at most %d" %
           (tried, took, got, most(took)), 1 < got <= most(took))
    tap.ok("%d of them are told: each is in the log" % told, told <= got)
    tap.ok("%d logins of another user: each is let in, in %.1f s" %
           (others, max(waits)), right == others and max(waits) < 35)
    if RATE > 1:
        os.unlink("/etc/ld.so.preload")


# ---- users who mistype ----
class Machine(threading.Thread):
    """How long root, whom no penalty holds, waits meanwhile: the worst of it."""
    worst, done = 0, False

    def run(self):
        while not self.done:
            begun = time.monotonic()
            start("bob", "secret", "auth").communicate()
            self.worst = max(self.worst, time.monotonic() - begun)
            time.sleep(0.3)


machine = Machine()


class Person:
    """Types into one program; knows how long each answer took."""

    def __init__(self, user, *calls):
        self.said, self.waits, self.typed = [], [], None
        self.app = subprocess.Popen(
            [program, "/etc/pam.d", "std", user, *calls], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def types(self, *words):
        words = list(words)
        for line in self.app.stdout:
            self.said.append(line.strip())
            if line.startswith("info: "):
                continue
            if self.typed:
                self.waits.append(time.monotonic() - self.typed)
                self.typed = None
            if line.startswith("prompt: "):
                if not words:
                    self.app.send_signal(signal.SIGINT)
                    break
                time.sleep(TYPING)
                self.app.stdin.write(words.pop(0) + "\n")
                self.app.stdin.flush()
                self.typed = time.monotonic()
        self.app.communicate()
        return self

    def results(self):
        return [x.split("=")[1] for x in self.said if "=" in x]


def untold(person):
    """Returns true if a person waits for more than 8 s and is not told."""
    return max(person.waits) > 8 + machine.worst and not any(
        x.startswith("info: Too many failed attempts") for x in person.said)


def sudo():
    person = Person("dave", "sudo:1003", "auth", "auth", "auth").types(
        "wrong", "wrong", "secret")
    return [person], person.results() == ["7", "7", "0"], max(person.waits)


def interrupted():
    for _ in range(3):
        Person("bob", "euid:1004", "auth").types()
    person = Person("bob", "euid:1004", "auth", "setcred").types("secret")
    return [person], person.results() == ["0", "0"], person.waits[0]


def changes():
    persons, old = [], "secret"
    for i in range(10):
        new = "another-%d" % i
        persons.append(Person("frank", "euid:1005", "passwd").types(
            old, new, new))
        persons.append(Person("frank", "euid:1005", "auth").types(new))
        old = new
        if max(persons[-2].waits + persons[-1].waits) > 8:
            break       # it has failed, and each wait would be longer
    return persons, all(set(x.results()) == {"0"} for x in persons), \
        max(max(x.waits) for x in persons)


def locker():
    persons = [Person("gina", "uid:1006", "auth").types(word)
               for word in ["wrong"] * 5 + ["secret"]]
    return persons, [x.results() for x in persons] == [["7"]] * 5 + [
        ["0"]], max(persons[0].waits)


def mistypes(what, scenario):
    persons, good, longest = scenario()
    tap.ok("%s: waits of %s s" % (what, " ".join(
        "%.1f" % max(x.waits) for x in persons)),
           good and longest < 4 + machine.worst, (longest, machine.worst))
    tap.ok("%s: none over 35 s, none untold" % what,
           all(max(x.waits) < 35 + machine.worst and not untold(x)
               for x in persons), [x.said for x in persons])


random.seed(1)
people = [threading.Thread(target=mistypes, args=x) for x in (
    ("sudo, mistyped twice", sudo),
    ("su, interrupted three times", interrupted),
    ("passwd and chsh, ten times", changes),
    ("a locker, mistyped five times", locker))]
wanted = os.environ.get("SCENARIOS", "people guesses").split()
if "people" in wanted:
    machine.start()
    for one in people:
        one.start()
    for one in people:
        one.join()
    machine.done = True
    machine.join()
if "guesses" in wanted:
    guesses()
tap.done()
