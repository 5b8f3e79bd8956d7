# SPDX-License-Identifier: BSD-2-Clause
"""Services that verify other users' passwords, allowed by ask_for_others.

	askers.py PID LOG TRY CONF LYRA2D

Users alice (1001), bob and root have the password "secret"; postgres (105) and
dovecot (106) are services.  PID is lyra2d, which reads CONF.
"""
import os
import signal
import subprocess
import sys
import time

import lyra2d
import tap
from lyra2d import Client, VERIFY, STATUS, SET, root_login
from processes import as_user, wait_for

pid, log, program, conf, daemon = (int(sys.argv[1]), *sys.argv[2:])
SUCCESS, AUTH_ERR, UNAVAIL = 0, 7, 9
POSTGRES, DOVECOT = 105, 106
OPEN = lyra2d.door_is_open()
NO = UNAVAIL if OPEN else "no permission"
TURNED_AWAY = (0, 0, 0, 0)


def logged(text):
    with open(log, errors="replace") as file:
        return text in file.read()


def configure(line):
    """Replace the file, as editors and packages do."""
    with open(conf + ".new", "w") as file:
        file.write("cost = 10\ncols = 171\nrehash = never\n" + line + "\n")
    os.rename(conf + ".new", conf)


def asks(op, user="alice", password="secret", new="new"):
    def ask():
        try:
            return Client().ask(op, user, password, new)
        except PermissionError:
            return "no permission"
    return ask


def tries(uid, *calls, user="alice", password="secret", service="std"):
    """The codes that a program of that user gets from PAM."""
    done = subprocess.run([program, "/etc/pam.d", service, user, "nodelay",
                           "uid:%d" % uid, *calls], text=True, input=password +
                          "\n", capture_output=True, check=False)
    return done.stdout.strip().split("\n")[-1]


def socket_acl():
    """(the mode, whether there is an ACL)"""
    return (os.stat(lyra2d.SOCKET).st_mode & 0o777,
            "system.posix_acl_access" in os.listxattr(lyra2d.SOCKET))


def before():
    tap.equal("without a list no service may ask",
              as_user(POSTGRES, asks(VERIFY)), NO)
    tap.equal("nor does its module get an answer about another",
              tries(POSTGRES, "auth"), "auth=9")
    tap.equal("the socket has no ACL", socket_acl(),
              (0o666 if OPEN else 0o660, False))


def listed():
    configure("ask_for_others = nobody-here postgres dovecot")
    tap.equal("with the line, its module does, at the first try",
              tries(POSTGRES, "auth"), "auth=0")
    tap.ok("a name without a user is logged", wait_for(
        lambda: logged("ask_for_others: no user nobody-here in /etc/passwd")))
    tap.equal("by the socket's ACL, or its mode", socket_acl(),
              (0o666, False) if OPEN else (0o660, True))
    for uid in (POSTGRES, DOVECOT):
        tap.equal("%d: right, wrong, without a user" % uid, [
            as_user(uid, asks(VERIFY, *words)) for words in (
                ("alice",), ("bob",), ("alice", "wrong"),
                ("nobody-here",))], [SUCCESS, SUCCESS, AUTH_ERR, 10])
        tap.equal("%d: no new password" % uid, [
            as_user(uid, asks(SET, name)) for name in ("alice", "dovecot")],
            [UNAVAIL] * 2)
        tap.equal("%d: nothing about root" % uid, [
            as_user(uid, asks(op, "root")) for op in (VERIFY, STATUS, SET)],
            [UNAVAIL] * 3)
    tap.equal("root by the module: neither", [
        tries(POSTGRES, "auth", user="root", password=x)
        for x in ("secret", "wrong")], ["auth=9"] * 2)
    tap.ok("that is logged", wait_for(lambda: logged(
        "password check of another user refused [UID=105]")))
    tap.ok("a wrong password is logged by its user ID", wait_for(
        lambda: logged("password check failed for user (alice) [UID=105]")))
    tap.equal("status", as_user(POSTGRES, lambda: [
        x.hello() and x.status("alice") for x in [Client()]]),
        [(SUCCESS, SUCCESS, False)])
    tap.equal("other users may not",
              as_user(1001, asks(VERIFY, "bob")), NO)
    tap.equal("but ask for themselves: right, another's", [
        tries(1001, "auth", user=x) for x in ("alice", "bob")],
        ["auth=0", "auth=9"])


def without_brake():
    """One client's wrong password does not delay another client."""
    def many():
        begun = time.monotonic()
        for i in range(7):
            Client().ask(VERIFY, "alice", "wrong %d" % i)
        return Client().ask(VERIFY, "alice", "secret"), \
            time.monotonic() - begun
    verdict, took = as_user(POSTGRES, many)
    # With the brake, this takes over a minute.
    tap.ok("seven wrong ones and a right one: none waits",
           verdict == SUCCESS and tap.within(took, 30), (verdict, took))


def dates():
    """Dates of an account that pam_unix cannot read."""
    names = ("alice", "young", "expired", "aged", "lapsed", "new")
    tap.equal("the dates of accounts", [tries(
        POSTGRES, "account", user=name, service="dates") for name in names],
        ["account=%d" % x for x in (0, 0, 7, 12, 7, 12)])
    tap.equal("by their codes", [tries(POSTGRES, "account", user=name)
                                 for name in ("expired", "lapsed")],
              ["account=13", "account=27"])
    tap.equal("another module decides about others", [
        tries(POSTGRES, "account", user=name, service="dates")
        for name in ("inside", "nobody-here", "root")], ["account=7"] * 3)
    tap.equal("and for programs that are not listed", tries(
        1001, "account", user="expired", service="dates"), "account=7")
    tap.equal("and for root's", [tries(0, "account", user=name)
                                 for name in ("alice", "expired")],
              ["account=6"] * 2)
    tap.ok("what it refuses is logged", wait_for(lambda: logged(
        "account expired has expired")))


def another_source():
    """A program that is not root's has a password of LDAP changed: the next
    module decides."""
    with open("/etc/pam.d/std") as std:
        module = std.read().split()[2]
    with open("/etc/pam.d/sources", "w") as file:
        file.write("password [success=1 user_unknown=ignore ignore=ignore "
                   "default=die] %s before_unix\n"
                   "password required pam_permit.so\n" % module)
    tap.equal("a password of another source: not root's program, a listed one",
              [tries(x, "passwd", user="nobody-here", service="sources")
               for x in (1001, POSTGRES)], ["passwd=0"] * 2)


def removed():
    read, write = os.pipe()
    ready, go = os.pipe()

    def holds():
        client = Client()
        client.hello()
        os.write(go, b".")
        os.read(read, 1)
        client.header(VERIFY, "alice")
        client.secret("secret")
        return client.verdict()
    child = os.fork()
    if child == 0:
        os._exit(as_user(POSTGRES, holds))
    os.read(ready, 1)
    configure("ask_for_others = dovecot")
    os.write(write, b".")
    tap.equal("removed: its connection has no right any more",
              os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), UNAVAIL)
    tap.equal("after a login it may not ask",
              (root_login(), as_user(POSTGRES, asks(VERIFY))), (SUCCESS, NO))
    tap.equal("nor does its module", tries(POSTGRES, "auth"), "auth=9")
    tap.equal("the other one can", as_user(DOVECOT, asks(VERIFY)), SUCCESS)
    if not OPEN:
        os.chmod(lyra2d.SOCKET, 0o666)
        tap.equal("if it can nevertheless, it is turned away", as_user(
            POSTGRES, lambda: Client().hello()), TURNED_AWAY)
        os.chmod(lyra2d.SOCKET, 0o660)
    configure("")
    tap.equal("an empty list: no service may ask", (root_login(), as_user(
        DOVECOT, asks(VERIFY)), socket_acl()),
        (SUCCESS, NO, (0o666 if OPEN else 0o660, False)))


def later():
    """The service is installed after its name is in the configuration."""
    configure("ask_for_others = nginx")
    root_login()
    tap.equal("a user of its own is none yet",
              tries(107, "auth"), "auth=9")
    with open("/etc/passwd", "a") as file:
        file.write("nginx:x:107:112::/:/bin/sh\n")
    tap.equal("once it is there, it may", tries(107, "auth"), "auth=0")
    configure("ask_for_others = root dovecot")
    tap.equal("root's name changes nothing", (root_login(), [
        tries(x, "auth") for x in (DOVECOT, 107)]),
        (SUCCESS, ["auth=0", "auth=9"]))
    tap.ok("and is logged", wait_for(lambda: logged(
        "ask_for_others: root is root")))
    configure("ask_for_others = " + "dovecot " * 17)
    tap.equal("too many names: no service may ask", (root_login(), as_user(
        DOVECOT, asks(VERIFY))), (SUCCESS, NO))


def shadowless():
    """No group reads /etc/shadow, as in Fedora."""
    if OPEN:
        return
    os.chmod("/etc/shadow", 0o600)
    os.chown(lyra2d.SOCKET, 0, 0)
    os.chmod(lyra2d.SOCKET, 0o600)
    configure("ask_for_others = dovecot")
    tap.equal("after a login it may", (root_login(), as_user(
        DOVECOT, asks(VERIFY))), (SUCCESS, SUCCESS))
    tap.equal("but not root's group", as_user(1001, asks(VERIFY), 0, (0,)),
              "no permission")
    configure("")
    tap.equal("then the mode is what it was", (root_login(), socket_acl()),
              (SUCCESS, (0o600, False)))
    os.chmod("/etc/shadow", 0o640)
    os.chown(lyra2d.SOCKET, 0, 42)
    os.chmod(lyra2d.SOCKET, 0o660)


def end(number):
    os.kill(number, signal.SIGTERM)
    wait_for(lyra2d.is_gone)


def started():
    """The ACL is set before the first program connects."""
    end(pid)
    configure("ask_for_others = postgres")
    service = subprocess.Popen([daemon])
    wait_for(lambda: lyra2d.listens() if OPEN else
             os.path.exists(lyra2d.SOCKET) and socket_acl()[1])
    tap.equal("the first connection since the start may be the service's",
              as_user(POSTGRES, asks(VERIFY)), SUCCESS)
    end(service.pid)
    service.wait()


tap.run((before, listed, without_brake, dates, another_source, removed, later,
         shadowless, started))
