#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""stacks - the installed packages together with other PAM modules.

usage: stacks.py DEBS

Runs as root in a scratch root (tests/lib/roots) that has libpam-pwquality.
DEBS is a directory with the packages.  Prints TAP.
"""

import contextlib
import gzip
import os
import re
import sys
import tempfile

import clients
import devlog
import packages
import pamroot
import tap
from pamroot import RIGHT, SHADOW, WRONG, edit, put, read, write

PASSWORD = "/etc/pam.d/common-password"
PAM = ("/etc/pam.d", "/usr/share/pam-configs", "/var/lib/pam", SHADOW)
STRONG, STRONGER = "Zebra-crossing-5319", "Quagga-walking-7731"


@contextlib.contextmanager
def restored(*paths):
    """Restores directories and files afterwards."""
    kept = tempfile.mkdtemp()
    clients.must(["tar", "-C", "/", "-cf", kept + "/tar",
                  *[x.lstrip("/") for x in paths]])
    try:
        yield
    finally:
        clients.must(["rm", "-rf", *paths])
        clients.must(["tar", "-C", "/", "-xpf", kept + "/tar"])


def profiles(**texts):
    """Makes and enables profiles of pam-auth-update."""
    for name, text in texts.items():
        write("/usr/share/pam-configs/" + name, text)
    clients.must(["pam-auth-update", "--package", "--enable", *texts])


def su(user, password):
    """Returns true if su(1), run by nobody, lets the user in, and no module
    fails."""
    return "in-as:" + user in clients.talk(
        ["su", user, "-c", "echo in-as:$(id -un)"],
        [(r"assword: ", password)], "nobody")[1]


def warnings(debs):
    """The installation names settings that have no effect any more."""
    edit(PASSWORD, r"(?m)^(.*pam_unix\.so.*)$",
         r"\1 minlen=14 remember=5 rounds=7 nis")
    edit(PASSWORD, "password\trequisite", "password\trequisite "
         "pam_pwhistory.so\npassword\trequisite")
    output = packages.install(debs)
    for text in "minlen = 14", "remember=5", "nis", "pam_pwhistory":
        tap.ok("installation warns of " + text, text in output, output)
    tap.ok("not of options that every system has", not re.search(
        r"obscure|use_authtok|try_first_pass|yescrypt", output), output)
    tap.ok("nor of rounds, which still counts", "rounds=" not in output, output)
    clients.must(["dpkg", "--purge", "libpam-lyra2"])


def faillock():
    """pam_faillock, with profiles as in guides for hardening."""
    profiles(
        faillock="Name: faillock\nDefault: yes\nPriority: 0\n"
        "Auth-Type: Primary\nAuth:\n\t[default=die] pam_faillock.so authfail\n",
        notify="Name: notify\nDefault: yes\nPriority: 1024\n"
        "Auth-Type: Primary\nAuth:\n\trequisite pam_faillock.so preauth\n"
        "Account-Type: Primary\nAccount:\n\trequired pam_faillock.so\n")
    write("/etc/security/faillock.conf", "deny = 3\nunlock_time = 600\n")
    for user in ("alice", "sha"):
        for count in range(3):
            tap.attempt("faillock, %s: wrong password %d" % (user, count),
                        lambda x=user: not su(x, WRONG))
        tap.attempt("faillock, %s: the correct password is refused" % user,
                    lambda x=user: not su(x, RIGHT))
        clients.must(["faillock", "--user", user, "--reset"])
        tap.attempt("faillock, %s: unlocked, it is accepted" % user,
                    lambda x=user: su(x, RIGHT))
    su("alice", WRONG)
    tap.attempt("faillock: one failure is forgiven", lambda: su("alice", RIGHT))
    tap.equal("faillock: a success resets the count", re.findall(
        "(?m) V$", clients.must(["faillock", "--user", "alice"])), [])


def lower_module():
    """sss, winbind, ldap or radius may know another password of a user."""
    write("/usr/local/sbin/lower", "#!/bin/sh\n"
          "[ \"$(tr -d '\\000')\" = elsewhere ]\n")
    os.chmod("/usr/local/sbin/lower", 0o755)
    profiles(lower="Name: lower\nDefault: yes\nPriority: 128\n"
             "Auth-Type: Primary\nAuth:\n\t[success=end default=ignore] "
             "pam_exec.so quiet expose_authtok /usr/local/sbin/lower\n")
    for user in ("alice", "sha", "locked"):
        tap.attempt("lower module: it lets %s in" % user,
                    lambda x=user: su(x, "elsewhere"))
        tap.attempt("lower module: %s, wrong password" % user,
                    lambda x=user: not su(x, WRONG))
    tap.attempt("lower module: ours", lambda: su("alice", RIGHT))


def quality():
    """pam_pwquality asks, refuses weak passwords, and passes on the others."""
    write("/etc/security/pwquality.conf", "dictcheck = 0\n")
    clients.must(["pam-auth-update", "--enable", "pwquality"])
    _, output = clients.talk(["passwd"], [
        (r"Current password: ", RIGHT), (r"New password: ", "abc")],
        "alice", stop="BAD PASSWORD.*\n")
    tap.ok("pwquality: a weak password is refused", "BAD PASSWORD" in output,
           output)
    done, output = clients.passwd("alice", RIGHT, STRONG)
    tap.ok("pwquality: a strong one is set", done, output)
    tap.equal("pwquality: it was asked for once",
              (output.count("New password: "),
               output.count("Retype new password: ")), (1, 1))
    tap.ok("pwquality: by this module",
           clients.stored("alice").startswith("$lyra2$"))
    tap.attempt("pwquality: it opens the door", lambda: su("alice", STRONG))


def examples(section):
    """The literal blocks in a section of the installed pam_lyra2(8)."""
    with gzip.open("/usr/share/man/man8/pam_lyra2.8.gz", "rt") as file:
        text = file.read().partition("\n.Sh %s\n" % section)[2]
    return [x.replace("\\e\n", " ") for x in re.findall(
        r"(?ms)^\.Bd [^\n]*\n(.*?)^\.Ed", text.partition("\n.Sh ")[0])]


ABOVE = (
    "",
    "auth requisite pam_faillock.so preauth deny=1000\n",
    "auth required pam_access.so\nauth required pam_permit.so\n",
    "auth [default=1 ignore=ignore success=ok] pam_usertype.so isregular\n"
    "auth optional pam_permit.so\n",
)


def lets_in(stack):
    """The users and passwords that this stack lets in."""
    write("/etc/pam.d/documented", stack)
    return {(user, password) for user in ("alice", "sha", "locked", "nobody-x")
            for password in (RIGHT, WRONG)
            if pamroot.enter("documented", user, password)}


def documented():
    """The manual's stacks, below modules that administrators put above them."""
    right = {("alice", RIGHT), ("sha", RIGHT)}
    stacks = examples("EXAMPLES")
    tap.equal("pam_lyra2(8) has two stacks", len(stacks), 2)
    for i, stack in enumerate(stacks):
        for above in ABOVE:
            tap.equal("example %d below '%s'" % (i, above.replace("\n", ";")),
                      lets_in(above + stack), right)
    tap.equal("example 1: a module after it is asked",
              lets_in(stacks[1] + "auth required pam_deny.so\n"), set())
    mistake = re.sub("(?m)^auth.*pam_deny.*\n", "", stacks[0])
    tap.ok("without pam_deny this test would see who comes in",
           ("alice", WRONG) in lets_in(mistake))


def watchers():
    """fail2ban counts wrong passwords, with the configuration in the manual."""
    write("/etc/fail2ban/filter.d/common.local", examples("CAVEATS")[0])
    write("/etc/pam.d/documented", examples("EXAMPLES")[0])
    log = tempfile.mkdtemp() + "/auth.log"
    with devlog.Collector(log):
        for user in ("alice", "sha", "locked", "nobody-x"):
            for name in ("documented", "login"):
                clients.run(["pamtester", "-I", "rhost=192.0.2.7", name, user,
                             "authenticate"], WRONG + "\n")
    write(log, re.sub("(?m)^<[0-9]+> *", "Nov 23 12:00:00 host ", read(log)))
    output = clients.must(["fail2ban-regex", log, "pam-generic"])
    tap.ok("fail2ban counts eight wrong passwords",
           re.search(r"\b8 matched", output), output + read(log))


def without_shadow():
    """After pwunconv(8), pam_unix does the work, and asks for the only
    password."""
    with restored("/etc/passwd"):
        clients.must(["pwunconv"])
        tap.attempt("pwunconv: correct password", lambda: su("sha", RIGHT))
        tap.attempt("pwunconv: wrong password", lambda: not su("sha", WRONG))
        done, output = clients.passwd("sha", RIGHT, STRONG)
        tap.ok("pwunconv: passwd by the user", done, output)
        tap.attempt("pwunconv: it opens", lambda: su("sha", STRONG))
        clients.chpasswd({"sha": RIGHT, "alice": RIGHT})
        tap.attempt("pwunconv: chpasswd", lambda: su("sha", RIGHT))
        tap.attempt("pwunconv: chpasswd of a user with $lyra2$",
                    lambda: su("alice", RIGHT))
        tap.ok("pwunconv: /etc/shadow is not made again",
               not os.path.exists(SHADOW))
        write(SHADOW, "")


def no_service():
    """Without lyra2d, pam_unix lets in users whose password it can verify."""
    before = read(SHADOW)
    with pamroot.set_aside("/usr/sbin/lyra2d"):
        tap.attempt("no service: pam_unix lets sha in",
                    lambda: pamroot.enter("login", "sha", RIGHT))
        for user in ("sha", "alice", "locked"):
            tap.attempt("no service: %s, wrong password" % user, lambda x=user:
                        not pamroot.enter("login", x, WRONG))
        status, output = clients.run(["chpasswd"], "sha:%s\n" % STRONG)
        tap.ok("no service: chpasswd fails", status != 0, output)
    tap.ok("no service: /etc/shadow stands", read(SHADOW) == before)


def faults():
    """No error with a local user may reach pam_unix.

    pam_unix takes an error for the end of /etc/shadow, and writes the part
    that it has read.  tests/unit/writer.c makes each call fail, but not with
    each release's pam_unix.
    """
    for name in (SHADOW, "/etc/passwd"):
        for when in (":when=1", ":when=2+", ":when=2", ""):
            with restored(SHADOW):
                before = read(SHADOW)
                status, output = clients.run(
                    ["timeout", "60", "strace", "-f", "-o", "/dev/null", "-P",
                     name, "-e", "inject=read:error=EIO" + when, "chpasswd"],
                    "sha:%s\n" % STRONG)
                after = read(SHADOW)
                tap.ok("read of %s fails%s: nothing but ours is written" % (
                    name, when), status != 0 and before == after or
                    pamroot.only_hash_differs("sha", before, after) and
                    clients.stored("sha").startswith("$lyra2$"), output)


def people():
    for user in ("alice", "sha", "locked"):
        clients.add_user(user, RIGHT)
    put("sha", pamroot.crypt("sha512crypt", RIGHT))
    put("locked", "!" + pamroot.crypt("sha512crypt", RIGHT))


def main(folder):
    debs = packages.debs_in(folder)
    pamroot.without_delays()
    clients.must(["pam-auth-update", "--disable", "pwquality"])
    people()
    with restored(*PAM):
        warnings(debs)
    packages.install(debs)
    pamroot.configure(rehash="never")
    pamroot.without_delays()
    clients.chpasswd({"alice": RIGHT})
    for chapter in (faillock, lower_module, quality, documented, watchers,
                    without_shadow, no_service, faults):
        with restored(*PAM):
            tap.attempt(chapter.__name__ + " is told to its end",
                        lambda run=chapter: run() or True)
    tap.done()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
