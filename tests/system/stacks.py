#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""stacks - the installed packages in PAM stacks that others built.

usage: stacks.py DEBS

Runs as root in a scratch root (tests/lib/roots) that has libpam-pwquality and
vsftpd or proftpd-core.
DEBS is a folder with the packages.  What programs print and log is compared
with what they do on the same stack without the packages.  Prints TAP.
"""

import contextlib
import ftplib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import clients
import devlog
import packages
import pamroot
import tap
from pamroot import LOG, RIGHT, SHADOW, WRONG, edit, put, read, write

AUTH, ACCOUNT = "/etc/pam.d/common-auth", "/etc/pam.d/common-account"
PASSWORD = "/etc/pam.d/common-password"
STRONG, STRONGER = "Zebra-crossing-5319", "Quagga-walking-7731"
HELPERS = ("/usr/sbin/lyra2_update", "/usr/sbin/lyra2_chkpwd")
REFUSED = "authentication failure;"


# --- stacks ----------------------------------------------------------------

@contextlib.contextmanager
def restored(*paths):
    """Folders and files are afterwards as they were before."""
    kept = tempfile.mkdtemp()
    clients.must(["tar", "-C", "/", "-cf", kept + "/tar",
                  *[x.lstrip("/") for x in paths]])
    try:
        yield
    finally:
        clients.must(["rm", "-rf", *paths])
        clients.must(["tar", "-C", "/", "-xpf", kept + "/tar"])


PAM = ("/etc/pam.d", "/usr/share/pam-configs", "/var/lib/pam", SHADOW)


def profiles(**texts):
    """Profiles of pam-auth-update, enabled."""
    for name, text in texts.items():
        write("/usr/share/pam-configs/" + name, text)
    clients.must(["pam-auth-update", "--package", "--enable", *texts])


def on_unix_line(path, words):
    """Add options to the line of pam_unix."""
    edit(path, r"(?m)^(.*pam_unix\.so.*)$", r"\1 " + words)


def chapter(function):
    """A test that leaves PAM as it was; an exception fails it."""
    def run(*args):
        with restored(*PAM):
            tap.attempt(function.__name__ + " is told to its end",
                        lambda: function(*args) or True)
    return run


def su(user, password):
    """su(1) by nobody: (whether it let in, what was printed)."""
    _, output = clients.talk(
        ["su", user, "-c", "echo in-as:$(id -un)"],
        [(r"assword: ", password)], "nobody",
        stop="New password: |Current password: ")
    return "in-as:" + user in output, output


# --- chapters --------------------------------------------------------------

FAILLOCK = {
    "faillock": "Name: faillock\nDefault: yes\nPriority: 0\n"
                "Auth-Type: Primary\nAuth:\n"
                "\t[default=die] pam_faillock.so authfail\n",
    "faillock_notify": "Name: notify\nDefault: yes\nPriority: 1024\n"
                       "Auth-Type: Primary\nAuth:\n"
                       "\trequisite pam_faillock.so preauth\n"
                       "Account-Type: Primary\nAccount:\n"
                       "\trequired pam_faillock.so\n",
}


def failures_of(user):
    return len(re.findall(r"(?m) V$",
                          clients.must(["faillock", "--user", user])))


@chapter
def faillock():
    """Profiles as guides for hardening have them."""
    profiles(**FAILLOCK)
    write("/etc/security/faillock.conf", "deny = 3\nunlock_time = 600\n")
    for user in ("alice", "sha"):
        for count in range(1, 5):
            entered, _ = su(user, WRONG)
            tap.ok("faillock, %s: wrong password %d" % (user, count),
                   not entered)
        tap.ok("faillock, %s: at least 3 failures are recorded" % user,
               failures_of(user) >= 3, failures_of(user))
        tap.attempt("faillock, %s: the right password is refused" % user,
                    lambda x=user: not su(x, RIGHT)[0])
        clients.must(["faillock", "--user", user, "--reset"])
        tap.attempt("faillock, %s: unlocked, it is accepted" % user,
                    lambda x=user: su(x, RIGHT)[0])
    su("alice", WRONG)
    tap.attempt("faillock: one failure is forgiven",
                lambda: su("alice", RIGHT)[0])
    tap.equal("faillock: a success resets the count", failures_of("alice"), 0)


LOWER = {
    "lower": "Name: lower\nDefault: yes\nPriority: 128\nAuth-Type: Primary\n"
             "Auth:\n\t[success=end default=ignore] pam_exec.so quiet "
             "expose_authtok /usr/local/sbin/lower\n",
}


@chapter
def lower_module():
    """sss, winbind, ldap or radius may know another password of a user."""
    write("/usr/local/sbin/lower", "#!/bin/sh\n"
          "[ \"$(tr -d '\\000')\" = elsewhere ]\n")
    os.chmod("/usr/local/sbin/lower", 0o755)
    profiles(**LOWER)
    for user in ("alice", "sha", "locked"):
        tap.attempt("lower module: it lets %s in" % user,
                    lambda x=user: su(x, "elsewhere")[0])
        tap.attempt("lower module: %s, wrong password" % user,
                    lambda x=user: not su(x, WRONG)[0])
    tap.attempt("lower module: ours", lambda: su("alice", RIGHT)[0])


@chapter
def fourth_try():
    """login(1) ends at PAM_MAXTRIES, which pam_unix alone never gives it."""
    again = [(r"login: ", "alice"), (r"assword: ", WRONG)]
    _, output = clients.talk(
        ["login", "alice"],
        [(r"assword: ", WRONG), *again, *again, (r"login: ", "alice"),
         (r"assword: ", RIGHT), (r"[$] ", "echo in-as:$(id -un); exit")],
        stop="in-as:alice|Maximum|max retries")
    tap.ok("three wrong passwords do not end login(1)",
           "in-as:alice" in output, output)


def failure_lines(user):
    """Whether a wrong password lets in, and all that is logged."""
    log = pamroot.Marker()
    entered = pamroot.enter("login", user, WRONG)
    log.lines(REFUSED)
    time.sleep(0.2)
    return entered, log.lines("pam_|lyra2_")


@chapter
def one_line():
    """Log watchers count a failure once."""
    for user in ("alice", "sha", "locked", "no-such-user"):
        entered, every = failure_lines(user)
        lines = [x for x in every if REFUSED in x]
        tap.equal("%s: one line of a failure" % user,
                  (entered, len(lines)), (False, 1))
        tap.ok("%s: by pam_unix" % user, all("pam_unix(login:auth)" in x
                                             for x in lines), every)
        tap.ok("%s: nobody is unknown twice" % user, len(
            [x for x in every if "check pass; user unknown" in x]) <= 1, every)


def asked(user, replies):
    """How often su asks, and whether it lets in."""
    _, output = clients.talk(
        ["su", user, "-c", "echo in-as:$(id -un)"],
        [(r"assword: ", x) for x in replies], "nobody",
        stop="in-as:%s\\b|[Ff]ailure|incorrect" % user)
    return output.count("assword: "), "in-as:" + user in output


@chapter
def blank():
    """Users without a password are pam_unix's, in every way."""
    tap.equal("nullok on pam_unix's line: let in, not asked",
              asked("blank", []), (0, True))
    edit(AUTH, r"(?m)^(.*pam_unix\.so.*) nullok", r"\1")
    tap.equal("no nullok: asked once and refused",
              asked("blank", [""]), (1, False))
    tap.equal("no nullok, something typed: refused",
              asked("blank", [RIGHT]), (1, False))


@chapter
def asked_once():
    for user in ("alice", "sha", "locked"):
        tap.equal("%s is asked once" % user, asked(user, [WRONG])[0], 1)
    tap.equal("who types nothing but an end of file is asked once",
              asked("alice", ["\x04"])[0], 1)


UNIX_OPTIONS = """audit authtok_type=X bigcrypt blowfish broken_shadow debug
des gost_yescrypt likeauth md5 minlen=6 nis no_pass_expiry nodelay noreap nullok
nullok_secure nullresetok obscure quiet remember=5 rounds=5 sha256 sha512 shadow
try_first_pass yescrypt"""


@chapter
def options():
    """A line of pam_unix can be copied."""
    write("/etc/pam.d/copied", "".join(
        "%s required pam_lyra2.so %s\n" % (x, " ".join(UNIX_OPTIONS.split()))
        for x in ("auth", "account", "password", "session")))
    log = pamroot.Marker()
    clients.must(["pamtester", "copied", "alice", "authenticate", "acct_mgmt",
                  "open_session", "close_session"], RIGHT + "\n")
    tap.equal("all options of pam_unix are known",
              log.lines("option", 0.5), [])
    pamroot.configure(minlen=14)
    try:
        short = clients.talk(["passwd"], [
            (r"Current password: ", RIGHT), (r"New password: ", "eight-88"),
            (r"Retype.*: ", "eight-88")], "alice",
            stop="longer password|updated|New password: .*New password: ")[1]
        tap.ok("minlen = 14 in the configuration: 8 characters are refused",
               "You must choose a longer password." in short, short)
    finally:
        pamroot.configure()


def key_login(user):
    """A login without a password: root is not asked."""
    return clients.talk(["su", user, "-c", "echo in-as:$(id -un)"],
                        stop="in-as:%s\\b|Current password: " % user)[1]


@chapter
def no_pass_expiry():
    """Its meaning depends on whether this login had a password."""
    clients.must(["chage", "-d", "2020-02-02", "-M", "30", "alice"])
    for line in ("before pam_unix", "alone"):
        with restored(*PAM):
            if line == "alone":
                clients.must(["pam-auth-update", "--disable", "unix"])
            tap.ok(line + ": an expired password is told", "required to change"
                   in key_login("alice"), key_login("alice"))
            edit(ACCOUNT, r"(?m)^(.*pam_lyra2\.so.*)$", r"\1 no_pass_expiry")
            tap.ok(line + ", no_pass_expiry: not without a password",
                   "in-as:alice" in key_login("alice"), key_login("alice"))
            _, output = su("alice", RIGHT)
            tap.ok(line + ", no_pass_expiry: but with one",
                   "required to change" in output, output)


@chapter
def told_once():
    cases = (("Your account has expired", ["-E", "2020-02-02"]),
             ("required to change", ["-d", "0"]),
             ("will expire in", ["-M", "3", "-d", str(int(
                 time.time() // 86400))]))
    for text, words in cases:
        for disabled in ("", "unix"):
            with restored(*PAM):
                if disabled:
                    clients.must(["pam-auth-update", "--disable", disabled])
                clients.must(["chage", *words, "sha"])
                log = pamroot.Marker()
                _, output = su("sha", RIGHT)
                tap.equal("%s: told once%s" % (
                    text, disabled and ", without pam_unix"),
                    output.count(text), 1)
                found = [x for x in log.lines("expire", 0.5)
                         if "account sha has" in x
                         or "password for user sha" in x]
                tap.equal("%s: logged once%s" % (
                    text, disabled and ", without pam_unix"), len(found), 1)


@chapter
def without_unix():
    """The module alone does all that pam_unix did."""
    clients.must(["pam-auth-update", "--disable", "unix"])
    log = pamroot.Marker()
    entered, output = su("alice", RIGHT)
    tap.ok("without pam_unix: right password", entered, output)
    lines = log.lines("session closed for user alice")
    for text in ("session opened for user alice",
                 "session closed for user alice"):
        tap.equal("without pam_unix: " + text,
                  len([x for x in log.lines(text) if "pam_lyra2(su:session)"
                       in x]), 1)
    tap.ok("lines were found", lines)
    for user in ("alice", "sha", "locked", "no-such-user"):
        entered, every = failure_lines(user)
        tap.equal("without pam_unix: %s, one line of a failure" % user,
                  (entered, len([x for x in every if REFUSED in x])),
                  (False, 1))
    tap.equal("without pam_unix: blank password, asked and refused",
              asked("blank", [""]), (1, False))


@chapter
def sessions():
    """Beside pam_unix its lines are enough."""
    log = pamroot.Marker()
    su("alice", RIGHT)
    log.lines("session closed for user alice")
    for text in ("session opened", "session closed"):
        tap.equal(text + ": one line", len(log.lines(text)), 1)


@chapter
def quality():
    """pam_pwquality asks, refuses what is weak, and passes the rest on."""
    write("/etc/security/pwquality.conf", "dictcheck = 0\n")
    clients.must(["pam-auth-update", "--enable", "pwquality"])
    tap.ok("pam_pwquality is in the stack", "pam_pwquality" in read(PASSWORD))
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
    tap.attempt("pwquality: it opens the door", lambda: su("alice", STRONG)[0])


@chapter
def history():
    """pam_pwhistory and our strings, which it separates by commas."""
    profiles(pwhistory="Name: history\nDefault: yes\nPriority: 1000\n"
             "Password-Type: Primary\nPassword:\n\trequisite "
             "pam_pwhistory.so remember=5 enforce_for_root use_authtok\n"
             "Password-Initial:\n\trequisite "
             "pam_pwhistory.so remember=5 enforce_for_root\n")
    for password in (STRONG, STRONGER):
        tap.attempt("pwhistory: a new password by root",
                    lambda x=password: clients.passwd_by_root("alice", x)[0])
    fields = read("/etc/security/opasswd").split(":")
    tap.equal("pwhistory: our hash is one entry of its file",
              [x.count("$lyra2$") for x in fields[3].split(",")],
              [1] * fields[3].count("$lyra2$"))
    os.unlink("/etc/security/opasswd")


@chapter
def without_shadow():
    """After pwunconv(8) pam_unix has to do the work, and nobody else asks."""
    with restored("/etc/passwd"):
        clients.must(["pwunconv"])
        tap.attempt("pwunconv: right password", lambda: su("sha", RIGHT)[0])
        tap.attempt("pwunconv: wrong password",
                    lambda: not su("sha", WRONG)[0])
        done, output = clients.passwd("sha", RIGHT, STRONG)
        tap.ok("pwunconv: passwd by the user", done, output)
        tap.equal("pwunconv: the new password is asked for once",
                  (output.count("New password: "),
                   output.count("Retype new password: ")), (1, 1))
        tap.attempt("pwunconv: it opens", lambda: su("sha", STRONG)[0])
        done, output = clients.passwd_by_root("sha", STRONGER)
        tap.ok("pwunconv: passwd by root", done, output)
        tap.attempt("pwunconv: it opens", lambda: su("sha", STRONGER)[0])
        clients.chpasswd({"sha": RIGHT, "alice": RIGHT})
        tap.attempt("pwunconv: chpasswd", lambda: su("sha", RIGHT)[0])
        tap.attempt("pwunconv: chpasswd of a user with $lyra2$",
                    lambda: su("alice", RIGHT)[0])
        tap.ok("pwunconv: /etc/shadow is not made again",
               not os.path.exists(SHADOW))
        write(SHADOW, "")


VSFTPD = ["vsftpd", "-olisten=YES", "-olisten_ipv6=NO", "-olocal_enable=YES",
          "-obackground=NO"]
PROFTPD = """ServerType standalone
DefaultServer on
UseIPv6 off
User nobody
Group nogroup
RequireValidShell off
AuthOrder mod_auth_pam.c* mod_auth_unix.c
"""


def ftp_login(user, password):
    """Whether an FTP server lets in, and does something then."""
    session = ftplib.FTP(timeout=20)
    with contextlib.closing(session):
        for _ in range(50):
            with contextlib.suppress(ConnectionRefusedError):
                session.connect("localhost")
                break
            time.sleep(0.1)
        try:
            session.login(user, password)
        except ftplib.error_perm:
            return False
        return session.pwd() and session.quit()


def sessions_end(name):
    """Until no process but the server itself is left."""
    for _ in range(100):
        found = subprocess.run(["pgrep", "-c", "-r", "D,R,S,T", "-x", name],
                               stdout=subprocess.PIPE, check=False)
        if int(found.stdout) == 1:
            return True
        time.sleep(0.1)
    return False


@chapter
def ftp():
    """Servers that wait for any child when SIGCHLD comes."""
    os.makedirs("/run/vsftpd/empty", exist_ok=True)
    write("/etc/shells", "/bin/sh\n", "a")
    write("/tmp/proftpd.conf", PROFTPD)
    server = VSFTPD if shutil.which("vsftpd") else [
        "proftpd", "-n", "-c", "/tmp/proftpd.conf"]
    with subprocess.Popen(server) as daemon:
        for user in ("alice", "sha"):
            for _ in range(2):
                tap.attempt("%s: %s, wrong password" % (server[0], user),
                            lambda x=user: not ftp_login(x, WRONG))
                tap.attempt("%s: %s, right password" % (server[0], user),
                            lambda x=user: ftp_login(x, RIGHT))
        tap.attempt(server[0] + ": no session stays",
                    lambda: sessions_end(server[0]))
        daemon.terminate()


@chapter
def no_helper():
    """pam_unix lets users in whose password it can verify."""
    before = read(SHADOW)
    with contextlib.ExitStack() as stack:
        for path in HELPERS:
            stack.enter_context(pamroot.set_aside(path))
        tap.attempt("no helper: pam_unix lets sha in",
                    lambda: su("sha", RIGHT)[0])
        for user in ("sha", "alice", "locked"):
            tap.attempt("no helper: %s, wrong password" % user,
                        lambda x=user: not su(x, WRONG)[0])
        status, output = clients.run(["chpasswd"], "sha:%s\n" % STRONG)
        tap.ok("no helper: chpasswd fails", status != 0, output)
    tap.ok("no helper: /etc/shadow stands", read(SHADOW) == before)


def chpasswd_under(what, *inject):
    """chpasswd with faults: all lines of /etc/shadow stay."""
    with restored(SHADOW):
        before = read(SHADOW)
        status, output = clients.run(
            ["timeout", "60", "strace", "-f", "-o", "/dev/null", *inject,
             "chpasswd"], "sha:%s\n" % STRONG)
        after = read(SHADOW)
        same = pamroot.only_hash_differs("sha", before, after) or \
            before == after
        field = clients.stored("sha") if same else ""
        return same and (status != 0 and before == after or
                         field.startswith("$lyra2$")), \
            "%s: exit %d, %d of %d lines: %s %s" % (
                what, status, after.count("\n"), before.count("\n"), field,
                output)


@chapter
def faults():
    """Nothing that goes wrong with a local user may reach pam_unix.

    It takes an error for the end of /etc/shadow and writes what it has read.
    tests/pam/faults.py has all calls, but not pam_unix of each release.
    """
    cases = [("read of %s" % name, ["-P", name, "-e", "inject=read:error=EIO"
                                   + when])
             for name in (SHADOW, "/etc/passwd")
             for when in (":when=1", ":when=2+", ":when=2", "")]
    bad = []
    for what, inject in cases:
        fine, detail = chpasswd_under(what, *inject)
        if not fine:
            bad.append(detail)
    tap.equal("%d faults: every line stays, no hash of pam_unix" % len(cases),
              bad, [])


def transcripts():
    """What programs say, with the same words typed."""
    said = {}

    def say(name, argv, answers, user=None, stop=None):
        status, output = clients.talk(argv, answers, user, stop)
        said[name] = status, output.replace("\r", "")

    say("chsh", ["chsh", "-s", "/bin/sh"], [(r"assword: ", RIGHT)], "sha")
    say("chsh, wrong", ["chsh", "-s", "/bin/sh"], [(r"assword: ", WRONG)],
        "sha")
    say("chfn", ["chfn", "-r", "4"], [(r"assword: ", RIGHT)], "sha")
    say("passwd, wrong", ["passwd"], [(r"Current password: ", WRONG)], "sha")
    say("passwd, mistyped", ["passwd"], [
        (r"Current password: ", RIGHT), (r"New password: ", STRONG),
        (r"Retype.*: ", STRONGER)], "sha")
    say("passwd by root, mistyped", ["passwd", "sha"], [
        (r"New password: ", STRONG), (r"Retype.*: ", STRONGER)])
    say("passwd", ["passwd"], [
        (r"Current password: ", RIGHT), (r"New password: ", STRONG),
        (r"Retype.*: ", STRONG)], "sha")
    say("passwd by root", ["passwd", "sha"], [
        (r"New password: ", STRONGER), (r"Retype.*: ", STRONGER)])
    say("su, wrong", ["su", "sha", "-c", "true"], [(r"assword: ", WRONG)],
        "nobody")
    say("su, nothing typed", ["su", "sha", "-c", "true"],
        [(r"assword: ", "\x04")], "nobody")
    say("su, expired", ["su", "old", "-c", "true"], [(r"assword: ", RIGHT)],
        "nobody", stop="Current password: ")
    say("passwd of a user elsewhere", ["passwd", "no-such-user"], [])
    return said


def people():
    for user in ("alice", "sha", "locked", "blank", "old"):
        clients.add_user(user, RIGHT)
    put("sha", pamroot.crypt("sha512crypt", RIGHT))
    put("locked", "!" + pamroot.crypt("sha512crypt", RIGHT))
    put("blank", "")
    clients.must(["chage", "-d", "0", "old"])


def warnings(debs):
    """Installation names what is lost."""
    on_unix_line(PASSWORD, "minlen=14 remember=5 rounds=7 nis")
    on_unix_line(ACCOUNT, "no_pass_expiry")
    write(PASSWORD, read(PASSWORD).replace(
        "password\trequisite", "password\trequisite pam_pwhistory.so\n"
        "password\trequisite", 1))
    output = clients.must(["dpkg", "-i", *debs])
    for text in ("minlen = 14", "remember=5", "rounds=7", "nis",
                 "no_pass_expiry", "pam_pwhistory"):
        tap.ok("installation warns of " + text, text in output, output)
    tap.ok("not of options that every system has", not re.search(
        r"obscure|use_authtok|try_first_pass|yescrypt", output), output)
    clients.must(["dpkg", "--purge", "libpam-lyra2"])


def main(folder):
    debs = packages.debs_in(folder)
    with devlog.Collector(LOG):
        pamroot.without_delays()
        clients.must(["pam-auth-update", "--disable", "pwquality"])
        people()
        with restored(*PAM):
            before = transcripts()
        with restored(*PAM):
            warnings(debs)
        output = clients.must(["dpkg", "-i", *debs])
        tap.ok("a stock system: no warning", "warning" not in output, output)
        pamroot.configure()
        pamroot.without_delays()
        with restored(*PAM):
            after = transcripts()
        for name, said in before.items():
            tap.equal("the same words as pam_unix: " + name, after[name], said)
        clients.chpasswd({"alice": RIGHT})
        tap.ok("alice has a hash of ours",
               clients.stored("alice").startswith("$lyra2$"))
        with open("/etc/security/pam_lyra2.conf", "a",
                  encoding="utf-8") as file:
            file.write("rehash = never\n")
        for step in (faillock, lower_module, fourth_try, one_line, blank,
                      asked_once, options, no_pass_expiry, told_once,
                      without_unix, sessions, quality, history,
                      without_shadow, ftp, no_helper, faults):
            step()
    tap.done()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
