# SPDX-License-Identifier: BSD-2-Clause
"""lyra2_chkpwd, as hostile users and as screen lockers use it.

	chkpwd.py LYRA2D TRY WORK

Users alice (1001), also called twin, and bob (1002) have the password "secret".
blank (1003) has none, longest (1004) has one of 511 bytes.  slow (1005) has a
hash that takes long.
"""
import ctypes
import os
import pty
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import lyra2d
import tap
from processes import as_user

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


def forgive():
    """Start lyra2d anew without the files that keep its users' failures."""
    subprocess.run(["pkill", "-x", "lyra2d"], check=False)
    end = time.monotonic() + 20
    while os.path.exists(lyra2d.SOCKET) and time.monotonic() < end:
        time.sleep(0.01)
    shutil.rmtree("/run/lyra2/brake.1", ignore_errors=True)
    subprocess.Popen([daemon])
    while not os.path.exists(lyra2d.SOCKET) and time.monotonic() < end:
        time.sleep(0.01)


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
           verdict == SUCCESS and took < 10, (verdict, took))


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
            ("no word", SYSTEM_ERR, {"words": ("alice",)}),
            ("an unknown word", SYSTEM_ERR, {"words": ("alice", "expiry")})):
        tap.equal(what, code(**how), wanted)
        if wanted == AUTH_ERR:
            forgive()
    primary, replica = pty.openpty()
    begun = time.monotonic()
    done = subprocess.run([CHKPWD, "alice", "nonull"], stdin=replica,
                          capture_output=True, text=True, **ALICE)
    took = time.monotonic() - begun
    tap.ok("a terminal: a usage line, at once", done.returncode == SYSTEM_ERR
           and done.stderr.startswith("Usage: ") and took < 1, (done, took))
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
    for name in ("NOFILE", "FSIZE", "STACK", "AS", "DATA", "CPU", "NPROC",
                 "MEMLOCK", "CORE", "SIGPENDING"):
        def limit(what=getattr(resource, "RLIMIT_" + name, None)):
            if what is not None:
                resource.setrlimit(what, (0, 0))
        got = code(b"wrong", preexec_fn=limit, env={})
        forgive()
        tap.ok("no %s: no answer but no (%d)" % (name, got), got != SUCCESS)
    with open("/mnt/tmp/ld", "w"):
        pass
    os.chmod("/mnt/tmp", 0o1777)
    evil = work + "/evil.so"
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


def waits():
    """A user who mistypes four times is told how long to wait."""
    forgive()

    def locker(password):
        return subprocess.run(
            [program, "/etc/pam.d", "std", "alice", "uid:1001", "auth"],
            input=password + "\n", text=True, capture_output=True,
            check=False).stdout
    said = [locker(password) for password in ["wrong"] * 4 + ["secret"]]
    line = "info: Too many failed attempts: please wait "
    tap.equal("a locker, mistyped four times: told at the fifth",
              [line in text for text in said], [False] * 4 + [True])
    tap.ok("and then in", said[4].endswith("auth=0\n"), said[4])
    forgive()
    helper = start("slow", "nonull", user=1005)
    helper.stdin.write(b"wrong\0")
    helper.stdin.flush()
    service, *workers = pgrep()
    while not workers:
        service, *workers = pgrep()
    os.kill(workers[0], signal.SIGSTOP)
    time.sleep(7)
    os.kill(workers[0], signal.SIGCONT)
    helper.communicate()
    tap.equal("a hash of 7 s", helper.returncode, AUTH_ERR)


def lockers():
    forgive()
    def tries(*calls, service="std", user="alice", password="secret"):
        done = subprocess.run([program, "/etc/pam.d", service, user, *calls],
                              input=password + "\n", text=True,
                              capture_output=True, check=False)
        return done.stdout.strip().split("\n")[-1]
    own = "uid:1001"
    tap.equal("a locker: right, wrong, too long, another's", [
        tries(own, "auth", password=password, user=user)
        for password, user in (("secret", "alice"), ("wrong", "alice"),
                               ("x" * 600, "alice"), ("secret", "bob"))],
        ["auth=0", "auth=7", "auth=7", "auth=9"])
    tap.equal("blank: asked, and in with nullok", [
        tries("uid:1003", "auth", service=service, user="blank", password="")
        for service in ("std", "null")], ["auth=7", "auth=0"])
    tap.equal("no locker notices the child", [
        tries("minds:" + how, own, "auth", "children")
        for how in ("wait", "waitpid", "ignore", "nocldwait", "signalfd",
                    "subreaper")], ["children=0"] * 6)
    got = tries("minds:thread", own, "auth", password="wrong")
    tap.ok("where a thread waits for each child, no user gets in",
           got in ("auth=7", "auth=15"), got)	# it may take this one, too
    forgive()
    tap.equal("nor loses a descriptor", tries("reuse", own, "auth", "kept"),
              "kept=0")
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
    said = [tries(own, "auth") for _ in range(4)]
    took = time.monotonic() - begun
    tap.ok("correct passwords in a row need not wait: %.1f s" % took,
           said == ["auth=0"] * 4 and took < 2, said)


tap.run((answers, rights, hostile, crowds, waits, lockers))
