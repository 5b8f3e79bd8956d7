# SPDX-License-Identifier: BSD-2-Clause
"""pamroot - what the scenarios of pam_lyra2 in a scratch root have in common.

The module is installed from a tree made by "make install DESTDIR=TREE" and
enabled as README.md says.  Hashes are made cheap, except where the scenario is
about their cost.
"""

import contextlib
import glob
import os
import re
import shutil
import sys
import time

import clients
import devlog
import tap

CONF = "/etc/security/pam_lyra2.conf"
LOG = "/tmp/auth.log"
PROFILE = "/usr/share/pam-configs/lyra2"
SHADOW = "/etc/shadow"
CHEAP = {"cost": 10, "cols": 171}
OURS = "$lyra2$t2n10c171p2$"
RIGHT = "right pw"	# eight characters: all that descrypt looks at
WRONG = "wrong pw"


# --- files ------------------------------

def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return file.read()


def write(path, text, mode="w"):
    with open(path, mode, encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)


def edit(path, pattern, replacement):
    write(path, re.sub(pattern, replacement, read(path)))


def configure(**settings):
    """Replace what the configuration file says: CHEAP, and these settings."""
    settings = {**CHEAP, **settings}
    write(CONF, "".join("%s = %s\n" % x for x in settings.items()))


# --- the module ------------------------------

def install(tree, source):
    """What "make install" does, and the steps of pam_lyra2(8) after it."""
    clients.must(["cp", "-a", "--no-target-directory", tree, "/"])
    clients.must(["ldconfig"])
    shutil.copy(source + "/debian/pam-configs/lyra2", PROFILE)
    clients.must(["chgrp", "shadow", "/usr/sbin/lyra2_chkpwd"])
    clients.must(["chmod", "2755", "/usr/sbin/lyra2_chkpwd"])
    clients.must(["pam-auth-update", "--package", "--enable", "lyra2"])
    configure()


def scenario(chapters, usage):
    """Run chapter functions in order, in a system with the module."""
    if len(sys.argv) != 3:
        sys.exit(usage)
    with devlog.Collector(LOG):
        install(*sys.argv[1:])
        without_delays()
        for chapter in chapters:
            tap.attempt(chapter.__name__ + " is told to its end",
                        lambda run=chapter: run() or True)
    tap.done()


def without_delays():
    """Two seconds after each wrong password would be most of the time."""
    edit("/etc/pam.d/login", r"(?m)^.*pam_faildelay.*\n", "")
    for name in glob.glob("/usr/share/pam-configs/*"):
        edit(name, r"(pam_(unix|lyra2)\.so)( nodelay)?", r"\1 nodelay")
    clients.must(["pam-auth-update", "--package"])


def service(name, *options):
    """A PAM service of the module alone, without delays."""
    words = " ".join(["pam_lyra2.so", "nodelay", *options])
    write("/etc/pam.d/" + name, "".join(
        "%s required %s\n" % (x, words) for x in ("auth", "password")))


def enter(name, user, password, by=None):
    """Whether pamtester lets the user in through a service; as BY or root."""
    status, output = clients.run(["pamtester", name, user, "authenticate"],
                                 password + "\n", by)
    if status == 0 and "successfully authenticated" in output:
        return True
    if re.search("Authentication (failure|service cannot)|User not known|"
                 "Critical error|Module is unknown", output):
        return False
    raise clients.Failed("pamtester: exit %d: %r" % (status, output))


# --- entries ------------------------------

def crypt(method, password):
    """A hash by libcrypt: mkpasswd knows it by the method's name."""
    return clients.must(["mkpasswd", "-s", "-m", method],
                        password + "\n").strip()


def put(user, field):
    """Store a password field; nothing else of the file changes."""
    edit(SHADOW, "(?m)^%s:[^:\n]*" % re.escape(user),
         lambda _: user + ":" + field)


def only_hash_differs(user, old, new):
    """Whether two texts of /etc/shadow are equal but for the user's hash."""
    line = re.compile("(?m)^%s:[^:\n]*" % re.escape(user))
    return old != new and line.sub("", old, 1) == line.sub("", new, 1)


# --- the log ------------------------------

class Marker:
    """The lines of the log since this was made."""

    def __init__(self):
        self.start = len(read(LOG))

    def lines(self, pattern="", patience=2.0, wanted=1):
        """Those that match; the collector may be a moment behind."""
        deadline = time.monotonic() + patience
        while True:
            found = [x for x in read(LOG)[self.start:].splitlines()
                     if re.search(pattern, x)]
            if len(found) >= wanted or time.monotonic() > deadline:
                return found
            time.sleep(0.02)


@contextlib.contextmanager
def set_aside(path):
    """The file is not there for a while."""
    os.rename(path, path + ".aside")
    try:
        yield
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        os.rename(path + ".aside", path)
