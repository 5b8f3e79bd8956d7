# SPDX-License-Identifier: BSD-2-Clause
"""The packets of pam/protocol/request.h, for tests of lyra2d.

As a program: makes one request and prints each reply on a line; or says by its
exit status whether lyra2d listens.
	lyra2d.py verify|status|set FLAGS USER OLD NEW
	lyra2d.py listens
Environment: CALLER is the real user ID that the client claims; RHOST and TTY
say where the user is.  With LYRA2D=COMMAND, starts that command with the socket
as its standard input, and asks it instead of the service.
"""
import fcntl
import os
import shlex
import socket
import struct
import subprocess
import sys
import time

MAGIC = 0x4c324431
PROTOCOL = 4
VERIFY, STATUS, SET = 1, 2, 3
NO_ACCOUNT = 64	# a flag
OPS = {"verify": VERIFY, "status": STATUS, "set": SET}
QUEUED, WORKING, VERDICT, AGAIN, WAIT = 1, 2, 3, 4, 5
NAMES = {QUEUED: "queued", WORKING: "working", VERDICT: "verdict",
         AGAIN: "again", WAIT: "wait"}
GOT, ADMITTED = 1, 2
SOCKET = "/run/lyra2/socket"
LOCK = "/run/lyra2/lock"
SO_PASSRIGHTS = 83
SO_TIMESTAMPNS = 35
SECRET_SIZE = 12 + 2 * 512


def text(value):
    value = value.encode("utf-8", "surrogateescape")
    return struct.pack("=I", len(value)) + value


def header(op, user, flags=0, caller=0, rhost="", tty="",
           service=""):
    return (struct.pack("=IIIII", MAGIC, PROTOCOL, op, flags, caller) +
            text(user) + text(rhost) + text(tty) + text(service))


def secret(password, new=""):
    return (struct.pack("=I", MAGIC) + text(password) + text(new)).ljust(
        SECRET_SIZE, b"\0")


def listens():
    """Whether lyra2d can be asked.  The file is there a moment before."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as sock:
        sock.setblocking(False)
        try:
            sock.connect(SOCKET)
        except BlockingIOError:
            return True     # a full queue
        except (FileNotFoundError, ConnectionRefusedError):
            return False
    return True


def is_gone():
    """Whether another lyra2d can start.  The socket goes a moment before."""
    if os.path.exists(SOCKET):
        return False
    with open(LOCK, "w") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def door_is_open():
    """Whether each user may connect: this kernel can refuse descriptors."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as sock:
        try:
            sock.setsockopt(socket.SOL_SOCKET, SO_PASSRIGHTS, 0)
        except OSError:
            return False
    return True


class Client:
    """One connection.

    left is when the last packet was sent, by the kernel's clock: a test that is
    late itself does not change it.
    """

    def __init__(self, sock=None, timeout=60):
        self.sock, self.left = sock, None
        if not sock:
            self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self.sock.settimeout(timeout)
            self.sock.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
            self.connect()

    def connect(self):
        """Tries again for a minute: on a busy machine the queue may be full."""
        end = time.monotonic() + 60
        while True:
            try:
                return self.sock.connect(SOCKET)
            except BlockingIOError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.01)

    def hello(self):
        """(device, inode, minlen, maxlen), or None if lyra2d closes at once."""
        try:
            data = self.sock.recv(4096)
        except ConnectionResetError:
            return None
        return struct.unpack("=IIQQII", data)[2:] if data else None

    def header(self, *words, **fields):
        self.sock.send(header(*words, **fields))

    def secret(self, *passwords):
        try:
            self.sock.send(secret(*passwords))
        except BrokenPipeError:
            pass    # refused; the reply can still be read

    def tell(self, what):
        try:
            self.sock.send(struct.pack("=II", MAGIC, what))
        except (BrokenPipeError, ConnectionResetError):
            pass

    def reply(self):
        """(kind, number, text), or None at the end."""
        try:
            data, others, _, _ = self.sock.recvmsg(4096, 64)
        except ConnectionResetError:
            return None
        if not data:
            return None
        for _, kind, stamp in others:
            if kind == SO_TIMESTAMPNS:
                seconds, ns = struct.unpack("@ll", stamp)
                self.left = seconds + ns / 1e9
        _, kind, number, _, _ = struct.unpack("=IIiII", data[:20])
        return kind, number, data[20:].decode(errors="replace")

    def verdict(self, patience=100):
        """The result, or None if the connection ends without one, or nothing
        but heartbeats comes for so many seconds."""
        end = time.monotonic() + patience
        reply = self.reply()
        while reply and reply[0] != VERDICT:
            reply = self.reply() if time.monotonic() < end else None
        return reply[1] if reply else None

    def status(self, user, flags=0):
        """(found, change, blank), or a PAM code where there is none."""
        self.header(STATUS, user, flags)
        number = self.verdict()
        if number is None or not number & 1 << 17:
            return number
        return number & 255, number >> 8 & 255, bool(number & 1 << 16)

    def ask(self, op, user, password="", new="", **header):
        """A whole exchange; returns the result."""
        self.hello()
        self.header(op, user, **header)
        if op in (VERIFY, SET):
            self.secret(password, new)
        return self.verdict()

    def close(self):
        self.sock.close()


def root_login(user="bob"):
    """The result of a login by a program of root's, with the password "secret".
    """
    client = Client()
    verdict = client.ask(VERIFY, user, "secret")
    client.tell(ADMITTED)
    client.close()
    return verdict


def main():
    if sys.argv[1:] == ["listens"]:
        sys.exit(not listens())
    word, flags, user, old, new = sys.argv[1:]
    op = OPS[word]
    command = os.environ.get("LYRA2D")
    if command:
        ours, theirs = socket.socketpair(socket.AF_UNIX,
                                         socket.SOCK_SEQPACKET)
        child = subprocess.Popen(shlex.split(command), stdin=theirs)
        theirs.close()
        client = Client(ours)
    else:
        client = Client()
    if not client.hello():
        sys.exit("closed at once")
    client.header(op, user, int(flags),
                  int(os.environ.get("CALLER", "0")),
                  os.environ.get("RHOST", ""), os.environ.get("TTY", ""))
    if op in (VERIFY, SET):
        client.secret(old, new)
    reply = client.reply()
    while reply:
        print(NAMES[reply[0]], reply[1], reply[2], flush=True)
        if reply[0] == VERDICT:
            break
        reply = client.reply()
    if reply:
        client.tell(GOT)
        client.tell(ADMITTED)
    client.close()
    if command:
        child.wait()


if __name__ == "__main__":
    main()
