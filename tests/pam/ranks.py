# SPDX-License-Identifier: BSD-2-Clause
"""Who may ask for all users, by the mode and the ACL of /etc/shadow.

	ranks.py LYRA2D

The members of the file's group may, if it can read the file.  Where the file
has an ACL, its mode shows the mask instead of the group's rights, so then only
root may.
"""
import os
import signal
import struct
import subprocess
import sys

import lyra2d
import tap
from lyra2d import Client, VERIFY
from processes import as_user, wait_for

FILE = "/etc/shadow"
ACL = "system.posix_acl_access"
NONE = 0xffffffff
OPEN = lyra2d.door_is_open()
OWNER, USER, GROUP, NAMED, MASK, OTHER = 1, 2, 4, 8, 16, 32
SUCCESS = 0

# Name, primary group, other groups
PEERS = {1234: (100, ()), 1235: (100, (42,)), 1236: (100, (7, 42)),
         1237: (7, (7,)), 1238: (100, (1234,))}
MEMBERS = [1235, 1236]

# What, mode, entries of the ACL, who can read, who may ask
CASES = (
    ("root:shadow 0640", 0o640, {}, MEMBERS, MEMBERS),
    ("root:shadow 0600", 0o600, {}, [], []),
    ("mode 000", 0, {}, [], []),
    ("mode 0004", 0o004, {}, [1234, 1237, 1238], []),
    ("mode 0644", 0o644, {}, sorted(PEERS), MEMBERS),
    ("u:1234:r, g::-", 0o600, {(USER, 1234): 4, (GROUP, NONE): 0},
     [1234], []),
    ("u:1234:r, g::r", 0o640, {(USER, 1234): 4, (GROUP, NONE): 4},
     [1234, *MEMBERS], []),
    ("g:7:r, g::-", 0o600, {(GROUP, NONE): 0, (NAMED, 7): 4},
     [1236, 1237], []),
    ("u:1235:-, g::r", 0o640, {(USER, 1235): 0, (GROUP, NONE): 4},
     [1236], []),
    ("only a mask", 0o640, {(GROUP, NONE): 4}, MEMBERS, []),
    ("a mask of -", 0o640, {(USER, 1234): 4, (GROUP, NONE): 4, (MASK, NONE): 0},
     [], []),
)


def acl(entries):
    """The value of the attribute: the three entries of a mode, a mask, and
    others."""
    all_of = {(OWNER, NONE): 6, (GROUP, NONE): 0, (MASK, NONE): 4,
              (OTHER, NONE): 0, **entries}
    return struct.pack("<I", 2) + b"".join(
        struct.pack("<HHI", tag, perm, number) for (tag, number), perm
        in sorted(all_of.items()))


def give(mode, entries):
    try:
        os.removexattr(FILE, ACL)
    except OSError:
        pass
    os.chmod(FILE, mode)
    if entries:
        os.setxattr(FILE, ACL, acl(entries))


def asks():
    """Whether the caller may ask for alice."""
    try:
        return Client().ask(VERIFY, "alice", "secret") == SUCCESS
    except (PermissionError, ConnectionError, TypeError):
        return False


def reads():
    return os.access(FILE, os.R_OK)


def who(can):
    return [uid for uid, (gid, groups) in PEERS.items()
            if as_user(uid, can, gid, groups) is True]


def started():
    service = subprocess.Popen([sys.argv[1]])
    wait_for(lyra2d.listens)
    return service


def ended(service):
    service.send_signal(signal.SIGTERM)
    service.wait()
    wait_for(lambda: not os.path.exists(lyra2d.SOCKET))


def rights():
    st = os.stat(lyra2d.SOCKET)
    return st.st_mode & 0o777, st.st_gid


os.chown(FILE, 0, 42)
try:
    give(0o600, {(USER, 1234): 4})
except OSError as error:
    print("1..0 # SKIP no ACLs in /etc here: %s" % error)
    sys.exit(0)
for what, mode, entries, readers, members in CASES:
    give(mode, entries)
    tap.equal("%s: who can read" % what, who(reads), sorted(readers))
    daemon = started()
    tap.equal("%s: who may ask" % what, who(asks), members)
    tap.equal("%s: who can connect" % what, rights(),
              (0o666, 0) if OPEN else (0o660, 42))
    # systemd may have opened the socket before the file had an ACL.
    os.chmod(lyra2d.SOCKET, 0o666)
    tap.equal("%s: who may ask at an open socket" % what, who(asks), members)
    tap.equal("%s: root may" % what, asks(), True)
    ended(daemon)

give(0o640, {})
daemon = started()
tap.equal("before an ACL", who(asks), MEMBERS)
give(0o640, {(GROUP, NONE): 4})
tap.equal("with an ACL, no group", who(asks), [])
give(0o640, {})
tap.equal("without it, the group again", who(asks), MEMBERS)
ended(daemon)
tap.done()
