#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""The scheme {LYRA2} of slapd: binds, upgrades, replication, client logins.

usage: directory.py SOURCE [TREE]

SOURCE is the source tree, TREE the result of "make install DESTDIR=TREE".
Without TREE, the installed module is tested.  Runs as root in a scratch root.
Prints TAP.
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
import slapd
import tap

LOG = "/tmp/slapd.log"
RIGHT, WRONG, NEW = "right pw", "wrong pw", "another pw"
CHEAP = "t_cost=1 cost=4 cols=16"
PLUGIN = "olcPlugin: postoperation /usr/lib/ldap/pw-lyra2.so pw_lyra2_upgrade\n"
BOUND = 30		# seconds; what is refused takes a thousandth of it
CROWD, TURNS = 50, 20	# clients, and binds of each
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
plugin postoperation /usr/lib/ldap/pw-lyra2.so pw_lyra2_upgrade
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


# --- upgrades ------------------------------

def older_values():
    """Values that a bind replaces, and values that it keeps."""
    def crypt(method, password=RIGHT):
        return b"{CRYPT}" + clients.must(
            ["mkpasswd", "-s", "-m", method], password + "\n").encode().strip()

    def string(*options):
        return b"{LYRA2}" + lyra2("hash", *options)[1].encode().strip()

    replaced = {
        "SSHA": slapd.slappasswd(RIGHT, "-h", "{SSHA}").encode(),
        "CRYPT": crypt("sha512crypt"), "DES": crypt("descrypt"),
        "ARGON2": slapd.slappasswd(RIGHT, "-o", "module-load=argon2 m=1024",
                                   "-h", "{ARGON2}").encode(),
        "fewer passes": string("--t-cost=1", "--rows=64", "--cols=256"),
        "less memory": string("--t-cost=2", "--rows=32", "--cols=256"),
    }
    left = {
        "the same parameters": string("--t-cost=2", "--rows=64",
                                      "--cols=256"),
        "more memory": string("--t-cost=1", "--rows=128", "--cols=256"),
        "more passes": string("--t-cost=3", "--rows=32", "--cols=256"),
        "yescrypt with more memory": crypt("yescrypt"),
        "ARGON2 with more memory": slapd.slappasswd(
            RIGHT, "-o", "module-load=argon2 m=7168", "-h",
            "{ARGON2}").encode(),
        "a password in clear": RIGHT.encode(),
    }
    return replaced, left


def is_new(value):
    return re.match(r"\{LYRA2\}\$lyra2\$v=30\$t=2\$r=64\$c=256\$", value)


def upgrades():
    """A bind replaces outdated values, and no others."""
    server = slapd.make(
        "upgrade", 3894, database=PLUGIN,
        **module("t_cost=2 rows=64 cols=256"))
    with server.running():
        server.populate({"alice": b"x", "bob": b"x"})
        replaced, left = older_values()
        for what, value in {**replaced, **left}.items():
            server.store("bob", value)
            tap.equal(what + ": a wrong password changes nothing",
                      (server.bind("bob", WRONG),
                       server.stored("bob").encode()), (False, value))
            tap.ok(what + ": the right one binds", server.bind("bob", RIGHT))
            tap.equal(what + ": the value is new", bool(
                is_new(server.stored("bob"))),
                      what in replaced or what == "the same parameters")
            tap.equal(what + ": and good for the same password",
                      verdicts(server, "bob"), ONLY_RIGHT)
        tap.ok("the log says so", logged("hash of uid=bob,.* upgraded"))
        server.store("bob", replaced["DES"])
        tap.ok("DES: a longer password binds, cut off",
               server.bind("bob", RIGHT + "!"))
        tap.equal("DES: but is not what is stored",
                  server.stored("bob").encode(), replaced["DES"])
        several = [left["more memory"], replaced["SSHA"],
                   slapd.slappasswd(NEW, "-h", "{SSHA}").encode()]
        server.store("bob", several)
        tap.ok("several values: one binds", server.bind("bob", RIGHT))
        values = server.attribute("bob", "userPassword")
        tap.ok("several values: those of another password stay",
               len(values) == 3 and several[0] in values and
               several[1] not in values and several[2] in values, values)
        server.store("alice", replaced["SSHA"])
        errors = crowd(server, 10, 4)
        tap.equal("many binds at once: every verdict is right", errors, [])
        tap.ok("many binds at once: one new value",
               is_new(server.stored("alice")))
        tap.ok("slapd lives", server.lives())


def policed():
    """A server with upgrades, ppolicy and lastbind."""
    config = module("t_cost=2 rows=64 cols=256")
    config["modules"] += "olcModuleLoad: ppolicy\n"
    return slapd.make("policy", 3895, database="olcLastBind: TRUE\n" + PLUGIN,
                      **config)


def with_policy(server):
    """Adds a policy with many rules, and a user with a password history."""
    server.populate({"alice": b"x"})
    status, output = server.configure(
        "dn: olcOverlay=ppolicy,olcDatabase={1}mdb,cn=config\n"
        "changetype: add\nobjectClass: olcOverlayConfig\n"
        "objectClass: olcPPolicyConfig\nolcOverlay: ppolicy\n"
        "olcPPolicyDefault: cn=policy,%s\n" % slapd.SUFFIX)
    tap.ok("slapo-ppolicy is there", status == 0, output)
    server.admin().add_s("cn=policy," + slapd.SUFFIX, [
        ("objectClass", [b"device", b"pwdPolicy"]),
        ("cn", b"policy"), ("pwdAttribute", b"userPassword"),
        ("pwdMustChange", b"TRUE"), ("pwdInHistory", b"2"),
        ("pwdMinAge", b"3600"), ("pwdSafeModify", b"TRUE"),
        ("pwdCheckQuality", b"2"),
        ("pwdMaxAge", b"999999999"), ("pwdMaxIdle", b"86400")])
    for number in range(2):
        server.ldappasswd("alice", "old password %d" % number)


STATE = ["pwdChangedTime", "pwdReset", "pwdHistory", "pwdGraceUseTime"]
STATES = {
    "usually": {"pwdChangedTime": b"20250101000000Z"},
    "where the password must be changed":
        {"pwdChangedTime": b"20250101000000Z", "pwdReset": b"TRUE"},
    "after a grace login": {"pwdChangedTime": b"20250101000000Z",
                            "pwdGraceUseTime": b"20250601000000Z"},
    "where the password is older than the policy": {},
    "where such a one must be changed": {"pwdReset": b"TRUE"},
}


def upgrade_and_ppolicy():
    """For slapo-ppolicy, an upgrade is not a change of the password."""
    server = policed()
    with server.running():
        with_policy(server)
        history = server.attribute("alice", "pwdHistory")
        tap.equal("there is a history", len(history), 2)
        for what, state in STATES.items():
            server.store("alice", slapd.slappasswd(
                RIGHT, "-h", "{SSHA}").encode())
            server.admin().modify_ext_s(
                slapd.dn("alice"),
                [(ldap.MOD_REPLACE, x, state.get(x)) for x in STATE
                 if x != "pwdHistory"] +
                [(ldap.MOD_REPLACE, "pwdHistory", history)],
                [ldap.controls.RelaxRulesControl()])
            before = [server.attribute("alice", x) for x in STATE]
            tap.ok(what + ": a bind upgrades the value",
                   server.bind("alice", RIGHT) and
                   is_new(server.stored("alice")), server.stored("alice"))
            tap.equal(what + ": all that the policy stores is as before",
                      [server.attribute("alice", x) for x in STATE], before)
            tap.equal(what + ": the last login is known",
                      len(server.attribute("alice", "pwdLastSuccess")), 1)
            tap.ok(what + ": and the next one works",
                   server.bind("alice", RIGHT))
        tap.attempt("with pwdCheckQuality 2 users store no hashes",
                    refuses_hashes, server)


def refuses_hashes(server):
    connection = ldap.initialize(server.uri)
    connection.simple_bind_s(slapd.dn("alice"), RIGHT)
    try:
        connection.modify_s(slapd.dn("alice"), [
            (ldap.MOD_DELETE, "userPassword", RIGHT.encode()),
            (ldap.MOD_ADD, "userPassword", b"{LYRA2}" + hashed().encode())])
    except ldap.CONSTRAINT_VIOLATION as error:
        return "quality" in str(error)
    return False


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
               logged("cannot be checked: Cannot allocate memory"))
        # slapd itself may end if it cannot allocate memory.
        tap.ok("nobody is let in by that",
               errors and all(x[1] is not True for x in errors),
               errors[:10])


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


# --- the story ------------------------------

def one_server():
    first = slapd.make("first", 3892, **module(CHEAP + " max_memory=8M"))
    with first.running():
        first.populate({"alice": b"x", "bob": b"x"})
        for chapter in (passwords, lengths, other_schemes, hostile):
            tap.attempt(chapter.__name__ + " is told to its end",
                        lambda tell=chapter: tell(first) or True)
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
    chapters = [loading, tools, one_server, upgrades, upgrade_and_ppolicy,
                two_servers, little_memory, without_a_queue, secrets]
    wanted = os.environ.get("CHAPTERS", "").split()
    with devlog.Collector(LOG):
        for chapter in chapters:
            if not wanted or chapter.__name__ in wanted:
                tap.attempt(chapter.__name__ + " is told to its end",
                            lambda tell=chapter: tell() or True)
    tap.done()


if __name__ == "__main__":
    main()
