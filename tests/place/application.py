# SPDX-License-Identifier: BSD-2-Clause
"""A PAM application in Python, and what a call has left in it.

left() names what is there now and was not at the time of begin().
"""
import ctypes
import ctypes.util
import os
import signal
import socket

pam = ctypes.CDLL("libpam.so.0")
libc = ctypes.CDLL(None, use_errno=True)
libc.calloc.restype = libc.strdup.restype = ctypes.c_void_p
PR_SET_CHILD_SUBREAPER = 36
PROMPT_ECHO_OFF, PROMPT_ECHO_ON = 1, 2


class Response(ctypes.Structure):
    _fields_ = [("text", ctypes.c_void_p), ("code", ctypes.c_int)]


# A message begins with its style.
TALK = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.POINTER(ctypes.c_int)),
    ctypes.POINTER(ctypes.POINTER(Response)), ctypes.c_void_p)


class Conversation(ctypes.Structure):
    _fields_ = [("talk", TALK), ("data", ctypes.c_void_p)]


class Pam:
    """A handle; each prompt gets the next word, then the last again."""

    def __init__(self, service="login", user="alice", *words):
        words = list(words or ("secret",))

        def talk(count, messages, out, _):
            answers = libc.calloc(count, ctypes.sizeof(Response))
            out[0] = ctypes.cast(answers, ctypes.POINTER(Response))
            for i in range(count):
                asked = messages[i][0] in (PROMPT_ECHO_OFF, PROMPT_ECHO_ON)
                word = words.pop(0) if asked and words[1:] else words[0]
                out[0][i].text = libc.strdup(word.encode())
            return 0
        self.conversation = Conversation(TALK(talk), None)
        self.handle = ctypes.c_void_p()
        code = pam.pam_start(service.encode(), user.encode(),
                             ctypes.byref(self.conversation),
                             ctypes.byref(self.handle))
        assert code == 0, code

    def call(self, name):
        return getattr(pam, "pam_" + name)(self.handle, 0)

    def end(self, code=0):
        return pam.pam_end(self.handle, code)


def login(user="alice", password="secret", calls=("authenticate", "setcred")):
    """A whole login; the codes."""
    one = Pam("login", user, password)
    codes = [one.call(x) for x in calls]
    one.end(codes[-1])
    return codes


# ---- what is left ----
def processes():
    """(PID, name, state, parent) of all that are here."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % pid) as file:
                text = file.read()
        except OSError:
            continue
        name, rest = text[text.index("(") + 1:].rsplit(")", 1)
        yield int(pid), name, rest.split()[0], int(rest.split()[1])


def descriptors():
    """All but those of syslog(3), which stay open with pam_unix, too."""
    result = set()
    for fd in map(int, os.listdir("/proc/self/fd")):
        try:
            link = os.readlink("/proc/self/fd/%d" % fd)
        except OSError:
            continue    # that of listdir()
        if link.startswith("socket:") and peer(fd) == "/dev/log":
            continue
        result.add("%d %s" % (fd, link))
    return result


def peer(fd):
    sock = socket.socket(fileno=os.dup(fd))
    try:
        return sock.getpeername()
    except OSError:
        return None
    finally:
        sock.close()


def inode(path):
    """As /proc/locks names it."""
    st = os.stat(path)
    return "%02x:%02x:%d" % (os.major(st.st_dev), os.minor(st.st_dev),
                             st.st_ino)


def workers():
    """Those of the service may go on, or rehash, a moment after their answer.
    """
    return {x[0] for x in processes() if x[3] in served}


def locks():
    """Who holds a lock of a file in /run/lyra2, or that of the passwords."""
    allowed = workers()
    files = {}
    for folder, _, names in os.walk("/run/lyra2"):
        for name in names:
            files[inode(folder + "/" + name)] = folder + "/" + name
    if os.path.exists("/etc/.pwd.lock"):
        files[inode("/etc/.pwd.lock")] = "/etc/.pwd.lock"
    with open("/proc/locks") as file:
        held = [x.split() for x in file if "->" not in x]
    allowed |= workers()
    return {"%s by %s" % (files[x[5]], x[4]) for x in held
            if x[5] in files and int(x[4]) not in allowed}


def files():
    """The names in folders where nothing may be left."""
    return {folder + "/" + name for folder in ("/etc", "/run", "/dev")
            for name in os.listdir(folder)}


signals = []
before = {}
served = set()


def now():
    me = os.getpid()
    here = [x for x in processes() if x[3] not in served]
    return {
        "children": {"%d %s %s" % x[:3] for x in here if x[3] == me},
        "zombies": {"%d %s" % x[:2] for x in here if x[2] == "Z"},
        "programs": {"%d" % x[0] for x in here if x[1] == "lyra2d" and
                     x[2] != "Z"},
        "descriptors": descriptors(), "locks": locks(), "files": files()}


# A lock of glibc's, which pam_unix leaves, too; and the folder of the service.
ALLOWED = {"files": {"/etc/.pwd.lock", "/etc/nshadow", "/run/lyra2"}}


def begin():
    """Remembers what is here."""
    signal.signal(signal.SIGCHLD, lambda *_: signals.append(1))
    before.update(now())
    served.update(int(x.split()[0]) for x in before["programs"])


def left(*leave_out):
    """What there is more than before, in words; "" is none."""
    result = ["%s: %s" % (what, x) for what, items in now().items()
              if what not in leave_out
              for x in items - before[what] - ALLOWED.get(what, set())]
    if signals:
        result.append("SIGCHLD: %d" % len(signals))
        signals.clear()
    return "".join(x + "; " for x in result)
