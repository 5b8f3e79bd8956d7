# SPDX-License-Identifier: BSD-2-Clause
"""A user who makes other processes close sockets: each close(2) lasts an hour.

	lingering.py CHKPWD USER UID COUNT

Becomes UID.  Tries COUNT times to send lyra2d such a socket, and starts CHKPWD
COUNT times, each with one as its input.  Prints how often there was no
permission, and how many programs run.  Kills these at the end of its own input.
"""
import os
import resource
import socket
import struct
import subprocess
import sys

import lyra2d


def lingering():
    """A socket whose close(2) lasts an hour, and its peer, which must stay
    open."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                    struct.pack("ii", 1, 3600))
    sock.connect(listener.getsockname())
    other = listener.accept()[0]
    listener.close()
    sock.setblocking(False)
    try:
        while True:
            sock.send(bytes(65536))
    except BlockingIOError:
        pass
    sock.setblocking(True)
    return sock, other


def refused(sock):
    """Whether lyra2d cannot be given the socket: by its mode, or by the kernel.
    """
    try:
        client = lyra2d.Client()
        client.hello()
        client.sock.sendmsg([b"."], [(socket.SOL_SOCKET, socket.SCM_RIGHTS,
                                      struct.pack("i", sock.fileno()))])
    except PermissionError:
        return True
    return False


def main():
    helper, user, uid, count = *sys.argv[1:3], *map(int, sys.argv[3:])
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    os.setgroups([])
    os.setresgid(100, 100, 100)
    os.setresuid(uid, uid, uid)
    first = lingering()     # kept until the end of the process
    no_permission = sum(refused(first[0]) for _ in range(count))
    started, held = [], []
    for _ in range(count):
        sock, other = lingering()
        started.append(subprocess.Popen([helper, user, "nonull"], stdin=sock))
        held.append(other)
        sock.close()
    alive = sum(one.poll() is None for one in started)
    print(no_permission, alive, flush=True)
    sys.stdin.read()
    for one in started:
        one.kill()
    os._exit(0)     # which closes without a wait


if __name__ == "__main__":
    main()
