# SPDX-License-Identifier: BSD-2-Clause
"""The module without lyra2d, or with a false one; and "lyra2d --once".

	link.py PID LOG PROGRAMS LYRA2D PRELOAD

PID is the service.  PROGRAMS is the directory of try and threads.  PRELOAD is
that of fast.so, which makes a program's clock fast, and of stuck.so, with which
a program cannot start another.  alice and root have the password "secret".
"""
import contextlib
import fcntl
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

import lyra2d
import tap
from processes import wait_for

pid, log, programs, daemon, preload = (int(sys.argv[1]), *sys.argv[2:])
USER = "euid:1001"
LOCKS = ("/run/lyra2/once", "/run/lyra2/once-users")
OTHER = lyra2d.PROTOCOL + 1


def start(*calls, user="alice", service="std", libraries=(), **how):
    """Starts an application, which asks at once."""
    environment = dict(os.environ, LD_PRELOAD=" ".join(
        "%s/%s.so" % (preload, name) for name in libraries))
    return subprocess.Popen(
        [programs + "/try", "/etc/pam.d", service, user, *calls], text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, **how)


def result(app, password="secret"):
    """The last line that the application prints."""
    with contextlib.suppress(BrokenPipeError):
        app.stdin.write(password + "\n")
        app.stdin.close()
    out = app.stdout.read()
    app.wait()
    return out.strip().split("\n")[-1]


def asks(*calls, password="secret", **how):
    return result(start(*calls, **how), password)


def equal_soon(what, function, wanted, limit=4):
    begun = time.monotonic()
    got = function()
    took = time.monotonic() - begun
    tap.ok("%s, in %.1f s" % (what, took), got == wanted and took < limit,
           "got:    %r\nwanted: %r" % (got, wanted))


def logged(text):
    with open(log, errors="replace") as file:
        return text in file.read()


def hello(number=None, etc=None):
    etc = etc or os.stat("/etc")
    number = lyra2d.PROTOCOL if number is None else number
    return struct.pack("=IIQQII", lyra2d.MAGIC, number, etc.st_dev, etc.st_ino,
                       6, 511)


def reply(kind, number=0):
    return struct.pack("=IIiI", lyra2d.MAGIC, kind, number, 0)


class Fake:
    """A false service: sends packets, and stores those that it receives."""

    def __init__(self, *packets, after=(), uid=0, backlog=64):
        self.packets, self.after, self.got = packets, after, []
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        os.makedirs("/run/lyra2", exist_ok=True)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(lyra2d.SOCKET)
        self.sock.bind(lyra2d.SOCKET)
        os.chmod(lyra2d.SOCKET, 0o666)
        os.seteuid(uid)     # the kernel stores the listener's user ID
        self.sock.listen(backlog)
        os.seteuid(0)

    def serve(self, sock):
        with contextlib.suppress(OSError):
            for packet in self.packets:
                sock.send(packet)
            while True:
                if self.after and len(self.got) >= 2:
                    for packet in self.after[:-1]:
                        sock.send(packet)
                    while self.after[-1]:   # repeats the last packets for ever
                        sock.send(self.after[-1])
                        time.sleep(0.5)
                data = sock.recv(4096)
                if not data:
                    return
                self.got.append(data)

    def accept(self):
        while True:
            try:
                sock = self.sock.accept()[0]
            except OSError:
                return
            threading.Thread(target=self.serve, args=(sock,),
                             daemon=True).start()

    def __enter__(self):
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)
        self.sock.close()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(lyra2d.SOCKET)


def end_service():
    os.kill(pid, signal.SIGTERM)
    wait_for(lambda: not os.path.exists(lyra2d.SOCKET))


# ---- a service of another version ----
def kept():
    """Programs ask once before the prompt; then another service replaces the
    first."""
    apps = [start(*calls, "auth", service="null")
            for calls in ((), (USER,))]
    for app in apps:
        app.stdout.readline()
    end_service()
    with Fake(hello(OTHER)) as fake:
        for app in apps:
            equal_soon("it is another version's since the prompt",
                       lambda: result(app), "auth=0")
        tap.equal("which is told nothing", fake.got, [])


def versions():
    for what, packet in (
            ("another number", hello(OTHER)), ("none", hello()[:4] +
             hello()[8:]), ("a longer hello of another number",
             hello(OTHER) + b"more"), ("a hello that is cut", hello()[:9]),
            ("not of ours", b"x" * 32), ("too long", b"x" * 4096),
            ("another /etc", hello(etc=os.stat("/")))):
        with Fake(packet) as fake:
            for calls in ((), (USER,)):
                equal_soon("%s: no service, %s" % (what, calls),
                           lambda: asks(*calls, "auth"), "auth=0")
            tap.equal("%s: told nothing" % what, fake.got, [])
    with in_place_of_lyra2d("""
import os, socket
socket.socket(fileno=0).send(bytes.fromhex("%s"))
""" % hello(OTHER).hex()), Fake(hello(OTHER)):
        equal_soon("nor is there another lyra2d", lambda: asks("auth"),
                   "auth=9")
        equal_soon("nor is there, for users", lambda: asks(USER, "auth"),
                   "auth=15")
    tap.ok("the log says why", wait_for(
        lambda: logged("different versions")))


@contextlib.contextmanager
def in_place_of_lyra2d(script):
    os.rename(daemon, daemon + ".aside")
    with open(daemon, "w") as file:
        file.write("#!/usr/bin/python3 -IS\n" + script)
    os.chmod(daemon, 0o755)
    yield
    os.rename(daemon + ".aside", daemon)


# ---- no service ----
def refused():
    Fake().sock.close()
    for what in "a socket where nobody listens", "no socket":
        for calls in ((), (USER,)):
            equal_soon("%s, %s" % (what, calls),
                       lambda: asks(*calls, "auth"), "auth=0")
        equal_soon(what + ", a wrong password", lambda: asks(
            USER, "auth", password="wrong"), "auth=7")
        with contextlib.suppress(FileNotFoundError):
            os.unlink(lyra2d.SOCKET)


def of_a_user():
    with Fake(hello(), uid=1001) as fake:
        for calls in ((), (USER,)):
            equal_soon("a user's socket is none, %s" % (calls,),
                       lambda: asks(*calls, "auth"), "auth=0")
        tap.equal("and gets no password", fake.got, [])


def directory():
    for mask in (0o077, 0o022, 0):
        for name in os.listdir("/run/lyra2"):
            os.unlink("/run/lyra2/" + name)
        os.rmdir("/run/lyra2")
        asks("auth", umask=mask)
        tap.equal("/run/lyra2, umask %03o" % mask,
                  oct(os.stat("/run/lyra2").st_mode), "0o40755")
    os.chmod("/run/lyra2", 0o700)
    asks("auth")
    tap.equal("and if it was there", oct(os.stat("/run/lyra2").st_mode),
              "0o40755")


# ---- waits ----
def limits():
    """Each wait of the module ends; tests/unit/module.c tests all other
    limits."""
    if not os.path.exists(preload + "/fast.so"):
        return tap.skip("waits", "no compiler")
    queued, working = reply(lyra2d.QUEUED, 1), reply(lyra2d.WORKING)
    for what, fake, root, user in (
            ("nobody accepts", None, 0, 15),
            ("it hangs at work", ((hello(),), (queued, working, None)), 0,
             15)):
        service = Fake(*fake[0], after=fake[1] if fake[1:] else ()) \
            if fake else Fake(backlog=0)
        held = []
        with service if fake else contextlib.closing(service.sock):
            while not fake:
                held.append(socket.socket(socket.AF_UNIX,
                                          socket.SOCK_SEQPACKET))
                held[-1].setblocking(False)
                try:
                    held[-1].connect(lyra2d.SOCKET)
                except BlockingIOError:
                    break
            apps = [start(*calls, "auth", libraries=["fast"])
                    for calls in ((), (USER,))]
            for app in apps:
                app.stdin.write("secret\n")
                app.stdin.flush()
            stop = threading.Timer(60, lambda some=apps:
                                   [app.kill() for app in some])
            stop.start()
            for app, wanted in zip(apps, (root, user)):
                equal_soon(what, lambda: result(app), "auth=%d" % wanted, 60)
            stop.cancel()
        for sock in held:
            sock.close()
    for calls, code in (((), 9), ((USER,), 15)):
        equal_soon("lyra2d cannot be started", lambda: asks(
            *calls, "auth", libraries=["fast", "stuck"]), "auth=%d" % code)
    tap.ok("nothing is left of that", wait_for(lambda: subprocess.run(
        ["pgrep", "-x", "try"], check=False,
        stdout=subprocess.DEVNULL).returncode))
    return None


# ---- "lyra2d --once" ----
@contextlib.contextmanager
def held(*paths):
    files = [open(path, "w") for path in paths]
    for file in files:
        fcntl.lockf(file, fcntl.LOCK_EX)
    yield
    for file in files:
        file.close()


def locks():
    """Which process waits for which lock; each waits for 10 seconds."""
    cases = (("a user", [USER], "alice"),
             ("a user's sudo", ["ruser:alice"], "alice"),
             ("root's program", [], "alice"),
             ("root's program, for root", [], "root"),
             ("a user, for root", [USER], "root"))
    for holds, wanted in ((LOCKS[:1], (0, 0, 15, 0, 0)),
                          (LOCKS[1:], (15, 15, 0, 0, 15))):
        with held(*holds):
            apps = [start(*calls, "auth", user=user)
                    for _, calls, user in cases]
            for app in apps:
                app.stdin.write("secret\n")
                app.stdin.flush()
            for app, case, code in zip(apps, cases, wanted):
                tap.equal("%s, held: %s" % (case[0], " ".join(holds)),
                          result(app), "auth=%d" % code)
    tap.ok("no failure is counted", not logged("authentication failure; "
                                               "logname= uid=0 euid=0 tty= "
                                               "ruser=alice"))


def inherited():
    """The application has open files with all numbers."""
    marker = os.open("/etc/passwd", os.O_RDONLY)
    numbers = (7, 10, 251)
    for number in numbers:
        os.dup2(marker, number, inheritable=True)
    with in_place_of_lyra2d("""
import os
with open("/run/fds", "w") as out:
    for fd in os.listdir("/proc/self/fd"):
        try:
            out.write(os.readlink("/proc/self/fd/" + fd) + "\\n")
        except OSError:
            pass
"""):
        asks("auth", close_fds=False)
    with open("/run/fds") as file:
        links = file.read().split("\n")
    tap.ok("it gets no file of the application", links and not
           [link for link in links if link.startswith(("/etc", "pipe:"))],
           links)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    child = subprocess.Popen([daemon, "--once"], stdin=theirs, close_fds=False)
    ours.recv(4096)
    fds = "/proc/%d/fd/" % child.pid
    links = [os.readlink(fds + fd) for fd in os.listdir(fds)]
    tap.ok("nor does it keep one", "/etc/passwd" not in links, links)
    for number in numbers:
        os.close(number)
    ours.close()
    child.wait()


def children():
    for how in ("wait", "waitpid", "ignore", "nocldwait", "signalfd"):
        out = start("minds:" + how, "auth", "children")
        text = out.communicate("secret\n")[0]
        tap.equal("the application notices no child: " + how,
                  text.strip().split("\n")[-2:], ["auth=0", "children=0"])
    results = [subprocess.run(
        [programs + "/threads", "/etc/pam.d", "std", "alice", "secret"],
        capture_output=True, text=True, check=False).stdout.strip()
        for _ in range(20)]
    tap.equal("threads: 20 times, with the handler kept", results,
              ["0 0 strangers=0 kept"] * 20)
    tap.ok("none is left", wait_for(lambda: subprocess.run(
        ["pgrep", "-x", "lyra2d"], check=False,
        stdout=subprocess.DEVNULL).returncode))


for scenario in (kept, versions, refused, of_a_user, directory, limits, locks,
                 inherited, children):
    begun_at = time.monotonic()
    try:
        scenario()
    except Exception as error:
        tap.ok("%s: %r" % (scenario.__name__, error), False)
        import traceback
        traceback.print_exc()
    print("# %s: %.0f s" % (scenario.__name__, time.monotonic() - begun_at))
tap.done()
