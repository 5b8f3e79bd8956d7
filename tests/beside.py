#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""beside - the packages on a machine whose libcrypt1 knows Lyra2 as well.

usage: beside.py DEBS LIBCRYPT1

Runs as root in a scratch root (tests/roots).  DEBS is a folder with the
packages, LIBCRYPT1 the package that crypt/build-libxcrypt makes.  Prints TAP.
"""

import sys

import clients
import devlog
import e2e
import tap
from pamroot import LOG, RIGHT, WRONG, without_delays

OTHER = "Another-pw-5319"


def both_ways(when):
    """A user with a Lyra2 entry gets in by each program, others do not."""
    tap.ok(when + ": the entry is Lyra2's",
           clients.stored("alice").startswith("$lyra2$"))
    e2e.ways("alice", RIGHT, when)


def beside(debs, libcrypt):
    """The module and crypt(3) know the method."""
    e2e.install(debs)
    without_delays()
    e2e.configure(cost=7)
    for user, password in (("alice", RIGHT), ("bob", OTHER)):
        clients.add_user(user, password)
    clients.must(["usermod", "-aG", "sudo", "alice"])
    e2e.install([libcrypt])
    both_ways("beside a libcrypt with the method")
    tap.equal("audit: crypt(3) can verify alice",
              [x["crypt"] for x in e2e.audit()[1]["users"]
               if x["user"] == "alice"], [True])


def alone():
    """Only crypt(3) does, after a removal that strands nobody."""
    status, output = clients.run(["dpkg", "-r", "libpam-lyra2"])
    tap.ok("removal is not refused", status == 0, output)
    tap.equal("the profile is gone", e2e.profile_lines(), e2e.DISABLED)
    both_ways("pam_unix alone")
    for password in (WRONG, RIGHT):
        tap.attempt("pam_unix alone: bob does not enter with " + password,
                    lambda x=password: not clients.check_su("bob", x))
    tap.attempt("but with his own", clients.check_su, "bob", OTHER)


def main(folder, libcrypt):
    with devlog.Collector(LOG), clients.sshd():
        beside(e2e.packages(folder), libcrypt)
        alone()
    tap.done()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
