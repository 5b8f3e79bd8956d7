#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""directory - slapd-lyra2: installed, loaded, used on two servers, removed.

Runs as root on a throwaway system with slapd-lyra2 and Debian's slapd: for
debian/tests/directory.  Prints TAP.
"""

import concurrent.futures
import contextlib
import os
import re
import signal
import subprocess
import time

import clients
import devlog
import ldap
import tap

README = "/usr/share/doc/slapd-lyra2/README.Debian"
MODULE = "/usr/lib/ldap/pw-lyra2.so"
CONFIG, SECOND = "/etc/ldap/slapd.d", "/srv/second"
LOG = "/tmp/slapd.log"
SUFFIX = "dc=example,dc=net"
ADMIN = "cn=admin," + SUFFIX
RIGHT, WRONG, NEW = "right pw", "wrong pw", "another pw"
BINDS = 100
SERVER = """\
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload syncprov
%(modules)s
database config
rootpw admin
database mdb
suffix dc=example,dc=net
rootdn cn=admin,dc=example,dc=net
rootpw admin
directory /srv/data%(port)d
access to attrs=userPassword by self write by anonymous auth
%(database)s
overlay syncprov
"""
ENTRIES = """\
dn: dc=example,dc=net
objectClass: dcObject
objectClass: organization
dc: example
o: Example
""" + "".join("""
dn: uid=%s,dc=example,dc=net
objectClass: account
objectClass: simpleSecurityObject
uid: %s
userPassword: right pw
""" % (x, x) for x in ("alice", "bob"))
COPIES = """\
syncrepl rid=1 provider=ldap://127.0.0.1:3891/ type=refreshAndPersist
  retry="1 +" searchbase="dc=example,dc=net" bindmethod=simple
  binddn="cn=admin,dc=example,dc=net" credentials=admin
"""


def soon(condition):
    deadline = time.monotonic() + 60
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def dn(name):
    return "uid=%s,%s" % (name, SUFFIX)


class Server:
    """slapd as the user openldap, on its own port."""

    def __init__(self, config, port, modules="", database=""):
        self.config, self.port, self.process = config, port, None
        self.uri = "ldap://127.0.0.1:%d/" % port
        folders = [config, "/srv/data%d" % port, "/run/slapd"]
        clients.must(["rm", "-rf", *folders])
        clients.must(["mkdir", "-p", *folders])
        with open("/tmp/slapd.conf", "w", encoding="ascii") as file:
            file.write(SERVER % {"port": port, "modules": modules,
                                 "database": database})
        # slaptest complains that there is no database yet.
        clients.run(["slaptest", "-f", "/tmp/slapd.conf", "-F", config])
        clients.must(["chown", "-R", "openldap:", *folders])

    @contextlib.contextmanager
    def running(self):
        """Runs slapd meanwhile; slapd has to end without an error."""
        self.process = subprocess.Popen([
            "slapd", "-d0", "-u", "openldap", "-g", "openldap", "-h",
            self.uri, "-F", self.config], stderr=subprocess.DEVNULL)
        if not soon(self.answers):
            raise clients.Failed("slapd does not answer")
        yield self
        self.process.send_signal(signal.SIGTERM)
        tap.equal("slapd ends in good order", self.process.wait(), 0)

    def answers(self):
        with contextlib.suppress(ldap.SERVER_DOWN):
            return bool(ldap.initialize(self.uri).whoami_s() == "")
        return False

    def peak(self):
        """The most memory that slapd has had, in bytes."""
        with open("/proc/%d/status" % self.process.pid,
                  encoding="ascii") as file:
            return int(re.search(r"VmHWM:\s+(\d+)", file.read())[1]) << 10

    def bind(self, name, password):
        with contextlib.suppress(ldap.INVALID_CREDENTIALS):
            ldap.initialize(self.uri).simple_bind_s(dn(name), password)
            return True
        return False

    def verdicts(self, name, right=RIGHT):
        return [self.bind(name, x)
                for x in (right, WRONG, right[:-1], right + "x")]

    def admin(self):
        connection = ldap.initialize(self.uri)
        connection.simple_bind_s(ADMIN, "admin")
        return connection

    def store(self, name, value):
        """Replaces the stored value; slapd takes it unchanged."""
        self.admin().modify_s(dn(name), [
            (ldap.MOD_REPLACE, "userPassword", value)])

    def stored(self, name):
        (_, entry), = self.admin().search_s(dn(name), ldap.SCOPE_BASE)
        return entry["userPassword"][0].decode()

    def passwd(self, name, new, by=ADMIN, password="admin"):
        """ldappasswd(1): its exit status and output."""
        return clients.run(["ldappasswd", "-x", "-H", self.uri, "-s", new,
                            "-D", by, "-w", password, dn(name)])

    def configure(self, ldif):
        """ldapmodify(1) by root, on cn=config; returns true if slapd accepts
        it."""
        return clients.run(["ldapmodify", "-x", "-D", "cn=config", "-w",
                            "admin", "-H", self.uri], ldif)[0] == 0


def logged(pattern):
    """Waits until a line of the log matches."""
    def found():
        with open(LOG, encoding="utf-8") as file:
            return re.search(pattern, file.read())

    return soon(found)


# --- the chapters, in order ------------------------------

def readme(pattern):
    with open(README, encoding="ascii") as file:
        return re.search("(?ms)" + pattern, file.read())[0]


def loading(server):
    lines = readme(r"^dn: .*?\{LYRA2\}$") + "\n"
    for wrong in ("cost=99", "cost", "cost=", "cost=7x", "frost=4",
                  "max_cost=3", "max_concurrent=0"):
        tap.ok("'%s' is refused" % wrong, not server.configure(
            lines.replace("pw-lyra2", "pw-lyra2 " + wrong)))
        tap.ok("'%s': the log says so" % wrong,
               logged('pw-lyra2: argument "%s"' % wrong))
    tap.ok("a cost above max_cost is", not server.configure(
        lines.replace("pw-lyra2", "pw-lyra2 max_cost=11")))
    tap.ok("README.Debian's lines load it", server.configure(lines))
    tap.ok("by another name it is not loaded twice", not server.configure(
        lines.replace("pw-lyra2", "pw-lyra2.so")))


def passwords(server):
    right_alone = [True, False, False, False]
    tap.equal("a user with a password in clear binds",
              server.verdicts("alice"), right_alone)
    tap.equal("ldappasswd", server.passwd("alice", RIGHT), (0, ""))
    tap.ok("stores {LYRA2}", server.stored("alice").startswith(
        "{LYRA2}$lyra2$t2n12c256p2$"), server.stored("alice"))
    tap.equal("the user binds", server.verdicts("alice"), right_alone)
    tap.equal("the user sets another", server.passwd(
        "alice", NEW, dn("alice"), RIGHT), (0, ""))
    tap.equal("and binds with it", server.verdicts("alice", NEW), right_alone)
    for length, wanted in ((511, 0), (512, 1)):
        status, output = server.passwd("alice", "p" * length)
        tap.equal("%d bytes can be set: %s" % (length, not wanted),
                  status, wanted)
    tap.ok("the user is told why", "too long" in output, output)
    tap.ok("the one before is still there", server.bind("alice", "p" * 511))
    tap.ok("one byte more is another", not server.bind("alice", "p" * 512))
    # Each gives its slot back, of which there is one for each CPU.
    status = [server.passwd("alice", RIGHT)[0]
              for _ in range(os.cpu_count() + 1)]
    tap.equal("one new password after another", set(status), {0})


def hostile(server):
    good = server.stored("alice")
    bad = [good[:7], good[:-44], good[:-1], good + "A", good * 2, good + "\0",
           good[:12] + "\0" + good[12:], good.replace("lyra2", "lyra2%n%s", 1),
           good + "A" * (1 << 20)]
    bad += [good.replace("t2n12c256p2", x) for x in (
        "t2n0c256p2", "t2n16c256p2", "t2n31c256p2", "t2n12c2147483648p2",
        "t2n12c4096p2", "t99n12c256p2", "t4294967295n12c256p2")]
    for value in bad:
        server.store("bob", value.encode())
        begun = time.monotonic()
        tap.ok("refused: %.60r" % value, not server.bind("bob", RIGHT) and
               server.answers() and time.monotonic() - begun < 5)
    tap.ok("the log says why", logged("a stored value is refused: .*max_cost"))
    tap.ok("others still bind", server.bind("alice", RIGHT))


def crowd(server):
    """Many binds at once, half with a wrong password, in little memory."""
    wrong = []

    def client(number):
        try:
            verdict = server.bind("alice", WRONG if number % 2 else RIGHT)
        except ldap.LDAPError as error:
            verdict = error
        if verdict is not (number % 2 == 0):
            wrong.append((number, verdict))

    with concurrent.futures.ThreadPoolExecutor(BINDS) as pool:
        pool.map(client, range(BINDS))
    tap.equal("%d binds at once: wrong results" % BINDS, wrong, [])
    most = (os.cpu_count() + 1) * clients.MATRIX
    print("# at most %d MiB" % (server.peak() >> 20))
    tap.ok("memory of one hash for each CPU", server.peak() < most,
           server.peak())


def replication(first):
    second = Server(SECOND, 3892, "moduleload pw-lyra2 cost=5", COPIES)
    with second.running():
        tap.ok("a copy of the entry lets in",
               soon(lambda: second.bind("alice", RIGHT)))
        first.passwd("alice", NEW)
        tap.ok("a password set on one server is that of the other",
               soon(lambda: second.bind("alice", NEW)))
        tap.ok("and the old one is not", not second.bind("alice", RIGHT))


def kept(what):
    status, output = clients.run(["dpkg", "--purge", "slapd-lyra2"])
    tap.ok(what + ": purge is refused, and it says why", status != 0 and
           README in output and os.path.exists(MODULE), output)


def removal():
    kept("while it is loaded")
    clients.must(["mv", CONFIG, "/srv/moved"])
    clients.must(["sed", "-i", "s,^SLAPD_CONF=.*,SLAPD_CONF=/srv/moved,",
                  "/etc/default/slapd"])
    kept("with a configuration elsewhere")
    clients.must(["rm", "-r", "/srv/moved"])
    with open("/etc/ldap/slapd.conf", "w", encoding="ascii") as file:
        file.write("# moduleload pw-lyra2\n")	# loads nothing
    tap.equal("without one it is purged", clients.run(
        ["dpkg", "--purge", "slapd-lyra2"])[0], 0)
    tap.ok("nothing of it is left",
           not os.path.exists(MODULE) and not os.path.exists(README))


def main():
    server = Server(CONFIG, 3891)
    clients.must(["slapadd", "-F", CONFIG], ENTRIES)
    clients.must(["chown", "-R", "openldap:", "/srv/data3891"])
    with devlog.Collector(LOG), server.running():
        for chapter in loading, passwords, hostile, crowd, replication:
            chapter(server)
        with open(LOG, encoding="utf-8") as file:
            tap.equal("the log has no passwords and no hashes", re.findall(
                r".*(?:%s|%s|ppp|p2\$[./\w]).*" % (RIGHT, NEW),
                file.read()), [])
    removal()
    tap.done()


if __name__ == "__main__":
    main()
