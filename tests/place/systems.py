# SPDX-License-Identifier: BSD-2-Clause
"""Wherever pam_unix lets a user in, pam_lyra2 does, and as soon: the table.

Each row is a system; see place.py for what happens in it.
"""
import contextlib
import os
import signal
import socket
import struct

import lyra2d
import place
from place import DAEMON, JOIN, Row, cgroup, listen, ours, run, write


# ---- the service ----
def stop(service):
    service.send_signal(signal.SIGSTOP)


def full_backlog(_):
    HELD.append(listen(backlog=0))
    with contextlib.suppress(BlockingIOError):
        while True:
            sock = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            sock.setblocking(False)
            HELD.append(sock)
            sock.connect(lyra2d.SOCKET)


HELD = []


def hello(number=lyra2d.PROTOCOL, etc="/etc"):
    """A packet that is made when it is sent."""
    return lambda: struct.pack(
        "=IIQQII", lyra2d.MAGIC, number, os.stat(etc).st_dev,
        os.stat(etc).st_ino, 6, 511)


def says(*packets, close_after=None):
    """A service that says these packets, receives close_after ones, and is
    silent or closes."""
    def serve(sock):
        with contextlib.suppress(OSError):
            for packet in packets:
                sock.send(packet())
            if close_after is not None:
                for _ in range(close_after):
                    sock.recv(4096)
                sock.close()
    return lambda _: listen(serve)


def stale(_):
    listen().close()


# ---- files ----
def remove(*paths):
    def do(*_):
        for path in paths:
            run("rm", "-rf", path)
    return do


def mounted(path, options):
    """Mounts the directory anew with these options; its files stay."""
    def do(*_):
        run("mount", "--bind", path, path)
        run("mount", "-o", "remount,bind," + options, path)
    return do


def full(path):
    """Not a byte is left, and no inode."""
    def do(*_):
        used = len(run("find", path).split())
        run("mount", "-o", "remount,size=256k,nr_inodes=%d" % (used + 1), path)
        with contextlib.suppress(OSError), open(path + "/fill", "wb") as file:
            while True:
                file.write(bytes(4096))
                file.flush()
    return do


def all_of(*functions):
    def do(*args):
        for function in functions:
            function(*args)
    return do


def in_place_of_lyra2d(mode, text=""):
    """The program is another file, with this mode; without, it is missing."""
    def do(*_):
        folder = os.path.dirname(DAEMON)
        others = {x: folder + "/" + x for x in os.listdir(folder)}
        run("cp", "-a", *others.values(), place.TOP)
        run("mount", "-t", "tmpfs", "-o", "mode=755", "none", folder)
        run("cp", "-a", *(place.TOP + "/" + x for x in others), folder)
        os.unlink(DAEMON)
        if mode:
            write(DAEMON, text)
            os.chmod(DAEMON, mode)
    return do


def remount_etc(_):
    """The service keeps what it saw at its start, in namespaces of its own."""
    run("mount", "-o", "remount,bind,rw", "/etc")


def slow():
    """Each hash takes some seconds: many rounds, and little CPU for ours."""
    hashed = run("perl", "-e", "print crypt('secret', "
                 "'$6$rounds=3000000$saltsalt$')")
    lines = [x.split(":") for x in place.read("/etc/shadow").splitlines()]
    write("/etc/shadow", "".join(":".join([x[0], hashed, *x[2:]]) + "\n"
                                 for x in lines))
    cgroup("cpu", **(CPU if ours() else {}))


def converted():
    """What is wrong with the hashes of those who logged in."""
    lines = [x for x in place.read("/etc/shadow").splitlines()
             if x.startswith(("dave:", "erin:"))]
    return "".join(x for x in lines if ours() and ":$lyra2$" not in x)


OLD_GROUPS = os.path.isdir("/sys/fs/cgroup/memory")
CPU = {"cfs_quota_us": 15000} if OLD_GROUPS else {"max": "15000 100000"}
SERVICE = (
    Row("nothing special"),
    Row("lyra2d is stopped", after=stop, silent=True),
    Row("nobody accepts", service=False, after=full_backlog, silent=True),
    Row("no hello comes", service=False, after=says(), silent=True),
    Row("silence after the hello", service=False, after=says(hello()),
        silent=True),
    Row("it closes at once", service=False, after=says(close_after=0)),
    Row("it closes after the hello", service=False,
        after=says(hello(), close_after=0), long=True),
    Row("it closes after the question", service=False,
        after=says(hello(), close_after=1), long=True),
    # passwd asks for the status first, and hears nothing.
    Row("it closes after the password", service=False, silent=True,
        after=says(hello(), close_after=2), long=True),
    Row("another protocol", service=False,
        after=says(hello(lyra2d.PROTOCOL + 1))),
    Row("another /etc", service=False, after=says(hello(etc="/"))),
    Row("garbage for a hello", service=False, after=says(lambda: b"x" * 32),
        long=True),
    Row("a socket that nobody listens at", service=False, after=stale),
    Row("no socket", service=False),
    Row("no socket, and a hash is converted", service=False, wrong=False,
        ways=("sudo", "root"), check=converted),
    Row("a hash of many seconds", before=slow, service=JOIN,
        outer=JOIN, ways=("root",), seconds=30, long=True, wrong=False),
    Row("a hash of many seconds, no service", before=slow, long=True,
        service=False, outer=JOIN, ways=("root",), seconds=30, wrong=False),
    Row("no /run/lyra2", after=remove("/run/lyra2")),
    Row("/run/lyra2 is a file", service=False,
        before=lambda: write("/run/lyra2", "")),
    Row("/run/lyra2 is a link to nothing", service=False,
        before=lambda: os.symlink("nothing", "/run/lyra2"), long=True),
    Row("/run/lyra2/socket is a file", service=False, before=all_of(
        lambda: os.mkdir("/run/lyra2"),
        lambda: write("/run/lyra2/socket", "")), long=True),
    Row("/run is read-only", service=False, before=mounted("/run", "ro")),
    Row("/run is read-only, and the service is there",
        after=mounted("/run", "ro"), long=True),
    Row("/run is full", service=False, before=full("/run")),
    Row("/run is full, and the service is there", after=full("/run"),
        long=True),
    # passwd(1) asks such a service again for half a second.
    Row("/etc was read-only when lyra2d started", before=mounted("/etc", "ro"),
        service=("unshare", "-m"), after=remount_etc, seconds=3),
    Row("/etc is read-only", before=mounted("/etc", "ro"),
        ways=("su", "sudo", "root")),
    Row("/etc is full", before=full("/etc"), long=True),
    # A stack for new passwords does not go on to pam_unix after an error.
    Row("the program is missing", service=False, stack="both",
        ways=("su", "sudo", "root"),
        before=in_place_of_lyra2d(0), logs="<82>.*lyra2d"),
    Row("the program is no program", service=False, stack="both",
        ways=("su", "sudo", "root"),
        before=in_place_of_lyra2d(0o644), logs="<82>.*lyra2d"),
)

# ---- programs that are locked into something ----
def sh(text):
    """Words that run a shell's commands before the program."""
    return ("sh", "-c", text + '; exec "$0" "$@"')


def without(error, *calls):
    return tuple("%s=%s" % (x, error) for x in calls)


def locked(*rules):
    """A kernel, or a sandbox around the system: the service is in it, too."""
    return {"rules": rules,
            "service": (place.TOOLS + "/confine", *rules, "--")}


NO_OFD = ("fcntl-ofd=EINVAL",)
NO_UNIX = ("socket-unix=EAFNOSUPPORT", "socketpair-unix=EAFNOSUPPORT")
# Old kernels, and sandboxes of old containers, which do not know new calls.
NEW = ("clone3", "close_range", "faccessat2", "memfd_create", "openat2",
       "pidfd_open", "pidfd_send_signal", "statx")
# What containers and services forbid.
FORBIDDEN = ("capset", "ioprio_set", "kcmp", "mbind", "mlock", "mlockall",
             "mount", "personality", "ptrace", "sched_setaffinity",
             "sched_setattr", "sched_setparam", "sched_setscheduler",
             "set_mempolicy", "setns", "setpriority", "unshare")
RARE = ("epoll_create1", "eventfd2", "fchmod", "fchown", "flock", "getrandom",
        "kill", "madvise", "pipe2", "prctl", "prlimit64", "setgroups",
        "setitimer", "setsid", "signalfd4", "timer_create", "timerfd_create",
        "waitid")


def emulator():
    return ("qemu-x86_64-static",) if os.uname().machine == "x86_64" else \
        ("qemu-%s-static" % os.uname().machine,)


def needs(program):
    def do(*_):
        run("sh", "-c", "command -v " + program)
    return do


OWN = place.TOP + "/own"


def own_root(*_):
    os.makedirs(OWN + "/run")
    run("cp", "-a", "/etc", OWN)
    run("chown", "-R", "1001:100", OWN)
    os.chmod(place.TOP, 0o755)


def no_null():
    run("umount", "/dev/null", place.TOP + "/dev/null")
    os.unlink("/dev/null")


def no_log():
    os.rename("/dev/log", "/dev/log.aside")


def dangling_log():
    """A log that nobody reads: its queue is full."""
    os.rename("/dev/log", "/dev/log.aside")
    log = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    log.bind("/dev/log")
    os.chmod("/dev/log", 0o666)
    sender = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    sender.setblocking(False)
    sender.connect("/dev/log")
    HELD.append(log)
    with contextlib.suppress(BlockingIOError):
        while True:
            sender.send(b"x")


LOCKED = (
    Row("no locks of open files", **locked(*NO_OFD)),
    Row("no locks of open files, no service", rules=NO_OFD, service=False),
    Row("a unit without AF_UNIX", rules=NO_UNIX[:1]),
    Row("a unit without AF_UNIX, nor pairs", rules=NO_UNIX, stack="both",
        ways=("root",)),
    Row("LimitNOFILE=12", prefix=sh("ulimit -n 12")),
    Row("LimitNOFILE=12, no service", prefix=sh("ulimit -n 12"),
        service=False),
    *(Row("%s: no %s%s" % (error, what, ", no service" if quiet else ""),
          long=not quiet, **({"rules": rules, "service": False} if quiet else
                             locked(*rules)))
      for what, error, calls in (
          ("new call", "ENOSYS", NEW), ("new call", "EPERM", NEW),
          ("forbidden call", "EPERM", FORBIDDEN),
          ("forbidden call", "ENOSYS", FORBIDDEN))
      for quiet in (True, False)
      for rules in [without(error, *calls)]),
    *(Row("%s: no %s, no service" % (error, call), service=False,
          rules=without(error, call), long=call not in (
              "prctl", "setsid", "prlimit64", "flock"))
      for call in RARE for error in ("EPERM", "ENOSYS")
      # libcrypt aborts.
      if (call, error) != ("getrandom", "EPERM")),
    Row("children only with a signal", service=False, rules=without(
        "EINVAL", "clone-quiet") + without("ENOSYS", "clone3")),
    Row("qemu-user", before=needs(*emulator()), service=False,
        prefix=emulator(), ways=("root",)),
    Row("qemu-user, and a service", before=needs(*emulator()),
        prefix=emulator(), ways=("root",), long=True),
    Row("proot", before=needs("proot"), service=False, prefix=("proot",),
        ways=("root",)),
    Row("proot, by a user with a root of their own", before=all_of(
        needs("proot"), own_root), service=False, ways=("root",), prefix=(
            "setpriv", "--reuid", "1001", "--regid", "100", "--clear-groups",
            "proot", "-0", "-r", OWN, *(
                y for x in ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/dev",
                            "/proc", place.TOOLS) for y in ("-b", x)))),
    Row("fakeroot", before=needs("fakeroot"), service=False,
        prefix=("fakeroot",), ways=("root",)),
    Row("bubblewrap", before=needs("bwrap"), service=False,
        prefix=("bwrap", "--dev-bind", "/", "/", "--unshare-pid",
                "--unshare-ipc", "--unshare-net"), ways=("root",)),
    Row("bubblewrap, and a service", before=needs("bwrap"), long=True,
        prefix=("bwrap", "--dev-bind", "/", "/", "--unshare-pid",
                "--unshare-net"), ways=("root",)),
    Row("one user ID", service=False, prefix=("unshare", "-Ur"),
        ways=("root",)),
    Row("no privileges but root's ID", service=False, ways=("root",),
        prefix=("setpriv", "--bounding-set=-all", "--inh-caps=-all",
                "--no-new-privs")),
    Row("another time", prefix=("unshare", "-T", "--monotonic", "1000000",
                                "--boottime", "1000000"), ways=("root",)),
    Row("no /dev/null", before=no_null),
    Row("no /dev/null, no service", before=no_null,
        service=False),
    Row("no /dev", service=False, ways=("sudo", "root"), before=all_of(
        lambda: run("umount", "-l", "/dev"),
        lambda: run("mount", "-t", "tmpfs", "none", "/dev"))),
    Row("no /proc", service=False, prefix=(
        "unshare", "-m", *sh("umount -l /proc")), ways=("root",)),
    Row("no log", before=no_log),
    Row("no log, no service", service=False,
        before=no_log),
    Row("a log that nobody reads", before=dangling_log,
        ways=("sudo", "root"), wrong=False),
    Row("a log that nobody reads, no service", before=dangling_log,
        service=False, ways=("sudo", "root"), wrong=False),
    Row("a user namespace with its own IDs", shifted=True),
    Row("a user namespace with its own IDs, no service", shifted=True,
        service=False),
    Row("no more processes", outer=JOIN, ways=("sudo", "root", "passwd"),
        before=lambda: cgroup("pids", max=1)),
    Row("no more processes, no service", outer=JOIN, service=False,
        stack="both", before=lambda: cgroup("pids", max=1),
        ways=("sudo", "root"), codes={"sudo": (0, 15)}),
    Row("an overlay as /etc", before=lambda: run(
        "sh", "-c", "mkdir {0}/up {0}/work && mount -t overlay -o lowerdir="
        "/etc,upperdir={0}/up,workdir={0}/work none /etc".format(place.TOP))),
)


# ---- users who start the program in an odd state ----
def python(text):
    """Words that change the process in Python, before the program."""
    return ("/usr/bin/python3", "-ISc", text +
            "; import os, sys; os.execvp(sys.argv[1], sys.argv[1:])")


def odd(name, prefix, **more):
    """With the service, and without."""
    return (Row(name, prefix=prefix, long=True, **more),
            Row(name + ", no service", prefix=prefix, service=False, **more))


ODD = (
    *odd("timers that may be 20 s late", (
        place.TOOLS + "/confine", "-s", "20000000000", "--")),
    *odd("stacks of 64 KiB", sh("ulimit -s 64")),
    *odd("nice 19, idle", ("nice", "-n", "19", "chrt", "-i", "0", "ionice",
                           "-c", "3")),
    *odd("no core, no lock, no priority, no queue",
         sh("ulimit -c 0; ulimit -l 0; ulimit -r 0; ulimit -q 0")),
    *odd("one second of CPU time", sh("ulimit -t 1")),
    *odd("SIGCHLD ignored", python(
        "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)")),
    *odd("all signals ignored and blocked", python(
        "import signal; [signal.signal(x, signal.SIG_IGN) for x in range(1, 32)"
        " if x not in (9, 19)]; signal.pthread_sigmask(signal.SIG_BLOCK, "
        "range(1, 65))")),
    *odd("umask 777", sh("umask 777")),
    *odd("a working directory that is gone",
         sh("mkdir /mnt/tmp/gone.$$; cd /mnt/tmp/gone.$$; rmdir $PWD")),
    *odd("nothing open", sh("exec 0<&- 1>&- 2>&-"), ways=("sudo", "root")),
    *odd("no input", sh("exec 0<&-"), ways=("sudo", "root")),
    *odd("output that is full", sh("exec 1>/dev/full 2>/dev/full"),
         ways=("sudo", "root")),
    *odd("an environment", ("env", "LD_PRELOAD=/mnt/tmp/evil.so", "LD_BIND_NOW=1",
                            "LD_LIBRARY_PATH=/mnt/tmp", "LD_DEBUG=all",
                            "LD_DEBUG_OUTPUT=/mnt/tmp/debug",
                            "GLIBC_TUNABLES=glibc.malloc.check=3",
                            "MALLOC_PERTURB_=7", "TZ=/etc/shadow", "PATH=.",
                            "LANG=xx_YY.UTF-8", "LOCPATH=/mnt/tmp", "IFS=x",
                            "TMPDIR=/nowhere", "NOTIFY_SOCKET=/run/none",
                            "LISTEN_FDS=3", "LISTEN_PID=1", "WATCHDOG_USEC=1"),
         ways=("sudo", "passwd")),
    *odd("64 files open", python(
        "import os; [os.dup2(0, x) for x in range(3, 64)]")),
    *odd("no memory may be huge, all wiped late", python(
        "import ctypes; c = ctypes.CDLL(None); c.prctl(41, 1, 0, 0, 0); "
        "c.prctl(4, 0, 0, 0, 0); c.personality(0x0040000)")),
    *odd("out of memory, killed first", sh("echo 1000 >/proc/self/oom_score_adj")),
)
place.main([*SERVICE, *LOCKED, *ODD])
