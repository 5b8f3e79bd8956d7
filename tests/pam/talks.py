# SPDX-License-Identifier: BSD-2-Clause
"""The module with false services, and services with false modules.

	talks.py PID LOG TRY LYRA2D

PID is the service.  alice (1001) has the password "secret"; slow's hash takes
seconds.  The steps of each conversation are those of tests/lib/talk.py.

Each row of the first half has a /run/lyra2 of its own, and maybe an own lyra2d,
so all rows run at the same time.
"""
import contextlib
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

import lyra2d
import tap
from lyra2d import (ADMITTED, AGAIN, GOT, PROTOCOL, QUEUED, VERDICT, VERIFY,
                    WAIT, WORKING, header, secret)
from processes import wait_for
from talk import (Fake, Unexpected, die, expect, hello, listen, name, play,
                  private, repeat, reply, send, send_late, tell, verdict, wait)

pid, log, program, daemon = int(sys.argv[1]), *sys.argv[2:]
SUCCESS, AUTH_ERR, UNAVAIL, CRED_UNAVAIL = 0, 7, 9, 15
FOUND = 1 << 17		# a status of the account: all is well
USER = "euid:1001"
ASKED = expect("header", "secret")
OTHER = hello(PROTOCOL + 1)


def logged(room):
    """What this room's applications have logged."""
    with open(log, errors="replace") as file:
        return "".join(x for x in file if "%s:auth" % room.name in x)


# ---- the module ----
class Room:
    """A /run/lyra2, with what the module finds there."""

    count = 0

    def __init__(self, program_text=None):
        Room.count += 1
        self.name = "room%d" % Room.count     # of its PAM service, too
        self.path = "/run/" + self.name
        os.mkdir(self.path)
        shutil.copy("/etc/pam.d/std", "/etc/pam.d/" + self.name)
        self.mounts = 'mount --bind "$0" /run/lyra2; '
        if program_text:
            own = self.path + ".lyra2d"
            with open(own, "w") as file:
                file.write(program_text)
            os.chmod(own, 0o755)
            self.mounts += "mount --bind %s %s; " % (own, daemon)

    def asks(self, *calls, password="secret", user="alice"):
        """The last line of an application, and how long it took."""
        begun = time.monotonic()
        done = subprocess.run(
            ["unshare", "-m", "sh", "-ec", self.mounts + 'exec "$@"',
             self.path, program, "/etc/pam.d", self.name, user, *calls],
            input=password + "\n", text=True, capture_output=True, check=False)
        return (done.stdout.strip().split("\n")[-1],
                time.monotonic() - begun, done.stdout + done.stderr)


class Row(threading.Thread):
    """What root's program and a user's get, within so many seconds."""

    def __init__(self, what, root, user, public=None, alone=None, limit=3,
                 calls=("auth",), password="secret", uid=0, then=None):
        super().__init__()
        self.what, self.wanted, self.limit = what, (root, user), limit
        self.public, self.alone, self.calls = public, alone, calls
        self.password, self.uid, self.then = password, uid, then
        self.got, self.fake = [None, None], None
        self.start()

    def run(self):
        room = Room(self.alone and private(*self.alone))
        self.room = room

        def one(i, who):
            self.got[i] = room.asks(*who, *self.calls, password=self.password)
        both = [threading.Thread(target=one, args=x)
                for x in enumerate(((), (USER,)))]
        if self.public is not None:
            self.fake = Fake(*self.public, path=room.path + "/socket",
                             uid=self.uid)
            self.fake.__enter__()
        for thread in both:
            thread.start()
        for thread in both:
            thread.join()
        if self.fake:
            self.fake.__exit__()

    def judge(self, slack):
        self.join()
        unexpected = [x for x in (self.fake.said if self.fake else ())
                      if x.startswith("Unexpected")]
        for got, wanted, who in zip(self.got, self.wanted, ("root", "user")):
            what = "%s, %s: %d, in %.1f s" % (self.what, who, wanted, got[1])
            line = "%s=%d" % (self.calls[-1].split(":")[0], wanted)
            tap.ok(what, got[0] == line and got[1] < self.limit + slack and
                   not unexpected, (got, unexpected))
        if self.then:
            self.then(self)


def told_nothing(row):
    tap.equal("%s: it gets no packet" % row.what,
              {name for heard in row.fake.names() for name in heard} - {"end"},
              set())


def admitted(row):
    tap.equal("%s: it hears so" % row.what,
              [x[2:4] for x in row.fake.names()], [["got", "admitted"]] * 2)


def not_admitted(row):
    tap.equal("%s: nothing else comes" % row.what,
              {x for heard in row.fake.names() for x in heard[2:]},
              {"got", "end"})


def asked_once(row):
    tap.equal("%s: it is not asked twice" % row.what, len(row.fake.names()), 2)


def asked_for(*uids):
    """For whom root's program and the user's have asked."""
    def then(row):
        tap.equal("%s: the callers" % row.what, sorted(
            struct.unpack_from("=I", x, 16)[0] for heard in row.fake.heard
            for x in heard if name(x) == "header"), list(uids))
    return then


def says(text):
    def then(row):
        tap.ok("%s: the log says so" % row.what, wait_for(
            lambda: text in logged(row.room), 10), logged(row.room))
    return then


def never_says(text):
    def then(row):
        tap.ok("%s: not in the log" % row.what, text not in logged(row.room))
    return then


def user_reads(text):
    def then(row):
        tap.ok("%s: the user reads so" % row.what,
               all(text in got[2] for got in row.got), row.got)
    return then


YES, NO = reply(VERDICT, SUCCESS), reply(VERDICT, AUTH_ERR)
IN = (SUCCESS, SUCCESS)
GREET = send(hello())


def only_looks(*packets):
    """Tells each status, until the end; all else gets these packets, and is to
    be asked again."""
    def step(sock, heard):
        op = lyra2d.STATUS
        while op == lyra2d.STATUS:
            heard.append(sock.recv(4096))
            if name(heard[-1]) != "header":
                return
            op = struct.unpack_from("=I", heard[-1], 8)[0]
            send(*((reply(VERDICT, FOUND),) if op == lyra2d.STATUS else
                   (*packets, reply(AGAIN))))(sock, heard)
    return step


def module_rows():
    """The public service is false; the private one is lyra2d itself."""
    rows = [
        Row("no socket", *IN),
        Row("no socket, a wrong password", AUTH_ERR, AUTH_ERR,
            password="wrong"),
        Row("nobody's socket", *IN, public=(GREET, listen()), uid=1001,
            then=told_nothing),
        Row("a verdict", AUTH_ERR, AUTH_ERR,
            public=(GREET, ASKED, send(NO), listen()), then=not_admitted),
        Row("heartbeats of all kinds for 7 s", *IN, limit=10, public=(
            GREET, ASKED, repeat(reply(QUEUED, 3), 2),
            repeat(reply(WORKING), 5), send(YES), expect("got"), listen()),
            then=asked_once),
        Row("the user goes on", *IN, public=(
            GREET, ASKED, send(YES), listen()), calls=("auth", "setcred"),
            then=admitted),
        Row("credentials are given back, and an error", 4, 4, public=(
            GREET, ASKED, send(YES), listen()),
            calls=("auth", "setcred:d", "none"),
            then=not_admitted),
        Row("a child has ended the handle, and an error", 4, 4, public=(
            GREET, ASKED, send(YES), listen()),
            calls=("auth", "forked", "none"), then=not_admitted),
        Row("a text for the log", *IN, public=(
            GREET, ASKED, send(reply(VERDICT, SUCCESS, "odd line 17", 3)),
            listen()), then=says("odd line 17")),
        Row("a text of LOG_DEBUG", *IN, public=(
            GREET, ASKED, send(reply(VERDICT, SUCCESS, "odd line 18", 7)),
            listen()), then=never_says("odd line 18")),
        Row("one of another facility", *IN, public=(
            GREET, ASKED, send(reply(VERDICT, SUCCESS, "%s%n odd line 19",
                                     0x7ffffffb)), listen()),
            then=says("%s%n odd line 19")),
        Row("a wait of 30 s that is over soon", *IN, public=(
            GREET, ASKED, send(reply(WAIT, 30), YES), listen()),
            then=user_reads("please wait 30 seconds")),
        Row("a wait of 3 s", *IN, public=(
            GREET, ASKED, send(reply(WAIT, 3), YES), listen())),
        Row("waits without end", *IN, public=(
            GREET, ASKED, send(reply(WAIT, -1), reply(WAIT, 2**31 - 1), YES),
            listen())),
        Row("replies of unknown kinds", *IN, public=(
            GREET, ASKED, send(reply(77), reply(0), YES), listen())),
        Row("two verdicts", AUTH_ERR, AUTH_ERR, public=(
            GREET, ASKED, send(NO, YES), listen())),
        # libpam has no such code.
        Row("an odd code", 6, 6, public=(
            GREET, ASKED, send(reply(VERDICT, 1000)), listen())),
    ]
    # Daemons give there the name that a client sent.
    rows.append(Row("PAM_RUSER", *IN,
                    public=(GREET, ASKED, send(YES), listen()),
                    calls=("ruser:alice", "auth"), then=asked_for(0, 1001)))
    # What is no service of this system is left at once.
    rows += [Row("%s" % what, *IN, public=(send(packet), listen()),
                 then=told_nothing) for what, packet in (
        ("another protocol", OTHER), ("it, longer", OTHER + b"more"),
        ("no protocol", hello()[:4] + hello()[8:]), ("a cut hello",
                                                     hello()[:9]),
        ("not of ours", b"x" * 32), ("a long hello", b"x" * 4096),
        ("another /etc", hello(etc=os.stat("/"))))]
    # 5 s of silence or death, then a private service
    rows += [Row("%s, then a private service" % what, *IN, public=steps,
                 limit=9) for what, steps in (
        ("silent at once", (listen(),)),
        ("silent after hello", (GREET, listen())),
        ("silent after a heartbeat", (GREET, ASKED, send(reply(WORKING)),
                                      listen())),
        ("dies at once", (die(),)),
        ("dies after hello", (GREET, die())),
        ("dies after the header", (GREET, expect("header"), die())),
        ("dies after the password", (GREET, ASKED, die())),
        ("dies at work", (GREET, ASKED, send(reply(WORKING)), die())),
        ("always AGAIN", (GREET, ASKED, send(reply(AGAIN)), listen())),
        ("an odd reply", (GREET, ASKED, send(b"x" * 20), listen())),
        ("a long reply", (GREET, ASKED, send(b"x" * 4096), listen())),
        ("a cut verdict", (GREET, ASKED, send(YES[:12]), listen())),
        ("hello again", (GREET, ASKED, GREET, listen())))]
    rows.append(Row("silent, and five calls", *IN, public=(listen(),),
                    limit=7, calls=("says:secret", *["auth"] * 5)))
    # A new password that the service has not begun to store; a user whose new
    # one is the old one gets PAM_AUTHTOK_ERR.
    rows += [Row("root, a new password, %s" % what, SUCCESS, 20, limit=9,
                 public=(GREET, only_looks(*packets), listen()),
                 calls=("says:secret", "passwd")) for what, packets in (
        ("and AGAIN", ()),
        ("work, and AGAIN", (reply(WORKING),)))]
    # No private service either: a user may have caused that.
    refused = {"root": UNAVAIL, "user": CRED_UNAVAIL}
    rows += [Row("no service; a private one that %s" % what, **refused,
                 alone=steps, limit=limit, then=says(text))
             for what, steps, limit, text in (
        ("ends", ("die()",), 2, "cannot start"),
        ("is silent", ("listen()",), 7, "cannot start"),
        ("is another's", ("send(hello(PROTOCOL + 1))", "listen()"), 3,
         "different versions"),
        ("is odd", ("send(b'x' * 50)", "listen()"), 3, "different versions"),
        ("dies when asked", ("send(hello())", "expect('header')", "die()"), 3,
         "gave no answer"),
        ("hangs when asked", ("send(hello())", "listen()"), 8,
         "gave no answer"),
        ("ends when asked", (
            "send(hello())", "expect('header', 'secret')",
            "send(reply(AGAIN))", "listen()"), 3, "gave no answer"),
        ("speaks oddly", ("send(hello())", "expect('header', 'secret')",
                          "send(b'odd')", "listen()"), 3, "gave no answer"))]
    rows += [
        Row("a private one that lingers", *IN, limit=6, alone=(
            "send(hello())", "expect('header', 'secret')",
            "send(reply(VERDICT, 0))", "expect('got')", "wait(100)")),
        Row("a private one that rehashes", *IN, limit=6, alone=(
            "send(hello())", "expect('header', 'secret')",
            "send(reply(VERDICT, 0))", "expect('got')", "wait(1)", "die()")),
        Row("silent, and the private one, too", UNAVAIL, CRED_UNAVAIL,
            public=(listen(),), alone=("listen()",), limit=13),
    ]
    # On a busy machine each row starts later; these do nothing but that.
    control = [Row("a control", *IN) for _ in range(2)]
    for row in control:
        row.join()
    slack = 2 + 4 * max(got[1] for row in control for got in row.got)
    for row in rows:
        row.judge(slack)


def leaves_nothing():
    """But a false private service that ignores its end."""
    def others():
        done = subprocess.run(["pgrep", "-x", "lyra2d|try"], text=True,
                              capture_output=True, check=False)
        left = []
        for one in done.stdout.split():
            with contextlib.suppress(OSError):
                if one != str(pid) and "python" not in os.readlink(
                        "/proc/%s/exe" % one):
                    left.append(one)
        return left
    tap.ok("no process is left of all that", wait_for(
        lambda: not others(), 20), others())


# ---- the services ----
def public():
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    sock.connect(lyra2d.SOCKET)
    return sock, lambda: True


def alone():
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    run = subprocess.Popen([daemon, "--private"], stdin=theirs)
    theirs.close()

    def ends():
        try:
            return run.wait(20) == 0
        except subprocess.TimeoutExpired:
            return False
    return ours, ends


HEADER, SECRET = header(VERIFY, "alice"), secret("secret")
WRONG = secret("wrong")
SLOW = header(VERIFY, "slow")
GREETED = expect("hello")
CLOSED = expect("end")
ODD = (b"x", b"x" * 100, b"x" * 5000, HEADER[:-1], HEADER + b"x",
       header(99, "alice"), header(VERIFY, "x" * 5000), SECRET, tell(GOT),
       HEADER[:4] + struct.pack("=I", PROTOCOL - 1) + HEADER[8:],
       header(VERIFY, "al\0ice"))


def service_rows():
    odd = [("an odd packet %d" % i, (GREETED, send(packet), CLOSED))
           for i, packet in enumerate(ODD)]
    odd += [("an odd password %d" % i,
             (GREETED, send(HEADER, packet), CLOSED))
            for i, packet in enumerate((b"x", b"x" * 5000, SECRET + b"x",
                                        SECRET[:-1], HEADER, tell(ADMITTED)))]
    odd += [("an odd word %d" % i, (
        GREETED, send(HEADER, SECRET), verdict(SUCCESS), send(packet), CLOSED))
            for i, packet in enumerate((b"x", b"x" * 5000, tell(ADMITTED) +
                                        b"x", HEADER, SECRET))]
    odd += [
        ("all at once", (send(HEADER, SECRET), GREETED, verdict(SUCCESS))),
        ("a wrong one", (GREETED, send(HEADER, WRONG), verdict(AUTH_ERR))),
        ("one too long", (GREETED, send(HEADER, secret("x" * 512)),
                          verdict(AUTH_ERR))),
        ("one far too long", (GREETED, send(HEADER, secret("x" * 600)),
                              CLOSED)),
        ("an early word", (GREETED, send(HEADER, SECRET, tell(ADMITTED)),
                           verdict(SUCCESS))),
        ("a late word", (GREETED, send(HEADER, SECRET), verdict(SUCCESS),
                         wait(2.5), send_late(tell(ADMITTED)), CLOSED)),
        ("a word, twice", (GREETED, send(HEADER, SECRET), verdict(SUCCESS),
                           send(tell(ADMITTED)), send_late(tell(ADMITTED)),
                           CLOSED)),
        ("GOT, twice", (GREETED, send(HEADER, SECRET), verdict(SUCCESS),
                        send(tell(GOT)), send_late(tell(GOT)), die())),
        ("dies at once", (die(),)),
        ("dies after hello", (GREETED, die())),
        ("dies after the header", (GREETED, send(HEADER), die())),
        ("dies after the password", (GREETED, send(HEADER, SECRET), die())),
        ("dies at work", (GREETED, send(SLOW, SECRET), quiet_start, die())),
        ("dies after the verdict", (GREETED, send(HEADER, SECRET),
                                    verdict(SUCCESS), die())),
    ]
    return odd


def quiet_start(sock, heard):
    """WORKING comes."""
    while not heard or name(heard[-1]) != "working":
        heard.append(sock.recv(4096))


class Conversation(threading.Thread):
    def __init__(self, what, kind, steps):
        super().__init__()
        self.what, self.kind, self.steps = what, kind, steps
        self.error = None
        self.start()

    def run(self):
        sock, ends = self.kind()
        try:
            play(sock, *self.steps)
        except (OSError, Unexpected) as error:
            self.error = repr(error)
        sock.close()
        if not ends():
            self.error = "it does not end"


def modules():
    """Each row, with the public service and with a private one."""
    for kind in (public, alone):
        rows = [Conversation("%s, %s" % (kind.__name__, what), kind, steps)
                for what, steps in service_rows()]
        for row in rows:
            row.join()
            tap.equal(row.what, row.error, None)
        tap.ok("%s: all of it ends" % kind.__name__,
               wait_for(lambda: not children(pid)))
        client = lyra2d.Client()
        tap.equal("%s: the next one gets in" % kind.__name__,
                  client.ask(VERIFY, "alice", "secret"), SUCCESS)
        client.tell(ADMITTED)
        client.close()


def children(process):
    with open("/proc/%d/task/%d/children" % (process, process)) as file:
        return [int(word) for word in file.read().split()]


def beats(kind):
    """A slow hash: a packet comes at least every 2 s until the verdict."""
    def step(sock, heard):
        times = [time.monotonic()]
        while not heard or name(heard[-1]) not in ("verdict", "end"):
            heard.append(sock.recv(4096))
            times.append(time.monotonic())
        longest = max(b - a for a, b in zip(times, times[1:]))
        tap.ok("%s: %.1f s of a slow hash, at most %.1f s of silence" %
               (kind.__name__, times[-1] - times[0], longest), longest < 3 and
               name(heard[-1]) == "verdict" and times[-1] - times[0] > 1)
    sock, ends = kind()
    play(sock, GREETED, send(SLOW, SECRET), step)
    sock.close()
    tap.ok("%s: then it ends" % kind.__name__, ends())


def stopped_worker(kind):
    """The service beats for a worker that is stopped; a killed one is over."""
    wait_for(lambda: not children(pid))
    sock, ends = kind()
    service = wait_for(lambda: [pid] if kind is public else
                       newest_private())[0]

    def stop(_, __):
        worker = wait_for(lambda: children(service))[0]
        os.kill(worker, signal.SIGSTOP)
        stop.worker = worker

    def beat(sock, heard):
        for _ in range(3):
            heard.append(sock.recv(4096))
        tap.equal("%s: heartbeats for a stopped worker" % kind.__name__,
                  {name(x) for x in heard[-3:]}, {"working"})
        os.kill(stop.worker, signal.SIGKILL)
    tap.equal("%s: a killed worker, and its connection ends" % kind.__name__,
              play(sock, GREETED, send(SLOW, SECRET), quiet_start, stop, beat,
                   CLOSED)[-1], "end")
    tap.ok("%s: and so does it" % kind.__name__, ends())


def newest_private():
    done = subprocess.run(["pgrep", "-n", "-f", "lyra2d --private"], text=True,
                          capture_output=True, check=False)
    return [int(word) for word in done.stdout.split()]


def services():
    modules()
    both = [threading.Thread(target=lambda kind=kind: (
        beats(kind), stopped_worker(kind))) for kind in (public, alone)]
    for one in both:
        one.start()
    for one in both:
        one.join()


tap.run((services, module_rows, leaves_nothing))
