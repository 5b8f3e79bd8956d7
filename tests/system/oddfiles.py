#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""oddfiles - odd /etc/passwd and /etc/shadow, with pam_unix and the packages.

usage: oddfiles.py DEBS

Runs as root in a scratch root (tests/lib/roots).  DEBS is a directory with the
packages.  A row is the line of a user, or several.  The same bytes meet a
login, passwd(1) by root and passwd(1) by the user: first on the stock system,
then with the packages.  Prints TAP.

 -  A login has to have the result that it has with pam_unix, and lyra2 audit
    has to predict what it does with the hash.
 -  After a change that is reported, the new password works and the old one does
    not, also for pam_unix.  After one that is refused, the file is the same.
"""

import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import clients
import packages
import pamroot
import tap
from pamroot import RIGHT, SHADOW, WRONG, edit, write

NEW = "Another-pw-5319"
PASSWD = "/etc/passwd"
TODAY = int(time.time() / 86400)
FIRST_UID = 2000
HASHES = {}	# by method
# What stands before and behind each row
BEFORE = {}
AFTER = {PASSWD: "zoe:x:1999:100::/:/bin/sh\n",
         SHADOW: "zoe:!:19000:0:99999:7:::\n"}

# Each row has what the packages do, and the bytes: a login, passwd by root, and
# passwd by the user.
#	in, auth, no	auth: the account is refused, or needs a new password
#	set, kept	the new password works, or the file is as before
#	safe		as kept, where passwd of the stock system sets one
# @ is the user's name, N the user ID, H a hash of the password, D one of DES, L
# one of extended DES, T today, B 3000 bytes, and \c the end of the file without
# a newline.
SHADOW_ROWS = r"""
in set set @:H:19000:0:99999:7:::
in set set @:D:19000:0:99999:7:::
no set kept @:L:19000:0:99999:7:::
in set set  @:H:19000:0:99999:7:::
in set set \t\f\v @:H:19000:0:99999:7:::
in set set \r@:H:19000:0:99999:7:::
no safe kept  @:!H:19000:0:99999:7:::\n@:H:19000:0:99999:7:::
no safe kept @:!:19000:0:99999:7:::\n@:H:19000:0:99999:7:::
in safe safe @:H:19000:0:99999:7:::\n@:!:19000:0:99999:7:::
in safe safe @:H:19000:0:99999:7:::\n @:!:19000:0:99999:7:::
in safe safe @:H:19000:0:99999:7:::\n@:H:19000:0:99999:7:::
in safe safe @:!:x:0:99999:7:::\n@:H:19000:0:99999:7:::
no safe kept @:H:x:0:99999:7:::\n@:!:19000:0:99999:7:::
in safe safe @:!:19000:0:99999:7:::\r\n@:H:19000:0:99999:7:::
no safe kept @:H:19000:0:99999:7:::\r
no safe kept @:H:19000:0:99999:7::\r
no set kept @:H\r:19000:0:99999:7:::
no safe kept @
no safe kept @:
no safe kept @:H
no safe kept @:H:
no safe kept @:H:19000
in set set @:H:19000:0:99999
in set set @:H:19000:0:99999:
no safe kept @:H:19000:0:99999:7
no safe kept @:H:19000:0:99999:7:
no safe kept @:H:19000:0:99999:7::
no safe kept @:H:19000:0:99999:7::::
no safe kept @:H:19000:0:99999:7:::x
no safe kept @:H:19000:0:99999:7:::-1
no safe kept @:H:19000:0:99999:7:::4294967296
no safe kept @:H:19000:0:99999:7::: \t
in set set @:H:19000:0:99999:7:::1
in set set @:H: 19000:0:99999:7:::
in set set @:H:+19000:0:99999:7:::
in set set @:H:019000:0:99999:7:::
no safe kept @:H:19000 :0:99999:7:::
no safe kept @:H:x:0:99999:7:::
no safe kept @:H:0x4a38:0:99999:7:::
no safe kept @:H:-1:0:99999:7:::
in set set @:H:4294967295:0:99999:7:::
auth set set @:H:0:0:99999:7:::
no safe kept @:H:19000:0:-1:7:::
in set set @:H:19000:0:4294967295:7:::
no safe kept @:H:19000:0:4294967296:7:::
no safe kept @:H:19000:0:18446744073709551615:7:::
in/auth set set @:H:19000:0:2147483648:7:::
in set kept @:H:T:5:99999:7:::
auth set set @:H:19000:0:100:7:::
auth set kept @:H:19000:0:100:7:30::
auth set kept @:H:19000:0:99999:7::1:
no safe kept @:H:19000:0:99999:7::-5:
no safe kept @:H:19000:0:99999:7::4294967296:
in set set @:H:19000::::::
in set set @:H:::::::
in set set @:H:19000:0:99999:7:::\0
no safe kept @:H:19000:0:99999:7\0:::
no safe kept @:H\0:19000:0:99999:7:::
no safe kept @\0:H:19000:0:99999:7:::
in set set +::::::::\n-@:!:1::::::\n#@:!:1::::::\n@:H:19000:0:99999:7:::
in set set B\n@:H:19000:0:99999:7:::
no set kept @ :H:19000:0:99999:7:::
no set kept @: H:19000:0:99999:7:::
no set kept @:H :19000:0:99999:7:::
no set kept @:H!:19000:0:99999:7:::
no set kept @:!H:19000:0:99999:7:::
no set kept @:*:19000:0:99999:7:::
in set set @::19000:0:99999:7:::
no set kept @:x:19000:0:99999:7:::
no set kept @:##@:19000:0:99999:7:::
in set set @:H:19000:0:99999:7:::\c
no safe kept  @:H:19000:0:99999:7:::\c
in set set @:D,M.z8:19000:0:99999:7:::
no set kept @:$9$salt$hash:19000:0:99999:7:::
no set kept
"""
PASSWD_ROWS = r"""
in set set @:x:N:100::/:/bin/sh
in set set @:x:+N:100::/:/bin/sh
in set set @:x: N:100::/:/bin/sh
in set set @:x:0N:100::/:/bin/sh
no kept kept @:x:N :100::/:/bin/sh
in set set @:x:x:100::/:/bin/sh\n@:x:N:100::/:/bin/sh
in set set @:x:N:x::/:/bin/sh\n@:x:N:100::/:/bin/sh
no kept kept @:x:x:100::/:/bin/sh
no kept kept @:x::100::/:/bin/sh
in set set  @:x:N:100::/:/bin/sh
in set set @:x:N:100
in set set @:x:N:100::/:/bin/sh:more
in set set @:x:N:100::/:/bin/sh\r
in set set @:x:N:100::/:/bin/sh\0
no kept kept @:x\0:N:100::/:/bin/sh
in set set @:H:N:100::/:/bin/sh
in set set @:*NP*:N:100::/:/bin/sh
in set set @:##@:N:100::/:/bin/sh
in set set @::N:100::/:/bin/sh
no set kept @:!:N:100::/:/bin/sh
in set set @:x:N:100::/:/bin/sh\n@:*:N:100::/:/bin/sh
no kept kept #@:x:N:100::/:/bin/sh
in set set @:x:N:100::/:/bin/sh\c
in kept kept  @:x:N:100::/:/bin/sh\c
in kept kept  @:x:N:1\c
"""


class Row:
    """A user, and the bytes of two files."""

    def __init__(self, number, text, odd):
        *self.wanted, self.line = re.match(
            r"(\S+) (\S+) (\S+) ?(.*)", text).groups()
        self.uid = FIRST_UID + number
        self.user = "odd%d" % number
        self.odd = odd
        line = self.spell(self.line)
        self.blank = self.line.startswith("@::")
        self.files = {
            PASSWD: line if odd == PASSWD else self.spell(
                "@:x:N:100::/:/bin/sh"),
            SHADOW: line if odd == SHADOW else self.spell(
                "@:H:19000:0:99999:7:::")}

    def spell(self, line):
        signs = {"@": self.user, "H": HASHES["sha512crypt"], "T": str(TODAY),
                 "D": HASHES["descrypt"], "L": HASHES["bsdicrypt"],
                 "N": str(self.uid), "B": "b" * 3000, r"\0": "\0",
                 r"\n": "\n", r"\r": "\r", r"\t": "\t", r"\f": "\f",
                 r"\v": "\v"}
        line = re.sub(r"\\[0nrtfv]|N(?!P)|[@HTDLB]",
                      lambda x: signs[x.group()], line)
        return line + "\n" if line else ""

    def rest(self, path):
        """What stands behind the row."""
        return "" if path == self.odd and self.line.endswith(r"\c") else \
            AFTER[path]

    def name(self):
        return "%s: %r" % (os.path.basename(self.odd), self.line)

    def put(self):
        """Writes the files: the row stands between other lines."""
        for path, text in self.files.items():
            end = self.rest(path)
            write(path, BEFORE[path] + (
                text + end if end else text.replace("\\c\n", "")))


def content(path):
    with open(path, "rb") as file:
        return file.read()


# --- the programs ------------------------------

def login(service, user, password):
    """in, auth or no."""
    status, output = clients.run(
        ["pamtester", service, user, "authenticate", "acct_mgmt"],
        password + "\n")
    if status == 0:
        return "in"
    return "auth" if "successfully authenticated" in output else "no"


def change(row, by_root):
    """Whether passwd(1) reports a new password, and what it says."""
    def become():
        os.setgroups([])
        os.setgid(100)
        os.setuid(row.uid)
    typed = [] if by_root or row.blank else [RIGHT]
    done = subprocess.run(
        ["passwd", row.user] if by_root else ["passwd"],
        input="".join(x + "\n" for x in [*typed, NEW, NEW]),
        preexec_fn=None if by_root else become, text=True, errors="replace",
        timeout=clients.PATIENCE, check=False, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)
    return done.returncode == 0, done.stdout


def after_change(pool, user):
    """The results of the new and the old password, for both services."""
    return list(pool.map(lambda x: login(x[0], user, x[1]) != "no", [
        (service, password) for service in ("odd", "unix")
        for password in (NEW, RIGHT)]))


def changed(pool, row, by_root):
    """set, kept, or what is wrong; and what passwd has said."""
    row.put()
    before = {x: content(x) for x in row.files}
    reported, said = change(row, by_root)
    if not reported:
        kept = all(content(x) == before[x] for x in before)
        return "kept" if kept else "refused, but written", said
    works = after_change(pool, row.user)
    if works != [True, False] * 2:
        return "new and old password, and for pam_unix: %s" % works, said
    whole = all(content(x).startswith(BEFORE[x].encode()) and
                row.rest(x).encode() in content(x) for x in before)
    return "set" if whole else "other lines changed", said


# --- both systems ------------------------------

def try_all(rows, visit):
    with ThreadPoolExecutor(4) as pool:
        return {row.user: visit(pool, row) for row in rows}


def log_in(pool, row):
    """The results of the correct and of a wrong password."""
    row.put()
    return tuple(pool.map(lambda x: login("odd", row.user, x), [RIGHT, WRONG]))


def change_both(pool, row):
    return [changed(pool, row, x) for x in (True, False)]


def idle():
    """Waits until the service has no worker: logins do not wait for them."""
    pid = clients.must(["pgrep", "-o", "-x", "lyra2d"]).strip()
    while clients.run(["pgrep", "-P", pid])[0] == 0:
        time.sleep(0.01)


def field(row):
    """The bytes of all lines of the user in /etc/shadow."""
    return content(SHADOW)[len(BEFORE[SHADOW]):]


def predicted(row):
    """What lyra2 audit says of the user: its status and text."""
    users = json.loads(clients.run(["lyra2", "audit", "--json"])[1])["users"]
    said = [x for x in users if x["user"] == row.user]
    return said and (said[0]["status"], said[0]["next_login"])


def log_in_and_rehash(_, row):
    """The results, what was predicted, and what is done."""
    row.put()
    said, before = predicted(row), field(row)
    result = login("odd", row.user, RIGHT)
    idle()
    after = field(row)
    return (result, login("odd", row.user, WRONG)), said, after != before, \
        b"$lyra2$" in after


def as_predicted(said, result, written, converted):
    """Whether a login has done what lyra2 audit says."""
    if not said:
        return not written
    status, text = said
    if status == "convert":
        return converted and result != "no"
    if status in ("current", "kept"):
        return not written and (
            result == "in" or "/etc/passwd" in text or "expired" in text)
    return not written and (result == "no" or status == "blank")


# --- the scenario ------------------------------

def prepare():
    for method in ("sha512crypt", "descrypt", "bsdicrypt"):
        HASHES[method] = pamroot.crypt(method, RIGHT)
    for path in AFTER:
        BEFORE[path] = pamroot.read(path)
    edit("/usr/share/pam-configs/unix", "yescrypt", "sha512 rounds=1000")
    pamroot.without_delays()
    for name, text in (
            ("odd", "@include common-auth\n@include common-account\n"),
            ("unix", "auth required pam_unix.so nodelay\n"
             "account required pam_unix.so\n")):
        write("/etc/pam.d/" + name, text)


def table():
    texts = [(x, odd) for rows, odd in ((SHADOW_ROWS, SHADOW),
                                        (PASSWD_ROWS, PASSWD))
             for x in rows.strip("\n").split("\n")]
    return [Row(i, text, odd) for i, (text, odd) in enumerate(texts)]


def report(row, stock, ours):
    (theirs, wrong), set_there = stock
    (result, ours_wrong), said, written, converted = ours[0]
    tap.equal(row.name() + ": a login, as with pam_unix", result, theirs)
    words = [result]
    for (there, _), (here, _) in zip(set_there, ours[1]):
        words.append("safe" if (there, here) == ("set", "kept") else here)
    detail = "pam_unix: %s, %s\naudit: %s\nwritten: %s\n%s" % (
        theirs, [x[0] for x in set_there], said, written,
        [x[1] for x in ours[1]])
    tap.ok("%s: %s" % (row.name(), ", ".join(row.wanted)),
           all(x in y.split("/") for x, y in zip(words, row.wanted)),
           "got: %s\n%s" % (" ".join(words), detail))
    tap.equal(row.name() + ": a wrong password", (wrong, ours_wrong),
              (theirs, result) if row.blank else ("no", "no"))
    tap.ok(row.name() + ": lyra2 audit predicts the login",
           as_predicted(said, result, written, converted),
           "login: %s, %s" % (result, detail))


def main(folder):
    prepare()
    rows = table()
    begun = time.monotonic()
    stock = [try_all(rows, x) for x in (log_in, change_both)]
    print("# %.1f s with pam_unix" % (time.monotonic() - begun), flush=True)
    for path in AFTER:
        write(path, BEFORE[path])
    packages.install(packages.debs_in(folder))
    pamroot.without_delays()
    pamroot.configure(method="lyra2")
    packages.serve()
    begun = time.monotonic()
    ours = [try_all(rows, log_in_and_rehash)]
    pamroot.configure(method="sha512crypt", cost=4)
    ours.append(try_all(rows, change_both))
    print("# %.1f s with the packages" % (time.monotonic() - begun), flush=True)
    for row in rows:
        report(row, [x[row.user] for x in stock], [x[row.user] for x in ours])
    tap.done()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
