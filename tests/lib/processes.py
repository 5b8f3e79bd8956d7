# SPDX-License-Identifier: BSD-2-Clause
"""What tests of lyra2d do in other processes, and wait for."""
import os
import pickle
import time


def as_user(uid, function, gid=100, groups=()):
    """What the function returns in a process of that user."""
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
    """What the function returns: something true, or the last."""
    end = time.monotonic() + seconds
    while not function() and time.monotonic() < end:
        time.sleep(0.02)
    return function()
