# SPDX-License-Identifier: BSD-2-Clause
"""Workers of lyra2d, public and private, stopped while they compute a hash.

	proc.py PID TRY LYRA2D CONF

PID is the service, CONF its configuration.  The hashes of alice and large take
seconds.
"""
import contextlib
import ctypes
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys

import lyra2d
import tap
from processes import wait_for

libc = ctypes.CDLL(None, use_errno=True)

service, TRY, daemon = int(sys.argv[1]), *sys.argv[2:4]
MIB = 1 << 20
SIGNALS = 1 << signal.SIGPIPE - 1 | 1 << signal.SIGXFSZ - 1
PR_SET_TIMERSLACK, PR_SET_THP_DISABLE, UNAME26, MPOL_BIND = 29, 41, 0x20000, 2
# <asm/unistd.h>; elsewhere the memory policy is not tried.
SET_MEMPOLICY = {"x86_64": 238, "aarch64": 237}.get(os.uname().machine, -1)
USUAL = (1 << 31) - 1     # without the two signals that libc keeps for itself
NONE = "unlimited"


def read(pid, name):
    with open("/proc/%d/%s" % (pid, name)) as file:
        return file.read()


def children(pid):
    return [int(x) for x in read(pid, "task/%d/children" % pid).split()]


def status(pid):
    return dict(line.split(":\t", 1)
                for line in read(pid, "status").splitlines() if ":\t" in line)


def limits(pid):
    """The limits (soft, hard), by name."""
    return {line[:26].strip(): (line[26:47].strip(), line[47:68].strip())
            for line in read(pid, "limits").splitlines()[1:]}


def files(pid):
    """The open files of a process, by number.  It may close some meanwhile,
    such as the connection by which wait_for() saw that it listens."""
    folder, found = "/proc/%d/fd/" % pid, {}
    for fd in os.listdir(folder):
        with contextlib.suppress(FileNotFoundError):
            found[int(fd)] = os.readlink(folder + fd)
    return found


def stat(pid):
    """The fields of /proc/PID/stat, from the third one on."""
    return read(pid, "stat").rpartition(") ")[2].split()


def memory(pid):
    """The policy of each mapping, where the kernel knows several nodes."""
    try:
        return read(pid, "numa_maps").splitlines()
    except FileNotFoundError:
        return []


def hashing(pid):
    """Returns pid if this process computes a hash, and not, for example, whether
    the user has a password."""
    try:
        return int(stat(pid)[11]) >= 5 and pid
    except FileNotFoundError:
        return None


def stopped(pid):
    """Waits until a process that computes a hash is stopped."""
    wait_for(lambda: hashing(pid))
    os.kill(pid, signal.SIGSTOP)
    return wait_for(lambda: status(pid)["State"].startswith("T"))


def alike(what, pid, groups=""):
    """Tests for both; a worker has the groups that root gave lyra2d."""
    about, limit = status(pid), limits(pid)
    for name in "Uid", "Gid":
        tap.equal("%s: %s" % (what, name), about[name], "0\t0\t0\t0")
    tap.equal("%s: groups '%s'" % (what, groups), about["Groups"].strip(),
              groups)
    tap.equal(what + ": umask", about["Umask"], "0077")
    for name, wanted in ("SigBlk", 0), ("SigIgn", SIGNALS), ("SigCgt", 0):
        tap.equal("%s: %s" % (what, name), int(about[name], 16) & USUAL,
                  wanted)
    for name in "file size", "cpu time", "data size", "stack size":
        tap.equal("%s: %s" % (what, name), limit["Max " + name], (NONE, NONE))
    tap.equal(what + ": processes, soft and hard", *limit["Max processes"])
    tap.equal(what + ": no core", limit["Max core file size"], ("0", "0"))
    tap.equal(what + ": open files", limit["Max open files"], ("8192",) * 2)
    space = limit["Max address space"]
    tap.ok("%s: memory, %s" % (what, space), space[0] != NONE and
           32 * MIB < int(space[0]) < 64 * MIB)
    tap.equal(what + ": directory", os.readlink("/proc/%d/cwd" % pid), "/")
    tap.equal(what + ": CPUs", about["Cpus_allowed_list"],
              status(os.getpid())["Cpus_allowed_list"])


def check_files(what, pid, sockets, *others):
    """The files beyond standard input, output and error: the log, and these."""
    have = files(pid)
    if os.path.exists("/dev/log"):
        sockets += 1
    kinds = sorted(x.split(":")[0] for fd, x in have.items() if fd > 2)
    tap.equal(what + ": files", kinds,
              sorted(["socket"] * sockets + list(others)))


def worker():
    with open("/proc/%d/oom_score_adj" % service, "w") as file:
        file.write("100")
    quiet = [lyra2d.Client() for _ in range(5)]
    client = lyra2d.Client()
    client.hello()
    client.header(lyra2d.VERIFY, "alice")
    client.secret("wrong")
    wait_for(lambda: children(service))
    pid = children(service)[0]
    tap.ok("a worker works", stopped(pid))
    alike("worker", pid, " ".join(map(str, os.getgroups())))
    tap.equal("worker: it goes first without memory",
              read(pid, "oom_score_adj"), "0\n")
    # Sockets to its module and to the service; the lock is the service's.
    check_files("worker", pid, 2, "/run/lyra2/lock")
    beside = lyra2d.Client()
    beside.hello()
    beside.header(lyra2d.VERIFY, "alice")
    beside.secret("wrong")
    wait_for(lambda: len(children(service)) > 1)
    second = [x for x in children(service) if x != pid][0]
    stopped(second)
    check_files("a second worker", second, 2, "/run/lyra2/lock")
    os.kill(second, signal.SIGKILL)
    tap.ok("the service: no core", limits(service)["Max core file size"] ==
           ("0", "0"))
    os.kill(pid, signal.SIGCONT)
    os.kill(pid, signal.SIGTERM)
    tap.ok("worker: SIGTERM ends it", wait_for(lambda: not children(service)))
    for other in quiet:
        other.close()


def spaces(conf):
    """The memory of a worker is that of the configured and the stored hash."""
    def space(user):
        client = lyra2d.Client()
        client.hello()
        client.header(lyra2d.VERIFY, user)
        client.secret("wrong")
        pid = wait_for(lambda: children(service))[0]
        stopped(pid)
        most = int(limits(pid)["Max address space"][0])
        os.kill(pid, signal.SIGKILL)
        wait_for(lambda: not children(service))
        client.close()
        return most // MIB
    with open(conf) as file:
        before = file.read()
    for line, user, wanted in (
            ("cost=12", "alice", 96 + 32),
            ("method=yescrypt\ncrypt_cost=8", "alice", 128 + 32),
            ("method=yescrypt\ncrypt_cost=8\ncost=13", "alice", 192 + 32),
            ("cost=4\nmax_memory=1G", "large", 768 + 32)):
        with open(conf, "w") as file:
            file.write("rehash=never\n%s\n" % line)
        most = space(user)
        tap.ok("worker: %s, %s: %d MiB" % (" ".join(line.split()), user, most),
               wanted <= most < wanted + 2)
    with open(conf, "w") as file:
        file.write(before)


def newest(name):
    found = subprocess.run(["pgrep", "-n", "-x", name], text=True,
                           stdout=subprocess.PIPE, check=False).stdout
    return int(found or 0)


def be_hostile():
    """Acts as a user who starts su(1); only a real root can lift a hard limit.
    """
    for name in "FSIZE", "AS", "DATA", "CPU", "CORE", "NOFILE", "NPROC":
        what = getattr(resource, "RLIMIT_" + name)
        resource.setrlimit(what, ({"NOFILE": 256, "NPROC": 4096}.get(name, 200 * MIB),
                                  resource.getrlimit(what)[1]))
    os.nice(7)
    libc.prctl(PR_SET_TIMERSLACK, 10**8, 0, 0, 0)
    libc.prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0)
    libc.personality(UNAME26)
    node = ctypes.c_ulong(1)
    libc.syscall(SET_MEMPOLICY, MPOL_BIND, ctypes.byref(node), 64)
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    os.umask(0)
    os.setgroups([7, 8, 100])
    os.chdir("/tmp")
    for sig in signal.SIGTERM, signal.SIGALRM, signal.SIGCHLD:
        signal.signal(sig, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGHUP})
    for timer in signal.ITIMER_VIRTUAL, signal.ITIMER_PROF:
        signal.setitimer(timer, 900)
    signal.setitimer(signal.ITIMER_REAL, 900)
    os.dup2(0, 77, inheritable=True)
    os.setresgid(1001, 1001, 0)
    os.setresuid(1001, 0, 0)


def has_turns(what, pid, *wanted):
    """Tests which files of turns a private service has, and returns them."""
    turns = [x for x in files(pid).values() if "/turns/" in x]
    tap.equal("%s: its turns" % what, sorted(
        re.sub(r"(all|root)\.\d+$", r"\1.N", x.split("/turns/")[1])
        for x in turns), list(wanted))
    return turns


def alone():
    os.kill(service, signal.SIGTERM)
    wait_for(lambda: not os.path.exists(lyra2d.SOCKET))
    app = subprocess.Popen(["ionice", "-c", "3", TRY, "/etc/pam.d", "std",
                            "alice", "auth"],
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                           env={"PATH": "/bin", "LANG": "C", "TZ": "X"},
                           preexec_fn=be_hostile)
    app.stdin.write(b"wrong\n")
    app.stdin.flush()
    pid = wait_for(lambda: hashing(newest("lyra2d")))
    main = int(stat(pid)[1])
    tap.equal("it has a session of its own", (stat(pid)[3], stat(main)[3]),
              (stat(main)[1],) * 2)
    tap.equal("private: memory before a hash", limits(main)[
        "Max address space"][0], NONE)
    tap.ok("it is no child of the application", stat(main)[1] != str(app.pid))
    tap.ok("it works", stopped(pid))
    alike("private", pid)
    tap.equal("private: no environment", read(pid, "environ"), "")
    tap.equal("private: nice", stat(pid)[16], "0")
    tap.equal("private: no policy of a scheduler", stat(pid)[38], "0")
    tap.equal("private: no class of I/O", subprocess.run(
        ["ionice", "-p", str(pid)], stdout=subprocess.PIPE, text=True,
        check=False).stdout.split(":")[0], "none")
    tap.equal("private: timers", read(pid, "timerslack_ns"), "50000\n")
    tap.equal("private: score without memory", read(pid, "oom_score_adj"), "0\n")
    tap.equal("private: personality", read(pid, "personality"), "00000000\n")
    tap.equal("private: huge pages", status(pid).get("THP_enabled", "1"), "1")
    policies = {line.split()[1] for line in memory(pid)}
    tap.ok("private: memory policy, %s" % policies, policies <= {"default"})
    tap.equal("private: output", [files(pid)[fd] for fd in (1, 2)],
              ["/dev/null"] * 2)
    # one to its module, one to the service; the turn of the user, and one of all
    turns = has_turns("private", pid, "all.N", "user.1001")
    check_files("private", pid, 2, *turns)
    inodes = [":%d " % os.stat(x).st_ino for x in turns]
    with open("/proc/locks") as file:
        locks = [line.split()[1:4] for line in file
                 if any(inode in line for inode in inodes)]
    tap.equal("it has their locks", locks,
              [["FLOCK", "ADVISORY", "WRITE"]] * 2)
    os.kill(pid, signal.SIGKILL)
    app.communicate()


def rehashes(conf):
    """Root's program takes no time to verify: what computes is the new hash."""
    with open(conf, "w") as file:
        file.write("method = lyra2\ncost = 12\nt_cost = 100\n")
    app = subprocess.Popen([TRY, "/etc/pam.d", "std", "weak", "auth"],
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    app.stdin.write(b"secret\n")
    app.stdin.flush()
    pid = wait_for(lambda: hashing(newest("lyra2d")))
    tap.ok("a login replaces the hash", stopped(pid))
    has_turns("rehash", pid, "root.N")
    os.kill(pid, signal.SIGKILL)
    tap.equal("it is killed: the user is in", app.communicate()[0].split()[-1],
              b"auth=0")


def nothing_open():
    """Root starts the service with closed descriptors, and no kernel or libc
    opens them, as for a set-user-ID program.  Libraries write to them."""
    for what, command, instead in (
            ("", [daemon], "/dev/null"),
            (", without /dev/null", [
                "unshare", "-m", "sh", "-c",
                "mount -t tmpfs none /dev && exec " + daemon], "/")):
        started = subprocess.Popen(
            command, preexec_fn=lambda: os.closerange(0, 3))
        wait_for(lyra2d.listens)
        wait_for(lambda: read(started.pid, "comm") == "lyra2d\n")
        tap.equal("the service with nothing open%s" % what,
                  [files(started.pid)[fd] for fd in range(3)], [instead] * 3)
        client = lyra2d.Client()
        tap.ok("it says hello", client.hello())
        client.close()
        started.terminate()
        started.wait()


def in_proot():
    """proot(1) reads the memory of its programs, without any right."""
    ours, passed = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.settimeout(20)
    child = subprocess.Popen(
        ["setpriv", "--reuid", "1", "--clear-groups", "proot", "-0", daemon,
         "--private"], stdin=passed, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)
    passed.close()
    hello = ours.recv(99)
    ours.close()
    said = child.communicate(timeout=20)[0]
    tap.ok("in proot, it says hello", hello[:4] == b"1D2L",
           (hello, child.returncode, said))


worker()
spaces(sys.argv[4])
alone()
rehashes(sys.argv[4])
nothing_open()
if shutil.which("proot"):
    in_proot()
tap.done()
