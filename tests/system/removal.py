#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""removal - removing the PAM package must lock no user out, nor let anyone in.

usage: removal.py DEBS [LIBCRYPT]

Runs as root in a scratch root (tests/lib/roots).  DEBS is a directory with the
packages; LIBCRYPT is one with a libcrypt.so.1 that knows the method.  Stacks
and users are made as administrators make them: edited by hand, in a directory
service, for two architectures.  Prints TAP.
"""

import contextlib
import glob
import json
import os
import re
import sys
import tempfile
import time
from multiprocessing.pool import ThreadPool

import clients
import packages
import tap
from packages import OVERRIDE, enabled, stack
from pamroot import (RIGHT, SHADOW, WRONG, crypt, edit, enter, put, read,
                     write)

PACKAGE = "libpam-lyra2"
REAL = "/usr/sbin/pam-auth-update"


# --- packages --------------------------------------------------------------

def state(name=PACKAGE):
    _, output = clients.run(
        ["dpkg-query", "-W", "-f", "${db:Status-Status}", name])
    return output


def remove(name=PACKAGE, **env):
    """Removes the package; returns true if that was refused, and the output."""
    status, output = clients.run(["dpkg", "-r", name], **env)
    return status != 0, output


def update(*options):
    clients.must(["pam-auth-update", *options])


def pam_package(debs):
    return [x for x in debs if "/%s_" % PACKAGE in x][0]


@contextlib.contextmanager
def accepted():
    """The administrator accepts that users may be locked out."""
    write(OVERRIDE, "")
    yield
    with contextlib.suppress(FileNotFoundError):	# a purge removes it
        os.unlink(OVERRIDE)


def for_another(deb, other):
    """Makes a copy for another architecture, whose module no program here
    loads."""
    folder = tempfile.mkdtemp()
    tree = folder + "/tree"
    clients.must(["dpkg-deb", "-R", deb, tree])
    control = tree + "/DEBIAN/control"
    edit(control, "(?m)^Architecture: .*", "Architecture: " + other)
    edit(control, "(?m)^(Pre-)?Depends:.*\n( .*\n)*", "")
    folders = glob.glob(tree + "/usr/lib/*")
    os.rename(folders[0], tree + "/usr/lib/of-" + other)
    edit(tree + "/DEBIAN/md5sums", os.path.basename(folders[0]), "of-" + other)
    clients.must(["dpkg-deb", "-Znone", "-b", tree, folder])
    return glob.glob(folder + "/*.deb")[0]


# --- checks ---------------------------------------------------------

def stacks():
    """The text of all files that PAM reads."""
    return {x: read(x) for x in glob.glob("/etc/pam.d/*")
            if os.path.isfile(x)}


def gone(when):
    """The profile is gone; keeper gets in by pam_unix, with no other password.
    """
    tap.equal(when + ": the profile is gone", stack(), set())
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
           "--force --enable unix" in output and OVERRIDE in output, output)
    tap.ok(when + ": all stays", stacks() == before and state() == "installed")


# --- the chapters, in order; bob has a Lyra2 hash, or none ---------------

def lyra2_for_bob():
    clients.chpasswd({"bob": RIGHT})


def yescrypt_for_bob():
    clients.must(["chpasswd", "-c", "YESCRYPT"], "bob:%s\n" % RIGHT)


def before(debs):
    write("/usr/share/pam-configs/site", "Name: site\nDefault: yes\n"
          "Priority: 0\nSession-Type: Additional\n"
          "Session:\n\toptional pam_umask.so\n")
    update("--package")
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


def libcrypt_knows(debs, libcrypt):
    """With a crypt(3) that verifies bob's hash, no user is locked out."""
    refused, output = remove(LD_LIBRARY_PATH=libcrypt)
    tap.ok("libcrypt knows the method: not refused", not refused, output)
    gone("libcrypt knows the method")
    packages.install(debs)


def other_libpam(other):
    """Makes a libpam0g of another architecture, with only the library in it."""
    folder = tempfile.mkdtemp()
    version = clients.must(["dpkg-query", "-W", "-f", "${Version}\n",
                            "libpam0g"]).split()[0]
    os.makedirs(folder + "/tree/DEBIAN")
    os.makedirs(folder + "/tree/usr/lib/of-" + other)
    write(folder + "/tree/usr/lib/of-%s/libpam.so.0" % other, "")
    write(folder + "/tree/DEBIAN/control", "Package: libpam0g\nVersion: %s\n"
          "Architecture: %s\nMulti-Arch: same\nMaintainer: nobody <n@o>\n"
          "Description: libpam of %s\n" % (version, other, other))
    clients.must(["dpkg-deb", "-Znone", "-b", folder + "/tree", folder])
    return glob.glob(folder + "/*.deb")[0]


def other_lacks(debs, other):
    """PAM of another architecture lacks the module: the refusal names it."""
    word = "%s programs cannot verify Lyra2 hashes: install %s:%s" % (
        other, PACKAGE, other)
    tap.ok("one architecture: nothing is said of others",
           "cannot verify Lyra2" not in packages.install(debs)
           + clients.run(["lyra2", "audit"])[1])
    packages.install([other_libpam(other)])
    output = packages.install(debs)
    tap.ok("the installation names an architecture without the module",
           output.count(word) == 1, output)
    output = clients.run(["lyra2", "audit"])[1]
    tap.ok("so does lyra2 audit", "Programs of /usr/lib/of-%s cannot verify" %
           other in output, output)
    _, output = clients.run(["lyra2", "audit", "--json"])
    tap.equal("and its JSON", json.loads(output)["without_module"],
              ["/usr/lib/of-" + other])


def two_architectures(debs):
    native = clients.must(["dpkg", "--print-architecture"]).strip()
    other = "i386" if native != "i386" else "amd64"
    mine, others = PACKAGE + ":" + native, PACKAGE + ":" + other
    clients.must(["dpkg", "--add-architecture", other])
    other_lacks(debs, other)
    deb = for_another(pam_package(debs), other)
    packages.install([deb])
    tap.ok("two architectures: the installation names none",
           "cannot verify Lyra2" not in packages.install(debs))
    refused, output = remove(mine)
    tap.ok("two architectures: this system's stays",
           refused and "locked out:" in output, output)
    refused, output = remove(others)
    tap.ok("two architectures: the other's goes", not refused, output)
    tap.ok("which says what that means", "warning: %s programs can no longer "
           "verify Lyra2 hashes" % other in output, output)
    tap.ok("and leaves the profile", enabled())
    refused, output = remove(mine)
    tap.ok("though the other's has left its configuration, it is refused",
           refused and "locked out:" in output, output)
    packages.install([deb])
    with accepted():
        clients.must(["dpkg", "-r", mine])
    tap.equal("only the other's is left", state(others), "installed")
    gone("only the other's is left")
    update("--package")
    tap.ok("another package's pam-auth-update leaves the profile off",
           not enabled())
    packages.install(debs)
    tap.ok("this system's is installed again: the profile is on", enabled())
    with accepted():
        clients.must(["dpkg", "-r", mine])
    gone("only the other's is left, again")
    refused, output = remove(others)
    tap.ok("the last one is refused", refused and "locked out:" in output,
           output)
    with accepted():
        clients.must(["dpkg", "-P", others])
    gone("the last one")
    packages.install(debs)
    packages.configure(cost=7, rehash="never")


def stays(debs, when, old):
    """The removal goes on, and bob keeps the hash that pam_unix verifies."""
    tap.equal(when + ": bob's hash stays", clients.stored("bob"), old)
    gone(when)
    tap.attempt(when + ": bob is not locked out", clients.check_su, "bob",
                RIGHT)
    packages.install(debs)
    lyra2_for_bob()
    tap.ok(when + ": installed again, it stores Lyra2 hashes",
           clients.stored("bob").startswith("$lyra2$"))


def login_during_removal(debs):
    """A change between the check of /etc/shadow and the end of the profile."""
    yescrypt_for_bob()
    old = clients.stored("bob")
    os.rename(REAL, REAL + ".real")
    write(REAL, "#!/bin/sh\n[ -e /tmp/changed ] || echo 'bob:%s' | chpasswd\n"
          ">/tmp/changed\nexec %s.real \"$@\"\n" % (RIGHT, REAL))
    os.chmod(REAL, 0o755)
    refused, output = remove()
    tap.ok("a change during the removal: it is not refused", not refused,
           output)
    os.rename(REAL + ".real", REAL)
    stays(debs, "a change during the removal", old)


# A machine so busy that looking at all processes takes long.
SLOW = """#!/bin/sh
sleep 0.1
exec /usr/bin/readlink "$@"
"""


def wait_in_brake(debs):
    """A user who mistyped still waits when the module has gone."""
    packages.configure(cost=10)
    put("bob", crypt("sha512crypt", RIGHT))
    old = clients.stored("bob")
    packages.serve()
    for _ in range(6):
        clients.check_su("bob", WRONG)
    slow = "/usr/local/bin/readlink"
    write(slow, SLOW)
    os.chmod(slow, 0o755)
    with ThreadPool(1) as pool:
        login = pool.apply_async(clients.check_su, ("bob", RIGHT))
        time.sleep(1)
        refused, output = remove()
        tap.ok("a login waits: the removal is not refused", not refused,
               output)
        tap.ok("a login waits: it still waited then", not login.ready())
        tap.attempt("a login waits: it succeeds", login.get)
    os.unlink(slow)
    time.sleep(3)
    stays(debs, "a login waits", old)
    packages.configure(cost=7, rehash="never")


# Stops the worker of a private service when it has used 0.05 s of the CPU.
WITHOUT_SERVICE = """#!/bin/sh
mv {0}.real {0}
echo 'bob:{1}' | chpasswd &
hashes() {{
	pid=$(pgrep -nf 'lyra2d --private') &&
	test "$(cut -d ' ' -f 14 /proc/$pid/stat)" -gt 5
}}
until hashes; do :; done 2>/dev/null
kill -STOP $pid
(sleep 13; kill -CONT $pid) >/dev/null 2>&1 &
exec {0} "$@"
"""


def once_during_removal(debs):
    """A hash that a private service would store after the module went."""
    yescrypt_for_bob()
    old = clients.stored("bob")
    packages.configure(cost=7, t_cost=2000, rehash="never")
    os.rename(REAL, REAL + ".real")
    write(REAL, WITHOUT_SERVICE.format(REAL, RIGHT))
    os.chmod(REAL, 0o755)
    refused, output = remove()
    tap.ok("a private service: the removal is not refused", not refused,
           output)
    while clients.run(["pgrep", "-f", "lyra2d --private"])[0] == 0:
        time.sleep(0.1)
    packages.configure(cost=7, rehash="never")
    stays(debs, "a private service", old)


def killed():
    """A removal is killed after it has changed the stacks."""
    yescrypt_for_bob()
    old = stacks()
    os.rename(REAL, REAL + ".real")
    write(REAL, "#!/bin/sh\nmv %s.real %s\n%s \"$@\"\nkill -KILL $PPID\n" %
          (REAL, REAL, REAL))
    os.chmod(REAL, 0o755)
    refused, output = remove()
    tap.ok("a removal is killed", refused and "Killed" in output, output)
    tap.ok("the package stays", state() == "installed", output)
    tap.equal("and so do the stacks", stacks(), old)
    tap.equal("and nothing is left", glob.glob("/run/pam_lyra2*"), [])


def refusal_restores():
    """After a refusal, pam_unix is disabled as before, and so is lyra2."""
    lyra2_for_bob()
    for disabled in ("unix", "lyra2"):
        update("--disable", disabled)
        old = stacks()
        refused, output = remove()
        tap.ok("%s disabled: refused, and the stacks stay" % disabled,
               refused and stacks() == old, output)
        update("--enable", disabled)
    yescrypt_for_bob()


def only_module(debs):
    """Without any module, pam-auth-update would let every user in."""
    lyra2_for_bob()
    update("--disable", "unix")
    for password, wanted in ((RIGHT, True), (WRONG, False)):
        tap.equal("the only module: %s" % password,
                  enter("login", "bob", password), wanted)
    yescrypt_for_bob()
    clients.must(["dpkg", "-r", PACKAGE])
    gone("the only module")
    packages.install(debs)
    # A package that is not configured is removed without a question.
    lyra2_for_bob()
    update("--disable", "unix")
    clients.must(["dpkg", "--unpack", pam_package(debs)])
    output = clients.must(["dpkg", "-r", PACKAGE])
    tap.ok("unpacked: it says that this locks users out", re.search(
        r"warning: .* locked out.*: 1\. Install", output), output)
    gone("unpacked")
    packages.install(debs)
    tap.attempt("installed again: bob is let in",
                clients.check_su, "bob", RIGHT)
    yescrypt_for_bob()


def services():
    """Lines in PAM's files that no profile has written."""
    vpn, auth = "/etc/pam.d/vpn", "/etc/pam.d/common-auth"
    write("/etc/pam.d/old", "# auth required pam_lyra2.so\n")
    write("/etc/pam.d/su.dpkg-old", "auth required pam_lyra2.so\n")
    write(auth, "auth optional pam_lyra2.so\n", "a")
    refused_files([auth], "a line beside the profile's")
    os.mkdir("/etc/pam.d/sub")
    os.mkfifo("/etc/pam.d/fifo")
    write("/etc/pam.d/sub/x", "auth required pam_lyra2.so\n")
    refused_files(["/etc/pam.d/sub/x"], "an included file")
    os.unlink("/etc/pam.d/sub/x")
    write(vpn, "auth [success=done \\\n default=die] pam_lyra2.so\n")
    refused_files([vpn], "a service of one's own")
    update("--disable", "lyra2")
    refused_files([vpn, auth], "the profile was disabled")
    update("--enable", "lyra2")
    os.unlink(vpn)
    os.unlink("/etc/pam.d/fifo")
    edit(auth, "auth optional pam_lyra2.so\n", "")


def edit_session():
    """Edits a line in the block that pam-auth-update manages."""
    edit("/etc/pam.d/common-session", r"(.*pam_unix\.so.*\n)",
         r"\1session optional pam_env.so\n")


def edited(debs):
    """Local modifications, about which pam-auth-update warns, with exit status
    0."""
    edit_session()
    refused_files(stack(), "an edited stack")
    with accepted():
        clients.must(["dpkg", "-r", PACKAGE])
        tap.ok("left on purpose", enabled())
    packages.install(debs)
    update("--force", "--enable", "unix", "--disable", "lyra2")
    refused, output = remove()
    tap.ok("the edits given up: it goes", not refused, output)
    gone("the edits given up")
    edit_session()
    clients.must(["dpkg", "--purge", PACKAGE])
    output = packages.install(debs)
    packages.configure(cost=7, rehash="never")
    tap.equal("installed with edits in the stack: not enabled", stack(), set())
    tap.ok("and it says so, and what to add", all(x in output for x in (
        "NOT enabled", "/etc/pam.d/common-auth", "auth [success=2 ",
        "password [success=2 ")), output)
    update("--force", "--enable", "lyra2")
    tap.ok("the edits given up: enabled", enabled())


def forced(debs):
    """The service is removed only with the module, even if dpkg is forced.
    The commands that the refusal prints work as printed."""
    service = "libpam-lyra2-bin"
    lyra2_for_bob()
    status, output = clients.run(["dpkg", "-r", "--force-depends", service])
    tap.ok("forced: the service stays", status != 0 and
           state(service) == "installed", output)
    ways = re.findall("(?m)^    (dpkg .*)$", output)
    tap.equal("forced: one way is printed", len(ways), 1)
    tap.attempt("forced: bob still comes in", clients.check_su, "bob", RIGHT)
    yescrypt_for_bob()
    clients.must(ways[0].split())
    tap.ok("forced: the way works", not re.search(
        "installed|unpacked|half", state(service) + state()))
    gone("forced")
    packages.install(debs)
    clients.must(["apt-get", "-y", "remove", service])
    tap.ok("apt-get removes both, in the order that works",
           state(service) != "installed" != state())
    packages.install(debs)
    lyra2_for_bob()
    with accepted():
        clients.must(["dpkg", "-r", "--force-depends", service])
        tap.ok("forced: on purpose it goes", state(service) != "installed")
    packages.install(debs)
    tap.attempt("forced: after its return bob comes in",
                clients.check_su, "bob", RIGHT)


def no_shadow():
    lyra2_for_bob()
    clients.must(["pwunconv"])
    packages.refused_removal(["bob"], "no /etc/shadow")
    with accepted():
        output = clients.must(["dpkg", "-P", PACKAGE])
    tap.ok("no /etc/shadow: purge, with a note",
           re.search(r"note: .* still hashed with Lyra2: 1\b", output), output)
    gone("no /etc/shadow")


def main(folder, libcrypt=None):
    debs = packages.debs_in(folder)
    before(debs)
    names_of_a_directory()
    if libcrypt and glob.glob(libcrypt + "/libcrypt.so.1"):
        libcrypt_knows(debs, libcrypt)
    else:
        tap.skip("libcrypt knows the method", "no libcrypt that does")
    two_architectures(debs)
    login_during_removal(debs)
    once_during_removal(debs)
    wait_in_brake(debs)
    killed()
    refusal_restores()
    only_module(debs)
    services()
    edited(debs)
    forced(debs)
    no_shadow()
    tap.done()


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
