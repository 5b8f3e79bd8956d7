# SPDX-License-Identifier: BSD-2-Clause
"""What lyra2 audit says of users and PAM services, and what logins then do.

	audit-logins.py PREFIX MODULE CONF PAM_UNIX yes|no

yes: this namespace has its own /usr/lib, whose pam.d may go.

For each stack: audit predicts who can log in now, whose hash the next login
replaces, who is locked out then, and whom a removal would lock out.  Then each
user logs in through each service.
"""
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import time

import sys

import lyra2d
import tap
from application import Pam

prefix, module, conf, unix, may_change_vendor = sys.argv[1:]
may_change_vendor = may_change_vendor == "yes"
LYRA2 = prefix + "/bin/lyra2"
LYRA2D = prefix + "/sbin/lyra2d"
PAM_D, VENDOR, PAM_CONF = "/etc/pam.d", "/usr/lib/pam.d", "/etc/pam.conf"
REMOVAL = "/run/pam_lyra2.removal"
PASSWORD = "correct horse"
LYRA2_USER = "user9"	# has such a hash, and is not locked
# As Debian's profiles: the module before pam_unix, then pam_deny
WITH = """auth [success=2 authtok_err=die cred_unavail=die default=ignore] \
%s before_unix nodelay
auth [success=1 default=ignore] %s nodelay try_first_pass
auth requisite pam_deny.so
auth required pam_permit.so
""" % (module, unix)
UNIX = """auth [success=1 default=ignore] %s nodelay
auth requisite pam_deny.so
auth required pam_permit.so
""" % unix
DENY = "auth required pam_deny.so\n"
INCLUDES = "@include common-auth\n"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text, mode="w"):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, mode, encoding="utf-8") as file:
        file.write(text)


def in_conf(service, text):
    """These lines as /etc/pam.conf has them."""
    return "".join("%s %s\n" % (service, x) for x in text.splitlines())


# --- stacks ------------------------------

# Each: the files of /etc/pam.d, and the services that users come through.  A
# name from the root is a file elsewhere.
STACKS = {
    "the module everywhere": (
        {"common-auth": WITH, "login": INCLUDES, "su": INCLUDES},
        ["login", "su"]),
    "common-auth was edited by hand": (
        {"common-auth": UNIX, "login": INCLUDES, "su": INCLUDES},
        ["login", "su"]),
    "one service asks pam_unix alone": (
        {"common-auth": WITH, "login": INCLUDES, "ftp": UNIX},
        ["login", "ftp"]),
    "includes, substacks, directories": (
        {"sub/deep": WITH, "a": "auth include sub/deep\n",
         "b": "auth\tsubstack\tb-2\n", "b-2": "@include sub/deep\n",
         "c": "AUTH Include %s/sub/deep\n" % PAM_D,
         "loop": "auth include loop\n"}, ["a", "b", "c"]),
    "comments, long lines, other types": (
        {"a": "# " + WITH.replace("\n", "\n# ") + "\n" + UNIX,
         "b": "-" + WITH.replace(module + " b", "\\\n" + module + " b"),
         "c": UNIX + "password required %s\naccount required %s\n" % (
             module, module),
         "d": UNIX + "auth optional pam_deny.so # " + module + "\n",
         "e": "# a comment \\\n" + WITH},
        ["a", "b", "c", "d", "e"]),
    "brackets, and blanks behind a backslash": (
        {"a": WITH.replace("] ", "]"), "b": UNIX.replace("] ", "]"),
         "c": UNIX.replace(unix, "\\ \t\n" + unix),
         "d": WITH.replace(module, "\\ \n\t" + module),
         "e": "auth [include]a\n"}, ["a", "b", "c", "d", "e"]),
    "a substack without the module": (
        {"a": "auth substack /etc/deep\n", "/etc/deep": UNIX, "login": WITH},
        ["login", "a"]),
    "other": (
        {"other": WITH, "a": UNIX}, ["a", "nameless"]),
    "copies, a FIFO, a directory, a dangling link": (
        {"login": WITH, "login.dpkg-dist": UNIX, "login~": UNIX,
         "common-auth.pam-old": UNIX}, ["login"]),
    "pam.conf next to pam.d": (
        {PAM_CONF: in_conf("ftp", WITH) + in_conf("cron", UNIX), "ftp": WITH,
         "login": WITH},
        ["login", "ftp"]),
    "the package is being removed": ({"login": WITH}, ["login"]),
    "lyra2d is not started": ({"login": WITH}, ["login"]),
    "lyra2d is stopped": ({"login": WITH}, ["login"]),
    "lyra2d is stopped, with a full queue": ({"login": WITH}, ["login"]),
    "lyra2d is missing": ({"login": WITH}, ["login"]),
    "the module is missing": (
        {"login": WITH.replace(module, "/nowhere/pam_lyra2.so")}, ["login"]),
}
if may_change_vendor:
    STACKS["the vendor's directory"] = (
        {VENDOR + "/login": WITH, VENDOR + "/ftp": WITH, "ftp": UNIX},
        ["login", "ftp"])
    STACKS["only pam.conf"] = (
        {PAM_CONF: in_conf("login", WITH) + in_conf("FTP", UNIX) +
         "SU auth include /etc/su.pam\ncron @include /etc/cron.pam\n" +
         "# x auth required " + module + "\nother auth required pam_deny.so\n",
         "/etc/su.pam": WITH, "/etc/cron.pam": WITH},
        ["login", "ftp", "su", "cron"])
    STACKS["only pam.conf, without the module"] = (
        {PAM_CONF: in_conf("login", UNIX) + in_conf("other", DENY)}, ["login"])


def make_stack(what):
    for folder in (PAM_D, VENDOR) if may_change_vendor else (PAM_D,):
        shutil.rmtree(folder, ignore_errors=True)
    for name in (PAM_CONF, REMOVAL):
        if os.path.exists(name):
            os.unlink(name)
    if "only pam.conf" not in what:
        write(PAM_D + "/other", DENY)
    for name, text in STACKS[what][0].items():
        write(os.path.join(PAM_D, name), text)
    if "being removed" in what:
        write(REMOVAL, "")
    if "FIFO" in what:
        os.mkfifo(PAM_D + "/fifo")
        os.mkdir(PAM_D + "/empty")
        os.symlink("nowhere", PAM_D + "/dangling")


# --- users ------------------------------

def crypt(setting):
    return subprocess.run(["perl", "-e", "print crypt($ARGV[0], $ARGV[1])",
                           PASSWORD, setting], stdout=subprocess.PIPE,
                          check=True, text=True).stdout


def lyra2(*options):
    return subprocess.run([LYRA2, "hash", *options], input=PASSWORD + "\n",
                          stdout=subprocess.PIPE, check=True,
                          text=True).stdout.strip()


def make_users():
    same, weak = lyra2("--cost", "10", "--cols", "171"), lyra2("--cost", "6")
    fields = [crypt("$6$saltsalt$")] * 4 + [crypt("$y$j9T$saltsalt")] * 3 + \
        [crypt("$5$saltsalt$"), crypt("$1$saltsalt$")] + [same] * 4 + \
        [weak] * 2 + ["!" + same, "*", same[:-4], same + "=",
                      lyra2("--cost", "12", "--cols", "171"),
                      crypt("$y$jBT$saltsalt")]
    shadow = read("/etc/shadow")
    for i, field in enumerate(fields):
        write("/etc/passwd", "user%d:%s:%d:100::/:/bin/sh\n" % (
            i, same if field == same + "=" else "x", 2000 + i), "a")
        if field != same + "=":
            shadow += "user%d:%s:19000:0:99999:7:::\n" % (i, field)
    return ["user%d" % i for i in range(len(fields))], shadow


def fields():
    return {x.split(":")[0]: x.split(":")[1]
            for x in read("/etc/shadow").splitlines()}


# --- the service ------------------------------

def fill():
    """Connections that nobody accepts, until no more can wait."""
    queue = []
    with contextlib.suppress(BlockingIOError):
        while True:
            queue.append(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
            queue[-1].setblocking(False)
            queue[-1].connect(lyra2d.SOCKET)
    return queue


class Service:
    """lyra2d, if the stack has it."""

    def __init__(self, what):
        self.moved = "missing" in what and "lyra2d" in what
        self.process = None
        if self.moved:
            os.rename(LYRA2D, LYRA2D + ".aside")
        elif "not started" not in what:
            self.process = subprocess.Popen([LYRA2D])
            while not lyra2d.listens():
                time.sleep(0.01)
        if "stopped" in what:
            self.process.send_signal(signal.SIGSTOP)
        self.queue = fill() if "queue" in what else []

    def go_on(self):
        for one in self.queue:
            one.close()
        if self.process:
            self.process.send_signal(signal.SIGCONT)

    def idle(self):
        end = time.monotonic() + 60
        while subprocess.run(
                ["pgrep", "-x", "lyra2d"], stdout=subprocess.PIPE,
                check=False, text=True).stdout.count("\n") > (
                    self.process is not None) and time.monotonic() < end:
            time.sleep(0.02)

    def end(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        if os.path.exists(lyra2d.SOCKET):
            os.unlink(lyra2d.SOCKET)
        if self.moved:
            os.rename(LYRA2D + ".aside", LYRA2D)


def configure(*lines):
    write(conf, "cost = 10\ncols = 171\nmax_concurrent = 2\nmax_memory = 40M\n"
          "method = lyra2\n" + "".join(x + "\n" for x in lines))


def audit(*options):
    done = subprocess.run([LYRA2, "audit", "--json", *options], text=True,
                          stdout=subprocess.PIPE, check=False, timeout=60)
    said = json.loads(done.stdout)
    return done.returncode, said, {x["user"]: x for x in said["users"]}


def enters(service, user):
    handle = Pam(service, user, PASSWORD)
    code = handle.call("authenticate")
    handle.end(code)
    return code == 0


def who(services):
    """Through which of the services each user comes in."""
    return {user: [x for x in services if enters(x, user)] for user in users}


# --- the three answers ------------------------------

def of(there, services):
    """What audit calls it if a user comes in through these services."""
    return "yes" if len(there) == len(services) else \
        "partly" if there else "no"


def now_is_right(row, came, services, silent):
    if row["now"] is None:
        return not came
    # lyra2d is silent: programs of root, such as this, start their own.
    if row["now"] == "partly" and silent and "user" in row["locked_out"]:
        return of(came, services) == "yes"
    return row["now"] == of(came, services)


def check(what):
    services = STACKS[what][1]
    make_stack(what)
    write("/etc/shadow", first)
    service = Service(what)
    configure()
    begun = time.monotonic()
    status, said, rows = audit()
    tap.ok(what + ": it answers soon", tap.within(time.monotonic() - begun, 5))
    _, _, rehearsed = audit("--set", "rehash = log-only")
    service.go_on()

    configure("rehash = never")
    came = who(services)
    tap.equal(what + ": now", [
        (x, rows[x]["now"], came[x]) for x in users if not now_is_right(
            rows[x], came[x], services, said["lyra2d_silent"])], [])
    if said["lyra2d_silent"]:
        tap.ok(what + ": users' own programs need lyra2d",
               rows[LYRA2_USER]["now"] != "yes", rows[LYRA2_USER])
    else:
        tap.equal(what + ": the services", [
            x for x in services if x in said["services"]["with_module"]],
                  [x for x in came[LYRA2_USER] if x != "nameless"])
    first_ones = [x["user"] for x in said["users"] if x["locked_out"]]
    tap.equal(what + ": who is locked out comes first",
              [x["user"] for x in said["users"]][:len(first_ones)],
              first_ones)

    configure()
    who(services)
    service.idle()
    after, before = fields(), {
        x.split(":")[0]: x.split(":")[1] for x in first.splitlines()}
    changed = {x for x in before if after[x] != before[x]}
    tap.equal(what + ": the next login", changed, {
        x for x in users if rows[x]["status"] == "convert"})
    tap.equal(what + ": and under log-only", changed, {
        x for x in users if rehearsed[x]["becomes"] == "lyra2"})

    configure("rehash = never")
    later = who(services)
    tap.equal(what + ": who is locked out by it", {
        x for x in users if later[x] != came[x]}, {
            x for x in users if rows[x]["becomes_locked_out"]})
    lost = [x for x in users if rows[x]["locked_out"] or
            rows[x]["becomes_locked_out"]]
    tap.equal(what + ": exit status", status,
              int(bool(lost or said["services"]["module_missing"])))

    write(PAM_D + "/removed", UNIX)
    write("/etc/shadow", first)
    removed = who(["removed"])
    service.end()
    tap.equal(what + ": removal", [
        x for x in users if rows[x]["status"] not in ("locked", "unknown") and
        bool(removed[x]) != rows[x]["crypt"]], [])
    tap.equal(what + ": each service once", [
        x for x, names in said["services"].items()
        if isinstance(names, list) and len(names) != len(set(names))], [])
    tap.equal(what + ": whether it has begun", said["removal_begun"],
              "being removed" in what)
    tap.equal(what + ": --stranded", set(subprocess.run(
        [LYRA2, "audit", "--stranded"], stdout=subprocess.PIPE, check=False,
        text=True).stdout.split()), {
            x for x in rows if rows[x]["crypt"] is False})


def includes_of_the_vendor():
    """What a line includes is in /etc/pam.d only, where libpam is Debian's."""
    make_stack("the vendor's directory")
    write(VENDOR + "/deep", WITH)
    write(PAM_D + "/a", "auth include deep\n")
    write(PAM_D + "/b", "@include %s/deep\n" % VENDOR)
    write(VENDOR + "/c", WITH)
    write("/etc/shadow", first)
    configure("rehash = never")
    service = Service("")
    said = audit()[1]
    came = [x for x in ("a", "b", "c") if enters(x, "user0")]
    service.end()
    tap.equal("includes from the vendor's directory", [
        x for x in said["services"]["with_module"] if x in "abc"], came)


users, first = make_users()
for stack in STACKS:
    check(stack)
if may_change_vendor:
    includes_of_the_vendor()
tap.done()
