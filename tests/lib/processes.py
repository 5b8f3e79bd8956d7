# SPDX-License-Identifier: BSD-2-Clause
"""Tests of lyra2d act as another user, hash, wait, and look into processes."""
import os
import pickle
import subprocess
import time


def as_user(uid, function, gid=100, groups=()):
    """Returns what the function returns in a process of that user."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups(groups)
            os.setresgid(gid, gid, gid)
            os.setresuid(uid, uid, uid)
            os.write(write, pickle.dumps(function()))
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(data) if data else "no result"


def crypt(setting, password):
    """The system's own hash of the password."""
    return subprocess.run(["perl", "-e", "print crypt($ARGV[0], $ARGV[1])",
                           password, setting], stdout=subprocess.PIPE,
                          check=True, text=True).stdout


def wait_for(function, seconds=60):
    """Calls the function until its result is true, or time is up; returns
    that."""
    end = time.monotonic() + seconds
    while not (result := function()) and time.monotonic() < end:
        time.sleep(0.02)
    return result


def in_memory(pid, word):
    """Whether the process has the word somewhere in its memory."""
    with open("/proc/%d/maps" % pid) as file, \
            open("/proc/%d/mem" % pid, "rb", 0) as mem:
        for line in file:
            first, last = (int(x, 16) for x in line.split()[0].split("-"))
            if line.split()[1].startswith("rw"):
                mem.seek(first)
                if word in mem.read(last - first):
                    return True
    return False
