#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""removal - what removing the PAM package must not do to anybody.

usage: removal.py DEBS

Runs as root in a scratch root (tests/roots).  DEBS is a folder with the
packages.  Stacks and users are made as administrators make them: named
by a directory.  Prints TAP.
"""

import re
import sys

import clients
import e2e
import tap
from pamroot import RIGHT, SHADOW, WRONG, edit, read, write

PACKAGE = "libpam-lyra2"


# --- packages --------------------------------------------------------------

def accept():
    """Say that users may be locked out."""
    write(e2e.OVERRIDE, "")


# --- what is tried ---------------------------------------------------------

def keeper(when):
    """The user of pam_unix gets in, and nobody else as him."""
    for password, wanted in ((RIGHT, True), (WRONG, False)):
        tap.attempt("%s: keeper, %s" % (when, password), lambda x=password,
                    y=wanted: clients.check_su("keeper", x) is y)


# --- the chapters of the story, in order -----------------------------------

def before(debs):
    clients.add_user("keeper", RIGHT)
    e2e.install(debs)
    e2e.configure(cost=7, rehash="never")
    clients.add_user("bob", RIGHT)


def names_of_a_directory():
    names = ["dom\\nora", "corp\\carol", "zed"]
    for name in names:
        write(SHADOW, name + clients.shadow_line("bob")[3:] + "\n", "a")
    e2e.refused_removal(["bob", *names], "backslashes in names")
    edit(SHADOW, r"(?m)^(dom\\|corp\\|zed).*\n", "")


def no_shadow():
    clients.chpasswd({"bob": RIGHT})
    clients.must(["pwunconv"])
    e2e.refused_removal(["bob"], "no /etc/shadow")
    accept()
    output = clients.must(["dpkg", "-P", PACKAGE])
    tap.ok("no /etc/shadow: purge, with a note",
           re.search(r"note: .* still hashed with Lyra2: 1\b", output), output)
    tap.equal("no /etc/shadow: the profile is gone", e2e.profile_lines(),
              e2e.DISABLED)
    keeper("no /etc/shadow")


def main(folder):
    debs = e2e.packages(folder)
    before(debs)
    names_of_a_directory()
    no_shadow()
    tap.done()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
