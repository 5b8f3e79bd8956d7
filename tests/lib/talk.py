# SPDX-License-Identifier: BSD-2-Clause
"""Scripted conversations: one end of a connection, as a list of steps.

	play(sock, expect("header", "secret"), send(reply(WORKING)), wait(2),
	     send(reply(VERDICT, 0)), expect("got"), die())

Either end can play: a false module to a real service, or a false service to a
real module.  A step that does not find what it expects raises Unexpected.  No
step waits for longer than PATIENCE.
"""
import contextlib
import os
import socket
import struct
import threading
import time

import lyra2d
from lyra2d import ADMITTED, GOT, MAGIC, NAMES, PROTOCOL, SECRET_SIZE

PATIENCE = 60
END = "end"


class Unexpected(Exception):
    pass


class Dead(Exception):
    """This end has died, as its script says."""


# ---- packets ----
def hello(number=PROTOCOL, etc=None):
    etc = etc or os.stat("/etc")
    return struct.pack("=IIQQII", MAGIC, number, etc.st_dev, etc.st_ino, 6,
                       511)


def reply(kind, number=0, text="", priority=0):
    return struct.pack("=IIiI", MAGIC, kind, number, priority) + \
        lyra2d.text(text)


def tell(what):
    return struct.pack("=II", MAGIC, what)


def _texts(data, count, padded=False):
    """Whether these bytes are so many texts, each with its length, and perhaps
    zero bytes."""
    for _ in range(count):
        if len(data) < 4:
            return False
        size = struct.unpack("=I", data[:4])[0]
        if len(data) < 4 + size:
            return False
        data = data[4 + size:]
    return not (data.strip(b"\0") if padded else data)


def name(data):
    """What a packet is: hello, a reply by its name, header, secret, got or
    admitted; odd; or the end."""
    if not data:
        return END
    numbers = struct.unpack("=%dI" % (len(data) // 4), data[:len(data) & ~3])
    if numbers[:1] != (MAGIC,):
        return "odd"
    if len(data) == 8:
        return {GOT: "got", ADMITTED: "admitted"}.get(numbers[1], "odd")
    if len(data) == 32 and numbers[1] == PROTOCOL and not _texts(data[20:], 4):
        return "hello"
    if len(data) == SECRET_SIZE and _texts(data[4:], 2, padded=True):
        return "secret"
    if numbers[1:2] == (PROTOCOL,) and _texts(data[20:], 4):
        return "header"
    if len(numbers) >= 5 and _texts(data[16:], 1):
        return NAMES.get(numbers[1], "odd")
    return "odd"


# ---- steps: functions of a socket, and of the packets that have come ----
def send(*packets):
    def step(sock, _):
        for packet in packets:
            sock.send(packet)
    return step


def send_late(packet):
    """send(), but the peer may have gone already."""
    def step(sock, _):
        with contextlib.suppress(BrokenPipeError):
            sock.send(packet)
    return step


def _receive(sock):
    try:
        return sock.recv(8192)
    except ConnectionResetError:
        return b""


def expect(*names):
    """The next packets are these; heartbeats in between do not count."""
    def step(sock, heard):
        for wanted in names:
            got = None
            while got is None or (got != wanted and
                                  got in ("queued", "working", "wait")):
                heard.append(_receive(sock))
                got = name(heard[-1])
            if got != wanted:
                raise Unexpected("%s came, not %s" % (got, wanted))
    return step


def verdict(number):
    """A verdict comes, with this number."""
    def step(sock, heard):
        expect("verdict")(sock, heard)
        got = struct.unpack("=i", heard[-1][8:12])[0]
        if got != number:
            raise Unexpected("the verdict is %d, not %d" % (got, number))
    return step


def wait(seconds):
    return lambda sock, heard: time.sleep(seconds)


def repeat(packet, seconds, pause=0.5):
    """Sends a packet again and again, as long as the peer is there."""
    def step(sock, _):
        end = time.monotonic() + seconds
        with contextlib.suppress(BrokenPipeError):
            while time.monotonic() < end:
                sock.send(packet)
                time.sleep(pause)
    return step


def die():
    def step(sock, _):
        sock.close()
        raise Dead
    return step


def listen():
    """Receives what comes, up to the end."""
    def step(sock, heard):
        sock.settimeout(None)
        while not heard or heard[-1]:
            heard.append(_receive(sock))
    return step


def play(sock, *steps):
    """Plays the steps; returns the names of the packets that have come."""
    heard = []
    sock.settimeout(PATIENCE)
    try:
        for step in steps:
            step(sock, heard)
    except Dead:
        pass
    return [name(data) for data in heard]


def hang_up(sock):
    """As lyra2d: closing with unread packets would lose the last reply."""
    with contextlib.suppress(OSError):
        sock.shutdown(socket.SHUT_RD)
        while sock.recv(1 << 16):
            pass
    sock.close()


class Fake:
    """A false public service, which plays the same steps on each connection.

    Its socket is in a directory, which the kernel takes for the user's.
    """

    def __init__(self, *steps, path=lyra2d.SOCKET, uid=0, backlog=64):
        self.steps, self.path, self.heard, self.said = steps, path, [], []
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if os.path.exists(path):
            os.unlink(path)
        self.sock.bind(path)
        os.chmod(path, 0o666)
        # The kernel stores the user ID of the process that listens; that of
        # this one is all threads'.
        child = os.fork()
        if child == 0:
            os.seteuid(uid)
            self.sock.listen(backlog)
            os._exit(0)
        os.waitpid(child, 0)

    def _serve(self, sock):
        heard = []
        self.heard.append(heard)
        try:
            for step in self.steps:
                step(sock, heard)
        except Dead:
            return
        except (OSError, Unexpected) as error:
            self.said.append(repr(error))
        hang_up(sock)

    def _accept(self):
        while True:
            try:
                sock = self.sock.accept()[0]
            except OSError:
                return
            sock.settimeout(PATIENCE)
            threading.Thread(target=self._serve, args=(sock,),
                             daemon=True).start()

    def names(self):
        """What has come, by connection."""
        return [[name(data) for data in heard] for heard in self.heard]

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        try:
            self.sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.sock.close()
        if os.path.exists(self.path):
            os.unlink(self.path)


def private(*steps):
    """The text of a program that plays these steps, written as text, in place
    of lyra2d."""
    return ("#!/usr/bin/python3 -BIS\nimport socket, sys\n"
            "sys.path.insert(0, %r)\n"
            "from lyra2d import *\nfrom talk import *\n"
            "if sys.argv[1:] == ['--private']:\n"
            "    play(socket.socket(fileno=0), %s)\n" %
            (os.path.dirname(os.path.abspath(__file__)), ", ".join(steps)))
