# SPDX-License-Identifier: BSD-2-Clause
"""Programs of shadow with ENCRYPT_METHOD LYRA2, and logins with their hashes.

Runs as root in a scratch root, with the packages of shadow at /debs, a build
without PAM in /debs/nopam/build, and libcrypt1 with the method at
/libcrypt1.deb.  Prints TAP.
"""

import glob
import gzip
import re

import clients
import tap

RIGHT, WRONG = "correct horse", "correct house"
CHEAP = "r=16$"		# in a string of cost factor 4
DEFS = "/etc/login.defs"
NEWUSERS = "/debs/nopam/build/src/newusers"


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def defs(**settings):
    """Settings of login.defs, instead of those that it had of these."""
    text = read(DEFS)
    for name, value in settings.items():
        text = re.sub(r"(?m)^%s\b.*\n" % name, "", text)
        text += "%s %s\n" % (name, value)
    with open(DEFS, "w", encoding="utf-8") as file:
        file.write(text)


def installed():
    """The packages that this system has, from the build with the series."""
    names = [x for x in glob.glob("/debs/*+lyra2*.deb")
             if clients.run(["dpkg-query", "-W", x.split("/")[-1].split("_")[0]
                             ])[0] == 0]
    tap.ok("there are packages to install", names)
    clients.must(["dpkg", "-i", *names])


def is_lyra2(stored, rows="4096"):
    return re.match(r"\$lyra2\$v=30\$t=2\$r=%s\$c=256\$p=4\$" % rows, stored)


# --- without the method in libcrypt

def refused():
    """No hash of another method comes out, DES least of all."""
    clients.add_user("alice", stored="!")
    clients.must(["groupadd", "team"])
    before = read("/etc/shadow"), read("/etc/gshadow")
    defs(ENCRYPT_METHOD="LYRA2")
    for argv, line in ((["chpasswd", "-c", "LYRA2"], "alice:" + RIGHT),
                       (["chgpasswd"], "team:" + RIGHT),
                       (["chgpasswd", "-c", "LYRA2"], "team:" + RIGHT)):
        status, output = clients.run(argv, line + "\n")
        tap.ok("%s fails without the method in libcrypt" % " ".join(argv),
               status != 0, output)
    tap.equal("and changes nothing", (read("/etc/shadow"),
                                      read("/etc/gshadow")), before)


def with_libcrypt():
    clients.must(["dpkg", "-i", "/libcrypt1.deb"])


# --- users

def logins(user):
    tap.equal("%s logs in, with no other password" % user,
              (clients.check_login(user, RIGHT),
               clients.check_login(user, WRONG)), (True, False))


def chpasswd():
    line = "alice:%s\n" % RIGHT
    clients.must(["chpasswd", "-c", "LYRA2"], line)
    tap.ok("chpasswd -c LYRA2: the default cost",
           is_lyra2(clients.stored("alice")), clients.stored("alice"))
    logins("alice")
    clients.must(["chpasswd", "-c", "LYRA2", "-s", "4"], line)
    tap.ok("chpasswd -c LYRA2 -s 4: 16 rows",
           is_lyra2(clients.stored("alice"), "16"), clients.stored("alice"))
    for argv in ["chpasswd"], ["chgpasswd"], [NEWUSERS]:
        for bad in "3", "16", "99", "-3", "many":
            tap.ok("%s -s %s is refused" % (argv[-1], bad), clients.run(
                [*argv, "-c", "LYRA2", "-s", bad], line)[0] != 0)
        tap.ok("%s --help names it" % argv[-1],
               "LYRA2, 4 to 15" in clients.run([*argv, "--help"])[1])
    defs(LYRA2_COST_FACTOR="4")
    status, output = clients.run(["chpasswd", "-c", "LYRA2"], line)
    tap.equal("LYRA2_COST_FACTOR is known", (status, output), (0, ""))
    tap.ok("and obeyed", is_lyra2(clients.stored("alice"), "16"),
           clients.stored("alice"))
    logins("alice")


def newusers():
    for user, argv in (("bob", [NEWUSERS, "-c", "LYRA2", "-s", "5"]),
                       ("carol", [NEWUSERS])):
        clients.must(argv, "%s:%s::::/tmp:/bin/sh\n" % (user, RIGHT))
        rows = "32" if "-s" in argv else "16"
        what = " ".join(["newusers", *argv[1:]])
        tap.ok("%s: a hash of %s rows" % (what, rows),
               is_lyra2(clients.stored(user), rows), clients.stored(user))
        logins(user)


# --- groups

def group_password(group):
    lines = [x.split(":") for x in read("/etc/gshadow").splitlines()]
    return next(x[1] for x in lines if x[0] == group)


def newgrp(password):
    """Whether alice, who is no member, gets into the group."""
    _, output = clients.talk(
        ["newgrp", "team"], [(r"assword: ", password),
                             (r"[$] ", "echo now-in:$(id -gn); exit")],
        user="alice", stop=r"now-in:\w+\b|[Ii]nvalid password|denied")
    return "now-in:team" in output


def groups():
    for what, argv in (("chgpasswd", ["chgpasswd"]),
                       ("chgpasswd -c LYRA2 -s 5",
                        ["chgpasswd", "-c", "LYRA2", "-s", "5"])):
        clients.must(argv, "team:%s\n" % RIGHT)
        tap.ok(what + ": a hash", is_lyra2(
            group_password("team"), "32" if "-s" in argv else "16"),
               group_password("team"))
        tap.equal(what + ": newgrp with the right password, and a wrong one",
                  (newgrp(RIGHT), newgrp(WRONG)), (True, False))
    clients.talk(["gpasswd", "team"], [(r"assword: ", RIGHT)] * 2)
    tap.ok("gpasswd: a hash", is_lyra2(group_password("team"), "16"),
           group_password("team"))
    tap.ok("gpasswd: newgrp", newgrp(RIGHT))


# --- the manual

def manual():
    """What is in the packages, where the root has no manuals."""
    clients.must(["sh", "-c", "for deb in /debs/*+lyra2*.deb; do "
                  "dpkg-deb -x $deb /tmp/manual; done"])
    for page, words in (("man5/login.defs.5", "LYRA2_COST_FACTOR"),
                        ("man5/login.defs.5", "LYRA2"),
                        ("man8/chpasswd.8", "LYRA2"),
                        ("fr/man8/chpasswd.8", "LYRA2"),
                        ("man8/chgpasswd.8", "LYRA2")):
        with gzip.open("/tmp/manual/usr/share/man/%s.gz" % page, "rt",
                       encoding="utf-8") as file:
            tap.ok("%s has %s" % (page, words),
                   words in file.read().replace("\\", ""))


def main():
    clients.must(["sed", "-i", "/pam_faildelay/d", "/etc/pam.d/login"])
    for chapter in (installed, refused, with_libcrypt, chpasswd, newusers,
                    groups, manual):
        tap.attempt(chapter.__name__ + " is told to its end",
                    lambda run=chapter: run() or True)
    tap.done()


if __name__ == "__main__":
    main()
