# SPDX-License-Identifier: BSD-2-Clause
"""A call of libc fails, once, in the module or in lyra2d.

	failing.py ROOM ROOMS TRY LYRA2D WORK

The promises, whichever call it is:
  a wrong password does not let in;
  a correct one does, or there is no answer, within LIMIT seconds, and then the
  next module is not asked if a user can have caused it;
  no process, zombie or descriptor is left, and the service serves the next one;
  no copy of the password is left in the memory of a process that ends.

This process takes each ROOMSth case.  It is the first process of its namespace,
so that what is left of others becomes its child.
"""
import contextlib
import errno
import mmap
import os
import re
import struct
import subprocess
import sys
import time

import lyra2d
import tap
from processes import wait_for

room, rooms, program, daemon, work = (*map(int, sys.argv[1:3]), *sys.argv[3:])
ORDER = "/run/lyra2/order"
LIMIT = 15
RIGHT, WRONG = "secret-of-alice", "secret-of-nobody"
SUCCESS, AUTH_ERR, UNAVAIL = 0, 7, 9

with open(__file__.replace(".py", ".c")) as source:
    text = source.read()
FUNCTIONS = re.findall(r"\bF\((\w+), ", text) + [
    "vfork", "malloc", "calloc", "realloc"]
ERRORS = {
    "accept4": "EMFILE ECONNABORTED EINTR", "bind": "EADDRINUSE",
    "connect": "ECONNREFUSED EAGAIN EINTR", "crypt_rn": "ENOMEM", "fork": "EAGAIN",
    "vfork": "EAGAIN", "execve": "ENOMEM ENOENT", "flock": "EINTR ENOLCK",
    "malloc": "ENOMEM", "calloc": "ENOMEM", "realloc": "ENOMEM",
    "open": "EMFILE EACCES", "open64": "EMFILE EACCES", "poll": "EINTR ENOMEM",
    "recv": "EINTR ECONNRESET EAGAIN", "send": "ENOBUFS EPIPE EAGAIN",
    "sendto": "ENOBUFS", "socket": "EMFILE", "socketpair": "EMFILE",
    "syscall": "EAGAIN EINVAL", "waitpid": "EINTR ECHILD",
    "pwrite64": "ENOSPC", "pwrite": "ENOSPC"}
# What no user can cause: then the next module may be asked.
SYSTEM = {("execve", "ENOENT"), ("open", "EACCES"), ("open64", "EACCES")}
# What a user can cause in lyra2d: it takes most of what the system grants.
NO_MEMORY = ("crypt_rn", "ENOMEM")
HEAD = "=16s16s32siiii"


class Order:
    """The file that tells the library what fails."""

    def __init__(self):
        self.size = struct.calcsize(HEAD) + 4 * len(FUNCTIONS)
        with open(ORDER, "wb") as file:
            file.write(bytes(self.size))
        with open(ORDER, "r+b") as file:
            self.map = mmap.mmap(file.fileno(), self.size)

    def give(self, where, function="", nth=0, error=0, secret=""):
        hidden = bytes(x ^ 0x55 for x in secret.encode())
        self.map[:] = struct.pack(HEAD, where.encode(), function.encode(),
                                  hidden, nth, error, 0, 0) + \
            bytes(4 * len(FUNCTIONS))

    def state(self):
        """Whether it failed; what is left; the counts."""
        numbers = struct.unpack("=%di" % (2 + len(FUNCTIONS)),
                                self.map[struct.calcsize(HEAD) - 8:])
        return numbers[0], numbers[1], dict(zip(FUNCTIONS, numbers[2:]))


def processes(*states):
    """Processes of lyra2d's name and of the application's."""
    found = []
    for name in os.listdir("/proc"):
        try:
            with open("/proc/%s/stat" % name) as file:
                line = file.read()
        except (OSError, NotADirectoryError):
            continue
        word = line[line.index("(") + 1:line.rindex(")")]
        state = line.rpartition(") ")[2][0]
        if word in ("lyra2d", "try") and (not states or state in states):
            found.append((int(name), state))
    return found


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


class Service:
    """The public service, if there is one."""

    def __init__(self):
        self.run, self.idle = None, 0

    def start(self):
        self.run = subprocess.Popen([daemon], stderr=subprocess.PIPE,
                                    text=True, env={})
        wait_for(lambda: lyra2d.listens() or
                 self.run.poll() is not None, 10)
        wait_for(lambda: self.files() >= 5, 1)
        self.idle = self.files()
        return self.run.poll() is None

    def end(self):
        if self.run:
            self.run.terminate()
            self.run.communicate()
        self.run, self.idle = None, 0

    def files(self):
        if not self.run:
            return 0
        try:
            return len(os.listdir("/proc/%d/fd" % self.run.pid))
        except OSError:
            return -1

    def mine(self):
        return {self.run.pid} if self.run else set()


def login(password, who="user"):
    """The code, or a word.  The user has never failed before."""
    words = ["euid:1002"] if who == "user" else []
    with contextlib.suppress(FileNotFoundError):
        os.unlink("/run/lyra2/brake.1/1002")
    app = subprocess.Popen(
        [program, "/etc/pam.d", "std", "alice", *words, "auth"], text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, env=dict(os.environ, LD_BIND_NOW="1"))
    try:
        out = app.communicate(password + "\n", LIMIT)[0]
    except subprocess.TimeoutExpired:
        app.kill()
        app.communicate()
        return "no end in %d s" % LIMIT
    found = re.findall(r"auth=(\d+)", out)
    if not found:
        return "exit %d" % app.returncode
    code = int(found[-1])
    # libpam needs memory and files, too, and then may not come to the module.
    return code if code == 0 or "prompt: " in out else "no prompt: %d" % code


def judge(who, password, where, function, error, code):
    """What is wrong with this code, or nothing."""
    if code == SUCCESS:
        return "" if password == RIGHT else "WRONG PASSWORD LET IN"
    if isinstance(code, str) and "no end" in code:
        return code
    if password == RIGHT and code == AUTH_ERR:
        return "a correct password is called wrong"
    # Else no user has a part in what fails in lyra2d, whose limits are its own.
    if code == UNAVAIL and who == "user" and \
            (where == "try" or (function, error) == NO_MEMORY) and \
            (function, error) not in SYSTEM:
        return "the next module is asked"
    if code != UNAVAIL and who == "root" and (function, error) == NO_MEMORY \
            and where == "lyra2d":
        return "the next module is not asked, by root's program"
    return ""


def after(service):
    """What is left, in words."""
    said = ""
    others = lambda: [x for x in processes() if x[0] not in service.mine()]
    if not wait_for(lambda: reap() or not others(), 4):
        if others():
            said += "left: %s; " % others()
    if service.run and service.run.poll() is not None:
        said += "THE SERVICE HAS ENDED (%s); " % service.run.returncode
        service.run = None
        service.start()
    elif not wait_for(lambda: service.files() <= service.idle, 3):
        said += "%d files, not %d; " % (service.files(), service.idle)
    return said


def attempt(order, service, case):
    """What is wrong, in words."""
    who, password, where, function, nth, error = case
    order.give(where, function, nth, getattr(errno, error), password)
    begun = time.monotonic()
    code = login(password, who)
    took = time.monotonic() - begun
    failed, left, _ = order.state()
    order.give("nobody")
    said = judge(who, password, where, function, error, code)
    said += "; " if said else ""
    again = login(RIGHT)
    if again != SUCCESS:
        said += "the next one gets %s; " % again
    said += after(service)
    if left:
        said += "%d copies of the password; " % left
    if not failed:
        return None, said
    return took, said and "%s, %.1f s: %s" % (code, took, said)


# Which cases alone, such as "lyra2d send 1 "
ONE = os.environ.get("ONE", "")
ALL = os.environ.get("CHECK") in ("all", "long")


def numbers(function, count, last=False):
    """Which of so many calls fail: without ALL, each packet, and else the first
    or the last."""
    if ALL or (function in ("send", "recv", "connect") and not last):
        return range(1, min(count, 60) + 1)
    return [count if last else 1]


def cases(order, service, kind):
    for who, password in (("user", RIGHT), ("user", WRONG),
                          ("root", RIGHT))[:3 if ALL else 2]:
        for where in ("try", "lyra2d"):
            order.give(where, secret=password)
            code = login(password, who)
            wait_for(lambda: reap() or len(processes()) <=
                     len(service.mine()), 5)
            _, left, counts = order.state()
            tap.equal("%s, %s, %s, %s: no fault" % (kind, who, password, where),
                      (code, left), (SUCCESS if password == RIGHT else AUTH_ERR,
                                     0))
            for function, count in counts.items():
                errors = ERRORS.get(function, "EIO").split()
                last = password == WRONG
                for nth in numbers(function, count, last) if count else ():
                    for error in errors if ALL else errors[:1]:
                        yield who, password, where, function, nth, error


def logins(kind):
    service, order = Service(), Order()
    if kind == "public":
        service.start()
    done, bad, missed, slowest = 0, [], 0, 0
    mine = [x for i, x in enumerate(list(cases(order, service, kind)))
            if i % rooms == room and ONE in " ".join(map(str, x))]
    for case in mine:
        took, said = attempt(order, service, case)
        done += 1
        missed += took is None
        slowest = max(slowest, took or 0)
        if said:
            bad.append("%s %s %s: %s, call %d: %s: %s" % (*case, said))
    service.end()
    tap.ok("%s: %d calls failed, %d did not come; at most %.1f s" %
           (kind, done - missed, missed, slowest), not bad and
           missed < done / 2, "\n".join(bad))


def starts():
    """Calls of lyra2d that fail as it starts: it serves, or ends with a status
    that says so; users get in."""
    order, service = Order(), Service()
    order.give("lyra2d")
    service.start()
    _, _, counts = order.state()
    service.end()
    bad, todo = [], [
        (function, nth, ERRORS.get(function, "EIO").split()[0])
        for function, count in counts.items() if count
        for nth in numbers(function, count)]
    for function, nth, error in todo[room::rooms]:
        order.give("lyra2d", function, nth, getattr(errno, error))
        served = service.start()
        order.give("nobody")
        code = login(RIGHT)
        status = service.run.poll()
        if code != SUCCESS or (not served and not status):
            bad.append("%s, call %d: %s: %s %r %r" % (
                function, nth, error, code, served, status))
        service.end()
        bad += ["left: %r" % x for x in [after(service)] if x]
        if os.path.exists(lyra2d.SOCKET):
            os.unlink(lyra2d.SOCKET)
    tap.ok("start: %d calls fail" % len(todo[room::rooms]), not bad,
           "\n".join(bad))


with open("/etc/ld.so.preload", "w") as preload:
    preload.write(work + "/failing.so\n")
for one in (lambda: logins("public"), lambda: logins("private"), starts):
    try:
        one()
    except Exception as error:
        import traceback
        tap.ok("%r" % error, False, traceback.format_exc())
tap.done()
