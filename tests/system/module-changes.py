#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""module-changes - new passwords, by passwd, chpasswd and at a forced change.

usage: module-changes.py TREE SOURCE

Runs as root in a scratch root; see pamroot.py.  Prints TAP.
"""

import sys
import time

import clients
import pamroot
import tap
from pamroot import OURS, RIGHT, WRONG, put, read, SHADOW

LOGIN_DEFS = "/etc/login.defs"
FIRST, SECOND, THIRD = "Battery-5319", "Staple-7731", "Correct-4242"
defs_before = read(LOGIN_DEFS)


def people():
    for user in ("alice", "bob"):
        clients.add_user(user, RIGHT)
        clients.must(["chage", "-d", "2020-02-02", user])


def others(user):
    return [x for x in read(SHADOW).splitlines()
            if not x.startswith(user + ":")]


def changed(what, user, change, new):
    """A change to NEW makes an entry of ours, dated today, and no other."""
    before, tail = others(user), clients.shadow_line(user).split(":")[3:]
    tap.attempt(what, change)
    fields = clients.shadow_line(user).split(":")
    tap.ok(what + ": the entry is ours", fields[1].startswith(OURS), fields)
    tap.equal(what + ": dated today", int(fields[2]), int(time.time() // 86400))
    tap.equal(what + ": the other fields stand", fields[3:], tail)
    tap.equal(what + ": the other lines stand", others(user), before)
    tap.attempt(what + ": new password", clients.check_su, user, new)
    tap.attempt(what + ": old or wrong one",
                lambda: not clients.check_su(user, WRONG))


def by_the_user():
    put("alice", pamroot.crypt("sha512crypt", RIGHT))
    before = read(SHADOW)
    done, output = clients.passwd("alice", WRONG, FIRST)
    tap.ok("passwd, wrong old password: refused", not done, output)
    tap.ok("passwd, wrong old password: /etc/shadow stands",
           read(SHADOW) == before)
    changed("passwd", "alice",
            lambda: clients.passwd("alice", RIGHT, FIRST)[0], FIRST)
    changed("passwd again", "alice",
            lambda: clients.passwd("alice", FIRST, SECOND)[0], SECOND)
    before = read(SHADOW)
    _, output = clients.talk(["passwd"], [
        (r"Current password: ", SECOND), (r"New password: ", SECOND),
        (r"Retype.*: ", SECOND)], "alice", stop="has not been changed")
    tap.ok("passwd, the same again: refused",
           "The password has not been changed." in output, output)
    tap.ok("passwd, the same again: /etc/shadow stands",
           read(SHADOW) == before)


def by_root():
    changed("passwd by root", "alice",
            lambda: clients.passwd_by_root("alice", THIRD)[0], THIRD)
    changed("chpasswd", "bob",
            lambda: clients.chpasswd({"bob": FIRST}) or True, FIRST)
    clients.chpasswd({"alice": SECOND, "bob": THIRD})
    tap.attempt("chpasswd of two: the first", clients.check_su, "alice", SECOND)
    tap.attempt("chpasswd of two: the second", clients.check_su, "bob", THIRD)
    pamroot.configure(cost=5)
    clients.chpasswd({"bob": FIRST})
    tap.ok("chpasswd obeys the configured cost", clients.stored("bob")
           .startswith(OURS.replace("r=16", "r=32")), clients.stored("bob"))
    pamroot.configure()


def forced():
    """login(1) makes the user change a password that has expired."""
    clients.must(["chage", "-d", "0", "alice"])
    changed("change forced at login", "alice", lambda: "in-as:alice" in
            clients.talk(["login", "alice"], [
                (r"Password: ", SECOND), (r"Current password: ", SECOND),
                (r"New password: ", FIRST), (r"Retype.*: ", FIRST),
                (r"[$] ", "echo in-as:$(id -un); exit")])[1], FIRST)


def expired_rehash():
    """A rehash at that login does not hide that the password expired."""
    put("alice", pamroot.crypt("sha512crypt", FIRST))
    clients.must(["chage", "-d", "0", "alice"])
    _, output = clients.talk(["login", "alice"], [(r"Password: ", FIRST)],
                             stop="Current password: ")
    tap.ok("a rehash leaves an expired password expired",
           "required to change" in output and
           clients.shadow_line("alice").split(":")[2] == "0", output)
    tap.ok("and it was one", clients.stored("alice").startswith(OURS))


def manual_example():
    """The lines that pam_lyra2(8) gives for /etc/pam.d, as they are there."""
    page = read(sys.argv[2] + "/man/pam_lyra2.8").partition(".Sh EXAMPLES")[2]
    lines = page.partition(".Bd -literal")[2].partition("\n")[2]
    lines = lines.partition("\n.Ed")[0].replace("\\e\n", "\\\n") + "\n"
    services = ["su", "su-l", "passwd", "chpasswd"]
    before = {x: read("/etc/pam.d/" + x) for x in services}
    for service in services:
        pamroot.write("/etc/pam.d/" + service, lines)
    put("alice", pamroot.crypt("sha512crypt", FIRST))
    clients.must(["chage", "-d", "2020-02-02", "alice"])
    tap.attempt("as in the manual: su", clients.check_su, "alice", FIRST)
    tap.ok("as in the manual: a rehash",
           clients.stored("alice").startswith(OURS), clients.stored("alice"))
    changed("as in the manual: passwd", "alice",
            lambda: clients.passwd("alice", FIRST, SECOND)[0], SECOND)
    changed("as in the manual: chpasswd", "alice",
            lambda: clients.chpasswd({"alice": FIRST}) or True, FIRST)
    text = read(SHADOW)
    with pamroot.set_aside("/usr/sbin/lyra2_update"):
        status, output = clients.run(["chpasswd"], "bob:%s\n" % SECOND)
    tap.ok("without the helper: chpasswd fails", status != 0, output)
    tap.ok("without the helper: /etc/shadow stands", read(SHADOW) == text)
    for service, text in before.items():
        pamroot.write("/etc/pam.d/" + service, text)


def never_des():
    """No setting of login.defs makes DES out of the documented way."""
    tap.ok("enabling left login.defs alone", read(LOGIN_DEFS) == defs_before)
    for line in ("", "ENCRYPT_METHOD DES\n", "ENCRYPT_METHOD SHA512\n"):
        pamroot.edit(LOGIN_DEFS, r"(?m)^\s*ENCRYPT_METHOD.*\n", "")
        pamroot.write(LOGIN_DEFS, line, "a")
        clients.chpasswd({"bob": RIGHT})
        tap.ok("chpasswd, login.defs says %r" % line,
               clients.stored("bob").startswith(OURS), clients.stored("bob"))
        clients.passwd_by_root("bob", FIRST)
        tap.ok("passwd, login.defs says %r" % line,
               clients.stored("bob").startswith(OURS), clients.stored("bob"))
    pamroot.write(LOGIN_DEFS, defs_before)


def root_stays_readable():
    """sulogin(8) reads root's hash through crypt(3), which lacks lyra2."""
    done, output = clients.passwd_by_root("root", FIRST)
    tap.ok("passwd of root", done, output)
    tap.ok("root's entry is of libcrypt's preferred method",
           clients.stored("root").startswith("$y$"), clients.stored("root"))
    tap.attempt("su to root", clients.check_su, "root", FIRST)
    pamroot.configure(rehash_root="yes")
    clients.passwd_by_root("root", SECOND)
    tap.ok("unless rehash_root = yes", clients.stored("root").startswith(OURS),
           clients.stored("root"))


if __name__ == "__main__":
    pamroot.scenario([people, by_the_user, by_root, forced, expired_rehash,
                      manual_example, never_des, root_stays_readable], __doc__)
