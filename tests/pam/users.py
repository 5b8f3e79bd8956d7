# SPDX-License-Identifier: BSD-2-Clause
"""Fifty users of one machine, and each method that new hashes can be of.

	users.py CONF PID PRERM

All log in under each method, and then under each other one.  Without CHECK,
there are only three methods.  The users whose
hash changes are those that pam_lyra2.conf(5) names and that lyra2 audit
predicts.  The exit status of audit is that of the package's prerm.
"""
import contextlib
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import lyra2d
import tap
from processes import crypt

conf, pid, prerm = sys.argv[1:]
SHADOW = "/etc/shadow"
SERVICE = "/etc/pam.d/login"
LONG = "correct horse"
KINDS = [("$y$j9T$", 15), ("$6$", 15), ("$1$", 5), ("$2b$05$", 3), ("$5$", 2),
         ("des", 1), ("long-des", 1), ("locked", 3), ("blank", 2),
         ("expired", 3)]
METHODS = {"lyra2": "$lyra2$", "bash-lyra2": "$bashlyra2$",
           "yescrypt": "$y$j9T$", "system": "$y$j9T$", "sha512crypt": "$6$"}
LEGACY = ["$1$", "$5$", "des"]
if not os.environ.get("CHECK"):
    for other in ("bash-lyra2", "system"):
        del METHODS[other]
# The hashes that each method replaces, of those above and of its own
REPLACES = {
    "lyra2": LEGACY + ["$6$", "$2b$", "$y$"],
    "bash-lyra2": LEGACY + ["$6$", "$2b$", "$y$", "$lyra2$"],
    "yescrypt": LEGACY + ["$6$", "$2b$"], "system": LEGACY + ["$6$", "$2b$"],
    "sha512crypt": LEGACY}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text, mode="w"):
    with open(path, mode, encoding="utf-8") as file:
        file.write(text)


def make_users():
    """Makes the users; returns their kinds and passwords."""
    salt = "AAAAAAAAAAAAAAAAAAAAA."
    users, uid = {}, 2000
    for kind, number in KINDS:
        for i in range(number):
            name, uid = "user%d" % uid, uid + 1
            password = "%s %d" % (LONG if kind != "des" else "pw", i)
            field = "" if kind == "blank" else crypt(
                kind + salt if kind[0] == "$" else
                "sa" if "des" in kind else "$6$" + salt, password)
            write("/etc/passwd", "%s:x:%d:100::/:/bin/sh\n" % (name, uid), "a")
            write(SHADOW, "%s:%s%s:19000:0:99999:7::%s:\n" % (
                name, "!" if kind == "locked" else "", field,
                "19001" if kind == "expired" else ""), "a")
            users[name] = (kind, password)
    return users


def fields():
    return {x.split(":")[0]: x.split(":")[1]
            for x in read(SHADOW).splitlines()}


def verify(user, password):
    client = lyra2d.Client()
    verdict = client.ask(lyra2d.VERIFY, user, password)
    client.tell(lyra2d.GOT)
    client.tell(lyra2d.ADMITTED)
    client.close()
    return verdict


def idle():
    children = "/proc/%s/task/%s/children" % (pid, pid)
    end = time.monotonic() + 60
    while read(children).strip() and time.monotonic() < end:
        time.sleep(0.02)


def audit(*options):
    done = subprocess.run(["lyra2", "audit", *options], text=True,
                          stdout=subprocess.PIPE, check=False)
    return done.returncode, done.stdout


def configure(method):
    write(conf, "cost = 10\ncols = 171\nmax_concurrent = 2\nmethod = %s\n" %
          method)


def way_back():
    """Only locked users have no other hash: the package can be removed."""
    configure("yescrypt\nrehash = leave")
    for name, (_, password) in users.items():
        verify(name, password)
    idle()
    tap.equal("the way back: users of Lyra2", [
        x for x, field in fields().items() if "lyra2$" in field], [])
    tap.equal("the way back: audit", removable("the way back"), 0)


def wanted(kind, field, method):
    """Returns true if a login gives the user another hash."""
    if kind in ("locked", "blank", "expired", "long-des"):
        return False
    return ("des" if field[0] != "$" else
            field[:field.index("$", 1) + 1]) in REPLACES[method]


def removable(what):
    """audit, --stranded and prerm agree."""
    status, names = audit("--stranded")
    # prerm refuses as well while a file of PAM names the module.
    os.unlink(SERVICE)
    removal = subprocess.run(
        ["sh", prerm, "remove"], check=False, stderr=subprocess.PIPE,
        env={**os.environ, "DPKG_MAINTSCRIPT_ARCH": "here"}, text=True)
    tap.equal(what + ": who cannot be removed", (status, sorted(names.split()),
              removal.returncode), stranded())
    write(SERVICE, service)
    with contextlib.suppress(FileNotFoundError):
        os.unlink("/run/pam_lyra2.removal")     # the package stays
    return status


def stranded():
    names = sorted(x for x, field in fields().items()
                   if field.startswith(("$lyra2$", "$bashlyra2$")))
    known = crypt("$lyra2$t2n4c12p1$AAAAAAAA", "x")[:7] == "$lyra2$"
    return (0, [], 0) if known or not names else (1, names, 1)


def logins(what, method, all_wrong):
    """All users log in once, with the correct and with a wrong password."""
    configure(method)
    before, text = fields(), read(SHADOW)
    table = json.loads(audit("--json")[1])["users"]
    foretold = {x["user"]: x for x in table}
    with ThreadPoolExecutor(8) as pool:
        wrong = list(pool.map(lambda x: verify(x, "wrong"),
                              list(users)[::1 if all_wrong else 10]))
        right = dict(zip(users, pool.map(lambda x: verify(x, users[x][1]),
                                         users)))
    idle()
    after = fields()
    tap.equal(what + ": wrong passwords", set(wrong), {7})
    tap.equal(what + ": right ones", [x for x in users if (right[x] == 0) !=
              (users[x][0] not in ("locked", "blank"))], [])
    changed = {x for x in before if after[x] != before[x]}
    tap.equal(what + ": as the manual says", changed, {
        x for x in users if wanted(users[x][0], before[x], method)})
    tap.equal(what + ": as foretold", changed, {
        x for x in users if foretold[x]["status"] == "convert" and not (
            users[x][0] == "long-des" and foretold[x]["next_login"].endswith(
                ", or kept: the old method truncates passwords"))})
    tap.equal(what + ": of that method", [
        x for x in changed if not after[x].startswith(METHODS[method])], [])
    for name in changed:
        text = text.replace("\n%s:%s:" % (name, before[name]),
                            "\n%s:%s:" % (name, after[name]))
    tap.ok(what + ": no other byte changes", read(SHADOW) == text)
    removable(what)


service = read(SERVICE)
users = make_users()
first = read(SHADOW)
for method in METHODS:
    write(SHADOW, first)
    logins(method, method, True)
    state = read(SHADOW)
    for other in METHODS:
        if other != method:
            write(SHADOW, state)
            logins("%s, then %s" % (method, other), other, False)
write(SHADOW, state)
way_back()
tap.done()
