#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""module-trouble - hostile hashes, broken files, missing parts, and removal.

usage: module-trouble.py TREE SOURCE

Runs as root in a scratch root; see pamroot.py.  Prints TAP.
"""

import os
import shutil
import time

import clients
import pamroot
import tap
from pamroot import CONF, OURS, RIGHT, WRONG, put, read, SHADOW

CHKPWD = "/usr/sbin/lyra2_chkpwd"
UPDATE = "/usr/sbin/lyra2_update"
BOUND = 30	# seconds; what is refused takes a thousandth of it


def people():
    for user in ("alice", "bob", "carol"):
        clients.add_user(user, RIGHT)
    put("carol", pamroot.crypt("yescrypt", RIGHT))
    pamroot.service("alone")


def fields(end):
    """Hashes that ask for gigabytes or hours, with a digest END."""
    salt = "." * 22
    return {
        "yescrypt of 4 GiB": "$y$jHT$%s$%s" % (salt, end),
        "gost-yescrypt of 4 GiB": "$gy$jHT$%s$%s" % (salt, end),
        "yescrypt of 2^40 bytes": "$y$jZT$%s$%s" % (salt, end),
        "scrypt of 2^30 rows": "$7$S6..../....%s$%s" % (salt, end),
        "bcrypt of 2^31 rounds": "$2b$31$" + salt + end[:31],
        "sha512crypt of 10^9 rounds":
            "$6$rounds=999999999$salt$" + (end * 2)[:86],
        "lyra2 of 2^30 rows":
            "$lyra2$v=30$t=1$r=1073741824$c=256$%s$%s" % (
                "A" * 22, "A" * 43),
        "lyra2 of 10^9 passes": "$lyra2$v=30$t=1000000000$r=2048$c=256$%s$%s"
                                % ("A" * 22, "A" * 43),
    }


def absurd_hashes():
    for what, field in fields("/" * 43).items():
        put("alice", field)
        before, log, start = read(SHADOW), pamroot.Marker(), time.monotonic()
        for way in ("root", "locker"):
            tap.attempt("%s, %s: refused" % (what, way), lambda: not
                        pamroot.enter("alone", "alice", RIGHT,
                                      "alice" if way == "locker" else None))
        tap.ok(what + ": in bounded time", time.monotonic() - start < BOUND)
        tap.ok(what + ": the log says why", log.lines(
            "password hash of user alice refused: "), log.lines())
        tap.ok(what + ": /etc/shadow stands", read(SHADOW) == before)
    put("alice", clients.stored("bob"))


def root_login():
    """Root's hash has to stay one that crypt(3) knows, as it now is."""
    sha = pamroot.crypt("sha512crypt", RIGHT)
    for setting, ours in (("auto", False), ("no", False), ("yes", True)):
        pamroot.configure(rehash_root=setting)
        put("root", sha)
        tap.attempt("rehash_root = %s: wrong" % setting,
                    lambda: not clients.check_su("root", WRONG))
        tap.attempt("rehash_root = %s: right" % setting,
                    clients.check_su, "root", RIGHT)
        tap.equal("rehash_root = %s: rehashed" % setting,
                  clients.stored("root").startswith(OURS), ours)
    pamroot.configure()


def broken(what, says):
    """With a broken configuration nobody is let in nor locked out.

    A mistake must not make a hash weaker: what is stored stays, and only a
    new password makes a new hash.
    """
    log, old = pamroot.Marker(), pamroot.crypt("sha512crypt", RIGHT)
    put("alice", old)
    for by in (None, "alice"):
        tap.attempt("%s: right, by %s" % (what, by),
                    lambda: pamroot.enter("login", "alice", RIGHT, by))
        tap.attempt("%s: wrong, by %s" % (what, by),
                    lambda: not pamroot.enter("login", "alice", WRONG, by))
    tap.equal(what + ": the old hash stays", clients.stored("alice"), old)
    clients.chpasswd({"alice": RIGHT})
    tap.ok(what + ": the hash of a new password is ours",
           clients.stored("alice").startswith("$lyra2$v=30$"),
           clients.stored("alice"))
    tap.ok(what + ": the log names file and reason",
           log.lines(says), log.lines("pam_lyra2"))


def broken_configuration():
    texts = {
        "cost = 99\n": CONF + ":1: cost ignored: it must be a number, ",
        "\n# note\nt_cost = -1\ncost = 4\n": CONF + ":3: t_cost ignored",
        "cost\n": CONF + ':1: this line has no "="',
        "cost = 4\nrubbish = 4\n": CONF + ':2: unknown key "rubbish"',
        # Two lines that are right, but cannot be obeyed together.
        "rows = 4294967295\ncols = 4294967295\n":
            "parameters of new hashes refused",
        "sponge = rot13\ncost = 4\0\n": CONF + ":1: sponge ignored",
        "\x7fELF\x02\0\0\n" * 3: CONF + ":1: ",
    }
    for text, says in texts.items():
        pamroot.write(CONF, text)
        broken("configuration %r" % text[:20], says)
    os.unlink(CONF)
    os.mkdir(CONF)
    broken("configuration is a directory", CONF + ": ")
    os.rmdir(CONF)
    os.mkfifo(CONF)
    broken("configuration is a fifo", CONF + ": ")
    os.unlink(CONF)
    pamroot.write(CONF, "# " + "x" * (2 << 20))
    broken("configuration of 2 MiB", CONF + ": ")
    pamroot.configure()


def impostor(path, script):
    """Something else in the place of a helper."""
    pamroot.write(path, script)
    os.chmod(path, 0o755)


def nobody_comes_in(what):
    for service in ("alone", "login"):
        for password in (RIGHT, WRONG):
            tap.attempt("%s: %s, %s" % (what, service, password), lambda: not
                        pamroot.enter(service, "bob", password))
    tap.attempt(what + ": another method, wrong",
                lambda: not pamroot.enter("login", "carol", WRONG))


def missing_parts():
    log = pamroot.Marker()
    with pamroot.set_aside(UPDATE):
        nobody_comes_in("no lyra2_update")
        for script in ("#!/bin/true\n", "#!/bin/sh\nprintf '%0999d' 0 >&0\n",
                       "#!/bin/sh\nkill -KILL $$\n", "no program at all"):
            impostor(UPDATE, script)
            nobody_comes_in("lyra2_update is %r" % script)
        tap.ok("the log says so", log.lines(UPDATE + " ended early"))
    with pamroot.set_aside(CHKPWD):
        tap.attempt("no lyra2_chkpwd: the locker stays locked",
                    lambda: not pamroot.enter("alone", "bob", RIGHT, "bob"))
    with pamroot.set_aside(module()):
        nobody_comes_in("no module, though configured")
    tap.attempt("all back", pamroot.enter, "alone", "bob", RIGHT)


def module():
    return clients.must(["sh", "-c", "ls /usr/lib/*/security/pam_lyra2.so"]
                        ).strip()


def removal():
    """The way back: users that only the module can verify are refused."""
    put("alice", pamroot.crypt("sha512crypt", RIGHT))
    pamroot.write(CONF, "rehash = never\n", "a")
    tap.attempt("rehash = never: login", clients.check_su, "alice", RIGHT)
    tap.ok("rehash = never: none",
           clients.stored("alice").startswith("$6$"))
    clients.must(["pam-auth-update", "--package", "--remove", "lyra2"])
    os.unlink(pamroot.PROFILE)
    for path in (module(), CHKPWD, UPDATE):
        os.unlink(path)
    shutil.rmtree("/run/lyra2")
    for user, right in (("alice", True), ("carol", True), ("bob", False)):
        tap.attempt("removed: %s, wrong" % user,
                    lambda: not clients.check_su(user, WRONG))
        tap.attempt("removed: %s, right" % user,
                    lambda: clients.check_su(user, RIGHT) is right)
    clients.must(["chpasswd", "-c", "YESCRYPT"], "bob:%s\n" % RIGHT)
    tap.attempt("removed: bob with a hash that pam_unix knows",
                clients.check_su, "bob", RIGHT)


if __name__ == "__main__":
    pamroot.story([people, absurd_hashes, root_login, broken_configuration,
                   missing_parts, removal], __doc__)
