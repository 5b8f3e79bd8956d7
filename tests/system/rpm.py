#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""rpm - the life of the RPM packages.

usage: rpm.py FOLDER

Runs as root in a scratch root (tests/lib/roots) that has rpm, dnf and rpmlint.
FOLDER has the release tarball.  Stand-ins replace what Fedora has and Debian
lacks: the macros of systemd, the profile "local" of authselect, and a package
that provides what the others require.  Prints TAP.
"""

import glob
import grp
import os
import re
import sys

import clients
import tap
from pamroot import CONF, read, write

BUILDER = "/home/builder"
MACROS = r"""
%_unitdir /usr/lib/systemd/system
%systemd_requires Requires(post): systemd
%systemd_post() if [ $1 = 1 ]; then systemctl preset %*; fi
%systemd_preun() if [ $1 = 0 ]; then systemctl disable %*; fi
%systemd_postun_with_restart() if [ $1 -ge 1 ]; then \
echo restarted %* >>/run/restarted; fi
"""
LOCAL = "/usr/share/authselect/default/local/"
STACK = """auth        required      pam_env.so
auth        sufficient    pam_unix.so {if not "without-nullok":nullok}
auth        required      pam_deny.so
account     required      pam_unix.so
password    requisite     pam_pwquality.so
password    sufficient    pam_unix.so yescrypt shadow use_authtok
password    required      pam_deny.so
session     required      pam_unix.so
"""
HOST = """Name: host
Version: 1
Release: 1
Summary: What these packages need, and this system has without rpm
License: BSD-2-Clause
BuildArch: noarch
%s
%%description
It has no files.
%%files
"""
# Warnings that Fedora's configuration leaves out, or that Debian's gcc causes
RPMLINT = """Filters = ["no-group-tag", "no-packager-tag", "no-signature",
    "lib-package-without-%mklibname", "library-without-ldconfig-post",
    "outside-libdir-files /usr/share/licenses/", "missing-hash-section"]
"""
UPGRADED = CONF + ".d/00-upgraded.conf"
OVERRIDE = "/run/pam_lyra2.allow-removal"
UNIT = "/etc/systemd/system/multi-user.target.wants/lyra2d.service"
PRESET = "/usr/lib/systemd/system-preset/00-test.preset"


def stand_in():
    write("/usr/lib/rpm/macros.d/macros.systemd", MACROS)
    os.makedirs(LOCAL)
    for name in ("system-auth", "password-auth"):
        write(LOCAL + name, STACK)
    write(LOCAL + "README", "Local users only\n================\n")
    os.makedirs(os.path.dirname(PRESET), exist_ok=True)
    write("/etc/ld.so.conf.d/lib64.conf", "/usr/lib64\n")


# --- packages ------------------------------

def build(tarball, release):
    """Builds the packages of one release; returns them without the source.

    A release that begins with "~" is an older one than the specification's.
    """
    folder = "%s/of-%s" % (BUILDER, release[1:])
    clients.must(["runuser", "-u", "builder", "--", "rpmbuild", "-ta",
                  "--nodeps", "--nocheck", "--with", "authselect",
                  "--define", "_topdir " + folder,
                  "--define", "dist " + release,
                  "--define", "debug_package %{nil}", tarball])
    return sorted(glob.glob(folder + "/RPMS/*/*.rpm"))


def query(file, what):
    return clients.must(["rpm", "-qp", *what.split(), file]).splitlines()


def host(packages):
    """Makes a package that provides what no other package provides."""
    wanted = {x for file in packages for x in query(file, "--requires")}
    given = {re.sub(" .*", "", x) for file in packages
             for x in query(file, "--provides")}
    names = {re.sub(" .*", "", x) for x in wanted}
    names = [x for x in names - given if not x.startswith("rpmlib(")]
    write("/root/host.spec", HOST % "".join("Provides: %s\n" % x
                                            for x in sorted(names)))
    clients.must(["rpmbuild", "-bb", "/root/host.spec"])
    return glob.glob("/root/rpmbuild/RPMS/noarch/host-*.rpm")


def dnf(*words):
    return clients.run(["dnf", "-y", "--disablerepo=*", "--setopt=gpgcheck=0",
                        *words])


def installed():
    output = clients.must(["rpm", "-qa", "--qf", "%{name} %{release}\n",
                           "pam_lyra2"])
    return output.strip()


def whole():
    """After a refusal, all that the module needs is still there."""
    clients.must(["ldconfig"])
    return installed() and clients.run(["lyra2d", "--version"])[0] == 0 and \
        clients.run(["lyra2", "--version"])[0] == 0


# --- the chapters, in order ------------------------------

def judge(packages, sources):
    names = {os.path.basename(x).rsplit("-", 2)[0]: x for x in packages}
    tap.equal("they are six", sorted(names),
              ["lyra2", "lyra2-devel", "lyra2-libs", "pam_lyra2",
               "pam_lyra2-chkpwd", "pam_lyra2-selinux"])
    write("/root/rpmlint.toml", RPMLINT)
    status, output = clients.run(["rpmlint", "-c", "/root/rpmlint.toml", "-r",
                                  "/src/lyra2.rpmlintrc", "/src/lyra2.spec",
                                  *packages, *sources])
    errors = [x for x in output.splitlines() if ": E: " in x]
    tap.ok("rpmlint has no error", " 0 errors" in output and not errors,
           "%d %s" % (status, "\n".join(errors)))
    print("# " + output.splitlines()[-1].strip(" ="))
    for macro in ("fedora 44", "suse_version 1699"):
        spec = clients.must(["rpmspec", "-P", "--define", macro,
                             "/src/lyra2.spec"])
        suse = "suse" in macro
        tap.ok("for %s: names of that distribution" % macro,
               ("audit-devel" in spec) == suse and
               ("%service_add_post" in spec) == suse and
               ("systemctl preset" in spec) != suse, spec)
    tap.ok("its source is a URL", re.search(
        r"(?m)^Source0:\s+https://\S+/lyra2-[0-9.]+\.tar\.xz$", spec))
    pam = names["pam_lyra2"]
    modes = {name: query(file, "--qf [%{filenames}:%{filemodes:perms}\\n]")
             for name, file in names.items()}
    tap.ok("the helper is set-group-ID, in a package of its own",
           "/usr/sbin/lyra2_chkpwd:-rwxr-sr-x" in modes["pam_lyra2-chkpwd"],
           modes)
    special = [line for lines in modes.values() for line in lines
               if re.search(":-[rwxsS-]*[sS]", line)]
    tap.ok("no other file is set-user-ID or set-group-ID", len(special) == 1,
           special)
    requires = query(pam, "--requires")
    tap.ok("authselect is required", "authselect" in requires, requires)
    tap.ok("and what asks before a removal",
           any(x.startswith("lyra2 = ") for x in requires), requires)
    return pam


def profile():
    folder = "/usr/share/authselect/vendor/lyra2/"
    for name in ("system-auth", "password-auth"):
        lines = read(folder + name).replace("\\\n", "").splitlines()
        for kind in ("auth", "password"):
            modules = [re.search(r"pam_\w+", x).group() for x in lines
                       if x.startswith(kind)]
            at = modules.index("pam_lyra2")
            tap.equal("%s, %s: the module is next above pam_unix" %
                      (name, kind), modules[at + 1], "pam_unix")
            tap.equal("%s, %s: the rest is as it was" % (name, kind),
                      modules[:at] + modules[at + 1:], [
                          re.search(r"pam_\w+", x).group() for x in
                          STACK.splitlines() if x.startswith(kind)])
    tap.ok("its README has a name of its own",
           read(folder + "README").startswith("Local users only, Lyra2"))


def install(packages, preset, wanted):
    write(PRESET, preset + " lyra2d.service\n")
    status, output = dnf("install", *packages)
    clients.must(["ldconfig"])	# as Fedora's triggers do
    tap.ok("%s: dnf installs the packages" % preset, status == 0, output)
    st = os.stat("/usr/sbin/lyra2_chkpwd")
    tap.equal("%s: the helper has a group of its own" % preset,
              (grp.getgrgid(st.st_gid).gr_name, st.st_mode & 0o7777),
              ("lyra2", 0o2755))
    tap.equal("%s: a preset decides about the service" % preset,
              os.path.lexists(UNIT), wanted)


def upgrade(packages):
    """After an upgrade, units that were off or on stay so."""
    before = os.path.lexists(UNIT)
    write("/etc/pam.d/vpn", "auth required pam_lyra2.so\n")
    status, output = dnf("upgrade", *packages)
    os.unlink("/etc/pam.d/vpn")
    tap.ok("upgrade: while a stack names the module", status == 0 and
           installed() == "pam_lyra2 2.two", output + installed())
    tap.ok("upgrade: it says that Lyra2 stays on", UPGRADED in output, output)
    tap.equal("upgrade: what converted before goes on converting",
              [x for x in read(UPGRADED).splitlines() if x[0] != "#"],
              ["method = lyra2"])
    tap.ok("upgrade: audit takes the file", UPGRADED + ":3" in clients.run(
        ["lyra2", "audit", "--config"])[1])
    tap.equal("upgrade: whether it starts is as it was", os.path.lexists(UNIT),
              before)
    tap.equal("upgrade: the service is restarted, once",
              read("/run/restarted"), "restarted lyra2d.service\n")


def upgrade_again(old, new):
    """The file is for who had no line, and an older version."""
    os.unlink(UPGRADED)
    status, output = dnf("reinstall", *new)
    tap.ok("a newer version again: no file", status == 0 and
           not os.path.exists(UPGRADED), output)
    clients.must(["rpm", "-U", "--oldpackage", *old])
    write(CONF + ".d/mine.conf", "method = yescrypt\n")
    clients.must(["rpm", "-U", *new])
    tap.ok("a method is named: no file", not os.path.exists(UPGRADED))
    tap.equal("the lines of the administrator stay",
              read(CONF + ".d/mine.conf"), "method = yescrypt\n")


def erase(ways=(("rpm", "-e", "pam_lyra2"),
                ("dnf", "-y", "remove", "lyra2-libs"))):
    """Removal is refused while it would lock a user out."""
    for name in ("/etc/pam.conf", "/etc/pam.d/vpn", "/usr/lib/pam.d/vpn"):
        os.makedirs(os.path.dirname(name), exist_ok=True)
        write(name, "vpn auth required pam_lyra2.so\n")
        for way in ways:
            status, output = clients.run(way)
            tap.ok("%s: refused while %s names the module" % (way[0], name),
                   name in output and status != 0 and whole(), output)
        os.unlink(name)
    hashed = clients.must(["lyra2", "hash", "--cost", "4"], "secret\n")
    clients.must(["useradd", "-p", hashed.strip(), "bob"])
    for way in ways:
        status, output = clients.run(way)
        tap.ok(way[0] + ": refused while bob would be locked out",
               "bob" in output and status != 0 and whole(), output)
    clients.must(["usermod", "-p", "*", "bob"])
    # PAM reads it for no service.
    write("/etc/pam.d/vpn.rpmsave", "auth required pam_lyra2.so\n")
    status, output = clients.run(ways[0])
    tap.ok("erased when no user would be", status == 0 and not installed(),
           output)
    tap.ok("erased: the service is off", not os.path.lexists(UNIT))


def on_purpose(pam):
    clients.must(["rpm", "-i", "--nodeps", pam])
    write("/etc/pam.d/vpn", "auth required pam_lyra2.so\n")
    write(OVERRIDE, "")
    tap.ok("erased on purpose", clients.run(["rpm", "-e", "pam_lyra2"])[0] == 0
           and not installed())


def main(folder):
    clients.PATIENCE = 900	# two builds
    stand_in()
    clients.must(["useradd", "--create-home", "builder"])
    tarball = glob.glob(folder + "/lyra2-*.tar.xz")[0]
    clients.must(["cp", tarball, BUILDER])
    tarball = BUILDER + "/" + os.path.basename(tarball)
    old, new = build(tarball, "~one"), build(tarball, ".two")
    pam = judge(old, glob.glob(BUILDER + "/of-one/SRPMS/*"))
    clients.must(["rpm", "-i", *host(old + new)])
    install(old, "disable", False)
    profile()
    clients.must(["rpm", "-e", "pam_lyra2"])
    install([pam], "enable", True)
    upgrade(new)
    upgrade_again(old, new)
    erase()
    on_purpose(pam)
    tap.done()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
