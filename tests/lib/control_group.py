# SPDX-License-Identifier: BSD-2-Clause
"""control_group - processes with little memory, or frozen, in a scratch root."""

import contextlib
import os
import signal

import clients

PROCS = "/mnt/lyra2/cgroup.procs"


def _write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def _group_v2(limit):
    clients.must(["mount", "-t", "cgroup2", "none", "/mnt"])
    _write("/mnt/cgroup.subtree_control", "+memory")
    os.mkdir("/mnt/lyra2")
    _write("/mnt/lyra2/memory.max", str(limit))
    _write("/mnt/lyra2/memory.swap.max", "0")
    return "memory.peak"


def _group_v1(limit):
    clients.must(["mount", "-t", "cgroup", "-o", "memory", "none", "/mnt"])
    os.mkdir("/mnt/lyra2")
    _write("/mnt/lyra2/memory.limit_in_bytes", str(limit))
    return "memory.max_usage_in_bytes"


@contextlib.contextmanager
def memory(limit):
    """A control group of that many bytes at /mnt/lyra2, or None; its peak."""
    peak = None
    for make in (_group_v2, _group_v1):
        with contextlib.suppress(OSError, clients.Failed):
            peak = make(limit)
            break
        clients.run(["umount", "/mnt"])
    try:
        yield peak
    finally:
        clients.run(["rmdir", "/mnt/lyra2"])
        clients.run(["umount", "/mnt"])


@contextlib.contextmanager
def frozen(pids):
    """These processes are, where the kernel can; or else they are stopped."""
    try:
        clients.must(["mount", "-t", "cgroup2", "none", "/mnt"])
        os.makedirs("/mnt/lyra2", exist_ok=True)
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                _write(PROCS, str(pid))
        _write("/mnt/lyra2/cgroup.freeze", "1")
    except (OSError, clients.Failed) as error:
        print("# no control group that freezes here: %s" % error)
        _signal(pids, signal.SIGSTOP)
    yield
    with contextlib.suppress(OSError):
        _write("/mnt/lyra2/cgroup.freeze", "0")
    _signal(pids, signal.SIGCONT)
    clients.run(["umount", "-l", "/mnt"])


def _signal(pids, number):
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def value(name):
    """What a file of the group says."""
    with open("/mnt/lyra2/" + name, encoding="ascii") as file:
        return file.read().strip()


def kills():
    """How many processes of the group the kernel has killed."""
    for name in ("memory.events", "memory.oom_control"):
        with contextlib.suppress(OSError):
            return int(value(name).split("oom_kill ")[1].split()[0])
    raise clients.Failed("the control group counts no kills")
