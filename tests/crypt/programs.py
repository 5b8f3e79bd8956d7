# SPDX-License-Identifier: BSD-2-Clause
"""Unmodified programs that call crypt(3), each with a $lyra2$ hash.

Runs as root in a scratch root (tests/lib/roots) where libcrypt1 with the method
is installed.  Prints TAP.
"""

import re

import clients
import tap

SETTING = "$lyra2$t2n6c64p2$MJHnaAkegEVYHsFKkmfzJQ$"
RIGHT, WRONG = "correct horse", "correct house"


def by_perl(password):
    return clients.must(["perl", "-e", "print crypt($ARGV[0], $ARGV[1])",
                         password, HASH])


def sulogin(password):
    """sulogin discards early input, and then times out: so it is tried again.
    """
    for _ in range(10):
        output = clients.talk(
            ["sulogin", "-t", "5"],
            [(r"continue\): ", password), (r"[#$] ", "echo in-as:$(id -u)")],
            stop=r"in-as:0|incorrect")[1]
        if "in-as:0" in output:
            return True
        if "incorrect" in output:
            return False
    raise clients.Failed("sulogin: %r" % output)


def both(what, check):
    tap.attempt(what + ": the correct password", lambda: check(RIGHT))
    tap.attempt(what + ": a wrong one", lambda: not check(WRONG))


HASH = SETTING
HASH = by_perl(RIGHT)
both("perl", lambda word: HASH.startswith(SETTING) and by_perl(word) == HASH)
tap.equal("mkpasswd with a setting",
          clients.must(["mkpasswd", RIGHT, SETTING]), HASH + "\n")
clients.add_user("alice")
clients.must(["chpasswd", "-e"], "alice:%s\nroot:%s\n" % (HASH, HASH))
with open("/etc/pam.d/common-auth", "r+", encoding="utf-8") as file:
    text = re.sub(r"(pam_unix\.so)", r"\1 nodelay", file.read())
    file.seek(0)
    file.write(text)
both("su, by pam_unix", lambda word: clients.check_su("alice", word))
with clients.sshd("UsePAM=no"):
    both("sshd without PAM",
         lambda word: clients.check_ssh_password("alice", word))
both("sulogin", sulogin)
with open("/tmp/htpasswd", "w", encoding="ascii") as file:
    file.write("alice:%s\n" % HASH)
both("apache's htpasswd", lambda word: clients.run(
    ["htpasswd", "-vb", "/tmp/htpasswd", "alice", word])[0] == 0)
tap.done()
