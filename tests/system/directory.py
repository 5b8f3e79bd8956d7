#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""The scheme {LYRA2} of slapd: binds, replication, client logins.

usage: directory.py SOURCE [TREE]

SOURCE is the source tree, TREE the result of "make install DESTDIR=TREE".
Without TREE, the installed module is tested.  Runs as root in a scratch root.
Prints TAP.  CHAPTERS names the functions to run.
"""

import contextlib
import os
import re
import subprocess
import sys
import threading
import time

import ldap

import clients
import devlog
import relay
import slapd
import tap

LOG = "/tmp/slapd.log"
RIGHT, WRONG, NEW = "right pw", "wrong pw", "another pw"
CHEAP = "t_cost=1 cost=4 cols=16"
BOUND = 30		# seconds; what is refused takes a thousandth of it
CROWD, TURNS = 50, 5	# clients, and binds of each
LIMIT = 512 << 20	# bytes


def module(arguments):
    """The parts of slapd.LDIF that load the module with those arguments."""
    return {"modules": "olcModuleLoad: argon2\n"
                       "olcModuleLoad: pw-lyra2 %s\n" % arguments,
            "frontend": "olcPasswordHash: {LYRA2}\n"}


def lyra2(*arguments, password=RIGHT):
    return clients.run(["lyra2", *arguments], password + "\n")


def hashed(password=RIGHT):
    """A cheap hash, made by lyra2(1)."""
    status, output = lyra2("hash", "--t-cost=1", "--rows=16",
                           "--cols=16", password=password)
    if status != 0:
        raise clients.Failed(output)
    return output.strip()


def soon(condition):
    deadline = time.monotonic() + BOUND
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def logged(pattern, more_than=0):
    """Counts the lines of the log that match; waits for more than that many."""
    count = 0

    def enough():
        nonlocal count
        with open(LOG, encoding="utf-8") as file:
            count = len(re.findall(pattern, file.read()))
        return count > more_than

    soon(enough)
    return count


# --- the configuration ------------------------------

def readme_lines(source):
    """The LDIF of README.Debian."""
    with open(source + "/debian/slapd-lyra2.README.Debian",
              encoding="ascii") as file:
        return re.search(r"(?ms)^dn: .*?\{LYRA2\}$", file.read())[0] + "\n"


def loading():
    """Loads the module into Debian's own configuration."""
    lines = readme_lines(sys.argv[1])
    server = slapd.Server("packaged", 3890, "/etc/ldap/slapd.d")
    with server.running():
        for wrong in ("cost=99", "cost", "frost=4", "rehash=never",
                      "version=2.5 sponge=blamka", "rows=1048576 cols=1024",
                      "max_memory=47M", "max_memory=2G", "max_concurrent=0",
                      "max_wait=0", "max_work=0", "max_work=1 t_cost=9",
                      "max_concurrent=65537"):
            status, output = server.configure(
                lines.replace("pw-lyra2", "pw-lyra2 " + wrong))
            tap.ok("'%s' is refused" % wrong, status != 0, output)
            tap.ok("'%s': the log says why" % wrong,
                   logged("pw-lyra2: .*" + wrong.split("=")[0]))
        tap.ok("slapd lives", server.answers())
        status, output = server.configure(lines)
        tap.ok("README.Debian's lines load it", status == 0, output)
        tap.ok("not twice", server.configure(lines)[0] != 0)
        for name in ("pw-lyra2.so", "/usr/lib/ldap/pw-lyra2",
                     "pw-lyra2.so frost=4"):
            tap.ok("nor as %s" % name, server.configure(
                lines.replace("pw-lyra2", name))[0] != 0)
        tap.equal("the log says why each time",
                  logged("pw-lyra2: loaded already", 2), 3)
        tap.ok("slapd lives", server.lives())
    with server.running():
        tap.ok("and it is loaded when slapd starts again", server.answers())
    tap.equal("slaptest has nothing to say", clients.run(
        ["slaptest", "-F", "/etc/ldap/slapd.d"]),
        (0, "config file testing succeeded\n"))
    slapd_conf()


SLAPD_CONF = """\
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload pw-lyra2.so %s
include /etc/ldap/schema/core.schema
password-hash {LYRA2}
database mdb
suffix %s
rootdn %s
rootpw %s
directory /tmp
"""


def slapd_conf():
    """The module in slapd.conf(5)."""
    for arguments, wanted in ((CHEAP, 0), ("cost=99", 1)):
        with open("/tmp/slapd.conf", "w", encoding="ascii") as file:
            file.write(SLAPD_CONF % (arguments, slapd.SUFFIX, slapd.ADMIN,
                                     "{LYRA2}" + hashed()))
        for argv in (["slaptest", "-u"], ["slapd", "-T", "test", "-u"]):
            status, output = clients.run([*argv, "-f", "/tmp/slapd.conf"])
            tap.equal("%s: slapd.conf with '%s'" % (" ".join(argv), arguments),
                      status, wanted)
    tap.ok("the error is told", "pw-lyra2: argument \"cost=99\"" in output,
           output)


def tools():
    """The module in slappasswd(8)."""
    value = slapd.slappasswd(
        RIGHT, "-o", "module-load=pw-lyra2 " + CHEAP, "-h", "{LYRA2}")
    tap.ok("slappasswd makes a value", value.startswith("{LYRA2}$lyra2$"))
    string = value.strip()[len("{LYRA2}"):]
    tap.equal("which the lyra2 tool knows", lyra2("verify", string)[0], 0)
    tap.equal("and no other password of it",
              lyra2("verify", string, password=WRONG)[0], 1)


# --- binds ------------------------------

def verdicts(server, name, right=RIGHT):
    """The result of a bind with the right password, and with wrong ones."""
    return [server.bind(name, x)
            for x in (right, WRONG, right[:-1], right + "x")]


ONLY_RIGHT = [True, False, False, False]


def passwords(server):
    before = server.stored("alice")
    status, output = server.ldappasswd("alice", RIGHT)
    value = server.stored("alice")
    tap.ok("ldappasswd sets a password", status == 0, output)
    tap.ok("as {LYRA2}$lyra2$...", value.startswith("{LYRA2}$lyra2$") and
           value != before, value)
    tap.equal("with which alice binds", verdicts(server, "alice"), ONLY_RIGHT)
    status, output = server.ldappasswd(
        "alice", NEW, slapd.dn("alice"), RIGHT)
    tap.ok("she changes it herself", status == 0, output)
    tap.equal("and binds", verdicts(server, "alice", NEW), ONLY_RIGHT)
    connection = ldap.initialize(server.uri)
    connection.simple_bind_s(slapd.dn("alice"), NEW)
    with contextlib.suppress(ldap.UNWILLING_TO_PERFORM):
        connection.passwd_s(slapd.dn("alice"), WRONG, RIGHT)
        tap.ok("not with a wrong old password", False)
    connection.passwd_s(slapd.dn("alice"), NEW, RIGHT)
    tap.equal("the old password is checked", verdicts(server, "alice"),
              ONLY_RIGHT)
    server.store("alice", b"{lyra2}" + hashed().encode())
    tap.equal("a hash by the tool, a scheme in small letters",
              verdicts(server, "alice"), ONLY_RIGHT)


def lengths(server):
    for length, wanted in ((1, True), (511, True), (512, False)):
        status, output = server.ldappasswd("alice", "p" * length)
        tap.equal("a password of %d bytes can be set: %s" % (length, wanted),
                  status == 0, wanted)
    tap.ok("the client is told why", "511 bytes" in output, output)
    tap.ok("the one before is still there", server.bind("alice", "p" * 511))
    tap.ok("one byte more is another", not server.bind("alice", "p" * 512))
    server.ldappasswd("alice", RIGHT)


def other_schemes(server):
    """Users whose value has another scheme can bind."""
    values = {
        "ssha": slapd.slappasswd(RIGHT, "-h", "{SSHA}"),
        "crypt": "{CRYPT}" + clients.must(
            ["mkpasswd", "-s", "-m", "sha512crypt"], RIGHT + "\n").strip(),
        "argon2": slapd.slappasswd(
            RIGHT, "-o", "module-load=argon2", "-h", "{ARGON2}"),
    }
    for scheme, value in values.items():
        server.store("bob", value.encode())
        tap.equal("{%s} beside it" % scheme.upper(),
                  verdicts(server, "bob"), ONLY_RIGHT)


# --- bad values ------------------------------

def bad_values():
    """Malformed and hostile values, by what is wrong with them."""
    good = hashed()
    setting, _, output = good.rpartition("$")

    def with_field(name, value):
        return re.sub(r"\b%s=\d+" % name, "%s=%s" % (name, value), good)

    return {
        "nothing": "", "no hash": setting, "an empty hash": setting + "$",
        "15 bytes of hash": good[:-23], "a hash too long": good + "A" * 60,
        "another method": "$6$salt$" + "x" * 86,
        "a setting twice": good + good,
        "an unknown version": with_field("v", 99),
        "no rows": with_field("r", 0),
        "rows below zero": with_field("r", -1),
        "more than max_memory": with_field("r", 6000),
        "more than 1 GiB": with_field("r", 1 << 20),
        "2^32 - 1 rows": with_field("r", 4294967295),
        "2^64 + 16 rows": with_field("r", (1 << 64) + 16),
        "years of work": with_field("t", 4294967295),
        "more than max_work": good.replace("t=1$r=16", "t=999$r=3000"),
        "a column too many for memory": with_field("c", 1 << 31),
        "a NUL at the end": good + "\0",
        "a NUL within": good[:12] + "\0" + good[12:],
        "a new line": good + "\n",
        "a percent sign": good.replace("lyra2", "lyra2%n%s", 1),
        "bytes above 127": setting + "$" + "\xff" * len(output),
        "a megabyte": good + "A" * (1 << 20),
    }


def refused(server, value):
    """Whether the value is refused within BOUND seconds."""
    server.store("bob", b"{LYRA2}" + value.encode("latin-1"))
    start = time.monotonic()
    return not server.bind("bob", RIGHT) and \
        not server.bind("bob", value[:500] or " ") and \
        time.monotonic() - start < BOUND


def hostile(server):
    server.store("bob", b"{LYRA2}" + lyra2("hash", "--t-cost=1", "--rows=5000",
                                           "--cols=16")[1].strip().encode())
    tap.equal("almost max_memory", verdicts(server, "bob"), ONLY_RIGHT)
    lines = 0
    for what, value in bad_values().items():
        tap.attempt(what + ": refused", refused, server, value)
        now = logged("pw-lyra2: a stored value", lines + 1)
        tap.equal(what + ": logged at each bind", now, lines + 2)
        lines = now
        tap.ok(what + ": slapd lives", server.lives())
    tap.ok("the others still bind", server.bind("alice", RIGHT))
    tap.ok("a value without the module's scheme is no password",
           server.store("bob", b"{LYRA3}" + RIGHT.encode()) or
           not server.bind("bob", RIGHT))


def secrets():
    """The log of all tests has neither passwords nor hashes."""
    with open(LOG, encoding="utf-8") as file:
        text = file.read()
    tap.ok("the log has no passwords", not re.search(
        "%s|%s|pppp" % (RIGHT, NEW), text), text[:2000])
    tap.ok("and no hashes", not re.search(
        r"lyra2\$v=\d|\$salt\$", text))


# --- a crowd ------------------------------

def crowd(server, people=CROWD, turns=TURNS):
    """Many binds at once, half with a wrong password; returns the errors."""
    errors = []

    def client(number):
        for turn in range(turns):
            right = (number + turn) % 2 == 0
            try:
                verdict = server.bind("alice", RIGHT if right else WRONG)
            except ldap.LDAPError as error:
                verdict = error
            if verdict is not right:
                errors.append((right, verdict))

    threads = [threading.Thread(target=client, args=(x,))
               for x in range(people)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


def limited(name, arguments):
    """A server with a limit on memory, and hashes of the default size."""
    server = slapd.make(name, 3891, **module("t_cost=1 " + arguments))
    server.prefix = ["prlimit", "--data=%d" % LIMIT]
    return server


def little_memory():
    server = limited("crowd", "")
    with server.running():
        server.populate({"alice": b"x"})
        server.ldappasswd("alice", RIGHT)
        start = time.monotonic()
        errors = crowd(server)
        print("# %d binds took %.1f s, at most %d MiB" % (
            CROWD * TURNS, time.monotonic() - start, server.peak() >> 20))
        tap.equal("%d clients at once: every verdict is right" % CROWD,
                  errors, [])
        tap.ok("slapd was not killed", server.lives())
    status = server.process.returncode
    tap.equal("and it ends in good order", status, 0)


def without_a_queue():
    """Without max_concurrent, that limit is too low."""
    server = limited("rush", "max_concurrent=16")
    with server.running():
        server.populate({"alice": b"x"})
        server.ldappasswd("alice", RIGHT)
        errors = crowd(server, CROWD, 2)
        tap.ok("with max_concurrent=16 there is not enough memory",
               logged("cannot be checked: not enough memory"))
        # slapd itself may end if it cannot allocate memory.
        tap.ok("nobody is let in by that",
               errors and all(x[1] is not True for x in errors),
               errors[:10])


def timed(act):
    start = time.monotonic()
    act()
    return time.monotonic() - start


def out_of_time():
    """Who does not get a turn in time is refused, and the log says so."""
    server = slapd.make("late", 3898, **module(
        "max_concurrent=1 max_wait=1 max_work=1000"))
    slow = lyra2("hash", "--t-cost=247", "--rows=4096", "--cols=256")[1]
    with server.running():
        server.populate({"alice": b"{LYRA2}" + hashed().encode(),
                         "bob": b"{LYRA2}" + slow.strip().encode()})
        verdict = []
        holder = threading.Thread(
            target=lambda: verdict.append(server.bind("bob", RIGHT)))
        holder.start()
        refused_at = timed(lambda: soon(
            lambda: not server.bind("alice", RIGHT)))
        tap.ok("a bind that waits too long is refused", logged(
            "pw-lyra2: a bind is refused unchecked: it has waited 1 seconds"),
            refused_at)
        tap.equal("a new password too: the one before is kept",
                  (server.ldappasswd("alice", NEW)[0] != 0,
                   holder.is_alive()), (True, True))
        holder.join()
        tap.equal("the one that held the slot gets in", verdict, [True])
        tap.ok("and then the others do", server.bind("alice", RIGHT))


# --- more than one machine ------------------------------

def replica(provider):
    return slapd.make("second", 3893, database="""\
olcSyncrepl: rid=1 provider=%s type=refreshAndPersist retry="1 +"
  searchbase="%s" bindmethod=simple binddn="%s" credentials="%s"
olcUpdateRef: %s
""" % (provider.uri, slapd.SUFFIX, slapd.ADMIN, slapd.ADMIN_PW,
       provider.uri), **module(CHEAP))


def replication(first, second):
    tap.ok("the entries are copied",
           soon(lambda: second.bind("alice", RIGHT)))
    first.ldappasswd("alice", NEW)
    tap.ok("a password set on one server is that of the other",
           soon(lambda: second.bind("alice", NEW)))
    tap.ok("and the old one is not", not second.bind("alice", RIGHT))
    tap.equal("the values are the same", second.stored("alice"),
              first.stored("alice"))


def same_on(servers, name, right, wrong):
    """Whether only the right password is soon that of each server."""
    return soon(lambda: all(x.bind(name, right) for x in servers)) and \
        not any(x.bind(name, wrong) for x in servers) and \
        len({x.stored(name) for x in servers}) == 1


def reset(server, name, password):
    status, output = server.ldappasswd(name, password)
    if status != 0:
        raise clients.Failed(output)


def provider(name, port, wire):
    """One of two that copy from each other, through a wire."""
    return slapd.make(name, port, database="""\
olcSyncrepl: rid=1 provider=ldap://127.0.0.1:%d/ type=refreshAndPersist
  retry="1 +" searchbase="%s" bindmethod=simple binddn="%s" credentials="%s"
olcMultiProvider: TRUE
""" % (wire, slapd.SUFFIX, slapd.ADMIN, slapd.ADMIN_PW), **module(CHEAP))


def two_providers():
    """Both take changes; apart, each goes on; then the last reset wins."""
    wires = [relay.Wire(3886, 3897), relay.Wire(3887, 3896)]
    servers = east, west = [provider("east", 3896, 3886),
                            provider("west", 3897, 3887)]
    with east.running(), west.running():
        east.populate({"alice": b"x", "bob": b"x"})
        for server, new, old in ((east, RIGHT, NEW), (west, NEW, RIGHT)):
            for name in "alice", "bob":
                soon(lambda s=server: s.stored("bob"))
                reset(server, name, new)
                tap.ok("%s's password is set through %s" % (name, server.uri),
                       same_on(servers, name, new, old))
        for wire in wires:
            wire.is_cut = True
        reset(east, "alice", RIGHT)
        reset(west, "bob", RIGHT)
        west.stop()
        west.start()
        reset(west, "alice", WRONG)
        reset(east, "bob", WRONG)
        tap.equal("apart, each has its own",
                  [x.bind(y, z) for x, y, z in (
                      (east, "alice", RIGHT), (west, "alice", WRONG),
                      (west, "bob", RIGHT), (east, "bob", WRONG))],
                  [True] * 4)
        for wire in wires:
            wire.is_cut = False
        for name in "alice", "bob":
            tap.ok("together, the last reset of %s wins" % name,
                   same_on(servers, name, WRONG, RIGHT))
        for server in servers:
            tap.equal("it ends in good order", server.stop(), 0)
            server.start()
        for name in "alice", "bob":
            tap.ok("%s's is still the last after a restart" % name,
                   same_on(servers, name, WRONG, RIGHT))
        reset(west, "alice", NEW)
        tap.ok("and a change still reaches the other",
               same_on(servers, "alice", NEW, WRONG))
    tap.equal("both end in good order",
              [x.process.returncode for x in servers], [0, 0])


@contextlib.contextmanager
def nslcd(server):
    """The daemon of a client, which asks that server."""
    with open("/etc/nslcd.conf", "w", encoding="ascii") as file:
        file.write("uid nslcd\ngid nslcd\nuri %s\nbase %s\n" % (
            server.uri, slapd.SUFFIX))
    os.makedirs("/run/nslcd", exist_ok=True)
    clients.must(["chown", "nslcd:", "/run/nslcd"])
    daemon = subprocess.Popen(["nslcd", "--nofork"])
    try:
        if not soon(lambda: clients.run(["getent", "passwd", "alice"])[0]
                    == 0):
            raise clients.Failed("nslcd does not find alice")
        yield
    finally:
        daemon.terminate()
        daemon.wait()


def become_client():
    """Makes this system a client; it needs no software of ours."""
    clients.must(["sed", "-i", r"s/^\(passwd\|group\|shadow\):.*/\1: files "
                  "ldap/", "/etc/nsswitch.conf"])
    clients.must(["sed", "-i", "/pam_faildelay/d", "/etc/pam.d/login"])
    clients.must(["pam-auth-update", "--package", "--enable", "ldap"])


def logins(first, second):
    """passwd(1) on a client of one server, login(1) on one of the other."""
    become_client()
    with nslcd(first):
        changed, output = clients.passwd("alice", NEW, RIGHT)
        tap.ok("alice changes her password with passwd", changed, output)
        tap.ok("it is stored as {LYRA2}",
               first.stored("alice").startswith("{LYRA2}$lyra2$"))
    soon(lambda: second.bind("alice", RIGHT))
    with nslcd(second):
        tap.attempt("she logs in on a client of the other server",
                    clients.check_login, "alice", RIGHT)
        tap.ok("not with another password",
               not clients.check_login("alice", WRONG))
        tap.ok("nor with the one before",
               not clients.check_login("alice", NEW))
        tap.attempt("and with su", clients.check_su, "alice", RIGHT)


# --- the scenario ------------------------------

def one_server():
    first = slapd.make("first", 3892, **module(CHEAP + " max_memory=8M"))
    with first.running():
        first.populate({"alice": b"x", "bob": b"x"})
        for chapter in (passwords, lengths, other_schemes, hostile):
            tap.attempt(chapter.__name__ + " is told to its end",
                        lambda run=chapter: run(first) or True)
    tap.equal("slapd ends in good order", first.process.returncode, 0)


def two_servers():
    first = slapd.make("first", 3892, **module(CHEAP))
    second = replica(first)
    with first.running(), second.running():
        first.populate({"alice": b"x"})
        first.ldappasswd("alice", RIGHT)
        replication(first, second)
        logins(first, second)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    if len(sys.argv) == 3:
        clients.must(["cp", "-a", "--no-target-directory", sys.argv[2], "/"])
        clients.must(["ldconfig"])
    chapters = [loading, tools, one_server, two_servers, two_providers,
                little_memory, without_a_queue, out_of_time, secrets]
    wanted = os.environ.get("CHAPTERS", "").split()
    with devlog.Collector(LOG):
        for chapter in chapters:
            if not wanted or chapter.__name__ in wanted:
                tap.attempt(chapter.__name__ + " is told to its end",
                            lambda run=chapter: run() or True)
    tap.done()


if __name__ == "__main__":
    main()
