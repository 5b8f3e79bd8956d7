# SPDX-License-Identifier: BSD-2-Clause
"""Odd lines of passwd, group and shadow, and large files.

	odd.py PID LOG CONF TOOL

Each row below has a result, "rehashed", "kept" or "refused", and a user's line.
In the line, @ is the user's name and H a hash of the password.  A login has to
have that result, and lyra2 audit has to predict it.  What audit says about a
damaged line, the login has to log.  No other byte may change.
"""
import json
import os
import pwd
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.environ["SRCDIR"] + "/tests/lib")
import devlog
import lyra2d
import tap
from processes import crypt

pid, log_path, conf, LYRA2 = sys.argv[1:]
BUILD = os.environ["BUILDDIR"]
trace = log_path + ".strace"
PASSWD, GROUP, SHADOW = "/etc/passwd", "/etc/group", "/etc/shadow"
REST = ":19000:0:99999:7:::"
ROOT, NO_REHASH = 4, 16
# Calls that vary: for reading, for memory, and with the time of packets
FREE = ("read", "lseek", "brk", "mmap", "munmap", "mremap",
        "restart_syscall", "poll", "recvfrom", "recvmsg")
LONG = "7" * 70000
MANY = "".join("member%d," % x for x in range(9999))

SHADOW_LINES = """
rehashed @:H:19000:0:99999:7:::
refused @:H:19000:0:99999:7::
refused @:H:19000:0:99999:7:
refused @:H:19000:0:99999:7
refused @:H:19000
refused @:H:
refused @:H
refused @
refused @:
refused @:H:19000:0:99999:7::::
refused @:H:19000:0:99999:7:::\\r
refused @:H:19000:0:99999:7::\\r
refused @:H\\r:19000:0:99999:7:::
kept @:H:19000:0:99999:7:::\\n@:H:19000:0:99999:7:::
kept @:H:19000:0:99999:7:::\\n@:!:1::::::
kept @:H:19000:0:99999:7:::\\n@:
refused @:!H:19000:0:99999:7:::\\n@:H:19000:0:99999:7:::
kept @:H:a:0:99999:7:::\\n@:H:19000:0:99999:7:::
refused @:H:a:0:99999:7:::
refused @:H:19000:a:99999:7:::
refused @:H:19000:0:a:7:::
refused @:H:19000:0:99999:a:::
refused @:H:19000:0:99999:7:a::
refused @:H:19000:0:99999:7::a:
refused @:H:19000:0:99999:7:::a
kept @:H:19000:0:99999:7::1:
kept @:H:19000:0:99999:7::0:
refused @:H:19000:0:99999:7::-1:
refused @:H:19000:0:99999:7::99999999999999999999:
refused @:H:19000:0:99999:7::999999999999999999999999999999:
kept @:H:19000:0:99999:7:: 1:
refused @:H:19000:0:99999:7::1 :
rehashed @:H:0:0:99999:7:::
refused @:H:-1:0:99999:7:::
rehashed @:H:19000::::::
rehashed @:H:19000:0:99999:7:::\\0
refused @:H\\0:19000:0:99999:7:::
refused @:\\0H:19000:0:99999:7:::
refused @\\0:H:19000:0:99999:7:::
rehashed  @:H:19000:0:99999:7:::
refused #@:H:19000:0:99999:7:::
refused +@:H:19000:0:99999:7:::
refused @ :H:19000:0:99999:7:::
refused @::19000:0:99999:7:::
refused @:*:19000:0:99999:7:::
refused @:!H:19000:0:99999:7:::
refused @:H :19000:0:99999:7:::
refused @: H:19000:0:99999:7:::
refused @:x:19000:0:99999:7:::
refused @:*NP*:19000:0:99999:7:::
refused @:##@:19000:0:99999:7:::
refused @:$zz$salt$hash:19000:0:99999:7:::
refused @:$6$rounds=99999999$salt$hash:19000:0:99999:7:::
refused @:$lyra2$t2n99c12p1$saltsalt$hash:19000:0:99999:7:::
refused @:L:19000:0:99999:7:::
refused @:H:19000:0:99999:7:::L
refused
rehashed @:H:19000:0:99999:7:::\\n:H:1::::::\\n::\\n\\n\\r\\n\\0
"""
PASSWD_LINES = """
rehashed @:x:N:100::/:/bin/sh
rehashed @:*NP*:N:100::/:/bin/sh
rehashed @:##@:N:100::/:/bin/sh
refused @:##other:N:100::/:/bin/sh
refused @:X:N:100::/:/bin/sh
refused @:x :N:100::/:/bin/sh
refused @::N:100::/:/bin/sh
refused @:*:N:100::/:/bin/sh
refused @:!:N:100::/:/bin/sh
refused @:H:N:100::/:/bin/sh
refused @:L:N:100::/:/bin/sh
rehashed @:x:N:100
rehashed @:x:N:100:
refused @:x:N
refused @:x
refused @:
refused @
refused @:x:a:100::/:/bin/sh
refused @:x::100::/:/bin/sh
refused @:x:-1:100::/:/bin/sh
rehashed @:x:4294967295:100::/:/bin/sh
rehashed @:x:4294967294:100::/:/bin/sh
refused @:x:4294967296:100::/:/bin/sh
rehashed @:x:+5:100::/:/bin/sh
rehashed @:x: 5:100::/:/bin/sh
refused @:x:0x10:100::/:/bin/sh
rehashed @:x:000N:100::/:/bin/sh
rehashed @:x:0:100::/:/bin/sh
refused @:x:N:a::/:/bin/sh
refused @:x:N:::/:/bin/sh
refused @:x:N:100 ::/:/bin/sh
rehashed  @:x:N:100::/:/bin/sh
rehashed \\t\\r@:x:N:100::/:/bin/sh
refused #@:x:N:100::/:/bin/sh
refused @:#x:N:100::/:/bin/sh
rehashed @:x:N:100::/:/bin/sh\\n@:H:N:100::/:/bin/sh
refused @:H:N:100::/:/bin/sh\\n@:x:N:100::/:/bin/sh
rehashed @:x:a:100::/:/bin/sh\\n@:x:N:100::/:/bin/sh
rehashed @:x:N:100::/:/bin/sh\\r
refused @:x:N:100\\r
rehashed @:x:N:100::\\0/:/bin/sh
refused @:x:N\\0:100::/:/bin/sh
refused @\\0:x:N:100::/:/bin/sh
rehashed @:x:N:100::/:/bin/sh:more:and more
refused +@:x:N:100::/:/bin/sh
refused -@:x:N:100::/:/bin/sh
refused @ :x:N:100::/:/bin/sh
rehashed @:x:N:100:L:/:/bin/sh
refused
"""
# Lines of the group in rehash_group; @ is a user whose primary group is 100
GROUP_LINES = """
rehashed trial:x:77:@
rehashed trial:x:77:bob,@
rehashed trial:x:77:@,bob
rehashed trial:x:77:,,@,,
rehashed trial:x:77: @
rehashed trial:x:77:bob,\\t@
kept trial:x:77:@ ,bob
kept trial:x:77:bob,x@
kept trial:x:77:bob,@x
kept trial:x:77:bob @
kept trial:x:77:bob;@
kept trial:x:77:bob,@\\r
rehashed trial:x:77:bob,@,x\\r
kept trial:x:77:@:
rehashed trial:x:77:@,b:@
kept trial:x:77:
kept trial:x:77
rehashed trial:x:100
rehashed trial:x:100:
rehashed trial:x:0100:bob
kept trial:x:-100:@
kept trial:x:a:@
kept trial:x::@
kept trial:x:77a:@
rehashed trial:x: 77:@
rehashed trial:x:4294967295:@
kept trial:x:4294967396:@
kept trial:x:100\\r
rehashed trial::77:@
rehashed trial:!:77:@
kept trial:@
kept trial:
kept trial
kept trials:x:77:@
kept atrial:x:77:@
kept #trial:x:77:@
kept +trial:x:77:@
kept trial :x:77:@
rehashed  trial:x:77:@
kept trial:x:77:bob\\ntrial:x:78:@
kept trial:x:77:bob\\ntrial:x:100:
rehashed trial:x:a:bob\\ntrial:x:77:@
rehashed trial:x:77:@\\0
rehashed trial:x:77:@,\\0
kept trial:\\0:77:@
rehashed \\0\\ntrial:x:77:@
rehashed trial:x:77:@,@,@
rehashed trial:x:77:L,@
rehashed trial:x:77:B@
kept trial:x:77:B
kept
kept -
"""


HASH = crypt("$6$rounds=1000$saltsalt$", "secret")


def rows(table):
    """(result, bytes of the line) of each row."""
    for row in table.strip("\n").split("\n"):
        verdict, _, line = row.partition(" ")
        yield verdict, line


def spell(line, name, uid):
    """The bytes of a row's line for a user."""
    signs = {"\\0": "\0", "\\n": "\n", "\\r": "\r", "\\t": "\t", "@": name,
             "H": HASH, "L": LONG, "B": MANY, "N": str(uid)}
    line = re.sub(r"\\[0nrt]|[@HLB]|N(?!P)", lambda x: signs[x.group()], line)
    return line + "\n" if line else ""


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, text):
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())


def configure(text=""):
    write(conf, "method = lyra2\ncost = 10\ncols = 171\n"
          "rehash_root = yes\n" + text)


def audit(*options):
    done = subprocess.run([LYRA2, "audit", *options], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)
    return done.returncode, done.stdout


def foretold():
    """The result that audit predicts for each user, and its text, by name."""
    status, text = audit("--json")
    if status != 0:
        tap.equal("audit's exit status", status, 0)
    said = {x["user"]: x for x in json.loads(text)["users"]}
    result = {}
    for name, x in said.items():
        verdict = {"convert": "rehashed", "current": "kept",
                   "kept": "kept"}.get(x["status"], "refused")
        if x["next_login"].startswith("kept: /etc/passwd has "):
            verdict = "refused"
        result[name] = verdict, x["next_login"]
    return result


def login(name, call="auth"):
    """The PAM code that an application gets with module and service."""
    done = subprocess.run([BUILD + "/tests/pam/try", "/etc/pam.d", "std", name,
                           call], input=b"secret\n" if call == "auth" else b"",
                          stdout=subprocess.PIPE, check=False)
    return int(re.search(call.encode() + rb"=(\d+)", done.stdout).group(1))


def idle():
    children = "/proc/%s/task/%s/children" % (pid, pid)
    end = time.monotonic() + 60
    while read(children).strip() and time.monotonic() < end:
        time.sleep(0.005)


def fields(text):
    """The password fields, by user."""
    result = {}
    for line in text.split(b"\n"):
        name, _, rest = line.partition(b":")
        result.setdefault(name.decode().lstrip(), []).append(rest.split(b":")[0])
    return result


def all_log_in(names):
    """The result of each user's login."""
    before = read(SHADOW)
    with ThreadPoolExecutor(4) as pool:
        codes = dict(zip(names, pool.map(login, names)))
    idle()
    after = read(SHADOW)
    old, new = fields(before), fields(after)
    result = {}
    for name in names:
        changed = old.get(name) != new.get(name)
        result[name] = ("rehashed" if changed else "kept") \
            if codes[name] == 0 else "refused, but changed" if changed \
            else "refused"
        if changed:
            before = before.replace(
                b"%s:%s:" % (name.encode(), old[name][0]),
                b"%s:%s:" % (name.encode(), new[name][0]), 1)
    tap.ok("no other byte of /etc/shadow changes", after == before)
    return result


def write_users(what, table):
    """Makes a user for each row; returns their results and lines, by name."""
    users, passwd, shadow = {}, "root:x:0:0:::\n", "root:!:1::::::\n"
    for i, (verdict, line) in enumerate(rows(table)):
        name = "%s%03d" % (what, i)
        users[name] = verdict, line
        odd = spell(line, name, 2000 + i)
        passwd += odd if what == "passwd" else \
            "%s:x:%d:100::/:/bin/sh\n" % (name, 2000 + i)
        shadow += odd if what == "shadow" else "%s:%s%s\n" % (name, HASH, REST)
    write(PASSWD, passwd)
    write(SHADOW, shadow)
    return users


def compare(what, users, said, did, logged):
    missing = "/etc/passwd has no such user"
    for name, (verdict, line) in users.items():
        told, why = said.get(name, ("refused", missing))
        tap.equal("%s, %s: %r" % (what, verdict, line),
                  (told, did[name]), (verdict, verdict))
        text = re.match(r"refused: (/etc/\w+:\d+: .*)", why)
        if text and "user %s: %s\n" % (name, text.group(1)) not in logged:
            tap.equal("%r: what is logged" % line, re.findall(
                "user %s: (.*)" % name, logged), [text.group(1)])


def check_users(what, table):
    users = write_users(what, table)
    with devlog.Collector(log_path):
        said = foretold()
        did = all_log_in(list(users))
    compare(what, users, said, did, read(log_path).decode())
    return users, said


def libc_agrees(users, said):
    """Each user that is known here has the same user ID in libc."""
    wrong = []
    for name in users:
        known = said.get(name, ("", "refused: /etc/passwd:"))[1]
        if "/etc/passwd" in known and "has the hash" not in known:
            continue
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            wrong.append(name)
            continue
        line = spell(users[name][1], name, 2000 + int(name[-3:]))
        uids = [int(x) for x in re.findall(r":[^:\n]*:\s*([+]?\d+):", line + ":")]
        # Python has -1 for the highest one.
        wrong += [] if entry.pw_uid % 2 ** 32 in uids else [name]
    tap.equal("who is a user here, is one for libc", wrong, [])


def check_module(users, said):
    """passwd(1) does not change users who are left to pam_unix(8)."""
    others = {x: login(x, "passwd") for x in users
              if said.get(x, ("refused",))[0] == "refused"}
    tap.equal("no password of theirs is set here",
              [x for x in others if others[x] not in (6, 10)], [])


def check_groups():
    configure("rehash_group = trial\n")
    for verdict, line in rows(GROUP_LINES):
        write(PASSWD, "ann:x:2000:100::/:/bin/sh\n")
        write(SHADOW, "\nann:%s%s\n" % (HASH, REST))
        write(GROUP, "other:x:5:ann\n" + spell(line, "ann", 0))
        told = verdict
        if line == "-":
            os.unlink(GROUP)
            tap.equal("no /etc/group: audit", audit()[0], 3)
        else:
            told = foretold()["ann"][0]
        code = login("ann")
        idle()
        changed = fields(read(SHADOW))["ann"] != [HASH.encode()]
        tap.equal("group, %s: %r" % (verdict, line),
                  (told, code, changed), (verdict, 0, verdict == "rehashed"))
    write(GROUP, "root:x:0:\n")
    configure()


def large(number):
    """Makes so many users, each in the group of the rehash; returns the last.
    """
    extra = "".join("many%d:%%s\n" % x for x in range(number))
    write(PASSWD, "root:x:0:0:::\n" + extra.replace("%s", "x:5000:100::/:") +
          "ann:x:2000:100::/:/bin/sh\n")
    write(SHADOW, "root:!:1::::::\n" + extra.replace("%s", HASH + REST) +
          "ann:%s%s\n" % (HASH, REST))
    write(GROUP, "trial:x:77:%sann\n" % "".join(
        "many%d," % x for x in range(number)))


def strace(*options, command=None):
    """Traces a program, or traces the service while a command runs."""
    with subprocess.Popen(["strace", "-f", "-o", trace, *options],
                          stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as tracer:
        result = None
        if command:
            while b"TracerPid:\t%d\n" % tracer.pid not in read(
                    "/proc/%s/status" % pid):
                time.sleep(0.01)
            result = command()
            idle()
            tracer.terminate()
    return result


def counted(*options, command=None):
    """The number of each system call, without those of FREE."""
    strace(*options, command=command)
    names = re.findall(r"(?m)^\d+ +(\w+)\(", read(trace).decode("latin1"))
    return {x: names.count(x) for x in sorted(set(names)) if x not in FREE}


def usual(*args, **words):
    """The middle of seven counts: the service also has other work at times, and
    strace may come late."""
    counts = [counted(*args, **words) for _ in range(7)]
    return {x: sorted(c.get(x, 0) for c in counts)[3]
            for x in set().union(*counts)}


def ask(flags=NO_REHASH):
    """A status and a verification, as root."""
    for op in lyra2d.STATUS, lyra2d.VERIFY:
        client = lyra2d.Client()
        client.ask(op, "ann", "secret", flags=flags)
        client.tell(lyra2d.GOT)
        client.tell(lyra2d.ADMITTED)
        client.close()


def check_said_once():
    """A status is followed by a check, which says it, but not by root's passwd.
    """
    write(PASSWD, "ann:x:2000:100::/:/bin/sh\n")
    write(SHADOW, "ann:%s:x::::::\n" % HASH)
    said = []
    for flags in 0, ROOT:
        client = lyra2d.Client()
        client.hello()
        client.header(lyra2d.STATUS, "ann", flags)
        said.append(SHADOW + ":1: " in client.reply()[2])
        client.close()
    tap.equal("a status says what is damaged to root's passwd only", said,
              [False, True])


def minlen():
    client = lyra2d.Client()
    length = client.hello()[2]
    client.close()
    return length


def check_errors():
    """An error that passes, while the service reads its configuration."""
    for call, error in ("openat", "ENFILE"), ("openat", "ENOMEM"), (
            "read", "EIO"):
        configure("minlen = 12\n")
        write(PASSWD, "ann:x:2000:100::/:/bin/sh\n")
        write(SHADOW, "\nann:%s%s\n" % (HASH, REST))
        lengths = [minlen()]
        configure("minlen = 12\n# %s\n" % error)
        lengths.append(strace(
            "-p", pid, "-P", conf, "-e", "inject=%s:error=%s" % (call, error),
            command=minlen))
        lengths.append(minlen())
        tap.equal("%s: minlen before, meanwhile, afterwards" % error, lengths,
                  [12, 12, 12])
        ask(0)
        idle()
        tap.ok(error + ": then logins rehash",
               b"lyra2" in fields(read(SHADOW))["ann"][0])


def check_large():
    """Ten users cost as many system calls as a hundred thousand."""
    configure("rehash_group = trial\n")
    results = []
    for number in 10, 100000:
        large(number)
        ask()
        results.append((usual("-p", pid, command=ask),
                        counted(LYRA2, "audit", "--stranded")))
    for i, what in enumerate(("lookup and verify", "audit")):
        few, many = (results[number][i] for number in (0, 1))
        # One more call may be other work of the service.
        more = {x: n for x, n in many.items() if n > few.get(x, 0) + 1}
        tap.equal(what + ": users cost no system calls", more, {})
    ask(0)
    idle()
    tap.ok("one in 100,000 is rehashed",
           b"lyra2" in fields(read(SHADOW))["ann"][0])


users, said = check_users("passwd", PASSWD_LINES)
libc_agrees(users, said)
check_module(users, said)
check_users("shadow", SHADOW_LINES)
check_groups()
check_said_once()
if subprocess.run(["strace", "-o", "/dev/null", "true"], check=False,
                  stderr=subprocess.DEVNULL).returncode:
    tap.skip("errors and large files", "strace may not trace here")
else:
    check_errors()
    check_large()
tap.done()
