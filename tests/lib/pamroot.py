# SPDX-License-Identifier: BSD-2-Clause
"""pamroot - what the scenarios of pam_lyra2 in a scratch root have in common.

Lyra2 is switched on.  Hashes are made cheap, except where the scenario is about
their cost.
"""

import contextlib
import glob
import os
import re

import clients

CONF = "/etc/security/pam_lyra2.conf"
LOG = "/tmp/auth.log"
PROFILE = "/usr/share/pam-configs/lyra2"
SHADOW = "/etc/shadow"
CHEAP = {"method": "lyra2", "cost": 10, "cols": 171}
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

def without_delays():
    """Turn off delays: two seconds after each wrong password are most of the
    time."""
    edit("/etc/pam.d/login", r"(?m)^.*pam_faildelay.*\n", "")
    for name in glob.glob("/usr/share/pam-configs/*"):
        edit(name, r"(pam_(unix|lyra2)\.so)( nodelay)?", r"\1 nodelay")
    clients.must(["pam-auth-update", "--package"])


def enter(name, user, password, by=None):
    """Whether pamtester lets the user in through a service; as BY or root."""
    status, output = clients.run(["pamtester", name, user, "authenticate"],
                                 password + "\n", by)
    if status == 0 and "successfully authenticated" in output:
        return True
    if re.search("Authentication (failure|service cannot)|User not known|"
                 "Critical error|Module is unknown|Permission denied", output):
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


@contextlib.contextmanager
def set_aside(path):
    """Move the file away for a while."""
    os.rename(path, path + ".aside")
    try:
        yield
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        os.rename(path + ".aside", path)
