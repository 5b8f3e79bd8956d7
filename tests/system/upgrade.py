#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""upgrade - from Debian 12 to 13, with logins while it runs.

usage: upgrade.py RESULTS [DEBS12 DEBS13]

Runs as root in a scratch root of Debian 12 (tests/lib/roots), in which apt
finds all of Debian 13 without a network.  DEBS12 and DEBS13 are directories
with the packages to test.  Without them, a stock system is upgraded: the file
"stock" in RESULTS then lists the refused logins, each with the step of dpkg.
With them, no other login may be refused.  Prints TAP.
"""

import json
import os
import sys

import clients
import packages
import tap
from pamroot import RIGHT, WRONG, read, without_delays, write

os.environ["DEBIAN_FRONTEND"] = "noninteractive"


class Logins(packages.Prober):
    """Prober without sshd: an old sshd cannot start parts of a new one."""

    CHECKS = ((clients.check_login, RIGHT, True),
              (clients.check_login, WRONG, False),
              (clients.check_su, RIGHT, True))

    @staticmethod
    def step():
        """The step that dpkg began last, without versions."""
        words = read("/var/log/dpkg.log").split("\n")[-2].split()
        return " ".join(words[2:5])

    @staticmethod
    def _try(check, password):
        """A shell that stops in an incomplete new /etc/profile is a login."""
        answer = packages.Prober._try(check, password)
        return True if "\\n-sh: " in str(answer) else answer


def release():
    return "trixie" if "trixie" in read("/etc/os-release") else "older"


def main(results, debs12=None, debs13=None):
    who = "with pam_lyra2" if debs12 else "stock"
    without_delays()
    clients.add_user("alice", RIGHT)
    if debs12:
        packages.install(packages.before_it(packages.debs_in(debs12), "~12"))
        packages.archive(packages.debs_in(debs13))
        packages.configure(cost=7, rehash="never")
        packages.serve()
        clients.chpasswd({"alice": RIGHT})
    hashed = clients.stored("alice")
    tap.equal(who + ": alice's hash is Lyra2's", hashed.startswith("$lyra2$"),
              debs12 is not None)
    with Logins() as logins:
        logins.whole_round()
        status, output = clients.run(
            ["apt-get", "-qy", "-o", "Dpkg::Options::=--force-confold",
             "dist-upgrade"], patience=1200)
        logins.whole_round()
    tap.ok(who + ": the upgrade succeeds", status == 0, output[-4000:])
    tap.equal(who + ": this is Debian 13", release(), "trixie")
    tap.equal(who + ": alice's hash stays", clients.stored("alice"), hashed)
    if not debs12:
        write(results + "/stock", json.dumps(logins.wrong))
        tap.ok("stock: %d rounds of logins, %d refused" % (
            logins.rounds.value, len(logins.wrong)), logins.rounds.value > 9,
            logins.wrong)
    else:
        stock = json.loads(read(results + "/stock"))
        tap.equal("%s: %d rounds of logins, none refused that stock lets in" %
                  (who, logins.rounds.value),
                  [list(x) for x in logins.wrong if list(x) not in stock], [])
        tap.ok(who + ": the profile stays", packages.enabled())
        tap.ok(who + ": Debian 13's package", "~12" not in clients.must(
            ["dpkg-query", "-W", "libpam-lyra2"]))
        # Units move from /lib to /usr/lib, which are one folder.
        changed = clients.run(["dpkg", "-V", *packages.names(
            packages.debs_in(debs13))])[1]
        tap.equal(who + ": each file is there, and Debian 13's", [
            x for x in changed.splitlines() if packages.CONF not in x], [])
    tap.done()


if __name__ == "__main__":
    if len(sys.argv) not in (2, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
