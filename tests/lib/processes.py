# SPDX-License-Identifier: BSD-2-Clause
"""Tests of lyra2d act as another user, and wait, with these functions."""
import os
import pickle
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


def wait_for(function, seconds=60):
    """Calls the function until its result is true, or time is up; returns
    that."""
    end = time.monotonic() + seconds
    while not (result := function()) and time.monotonic() < end:
        time.sleep(0.02)
    return result
