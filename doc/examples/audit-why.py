#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Says what may keep the hashes that "lyra2 audit" calls weaker from changing.

usage: lyra2 audit --json | audit-why.py [ROOT]

Only a password that is typed and right brings a new hash.  Prints, for each
user, what prevents that, whether there are SSH keys, and the last login, which
lastlog(8) also counts if it was made with a key."""
import json
import pathlib
import subprocess
import sys
import time

chroot = ["-R", sys.argv[1]] if len(sys.argv) > 1 else []
root = pathlib.Path(sys.argv[1] if chroot else "/")


def lines(name):
    """The fields of each line, of bytes as the audit writes them."""
    text = (root / name).read_bytes().decode("latin-1")
    return [line.split(":") for line in text.split("\n")]


def last_login(user):
    """As lastlog2(8) or lastlog(8) prints it, without the name."""
    for tool in "lastlog2", "lastlog":
        try:
            said = subprocess.run(
                [tool, *chroot, "-u", user.encode("latin-1")],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
            last = said.stdout.decode("latin-1").splitlines()[-1].split()
            return "last login: " + " ".join(last[1:])
        except (OSError, subprocess.CalledProcessError, IndexError):
            pass
    return "last login unknown"


def reasons(user):
    """Each reason as text."""
    entries = [x for x in shadow if x[0] == user]
    if len(entries) > 1:
        yield "more than one line in /etc/shadow"
    if any(x.isdecimal() and int(x) <= time.time() // 86400
           for entry in entries for x in entry[7:8]):
        yield "the account has expired"
    account = passwd.get(user)
    if not account:
        yield "not in /etc/passwd"
    elif account[1] != "x":
        yield "the hash is not used: see /etc/passwd"
    elif account[6].endswith(("/nologin", "/false")):
        yield "the shell is " + account[6]
    elif (root / account[5].strip("/") / ".ssh/authorized_keys").exists():
        yield "has SSH keys"
    yield last_login(user)


shadow = lines("etc/shadow")
passwd = {x[0]: x for x in lines("etc/passwd") if len(x) == 7}
for found in json.load(sys.stdin)["users"]:
    if found["status"] == "weaker":
        # No escape sequences: whoever logs in chooses the name of a host.
        print(ascii(found["user"]),
              ascii(", ".join(reasons(found["user"])))[1:-1], sep=": ")
