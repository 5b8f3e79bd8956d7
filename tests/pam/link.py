# SPDX-License-Identifier: BSD-2-Clause
"""The module's link to a service over the calls of an application, and private
services within one call.

	link.py PID LOG PROGRAMS LYRA2D PRELOAD CONF

PID is the service.  PROGRAMS is the directory of try and threads.  PRELOAD is
that of fast.so, which makes a program's clock fast, and of stuck.so, with which
a program cannot start another.  alice and root have the password "secret";
slow's hash takes seconds.  talks.py has the conversations.
"""
import contextlib
import ctypes
import fcntl
import glob
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

import lyra2d
import tap
from lyra2d import PROTOCOL, QUEUED, WORKING
from processes import wait_for
from talk import Fake, expect, hello, listen, private, repeat, reply, send

pid, log, programs, daemon, preload, conf = (int(sys.argv[1]), *sys.argv[2:])
USER = "euid:1001"
PR_SET_CHILD_SUBREAPER = 36


def start(*calls, user="alice", service="std", libraries=(), **how):
    """Starts an application, which asks at once."""
    environment = dict(os.environ, LD_PRELOAD=" ".join(
        "%s/%s.so" % (preload, name) for name in libraries))
    return subprocess.Popen(
        [programs + "/try", "/etc/pam.d", service, user, *calls], text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, **how)


def types(app, password="secret"):
    app.stdin.write(password + "\n")
    app.stdin.flush()
    return app


def result(app, password="secret"):
    """The last line that the application prints."""
    with contextlib.suppress(BrokenPipeError):
        types(app, password)
        app.stdin.close()
    out = app.stdout.read()
    app.wait()
    return out.strip().split("\n")[-1]


def asks(*calls, password="secret", **how):
    return result(start(*calls, **how), password)


def logged(text):
    with open(log, errors="replace") as file:
        return text in file.read()


def stored(user):
    with open("/etc/shadow") as file:
        return next(line.split(":")[1] for line in file
                    if line.startswith(user + ":"))


def pgrep(name):
    done = subprocess.run(["pgrep", "-r", "D,R,S,T,t", "-x", name], text=True,
                          stdout=subprocess.PIPE, check=False)
    return [int(word) for word in done.stdout.split()]


def children(process):
    try:
        with open("/proc/%d/task/%d/children" % (process, process)) as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


# ---- over several calls ----
def kept():
    """Programs ask once before the prompt; then another service replaces the
    first."""
    apps = [start(*calls, "auth", service="null")
            for calls in ((), (USER,))]
    for app in apps:
        app.stdout.readline()
    os.kill(pid, signal.SIGTERM)
    wait_for(lambda: not os.path.exists(lyra2d.SOCKET))
    with Fake(send(hello(PROTOCOL + 1)), listen()) as fake:
        for app in apps:
            tap.equal("it is another version's since the prompt", result(app),
                      "auth=0")
        tap.equal("which is told nothing",
                  {word for words in fake.names() for word in words}, {"end"})
    tap.ok("the log says that there was no service", logged(
        "lyra2d does not run here: serving"))


def directory():
    for mask in (0o077, 0o022, 0):
        subprocess.run("rm -rf /run/lyra2/* && rmdir /run/lyra2", shell=True,
                       check=True)
        asks("auth", umask=mask)
        tap.equal("/run/lyra2, umask %03o" % mask,
                  oct(os.stat("/run/lyra2").st_mode), "0o40755")
        asks(USER, "auth", password="wrong", umask=mask)
        tap.equal("what is in it, umask %03o" % mask, [
            (name, oct(os.stat("/run/lyra2/" + name).st_mode))
            for name in sorted(os.listdir("/run/lyra2"))],
                  [("brake.1", "0o40700"), ("turns", "0o40700")])
    os.chmod("/run/lyra2", 0o700)
    asks("auth")
    tap.equal("and if it was there", oct(os.stat("/run/lyra2").st_mode),
              "0o40755")


def patience():
    """Heartbeats do not keep the module for ever."""
    if not os.path.exists(preload + "/fast.so"):
        return tap.skip("waits", "no compiler")
    for what, kind in (("queued", QUEUED), ("at work", WORKING)):
        with Fake(send(hello()), expect("header", "secret"),
                  repeat(reply(kind, 1), 300)):
            apps = [types(start(*calls, "auth", libraries=["fast"]))
                    for calls in ((), (USER,))]
            stop = threading.Timer(120, lambda some=tuple(apps): [
                app.kill() for app in some])
            stop.start()
            tap.equal("%s for ever, then a private service" % what,
                      [result(app) for app in apps], ["auth=0"] * 2)
            stop.cancel()
    return None


def stuck():
    """lyra2d cannot be started: a child hangs before it."""
    if not os.path.exists(preload + "/stuck.so"):
        return tap.skip("a stuck child", "no compiler")
    apps = [types(start(*calls, "auth", libraries=["stuck"]))
            for calls in ((), (USER,))]
    tap.equal("lyra2d cannot be started", [result(app) for app in apps],
              ["auth=9", "auth=15"])
    tap.ok("nothing is left of that", wait_for(lambda: not pgrep("try")))
    return None


# ---- private services ----
@contextlib.contextmanager
def in_place_of_lyra2d(script):
    os.rename(daemon, daemon + ".aside")
    with open(daemon, "w") as file:
        file.write(script)
    os.chmod(daemon, 0o755)
    yield
    os.rename(daemon + ".aside", daemon)


def inherited():
    """The application has open files with all numbers."""
    marker = os.open("/etc/passwd", os.O_RDONLY)
    numbers = (7, 10, 251)
    for number in numbers:
        os.dup2(marker, number, inheritable=True)
    with in_place_of_lyra2d(private().replace("import socket, sys", """\
import os, socket, sys
with open("/run/fds", "w") as out:
    for fd in os.listdir("/proc/self/fd"):
        try:
            out.write(os.readlink("/proc/self/fd/" + fd) + "\\n")
        except OSError:
            pass
""")):
        asks("auth", close_fds=False)
    with open("/run/fds") as file:
        links = file.read().split("\n")
    tap.ok("it gets no file of the application", links and not
           [link for link in links if link.startswith(("/etc", "pipe:"))],
           links)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    child = subprocess.Popen([daemon, "--private"], stdin=theirs,
                             close_fds=False)
    ours.recv(4096)
    fds = "/proc/%d/fd/" % child.pid
    links = [os.readlink(fds + fd) for fd in os.listdir(fds)]
    tap.ok("nor does it keep one", "/etc/passwd" not in links, links)
    for number in numbers:
        os.close(number)
    theirs.close()
    ours.close()
    tap.equal("it ends with its module", child.wait(20), 0)


def notices():
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
    tap.ok("none is left", wait_for(lambda: not pgrep("lyra2d")))


def goes_with_its_module():
    """The application is killed while a private service hashes."""
    begun = time.monotonic()
    tap.equal("a slow hash ends", asks("auth", user="slow"), "auth=7")
    whole = time.monotonic() - begun
    for calls in ((), (USER,)):
        app = types(start(*calls, "auth", user="slow"))
        tap.ok("it works, %s" % (calls,), wait_for(
            lambda: len(pgrep("lyra2d")) == 2))
        app.kill()
        begun = time.monotonic()
        gone = wait_for(lambda: not pgrep("lyra2d"), 20)
        took = time.monotonic() - begun
        app.communicate()
        tap.ok("its module is killed, and it ends, in %.1f of %.1f s" % (
            took, whole), gone and took < whole / 2, took)
    # The program that it needs next may be gone, too.
    app = types(start("auth", user="slow"))
    wait_for(lambda: len(pgrep("lyra2d")) == 2)
    for one in sorted(pgrep("lyra2d"))[1:]:
        os.kill(one, signal.SIGKILL)
    tap.equal("its worker is killed: no answer", result(app), "auth=9")
    app = types(start(USER, "auth", user="slow"))
    wait_for(lambda: len(pgrep("lyra2d")) == 2)
    for one in pgrep("lyra2d"):
        os.kill(one, signal.SIGKILL)
    tap.equal("it is killed, for a user: no answer", result(app), "auth=15")
    app = types(start(USER, "auth", user="slow"))
    wait_for(lambda: len(pgrep("lyra2d")) == 2)
    stopped = pgrep("lyra2d")
    for one in stopped:
        os.kill(one, signal.SIGSTOP)
    begun = time.monotonic()
    tap.equal("it is stopped, for a user: no answer", result(app), "auth=15")
    took = time.monotonic() - begun
    tap.ok("in %.1f s" % took, tap.within(took, 12))
    for one in stopped:
        with contextlib.suppress(ProcessLookupError):
            os.kill(one, signal.SIGCONT)
    tap.ok("and when it goes on, it ends", wait_for(
        lambda: not pgrep("lyra2d"), 10))


def reaps():
    """The first process of a container may not wait for what others leave."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    left = 0
    for _ in range(60):
        ours, theirs = socket.socketpair(socket.AF_UNIX,
                                         socket.SOCK_SEQPACKET)
        child = subprocess.Popen([daemon, "--private"], stdin=theirs)
        theirs.close()
        client = lyra2d.Client(ours)
        client.ask(lyra2d.VERIFY, "alice", "secret")
        client.tell(lyra2d.GOT)
        client.reply()
        child.wait()
        with contextlib.suppress(ChildProcessError):
            os.waitpid(-1, 0)
            left += 1
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
    tap.equal("of 60 private services, so many leave a worker", left, 0)


def configure(rehash):
    with open(conf) as file:
        text = re.sub("(?m)^(rehash|method)=.*\n", "", file.read())
    with open(conf, "w") as file:
        file.write(text + "method=lyra2\nrehash=%s\n" % rehash)


def rehashes():
    """Within the call: when it returns, no process is left."""
    configure("weaker")
    for calls, user in (((), "alice"), ((USER,), "bob")):
        app = types(start(*calls, "auth", "children", user=user))
        line = app.stdout.readline()
        while line and not line.startswith("auth="):
            line = app.stdout.readline()
        state = (line.strip(), stored(user)[:7], pgrep("lyra2d"))
        app.communicate()
        tap.equal("it rehashes and ends within the call, %s" % (calls,),
                  state, ("auth=0", "$lyra2$", []))
        tap.equal("and the new hash is the password's", asks(
            *calls, "auth", user=user), "auth=0")
    # Where another program has the lock, the login goes on.
    before = stored("carol")
    lock = os.open("/etc/.pwd.lock", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.lockf(lock, fcntl.LOCK_EX)
    begun = time.monotonic()
    tap.equal("the lock is another's: in", asks("auth", user="carol"),
              "auth=0")
    took = time.monotonic() - begun
    tap.ok("in %.1f s, and nothing is stored or left" % took,
           tap.within(took, 8) and stored("carol") == before and
           wait_for(lambda: not pgrep("lyra2d"), 10), pgrep("lyra2d"))
    os.close(lock)
    configure("never")


def finishes():
    """A worker that has the lock stores the new hash without its module."""
    if not shutil.which("strace") or subprocess.run(
            ["strace", "-o", "/dev/null", "true"], check=False).returncode:
        return tap.skip("a worker with the lock", "no strace")
    configure("weaker")
    with in_place_of_lyra2d(
            "#!/bin/sh\nexec %s -f -o /dev/null -e inject=renameat,renameat2:"
            "delay_enter=2000000 %s.aside --private\n" %
            (shutil.which("strace"), daemon)):
        app = types(start("auth", user="carol"))
        while not app.stdout.readline().startswith("prompt"):
            pass
        seen = wait_for(lambda: glob.glob("/etc/.shadow.lyra2.*"), 20)
        app.kill()
        tap.ok("a worker has the lock when its module is killed",
               seen and stored("carol")[:3] == "$6$")
        app.communicate()
        tap.ok("it finishes", wait_for(
            lambda: stored("carol")[:7] == "$lyra2$", 20))
        tap.ok("and all ends", wait_for(lambda: not pgrep("lyra2d.aside") and
                                        not pgrep("lyra2d"), 10))
    configure("never")
    return None


tap.run((kept, directory, stuck, inherited, notices, reaps, goes_with_its_module,
         rehashes, finishes, patience))
