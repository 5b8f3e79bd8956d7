# SPDX-License-Identifier: BSD-2-Clause
"""The rules of lyra2d, one by one: see pam/service/*.h.

	service.py PID LOG TRY CONF LYRA2D SCENARIOS

Users alice (1001), bob, carol and slow (1004) have the password "secret".  With
a long password, glacial's hash takes some 20 s.  blank has no password, and
twin is another name of 1001.  max_concurrent is 1.
"""
import contextlib
import ctypes
import fcntl
import os
import pwd
import re
import resource
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

import lingering
import lyra2d
import tap
from lyra2d import Client, VERIFY, STATUS, SET
from processes import as_user, crypt, in_memory, wait_for

pid, log, program, conf, daemon, wanted = (int(sys.argv[1]), *sys.argv[2:])
SUCCESS, AUTH_ERR, UNAVAIL, UNKNOWN, AUTHTOK_ERR, IGNORE = 0, 7, 9, 10, 20, 25
NO_REHASH = 16


def logged(text):
    with open(log, errors="replace") as file:
        return text in file.read()


def workers():
    with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
        return file.read().split()


def idle():
    return wait_for(lambda: not workers())


def verify(user="alice", password="secret", **header):
    """A whole exchange; returns the result."""
    client = Client()
    verdict = client.ask(VERIFY, user, password, **header)
    client.tell(lyra2d.ADMITTED)
    client.close()
    return verdict


def root_gets_in(what, within=10):
    begun = time.monotonic()
    try:
        verdict = verify("bob")
    except OSError as error:
        verdict = error
    took = time.monotonic() - begun
    tap.ok("%s: root gets in, in %.1f s" % (what, took),
           verdict == SUCCESS and tap.within(took, within),
           (verdict, took))


def start_private():
    """A private service, and a client of it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    service = subprocess.Popen([daemon, "--private"], stdin=theirs)
    theirs.close()
    ours.settimeout(60)
    return service, Client(ours)


# ---- packets ----
def packets():
    client = Client()
    etc = os.stat("/etc")
    tap.equal("it says which system it serves", client.hello(),
              (etc.st_dev, etc.st_ino, 6, 511))
    tap.equal("status, several on one connection", [client.status(name) for
              name in ("blank", "alice", "nobody-here", "inside", "lineless")],
              [(SUCCESS, SUCCESS, True), (SUCCESS, SUCCESS, False),
               (UNKNOWN, UNKNOWN, False), (IGNORE, UNKNOWN, False),
               (UNAVAIL, UNAVAIL, False)])
    tap.equal("and by flags: root; expired ones only", [
        client.status(name, flag)[1] for name in ("young", "lineless")
        for flag in (0, 4, 8)],
              [AUTHTOK_ERR, SUCCESS, AUTHTOK_ERR, UNAVAIL, SUCCESS,
               AUTHTOK_ERR])
    tap.equal("who is in no file", verify("no-such-name"), UNKNOWN)
    client.header(VERIFY, "alice")
    time.sleep(0.2)
    tap.ok("whose name may be a password, and is in no log line",
           not logged("no-such-name"))
    client.sock.setblocking(False)
    try:
        got = client.sock.recv(4096)
    except BlockingIOError:
        got = "nothing"
    client.sock.settimeout(60)
    tap.equal("a header without a password waits for it", got, "nothing")
    client.secret("secret")
    kinds = []
    while not kinds or kinds[-1] != lyra2d.VERDICT:
        kinds.append(client.reply()[0])
    if kinds.count(lyra2d.WORKING) > 1:     # a second has passed
        kinds.remove(lyra2d.WORKING)
    tap.equal("queued, at work, and a result", kinds,
              [lyra2d.QUEUED, lyra2d.WORKING, lyra2d.VERDICT])
    client.close()
    stream = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        stream.connect(lyra2d.SOCKET)
        got = "connected"
    except OSError as error:
        got = os.strerror(error.errno)
    tap.equal("a stream cannot connect", got,
              "Protocol wrong type for socket")
    header = lyra2d.header(VERIFY, "alice")
    for what, data in (("nothing of ours", b"x" * 100), ("a byte", b"L"),
                       ("too long", b"x" * 4096),
                       ("without a number", header[:4] + header[8:]),
                       ("another protocol", header[:4] + struct.pack(
                           "=I", lyra2d.PROTOCOL + 1) + header[8:])):
        client = Client()
        client.hello()
        client.sock.send(data)
        tap.equal("%s: closed" % what, client.reply(), None)
    client = Client()
    client.hello()
    client.header(VERIFY, "alice")
    client.sock.send(b"garbage")
    tap.equal("a packet that is no secret: no result", client.verdict(), None)
    for op in (0, 4, 77, 0xffffffff):
        client = Client()
        client.hello()
        client.header(op, "alice")
        tap.equal("an unknown question, %d: closed" % op, client.reply(), None)
        service, client = start_private()
        client.hello()
        client.header(op, "alice")
        tap.equal("%d, private: closed, and it ends" % op,
                  (client.reply(), service.wait(20)), (None, 0))


# ---- who may ask ----
def rights():
    def asks(op, user, password="secret", new="new"):
        return lambda: Client().ask(op, user, password, new)
    def connects():
        try:
            return Client().hello() is not None
        except PermissionError:
            return "no permission"
    is_open = lyra2d.door_is_open()
    if not is_open:
        tap.equal("a user cannot connect", as_user(1001, connects),
                  "no permission")
        os.chmod(lyra2d.SOCKET, 0o666)
        tap.equal("who can nevertheless is turned away",
                  as_user(1001, lambda: Client().hello()), (0, 0, 0, 0))
        os.chmod(lyra2d.SOCKET, 0o660)

    # As lyra2_chkpwd does, which nobody needs where the door is open.
    tap.equal("with the group, a user for itself",
              as_user(1001, asks(VERIFY, "alice"), 42), SUCCESS)
    tap.equal("by its other name", as_user(1001, asks(VERIFY, "twin"), 42),
              SUCCESS)
    for op in (VERIFY, STATUS, SET):
        tap.equal("not for another, %d" % op,
                  as_user(1001, asks(op, "bob"), 42), UNAVAIL)
    tap.ok("that is logged", wait_for(lambda: logged(
        "password check of another user refused [UID=1001]")))
    tap.equal("but the status of the own account",
              as_user(1001, lambda: [x.hello() and x.status("alice")
                                     for x in [Client()]][0], 42),
              (SUCCESS, SUCCESS, False))
    as_user(1003, lambda: Client().ask(
        VERIFY, "carol", "wrong", rhost="203.0.113.7",
        service="sshd) rhost=9.9.9.9 user=root"), 42)
    tap.ok("a user writes no fields of the log", wait_for(lambda: logged(
        "[UID=1003] service=sshd??rhost?9.9.9.9?user?root rhost=")) and
        not logged("203.0.113.7"))
    for op, user in (SET, "alice"), (VERIFY, "nobody-here"):
        tap.equal("nor %d about %s" % (op, user),
                  as_user(1001, asks(op, user), 42), UNAVAIL)
    for gid, groups in ((42, (42,)), (100, (7, 42))):
        tap.equal("a member of the group, by %d and %s" % (gid, groups),
                  as_user(1003, asks(VERIFY, "bob"), gid, groups), SUCCESS)
    tap.equal("but sets no password", as_user(1003, asks(SET, "bob"), 100,
                                              (42,)), UNAVAIL)

    def at_once():
        client = Client()
        client.header(SET, "bob")
        client.secret("secret", "new")
        time.sleep(1)
        client.sock.recv(4096)
        return client.verdict()
    os.kill(pid, signal.SIGSTOP)
    threading.Timer(0.5, os.kill, (pid, signal.SIGCONT)).start()
    tap.equal("a refusal arrives, though the password is not read",
              as_user(1003, at_once, 100, (42,)), UNAVAIL)
    claimed = as_user(1001, lambda: Client().ask(VERIFY, "alice", "wrong",
                                                 caller=0), 42)
    tap.equal("who says to be root is not", claimed, AUTH_ERR)
    tap.ok("it is logged by its own ID", wait_for(lambda: logged(
        "password check failed for user (alice) [UID=1001]")))


# ---- turns and slots ----
class Waiting(threading.Thread):
    """A request that waits; its name goes into order with its result."""

    def __init__(self, name, order, **header):
        super().__init__()
        self.client = Client()
        self.client.hello()
        self.client.header(VERIFY, "slow", **header)
        self.client.secret("secret")
        self.name, self.order = name, order
        while self.client.reply()[0] != lyra2d.QUEUED:
            pass
        self.start()

    def run(self):
        if self.client.verdict() == SUCCESS:
            self.order.append(self.name)
            self.client.tell(lyra2d.ADMITTED)
        self.client.close()


def order_of(*requests):
    order = []
    threads = [Waiting(name, order, **header) for name, header in requests]
    for thread in threads:
        thread.join()
    return "".join(order)


def turns():
    alice, bob = {"caller": 1001}, {"caller": 1002}
    tap.equal("users take turns", order_of(
        ("a", alice), ("b", alice), ("c", alice), ("d", bob), ("e", bob)),
        "abdce")
    host = {"rhost": "192.0.2.1"}
    tap.equal("so do hosts, and a user among them", order_of(
        ("a", host), ("b", host), ("c", {"rhost": "::ffff:192.0.2.1"}),
        ("d", {"rhost": "192.0.2.2"}), ("e", alice)), "abdec")
    names = [{"rhost": "desk-1.example" + x} for x in ("", ".org")]
    tap.equal("hosts with names, too", order_of(
        ("a", names[0]), ("b", names[0]), ("c", names[0]), ("d", names[1])),
        "abdc")
    tap.equal("networks of IPv6 are one source, loopback is", order_of(
        ("a", {"rhost": "2001:db8::1"}), ("b", {"rhost": "2001:db8::2:1"}),
        ("c", {"rhost": "2001:db8::3:1"}), ("d", {"rhost": "127.9.0.1"}),
        ("e", {"rhost": "::1"})), "abdce")
    tap.equal("so is each link", order_of(
        ("a", {"rhost": "fe80::1%eth0"}), ("b", {"rhost": "fe80::2%eth0"}),
        ("c", {"rhost": "fe80::3%eth0"}), ("d", {"rhost": "fe80::4%eth1"})),
        "abdc")
    tap.equal("each ID is a source, with a name or without",
              order_of(("a", {"caller": 70001}), ("b", {"caller": 70001}),
                       ("c", {"caller": 70001}), ("d", {"caller": 70002}),
                       ("e", {"caller": 165536}), ("f", {"caller": 165537}),
                       ("g", {"caller": 231071}), ("h", {"caller": 1002})),
              "abdefghc")
    # Five requests of a host, and one whose client has gone meanwhile.
    order = []
    threads = [Waiting(str(i), order, **host) for i in range(3)]
    gone = Client()
    gone.hello()
    gone.header(VERIFY, "slow", caller=1003)
    gone.secret("secret")
    gone.reply()
    gone.close()
    for thread in threads:
        thread.join()
    tap.equal("who has gone is not waited for", "".join(order), "012")
    tap.ok("everything ends", idle())


def silent_verdicts():
    """A client that never reads its result holds no slot."""
    clients = []
    for _ in range(20):
        client = Client()
        client.hello()
        client.header(VERIFY, "alice", rhost="192.0.2.9")
        client.secret("wrong")
        clients.append(client)
    tap.ok("results that no client reads: all are there", wait_for(
        lambda: len(workers()) == 20 or logged_failures() >= 20))
    root_gets_in("they hold no slot")
    for client in clients:
        client.close()
    tap.ok("their workers end", idle())


def logged_failures():
    with open(log, errors="replace") as file:
        return file.read().count("password check failed for user (alice)")


# ---- the brake ----
class Guess:
    """One answer for a caller: how long it took, when it left, and the messages
    before it."""

    def __init__(self, caller, password="wrong", user="bob", free=False,
                 pause=0):
        begun = time.monotonic()
        self.client = Client()
        self.client.hello()
        self.client.header(VERIFY, user, caller=caller)
        self.client.secret(password)
        self.told, self.told_at = 0, None
        reply = self.client.reply()
        while reply and reply[0] != lyra2d.VERDICT:
            if reply[0] == lyra2d.WAIT:
                self.told, self.told_at = reply[1], self.client.left
            reply = self.client.reply()
        self.took = time.monotonic() - begun
        self.left = self.client.left
        self.verdict = reply and reply[1]
        if free:
            self.client.tell(lyra2d.GOT)
            time.sleep(pause)
            self.client.tell(lyra2d.ADMITTED)
        self.client.close()


def gaps(guesses):
    """The seconds between these answers: a brake of 2 s makes none shorter."""
    return [b.left - a.left for a, b in zip(guesses, guesses[1:])]


def slow_modules():
    """How long clients with the correct password are told to wait for others.
    """
    told = []

    def guess():
        told.append(Guess(2010, "secret", free=True, pause=1.2).told)
    threads = [threading.Thread(target=guess) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return told


def four_held():
    """While four answers of a source are held, it gets no hash."""
    idle()
    with open("/run/lyra2/brake.1/2021", "wb") as file:
        file.write(b"damage")       # the next answer is held for a minute
    four = [ask("bob", "my-guess", caller=2021) for _ in range(4)]

    def hashed():
        with contextlib.suppress(OSError):      # what is mapped changes
            return [in_memory(int(x), b"my-guess") for x in workers()] == \
                [False] * 4
    wait_for(hashed)
    time.sleep(0.5)
    fifth = ask("bob", caller=2021)
    fifth.hello()
    tap.equal("while four answers are held, a fifth waits",
              [fifth.reply()[0] for _ in range(2)], [lyra2d.QUEUED] * 2)
    before = cpu_seconds(pid)
    time.sleep(1)
    used = cpu_seconds(pid) - before
    tap.ok("meanwhile lyra2d sleeps", used < 0.1, used)
    four.pop().close()
    tap.ok("until one of the four has gone", wait_for(
        lambda: fifth.reply()[0] == lyra2d.WORKING, 20))
    for client in four + [fifth]:
        client.close()
    idle()
    os.unlink("/run/lyra2/brake.1/2021")


def brake():
    tap.equal("no client is told of failures if there are none",
              slow_modules(), [0] * 5)
    # The worker has ended when a program says that its user is let in.
    right = [Guess(2001, "secret", free=True, pause=0.2).took
             for _ in range(8)]
    # Eight that are not take over a minute; a busy machine, some seconds.
    tap.ok("right answers that let a user in are free",
           tap.within(sum(right), 30), right)
    wrong = [Guess(2002) for _ in range(4)]
    waits = gaps(wrong)
    tap.ok("a wrong one is not: the next three wait for 2 s each",
           all(1.9 < w < 7 for w in waits), waits)
    fifth = []
    held = threading.Thread(target=lambda: fifth.append(
        Guess(2002, "secret", free=True)))
    held.start()
    others = [Guess(caller).took for caller in (2003, 2103, 2203)]
    tap.ok("other callers do not wait", min(others) < 1.5, others)
    own = Guess(1002), Guess(1002, user="alice")
    tap.ok("nor does this one for another kind of account: own, others'",
           gaps(own)[0] < 1.5 + max(others), (gaps(own), others))
    held.join()
    long = fifth[0]
    until = wrong[3].left + 8
    tap.ok("the fifth waits for 8 s, and is told so",
           long.verdict == SUCCESS and -0.1 < long.left - until < 22 and
           long.told and -0.5 < long.told_at + long.told - until < 1.5,
           (long.left - until, long.told))
    tap.ok("each is in the log", wait_for(lambda: logged(
        "password check failed for user (bob) [UID=2002]")))
    before, after = [ask("bob", "secret", caller=2002) for _ in range(2)]
    before.verdict(30)
    time.sleep(0.5)
    before.tell(lyra2d.GOT)
    before.tell(lyra2d.ADMITTED)
    after.verdict(30)
    tap.ok("one that waits for another leaves when that lets its user in",
           after.left - before.left < 8, after.left - before.left)
    before.close()
    after.close()
    dora = pwd.getpwnam("dora").pw_uid
    Guess(dora)
    held = ask("bob", caller=dora)
    own = Guess(dora, "doras-own", "dora")
    held.verdict(30)
    tap.ok("an answer about another's account does not hold one's own",
           own.left < held.left, held.left - own.left)
    held.close()
    killed = Guess(2004, "secret"), Guess(2004)
    tap.equal("a right one in a program that is killed is not free",
              (killed[0].verdict, gaps(killed)[0] > 1.9), (SUCCESS, True))
    # Without a rehash, a right one is not needed either.
    for caller, word, flags, needed in (
            (2011, "doras-own", 0, True), (2012, "no-such-word", 0, False),
            (2017, "doras-own", NO_REHASH, False)):
        Guess(caller)
        client = Client()
        client.hello()
        client.header(VERIFY, "dora", flags, caller=caller)
        client.secret(word)
        time.sleep(1)       # the answer waits for 2 s
        alive = workers()
        tap.equal("while the answer %r is held, /proc shows a worker" % word,
                  len(alive), 1)
        tap.equal("and whether it has the password, flags %d" % flags,
                  alive and in_memory(int(alive[0]), word.encode()), needed)
        client.close()
        idle()
    Guess(2016)
    clients = [ask("bob", "secret", caller=2016) for _ in range(4)]
    for client in clients:
        client.verdict(30)
        client.tell(lyra2d.GOT)
        client.tell(lyra2d.ADMITTED)
    last = ask("bob", "secret", caller=2016)
    tap.equal("four answers were held, and have left: a fifth comes",
              last.verdict(30), SUCCESS)
    for client in clients + [last]:
        client.close()
    four_held()
    configuration_changes()
    no_place()
    Guess(2013)
    first = ask("bob", caller=2013)
    time.sleep(0.5)
    second = ask("bob", caller=2013)
    time.sleep(0.5)
    first.close()
    tap.equal("who waits for another that is killed gets an answer",
              second.verdict(20), AUTH_ERR)
    second.close()
    tap.ok("nor is a wrong one, whatever the module says",
           gaps([Guess(2005, free=True), Guess(2005)])[0] > 1.9)

    def together():
        many = [Client() for _ in range(4)]
        for client in many:
            client.hello()
            client.header(VERIFY, "bob", caller=2006)
            client.secret("wrong")
        end, left = time.monotonic() + 60, []
        open_ones = {client.sock: client for client in many}
        while len(left) < 2 and time.monotonic() < end:
            for sock in select.select(list(open_ones), [], [], 1)[0]:
                reply = open_ones[sock].reply()
                if not reply or reply[0] == lyra2d.VERDICT:
                    left.append(open_ones.pop(sock).left)
        for client in many:
            client.close()
        return left
    left = sorted(together())
    tap.ok("of four at once one is answered, and one 2 s later",
           len(left) == 2 and 1.9 < left[1] - left[0] < 7, left)
    tap.ok("their workers end when the modules have gone", idle())
    unknown = gaps([Guess(2007, user="nobody-here") for _ in range(4)])
    tap.ok("what says nothing about a password is not braked",
           min(unknown) < 1.5, unknown)
    tap.equal("the files of the levels are root's alone",
              [os.stat("/run/lyra2/brake.1" + name).st_mode & 0o7777
               for name in ("", "/2002")], [0o700, 0o600])
    tap.equal("one for each caller, none for root", sorted(
        name for name in os.listdir("/run/lyra2/brake.1")
        if name.startswith("200") or name == "0"),
        ["2001", "2002", "2003", "2004", "2005", "2006"])


def timed(function, *args):
    begun = time.monotonic()
    result = function(*args)
    return result, time.monotonic() - begun


def configuration_changes():
    """While an answer is held, the administrator ends rehashing."""
    with open(conf) as file:
        before = file.read()
    with open("/etc/shadow") as file:
        lines = file.read()
    with open(conf, "w") as file:
        file.write(before.replace("never", "weaker"))
    Guess(2014)
    client = ask("bob", "secret", caller=2014)
    time.sleep(1)	# the answer waits for 2 s
    with open(conf, "w") as file:
        file.write(before)
    tap.equal("held while the configuration changes", client.verdict(), SUCCESS)
    client.tell(lyra2d.GOT)
    client.tell(lyra2d.ADMITTED)
    client.close()
    idle()
    with open("/etc/shadow") as file:
        tap.ok("what it says then counts", file.read() == lines)


def no_place():
    """No file of the brake can be made."""
    os.rename("/run/lyra2/brake.1", "/run/lyra2/brake.away")
    open("/run/lyra2/brake.1", "w").close()
    right, wrong = Guess(2015, "secret").took, Guess(2015).took
    tap.ok("no place for a file: a wrong one waits for 2 s, the right one less",
           wrong > 1.9 and tap.within(right, 1.9), (right, wrong))
    clients = [ask("bob", caller=2015) for _ in range(2)]
    left = []
    for client in clients:
        client.verdict(30)
        left.append(client.left)
        client.close()
    tap.ok("of two at once, one leaves 2 s after the other",
           abs(left[1] - left[0]) > 1.9, left)
    tap.ok("it is in the log", wait_for(lambda: logged(
        "wrong passwords are not counted: cannot write /run/lyra2/brake.1")))
    os.unlink("/run/lyra2/brake.1")
    os.rename("/run/lyra2/brake.away", "/run/lyra2/brake.1")


def brake_by_module(uid, alone=False):
    """The module's messages when the application goes on, or does not.  A
    private service is over by then."""
    def many(*caller):
        return timed(lambda: [
            try_("bob", "secret", *caller, *calls) for calls in (
                ("auth", "setcred"), ("auth",), ("auth", "quiet"))
            for _ in range(5)])
    caller = "euid:%d" % uid
    unbraked = many()[1]
    free, took = many(caller)
    tap.ok("credentials are set, or the handle ends well: free",
           tap.within(took, 5 + unbraked) and
           free == ["setcred=0"] * 5 + ["auth=0"] * 10, (free, took, unbraked))
    if alone:       # it admits a correct password at once
        return
    # At the end of the input the second call fails.
    got, took = timed(lambda: [
        try_("bob", "secret", caller, *calls)
        for calls in (("auth", "passwd"), ("auth",))])
    tap.ok("the handle ends with an error: not free",
           took > 1.9 and got[1] == "auth=0", (got, took))


FAILLOCK = """
auth required pam_faillock.so preauth dir=/run/faillock deny=100
auth [success=3 auth_err=1 authtok_err=1 cred_unavail=die default=ignore] \\
     {} skip_unix nodelay
auth [success=2 default=ignore] pam_unix.so try_first_pass nodelay
auth [default=die] pam_faillock.so authfail dir=/run/faillock deny=100
auth requisite pam_deny.so
auth required pam_permit.so
"""


def records(user):
    run = subprocess.run(["faillock", "--dir", "/run/faillock", "--user",
                          user], capture_output=True, text=True, check=False)
    return sum(line.endswith(" V") for line in run.stdout.splitlines())


def killed():
    """A user kills su as soon as the result can be known."""
    with open("/etc/pam.d/su-l", "w") as file, open("/etc/pam.d/std") as std:
        file.write(FAILLOCK.format(std.read().split()[2]))
    os.makedirs("/run/faillock", exist_ok=True)

    def guess(kill):
        before = failures("bob", 1001)
        su = subprocess.Popen([program, "/etc/pam.d", "su-l", "bob",
                               "euid:1001", "auth"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE)
        su.stdin.write(b"wrong\n")
        su.stdin.flush()
        if kill:
            wait_for(lambda: failures("bob", 1001) > before or su.poll() is not None)
            su.kill()
        su.communicate()
    guess(False)
    if records("bob") != 1:
        return tap.skip("su is killed", "pam_faillock does not work here")
    begun = time.monotonic()
    for _ in range(3):
        guess(True)
    took = time.monotonic() - begun
    told = 3 - (records("bob") - 1)
    tap.ok("su is killed: %d of 3 uncounted, in %.1f s" % (told, took),
           took > 3, (told, took))
    tap.equal("each is in the log", failures("bob", 1001), 4)

    # A user starts su so that pam_faillock cannot write its record.
    told, counted = failures("bob", 1003), records("bob")
    for limit in ["fsize=0"] + ["nofile=%d" % n for n in range(3, 9)]:
        subprocess.run(["env", "--ignore-signal=XFSZ", "prlimit",
                        "--%s" % limit, program, "/etc/pam.d", "su-l", "bob",
                        "euid:1003", "auth"], input=b"wrong\n", check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    tap.ok("su has low limits: each guess is counted", wait_for(
        lambda: failures("bob", 1003) - told == records("bob") - counted, 5),
           (failures("bob", 1003) - told, records("bob") - counted))
    return None


def failures(user, uid):
    with open(log, errors="replace") as file:
        return file.read().count(
            "password check failed for user (%s) %sservice=" % (
                user, "[UID=%d] " % uid if uid else ""))


def brake_of_users():
    brake_by_module(1004)
    # Its user must set a new password, and the old one is verified twice more.
    def change(user, *caller):
        return timed(lambda: try_(user, "secret\nsecret\nfirst-new\nfirst-new",
                                  *caller, "auth", "passwd:e", "setcred"))
    unbraked, braked = change("older"), change("aged", "euid:2018")
    tap.ok("an expired password is changed on the way in: free",
           unbraked[0] == braked[0] == "setcred=0" and
           braked[1] < unbraked[1] + 1.9, (unbraked, braked))
    # A daemon may give the name that its client sent, who would keep that
    # user out.
    for what, words, uid in (
            ("sudo is its user's", ("sudo:1003",), 1003),
            ("with pam_rhost, too", ("sudo:1003", "rhost:here"), 1003),
            ("that of an ID without an account", ("sudo:100003",), 100003),
            ("a daemon is not its client's", ("ruser:carol",), 0),
            ("wherever that is", ("ruser:carol", "rhost:here"), 0)):
        before = failures("alice", uid)
        try_("alice", "wrong", *words, "auth")
        tap.ok(what, wait_for(lambda: failures("alice", uid) > before, 20))
    brake_of_no_account()


def brake_of_no_account():
    """A user may take many IDs that have no account: subuid(5)."""
    def guess(*callers):
        return timed(lambda: [try_("bob", "wrong", "euid:%d" % uid, "auth")
                              for uid in callers])
    got, took = guess(100001, 100002)
    tap.ok("IDs without an account are one caller: the second waits",
           got == ["auth=7"] * 2 and took > 1.9, (got, took))
    tap.ok("the log has the ID of each", wait_for(lambda: [
        failures("bob", uid) for uid in (100001, 100002)] == [1, 1], 20))
    unbraked = timed(lambda: try_("bob", "wrong", "auth"))[1]
    got, took = guess(3101, 3102)
    tap.ok("two with accounts do not wait for each other",
           got == ["auth=7"] * 2 and took < 1.9 + 2 * unbraked,
           (got, took, unbraked))

    def has_a_count(uid):
        """Whether a guess of a program that found no account counts for it."""
        client = Client()
        client.hello()
        client.header(VERIFY, "bob", lyra2d.NO_ACCOUNT, caller=uid)
        client.secret("wrong")
        client.verdict()
        file = "/run/lyra2/brake.1/%d" % uid
        with contextlib.suppress(FileNotFoundError):
            os.unlink(file)
            return True
        return False
    tap.equal("an account whose lookup failed stays a caller of its own",
              [has_a_count(uid) for uid in (2019, 0xfffffffe)], [True, False])
    shutil.copy("/etc/passwd", "/run/passwd")
    subprocess.run(["sed", "-i", "/:2019:/d", "/etc/passwd"], check=True)
    tap.ok("until it is removed", not has_a_count(2019))
    shutil.move("/run/passwd", "/etc/passwd")


# ---- limits ----
def too_many_of_a_user():
    """Who has too many silent connections loses one, and nobody else does."""
    go_read, go_write = os.pipe()
    ready_read, ready_write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(go_write)
        os.setgroups([])
        os.setresgid(42, 42, 42)
        os.setresuid(1003, 1003, 1003)
        client = Client()
        client.hello()
        os.write(ready_write, b"x")
        os.read(go_read, 1)
        with contextlib.suppress(OSError):
            client.header(STATUS, "carol")
            os._exit(client.reply() is None)
        os._exit(1)
    os.close(ready_write)
    os.read(ready_read, 1)

    def seventeen():
        return [client.hello() and 1 for client in
                [Client(timeout=5) for _ in range(17)]]
    tap.equal("each of 17 connections of a user is greeted",
              as_user(1004, seventeen, 42), [1] * 17)
    os.close(go_write)
    tap.equal("another user's silent connection is still there",
              os.waitpid(child, 0)[1], 0)


def limits():
    too_many_of_a_user()
    # Silent clients, such as lyra2_chkpwd whose input does not come
    stop_read, stop_write = os.pipe()
    ready_read, ready_write = os.pipe()
    children = []
    for uid in [1001, 1003, 1004] + list(range(70000, 70060)):
        child = os.fork()
        if child == 0:
            os.close(stop_write)
            os.setgroups([])
            os.setresgid(42, 42, 42)
            os.setresuid(uid, uid, uid)
            held = []
            for _ in range(16):
                try:
                    held.append(Client(timeout=5))
                except OSError:
                    pass
            os.write(ready_write, b"x")
            os.read(stop_read, 1)
            os._exit(0)
        children.append(child)
    os.close(ready_write)
    for _ in children:
        os.read(ready_read, 1)
    root_gets_in("a thousand silent connections of users")
    tap.equal("and so does another user", as_user(
        1002, lambda: Client().ask(VERIFY, "bob", "secret"), 42), SUCCESS)
    os.close(stop_write)
    for child in children:
        os.waitpid(child, 0)
    os.close(stop_read)

    # Root programs that users start, such as su at its prompt
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    held = []
    for _ in range(2100):
        held.append(Client())
    root_gets_in("2,100 connections of root's programs, silent")
    for client in held:
        client.close()
    begun = time.monotonic()
    for _ in range(3000):
        Client().close()
    took = time.monotonic() - begun
    tap.ok("3,000 connections in a row, in %.1f s" % took,
           tap.within(took, 60))
    root_gets_in("after that")

    for accounts in (4, 40):
        colluders(accounts)
    strangers_take_turns()
    tap.ok("all of it ends", idle())


def ask(user, password="wrong", **header):
    """A client that has sent its request; lyra2d may not have read it yet."""
    client = Client()
    client.sock.send(lyra2d.header(VERIFY, user, **header))
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        client.sock.send(lyra2d.secret(password))
    return client


def colluders(accounts):
    """So many users together fill the queue with 2,600 requests."""
    hash_takes = timed(verify, "slow")[1]
    flood = [ask("slow", caller=3000 + i % accounts) for i in range(2600)]
    time.sleep(0.5)
    what = "2,600 of %d users" % accounts
    # In turn with each account, not after 2,600 hashes; other programs run, too.
    within = 5 + (accounts + 1) * hash_takes * 3
    root_gets_in(what, within)
    verdict, took = timed(lambda: verify("slow", rhost="192.0.2.77"))
    tap.ok("%s: a new host gets in, in %.1f s, by hashes of %.2f s" %
           (what, took, hash_takes), verdict == SUCCESS and
           tap.within(took, within), (verdict, took))
    closed = [0] * accounts
    for i, client in enumerate(flood):
        client.sock.settimeout(0.01)
        try:
            client.hello()
            while client.reply():
                pass
            closed[i % accounts] += 1
        except TimeoutError:
            pass
    tap.ok("%s: their newest must try again, as many of each" % what,
           sum(closed) >= 1500 and max(closed) - min(closed) < 12, closed)
    for client in flood:
        client.close()
    tap.ok("%s: all of it ends" % what, idle())


def strangers_take_turns():
    """150 su by a UID that has no line in /etc/passwd."""
    flood = [ask("slow", caller=70100) for i in range(150)]
    local, other = [timed(lambda uid=uid: verify("alice", caller=uid))
                    for uid in (1003, 70101)]
    tap.ok("150 su of a UID without a line: another one waits %.1f s, a local "
           "user %.1f s" % (other[1], local[1]),
           local[0] == other[0] == SUCCESS and tap.within(local[1], 5) and
           tap.within(other[1] - local[1], 2), (local, other))
    for client in flood:
        client.close()
    idle()


# ---- memory ----
def memory_of_service():
    """What lyra2d can write to, piece by piece."""
    with open("/proc/%d/maps" % pid) as maps:
        areas = [line.split()[0].split("-") for line in maps
                 if line.split()[1].startswith("rw")]
    with open("/proc/%d/mem" % pid, "rb", 0) as mem:
        for start, end in areas:
            mem.seek(int(start, 16))
            yield mem.read(int(end, 16) - int(start, 16))


def remains():
    """No text of the file remains in lyra2d's memory, nor what it freed."""
    with open("/etc/shadow") as file:
        stored = [line.split(":")[1] for line in file]
    # stdio reads the configuration, and does not wipe it.
    with open(conf, "a") as file:
        file.write("".join("# freed text %d\n" % i for i in range(200)))
    for name in ("alice", "bob", "slow"):
        Client().ask(STATUS, name)
    memory = list(memory_of_service())
    tap.equal("no piece of a hash stays in the service", [
        part for data in memory for field in stored for part in
        (field[i:i + 12] for i in range(0, len(field) - 11, 12))
        if part.encode() in data], [])
    tap.equal("freed memory is overwritten",
              sum(data.count(b"freed text") for data in memory), 0)


# ---- hostile clients ----
KERNEL_REFUSES = tuple(map(int, os.uname().release.split(".")[:2])) >= (6, 16)


def trespassers():
    """A member of the group fills the service with incomplete requests."""
    go, stop = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        os.setgroups([42])
        os.setresuid(1003, 1003, 1003)
        held = []
        for _ in range(2100):
            held.append(Client(timeout=5))
            held[-1].sock.send(lyra2d.header(VERIFY, "bob"))
        os.write(go[1], b"x")
        os.read(stop[0], 1)
        os._exit(0)
    os.close(go[1])
    os.read(go[0], 1)
    root_gets_in("2,100 headers without a password")
    os.write(stop[1], b"x")
    os.waitpid(child, 0)

    def lie():
        client = Client()
        client.ask(VERIFY, "alice", "wrong")
        client.tell(lyra2d.ADMITTED)
        client.close()
        return client.left
    took = -as_user(1001, lie, 42) + as_user(1001, lie, 42)
    tap.ok("a user is not believed to have been let in", took > 1.9, took)


def goes_on_sending():
    """A refused client that goes on sending still gets the result: a packet
    that nobody reads before close(2) would take it away.  Each close(2) of the
    service begins 0.3 s late."""
    tracer = subprocess.Popen(
        ["strace", "-qq", "-o", "/dev/null", "-e", "trace=close", "-e",
         "inject=close:delay_enter=300000", "-p", str(pid)],
        stderr=subprocess.DEVNULL)

    def traced():
        with open("/proc/%d/status" % pid) as file:
            return "TracerPid:\t%d\n" % tracer.pid in file.read()
    if not wait_for(lambda: traced() or tracer.poll() is not None) or \
            tracer.poll() is not None:
        return tap.skip("a client that goes on sending", "no strace here")

    def sends():
        client = Client()
        client.hello()
        client.header(VERIFY, "bob")
        select.select([client.sock], [], [], 60)	# the result is there
        time.sleep(0.1)
        with contextlib.suppress(BrokenPipeError):
            client.sock.send(b"more")
        time.sleep(1)				# closed
        return client.verdict()
    tap.equal("a refused client that goes on sending gets the result",
              as_user(1001, sends, 42), UNAVAIL)
    tracer.terminate()
    tracer.wait()


def nobody_logs():
    """Refusals are written while no process reads the log."""
    pgrep = subprocess.run(["pgrep", "-f", "devlog.py"], capture_output=True,
                           check=True)
    reader = [int(word) for word in pgrep.stdout.split()]
    for one in reader:
        os.kill(one, signal.SIGSTOP)
    with open("/proc/sys/net/unix/max_dgram_qlen") as file:
        lines = 100 + int(file.read())

    def refused():
        for _ in range(lines):
            Client(timeout=2).ask(VERIFY, "bob")
    as_user(1001, refused, 42)
    root_gets_in("nobody reads the log")
    for one in reader:
        os.kill(one, signal.SIGCONT)


def flood():
    """One user's refused requests, and another user's failures."""
    def refused():
        for _ in range(3000):
            Client().ask(VERIFY, "alice")

    def fails():
        return [Client().ask(VERIFY, "carol", "wrong") for _ in range(3)]
    before = log_lines("another user refused [UID=1002]")
    before_carol = log_lines("failed for user (carol) [UID=1003]")
    begun = time.monotonic()
    thread = threading.Thread(target=as_user, args=(1002, refused, 42))
    thread.start()
    as_user(1003, fails, 42)
    thread.join()
    took = time.monotonic() - begun

    def failures():
        return (len(log_lines("failed for user (carol) [UID=1003]")) -
                len(before_carol))
    wait_for(lambda: failures() >= 3, 5)
    tap.equal("3,000 refused questions of one user: 3 failures of another",
              failures(), 3)
    most = 2 + took / 2

    def counted():
        new = log_lines("another user refused [UID=1002]")[len(before):]
        return new, sum(int(line.split("]: ")[1].split(" more: ")[0])
                        if " more: " in line else 1 for line in new)
    wait_for(lambda: counted()[1] >= 3000, 5)
    new, total = counted()
    tap.ok("in %.1f s they make %d lines" % (took, len(new)),
           1 <= len(new) <= most, new[:5])
    tap.equal("which say how many there were", total, 3000)


def one_answer_a_turn():
    """400 requests of a source wait when another source sends one."""
    crowd, client = [Client() for _ in range(400)], Client()
    for one in crowd + [client]:
        one.hello()
    os.kill(pid, signal.SIGSTOP)
    for one in crowd:
        one.header(STATUS, "nobody-here", caller=1001)
    client.header(STATUS, "nobody-here", caller=1002)
    order = select.epoll()
    for one in crowd + [client]:
        order.register(one.sock, select.EPOLLIN | select.EPOLLET)
    os.kill(pid, signal.SIGCONT)
    # An edge is reported once, in the order of arrival.
    arrived = []
    wait_for(lambda: arrived.extend(fd for fd, _ in order.poll(0)) or
             client.sock.fileno() in arrived, 10)
    answered = arrived.index(client.sock.fileno())
    order.close()
    client.reply()
    tap.ok("another source's question comes after %d of 400" % answered,
           answered < 8)
    tap.ok("and all are answered", all(one.reply() for one in crowd))
    for one in crowd + [client]:
        one.close()


def log_lines(text):
    with open(log, errors="replace") as file:
        return [line for line in file if text in line]


def set_while_locked(count, flags, caller, old):
    """The lock, and so many clients that want to change carol's password."""
    lock = os.open("/etc/.pwd.lock", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.lockf(lock, fcntl.LOCK_EX)
    clients = [Client() for _ in range(count)]
    for client in clients:
        client.hello()
        client.header(SET, "carol", flags=flags, caller=caller)
        client.secret(old, "another-secret")
    return lock, clients


def setters():
    """One user sets passwords while another program has the lock."""
    before = open("/etc/shadow").read()
    lock, many = set_while_locked(300, 4, 1001, "")
    wait_for(lambda: len(workers()) >= 256, 5)
    root_gets_in("300 passwords to be set wait for the lock")
    wait_for(lambda: len(workers()) <= 4, 10)   # root's ends
    counts = []
    for _ in range(10):
        counts.append(len(workers()))
        time.sleep(0.1)
    tap.equal("they have four workers", max(counts), 4)
    for client in many:
        client.close()
    again = ask("carol", "secret", caller=1001)
    tap.equal("they are killed: their user gets in", again.verdict(20),
              SUCCESS)
    again.close()
    os.close(lock)
    idle()
    root_gets_in("the lock is free")
    with open("/etc/shadow", "w") as file:
        file.write(before)


def one_loses_its_place():
    """Where the queue overflows, it loses changes that verify once more."""
    before = open("/etc/shadow").read()
    lock, changes = set_while_locked(4, 2, 1003, "secret")
    wait_for(lambda: len(workers()) >= 4)
    root_gets_in("four changes wait for the lock")
    rehashed = crypt("$5$rounds=1000$saltsalt$", "secret")
    with open("/etc/shadow", "w") as file:      # rehashed meanwhile
        file.write(re.sub("(?m)^carol:[^:]*", "carol:" + rehashed, before))
    first = ask("glacial", "x" * 500)
    until_working(first)
    os.close(lock)
    time.sleep(1)       # to read the file, and to ask for a slot
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    many = [ask("slow", caller=3000 + i) for i in range(1100)]
    tap.equal("the queue overflows: their modules are to ask again",
              [until_end(client)[-1] for client in changes],
              [lyra2d.AGAIN] * 4)
    for client in (*changes, first, *many):
        client.close()
    idle()
    again = ask("bob", "secret", caller=1003)
    tap.equal("their user gets in", again.verdict(5), SUCCESS)
    again.close()
    with open("/etc/shadow", "w") as file:
        file.write(before)


def crowd():
    """The answers of more callers than there are workers are held."""
    callers = range(3000, 3260)
    # Hashes are short: each penalty, of 64 s, outlasts the making of them all.
    with open(conf, "a") as file:
        file.write("cost = 4\n")
    os.makedirs("/run/lyra2/brake.1", 0o700, exist_ok=True)
    for caller in callers:      # damaged: the longest penalty
        with open("/run/lyra2/brake.1/%d" % caller, "w") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write("x")
    for client in [ask("alice", caller=caller) for caller in callers]:
        client.verdict()
        client.close()
    clients = [ask("alice", caller=caller) for caller in callers]
    tap.ok("260 answers are held",
           wait_for(lambda: len(workers()) >= 260, 40), len(workers()))
    root_gets_in("meanwhile")
    tap.ok("they are held still", len(workers()) >= 260, len(workers()))
    for client in clients:
        client.close()
    idle()


def until_working(client):
    while client.reply()[0] != lyra2d.WORKING:
        pass


def until_end(client, patience=5):
    """The kinds of all replies, until the end or for so many seconds."""
    kinds, end = [], time.monotonic() + patience
    while (reply := client.reply()) and time.monotonic() < end:
        kinds.append(reply[0])
    return kinds


def rehashes():
    """Hashes of many users are replaced."""
    hashed = crypt("$5$rounds=1000$saltsalt$", "secret")
    before = {path: open(path).read()
              for path in ("/etc/passwd", "/etc/shadow", conf)}
    with open("/etc/passwd", "a") as file:
        file.write("".join("r%d:x:%d:100::/:/bin/sh\n" % (x, 4000 + x)
                           for x in range(300)))
    with open("/etc/shadow", "a") as file:
        file.write("".join("r%d:%s:19000::::::\n" % (x, hashed)
                           for x in range(300)))
    with open(conf, "a") as file:
        file.write("method = lyra2\nrehash = weaker\n")

    # There is one slot.  A rehash begins to wait while the first of six logins
    # has it.
    client = ask("r299", "secret")
    client.verdict()
    logins = [ask("slow", "secret") for _ in range(6)]
    until_working(logins[0])
    client.tell(lyra2d.GOT)
    until_working(logins[-1])
    tap.ok("a rehash waits behind all who log in",
           "r299:%s:" % hashed in open("/etc/shadow").read())
    for one in (*logins, client):
        one.close()
    tap.ok("and then has its turn", wait_for(
        lambda: "r299:$lyra2$" in open("/etc/shadow").read(), 20))

    idle()      # the worker of r299 has ended, too
    client = ask("r298", "secret")
    client.verdict()
    worker = int(workers()[0])
    login = ask("glacial")
    until_working(login)
    client.tell(lyra2d.GOT)
    client.close()
    time.sleep(0.5)
    os.kill(worker, signal.SIGKILL)
    login.close()
    root_gets_in("the worker of a rehash that waits for its turn is killed")

    # One waits for the lock: the only slot is free.
    lock = os.open("/etc/.pwd.lock", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.lockf(lock, fcntl.LOCK_EX)
    tries, waits = 0, False
    while not waits and tries < 5:      # it waits for 2 s
        client = ask("r%d" % tries, "secret")
        client.verdict()
        client.tell(lyra2d.GOT)
        time.sleep(0.5)
        first = set(workers())
        verify("bob")
        waits = bool(first & set(workers()))
        client.close()
        idle()
        tries += 1
    tap.ok("a rehash waits for the lock, and others log in", waits)
    os.close(lock)
    clients, got = [ask("r%d" % x, "secret") for x in range(300)], []
    for client in clients:
        got.append(client.verdict(20))
        client.tell(lyra2d.GOT)
        if got[-1] != SUCCESS:
            break
    tap.equal("300 hashes are to be replaced: all log in", got,
              [SUCCESS] * 300)
    for client in clients:
        client.close()
    tap.ok("they end", idle())
    for path, text in before.items():
        with open(path, "w") as file:
            file.write(text)


# ---- configuration, ends ----
def try_(user, password, *calls, unshare=False):
    command = [program, "/etc/pam.d", "std", user, *calls]
    if unshare:
        command = ["unshare", "-m", "sh", "-c", """
            mkdir -p /run/other && cp -a /etc /run/other
            echo 'alice:%s:19000::::::' >/run/other/etc/shadow
            chmod 640 /run/other/etc/shadow
            mount --bind /run/other/etc /etc && "$@" """ % unshare, "-",
            *command]
    run = subprocess.run(command, input=password + "\n", text=True,
                         capture_output=True, check=False)
    return run.stdout.strip().split("\n")[-1]


def held_by_brake(caller, user):
    """A client whose answer the brake holds back for longer than it takes to
    ask, however slow the machine is."""
    while True:
        client = Client()
        client.hello()
        client.header(VERIFY, user, caller=caller)
        client.secret("wrong")
        kind = client.reply()[0]
        while kind not in (lyra2d.WAIT, lyra2d.VERDICT):
            kind = client.reply()[0]
        if kind == lyra2d.WAIT:
            return client
        client.close()


def ends():
    with open(conf, "a") as file:
        file.write("minlen = 12\n")
    client = Client()
    tap.equal("a change of the configuration is seen", client.hello()[2], 12)
    client.close()

    idle()
    client = Client()
    client.hello()
    client.header(VERIFY, "slow")
    client.secret("secret")
    wait_for(workers)
    os.kill(int(workers()[0]), signal.SIGKILL)
    tap.equal("a worker is killed: no result", client.verdict(), None)
    root_gets_in("after that")

    other = crypt("$6$saltsalt$", "other")
    tap.equal("another /etc: not this service", [
        try_("alice", password, "auth", unshare=other)
        for password in ("other", "secret")], ["auth=0", "auth=7"])
    tap.equal("this /etc: this service", [
        try_("alice", password, "auth") for password in ("other", "secret")],
        ["auth=7", "auth=0"])

    os.kill(pid, signal.SIGSTOP)
    begun = time.monotonic()
    tap.equal("it is stopped: root gets in", try_("alice", "secret", "auth"),
              "auth=0")
    tap.equal("and a user", try_("alice", "secret", "euid:1002", "auth",
                                 "setcred"), "setcred=0")
    took = time.monotonic() - begun
    tap.ok("each waits 5 s", tap.within(took, 20), took)
    os.kill(pid, signal.SIGCONT)

    braked = held_by_brake(2009, "bob")
    working, waiting = Client(), Client()
    for client in (working, waiting):
        client.hello()
        client.header(VERIFY, "slow")
        client.secret("secret")
    wait_for(workers)
    waiting.reply()
    os.kill(pid, signal.SIGTERM)
    for what, client in ("waits", waiting), ("the brake holds", braked):
        kinds = []
        reply = client.reply()
        while reply:
            kinds.append(reply[0])
            reply = client.reply()
        tap.equal("its end: who %s is sent to the next one" % what,
                  (kinds[-1], lyra2d.VERDICT in kinds), (lyra2d.AGAIN, False))
    tap.equal("and so is who is worked for", working.verdict(), None)
    working.close()
    tap.ok("then it ends", wait_for(
        lambda: not os.path.exists("/run/lyra2/socket")))
    tap.equal("no service: root gets in", try_("alice", "secret", "auth"),
              "auth=0")
    tap.equal("nobody else with a wrong one", try_("alice", "wrong", "auth"),
              "auth=7")
    brake_by_module(1002, alone=True)
    _, took = timed(lambda: [try_("alice", "wrong", "euid:1002", "auth")
                             for _ in range(2)])
    tap.ok("the brake holds there, too", took > 1.9, took)
    # These requests are computed one after the other.
    begun = time.monotonic()
    many = [subprocess.Popen([program, "/etc/pam.d", "std", "slow", "auth"],
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            for _ in range(4)]
    out = [one.communicate(b"secret\n")[0] for one in many]
    tap.ok("four without a service", all(b"auth=0" in text for text in out),
           out)
    one_is_frozen()


def children(process):
    with open("/proc/%d/task/%d/children" % (process, process)) as file:
        return [int(word) for word in file.read().split()]


def one_is_frozen():
    """A user can freeze a process that has a turn, if it is in the user's
    cgroup."""
    service, client = start_private()
    client.hello()
    client.header(VERIFY, "glacial", caller=1001)
    client.secret(511 * "x")
    frozen = wait_for(lambda: children(service.pid))[0]
    wait_for(lambda: has_turns(frozen) == ["all", "user.1001"])
    os.kill(frozen, signal.SIGSTOP)
    for who in ("euid:3101", "euid:3102", "euid:0"):
        got, took = timed(try_, "alice", "secret", who, "auth", "setcred")
        tap.ok("one user's worker is frozen: %s gets in, in %.1f s" %
               (who, took), got == "setcred=0" and tap.within(took, 20), got)
    own = subprocess.Popen([program, "/etc/pam.d", "std", "bob", "euid:1001",
                            "auth"], text=True, stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE)
    own.stdin.write("secret\n")
    own.stdin.flush()
    time.sleep(2)
    tap.ok("that user itself waits", own.poll() is None)
    os.kill(frozen, signal.SIGKILL)
    tap.equal("until it has gone", own.communicate()[0].strip()[-6:],
              "auth=0")
    tap.equal("its module is to ask again", client.verdict(), None)
    tap.equal("and it ends", service.wait(20), 0)

    # A worker leaves the cgroup that the user can freeze.
    subprocess.run(["mount", "-t", "tmpfs", "none", "/sys/fs/cgroup"],
                   check=True)
    with open("/sys/fs/cgroup/cgroup.procs", "w"):
        pass
    for caller, wanted in ((0, ""), (1001, "0")):
        start_private()[1].ask(VERIFY, "alice", "secret", caller=caller)
        with open("/sys/fs/cgroup/cgroup.procs") as file:
            tap.equal("%d: whether it asks for the first cgroup" % caller,
                      file.read(), wanted)
    subprocess.run(["umount", "/sys/fs/cgroup"], check=True)


def has_turns(process):
    """The kinds of the turns whose files a process has open."""
    folder = "/proc/%d/fd/" % process
    names = [os.readlink(folder + fd) for fd in os.listdir(folder)]
    names = [name[17:] for name in names if name.startswith("/run/lyra2/turns/")]
    return sorted("all" if name.startswith("all.") else name for name in names)


class Service:
    """Another lyra2d, which the test supervises and must end."""

    def __init__(self, notify=None):
        self.run = subprocess.Popen([daemon], env={
            "NOTIFY_SOCKET": notify} if notify else {})
        wait_for(lyra2d.listens)
        self.pid = self.run.pid

    def workers(self):
        with open("/proc/%d/task/%d/children" % (self.pid, self.pid)) as file:
            return [int(word) for word in file.read().split()]

    def end(self):
        """The seconds from SIGTERM until lyra2d has ended."""
        begun = time.monotonic()
        self.run.terminate()
        ended(self.run)
        return time.monotonic() - begun


def greeted():
    try:
        return Client().hello() is not None
    except OSError:
        return False


def ends_soon():
    """lyra2d ends soon, whatever it waits for."""
    took = Service().end()
    tap.ok("nothing to wait for: it ends in %.1f s" % took,
           tap.within(took, 1))
    service = Service()
    slow, deaf = Client(), Client()
    for client in (slow, deaf):
        client.hello()
        client.header(VERIFY, "glacial")
        client.secret(511 * "x")
    wait_for(service.workers)
    until_working(slow)
    children = service.workers()
    took = service.end()
    tap.ok("a hash of 20 s and a client that reads nothing: it ends in %.1f s"
           % took, tap.within(took, 5))
    tap.equal("whose module is to ask the next one", slow.reply(), None)
    tap.ok("no worker is left", wait_for(
        lambda: not any(map(is_alive, children)), 2))
    deaf.close()

    # A worker waits for the lock of the file.
    service = Service()
    lock = os.open("/etc/.pwd.lock", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.lockf(lock, fcntl.LOCK_EX)
    client = Client()
    client.hello()
    client.header(SET, "carol", flags=4)
    client.secret("", "another-secret")
    until_working(client)
    time.sleep(0.5)
    before = open("/etc/shadow").read()
    children = service.workers()
    took = service.end()
    tap.ok("a worker that waits for the lock: it ends in %.1f s" % took,
           tap.within(took, 5))
    tap.ok("that worker, too", wait_for(
        lambda: not any(map(is_alive, children)), 2))
    tap.equal("without a result", client.verdict(), None)
    tap.ok("and nothing is stored", open("/etc/shadow").read() == before)
    service = Service()
    passwd = subprocess.Popen(
        [program, "/etc/pam.d", "std", "alice", "says:new-secret", "passwd"],
        stdout=subprocess.PIPE, text=True)
    wait_for(service.workers)
    time.sleep(0.5)
    service.end()
    service = Service()
    os.close(lock)
    said = passwd.communicate()[0]
    service.end()
    tap.ok("passwd(1) of such a worker asks the next one",
           said.endswith("passwd=0\n"), said)
    with open("/etc/shadow", "w") as file:
        file.write(before)

    # A worker has the lock, and is slow.
    with open("/etc/shadow", "a") as file:
        file.write("".join("x%d:!:19000::::::\n" % i for i in range(500000)))
    service = Service()
    client, worker = frozen_writer(service)
    threading.Timer(0.5, os.kill, (worker, signal.SIGCONT)).start()
    late = []
    thread = threading.Timer(0.2, lambda: late.append(greeted()))
    thread.start()
    took = service.end()
    thread.join()
    tap.ok("a worker that has the lock finishes, in %.1f s" % took,
           took >= 0.5 and tap.within(took, 5), took)
    tap.equal("who connects meanwhile is not greeted", late, [False])
    with open("/etc/shadow") as file:
        text = file.read()
    if took < 3.9:
        tap.equal("its module hears of it", client.verdict(), SUCCESS)
        tap.ok("what is stored", "\ncarol:$lyra2$" in text)
    else:
        tap.ok("on a slow disk: the old file or the new one", wait_for(
            lambda: not is_alive(worker), 20) and
            text.count("\n") == before.count("\n") + 500000)

    service = Service()
    client, worker = frozen_writer(service)
    os.kill(worker, signal.SIGKILL)
    tap.ok("one that is killed may have stored it: its module does not ask "
           "again", lyra2d.AGAIN not in until_end(client))
    service.end()

    service = Service()
    client, worker = frozen_writer(service)
    threading.Timer(2.5, service.run.terminate).start()
    logins = []
    login = threading.Timer(0.3, lambda: logins.append(timed(
        try_, "alice", "secret", "auth")))
    login.start()
    took = service.end()
    tap.ok("one that is frozen, and SIGTERM again after 2.5 s: it ends in "
           "%.1f s" % took, took > 3.9 and tap.within(took, 5))
    login.join()
    got, waited = logins[0]
    tap.ok("who comes meanwhile gets in, in %.1f s" % waited,
           got == "auth=0" and tap.within(waited, 2), got)
    os.kill(worker, signal.SIGKILL)
    wait_for(lambda: not is_alive(worker))
    with open("/etc/shadow", "w") as file:
        file.write(text[:text.index("x0:!")])


def frozen_writer(service):
    """A client that sets a password, and its worker, stopped with the lock."""
    client = Client()
    client.hello()
    client.header(SET, "carol", flags=4)
    client.secret("", "another-secret")
    # A worker that begins still blocks the service's signals.
    until_working(client)
    wait_for(lambda: any(map(must_finish, service.workers())), 20)
    worker = service.workers()[0]
    os.kill(worker, signal.SIGSTOP)
    tap.ok("a worker has the lock", must_finish(worker))
    return client, worker


def hostile():
    """A user with 2,000 sockets that linger, and the helper."""
    service = Service()
    user = subprocess.Popen(
        [sys.executable, lingering.__file__,
         daemon.replace("lyra2d", "lyra2_chkpwd"), "alice", "1001",
         "2000"], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    tap.equal("2,000 sockets in packets: no permission; helpers",
              user.stdout.readline().split(), ["2000", "2000"])
    root_gets_in("2,000 sockets that linger", within=5)
    took = service.end()
    tap.ok("it ends in %.1f s" % took, tap.within(took, 5))
    user.communicate("")
    tap.ok("no process is left", wait_for(lambda: subprocess.run(
        ["pgrep", "lyra2"], check=False,
        stdout=subprocess.DEVNULL).returncode == 1, 10))


def is_alive(process):
    try:
        with open("/proc/%d/stat" % process) as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def must_finish(worker):
    """Returns true if lyra2d ends only after this worker."""
    try:
        with open("/proc/%d/status" % worker) as file:
            words = dict(line.split(":", 1) for line in file)
        names = [os.readlink("/proc/%d/fd/%s" % (worker, fd))
                 for fd in os.listdir("/proc/%d/fd" % worker)]
    except OSError:
        return False
    # A worker that begins blocks it, too.
    return bool(int(words["SigBlk"], 16) >> signal.SIGTERM - 1 & 1) and \
        "/etc/.pwd.lock" in names


def switches(process):
    with open("/proc/%d/status" % process) as file:
        return next(line for line in file if line.startswith("voluntary"))


def tells():
    """The messages that lyra2d's supervisor gets."""
    with open(conf, "a") as file:
        file.write("rehash = weaker\n")
    for name in ("/run/notify", "@"):
        supervisor = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        supervisor.bind(name.strip("@"))    # the kernel chooses a name
        supervisor.settimeout(5)
        chosen = supervisor.getsockname()
        service = Service(name if chosen == name else "@" + chosen[1:].decode())
        tap.equal("%s: it is ready" % name, supervisor.recv(999),
                  b"READY=1\nSTATUS=0 hashing, 0 waiting, 0 answered, "
                  b"0 converted")
        begun = time.monotonic()
        for _ in range(20):
            verify("bob" if name[0] == "@" else "alice")
            time.sleep(0.05)
        said = [supervisor.recv(999)]
        wait_for(lambda: not service.workers())
        time.sleep(1.2)
        took = time.monotonic() - begun
        supervisor.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                said.append(supervisor.recv(999))
        tap.ok("%s: at most once a second" % name, len(said) <= took + 1,
               (said, took))
        tap.equal("%s: 20 logins, of which one converts" % name, said[-1],
                  b"READY=1\nSTATUS=0 hashing, 0 waiting, 20 answered, "
                  b"1 converted")
        before = switches(service.pid)
        time.sleep(2.5)
        tap.equal("%s: then it sleeps" % name, switches(service.pid), before)
        service.end()
        tap.equal("%s: it says that it ends" % name, supervisor.recv(999),
                  b"STOPPING=1")
        if name[0] == "/":
            os.unlink(name)
        supervisor.close()

    # A supervisor that does not read.
    supervisor = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    supervisor.bind("/run/notify")
    full = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    full.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while True:
            full.sendto(b"x", "/run/notify")
    service = Service("/run/notify")
    root_gets_in("a supervisor that does not read")
    supervisor.settimeout(5)
    said = b"x"
    with contextlib.suppress(TimeoutError):
        while said == b"x":
            said = supervisor.recv(999)
    tap.ok("it hears later what it missed", said != b"x", said)
    supervisor.close()
    root_gets_in("a supervisor that has gone")
    time.sleep(2.5)
    before = switches(service.pid)
    time.sleep(2.5)
    tap.equal("which costs no time", switches(service.pid), before)
    service.end()
    tap.ok("its own socket goes with it", not os.path.exists(lyra2d.SOCKET))


def cpu_seconds(number):
    """The CPU time that the process has used."""
    with open("/proc/%d/stat" % number) as file:
        words = file.read().rpartition(") ")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def descriptors():
    """Few descriptors, and a packet that carries one."""
    service = Service()
    client = Client()
    try:
        socket.send_fds(client.sock, [b"x"], [0])
        refused = False
    except PermissionError:
        refused = True
    client.close()
    tap.equal("descriptors over it: the kernel refuses, since Linux 6.16",
              refused, KERNEL_REFUSES)
    waits = gaps([Guess(2009, user="alice") for _ in range(2)])
    tap.ok("it knows how often a user has failed", waits[0] > 1.9, waits)
    resource.prlimit(service.pid, resource.RLIMIT_NOFILE, (60, 60))
    held = [Client() for _ in range(100)]
    root_gets_in("no descriptor is left")
    for client in held:
        client.close()
    held = [ask("glacial", "x" * 500) for _ in range(30)]
    wait_for(service.workers)
    taken = os.listdir("/proc/%d/fd" % service.pid)
    resource.prlimit(service.pid, resource.RLIMIT_NOFILE, (len(taken), 60))
    held.append(Client())
    used = cpu_seconds(service.pid)
    time.sleep(1)
    used = cpu_seconds(service.pid) - used
    tap.ok("nor one of a silent client: it tries again now and then",
           used < 0.3, used)
    resource.prlimit(service.pid, resource.RLIMIT_NOFILE, (60, 60))
    for client in held:
        client.close()
    service.end()
    tap.ok("it ends, and the socket with it", not os.path.exists(
        lyra2d.SOCKET))


def starts(count, live):
    """Starts services at once; returns those that live, and what others say.
    """
    runs = [subprocess.Popen([daemon], stderr=subprocess.PIPE, text=True)
            for _ in range(count)]
    wait_for(lambda: sum(x.poll() is None for x in runs) <= live)
    ended = [x for x in runs if x.poll() is not None]
    return ([x for x in runs if x.poll() is None],
            [(x.returncode, x.stderr.read()) for x in ended])


def alone():
    """One service lives, however many are started, until it ends."""
    left, ended = starts(12, 1)
    tap.equal("of twelve that are started at once one lives", len(left), 1)
    said = "lyra2d: another lyra2d serves /run/lyra2/socket: process %d\n"
    tap.equal("the others name it", set(ended), {(1, said % left[0].pid)})
    root_gets_in("twelve were started")
    os.kill(left[0].pid, signal.SIGSTOP)
    begun = time.monotonic()
    tap.equal("it is stopped: another ends, too", starts(1, 0)[1],
              [(1, said % left[0].pid)])
    tap.ok("at once", tap.within(time.monotonic() - begun, 1))
    left[0].kill()
    left[0].wait()
    service = Service()
    root_gets_in("it is killed: there is another")
    service.end()


def ended(run):
    """Its exit status, or None after ten seconds, when it is killed."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        return run.wait(10)
    run.kill()
    run.wait()
    return None


def renewed():
    """libcrypt is replaced while a service has the old one loaded."""
    folder = tempfile.mkdtemp()
    ctypes.CDLL("libcrypt.so.1")
    with open("/proc/self/maps") as file:
        path = next(line.split()[-1] for line in file if "libcrypt" in line)
    copy = shutil.copy(path, folder + "/libcrypt.so.1")
    for logins in True, False:
        run = subprocess.Popen([daemon], env={"LD_LIBRARY_PATH": folder})
        wait_for(lyra2d.listens)
        time.sleep(1.2)
        if logins:
            root_gets_in("libcrypt is the old one")
        os.rename(copy, copy + ".old")
        if logins:
            time.sleep(1.2)
            root_gets_in("libcrypt is missing")
            tap.equal("the service lives", run.poll(), None)
        shutil.copy(path, copy)
        time.sleep(1.2)
        Client().close()
        tap.equal("%s, the service ends, as on SIGTERM" % (
            "after logins" if logins else "before any"), ended(run), 0)
        tap.ok("its socket, too", not os.path.exists(lyra2d.SOCKET))
    shutil.rmtree(folder)


def read_only():
    """/etc cannot be written by this service, but maybe by the next."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink("/run/lyra2/renewed")     # the last such end, an hour ago
    run = subprocess.Popen(["unshare", "-m", "sh", "-ec", "mount -B /etc /etc; "
                            "mount -o remount,bind,ro /etc; exec " + daemon])
    wait_for(lyra2d.listens)
    client = Client()
    client.hello()
    client.header(SET, "carol", flags=4)
    client.secret("", "another-secret")
    reply = client.reply()
    while reply and reply[0] != lyra2d.AGAIN:
        reply = client.reply()
    client.close()
    tap.ok("a new password, but /etc is read-only: try again", reply)
    tap.equal("the service ends, and waits for no other client", ended(run), 0)


def watched():
    """A supervisor that waits for signs of life."""
    supervisor = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    supervisor.bind("/run/watchdog")
    for pid, wanted in ("", 3), ("1", 0):
        env = {"NOTIFY_SOCKET": "/run/watchdog", "WATCHDOG_USEC": "3000000"}
        if pid:
            env["WATCHDOG_PID"] = pid
        run = subprocess.Popen([daemon], env=env)
        said, deadline = [], time.monotonic() + 3.5
        while time.monotonic() < deadline:
            with contextlib.suppress(TimeoutError):
                supervisor.settimeout(max(0.01, deadline - time.monotonic()))
                said.append(supervisor.recv(999))
        signs = said.count(b"WATCHDOG=1")
        tap.ok("idle, WATCHDOG_PID=%s: %d signs of life in 3.5 s" %
               (pid, signs), wanted <= signs <= wanted + 1, said)
        run.terminate()
        ended(run)
    # Anybody may send to the socket of systemd.
    flood = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    flood.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while True:
            flood.sendto(b"x", "/run/watchdog")
    run = subprocess.Popen([daemon], env={
        "NOTIFY_SOCKET": "/run/watchdog", "WATCHDOG_USEC": "60000000"})
    wait_for(lyra2d.listens)
    time.sleep(0.5)
    supervisor.settimeout(10)
    begun, said = time.monotonic(), []
    with contextlib.suppress(TimeoutError):
        while b"WATCHDOG=1" not in said:
            said.append(supervisor.recv(999))
    took = time.monotonic() - begun
    tap.ok("its queue was full: a sign of life %.1f s after" % took,
           b"WATCHDOG=1" in said and tap.within(took, 5))
    run.terminate()
    ended(run)
    flood.close()
    supervisor.close()
    os.unlink("/run/watchdog")


tap.run(globals()[name] for name in wanted.split())
