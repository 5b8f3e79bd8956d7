#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""slapd-lyra2 installed, loaded by its README.Debian, and removed.

usage: package-slapd.py DEBS

Runs as root in a scratch root with Debian's slapd, as its package configures
it.  DEBS is a folder with the packages.  Prints TAP.
"""

import base64
import glob
import os
import re
import sys

import ldap

import clients
import slapd
import tap

README = "/usr/share/doc/slapd-lyra2/README.Debian"
MODULE = "/usr/lib/ldap/pw-lyra2.so"
CONFIG = "/etc/ldap/slapd.d"
SUFFIX = "dc=nodomain"
# A name that LDIF writes in base64, and longer than its lines.
ALICE = "uid=alic\u00e9" + "e" * 80 + "," + SUFFIX
ADMIN = "cn=admin," + SUFFIX
RIGHT, WRONG = "right pw", "wrong pw"
SETTINGS = r"olcModuleLoad: .*pw-lyra2|olcPasswordHash: \{LYRA2\}"
USER = """\
dn: olcDatabase={1}mdb,cn=config
changetype: modify
replace: olcRootPW
olcRootPW: %s

""" % slapd.ADMIN_PW
ACCOUNT = """\
dn: %s
objectClass: account
objectClass: simpleSecurityObject
uid: %s
userPassword: %s
""" % (ALICE, ALICE[4:-len("," + SUFFIX)], RIGHT)


# --- the documentation ------------------------------

def readme():
    with open(README, encoding="ascii") as file:
        return file.read()


def settings():
    """The LDIF that loads the module."""
    return re.search(r"(?ms)^dn: .*?\{LYRA2\}$", readme())[0] + "\n"


def those_to_tell():
    """The output of README.Debian's command: changes to {CRYPT}."""
    return clients.must(["sh", "-c", re.search(
        r"(?ms)^    slapcat .*", readme())[0]])


# --- what is tried ------------------------------

def verdicts(server):
    def bind(password):
        try:
            ldap.initialize(server.uri).simple_bind_s(ALICE, password)
        except ldap.INVALID_CREDENTIALS:
            return False
        return True

    return bind(RIGHT), bind(WRONG)


def by_admin(server, command, *arguments, stdin=""):
    return clients.run([command, "-x", "-H", server.uri, "-D", ADMIN,
                        "-w", slapd.ADMIN_PW, *arguments], stdin)


def installing(debs):
    wanted = [x for x in glob.glob(debs + "/*.deb") if re.search(
        "/(liblyra2-0|slapd-lyra2)_", x)]
    before = clients.must(["slapcat", "-n0"])
    clients.must(["dpkg", "-i", *wanted])
    tap.equal("installed, it changes no configuration",
              clients.must(["slapcat", "-n0"]), before)
    return wanted


def loading(server):
    for what, lines in (("the administrator's password", USER),
                        ("the lines that load", settings())):
        status, output = server.configure(lines)
        tap.ok("pasted: " + what, status == 0, output)
    tap.equal("there is a user", by_admin(
        server, "ldapadd", stdin=ACCOUNT)[0], 0)
    tap.equal("who binds with a password in clear", verdicts(server),
              (True, False))
    tap.equal("ldappasswd", by_admin(
        server, "ldappasswd", "-s", RIGHT, ALICE), (0, ""))
    tap.equal("the user binds", verdicts(server), (True, False))
    told = those_to_tell()
    tap.ok("with a {LYRA2} value", told.startswith("dn:: ") and
           base64.b64decode(told[5:told.index("\n")]).decode() == ALICE, told)
    tap.equal("the changes back are taken", by_admin(
        server, "ldapmodify", stdin=told)[0], 0)
    tap.equal("and none is left", those_to_tell(), "")
    tap.equal("a new password", by_admin(
        server, "ldappasswd", "-s", RIGHT, ALICE), (0, ""))
    tap.equal("is {LYRA2} again", verdicts(server), (True, False))


def kept(what):
    """Removal and purge are refused."""
    for way in ("--remove", "--purge"):
        status, output = clients.run(["dpkg", way, "slapd-lyra2"])
        tap.ok("%s: %s is refused" % (what, way), status != 0)
        tap.ok("%s: %s tells why" % (what, way),
               "configuration" in output and README in output, output)
    tap.ok("%s: it is there" % what, os.path.exists(MODULE))


def kept_with(debs):
    server = slapd.Server("packaged", 3890, CONFIG)
    kept("while it is loaded")
    clients.must(["dpkg", "-i", *debs])
    with server.running():
        tap.equal("after all that the user binds", verdicts(server),
                  (True, False))
    clients.must(["mv", CONFIG, "/srv/slapd.d"])
    clients.must(["sed", "-i", "s,^SLAPD_CONF=.*,SLAPD_CONF=/srv/slapd.d,",
                  "/etc/default/slapd"])
    kept("with a configuration elsewhere")
    clients.must(["mv", "/srv/slapd.d", CONFIG])
    clients.must(["sed", "-i", "s,^SLAPD_CONF=.*,SLAPD_CONF=,",
                  "/etc/default/slapd"])


def without_settings():
    """Removes the settings offline, as README.Debian says."""
    lines = clients.must(["slapcat", "-n0", "-o", "ldif-wrap=no"])
    rest = re.sub("(?m)^(%s).*\n" % SETTINGS, "", lines)
    tap.equal("two settings go", lines.count("\n") - rest.count("\n"), 2)
    clients.must(["mv", CONFIG, CONFIG + ".old"])
    os.mkdir(CONFIG)
    clients.must(["slapadd", "-n0", "-F", CONFIG], rest)
    clients.must(["chown", "-R", "openldap:", CONFIG])


def removing():
    clients.must(["mv", CONFIG, "/srv/slapd.d"])
    with open("/etc/ldap/slapd.conf", "w", encoding="ascii") as file:
        file.write("moduleload\tpw-lyra2\n")
    kept("with slapd.conf")
    with open("/etc/ldap/slapd.conf", "w", encoding="ascii") as file:
        file.write("# moduleload pw-lyra2\n")
    clients.must(["mv", "/srv/slapd.d", CONFIG])
    without_settings()
    clients.must(["mv", CONFIG + ".old", "/srv/old"])
    status, output = clients.run(["dpkg", "--purge", "slapd-lyra2"])
    tap.equal("then it can be purged", status, 0)
    tap.ok("silently", "slapd-lyra2: " not in output, output)
    tap.ok("nothing of it is left", not os.path.exists(MODULE) and
           not os.path.exists(README))
    server = slapd.Server("packaged", 3890, CONFIG)
    with server.running():
        tap.equal("slapd starts, and refuses that user", verdicts(server),
                  (False, False))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    debs = installing(sys.argv[1])
    server = slapd.Server("packaged", 3890, CONFIG)
    with server.running():
        loading(server)
    kept_with(debs)
    removing()
    tap.done()


if __name__ == "__main__":
    main()
