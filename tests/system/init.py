#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""init - lyra2d where systemd does not run: OpenRC, then runit.

usage: init.py DEBS

Runs as root in a scratch root (tests/lib/roots) with the packages openrc and
runit.  DEBS is a directory with the packages to test; their examples are
installed as lyra2d(8) says.  Prints TAP.
"""

import contextlib
import itertools
import os
import shutil
import signal
import subprocess
import sys
import time

import clients
import lyra2d
import packages
import tap
from pamroot import RIGHT, WRONG, read, without_delays, write

EXAMPLES = "/usr/share/doc/libpam-lyra2-bin/examples/lyra2d."
NUMBERS = itertools.count()
RUN = "/etc/sv/lyra2d/run"
TURNS = "/run/lyra2/turns"	# locks of lyra2d --private
SLEEP, SLEPT = "/usr/local/bin/sleep", "/tmp/slept"


def main_process():
    """The service's main process: its parent is the supervisor."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = read("/proc/%s/cmdline" % name).split("\0")
        except OSError:
            continue
        if words[:2] == ["/usr/sbin/lyra2d", ""]:
            return int(name)
    return None


def within(test, seconds=20):
    deadline = time.monotonic() + seconds
    while not test() and time.monotonic() < deadline:
        time.sleep(0.05)
    return test()


def logins(when):
    """Logs in another user each time, so that no user has to wait."""
    by = "asker%d" % next(NUMBERS)
    clients.must(["useradd", by])
    for password, wanted in ((RIGHT, True), (WRONG, False)):
        tap.attempt("%s: su, %s" % (when, password), lambda x=password,
                    y=wanted: clients.check_su("bob", x, by) is y)


def runs(when):
    """The service has made its socket, and answers logins."""
    tap.ok(when + ": the service runs, with a socket",
           within(lambda: main_process() and lyra2d.listens()))
    with contextlib.suppress(FileNotFoundError):
        shutil.rmtree(TURNS)
    logins(when)
    tap.ok(when + ": no program has started its own",
           not os.path.exists(TURNS))


def removal(when, debs):
    """The prerm waits for workers, and the service is none."""
    for path, text in ((packages.OVERRIDE, ""), (SLEPT, ""), (
            SLEEP, "#!/bin/sh\necho >>%s\nexec /bin/sleep \"$@\"\n" % SLEPT)):
        write(path, text)
    os.chmod(SLEEP, 0o755)
    clients.must(["dpkg", "-r", "libpam-lyra2"])
    slept = read(SLEPT).count("\n")
    tap.ok(when + ": a removal does not wait for the service", slept < 90,
           slept)
    for path in packages.OVERRIDE, SLEEP:
        os.unlink(path)
    packages.install(debs)
    without_delays()


def chapter(name, start, stop, debs):
    clients.must(start)
    runs(name + ", started")
    removal(name, debs)
    old = main_process()
    os.kill(old, signal.SIGKILL)
    tap.ok(name + ": it starts again after SIGKILL",
           within(lambda: main_process() not in (None, old)))
    runs(name + ", killed")
    os.kill(main_process(), signal.SIGTERM)
    logins(name + ", between two")
    tap.ok(name + ": and after SIGTERM", within(main_process))
    clients.must(stop)
    tap.ok(name + ": stopped, it has gone, and its socket",
           within(lambda: not main_process()
                  and not os.path.exists(lyra2d.SOCKET)))
    logins(name + ", stopped")


def main(folder):
    debs = packages.debs_in(folder)
    without_delays()
    packages.install(debs)
    without_delays()
    packages.configure(cost=7, rehash="never")
    clients.add_user("bob", RIGHT)
    tap.ok("bob's hash is Lyra2's",
           clients.stored("bob").startswith("$lyra2$"))
    logins("no service")
    tap.ok("no service: su has started its own", os.path.exists(TURNS))
    clients.must(["install", EXAMPLES + "openrc", "/etc/init.d/lyra2d"])
    # OpenRC makes these directories when it boots.
    for name in ("starting", "started", "stopping", "inactive", "wasinactive",
                 "failed", "exclusive", "options", "daemons"):
        os.makedirs("/run/openrc/" + name)
    write("/run/openrc/softlevel", "")
    chapter("OpenRC", ["rc-service", "--nodeps", "lyra2d", "start"],
            ["rc-service", "--nodeps", "lyra2d", "stop"], debs)
    clients.must(["install", "-D", EXAMPLES + "runit", RUN])
    clients.must(["install", EXAMPLES + "runit-finish",
                  os.path.dirname(RUN) + "/finish"])
    with subprocess.Popen(["runsv", "/etc/sv/lyra2d"]) as supervisor:
        tap.ok("runsv listens", within(lambda: os.path.exists(
            "/etc/sv/lyra2d/supervise/ok")))
        chapter("runit", ["sv", "start", "/etc/sv/lyra2d"],
                ["sv", "stop", "/etc/sv/lyra2d"], debs)
        clients.must(["sv", "exit", "/etc/sv/lyra2d"])
        supervisor.wait(20)
    tap.done()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
