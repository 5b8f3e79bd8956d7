# SPDX-License-Identifier: BSD-2-Clause
"""A system of its own for each row of a table: once with pam_unix, once with
pam_lyra2.

A row is a poor or hostile system.  It gets namespaces for mounts and processes,
new /etc, /run and /dev, the service, and then some people who log in at once, in
the ways below.  Nothing is left of it.  PREFIX of a row stands before their
programs; RULES are words for confine.c.

Environment: LYRA2D, MODULE, CONF, TOOLS (a directory with set-user-ID copies of su,
passwd and try, and with confine).
"""
import contextlib
import ctypes
import glob
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import devlog
import lyra2d
import tap
from processes import wait_for

DAEMON, MODULE, TOOLS, CONF = (
    os.environ[x] for x in ("LYRA2D", "MODULE", "TOOLS", "CONF"))
LIMIT = 40      # seconds, then a login has no end
TOP = "/mnt/tmp/place"
LOG = TOP + "/log"
STACKS = {
    "pam_unix": "auth required pam_unix.so nodelay\n"
                "password required pam_unix.so sha512\n",
    "pam_lyra2": "auth required {0} nodelay\npassword required {0}\n",
    # As in pam_lyra2(8).
    "both": """
auth [success=2 auth_err=1 authtok_err=1 cred_unavail=die default=ignore] {0} \
nodelay skip_unix
auth [success=1 default=ignore] pam_unix.so nodelay try_first_pass
auth requisite pam_deny.so
auth required pam_permit.so
password [success=2 user_unknown=ignore ignore=ignore default=die] {0} \
before_unix
password [success=1 default=ignore] pam_unix.so use_authtok sha512
password requisite pam_deny.so
password required pam_permit.so
""",
}
libc = ctypes.CDLL(None, use_errno=True)
NULL = os.open("/dev/null", os.O_RDWR)  # also where it is missing


class Unavailable(Exception):
    """This machine cannot make such a system."""


@dataclass
class Row:
    name: str
    before: object = None       # what happens before lyra2d starts
    after: object = None        # and then
    service: object = True      # words before lyra2d, or False: it is not there
    prefix: tuple = ()          # words before each program of a person
    outer: tuple = ()           # words that root runs before these
    shifted: bool = False       # in a user namespace: user 0 is 100000
    rules: tuple = ()           # for confine
    ways: tuple = ("su", "sudo", "root", "passwd")
    silent: bool = False        # the service does not answer
    stack: str = "pam_lyra2"
    seconds: float = 1          # more than pam_unix takes
    codes: dict = field(default_factory=dict)   # results other than "in"
    wrong: bool = True          # wrong passwords are tried, too
    logs: str = ""              # what the log has to have
    long: bool = False          # not in each run
    check: object = None        # returns what is wrong, or nothing


# ---- the system ----
def run(*words, **how):
    """Runs a command that has to succeed."""
    done = subprocess.run(words, check=False, text=True, **{
        "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, **how})
    if done.returncode:
        raise Unavailable("%s: %s" % (" ".join(words), done.stdout.strip()))
    return done.stdout


def write(path, text, mode="w"):
    with open(path, mode) as file:
        file.write(text)


def read(path):
    with open(path, errors="replace") as file:
        return file.read()


def ours():
    """Whether this is not the control."""
    return MODULE in read("/etc/pam.d/su")


def fresh(stack):
    os.makedirs(TOP, exist_ok=True)
    run("mount", "-t", "tmpfs", "none", TOP)
    os.makedirs(TOP + "/dev")
    run("cp", "-a", "/etc", TOP)
    for name, mode in (("etc", 755), ("run", 755)):
        run("mount", "-t", "tmpfs", "-o", "mode=%d" % mode, "none", "/" + name)
    run("cp", "-a", TOP + "/etc/.", "/etc")
    for name in ("null", "zero", "full", "random", "urandom", "tty"):
        write("%s/dev/%s" % (TOP, name), "")
        run("mount", "--bind", "/dev/" + name, "%s/dev/%s" % (TOP, name))
    run("mount", "--rbind", TOP + "/dev", "/dev")
    for name in ("su", "sudo", "login", "passwd"):
        write("/etc/pam.d/" + name, STACKS[stack].format(MODULE) +
              "account required pam_permit.so\n"
              "session required pam_permit.so\n")


def start_service(words=()):
    """Starts lyra2d behind these words; returns it when it listens."""
    service = subprocess.Popen([*words, DAEMON], stdin=NULL, stdout=NULL,
                               stderr=NULL)
    if not wait_for(lambda: lyra2d.listens() or
                    service.poll() is not None, 20):
        raise Unavailable("no socket after 20 s")
    return service


def services():
    """The process IDs of all that run the program lyra2d."""
    done = subprocess.run(["pgrep", "-x", "lyra2d"], text=True, check=False,
                          stdout=subprocess.PIPE)
    return [int(x) for x in done.stdout.split()]


def listen(serve=None, backlog=64):
    """A false service: SERVE gets each connection in a thread."""
    os.makedirs("/run/lyra2", exist_ok=True)
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    sock.bind(lyra2d.SOCKET)
    os.chmod(lyra2d.SOCKET, 0o666)
    sock.listen(backlog)
    held = []

    def accept():
        while True:
            held.append(sock.accept()[0])
            threading.Thread(target=serve, args=held[-1:], daemon=True).start()
    if serve:
        threading.Thread(target=accept, daemon=True).start()
    return sock


def shift():
    """Goes on in a user namespace with 65536 IDs, as containers of users do."""
    os.mkdir(TOP + "/copy")
    os.chown("/dev", 100000, 100000)
    for folder in (TOOLS, os.path.dirname(CONF)):
        run("mount", "-t", "tmpfs", "none", TOP + "/copy")
        run("cp", "-a", folder + "/.", TOP + "/copy")
        run("mount", "--move", TOP + "/copy", folder)
    for top in ("/etc", "/run", TOOLS, os.path.dirname(CONF)):
        for folder, folders, names in os.walk(top):
            for path in [folder] + [folder + "/" + x for x in folders + names]:
                st = os.lstat(path)
                os.lchown(path, st.st_uid + 100000, st.st_gid + 100000)
                if st.st_mode & 0o4000:
                    os.chmod(path, st.st_mode & 0o7777)
    here, ready = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        if libc.unshare(0x10000000) != 0:    # CLONE_NEWUSER
            os._exit(1)
        os.write(ready[1], b"x")
        os.read(here[0], 1)
        os.setgroups([])
        os.setresgid(0, 0, 0)
        os.setresuid(0, 0, 0)
        return
    os.read(ready[0], 1)
    for name in ("uid_map", "gid_map"):
        write("/proc/%d/%s" % (child, name), "0 100000 65536\n")
    os.write(here[1], b"x")
    os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


GROUP = "lyra2-test-%s" % os.environ.get("PLACE", "")


def group_folder(controller):
    top = "/sys/fs/cgroup/" + controller
    return (top if os.path.isdir(top) else "/sys/fs/cgroup") + "/" + GROUP


def cgroup(controller, **limits):
    """A new group with these limits, which JOIN enters."""
    name = group_folder(controller)
    try:
        os.mkdir(name)
        for key, value in limits.items():
            write("%s/%s.%s" % (name, controller, key), str(value))
    except OSError as error:
        raise Unavailable("no control group: %s" % error) from None
    os.symlink(name, TOP + "/group")


JOIN = ("sh", "-c", 'echo $$ >%s/group/cgroup.procs; exec "$0" "$@"' % TOP)


# ---- the people ----
def way(row, name, user, uid, *words, prefix=None):
    """A program of that user: (name, command, the name of who is let in)."""
    return name, [*row.outer, TOOLS + "/confine", "-u", str(uid), *row.rules,
                  "--", *(row.prefix if prefix is None else prefix), *words], user


def ways(row):
    tool = TOOLS + "/try"
    auth = [tool, "/etc/pam.d"]
    result = [x for x in (
        way(row, "su", "bob", 1001, TOOLS + "/su", "bob", "-c",
            "echo in-as:$(id -un)"),
        way(row, "sudo", "dave", 1004, *auth, "sudo", "dave", "sudo:1004",
            "says:secret", "auth"),
        way(row, "root", "erin", 0, *auth, "login", "erin", "says:secret",
            "auth"),
        way(row, "passwd", "carol", 1003, TOOLS + "/passwd"),
    ) if x[0] in row.ways]
    if not row.wrong:
        return result
    return result + [x for x in (
        way(row, "sudo, wrong", "gina", 1007, *auth, "sudo", "gina",
            "sudo:1007", "says:wrong", "auth"),
        way(row, "root, wrong", "frank", 0, *auth, "login", "frank",
            "says:wrong", "auth"),
    ) if x[0].split(",")[0] in row.ways]


TYPED = {"passwd": "secret\nanother-1\nanother-1\n"}


def login(name, command, user):
    """(let in, exit status, seconds, what was said)."""
    begun = time.monotonic()
    app = subprocess.Popen(command, stdin=subprocess.PIPE, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           start_new_session=True, errors="replace")
    try:
        said = app.communicate(TYPED.get(name, "secret\n"), LIMIT)[0]
    except subprocess.TimeoutExpired:
        # Its children may hold the pipe: all end with this system.
        app.kill()
        app.wait()
        return False, "no end", LIMIT, ""
    took = time.monotonic() - begun
    let_in = "in-as:%s\n" % user in said if name == "su" \
        else app.returncode == 0 and not re.search("=[1-9]", said)
    return let_in, app.returncode, round(took, 2), said[-300:]


def log_in(row):
    """The results of all ways, which people go at once."""
    results = {}
    threads = [threading.Thread(
        target=lambda x=x: results.update({x[0]: login(*x)}), daemon=True)
        for x in ways(row)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT + 5)
    return results


# ---- in a row's namespace ----
def inside(row, stack):
    """Prints what happened, as JSON."""
    said = {}
    signal.alarm(300)
    try:
        fresh(stack)
        with contextlib.ExitStack() as stays:
            stays.enter_context(devlog.Collector(LOG))
            if row.before:
                row.before()
            if row.shifted:
                shift()
            service = None
            if row.service is not False:
                service = start_service(
                    () if row.service is True else row.service)
            if row.after:
                row.after(service)
            said["results"] = log_in(row)
            said["wrong"] = row.check() if row.check else None
        said["log"] = read(LOG)[-2000:]
    except Unavailable as why:
        said["skip"] = str(why)
    print(json.dumps(said), flush=True)
    os._exit(0)     # threads may hang


def remove(folder):
    """Whether it is gone: a group stays until its last process has ended."""
    try:
        os.rmdir(folder)
    except OSError:
        pass
    return not os.path.exists(folder)


def outside(row, stack):
    """The result of inside() in new namespaces, where a shell reaps orphans."""
    place = "%d-%d" % (os.getpid(), time.monotonic_ns())
    done = subprocess.run(
        ["unshare", "-mpf", "--mount-proc", "--kill-child", "sh", "-c",
         '"$@"; exit $?', "sh", sys.executable, "-B", sys.argv[0], "--row",
         row.name, stack], text=True, check=False, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, errors="replace",
        env=dict(os.environ, PLACE=place))
    for name in glob.glob("/sys/fs/cgroup/*/lyra2-test-" + place) + \
            glob.glob("/sys/fs/cgroup/lyra2-test-" + place):
        wait_for(lambda: remove(name), 5)
    try:
        return json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        return {"results": {}, "log": "", "wrong": "exit status %d: %s %s" % (
            done.returncode, done.stdout[-500:], done.stderr[-1500:])}


# ---- both beside each other ----
def both(row):
    return outside(row, "pam_unix"), outside(row, row.stack)


LATE = ": late"


def only_late(what):
    return what and all(x.endswith(LATE) for x in what)


def faults(row, stock, ours):
    """What is wrong with ours, in words; stock is the control."""
    if "skip" in stock or "skip" in ours:
        return []
    result = [ours["wrong"]] if ours["wrong"] else []
    result += [x[0] + ": no result" for x in ways(row)
               if x[0] not in ours["results"]]
    result += ["pam_unix: %s" % stock["wrong"]] if stock["wrong"] else []
    for name, (let_in, status, took, _) in ours["results"].items():
        if status == "no end":
            result.append(name + ": no end")
        elif "wrong" in name:
            result += [name + ": let in"] if let_in else []
        elif name in row.codes:
            result += [] if status in row.codes[name] else [
                "%s: %s" % (name, status)]
        elif stock["results"][name][0] and not let_in:
            result.append(name + ": refused")
        elif not tap.within(took - stock["results"][name][2] -
                            5 * row.silent, row.seconds):
            result.append(name + LATE)
    if row.silent and "lyra2d does not run here" in ours["log"]:
        result.append("logged: it does not run, while it is silent")
    if row.logs and not re.search(row.logs, ours["log"]):
        result.append("not logged: " + row.logs)
    return result


def times(said):
    return ", ".join("%s %.1f" % (name, x[2]) for name, x in sorted(
        said["results"].items()) if "wrong" not in name)


def report(row, stock, ours, wrong):
    for said in stock, ours:
        if "skip" in said:
            return tap.skip(row.name, said["skip"])
    control = ["%s: %s" % (name, x[1:]) for name, x in
               stock["results"].items() if x[0] == ("wrong" in name)]
    if stock["results"] and len(control) == len(stock["results"]):
        tap.ok(row.name + ": pam_unix lets nobody in", False, control)
    what = "%s: %s (pam_unix: %s)" % (row.name, times(ours), times(stock)) \
        if ours["results"] else row.name
    tap.ok(what + ("; pam_unix: " + ", ".join(control) if control else ""),
           not wrong, "\n".join(
        [*wrong, *map(str, ours["results"].items()), ours["log"]]))
    return None


def main(rows, jobs=2):
    """Runs the rows, or those that have one of the words in ROWS."""
    if sys.argv[1:2] == ["--row"]:
        inside(next(x for x in rows if x.name == sys.argv[2]), sys.argv[3])
    words = os.environ.get("ROWS", "").split()
    rows = [x for x in rows if any(word in x.name for word in words) or
            not words and (os.environ.get("CHECK") or not x.long)]
    with ThreadPoolExecutor(jobs) as pool:
        for row, (stock, ours) in zip(rows, pool.map(both, rows)):
            wrong = faults(row, stock, ours)
            # A busy machine: the least of three.
            for _ in range(2):
                if not only_late(wrong):
                    break
                stock, ours = both(row)
                wrong = faults(row, stock, ours)
            report(row, stock, ours, wrong)
    tap.done()
