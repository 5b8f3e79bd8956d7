#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""booted - the packages on a system that systemd has booted.

usage: booted.py DEBS

Runs as root in a container; see booted.sh.  First, requests come from programs,
units, and systems in the system.  Then faults happen to lyra2d: the correct
password still lets a user in, a wrong one never does, and /etc/shadow stays
whole.  Then many clients come at once; for comparison, the same run measures
pam_unix with yescrypt.  Prints TAP.
"""

import concurrent.futures
import contextlib
import glob
import math
import os
import re
import signal
import struct
import subprocess
import sys
import threading
import time

import clients
import lingering
import lyra2d
import pamroot
import tap
from pamroot import RIGHT, WRONG, SHADOW, put, read

CROWD = ["crowd%03d" % i for i in range(100)]
PEOPLE = ["alice", "bob", "carol", "mallory"]
FAR = "extra%02d"	# users of another source
STACKS = {
    "ours": "auth required pam_lyra2.so nodelay\n",
    "stock": "auth required pam_unix.so nodelay\n",
    "both": "auth [success=done auth_err=die default=ignore] pam_lyra2.so"
            " nodelay\nauth required pam_unix.so nodelay\n"}


# --- logins ------------------------------

def uid(name):
    return int(clients.must(["id", "-u", name]))


def login(user, word=RIGHT, by=None, stack="ours", prefix=(), **items):
    """(whether the user is let in, seconds); by: in an su that this user runs.
    """
    argv = ["pamtester"]
    for item in items.items():
        argv += ["-I", "%s=%s" % item]
    argv += [stack, user, "authenticate"]
    if by:
        argv = ["setpriv", "--ruid=%d" % uid(by), *argv]
    begun = time.monotonic()
    output = clients.run([*prefix, *argv], word + "\n")[1]
    took = time.monotonic() - begun
    let_in = "successfully authenticated" in output
    if not let_in and word == RIGHT:
        print("# %s: %s" % (user, output.strip()[-80:]))
    return let_in, took


def root(word=RIGHT):
    return login("root", word, tty="tty1")


def both_words(what, user, wanted=True, **how):
    """The correct password is let in, or not; the wrong one never."""
    tap.equal(what + ", correct password", login(user, **how)[0], wanted)
    tap.equal(what + ", wrong password", login(user, WRONG, **how)[0], False)


def within(seconds, test):
    """Waits until test() is true, or time is up."""
    deadline = time.monotonic() + seconds
    while not test() and time.monotonic() < deadline:
        time.sleep(0.05)
    return test()


def systemctl(*words):
    return clients.must(["systemctl", *words]).strip()


def served():
    """Returns true if the service answers."""
    with contextlib.suppress(OSError):
        client = lyra2d.Client(timeout=5)
        hello = client.hello()
        client.close()
        return hello is not None
    return False


def main_pid():
    return int(systemctl("show", "-P", "MainPID", "lyra2d.service"))


def processes():
    """The processes of lyra2d."""
    return [int(x) for x in clients.run(["pgrep", "-x", "lyra2d"])[1].split()]


# --- clients ------------------------------

def people():
    tap.equal("the service is enabled",
              systemctl("is-enabled", "lyra2d.service"), "enabled")
    tap.ok("and answers", served())
    for user in PEOPLE:
        clients.add_user(user)
    clients.must(["usermod", "-aG", "sudo", "alice"])
    clients.must(["newusers"], "".join(
        "%s:%s:::::/bin/sh\n" % (x, RIGHT) for x in CROWD))
    clients.chpasswd({x: RIGHT for x in [*PEOPLE, "root"]})
    for name, lines in STACKS.items():
        pamroot.write("/etc/pam.d/" + name, lines)


def programs():
    with clients.sshd():
        for name, check in clients.WAYS.items():
            put("alice", pamroot.crypt("sha512crypt", RIGHT))
            tap.attempt(name + ", wrong password",
                        lambda: not check("alice", WRONG))
            tap.attempt(name + ", correct password", check, "alice", RIGHT)
            tap.ok(name + ": there is a new hash", within(
                10, lambda: clients.stored("alice").startswith("$lyra2$")))
    tap.equal("an account sets its own", clients.passwd(
        "carol", RIGHT, "Quagga-7731x")[0], True)
    clients.chpasswd({"carol": RIGHT})


# Where the kernel cannot refuse descriptors, users ask by a program that is
# set-group-ID.
UNITS = {"MemoryMax=64M": True, "ProtectSystem=strict": True,
         "SystemCallFilter=@system-service": True, "NoNewPrivileges=yes": True,
         "User=alice": True,
         "User=alice NoNewPrivileges=yes": lyra2d.door_is_open(),
         "DynamicUser=yes SupplementaryGroups=shadow": True,
         "DynamicUser=yes": False}


def units():
    for words, wanted in UNITS.items():
        put("alice", pamroot.crypt("sha512crypt", RIGHT))
        prefix = ["systemd-run", "--quiet", "--wait", "--pipe"]
        for word in words.split():
            prefix += ["-p", word]
        both_words("a unit with " + words, "alice", wanted, prefix=prefix)
        tap.equal(words + ": a new hash", within(
            5 * wanted,
            lambda: clients.stored("alice").startswith("$lyra2$")), wanted)


def askers():
    """A service in ask_for_others makes the first request since the start."""
    clients.must(["useradd", "-r", "asker"])
    prefix = ["systemd-run", "--quiet", "--wait", "--pipe", "-p", "User=asker"]
    systemctl("restart", "lyra2d.service")
    pamroot.configure(ask_for_others="asker")
    both_words("ask_for_others", "alice", prefix=prefix)
    both_words("ask_for_others, root", "root", False, prefix=prefix)
    systemctl("restart", "lyra2d.service")
    both_words("ask_for_others, after a restart", "alice", prefix=prefix)
    pamroot.configure()
    both_words("without it", "alice", False, prefix=prefix)


def systems():
    """Without systemd: a chroot, and a chroot with the host's /run."""
    inside = ["unshare", "-m", "sh", "-ec", 'mount -t tmpfs none /run; "$@"',
              "-"]
    both_words("no systemd, root", "alice", prefix=inside)
    both_words("no systemd, a user", "alice", False, prefix=[
        *inside, "setpriv", "--reuid=alice", "--regid=alice",
        "--clear-groups"])
    for folders in (["/etc"], ["/etc", "/run"]):
        what = "chroot with its own /etc" + (", and the host's /run" * (
            len(folders) - 1))
        inside = ["unshare", "-m", "sh", "-ec", """
            mkdir -p /srv/root /srv/etc
            cp -a /etc/. /srv/etc
            mount --bind / /srv/root
            mount --bind /dev /srv/root/dev
            mount -t proc none /srv/root/proc
            mount --bind /srv/etc /srv/root/etc
            [ %d = 1 ] || mount --bind /run /srv/root/run
            exec chroot /srv/root "$@" """ % len(folders), "-"]
        put("alice", pamroot.crypt("sha512crypt", RIGHT))
        before = read(SHADOW)
        both_words(what, "alice", prefix=inside)
        clients.must([*inside, "chpasswd"], "alice:Zebra-5319x\n")
        tap.ok(what + ": passwords change there",
               "alice:$lyra2$" in read("/srv/etc/shadow"))
        tap.ok(what + ": and only there", read(SHADOW) == before)


# --- the unit ------------------------------

# An ACL as in xattr(7): root writes; the user daemon and the group read.
ACL = struct.pack("<I" + 5 * "HHI", 2, 1, 6, 2**32 - 1, 2, 4, 1,
                  4, 4, 2**32 - 1, 16, 4, 2**32 - 1, 32, 0, 2**32 - 1)
SLOW = "$5$rounds=9999999$saltsalt$" + 43 * "0"	# with LONG some 20 s
LONG = 511 * "x"


def sandbox():
    """Nothing fails that the unit's restrictions could break."""
    said = clients.run(["systemd-analyze", "security", "--no-pager",
                        "lyra2d.service"])[1]
    level = re.search(r"level for lyra2d.service: ([0-9.]+)", said)
    tap.ok("exposure of lyra2d.service: " + level.group(1),
           float(level.group(1)) <= 1.6)
    tap.equal("systemd has nothing to say about the unit", clients.run(
        ["systemd-analyze", "verify", "--man=no",
         systemctl("show", "-P", "FragmentPath", "lyra2d.service")])[1], "")
    put("alice", pamroot.crypt("sha512crypt", RIGHT))
    os.setxattr(SHADOW, "system.posix_acl_access", ACL)
    os.chown(SHADOW, uid("bob"), 42)
    before = os.stat(SHADOW)
    tap.equal("a login", login("alice")[0], True)
    tap.ok("is rehashed", within(
        10, lambda: clients.stored("alice").startswith("$lyra2$")))
    now = os.stat(SHADOW)
    tap.equal("owner and mode stay", (now.st_uid, now.st_gid, now.st_mode),
              (before.st_uid, before.st_gid, before.st_mode))
    tap.equal("so does the ACL", os.getxattr(
        SHADOW, "system.posix_acl_access"), ACL)
    os.removexattr(SHADOW, "system.posix_acl_access")
    os.chown(SHADOW, 0, 42)
    tap.ok("systemctl status says what it does", within(5, lambda: re.match(
        r"0 hashing, 0 waiting, [1-9][0-9,]* answered, [1-9]\d* converted$",
        systemctl("show", "-P", "StatusText", "lyra2d.service"))),
           systemctl("show", "-P", "StatusText", "lyra2d.service"))
    print("# " + journal("SYSCALL=|audit.*lyra2d|seccomp"))


def soon_ends():
    """The service ends soon, with a hash of 20 s and a client that reads
    nothing."""
    field = clients.stored("alice")
    put("alice", SLOW)
    client = lyra2d.Client()
    client.hello()
    client.header(lyra2d.VERIFY, "alice")
    client.secret(LONG)
    tap.ok("a slow hash has begun", within(5, lambda: len(processes()) == 2))
    begun = time.monotonic()
    systemctl("stop", "lyra2d.service")
    took = time.monotonic() - begun
    tap.ok("stopped in %.1f s" % took, took <= 5)
    tap.equal("no process is left", processes(), [])
    client.close()
    put("alice", field)


def open_files(pid):
    return len(os.listdir("/proc/%d/fd" % pid))


def descriptors():
    """A user with 2,000 sockets that linger on close, and lyra2_chkpwd."""
    systemctl("start", "lyra2d.service")
    before = open_files(1), open_files(main_pid())
    quick = root()[1], login("alice", by="bob")[1]
    user = subprocess.Popen(
        [sys.executable, lingering.__file__, "/usr/sbin/lyra2_chkpwd",
         "mallory", str(uid("mallory")), "2000"], text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    tap.equal("2,000 sockets in packets: no permission; helpers",
              user.stdout.readline().split(), ["2000", "2000"])
    for who, (let_in, took), idle in (("root", root(), quick[0]), (
            "another", login("alice", by="bob"), quick[1])):
        tap.ok("%s logs in, in %.1f s, else in %.1f s" % (who, took, idle),
               let_in and took <= idle + 1)
    user.communicate("")
    # Process 1 has some for each unit and session, which come and go.
    tap.ok("no descriptor is left", within(
        10, lambda: open_files(1) < before[0] + 100 and
        open_files(main_pid()) <= before[1]),
           (before, open_files(1), open_files(main_pid())))
    begun = time.monotonic()
    systemctl("stop", "lyra2d.service")
    took = time.monotonic() - begun
    tap.ok("stopped in %.1f s" % took, took <= 5)
    tap.equal("no process is left", clients.run(["pgrep", "lyra2"])[1], "")


def journal(pattern):
    clients.run(["journalctl", "--sync"])
    return "\n".join(line for line in clients.run(
        ["journalctl", "--no-pager", "-o", "cat"])[1].splitlines()
                     if re.search(pattern, line))


def refused(count):
    """Requests that a user may not make, with the group of lyra2_chkpwd."""
    child = os.fork()
    if child:
        return child
    with contextlib.suppress(OSError):
        os.setgroups([])
        os.setresgid(*[os.stat("/etc/shadow").st_gid] * 3)
        os.setresuid(uid("mallory"), uid("mallory"), uid("mallory"))
    for _ in range(count):
        with contextlib.suppress(OSError):
            lyra2d.Client(timeout=5).ask(lyra2d.VERIFY, "alice", "x")
    os._exit(0)


def lines():
    """One user's log lines do not suppress another user's."""
    systemctl("start", "lyra2d.service")
    begun = time.monotonic()
    child = refused(50000)
    for _ in range(6):
        login("bob", WRONG, by="carol")
    os.waitpid(child, 0)
    took = time.monotonic() - begun
    tap.equal("50,000 refused questions: 6 failures of another user", journal(
        r"failed for user \(bob\) \[UID=%d\]" % uid("carol")).count("\n") + 1,
              6)
    found = journal("another user refused.*=%d" % uid("mallory"))
    tap.ok("in %.0f s they make %d lines" % (took, found.count("\n") + 1),
           found.count("\n") < 2 + took / 2)
    tap.equal("nothing is suppressed", journal("Suppressed.*lyra2d"), "")


# --- faults of lyra2d ------------------------------

def restarts():
    """From now on, a service that was killed is soon back for the next fault.
    """
    tap.equal("it is started again after a pause",
              systemctl("show", "-P", "RestartUSec", "lyra2d.service"), "5s")
    folder = "/etc/systemd/system/lyra2d.service.d"
    os.makedirs(folder)
    pamroot.write(folder + "/test.conf", "[Service]\nRestartSec=100ms\n")
    systemctl("daemon-reload")


def default_cost():
    pamroot.write(pamroot.CONF, "method = lyra2\n")
    use("ours")


@contextlib.contextmanager
def logins_meanwhile(what, count=1, by=None):
    """Users log in all the time, with the correct and with a wrong password."""
    end, results, accepted = threading.Event(), [], []

    def go(user):
        while not end.is_set():
            results.append(login(user, by=by)[0])
            accepted.append(login(user, WRONG, by=by)[0])

    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        for user in CROWD[:count] if count > 1 else ["root"]:
            pool.submit(go, user)
        try:
            yield
        finally:
            end.set()
    tap.ok("%s: all %d are let in" % (what, len(results)),
           results and all(results), results.count(False))
    tap.ok("%s: by no wrong password" % what, not any(accepted))


def killed():
    """lyra2d is killed at each step of a login that rehashes."""
    sha = pamroot.crypt("sha512crypt", RIGHT)
    for signals in (["KILL"], ["TERM"]):
        bad, new = [], 0
        for ms in range(0, 200, 5):
            put("alice", sha)
            before = read(SHADOW)
            with concurrent.futures.ThreadPoolExecutor() as pool:
                result = pool.submit(login, "alice")
                time.sleep(ms / 1000)
                clients.run(["systemctl", "kill", "-s", *signals, "lyra2d"])
                let_in = result.result()[0]
            within(5, lambda: set(processes()) <= {main_pid()})
            whole = read(SHADOW) == before or pamroot.only_hash_differs(
                "alice", before, read(SHADOW))
            if not let_in or not whole:
                bad.append((ms, let_in, whole))
            new += read(SHADOW) != before
        tap.equal("SIG%s at any moment of a login" % signals[0], bad, [])
        print("# %d of 40 have a new hash" % new)
    tap.ok("the service is back", within(15, served))


def worker_killed():
    stop = threading.Event()

    def kill_workers():
        count = 0
        while not stop.is_set() and count < 3:
            for pid in set(processes()) - {main_pid()}:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    count += 1
            time.sleep(0.01)

    hunter = threading.Thread(target=kill_workers)
    hunter.start()
    tap.ok("a worker is killed, as for memory", login("alice")[0])
    stop.set()
    hunter.join()


def stopped():
    served()
    pid = main_pid()
    os.kill(pid, signal.SIGSTOP)
    both_words("stopped, root", "root", tty="tty1")
    timer = threading.Timer(8, os.kill, (pid, signal.SIGCONT))
    timer.start()
    tap.equal("stopped for a while: su", login("alice", by="bob")[0], True)
    timer.join()
    tap.ok("it goes on", within(10, served))
    pid = main_pid()
    os.kill(pid, signal.SIGSTOP)
    tap.ok("stopped for good: within a minute there is another",
           within(60, lambda: main_pid() not in (0, pid)) and
           within(10, served))


def crashes():
    with logins_meanwhile("100 SIGSEGV in 10 s"):
        for _ in range(100):
            pid = main_pid()
            with contextlib.suppress(ProcessLookupError):
                if pid > 0:
                    os.kill(pid, signal.SIGSEGV)
            time.sleep(0.1)
    tap.ok("the service is back", within(15, served))


def no_socket():
    os.unlink(lyra2d.SOCKET)
    both_words("no socket, root", "root", tty="tty1")
    both_words("no socket, su", "alice", by="bob")
    systemctl("restart", "lyra2d.service")
    tap.ok("a restart makes one", served())
    levels = os.listdir("/run/lyra2/brake.1")
    systemctl("stop", "lyra2d.service")
    tap.ok("a unit that stops removes it", not os.path.exists(lyra2d.SOCKET))
    tap.ok("and keeps what wrong passwords cost", levels and
           os.listdir("/run/lyra2/brake.1") == levels, levels)
    both_words("stopped, root", "root", tty="tty1")
    both_words("stopped, su", "alice", by="bob")
    systemctl("start", "lyra2d.service")
    tap.ok("there is one again", served())


def full_run():
    clients.must(["mount", "-o", "remount,size=1m", "/run"])
    clients.run(["dd", "if=/dev/zero", "of=/run/filler", "bs=4k"])
    both_words("/run is full", "alice", by="bob")
    systemctl("kill", "-s", "KILL", "lyra2d")
    both_words("/run is full, the service was killed", "alice", by="bob")
    os.unlink("/run/filler")


def upgraded():
    """After an upgrade, there is another service."""
    pid = main_pid()
    with logins_meanwhile("an upgrade", 40):
        install()
    tap.ok("the service is another", within(10, served) and
           main_pid() not in (0, pid))


# --- many clients ------------------------------

def far_users():
    """Users of another name service."""
    clients.must(["sed", "-i", "-E", "s/^(passwd|shadow):.*/& extrausers/",
                  "/etc/nsswitch.conf"])
    hashed = pamroot.crypt("yescrypt", RIGHT)
    pamroot.write("/var/lib/extrausers/passwd", "".join(
        "%s:x:%d:100::/:/bin/sh\n" % (FAR % i, 5000 + i) for i in range(40)))
    pamroot.write("/var/lib/extrausers/shadow", "".join(
        "%s:%s:19000:0:99999:7:::\n" % (FAR % i, hashed) for i in range(40)))


def hosts(count, host="192.0.2.1"):
    return [{"user": x, "rhost": host} for x in CROWD[:count]]


BURSTS = {
    "20 users of a host": hosts(20), "30 users of a host": hosts(30),
    "50 users of a host": hosts(50), "100 users of a host": hosts(100),
    "100 hosts": [{"user": x, "rhost": "203.0.113.%d" % i}
                  for i, x in enumerate(CROWD)],
    "50 su": [{"user": "bob", "by": "alice"}] * 50,
    "200 sudo": [{"user": "alice", "by": "alice"}] * 200,
    "40 users of another source": [{"user": FAR % i} for i in range(40)],
}


def at_once(whole):
    """(the number of refused logins, seconds until the last one has its
    result)"""
    begun = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(len(whole)) as pool:
        results = list(pool.map(lambda x: login(**x), whole))
    return [x[0] for x in results].count(False), time.monotonic() - begun


def use(stack):
    """Gives all users a hash as the stack would make it."""
    field = pamroot.crypt("yescrypt", RIGHT)
    if stack != "stock":
        clients.chpasswd({"alice": RIGHT})
        field = clients.stored("alice")
    pamroot.edit(SHADOW, "(?m)^(root|%s):[^:]*" % "|".join(PEOPLE + CROWD),
                 lambda x: x.group(1) + ":" + field)


def seconds(command, text):
    """How long a command takes, the best of several."""
    def once():
        begun = time.monotonic()
        clients.must(command, text)
        return time.monotonic() - begun
    return min(once() for _ in range(9))


def as_pam_unix():
    """Configures a hash that takes about as long as pam_unix's, or less."""
    stock = seconds(["mkpasswd", "-s", "-m", "yescrypt"], RIGHT + "\n")
    for cols in range(384, 64, -32):
        ours = seconds(["lyra2", "hash", "--cost", "11", "--cols", str(cols)],
                       RIGHT + "\n")
        if ours <= stock:
            break
    print("# cols = %d: %.0f ms, yescrypt %.0f ms" % (
        cols, ours * 1000, stock * 1000), flush=True)
    pamroot.configure(cost=11, cols=cols)


def bursts():
    # For users of another name service, one hash is computed before pam_unix's
    # own.
    as_pam_unix()
    for what, whole in BURSTS.items():
        took = {}
        for stack in ("stock", "ours"):
            use(stack)
            if "source" in what and stack == "ours":
                stack = "both"
            refused, took[stack] = at_once([{**x, "stack": stack}
                                            for x in whole])
            tap.equal("%s, %s: how many are refused" % (what, stack),
                      refused, 0)
        stock, ours = took.values()
        factor = 4 if "source" in what else 1.5
        tap.ok("%s: in %.1f s, by pam_unix in %.1f s" % (what, ours, stock),
               ours <= stock * factor)


def guessers():
    """A correct password from a host from which 40 clients guess."""
    default_cost()
    worst = {}
    for stack in ("stock", "ours"):
        use(stack)
        end = threading.Event()

        def guess():
            while not end.is_set():
                login("bob", WRONG, stack=stack, rhost="192.0.2.1")

        with concurrent.futures.ThreadPoolExecutor(40) as pool:
            for _ in range(40):
                pool.submit(guess)
            time.sleep(2)
            results = [login(x, stack=stack, rhost="192.0.2.1")
                       for x in CROWD[:10]]
            end.set()
        tap.ok("40 guessers on that host, %s: let in" % stack,
               all(x[0] for x in results))
        worst[stack] = max(x[1] for x in results)
    tap.ok("40 guessers: in %(ours).1f s, by pam_unix in %(stock).1f s" % worst,
           worst["ours"] <= 2 * worst["stock"])


def memory():
    """The memory in bytes that lyra2d and its workers have."""
    total = 0
    for pid in processes():
        with contextlib.suppress(OSError, StopIteration):
            total += next(int(x.split()[1]) << 10 for x in read(
                "/proc/%d/status" % pid).splitlines()
                if x.startswith("RssAnon"))
    return total


def siege(stack):
    """600 su at once by one user, with wrong passwords, for a minute at most.
    Returns the slowest login of root and of others meanwhile, the most memory,
    and what the 600 said."""
    crowd = subprocess.Popen(
        ["sh", "-c", "for i in $(seq 600); do setpriv --ruid=$0 pamtester $1 "
         "root authenticate </tmp/word >>/tmp/said.$1 2>&1 & done; wait",
         str(uid("mallory")), stack], start_new_session=True)
    slowest, most = {"root": 0, "others": 0}, [0]
    end = time.monotonic() + 60

    def watch():
        while crowd.poll() is None:
            most[0] = max(most[0], memory())
            time.sleep(0.02)

    watcher = threading.Thread(target=watch)
    watcher.start()
    while crowd.poll() is None and time.monotonic() < end:
        for who, how in {"root": {"user": "root", "tty": "tty1"},
                         "others": {"user": "alice", "by": "carol"}}.items():
            let_in, took = login(stack=stack, **how)
            slowest[who] = max(slowest[who], took if let_in else math.inf)
    with contextlib.suppress(ProcessLookupError):       # they have ended
        os.killpg(crowd.pid, signal.SIGKILL)
    crowd.wait()
    watcher.join()
    return slowest, most[0], read("/tmp/said." + stack)


def wrong_su():
    """Many su at once, with wrong passwords: the brake lets few answers leave.
    """
    pamroot.write("/tmp/word", WRONG + "\n")
    use("stock")
    stock = siege("stock")[0]
    default_cost()
    idle = {"root": max(root()[1] for _ in range(20)), "others": max(
        login("alice", by="carol")[1] for _ in range(20))}
    ours, most, said = siege("ours")
    for who, took in ours.items():
        tap.ok("600 wrong su: %s: in %.1f s, with pam_unix in %.1f s, "
               "without them in %.1f s" % (who, took, stock[who], idle[who]),
               took <= max(stock[who], idle[who] + 1))
    tap.equal("600 wrong su: who is let in", said.count("success"), 0)
    print("# %d are answered" % said.count("Authentication failure"))
    bound = (max(2, os.cpu_count()) + 1) * clients.MATRIX + (32 << 20)
    tap.ok("600 wrong su: %d MiB" % (most >> 20),
           clients.MATRIX // 2 < most <= bound)


# --- all of it ------------------------------

def install():
    """What dpkg says."""
    return clients.must(["dpkg", "-i", *(
        glob.glob("%s/%s_*.deb" % (sys.argv[1], x))[0] for x in
        ("liblyra2-0", "libpam-lyra2-bin", "libpam-lyra2", "lyra2"))])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    install()
    pamroot.without_delays()
    pamroot.configure()
    tap.run((people, programs, sandbox, soon_ends, descriptors, lines, units,
             askers, systems, default_cost, restarts, killed, worker_killed,
             stopped, crashes, no_socket, full_run, upgraded, far_users, bursts,
             guessers, wrong_su))


if __name__ == "__main__":
    main()
