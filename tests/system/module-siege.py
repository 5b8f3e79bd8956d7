#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""module-siege - what others' logins take while somebody does what they can.

usage: module-siege.py TREE SOURCE

Each attack is run against pam_lyra2 and against pam_unix with yescrypt: 600 su
by one user, 600 guesses and then 90 by ssh from one host, 100 from as many, and
frozen helpers of four users.
Meanwhile root logs in at the console, another user runs su, and another host
logs in.  Before that it is quiet, and wrong passwords take turns: the hash of
a user must not show in the time.  Runs as root in a scratch root; see
pamroot.py.  Prints tables and TAP.
"""

import collections
import contextlib
import glob
import os
import re
import statistics
import subprocess
import threading
import time

import clients
import control_group
import pamroot
import tap
from pamroot import RIGHT, WRONG

SECONDS = 10		# of each attack
LIMITS = {"root": 3.0, "user": 5.0, "host": 10.0}
UNBOUND = ("100 hosts", "host")		# it is one of them
HASHING = {"ours": ("lyra2_update", "lyra2_chkpwd"),
           "stock": ("try", "unix_chkpwd")}
MATRIX = 96 << 20	# of the default, bytes
OTHERS = 64 << 20	# for what a hundred helpers have that wait
ROUNDS = 24		# of failures
WORD, CROWD = "/tmp/siege.word", "/tmp/siege.crowd"
SERVICE = {
    "ours": "auth required pam_lyra2.so nodelay\n",
    "stock": "auth required pam_unix.so nodelay\n"}


def people():
    pamroot.write(pamroot.CONF, "rehash_root = yes\n")
    for name in ("mallory1", "mallory2", "mallory3", "mallory4", "alice",
                 "bob", "carol"):
        clients.must(["useradd", "-m", name])
        clients.chpasswd({name: RIGHT})
    clients.chpasswd({"root": RIGHT})
    for name, line in SERVICE.items():
        pamroot.write("/etc/pam.d/" + name, line)
    pamroot.write("/etc/pam.d/both", "auth sufficient pam_lyra2.so before_unix"
                  " nodelay norehash\n" + SERVICE["stock"])


# --- logins ------------------------------

def login(service, user, *words):
    """A program that root, or by "euid:" a user, has started."""
    return ["try", "/etc/pam.d", service, user, *words, "nodelay", "auth"]


def seconds(service, user, *words):
    """How long a right password takes; none if it is not let in."""
    begun = time.monotonic()
    _, output = clients.run(login(service, user, *words), RIGHT + "\n")
    return time.monotonic() - begun if "auth=0" in output else None


def uid(name):
    return int(clients.must(["id", "-u", name]))


# --- attacks ------------------------------

def crowd(count, command):
    """So many at once with a wrong password; they write to CROWD."""
    pamroot.write(WORD, WRONG + "\n")
    return subprocess.Popen(
        ["sh", "-c", 'i=0; while [ $i -lt "$0" ]; do "$@" <%s & i=$((i + 1)); '
         "done >>%s; wait" % (WORD, CROWD), str(count), *command])


def su_600(service):
    return [crowd(600, login(service, "root",
                             "euid:%d" % uid("mallory1")))]


def ssh(service, count, host="192.0.2.1"):
    return [crowd(count, login(service, "bob", "rhost:" + host))]


def hosts(service):
    return [x for i in range(100) for x in ssh(service, 1, "203.0.113.%d" % i)]


def colluders(service):
    """Sixteen of four users; see held()."""
    return [crowd(4, login(service, "bob", "euid:%d" % uid(
        "mallory%d" % x))) for x in (1, 2, 3, 4)]


ATTACKS = {
    "nobody else": lambda service: [],
    "600 su": su_600,
    "600 by ssh": lambda service: ssh(service, 600),
    "90 by ssh": lambda service: ssh(service, 90),
    "100 hosts": hosts,
    "16 frozen": colluders,
}


def held(attack, service):
    """Who owns a control group can freeze it: here once they compute."""
    if attack != "16 frozen":
        return contextlib.nullcontext()
    time.sleep(0.2)
    return control_group.frozen(hashing(service))


# --- what is measured ------------------------------

def hashing(service):
    """The processes in which the service may compute hashes."""
    found = []
    for path in glob.glob("/proc/[0-9]*/comm"):
        with contextlib.suppress(OSError):
            if pamroot.read(path).strip() in HASHING[service]:
                found.append(int(path.split("/")[2]))
    return found


def memory(service):
    """The bytes of all these."""
    total = 0
    for pid in hashing(service):
        with contextlib.suppress(OSError, StopIteration):
            total += next(int(x.split()[1]) << 10 for x in pamroot.read(
                "/proc/%d/status" % pid).splitlines()
                if x.startswith("RssAnon"))
    return total


class Watch(threading.Thread):
    """The most memory at any time."""

    def __init__(self, service):
        super().__init__()
        self.service = service
        self.most, self.end = 0, threading.Event()

    def run(self):
        while not self.end.wait(0.05):
            self.most = max(self.most, memory(self.service))


def under(attack, service):
    """The times of logins meanwhile, and the memory of all helpers at most."""
    watch, times = Watch(service), {"root": [], "user": [], "host": []}
    watch.start()
    pamroot.write(CROWD, "")
    started = ATTACKS[attack](service)
    with held(attack, service):
        begun = time.monotonic()
        while time.monotonic() - begun < SECONDS:
            times["root"].append(seconds(service, "root", "tty:tty1"))
            times["user"].append(seconds(service, "alice",
                                         "euid:%d" % uid("carol")))
            times["host"].append(seconds(service, "alice", "rhost:192.0.2.2"))
    for one in started:
        one.wait()
    watch.end.set()
    watch.join()
    return times, watch.most


def verdicts():
    """How many of the crowd were told what."""
    return dict(collections.Counter(
        re.findall("auth=([0-9]+)", pamroot.read(CROWD))))


def judge(attack, service, times, most):
    if service != "ours":
        return
    for who, limit in LIMITS.items():
        tap.ok("%s: each login is let in: %s" % (attack, who),
               None not in times[who], times[who])
        tap.ok("%s: within %d s: %s" % (attack, limit, who),
               max(x or 0 for x in times[who]) <= limit or
               (attack, who) == UNBOUND, times[who])
    slots = max(2, os.cpu_count())
    tap.ok("%s: memory of %d hashes" % (attack, slots + 2),
           most <= (slots + 2) * MATRIX + OTHERS, most)


def used(service, user, word):
    """The milliseconds of the processor that one login takes."""
    child = subprocess.Popen(login(service, user), stdin=subprocess.PIPE,
                             stdout=subprocess.DEVNULL, text=True)
    child.stdin.write(word + "\n")
    child.stdin.close()
    usage = os.wait4(child.pid, 0)[2]
    child.returncode = 0
    return (usage.ru_utime + usage.ru_stime) * 1000


def failures():
    users = {"alice": "lyra2", "bob": "yescrypt", "carol": "locked",
             "nobody-here": "nobody"}
    pamroot.put("bob", pamroot.crypt("yescrypt", RIGHT))
    pamroot.put("carol", "!")
    cases = [(service, user, word) for service in ("both", "stock")
             for user in users for word in (WRONG, "")]
    times = {case: [] for case in cases}
    for _ in range(ROUNDS):
        for case in cases:
            times[case].append(used(*case))
    for case in cases:
        print("# %-6s %-9s %-11s quartiles of CPU: %3.0f %3.0f %3.0f ms" % (
            case[0], users[case[1]], case[2] or "no password",
            *statistics.quantiles(times[case], n=4)), flush=True)


def siege():
    kills, users = oom_kills(), ("root", "alice", "bob")
    yescrypt = pamroot.crypt("yescrypt", RIGHT)
    fields = {"ours": {x: clients.stored(x) for x in users},
              "stock": dict.fromkeys(users, yescrypt)}
    print("# %-12s %-6s %6s %6s %6s %8s  %s" % (
        "attack", "", "root", "user", "host", "memory", "verdicts"))
    for attack in ATTACKS:
        for service in SERVICE:
            for user in fields[service]:
                pamroot.put(user, fields[service][user])
            times, most = under(attack, service)
            print("# %-12s %-6s %s %5d MiB  %s" % (
                attack, service, " ".join(
                    "%4.2f s" % max(x or 99 for x in times[who])
                    for who in ("root", "user", "host")),
                most >> 20, verdicts()), flush=True)
            judge(attack, service, times, most)
    tap.equal("nothing is killed for memory", oom_kills(), kills)


def oom_kills():
    return next(int(x.split()[1]) for x in pamroot.read(
        "/proc/vmstat").splitlines() if x.startswith("oom_kill "))


if __name__ == "__main__":
    pamroot.scenario([people, failures, siege], __doc__)
