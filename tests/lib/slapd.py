# SPDX-License-Identifier: BSD-2-Clause
"""slapd - real LDAP servers on loopback, for suites in a scratch root.

With Debian's slapd, ldap-utils and python3-ldap.  Server() starts one on a
configuration directory; the other functions speak to it as clients do.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import time

import ldap

import clients

SUFFIX = "dc=example,dc=net"
ADMIN = "cn=admin," + SUFFIX
ADMIN_PW = "admin's own"
LDIF = """\
dn: cn=config
objectClass: olcGlobal
cn: config
olcServerID: %(id)d
olcThreads: %(threads)d
olcToolThreads: 1

dn: cn=module{0},cn=config
objectClass: olcModuleList
cn: module{0}
olcModulePath: /usr/lib/ldap
olcModuleLoad: back_mdb
olcModuleLoad: syncprov
%(modules)s
dn: cn=schema,cn=config
objectClass: olcSchemaConfig
cn: schema

include: file:///etc/ldap/schema/core.ldif

include: file:///etc/ldap/schema/cosine.ldif

include: file:///etc/ldap/schema/nis.ldif

dn: olcDatabase={-1}frontend,cn=config
objectClass: olcDatabaseConfig
objectClass: olcFrontendConfig
olcDatabase: {-1}frontend
%(frontend)s
dn: olcDatabase={0}config,cn=config
objectClass: olcDatabaseConfig
olcDatabase: {0}config
olcAccess: to * by dn.exact=gidNumber=0+uidNumber=0,cn=peercred,cn=external,
 cn=auth manage

dn: olcDatabase={1}mdb,cn=config
objectClass: olcDatabaseConfig
objectClass: olcMdbConfig
olcDatabase: {1}mdb
olcDbDirectory: %(data)s
olcSuffix: dc=example,dc=net
olcRootDN: cn=admin,dc=example,dc=net
olcRootPW: admin's own
olcDbIndex: objectClass,entryCSN,entryUUID,uid eq
olcAccess: to attrs=userPassword by self write by anonymous auth
  by * none
olcAccess: to * by * read
%(database)s
dn: olcOverlay=syncprov,olcDatabase={1}mdb,cn=config
objectClass: olcOverlayConfig
objectClass: olcSyncProvConfig
olcOverlay: syncprov
"""


class Server:
    """slapd as the user openldap, on its own port and socket."""

    def __init__(self, name, port, config):
        self.uri = "ldap://127.0.0.1:%d/" % port
        self.socket = "ldapi://%2Frun%2Fslapd%2F" + name
        self.config = config
        self.prefix = []
        self.process = None
        os.makedirs("/run/slapd", exist_ok=True)
        clients.must(["chown", "openldap:", "/run/slapd"])

    def start(self):
        self.process = subprocess.Popen([
            *self.prefix, "slapd", "-d0", "-u", "openldap", "-g", "openldap",
            "-h", "%s %s" % (self.uri, self.socket),
            "-F", self.config], stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + clients.PATIENCE
        while not self.answers():
            if not self.lives() or time.monotonic() > deadline:
                raise clients.Failed("slapd %s does not answer" % self.uri)
            time.sleep(0.05)

    def stop(self):
        """Ends it; its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait()

    @contextlib.contextmanager
    def running(self):
        self.start()
        try:
            yield self
        finally:
            self.stop()

    def lives(self):
        return self.process.poll() is None

    def answers(self):
        try:
            ldap.initialize(self.uri).whoami_s()
        except ldap.SERVER_DOWN:
            return False
        return True

    def peak(self):
        """The most memory that it has had, in bytes."""
        with open("/proc/%d/status" % self.process.pid,
                  encoding="ascii") as file:
            return int(re.search(r"VmHWM:\s+(\d+)", file.read())[1]) << 10

    # --- what clients do

    def bind(self, name, password):
        """Whether that user and password are let in."""
        connection = ldap.initialize(self.uri)
        try:
            connection.simple_bind_s(dn(name), password)
        except ldap.INVALID_CREDENTIALS:
            return False
        finally:
            connection.unbind_s()
        return True

    def admin(self):
        connection = ldap.initialize(self.uri)
        connection.simple_bind_s(ADMIN, ADMIN_PW)
        return connection

    def populate(self, users):
        """The suffix and accounts; each user's stored value of userPassword."""
        connection = self.admin()
        connection.add_s(SUFFIX, [
            ("objectClass", [b"dcObject", b"organization"]),
            ("dc", b"example"), ("o", b"Example")])
        for number, (name, stored) in enumerate(users.items()):
            connection.add_s(dn(name), [
                ("objectClass", [b"account", b"posixAccount"]),
                ("uid", name.encode()), ("cn", name.encode()),
                ("uidNumber", b"%d" % (5000 + number)),
                ("gidNumber", b"100"), ("homeDirectory", b"/tmp"),
                ("loginShell", b"/bin/sh"), ("userPassword", stored)])

    def store(self, name, value):
        """Replaces the value, which slapd takes as it is."""
        self.admin().modify_s(dn(name), [
            (ldap.MOD_REPLACE, "userPassword", value)])

    def stored(self, name):
        """The one value, as text."""
        (_, entry), = self.admin().search_s(dn(name), ldap.SCOPE_BASE)
        value, = entry["userPassword"]
        return value.decode("ascii", "backslashreplace")

    def attribute(self, name, attribute):
        """The values of an attribute, operational ones as well."""
        (_, entry), = self.admin().search_s(
            dn(name), ldap.SCOPE_BASE, attrlist=[attribute])
        return entry.get(attribute, [])

    def ldappasswd(self, name, new, by=None, password=None):
        """ldappasswd(1) by the user, or by the administrator."""
        return clients.run([
            "ldappasswd", "-x", "-H", self.uri, "-s", new,
            "-D", by or ADMIN, "-w", password or ADMIN_PW, dn(name)])

    def configure(self, ldif):
        """ldapmodify(1) by root, on cn=config; (exit status, output)."""
        return clients.run(["ldapmodify", "-Q", "-Y", "EXTERNAL",
                            "-H", self.socket], ldif)


def make(name, port, **config):
    """A Server with an empty database in /srv/NAME."""
    folder = "/srv/" + name
    shutil.rmtree(folder, ignore_errors=True)
    for part in ("config", "data"):
        os.makedirs("%s/%s" % (folder, part))
    clients.must(["slapadd", "-n0", "-F", folder + "/config"],
                 LDIF % {"id": port, "threads": 16, "data": folder + "/data",
                         "modules": "", "frontend": "", "database": "",
                         **config})
    clients.must(["chown", "-R", "openldap:", folder])
    return Server(name, port, folder + "/config")


def dn(name):
    return "uid=%s,%s" % (name, SUFFIX)


def slappasswd(password, *options):
    """A value as slappasswd(8) prints it."""
    return clients.must(["slappasswd", "-n", "-s", password, *options])
