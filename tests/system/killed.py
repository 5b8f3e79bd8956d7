#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""killed - dpkg is killed at any moment of its work; all users still get in.

usage: killed.py DEBS [TIMES]

Runs as root in a scratch root (tests/lib/roots).  DEBS is a directory with the
packages.  Their installation, upgrade and removal are killed TIMES (30) times
each.  In turn, all processes are killed at a moment of the time that they take,
and dpkg alone at one of its renames and removals.  Then the test runs the
commands that README.Debian tells an administrator to run, at most twice.  Users
log in all the time.  Prints TAP.
"""

import contextlib
import glob
import os
import re
import signal
import subprocess
import sys
import time

import clients
import packages
import tap
from pamroot import RIGHT, WRONG, read, without_delays

NAMES = ["libpam-lyra2", "libpam-lyra2-bin", "lyra2", "liblyra2-0",
         "liblyra2-dev"]
REPAIR = [["dpkg", "--configure", "-a"],
          ["apt-get", "-y", "--fix-broken", "install"]]
os.environ["DEBIAN_FRONTEND"] = "noninteractive"


def states():
    """The status of each of these packages that dpkg knows."""
    _, text = clients.run(["dpkg-query", "-W", "-f",
                           "${Package} ${Status}\n", *NAMES])
    return dict(re.findall(r"(?m)^(\S*lyra2\S*) (\S+ \S+ \S+)$", text))


def end(group):
    """Waits for the last process of a group."""
    with contextlib.suppress(ProcessLookupError):
        while True:
            os.killpg(group, 0)
            time.sleep(0.02)


CALLS = "rename,unlink,rmdir"


def calls(argv):
    """The number of renames and removals that dpkg makes."""
    clients.must(["strace", "-o", "/tmp/calls", "-e", "trace=" + CALLS, *argv])
    return read("/tmp/calls").count("\n")


def kill_at(argv, number):
    """Kills dpkg alone at one of them; returns false if dpkg makes fewer."""
    status, _ = clients.run(["strace", "-o", "/dev/null", "-e",
                             "trace=" + CALLS, "-e", "inject=%s:signal=KILL:"
                             "when=%d" % (CALLS, number), *argv])
    return status < 0


def kill_after(argv, seconds):
    """Kills all processes after so long; returns false if dpkg had ended."""
    with subprocess.Popen(argv, start_new_session=True, text=True,
                          stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as child:
        try:
            child.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
    end(child.pid)
    return child.returncode == -signal.SIGKILL


def duration(argv):
    start = time.monotonic()
    clients.must(argv)
    return time.monotonic() - start


def is_whole():
    """Nothing is half done: the stack names the module exactly if it is there.
    """
    status, audit = clients.run(["dpkg", "--audit"])
    module = glob.glob("/usr/lib/*/security/pam_lyra2.so")
    return status == 0 and audit == "" and \
        bool(packages.stack()) == bool(module) and \
        {x.split()[2] for x in states().values()} <= {
            "installed", "config-files", "not-installed"}


def repair():
    """Repairs; returns how often the commands had to run, and their output."""
    said = ""
    for count in range(3):
        if is_whole():
            return count, said
        again = [x for x, y in states().items() if "reinstreq" in y]
        reinstall = [["apt-get", "-y", "--reinstall", "install", *again]]
        for argv in REPAIR + (reinstall if again else []):
            said += "%s: exit %d\n%s" % (argv, *clients.run(argv))
    return 3, "%s\n%s" % (said, states())


def chapter(name, argv, back, times):
    """Kills argv at many moments, each time in the state that BACK makes."""
    clients.must(back)
    seconds = duration(argv)
    clients.must(back)
    changes = calls(argv)
    killed, counts = 0, []
    with packages.Prober() as prober:
        for number in range(times):
            clients.must(back)
            part = (number + 0.5) / times
            killed += kill_after(argv, seconds * part) if number % 2 else \
                kill_at(argv, 1 + int(changes * part))
            prober.whole_round()
            count, said = repair()
            counts.append(count)
            if count > 2:
                tap.ok("%s: killed at %d/%d: repaired" % (name, number, times),
                       False, said)
                clients.must(argv)
            prober.whole_round()
    tap.ok("%s: killed %d of %d times" % (name, killed, times),
           killed > times / 2)
    tap.ok("%s: repaired by running nothing, once, twice: %s times" % (
        name, ", ".join(str(counts.count(x)) for x in range(3))),
        max(counts) < 3, counts)
    tap.equal("%s: not one wrong answer in %d rounds of logins" % (
        name, prober.rounds.value), prober.wrong, [])


def main(folder, times=30):
    debs = packages.debs_in(folder)
    packages.archive(debs)
    without_delays()
    clients.add_user("alice", RIGHT)
    yescrypt = clients.stored("alice")
    install = ["dpkg", "-i", *debs]
    remove = ["dpkg", "-r", *packages.names(debs)]
    clients.must(install)
    packages.configure(cost=7, rehash="never")
    packages.serve()
    with clients.sshd():
        tap.ok("alice's hash is not Lyra2's", yescrypt.startswith("$y$"))
        chapter("installation", install, remove, int(times))
        clients.must(install)
        chapter("removal", remove, install, int(times))
        clients.must(install)
        clients.chpasswd({"alice": RIGHT})
        tap.ok("alice's hash is Lyra2's",
               clients.stored("alice").startswith("$lyra2$"))
        old = packages.before_it(debs, "~1")
        chapter("upgrade", install, ["dpkg", "-i", *old], int(times))
        tap.attempt("at the end a wrong password is refused",
                    lambda: not clients.check_ssh_password("alice", WRONG))
    tap.done()


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
