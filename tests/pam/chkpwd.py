# SPDX-License-Identifier: BSD-2-Clause
"""lyra2_chkpwd, as hostile users and as screen lockers use it.

	chkpwd.py LYRA2D TRY WORK

Users alice (1001), also called twin, and bob (1002) have the password "secret".
blank (1003) has none, longest (1004) has one of 511 bytes.  slow (1005) has a
hash that takes long.
"""
import contextlib
import ctypes
import itertools
import os
import pty
import random
import re
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

import devlog
import lyra2d
import tap
from lyra2d import AGAIN, PROTOCOL, QUEUED, VERDICT, WAIT, WORKING
from processes import as_user, in_memory, wait_for
from talk import (Fake, expect, hello, name, repeat, reply, send, send_late,
                  wait)

daemon, program, work = sys.argv[1:]
CHKPWD = daemon.replace("lyra2d", "lyra2_chkpwd")
SUCCESS, SYSTEM_ERR, AUTH_ERR, UNAVAIL, TRY_AGAIN = 0, 4, 7, 9, 24
ALICE = {"user": 1001, "group": 100, "extra_groups": []}


def start(*words, **how):
    return subprocess.Popen([CHKPWD, *words], stdin=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, **{**ALICE, **how})


def code(data=b"secret", words=("alice", "nonull"), **how):
    """The exit status of lyra2_chkpwd."""
    helper = start(*words, **how)
    try:
        helper.communicate(data, 60)
    except subprocess.TimeoutExpired:
        helper.kill()
        helper.communicate()
    return helper.returncode


def end_service():
    subprocess.run(["pkill", "-x", "lyra2d"], check=False)
    wait_for(lyra2d.is_gone, 20)


def forgive():
    """Start lyra2d anew without the files that keep its users' failures."""
    end_service()
    shutil.rmtree("/run/lyra2/brake.1", ignore_errors=True)
    subprocess.Popen([daemon])
    wait_for(lyra2d.listens, 20)


def socket_rights(wanted):
    """Mode and owners of a new service's socket, or what they are after 5 s."""
    forgive()
    end = time.monotonic() + 5
    while True:
        st = os.stat(lyra2d.SOCKET)
        rights = (st.st_mode & 0o7777, st.st_uid, st.st_gid)
        if rights == wanted or time.monotonic() > end:
            return rights
        time.sleep(0.01)


def root_gets_in(what):
    begun = time.monotonic()
    client = lyra2d.Client()
    verdict = client.ask(lyra2d.VERIFY, "bob", "secret")
    client.tell(lyra2d.ADMITTED)
    client.close()
    took = time.monotonic() - begun
    tap.ok("%s: root gets in, in %.1f s" % (what, took),
           verdict == SUCCESS and tap.within(took, 10), (verdict, took))


def field(pid, name):
    with open("/proc/%d/status" % pid) as file:
        return re.search("^%s:\t(.*)$" % name, file.read(), re.M).group(1)


def waiting():
    """A lyra2_chkpwd that waits for its input."""
    helper = start("alice", "nonull")
    end = time.monotonic() + 20
    while time.monotonic() < end:
        with open("/proc/%d/syscall" % helper.pid) as file:
            if file.read().startswith("0 0x0 "):
                break
        time.sleep(0.01)
    return helper


def answers():
    forgive()
    for what, wanted, how in (
            ("the right password", SUCCESS, {}),
            ("a wrong one", AUTH_ERR, {"data": b"wrong"}),
            ("none", AUTH_ERR, {"data": b""}),
            ("up to NUL", SUCCESS, {"data": b"secret\0more"}),
            ("by its other name", SUCCESS, {"words": ("twin", "nonull")}),
            ("another user's name", UNAVAIL, {"words": ("bob", "nonull")}),
            ("root's", UNAVAIL, {"words": ("root", "nonull")}),
            ("no user's", UNAVAIL, {"words": ("nobody-here", "nullok")}),
            ("a name like an option", UNAVAIL, {"words": ("-x", "nullok")}),
            ("a long name", UNAVAIL, {"words": ("x" * 5000, "nullok")}),
            ("512 bytes", AUTH_ERR, {"data": b"x" * 512}),
            ("a megabyte", AUTH_ERR, {"data": b"x" * (1 << 20)}),
            ("bytes", AUTH_ERR, {"data": bytes(range(255, 0, -1))}),
            ("blank", SUCCESS, {"data": b"", "words": ("blank", "nullok"),
                                "user": 1003}),
            ("blank, nonull", AUTH_ERR, {
                "data": b"", "words": ("blank", "nonull"), "user": 1003}),
            ("511 bytes", SUCCESS, {"data": b"7".rjust(511, b"0"), "words": (
                "longest", "nonull"), "user": 1004}),
            ("root for itself", AUTH_ERR, {"words": ("root", "nonull"),
                                           "user": 0, "group": 0}),
            ("root for another", UNAVAIL, {"user": 0, "group": 0}),
            ("nothing", SYSTEM_ERR, {"words": ()}),
            ("no word", SYSTEM_ERR, {"words": ("alice",)}),
            ("an empty word", SYSTEM_ERR, {"words": ("alice", "")}),
            ("a word and a blank", SYSTEM_ERR, {"words": ("alice",
                                                          "nullok ")}),
            ("three words", SYSTEM_ERR, {"words": ("alice", "nonull", "")}),
            ("an unknown word", SYSTEM_ERR, {"words": ("alice", "expiry")})):
        tap.equal(what, code(**how), wanted)
        if wanted == AUTH_ERR:
            forgive()
    primary, replica = pty.openpty()
    done = subprocess.run([CHKPWD, "alice", "nonull"], stdin=replica,
                          capture_output=True, text=True, timeout=60, **ALICE)
    tap.ok("a terminal: a usage line, and nothing is read",
           done.returncode == SYSTEM_ERR and
           done.stderr.startswith("Usage: "), done)
    os.close(primary)
    os.close(replica)


def rights():
    forgive()
    helper = waiting()
    tap.equal("no group is left when it waits for the password",
              (field(helper.pid, "Gid"), field(helper.pid, "Uid"),
               field(helper.pid, "Groups").strip(),
               field(helper.pid, "CapPrm").strip("0")),
              ("\t".join(["100"] * 4), "\t".join(["1001"] * 4), "", ""))
    child = os.fork()
    if child == 0:
        os.setgid(100)
        os.setgroups([])
        os.setuid(1001)
        libc = ctypes.CDLL(None, use_errno=True)
        traced = libc.ptrace(16, helper.pid, None, None)
        try:
            os.listdir("/proc/%d/fd" % helper.pid)
            traced = 0
        except PermissionError:
            pass
        os._exit(traced != 0)
    tap.equal("its user can neither trace it nor take its descriptors",
              os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 1)
    helper.communicate(b"secret")
    tap.equal("then it answers", helper.returncode, SUCCESS)
    if not shutil.which("strace"):
        return tap.skip("the order", "no strace")
    trace = work + "/trace"
    subprocess.run(["strace", "-o", trace, "-u", "alice", CHKPWD, "alice",
                    "nonull"], input=b"secret", check=False)
    with open(trace) as file:
        text = file.read()
    calls = [x for x in re.findall(
        r"^(setsockopt|connect|setresgid|read)\((.*)\) += (-?\d+)", text, re.M)
        if x[0] != "read" or x[1].startswith("0,")]
    tap.equal("it connects, gives up, tries, reads", [x[0] for x in calls[:5]],
              ["setsockopt", "connect", "setresgid", "setresgid", "read"])
    tap.ok("it does not wait for ever to connect",
           "SO_SNDTIMEO" in calls[0][1], calls[0])
    tap.ok("and the group does not come back",
           ("setresgid", "-1, 42, -1", "-1") in calls, text)
    return None


def hostile():
    forgive()
    for closed in ((0,), (1,), (2,), (1, 2), (0, 1, 2)):
        def close(numbers=closed):
            for number in numbers:
                os.close(number)
        tap.equal("closed: %s" % (closed,), code(preexec_fn=close),
                  SYSTEM_ERR if 0 in closed else SUCCESS)
    for word in ("NOFILE", "FSIZE", "STACK", "AS", "DATA", "CPU", "NPROC",
                 "MEMLOCK", "CORE", "SIGPENDING"):
        def limit(what=getattr(resource, "RLIMIT_" + word, None)):
            if what is not None:
                resource.setrlimit(what, (0, 0))
        got = code(b"wrong", preexec_fn=limit, env={})
        forgive()
        tap.ok("no %s: no answer but no (%d)" % (word, got), got != SUCCESS)
    os.chmod("/mnt/tmp", 0o1777)
    evil = work + "/evil.so"
    if os.path.exists(evil):
        subprocess.run(["true"], env={"LD_PRELOAD": evil}, check=True)
        tap.ok("a library that others load", os.path.exists("/mnt/tmp/loaded"))
        os.unlink("/mnt/tmp/loaded")
    tap.equal("LD_*", code(env={
        "LD_PRELOAD": evil, "LD_LIBRARY_PATH": work, "LD_AUDIT": evil,
        "GLIBC_TUNABLES": "glibc.malloc.check=3", "MALLOC_TRACE": evil}),
              SUCCESS)
    tap.ok("nothing was loaded", not os.path.exists("/mnt/tmp/loaded"))

    def ignore():
        for number in range(1, 32):
            if number not in (signal.SIGKILL, signal.SIGSTOP):
                signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 64))
    tap.equal("signals ignored and blocked", code(preexec_fn=ignore), SUCCESS)
    root_gets_in("all that")


def crowds():
    forgive()
    random.seed(1)
    helpers = [start("alice", "nonull") for _ in range(60)]
    for helper in helpers:
        helper.stdin.write(b"wrong\0")
        helper.stdin.flush()
    for helper in helpers:
        time.sleep(random.random() / 50)
        helper.send_signal(random.choice([signal.SIGKILL, signal.SIGSTOP]))
    root_gets_in("60 that are killed or stopped")
    for helper in helpers:
        helper.kill()
        helper.communicate()
    tap.ok("none said yes", all(x.returncode != SUCCESS for x in helpers))
    forgive()
    begun = time.monotonic()
    helpers = [start("alice", "nonull") for _ in range(200)]
    for helper in helpers:
        helper.stdin.write(b"secret\0")
        helper.stdin.flush()
    root_gets_in("200 at once")
    codes = []
    for helper in helpers:
        helper.communicate()
        codes.append(helper.returncode)
    took = time.monotonic() - begun
    tap.ok("a user's 16 are answered, or more, in %.1f s; others try again" %
           took, codes.count(SUCCESS) >= 16 and
           set(codes) <= {SUCCESS, TRY_AGAIN}, codes)


def pgrep():
    """The processes of the service and its workers."""
    done = subprocess.run(["pgrep", "-x", "lyra2d"], capture_output=True,
                          check=True)
    return sorted(map(int, done.stdout.split()))


def locker(password):
    """A screen locker of alice's."""
    app = subprocess.Popen([program, "/etc/pam.d", "std", "alice", "nodelay",
                            "uid:1001", "auth"], stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE, text=True)
    app.stdin.write(password + "\n")
    app.stdin.flush()
    return app


def last_line(app):
    return app.communicate()[0].strip().split("\n")[-1]


def no_answer():
    """lyra2d has no successor for as long as an init system waits; is not
    there; is stopped."""
    forgive()
    last_line(locker("wrong"))
    app = locker("secret")      # whose answer waits for 2 s
    wait_for(lambda: len(pgrep()) > 1, 20)
    end_service()
    time.sleep(5.5)
    subprocess.Popen([daemon])
    tap.equal("lyra2d is replaced while a locker waits", last_line(app),
              "auth=0")
    end_service()
    begun = time.monotonic()
    tap.equal("it is not there", last_line(locker("secret")), "auth=9")
    took = time.monotonic() - begun
    tap.ok("at once", tap.within(took, 2), took)
    if not os.environ.get("CHECK"):
        return
    forgive()
    service = pgrep()[0]
    os.kill(service, signal.SIGSTOP)
    begun = time.monotonic()
    tap.equal("it is stopped", last_line(locker("secret")), "auth=15")
    took = time.monotonic() - begun
    tap.ok("after %.0f s, not twice 30" % took, took < 50, took)
    os.kill(service, signal.SIGCONT)


def waits():
    """A user who mistypes four times is told how long to wait."""
    forgive()

    said = [locker(password).communicate()[0]
            for password in ["wrong"] * 4 + ["secret"]]
    line = "info: Too many failed attempts: please wait "
    tap.equal("a locker, mistyped four times: told at the fifth",
              [line in text for text in said], [False] * 4 + [True])
    tap.ok("and then in", said[4].endswith("auth=0\n"), said[4])
    forgive()
    helper = start("slow", "nonull", user=1005)
    helper.stdin.write(b"wrong\0")
    helper.stdin.flush()
    service = pgrep()[0]
    workers = wait_for(lambda: [x for x in pgrep() if x != service], 20)
    os.kill(workers[0], signal.SIGSTOP)
    time.sleep(7)
    os.kill(workers[0], signal.SIGCONT)
    helper.communicate()
    tap.equal("a hash of 7 s", helper.returncode, AUTH_ERR)


def lockers():
    forgive()
    def lines(*calls, service="std", user="alice", password="secret"):
        done = subprocess.run([program, "/etc/pam.d", service, user, *calls],
                              input=password + "\n", text=True,
                              capture_output=True, check=False)
        return done.stdout.strip().split("\n")

    def tries(*calls, **what):
        return lines(*calls, **what)[-1]
    own = "uid:1001"
    closed = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", program, "/etc/pam.d", "std",
         "alice", "says:secret", own, "auth"], text=True, capture_output=True,
        check=False)
    tap.equal("a locker without a standard input",
              closed.stdout.strip().split("\n")[-1], "auth=0")
    tap.equal("a locker: right, wrong, too long, another's", [
        tries(own, "auth", password=password, user=user)
        for password, user in (("secret", "alice"), ("wrong", "alice"),
                               ("x" * 600, "alice"), ("secret", "bob"))],
        ["auth=0", "auth=7", "auth=7", "auth=9"])
    tap.equal("blank: asked, and in with nullok", [
        tries("uid:1003", "auth", service=service, user="blank", password="")
        for service in ("std", "null")], ["auth=7", "auth=0"])
    tap.equal("in, however it minds its children, and notices none", [
        lines("minds:" + how, own, "auth", "children")[-2:]
        for how in ("wait", "waitpid", "ignore", "nocldwait", "signalfd",
                    "subreaper")], [["auth=0", "children=0"]] * 6)
    got = tries("minds:thread", own, "auth", password="wrong")
    tap.ok("where a thread waits for each child, no user gets in",
           got in ("auth=7", "auth=15"), got)	# it may take this one, too
    forgive()
    tap.equal("nor loses a descriptor", tries("reuse", own, "auth", "kept"),
              "kept=0")
    tap.equal("nor has more of them after each unlocking", *(
        tries(own, "says:secret", *["auth"] * n, "open") for n in (1, 3)))
    done = subprocess.run(
        ["setpriv", "--no-new-privs", program, "/etc/pam.d", "std", "alice",
         own, "auth"], input=b"secret\n", capture_output=True, check=False)
    tap.equal("without new privileges: the next module decides",
              done.returncode, UNAVAIL)
    os.rename(CHKPWD, CHKPWD + ".away")
    tap.equal("so it does without the helper", tries(own, "auth"), "auth=9")
    with open(CHKPWD, "w") as file:
        file.write("#!/bin/sh\nexit 127\n")
    os.chmod(CHKPWD, 0o755)
    tap.equal("where no library can be loaded into it, no module decides",
              tries(own, "auth"), "auth=15")
    os.rename(CHKPWD + ".away", CHKPWD)

    # The socket's rights are the file's, when the service starts.
    gid = os.stat("/etc/shadow").st_gid
    os.chmod("/etc/shadow", 0o640)
    os.chown("/etc/shadow", 0, 4321)
    tap.equal("the socket is the group's that may read the file",
              socket_rights((0o660, 0, 4321)), (0o660, 0, 4321))
    os.chown("/etc/shadow", 0, gid)
    # No group may read the file, as in Fedora.
    os.chmod("/etc/shadow", 0o600)
    os.chown(CHKPWD, 0, 4321)
    os.chmod(CHKPWD, 0o2755)
    tap.equal("or else the group's to which the helper is set-group-ID",
              socket_rights((0o660, 0, 4321)), (0o660, 0, 4321))
    own_password = [("secret", "alice"), ("wrong", "alice"), ("secret", "bob")]
    tap.equal("of that group: right, wrong, another's", [
        tries(own, "auth", password=password, user=user)
        for password, user in own_password], ["auth=0", "auth=7", "auth=9"])
    tap.equal("a member of that group has no right", as_user(
        1001, lambda: lyra2d.Client().hello(), groups=(4321,)), (0, 0, 0, 0))
    helper = waiting()
    tap.equal("the group is gone when it reads", field(helper.pid, "Gid"),
              "\t".join(["100"] * 4))
    helper.communicate(b"secret")
    tap.equal("then it answers, too", helper.returncode, SUCCESS)
    for mode, owners in ((0o755, (0, 4321)), (0o2755, (0, 0)),
                         (0o2755, (1001, 4321)), (0o4755, (0, 0))):
        os.chown(CHKPWD, *owners)
        os.chmod(CHKPWD, mode)
        tap.equal("of mode %o and %d:%d: the socket is root's alone" % (
            mode, *owners), socket_rights((0o600, 0, 0)), (0o600, 0, 0))
    tap.equal("set-user-ID root, it asks nothing", [
        tries(own, "auth", password=password, user=user)
        for password, user in own_password], ["auth=4"] * 3)
    os.chown(CHKPWD, 0, 4321)
    os.chmod(CHKPWD, 0o2755)
    forgive()
    begun = time.monotonic()
    said = [tries(own, "auth") for _ in range(8)]
    took = time.monotonic() - begun
    # Eight wrong ones take over a minute.
    tap.ok("correct passwords in a row need not wait: %.1f s" % took,
           said == ["auth=0"] * 8 and tap.within(took, 30), said)


# ---- false services ----
ASKED = expect("header", "secret")
GREET = send(hello())
BEAT = reply(WORKING)


class Talk(threading.Thread):
    """A lyra2_chkpwd of alice's, with a service of its own that plays steps.

    Within most seconds, it ends with the wanted status, and has told the
    module so many seconds.  fast: its clock is forty times as fast, but not
    what it waits for.
    """

    numbers = itertools.count()

    def __init__(self, what, wanted, *steps, told=b"", most=3, least=0,
                 fast=False, word="nonull", log=None):
        super().__init__()
        self.what, self.wanted, self.told, self.log = what, wanted, told, log
        self.least, self.most, self.word = least, most, word
        self.run_dir = "%s/run%d" % (work, next(self.numbers))
        os.mkdir(self.run_dir)
        mounts = "mount --bind %s /run/lyra2; " % self.run_dir
        if fast:
            mounts += "mount --bind %s/preload /etc/ld.so.preload; " % work
        self.command = [
            "unshare", "-m", "sh", "-ec", mounts + 'exec "$@"', "sh",
            "setpriv", "--reuid=1001", "--regid=100", "--clear-groups",
            CHKPWD, "alice", word]
        self.fake = Fake(*steps, path=self.run_dir + "/socket")
        self.start()

    def run(self):
        ours, theirs = socket.socketpair()
        with self.fake, ours, theirs:
            ours.send(b"secret\0more")
            begun = time.monotonic()
            self.code = subprocess.run(self.command, stdin=theirs,
                                       check=False).returncode
            self.took = time.monotonic() - begun
            self.heard = b""
            with contextlib.suppress(BlockingIOError):
                while True:
                    self.heard += ours.recv(1 << 16, socket.MSG_DONTWAIT)

    def judge(self):
        self.join()
        tap.ok("%s: %d, in %.1f s" % (self.what, self.wanted, self.took),
               self.code == self.wanted and self.heard == self.told and
               self.least <= self.took < self.most + 10 and
               not self.fake.said,
               (self.code, self.heard, self.took, self.fake.said))


def says(number):
    return GREET, ASKED, send(reply(VERDICT, number)), expect(
        "got", "admitted", "end")


def logs(text, priority):
    return GREET, ASKED, send(reply(VERDICT, 7, text, priority))


def odd_services():
    """What chkpwd answers, whatever the service does."""
    rows = [Talk("verdict %d" % number, wanted, *says(number))
            for number, wanted in ((0, 0), (7, 7), (127, 127),
                                   (128, SYSTEM_ERR), (256, SYSTEM_ERR),
                                   (-1, SYSTEM_ERR))]
    rows += [Talk("wait %d" % seconds, 0, GREET, ASKED,
                  send(reply(WAIT, seconds), reply(VERDICT, 0)), told=told)
             for seconds, told in ((7, b"\7"), (254, b"\xfe"), (255, b"\xff"),
                                   (256, b"\xff"))]
    rows += [
        Talk("it is told that the service lives", 0, GREET, ASKED, send(
            reply(QUEUED, 3), BEAT, reply(VERDICT, 0)), told=b"\0\0"),
        Talk("again", TRY_AGAIN, GREET, ASKED, send(reply(AGAIN)),
             send_late(reply(VERDICT, 0))),
        Talk("an unknown packet", TRY_AGAIN, GREET, ASKED, send(b"?")),
        Talk("the end", TRY_AGAIN, GREET, ASKED),
        Talk("not even hello", TRY_AGAIN, wait(20), least=4.9, most=6),
        Talk("silence", TRY_AGAIN, GREET, ASKED, wait(20), least=4.9, most=6),
        Talk("silence after a word", TRY_AGAIN, GREET, ASKED, send(BEAT),
             wait(20), told=b"\0", least=4.9, most=6),
        Talk("a late word", 0, GREET, ASKED, send(BEAT), wait(3), send(BEAT),
             wait(3), send(reply(VERDICT, 0)), told=b"\0\0", least=5.9,
             most=8),
        Talk("another protocol", UNAVAIL, send(hello(PROTOCOL + 1))),
        Talk("another system's", UNAVAIL, send(hello(etc=os.stat("/usr")))),
        Talk("refused before it has asked", 7, send(
            hello(), reply(VERDICT, 7))),
        Talk("nullok", 0, GREET, ASKED, send(reply(VERDICT, 0)),
             word="nullok"),
    ]
    nullok = rows[-1]
    for row in rows:
        row.judge()
    for row, flags in ((rows[0], 0), (nullok, 1)):
        header, secret = row.fake.heard[0][:2]
        tap.equal("%s: what is asked, for whom" % row.what,
                  (struct.unpack("=III", header[8:20]), header[20:]),
                  ((lyra2d.VERIFY, flags, 1001), lyra2d.text("alice") +
                   lyra2d.text("") * 3))
        tap.equal("%s: the password, up to the NUL byte" % row.what,
                  secret, lyra2d.secret("secret"))


def patience():
    """120 seconds for a turn, 120 for work, and what the service says."""
    if not os.path.exists(work + "/fast.so"):
        return tap.skip("four minutes", "no library for a fast clock")
    with open("/etc/ld.so.preload", "w"), open(work + "/preload", "w") as file:
        file.write(work + "/fast.so\n")
    queue, beats = reply(QUEUED, 1), repeat(BEAT, 5, 0.2)
    done = send(reply(VERDICT, 0))
    rows = [
        Talk("in a queue, it ends after two minutes", TRY_AGAIN, GREET, ASKED,
             repeat(queue, 40, 0.2), fast=True, least=2.9, most=15),
        Talk("at work, after two more", TRY_AGAIN, GREET, ASKED,
             repeat(queue, 2, 0.2), repeat(BEAT, 40, 0.2), fast=True,
             least=4.9, most=15),
        Talk("even if an answer comes later", TRY_AGAIN, GREET, ASKED,
             beats, send_late(reply(VERDICT, 0)), fast=True, least=2.9,
             most=4.5),
        Talk("but after what it was told to wait", 0, GREET, ASKED,
             send(BEAT, reply(WAIT, 255)), beats, done, fast=True, least=4.9,
             most=8)]
    for row in rows:
        row.join()
        row.told = row.heard
        row.judge()
        tap.ok("%s: the module is told" % row.what, len(row.heard) > 5)
    os.unlink("/etc/ld.so.preload")
    return None


def log_lines():
    with devlog.Collector(work + "/chkpwd.log") as log:
        for row in (Talk("text", 7, *logs("%s %n", 4)),
                    Talk("odd bytes", 7, *logs("a\33\x7f\xe4z", 4)),
                    Talk("for debug", 7, *logs("debug", 7)),
                    Talk("no text", 7, *logs("", 4)),
                    Talk("one priority", 7, *logs("prio", 10))):
            row.judge()
        os.chmod(CHKPWD, 0o4755)
        tap.equal("set-user-ID: an error", code(), SYSTEM_ERR)
        shutil.chown(CHKPWD, 0, os.stat("/etc/shadow").st_gid)
        os.chmod(CHKPWD, 0o2755)
        end = time.monotonic() + 10
        while len(log.lines()) < 4 and time.monotonic() < end:
            time.sleep(0.01)
        lines = sorted(re.sub(r"\[\d+\]", "", x) for x in log.lines())
    tap.equal("what is logged", lines, sorted([
        "<84> lyra2_chkpwd: %s %n", "<84> lyra2_chkpwd: a????z",
        "<82> lyra2_chkpwd: prio",
        "<83> lyra2_chkpwd: %s is set-user-ID root, and must not be: see "
        "lyra2_chkpwd(8)" % CHKPWD]))


def passwords():
    """What it reads, sends and keeps."""
    asked = []
    with Fake(GREET, ASKED, send(BEAT), wait(1), send(reply(VERDICT, 7))) as f:
        helper = start("alice", "nonull")
        helper.stdin.write(b"no-such-word")
        helper.stdin.flush()
        end = time.monotonic() + 20
        while not in_memory(helper.pid, b"no-such-word") and \
                time.monotonic() < end:
            time.sleep(0.01)
        tap.ok("while it reads, it has the password",
               in_memory(helper.pid, b"no-such-word"))
        helper.stdin.close()
        while (len(f.names()) < 1 or "secret" not in f.names()[0]) and \
                time.monotonic() < end:
            time.sleep(0.01)
        end = time.monotonic() + 0.8	# sending has to return
        while in_memory(helper.pid, b"no-such-word") and time.monotonic() < end:
            time.sleep(0.01)
        os.kill(helper.pid, signal.SIGSTOP)
        tap.ok("once it has sent it, it does not",
               not in_memory(helper.pid, b"no-such-word"))
        os.kill(helper.pid, signal.SIGCONT)
        helper.wait()
        asked.append(helper.returncode)
        for data, read, size in ((b"pass\0word", 5, 4), (b"", 0, 0),
                                 (b"x" * 600, 512, 512)):
            with open(work + "/input", "w+b") as file:
                file.write(data)
                file.seek(0)
                done = subprocess.run([CHKPWD, "alice", "nonull"], stdin=file,
                                      check=False, **ALICE)
                asked.append(done.returncode)
                secret = f.heard[-1][1]
                tap.equal("of %d bytes: how many are read, and sent" %
                          len(data), (os.lseek(file.fileno(), 0, os.SEEK_CUR),
                                      struct.unpack("=I", secret[4:8])[0]),
                          (read, size))
        tap.equal("each gets the answer", asked, [AUTH_ERR] * 4)
        count = len(f.heard)
        folder = os.open("/", os.O_RDONLY)
        done = subprocess.run([CHKPWD, "alice", "nonull"], stdin=folder,
                              check=False, **ALICE)
        os.close(folder)
        tap.equal("a folder instead: an error, and no question",
                  (done.returncode, [x for heard in f.heard[count:]
                                     for x in heard if x]), (SYSTEM_ERR, []))


def failures():
    """A call fails, and the next module decides, or the module tries again."""
    if not shutil.which("strace"):
        return tap.skip("calls that fail", "no strace")
    with Fake(GREET, ASKED, send(reply(VERDICT, 0)), wait(1)) as fake:
        for call, error, wanted in (
                ("socket", "EMFILE", TRY_AGAIN), ("socket", "EACCES", UNAVAIL),
                ("setsockopt", "EIO", TRY_AGAIN),
                ("connect", "EAGAIN", TRY_AGAIN),
                ("connect", "EINTR", TRY_AGAIN),
                ("connect", "EACCES", UNAVAIL),
                ("connect", "ENOENT", UNAVAIL),
                ("connect", "ECONNREFUSED", UNAVAIL),
                ("setresgid", "EPERM", SYSTEM_ERR)):
            tap.equal("%s: %s" % (call, error), strace_fault(
                "%s:error=%s" % (call, error)), wanted)
        tap.equal("the group comes back: no question", strace_fault(
            "setresgid:retval=0:when=2"), SYSTEM_ERR)
        tap.equal("it reads no password then", {
            name(x) for heard in fake.heard for x in heard} - {"end"}, set())
        tap.equal("nothing fails", strace_fault("getppid:error=EIO"), SUCCESS)
    return None


def strace_fault(fault):
    done = subprocess.run(
        ["strace", "-o", work + "/trace", "-u", "alice", "-e",
         "inject=" + fault, CHKPWD, "alice", "nonull"], input=b"secret",
        check=False)
    return done.returncode


def services():
    end_service()
    odd_services()
    patience()
    log_lines()
    passwords()
    failures()


tap.run((answers, rights, hostile, crowds, no_answer, waits, services,
         lockers))
