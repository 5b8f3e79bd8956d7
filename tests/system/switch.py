#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""switch - the packages change no hash until a line switches Lyra2 on.

usage: switch.py DEBS

Runs as root in a scratch root (tests/lib/roots).  DEBS is a directory with the
packages.  Twenty users with all kinds of hashes log in and change passwords,
and Ansible sets some: after the installation, after the line, on the way back.
That is the command that the refused removal prints.  Last, upgrades from an
older version, which needed no line.  Prints TAP.
"""

import glob
import json
import os
import re
import shutil
import sys

import clients
import packages
import tap
from pamroot import (RIGHT, SHADOW, WRONG, crypt, enter, put, read,
                     without_delays, write)

METHODS = ["descrypt", "md5crypt", "sunmd5", "sha256crypt", "sha512crypt",
           "bcrypt", "scrypt", "yescrypt", "gost-yescrypt"]
USERS = {"user%d" % i: METHODS[i % len(METHODS)] for i in range(20)}
NEW = "Zebra-5319x"
PARTS = "/etc/security/pam_lyra2.conf.d"
ON, BACK = PARTS + "/lyra2.conf", PARTS + "/zz-revert.conf"
UPGRADED = PARTS + "/00-upgraded.conf"
# "lyra2" is on where a login has to make such a hash.
STRONGER = ("scrypt", "gost-yescrypt")
PACKAGES = ["libpam-lyra2", "libpam-lyra2-bin"]
PLAYBOOK = """- hosts: localhost
  connection: local
  gather_facts: false
  tasks:
    - user:
        name: "{{ name }}"
        password: "{{ word | password_hash('sha512', 'saltsalt', rounds=%d) }}"
        update_password: "%s"
"""


def kind(user):
    """The stored hash's method and cost."""
    return clients.stored(user).rpartition("$")[0].rpartition("$")[0]


def everybody_logs_in(when, password):
    """Each in one of the ways, with a wrong password before."""
    ways = list(clients.WAYS.items())
    for number, user in enumerate([*USERS, "root"]):
        tap.attempt("%s: %s, wrong password" % (when, user),
                    lambda x=user: not clients.check_login(x, WRONG)
                    if x != "root" else not enter("login", x, WRONG))
        name, check = ways[number % len(ways)] if user != "root" else \
            ("login", lambda x, y: enter("login", x, y))
        tap.attempt("%s: %s, %s" % (when, user, name), check, user, password)


def all_change(when, old, new, wanted):
    """Every second user by passwd, the others by root's passwd and chpasswd."""
    for number, user in enumerate(USERS):
        if number % 2:
            done, output = clients.passwd(user, old, new)
        elif number % 4:
            done, output = clients.passwd_by_root(user, new)
        else:
            clients.chpasswd({user: new})
            done, output = True, ""
        tap.ok("%s: %s, a new password" % (when, user), done, output)
    clients.chpasswd({"root": new})
    tap.equal(when + ": the new hashes", {kind(x) for x in USERS}, {wanted})


def ansible(user, password, update="always", rounds=656000):
    """Sets the password by Ansible's module "user"; whether it changed."""
    write("/root/play.yml", PLAYBOOK % (rounds, update))
    output = clients.must([
        "ansible-playbook", "-i", "localhost,", "-e",
        json.dumps({"name": user, "word": password}), "/root/play.yml"])
    return "changed=1" in output


def ansible_when_off():
    """An account that it makes, and one that there is."""
    for user in ("made", "user3"):
        ansible(user, NEW)
        stored = clients.stored(user)
        tap.equal("off: Ansible's hash of %s" % user, kind(user),
                  "$6$rounds=656000")
        tap.attempt("off: %s logs in" % user, clients.check_ssh_password,
                    user, NEW)
        tap.equal("off: %s's hash stays" % user, clients.stored(user), stored)
    clients.must(["userdel", "made"])


def ansible_when_on():
    """A hash that a login converts comes back, unless on_create."""
    ansible("user5", RIGHT, rounds=5000)
    tap.attempt("on: user5 of Ansible logs in", clients.check_ssh_password,
                "user5", RIGHT)
    packages.soon("user5", "$lyra2$")
    tap.ok("on: and gets a Lyra2 hash",
           clients.stored("user5").startswith("$lyra2$"))
    tap.ok("on: on_create: Ansible leaves it",
           not ansible("user5", RIGHT, "on_create", 5000))
    tap.ok("on: always: Ansible's hash comes back",
           ansible("user5", RIGHT, rounds=5000))
    tap.equal("on: that is a new $6$", kind("user5"), "$6")


def no_lyra2(when):
    tap.ok(when + ": no Lyra2 hash", "lyra2$" not in read(SHADOW))


def old_hashes():
    for user, method in USERS.items():
        put(user, crypt(method, RIGHT))
    put("root", crypt("sha512crypt", RIGHT))


def before():
    """Twenty users, and what the system's own passwd writes."""
    without_delays()
    for user in USERS:
        clients.add_user(user)
        clients.must(["usermod", "-aG", "sudo", user])
    clients.chpasswd({"user0": NEW})
    stock = kind("user0")
    old_hashes()
    return stock


def removed_and_installed(debs, when, password):
    """Nobody needs the module: it goes, and comes back."""
    status, output = clients.run(["dpkg", "-r", *PACKAGES])
    tap.ok(when + ": the removal is allowed", status == 0, output)
    for user in ("user0", "user7", "user19"):
        tap.attempt("%s: removed: %s" % (when, user), clients.check_su, user,
                    password)
    packages.install(debs)
    packages.serve()
    without_delays()


def off(debs, stock):
    """After the installation, all is as before."""
    packages.install(debs)
    packages.serve()
    without_delays()
    tap.ok("off: the profile is enabled", packages.enabled())
    hashes = read(SHADOW)
    everybody_logs_in("off", RIGHT)
    tap.equal("off: logins change nothing", read(SHADOW), hashes)
    all_change("off", RIGHT, NEW, stock)
    ansible_when_off()
    no_lyra2("off")
    tap.equal("off: audit lists none, exit 0", packages.audit()[0], 0)
    removed_and_installed(debs, "off", NEW)


def broken():
    """A method that there is not, and a line that is none: as without them."""
    old_hashes()
    for text in ("method = lyra3\n", "method = lyra2\nrehash weaker\n",
                 "method = lyra2\nsalt_of_2031 = 5\n"):
        write(ON, text)
        hashes = read(SHADOW)
        for user in ("user0", "user4"):
            tap.attempt("%r: %s" % (text, user), clients.check_su, user, RIGHT)
        tap.equal("%r: nothing changes" % text, read(SHADOW), hashes)
        output = clients.run(["lyra2", "audit", "--config"])[1]
        tap.ok("%r: audit names the line" % text,
               "%s:%d: " % (ON, text.count("\n")) in output, output)


def on():
    """One line, and logins convert; root stays."""
    write(ON, "method = lyra2\ncost = 10\n")
    old_hashes()
    root = clients.stored("root")
    everybody_logs_in("on", RIGHT)
    for user, method in USERS.items():
        if method not in STRONGER:
            packages.soon(user, "$lyra2$")
    tap.equal("on: who has a Lyra2 hash", {
        m for x, m in USERS.items() if clients.stored(x).startswith("$lyra2$")},
              set(METHODS) - set(STRONGER))
    tap.equal("on: root's hash stays", clients.stored("root"), root)
    write(ON, "method = lyra2\ncost = 10\nrehash_root = yes\n")
    tap.attempt("on: root logs in", enter, "login", "root", RIGHT)
    packages.soon("root", "$lyra2$")
    tap.ok("on: with rehash_root = yes, root's does not",
           clients.stored("root").startswith("$lyra2$"))
    ansible_when_on()
    status, output = clients.run(["dpkg", "-r", *PACKAGES])
    tap.ok("on: the removal is refused", status != 0, output)
    back = re.search(r"printf .*\n.*zz-revert.conf", output)
    tap.ok("on: and says how to go back", back, output)
    all_change("on", RIGHT, NEW, "$lyra2$t2n10c256p2")
    return back.group()


def back(debs, command):
    """The command that the refusal prints, whatever other files say."""
    said = clients.run(["lyra2", "audit"])[1]
    tap.ok("back: audit prints the same command", command.split() == [
        x for x in said.split() if x in command.split()], said)
    write(ON, "rehash_group = nobodies\n", "a")
    clients.must(["sh", "-ec", command])
    tap.ok("back: it writes the last file", os.path.exists(BACK))
    everybody_logs_in("back", NEW)
    for user in [*USERS, "root"]:
        packages.soon(user, "$y$")
    no_lyra2("back")
    removed_and_installed(debs, "back", NEW)
    shutil.rmtree(PARTS)


def upgraded(debs, suffix):
    """Upgrades from an older version; returns what is in its file."""
    clients.must(["dpkg", "--purge", *PACKAGES])
    old = packages.before_it(debs, suffix)
    packages.install(old)
    return old


def upgrades(debs):
    """What converted before goes on converting."""
    upgraded(debs, "~~1")
    # Downloads of apt are no business of this test: all that is needed is here.
    folder = os.path.dirname(packages.before_it(debs, "")[0])
    output = clients.must(["sh", "-ec", "cd '%s'; apt-get install -y ./*.deb"
                           % folder])
    tap.ok("upgrade: it says so", UPGRADED in output, output)
    text = read(UPGRADED)
    tap.equal("upgrade: Lyra2 stays on, root as before",
              [x for x in text.splitlines() if x[0] != "#"],
              ["method = lyra2"])
    put("user4", crypt("sha512crypt", RIGHT))
    packages.serve()
    tap.attempt("upgrade: user4", clients.check_su, "user4", RIGHT)
    packages.soon("user4", "$lyra2$")
    tap.ok("upgrade: a login converts",
           clients.stored("user4").startswith("$lyra2$"))
    put("user4", crypt("yescrypt", RIGHT))
    os.unlink(UPGRADED)
    packages.install(packages.before_it(debs, "~1"))
    packages.install(debs)
    tap.equal("upgrade: the file comes once", glob.glob(UPGRADED), [])
    upgraded(debs, "~~1")
    write(packages.CONF, "method = yescrypt\n")
    packages.install(debs)
    tap.equal("upgrade: a method is named: no file", glob.glob(UPGRADED), [])
    upgraded(debs, "~~1")
    packages.install(debs)
    clients.must(["dpkg", "--purge", *PACKAGES])
    tap.equal("purge: the file goes, and its folder", glob.glob(PARTS), [])


def main(folder):
    debs = packages.debs_in(folder)
    stock = before()
    os.makedirs(PARTS, exist_ok=True)
    with clients.sshd():
        off(debs, stock)
        broken()
        back(debs, on())
    upgrades(debs)
    tap.done()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
