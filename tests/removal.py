#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""removal - what removing the PAM package must not do to anybody.

usage: removal.py DEBS

Runs as root in a scratch root (tests/roots).  DEBS is a folder with the
packages.  Stacks and users are made as administrators make them: named
by a directory, for two architectures.  Prints TAP.
"""

import glob
import os
import re
import sys
import tempfile

import clients
import e2e
import tap
from pamroot import RIGHT, SHADOW, WRONG, edit, read, write

PACKAGE = "libpam-lyra2"


# --- packages --------------------------------------------------------------

def state(name=PACKAGE):
    _, output = clients.run(
        ["dpkg-query", "-W", "-f", "${db:Status-Status}", name])
    return output


def remove(*names):
    """dpkg -r, and whether it was refused."""
    status, output = clients.run(["dpkg", "-r", *(names or [PACKAGE])])
    return status != 0, output


def pam_package(debs):
    return [x for x in debs if "/%s_" % PACKAGE in x][0]


def accept():
    """Say that users may be locked out."""
    write(e2e.OVERRIDE, "")


def for_another(deb, other):
    """A copy for another architecture: nobody here loads its module."""
    folder = tempfile.mkdtemp()
    tree = folder + "/tree"
    clients.must(["dpkg-deb", "-R", deb, tree])
    edit(tree + "/DEBIAN/control", "(?m)^Architecture: .*", "Architecture: "
         + other)
    edit(tree + "/DEBIAN/control", "(?m)^(Pre-)?Depends:.*\n( .*\n)*", "")
    folders = glob.glob(tree + "/usr/lib/*")
    os.rename(folders[0], tree + "/usr/lib/of-" + other)
    edit(tree + "/DEBIAN/md5sums", os.path.basename(folders[0]), "of-" + other)
    clients.must(["dpkg-deb", "-Znone", "-b", tree, folder])
    return glob.glob(folder + "/*.deb")[0]


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


def two_architectures(debs):
    native = clients.must(["dpkg", "--print-architecture"]).strip()
    other = "i386" if native != "i386" else "amd64"
    mine, others = PACKAGE + ":" + native, PACKAGE + ":" + other
    clients.must(["dpkg", "--add-architecture", other])
    deb = for_another(pam_package(debs), other)
    e2e.install([deb])
    refused, output = remove(mine)
    tap.ok("two architectures: this system's stays",
           refused and "locked out:" in output, output)
    refused, output = remove(others)
    tap.ok("two architectures: the other's goes", not refused, output)
    tap.equal("and leaves the profile", e2e.profile_lines(), e2e.ENABLED)
    refused, output = remove(mine)
    tap.ok("though the other's has left its configuration, it is refused",
           refused and "locked out:" in output, output)
    output = clients.must(["dpkg", "-P", others])
    tap.ok("purge of the other's: no note", "hashed with" not in output,
           output)
    e2e.install([deb])
    accept()
    clients.must(["dpkg", "-r", mine])
    tap.equal("only the other's is left, without the profile",
              (state(others), e2e.profile_lines()),
              ("installed", e2e.DISABLED))
    keeper("only the other's is left")
    clients.must(["pam-auth-update", "--package"])
    tap.equal("another package's pam-auth-update brings the profile back",
              e2e.profile_lines(), e2e.ENABLED)
    keeper("the profile without a module")
    os.unlink(e2e.OVERRIDE)
    refused, output = remove(others)
    tap.ok("the last one is refused", refused and "locked out:" in output,
           output)
    accept()
    clients.must(["dpkg", "-P", others])
    tap.equal("the last one takes the profile away", e2e.profile_lines(),
              e2e.DISABLED)
    os.unlink(e2e.OVERRIDE)
    e2e.install(debs)


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
    two_architectures(debs)
    no_shadow()
    tap.done()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
