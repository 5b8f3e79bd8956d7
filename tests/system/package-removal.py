#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""package-removal - what removing the PAM package must not do to anybody.

usage: package-removal.py DEBS

Runs as root in a scratch root (tests/lib/roots).  DEBS is a folder with the
packages.  Stacks and users are made as administrators make them: edited by
hand, named by a directory, for two architectures.  Prints TAP.
"""

import glob
import os
import re
import sys
import tempfile

import clients
import packages
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
    write(packages.OVERRIDE, "")


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

def stacks():
    """The text of all that PAM reads."""
    return {x: read(x) for x in glob.glob("/etc/pam.d/*")}


def keeper(when):
    """The user of pam_unix gets in, with no other password."""
    for password, wanted in ((RIGHT, True), (WRONG, False)):
        tap.attempt("%s: keeper, %s" % (when, password), lambda x=password,
                    y=wanted: clients.check_su("keeper", x) is y)


def refused_files(files, when):
    before = stacks()
    refused, output = remove()
    named = output.partition("missing:")[2].partition("Take its")[0]
    tap.ok(when + ": removal is refused", refused, output)
    tap.equal(when + ": it names the files", sorted(named.split()),
              sorted(files))
    tap.ok(when + ": it names the ways on",
           "--force --enable unix" in output and packages.OVERRIDE in output,
           output)
    tap.ok(when + ": PAM's files stay as they were", stacks() == before)
    tap.equal(when + ": the package stays", state(), "installed")


# --- the chapters of the scenario, in order ------------------------------

def before(debs):
    write("/usr/share/pam-configs/site", "Name: site\nDefault: yes\n"
          "Priority: 0\nSession-Type: Additional\n"
          "Session:\n\toptional pam_umask.so\n")
    clients.must(["pam-auth-update", "--package"])
    clients.add_user("keeper", RIGHT)
    packages.install(debs)
    packages.configure(cost=7, rehash="never")
    clients.add_user("bob", RIGHT)


def names_of_a_directory():
    names = ["dom\\nora", "corp\\carol", "zed"]
    for name in names:
        write(SHADOW, name + clients.shadow_line("bob")[3:] + "\n", "a")
    packages.refused_removal(["bob", *names], "backslashes in names")
    edit(SHADOW, r"(?m)^(dom\\|corp\\|zed).*\n", "")


def two_architectures(debs):
    native = clients.must(["dpkg", "--print-architecture"]).strip()
    other = "i386" if native != "i386" else "amd64"
    mine, others = PACKAGE + ":" + native, PACKAGE + ":" + other
    clients.must(["dpkg", "--add-architecture", other])
    deb = for_another(pam_package(debs), other)
    packages.install([deb])
    refused, output = remove(mine)
    tap.ok("two architectures: this system's stays",
           refused and "locked out:" in output, output)
    refused, output = remove(others)
    tap.ok("two architectures: the other's goes", not refused, output)
    tap.equal("and leaves the profile", packages.profile_lines(), packages.ENABLED)
    refused, output = remove(mine)
    tap.ok("though the other's has left its configuration, it is refused",
           refused and "locked out:" in output, output)
    output = clients.must(["dpkg", "-P", others])
    tap.ok("purge of the other's: no note", "hashed with" not in output,
           output)
    packages.install([deb])
    accept()
    clients.must(["dpkg", "-r", mine])
    tap.equal("only the other's is left, without the profile",
              (state(others), packages.profile_lines()),
              ("installed", packages.DISABLED))
    keeper("only the other's is left")
    clients.must(["pam-auth-update", "--package"])
    tap.equal("another package's pam-auth-update brings the profile back",
              packages.profile_lines(), packages.ENABLED)
    keeper("the profile without a module")
    os.unlink(packages.OVERRIDE)
    refused, output = remove(others)
    tap.ok("the last one is refused", refused and "locked out:" in output,
           output)
    accept()
    clients.must(["dpkg", "-P", others])
    tap.equal("the last one takes the profile away", packages.profile_lines(),
              packages.DISABLED)
    os.unlink(packages.OVERRIDE)
    packages.install(debs)


def only_module(debs):
    """Where no module is left, pam-auth-update lets everybody in."""
    clients.must(["pam-auth-update", "--disable", "unix"])
    clients.must(["dpkg", "-r", PACKAGE])
    tap.equal("the only module: the profile is gone", packages.profile_lines(),
              packages.DISABLED)
    keeper("the only module is gone")
    packages.install(debs)


REAL = "/usr/sbin/pam-auth-update"


def login_during_removal():
    """Between the look at /etc/shadow and the end of the profile."""
    before = stacks()
    clients.must(["chpasswd", "-c", "YESCRYPT"], "bob:%s\n" % RIGHT)
    os.rename(REAL, REAL + ".real")
    write(REAL, "#!/bin/sh\n[ -e /tmp/changed ] || echo 'bob:%s' | chpasswd\n"
          ">/tmp/changed\nexec %s.real \"$@\"\n" % (RIGHT, REAL))
    os.chmod(REAL, 0o755)
    try:
        packages.refused_removal(["bob"], "a login during the removal")
    finally:
        os.rename(REAL + ".real", REAL)
    tap.equal("the stacks are those from before", stacks(), before)
    tap.attempt("bob is not locked out", clients.check_su, "bob", RIGHT)
    clients.must(["chpasswd", "-c", "YESCRYPT"], "bob:%s\n" % RIGHT)


def refusal_restores():
    """A refusal leaves pam_unix disabled, and lyra2 where it was disabled."""
    clients.chpasswd({"bob": RIGHT})
    for disabled in ("unix", "lyra2"):
        clients.must(["pam-auth-update", "--disable", disabled])
        before = stacks()
        refused, output = remove()
        tap.ok("%s disabled: refused" % disabled, refused, output)
        tap.ok("%s disabled: the stacks stay" % disabled, stacks() == before)
        clients.must(["pam-auth-update", "--enable", disabled])
    clients.must(["chpasswd", "-c", "YESCRYPT"], "bob:%s\n" % RIGHT)


def unpacked(debs):
    """A package that is not configured is removed without being asked."""
    clients.must(["pam-auth-update", "--disable", "unix"])
    clients.must(["dpkg", "--unpack", pam_package(debs)])
    clients.must(["dpkg", "-r", PACKAGE])
    tap.equal("unpacked: the profile is gone", packages.profile_lines(),
              packages.DISABLED)
    keeper("unpacked")
    packages.install(debs)


def services():
    """Lines that no profile wrote."""
    vpn, auth = "/etc/pam.d/vpn", "/etc/pam.d/common-auth"
    write("/etc/pam.d/old", "# auth required pam_lyra2.so\n")
    write("/etc/pam.d/su.dpkg-old", "auth required pam_lyra2.so\n")
    write(auth, "auth optional pam_lyra2.so\n", "a")
    refused_files([auth], "a line beside the profile's")
    write(vpn, "auth [success=done \\\n default=die] pam_lyra2.so\n")
    refused_files([vpn], "a service of one's own")
    clients.must(["pam-auth-update", "--disable", "lyra2"])
    refused_files([vpn, auth], "the profile was disabled")
    clients.must(["pam-auth-update", "--enable", "lyra2"])
    os.unlink(vpn)
    edit(auth, "auth optional pam_lyra2.so\n", "")


def edit_session():
    """In the block that pam-auth-update manages."""
    edit("/etc/pam.d/common-session", r"(.*pam_unix\.so.*\n)",
         r"\1session optional pam_env.so\n")


def edited(debs):
    """What pam-auth-update calls local modifications, and exits with 0."""
    edit_session()
    mine = ["/etc/pam.d/" + x for x in packages.ENABLED]
    refused_files(mine, "an edited stack")
    accept()
    clients.must(["dpkg", "-r", PACKAGE])
    tap.equal("left on purpose", packages.profile_lines(), packages.ENABLED)
    keeper("left on purpose")
    os.unlink(packages.OVERRIDE)
    packages.install(debs)
    refused_files(mine, "installed again")
    clients.must(["pam-auth-update", "--force", "--enable", "unix",
                  "--disable", "lyra2"])
    tap.equal("the edits given up", packages.profile_lines(), packages.DISABLED)
    refused, output = remove()
    tap.ok("then it goes", not refused, output)
    keeper("gone")
    edit_session()
    packages.install(debs)
    tap.equal("installed beside edits: not enabled", packages.profile_lines(),
              packages.DISABLED)
    clients.must(["pam-auth-update", "--force", "--enable", "lyra2"])
    tap.equal("the edits given up: enabled", packages.profile_lines(), packages.ENABLED)


def no_shadow():
    clients.chpasswd({"bob": RIGHT})
    clients.must(["pwunconv"])
    packages.refused_removal(["bob"], "no /etc/shadow")
    accept()
    output = clients.must(["dpkg", "-P", PACKAGE])
    tap.ok("no /etc/shadow: purge, with a note",
           re.search(r"note: .* still hashed with Lyra2: 1\b", output), output)
    tap.equal("no /etc/shadow: the profile is gone", packages.profile_lines(),
              packages.DISABLED)
    keeper("no /etc/shadow")


def main(folder):
    debs = packages.debs_in(folder)
    before(debs)
    names_of_a_directory()
    two_architectures(debs)
    clients.must(["chpasswd", "-c", "YESCRYPT"], "bob:%s\n" % RIGHT)
    login_during_removal()
    refusal_restores()
    only_module(debs)
    unpacked(debs)
    services()
    edited(debs)
    no_shadow()
    tap.done()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
