#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""module-logins - every program that asks for a password, right and wrong.

usage: module-logins.py TREE SOURCE

Runs as root in a scratch root; see pamroot.py.  Prints TAP.
"""

import pwd
import re

import clients
import pamroot
import tap
from pamroot import RIGHT, WRONG, put, read, SHADOW

# Whatever may stand in the file: each line has to survive each rehash.
ODDITIES = """# a comment
garbage without a colon
  blanks:x:1
short:!
+nis::::::::
nonumber:!:a:b:c:d:e:f:g
"""
DEARER = pamroot.OURS.replace("r=16", "r=32")
REHASHED = "password of user alice rehashed from"


def people():
    for user in ("alice", "bob"):
        clients.add_user(user, RIGHT)
        clients.must(["chage", "-d", "2020-02-02", user])
        clients.must(["usermod", "-aG", "sudo", user])
    pamroot.write(SHADOW, ODDITIES, "a")


def unchanged(what, check, password, wanted):
    """A login that must leave /etc/shadow alone."""
    before = read(SHADOW)
    tap.attempt(what, lambda: check("alice", password) is wanted)
    tap.ok(what + ": /etc/shadow stands", read(SHADOW) == before)


def rehashed(what, check, old, new):
    """A right password turns a hash into one that begins with NEW, once."""
    before, log = read(SHADOW), pamroot.Marker()
    tap.attempt(what, check, "alice", RIGHT)
    tap.ok(what + ": the entry is new",
           clients.stored("alice").startswith(new), clients.stored("alice"))
    tap.ok(what + ": all other bytes stand, the date of change too",
           pamroot.only_hash_differs("alice", before, read(SHADOW)))
    lines = log.lines(REHASHED)
    said = [x.partition(REHASHED + " ")[2] for x in lines]
    method, _, params = new.strip("$").replace("$", " ").partition(" ")
    tap.equal(what + ": and one line in the log says so", said,
              ["%s to %s(%s)" % (old, method, params)])


def each_way_in():
    """The life of one entry, through each program on its own."""
    sha = pamroot.crypt("sha512crypt", RIGHT)
    with clients.sshd():
        for name, check in clients.WAYS.items():
            if check is clients.check_unprivileged:
                continue
            put("alice", sha)
            pamroot.configure()
            unchanged(name + ", wrong password", check, WRONG, False)
            rehashed(name + ", $6$", check, "sha512crypt", pamroot.OURS)
            unchanged(name + ", again", check, RIGHT, True)
            unchanged(name + ", wrong password again", check, WRONG, False)
            pamroot.configure(cost=5)
            rehashed(name + ", dearer", check, "lyra2(v=30 t=1 r=16 c=704 p=4)",
                     DEARER)
            unchanged(name + ", wrong and dear", check, WRONG, False)


def every_method():
    """The cheap hashes of this test are weaker than some of the old ones."""
    pamroot.configure(rehash="exact")
    for method in ("descrypt", "bsdicrypt", "md5crypt", "bcrypt",
                   "sha256crypt", "scrypt", "yescrypt", "gost-yescrypt"):
        put("alice", pamroot.crypt(method, RIGHT))
        unchanged(method + ", wrong", clients.check_su, WRONG, False)
        rehashed(method, clients.check_su, method, pamroot.OURS)


def screen_locker():
    """Without privilege: one's own password, no rehash, and one line."""
    for field in (pamroot.crypt("sha512crypt", RIGHT),
                  clients.stored("alice")):
        put("alice", field)
        log = pamroot.Marker()
        unchanged("locker, right", clients.check_unprivileged, RIGHT, True)
        tap.equal("locker: what the log has", [
            x.partition(": ")[2] for x in log.lines(patience=0.2)],
                  ["password check passed for user (alice) [UID=%d]" %
                   pwd.getpwnam("alice").pw_uid])
        unchanged("locker, wrong", clients.check_unprivileged, WRONG, False)
        tap.ok("locker: the failure is in the log",
               log.lines("pam_unix.*authentication failure;"))
    before = read(SHADOW)
    tap.attempt("locker of bob cannot ask for alice, right password",
                lambda: not pamroot.enter("login", "alice", RIGHT, "bob"))
    tap.ok("nor rehash", read(SHADOW) == before)


def others_keep_out():
    """Who has no password here."""
    for field in ("!", "*", "!!", "!" + clients.stored("bob"), "x"):
        put("alice", field)
        for check in (clients.check_su, clients.check_unprivileged):
            unchanged("entry %.4r, %s" % (field, check.__name__), check,
                      RIGHT, False)
    put("alice", "")
    unchanged("blank, with nullok of pam_unix",
              lambda *x: pamroot.enter("login", *x), RIGHT, True)
    tap.attempt("unknown user at login",
                lambda: not clients.check_login("nobody-here", RIGHT))


def log_lines():
    """What log watchers look for, in pam_unix's words."""
    put("alice", pamroot.crypt("sha512crypt", RIGHT))
    log = pamroot.Marker()
    clients.check_su("alice", WRONG)
    lines = log.lines("authentication failure")
    tap.equal("one line for a failure", len(lines), 1)
    tap.ok("with everything that pam_unix says", re.search(
        r"<85> su: pam_unix\(su-l:auth\): authentication failure; "
        r"logname=\S* uid=65534 euid=0 tty=\S+ ruser=nobody rhost= "
        r" user=alice$", lines[0]), lines)
    with clients.sshd():
        log = pamroot.Marker()
        clients.check_ssh_password("alice", WRONG)
        lines = log.lines("authentication failure")
        clients.check_ssh_password("nobody-here", WRONG)
        unknown = log.lines("check pass; user unknown")
    tap.ok("from sshd with the address", re.search(
        r"pam_unix\(sshd:auth\): authentication failure; logname= uid=0 "
        r"euid=0 tty=ssh ruser= rhost=127.0.0.1  user=alice$", lines[0]),
        lines)
    tap.ok("an unknown name is not logged", unknown and not re.search(
        "pam_.*nobody-here", "\n".join(log.lines())), unknown)
    fail2ban(lines)


def fail2ban(lines):
    """Its stock filters, and with our name the lines of a stack without unix."""
    def total(name, texts):
        pamroot.write("/tmp/failures.log", "".join(
            "Nov 21 00:00:00 localhost sshd[123]: %s\n" % x for x in texts))
        _, output = clients.run(["fail2ban-regex", "/tmp/failures.log", name])
        return int(re.search(r"Failregex: (\d+) total", output).group(1))

    said = re.findall("(?m)^Failed password for .*", read("/tmp/sshd.log"))
    tap.equal("fail2ban's filter of sshd finds what sshd says",
              total("sshd", said), max(len(said), 1))
    texts = [x.partition(": ")[2] for x in lines]
    tap.equal("fail2ban's filter of PAM, as it is",
              total("pam-generic", texts), max(len(texts), 1))
    ours = [x.replace("pam_unix(", "pam_lyra2(") for x in texts]
    pamroot.write("/etc/fail2ban/filter.d/common.local",
                  "[DEFAULT]\n__pam_auth = pam_(?:unix|lyra2)\n")
    tap.equal("fail2ban's filter of PAM, as pam_lyra2(8) extends it",
              total("pam-generic", ours), max(len(ours), 1))


if __name__ == "__main__":
    pamroot.scenario([people, each_way_in, every_method, screen_locker,
                      others_keep_out, log_lines], __doc__)
