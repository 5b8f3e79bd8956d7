#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""module-crowd - a thousand logins by fifty clients in 256 MiB, and root's.

usage: module-crowd.py TREE SOURCE

Half of the clients run as root, as sshd does, half as the user, as a screen
locker does.  Meanwhile root itself logs in, again and again.  Hashes have the
default cost.  Runs as root in a scratch root; see pamroot.py.  Prints TAP.
"""

import collections
import os
import statistics
import subprocess
import threading
import time

import clients
import control_group
import pamroot
import tap
from pamroot import RIGHT, WRONG

CLIENTS = 50
LOGINS = 20		# of each client
LIMIT = 256 << 20	# bytes
SECOND = 1.0		# between two logins of root
# What even a slow machine keeps to: root waits for no more than 3 s in the
# queue, and others keep far below the 30 s that end any wait there.
ROOT_P99 = 5.0
P99 = 15.0
CROWDED = 4		# times as long as alone: who takes that has queued
CODES = {"successfully authenticated": True, "Authentication failure": False}

Login = collections.namedtuple("Login", "who right verdict seconds")


def people():
    clients.must(["newusers"], "".join(
        "user%02d:%s:::::/bin/sh\n" % (x, RIGHT) for x in range(CLIENTS)))
    clients.chpasswd({"root": RIGHT})
    pamroot.service("alone")
    os.unlink(pamroot.CONF)
    clients.chpasswd({"user%02d" % x: RIGHT for x in range(CLIENTS)})


def command(user, caller, limited):
    """pamtester in the group, or with a limit of its own, as the caller."""
    argv = ["pamtester", "alone", user, "authenticate"]
    if caller != "root":
        argv = ["setpriv", "--reuid", caller, "--regid", caller,
                "--clear-groups", *argv]
    if not limited:
        return ["prlimit", "--as=%d" % LIMIT, *argv]
    return ["sh", "-c", 'echo $$ >%s && exec "$@"' % control_group.PROCS,
            "-", *argv]


def log_in(user, caller, right, limited):
    """What came of it, whatever came of it."""
    begun = time.monotonic()
    try:
        output = subprocess.run(
            command(user, caller, limited), text=True, check=False,
            input=(RIGHT if right else WRONG) + "\n", timeout=clients.PATIENCE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        output = repr(error)
    verdict = next((y for x, y in CODES.items() if x in output), output)
    return Login(user if user == "root" else caller == "root", right, verdict,
                 time.monotonic() - begun)


def client(number, limited, logins):
    """A client of even number is a user; each fourth password is wrong."""
    user = "user%02d" % number
    for i in range(LOGINS):
        logins.append(log_in(user, "root" if number % 2 else user, i % 4 != 3,
                             limited))


def root(limited, logins, end):
    while not end.is_set():
        logins.append(log_in("root", "root", True, limited))
        end.wait(SECOND)


def crowd(limited):
    """All clients at once, and root; the logins of both."""
    logins, of_root, end = [], [], threading.Event()
    threads = [threading.Thread(target=client, args=(x, limited, logins))
               for x in range(CLIENTS)]
    watch = threading.Thread(target=root, args=(limited, of_root, end))
    for thread in [watch, *threads]:
        thread.start()
    for thread in threads:
        thread.join()
    end.set()
    watch.join()
    return logins, of_root


def times(what, logins, bound):
    """Says how long they took, judges it, and returns the median."""
    values = [x.seconds for x in logins]
    cuts = statistics.quantiles(values, n=100, method="inclusive")
    print("# %s: %d logins, p50 %.2f s, p99 %.2f s, at most %.2f s" % (
        what, len(values), cuts[49], cuts[98], max(values)))
    tap.ok("%s: 99 %% in %d s" % (what, bound), cuts[98] <= bound, cuts[98])
    return cuts[49]


def judge_times(logins, of_root, alone, took):
    by_sshd = times("through lyra2_update",
                    [x for x in logins if x.who is True], P99)
    times("through lyra2_chkpwd", [x for x in logins if x.who is False], P99)
    own = times("root's own", of_root, ROOT_P99)
    tap.ok("root has logged in all the time",
           len(of_root) >= max(3, took // (SECOND + ROOT_P99)), len(of_root))
    print("# root alone: %.2f s" % alone)
    if by_sshd < CROWDED * alone:
        tap.skip("root does not queue", "nor does anyone on this machine")
    else:
        tap.ok("root does not queue", own < by_sshd / 2, (own, by_sshd))


def judge(logins, of_root):
    tap.equal("all logins have ended", len(logins), CLIENTS * LOGINS)
    for right in (True, False):
        tap.equal("%s passwords: other verdicts" % (
            "right" if right else "wrong"),
            [x for x in logins if x.right == right and x.verdict is not right], [])
    tap.equal("root's logins: other verdicts",
              [x for x in of_root if x.verdict is not True],
              [])


def thousand():
    with control_group.memory(LIMIT) as peak:
        alone = min(log_in("root", "root", True, bool(peak)).seconds
                    for _ in range(3))
        begun = time.monotonic()
        logins, of_root = crowd(bool(peak))
        took = time.monotonic() - begun
        if peak:
            print("# %d kills; at most %s of %d bytes were used" % (
                control_group.kills(), control_group.value(peak), LIMIT))
            tap.equal("no process is killed", control_group.kills(), 0)
        else:
            print("# no control group here: each process has a limit of "
                  "%d bytes of its own" % LIMIT)
            tap.skip("no process is killed",
                     "no control group with a memory limit here")
    print("# %d clients took %.0f s" % (CLIENTS, took))
    judge(logins, of_root)
    judge_times(logins, of_root, alone, took)


if __name__ == "__main__":
    pamroot.scenario([people, thousand], __doc__)
