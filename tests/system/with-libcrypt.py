#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""with-libcrypt - the packages on a machine whose libcrypt1 knows Lyra2 as well.

usage: with-libcrypt.py DEBS LIBCRYPT1

Runs as root in a scratch root (tests/lib/roots).  DEBS is a folder with the
packages, LIBCRYPT1 the package that crypt/build-libxcrypt makes.  Prints TAP.
"""

import sys

import clients
import devlog
import packages
import tap
from pamroot import LOG, RIGHT, WRONG, set_aside, without_delays, write

OTHER, THIRD = "Another-pw-5319", "Yet-another-7731"


def both_ways(when):
    """A user with a Lyra2 entry gets in by each program, others do not."""
    tap.ok(when + ": the entry is Lyra2's",
           clients.stored("alice").startswith("$lyra2$"))
    packages.ways("alice", RIGHT, when)


def beside(debs, libcrypt):
    """The module and crypt(3) know the method."""
    packages.install(debs)
    without_delays()
    packages.configure(cost=7)
    for user, password in (("alice", RIGHT), ("bob", OTHER)):
        clients.add_user(user, password)
    clients.must(["usermod", "-aG", "sudo", "alice"])
    packages.install([libcrypt])
    both_ways("beside a libcrypt with the method")
    tap.equal("audit: crypt(3) can verify alice",
              [x["crypt"] for x in packages.audit()[1]["users"]
               if x["user"] == "alice"], [True])


def history():
    """pam_pwhistory(8) recognises passwords that were hashed with Lyra2."""
    write("/usr/share/pam-configs/history", "Name: history\nDefault: yes\n"
          "Priority: 1000\nPassword-Type: Primary\nPassword:\n"
          "\trequisite pam_pwhistory.so remember=5 use_authtok\n"
          "Password-Initial:\n\trequisite pam_pwhistory.so remember=5\n")
    clients.must(["pam-auth-update", "--package", "--enable", "history"])
    for old, new, wanted in ((RIGHT, OTHER, True), (OTHER, THIRD, True),
                             (THIRD, OTHER, False), (THIRD, RIGHT, False)):
        done, output = clients.passwd("alice", old, new)
        tap.ok("pam_pwhistory: a password is %s" % (
            "new" if wanted else "an old one"), done is wanted and
            (wanted or "already used" in output), output)
    clients.must(["pam-auth-update", "--disable", "history"])
    clients.chpasswd({"alice": RIGHT})


def no_helper():
    """pam_unix verifies what crypt(3) knows."""
    with set_aside("/usr/sbin/lyra2_update"):
        tap.attempt("no helper: a user with a Lyra2 hash enters",
                    clients.check_su, "alice", RIGHT)
        tap.attempt("no helper: not with a wrong password",
                    lambda: not clients.check_su("alice", WRONG))


def alone():
    """Only crypt(3) does, after a removal that strands nobody."""
    status, output = clients.run(["dpkg", "-r", "libpam-lyra2"])
    tap.ok("removal is not refused", status == 0, output)
    tap.equal("the profile is gone", packages.profile_lines(), packages.DISABLED)
    both_ways("pam_unix alone")
    for password in (WRONG, RIGHT):
        tap.attempt("pam_unix alone: bob does not enter with " + password,
                    lambda x=password: not clients.check_su("bob", x))
    tap.attempt("but with the own password", clients.check_su, "bob", OTHER)


def main(folder, libcrypt):
    with devlog.Collector(LOG), clients.sshd():
        beside(packages.debs_in(folder), libcrypt)
        history()
        no_helper()
        alone()
    tap.done()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
