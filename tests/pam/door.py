# SPDX-License-Identifier: BSD-2-Clause
"""The open door: any user may connect, and ask about the own account.

	door.py PID TRY LYRA2D

PID is lyra2d.  Users alice (1001), bob (1002), mallory (1003) and root have the
password "secret"; blank (1004) has none.  1999 has no line in /etc/passwd.
"""
import contextlib
import os
import pwd
import resource
import signal
import socket
import struct
import subprocess
import sys
import time

import lyra2d
import tap
from lyra2d import Client, VERIFY, STATUS, SET, root_login
from processes import as_user, wait_for

pid, program, daemon = int(sys.argv[1]), *sys.argv[2:]
SUCCESS, AUTH_ERR, UNAVAIL = 0, 7, 9
ALICE, BOB, MALLORY, BLANK, NOBODY = 1001, 1002, 1003, 1004, 1999
CHKPWD = daemon.replace("lyra2d", "lyra2_chkpwd")
TURNED_AWAY = (0, 0, 0, 0)
OF_ONE_USER = 16


def asks(op, user, password="secret", new="new"):
    return lambda: Client().ask(op, user, password, new)


def greeting():
    """hello of this system."""
    etc = os.stat("/etc")
    return etc.st_dev, etc.st_ino, 6, 511


def status(user):
    def ask():
        client = Client()
        client.hello()
        return client.status(user)
    return ask


def tries(uid, *calls, user="alice", password="secret", service="std",
          prefix=()):
    """The code that a program of that user gets from PAM, and the seconds."""
    begun = time.monotonic()
    done = subprocess.run([*prefix, program, "/etc/pam.d", service, user,
                           "nodelay", "uid:%d" % uid, *calls],
                          input=password + "\n", text=True,
                          capture_output=True, check=False)
    return done.stdout.strip().split("\n")[-1], time.monotonic() - begun


def forgive():
    """Mallory's failures are forgotten, so that no brake holds answers."""
    with contextlib.suppress(FileNotFoundError):
        for uid in os.listdir("/run/lyra2/brake.1"):
            os.unlink("/run/lyra2/brake.1/" + uid)


def descriptors():
    """What the files are that lyra2d has open."""
    folder, files = "/proc/%d/fd/" % pid, []
    for fd in os.listdir(folder):
        with contextlib.suppress(FileNotFoundError):    # it was closed
            files.append(os.readlink(folder + fd))
    return files


def workers():
    with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
        return file.read().split()


# ---- who may ask for what ----
def rights():
    tap.equal("each user can connect", os.stat(lyra2d.SOCKET).st_mode & 0o777,
              0o666)
    tap.equal("the own account: right, wrong, status", (
        as_user(ALICE, asks(VERIFY, "alice")),
        as_user(BOB, asks(VERIFY, "bob", "wrong")),
        as_user(BLANK, status("blank"))),
              (SUCCESS, AUTH_ERR, (SUCCESS, SUCCESS, True)))
    tap.equal("another's: password, status, a new one", [
        as_user(MALLORY, ask) for name in ("alice", "root", "nobody-here")
        for ask in (asks(VERIFY, name), status(name), asks(SET, name))],
              [UNAVAIL] * 9)
    tap.equal("no new one for the own account either",
              as_user(MALLORY, asks(SET, "mallory")), UNAVAIL)
    tap.equal("an account that another caller is named for", as_user(
        MALLORY, lambda: Client().ask(VERIFY, "alice", "secret", caller=0,
                                      tty="/dev/tty1")), UNAVAIL)
    tap.equal("without a line in /etc/passwd: turned away",
              as_user(NOBODY, lambda: Client().hello()), TURNED_AWAY)
    with open("/etc/passwd", "a") as file:
        file.write("late:x:1999:100::/:/bin/sh\n")
    tap.equal("with one: greeted", as_user(NOBODY, lambda: Client().hello()),
              greeting())
    with open("/etc/passwd") as file:
        lines = [x for x in file if not x.startswith("late:")]
    with open("/etc/passwd.new", "w") as file:
        file.writelines(lines)
    os.rename("/etc/passwd.new", "/etc/passwd")
    tap.equal("and without it again: turned away",
              as_user(NOBODY, lambda: Client().hello()), TURNED_AWAY)


def programs():
    """What a screen locker and others without privilege get from PAM."""
    forgive()
    os.rename(CHKPWD, CHKPWD + ".away")
    for what, prefix in ("", ()), (", no_new_privs",
                                   ("setpriv", "--no-new-privs")):
        got, took = tries(ALICE, "auth", prefix=prefix)
        tap.ok("no helper%s: the own account, in %.1f s" % (what, took),
               got == "auth=0", got)
    tap.equal("wrong, too long, another's", [
        tries(ALICE, "auth", password=password, user=user)[0]
        for password, user in (("wrong", "alice"), ("x" * 600, "alice"),
                               ("secret", "bob"))],
              ["auth=7", "auth=7", "auth=9"])
    tap.equal("blank: without nullok, with it, and before pam_unix", [
        tries(BLANK, "auth", service=service, user="blank", password="")[0]
        for service in ("std", "null", "next")],
              ["auth=7", "auth=0", "auth=0"])
    got, took = tries(NOBODY, "auth", user="nobody-here")
    tap.ok("a user of another name service: the next module, in %.1f s" % took,
           got == "auth=9" and tap.within(took, 3), (got, took))
    os.rename(CHKPWD + ".away", CHKPWD)


# ---- descriptors ----
def send_descriptor(sock, fd):
    try:
        sock.sendmsg([lyra2d.header(VERIFY, "mallory")], [
            (socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("i", fd))])
    except OSError as error:
        return error.strerror
    return "sent"


def refuses_descriptors():
    def before():
        """Before accept(2), as lyra2d is stopped."""
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        sock.connect(lyra2d.SOCKET)
        return send_descriptor(sock, 0)

    def after():
        client = Client()
        client.hello()
        return send_descriptor(client.sock, 0)
    os.kill(pid, signal.SIGSTOP)
    said = as_user(MALLORY, before)
    os.kill(pid, signal.SIGCONT)
    tap.equal("a packet with a descriptor: before accept, after it",
              [said, as_user(MALLORY, after)],
              ["Operation not permitted"] * 2)


# ---- many connections ----
def limits():
    def greeted(count):
        clients = [Client() for _ in range(count)]
        return sum(bool(x.hello()) for x in clients)

    def busy(seconds=0, ready=None):
        """All of a user's connections wait for a hash: one more is closed."""
        clients = [Client() for _ in range(OF_ONE_USER)]
        for client in clients:
            client.hello()
            client.header(VERIFY, "slow")
            client.secret("wrong")
        for client in clients:
            client.reply()
        if ready:
            os.write(ready, b".")
        time.sleep(seconds)
        return Client().hello()
    tap.equal("the silent ones of a user make room for newer ones",
              as_user(MALLORY, lambda: greeted(300)), 300)

    def left(clients):
        time.sleep(0.3)
        alive = 0
        for client in clients:
            client.sock.setblocking(False)
            try:
                alive += client.sock.recv(1) != b""
            except BlockingIOError:
                alive += 1
        return alive

    def kept():
        clients = [Client() for _ in range(40)]
        for client in clients:
            client.hello()
        return left(clients)
    tap.equal("of 40 a user keeps", as_user(MALLORY, kept), OF_ONE_USER)

    def holds():
        clients = [Client() for _ in range(OF_ONE_USER)]
        for client in clients:
            client.hello()
        os.write(ready[1], b".")
        time.sleep(60)
    ready = os.pipe()
    child = as_mallory(holds)
    os.close(ready[1])
    os.read(ready[0], 1)
    tap.equal("meanwhile another user is greeted",
              as_user(BOB, lambda: Client().hello()), greeting())
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    def crowd():
        """Of 120 users with 16 each: how many are greeted, how many are left,
        and whether root is greeted then."""
        resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
        kept, greeted = [], 0
        for uid in range(2000, 2120):
            os.seteuid(uid)
            for _ in range(OF_ONE_USER):
                kept.append(Client())
                greeted += kept[-1].hello() is not None
            os.seteuid(0)
        return greeted, left(kept), bool(Client().hello())
    tap.equal("256 places are for others than users, whose newest stay",
              as_user(0, crowd), (120 * OF_ONE_USER, 2048 - 256, True))
    tap.equal("where all 16 wait for a hash, the next is closed",
              as_user(1005, busy), None)
    forgive()
    wait_for(lambda: not workers())
    ready = os.pipe()
    child = as_mallory(lambda: busy(2, ready[1]), 1005)
    os.close(ready[1])
    tap.equal("another program of that user has all 16", os.read(ready[0], 1),
              b".")
    got, took = tries(1005, "auth", user="slow")
    os.waitpid(child, 0)
    tap.ok("but asks again, and hears of a wrong password, in %.1f s" % took,
           got == "auth=7", got)


def account():
    """A program of a user's own checks the account, as a screen locker does."""
    with open("/etc/pam.d/std") as std:
        module = std.read().split()[2]
    said = []
    for line in ("", "account [success=1 default=ignore] %s\n" % module):
        with open("/etc/pam.d/dates", "w") as file:
            file.write(line + "account required pam_unix.so\n"
                       "account required pam_permit.so\n")
        said.append(subprocess.run(
            [program, "/etc/pam.d", "dates", "soon",
             "uid:%d" % pwd.getpwnam("soon").pw_uid, "account"], text=True,
            capture_output=True, check=False).stdout)
    if "expire" not in said[0]:
        return tap.skip("a password that expires soon", "pam_unix says " +
                        said[0])
    tap.equal("a password that expires soon: pam_unix says so", said[1],
              said[0])
    return None


def replaced():
    """lyra2d ends while a locker's answer is held, for longer than 5 s; its
    successor comes when an init system starts it."""
    forgive()
    for _ in range(4):
        tries(MALLORY, "auth", user="mallory", password="wrong")
    locker = subprocess.Popen(
        [program, "/etc/pam.d", "std", "mallory", "uid:%d" % MALLORY, "auth"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    locker.stdin.write("secret\n")
    locker.stdin.flush()
    time.sleep(6)       # of 8
    tap.equal("its answer waits for longer than 6 s", locker.poll(), None)
    os.kill(pid, signal.SIGTERM)
    wait_for(lambda: not os.path.exists(lyra2d.SOCKET))
    time.sleep(5.5)
    with subprocess.Popen([daemon]) as successor:
        said = locker.communicate()[0]
        tap.ok("lyra2d is replaced while a locker waits",
               said.endswith("auth=0\n"), said)
        successor.terminate()
    said, took = tries(MALLORY, "auth", user="mallory", password="secret")
    tap.equal("then it is not there", said, "auth=9")
    tap.ok("at once", tap.within(took, 4), took)


# ---- hostile users ----
def packets():
    """As large as the kernel lets through, and never read."""
    while True:
        with contextlib.suppress(OSError):
            client = Client()
            client.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 << 20)
            client.sock.setblocking(False)
            for size in (4 << 20, 200000, 65536, 1):
                for _ in range(50):
                    with contextlib.suppress(OSError):
                        client.sock.send(bytes(size))


def storm():
    """Connections that end at once, some with a packet."""
    while True:
        with contextlib.suppress(OSError):
            sock = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            sock.connect(lyra2d.SOCKET)
            sock.send(lyra2d.header(STATUS, "mallory"))
            sock.close()


def half_open():
    """Headers without a password, as many as it has descriptors for."""
    kept = []
    while True:
        with contextlib.suppress(OSError):
            client = Client()
            client.header(VERIFY, "mallory")
            kept.append(client)
            if len(kept) > 900:
                del kept[:100]


def questions():
    while True:
        with contextlib.suppress(OSError):
            client = Client()
            client.hello()
            for _ in range(1000):
                client.header(STATUS, "mallory")


def guesses():
    while True:
        with contextlib.suppress(OSError, TypeError):
            Client(timeout=1).ask(VERIFY, "mallory", "wrong")


def backlog():
    """Connects without a wait, so that the backlog of the listener is full."""
    kept = []
    while True:
        with contextlib.suppress(OSError):
            sock = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            sock.setblocking(False)
            kept.append(sock)
            sock.connect(lyra2d.SOCKET)
        if len(kept) > 1000:
            kept.clear()


def at_close():
    """Ends with all that the socket takes unread."""
    while True:
        with contextlib.suppress(OSError):
            client = Client()
            client.sock.setblocking(False)
            while True:
                client.header(STATUS, "mallory")


def subordinate():
    """User IDs of a range of /etc/subuid, which have no account."""
    while True:
        for uid in range(100000, 100050):
            os.seteuid(uid)
            with contextlib.suppress(OSError):
                Client().hello()
            os.seteuid(0)


def bursts():
    """All at once, by a UID without an account, where there are many users."""
    with open("/etc/passwd", "a") as file:
        for uid in range(100000):
            file.write("m%d:x:%d:100::/:/bin/sh\n" % (uid, 200000 + uid))

    def burst():
        for _ in range(4096):
            with contextlib.suppress(OSError):
                sock = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                sock.setblocking(False)
                sock.connect(lyra2d.SOCKET)
                sock.close()
    as_user(NOBODY, burst)
    begun = time.monotonic()
    tap.equal("4,096 connections with 100,000 users: root gets in",
              root_login(), SUCCESS)
    got, _ = tries(ALICE, "auth")
    took = time.monotonic() - begun
    tap.ok("and another user, in %.1f s" % took,
           got == "auth=0" and tap.within(took, 5), got)


def as_mallory(function, uid=MALLORY):
    child = os.fork()
    if child == 0:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024))
            os.setgroups([])
            if uid:
                os.setresgid(100, 100, 100)
                os.setresuid(uid, uid, uid)
            function()
        finally:
            os._exit(1)
    return child


def soon(took, children):
    """Whether that is within 5 s; where it is not, the attackers stop while
    this looks what others on the machine leave."""
    if took < 5:
        return True
    for child in children:
        os.kill(child, signal.SIGSTOP)
    answer = tap.within(took, 5)
    for child in children:
        os.kill(child, signal.SIGCONT)
    return answer


def hostile():
    for attack, uid in ((packets, MALLORY), (storm, MALLORY),
                        (half_open, MALLORY), (questions, MALLORY),
                        (guesses, MALLORY), (backlog, MALLORY),
                        (at_close, MALLORY), (subordinate, 0)):
        before = len(descriptors())
        children = [as_mallory(attack, uid) for _ in range(4)]
        time.sleep(0.5)
        root, others = [], []
        for _ in range(3):
            forgive()
            begun = time.monotonic()
            verdict = root_login()
            took = time.monotonic() - begun
            root.append((took, verdict, soon(took, children)))
            got, took = tries(ALICE, "auth")
            others.append((took, got, soon(took, children)))
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        name = attack.__name__
        for who, wanted, got in (("root", SUCCESS, root),
                                 ("another user", "auth=0", others)):
            tap.ok("%s: %s gets in, in %.1f s at most" % (
                name, who, max(got)[0]),
                   all(x[1:] == (wanted, True) for x in got), got)
        begun = time.monotonic()
        # The last of the backlog come and go.
        over = wait_for(lambda: len(descriptors()) <= before and
                        not time.sleep(1) and len(descriptors()) <= before)
        tap.ok("%s: nothing is left after %.1f s" % (
            name, time.monotonic() - begun), over, (before, descriptors()))
    tap.equal("lyra2d is the same", root_login(), SUCCESS)


if not lyra2d.door_is_open():
    print("1..0 # SKIP this kernel cannot refuse descriptors: Linux 6.16 can")
    sys.exit(0)
tap.run((rights, programs, account, refuses_descriptors, limits, hostile,
         bursts, replaced))
