# SPDX-License-Identifier: BSD-2-Clause
"""clients - the programs that ask for passwords, driven as a person would.

For suites that run in a scratch root (tests/lib/roots).  Each check_*(user,
password) function tries one real program and returns True if it let the user
in, False if it refused; whatever else happens (a time-out, an unexpected
text) raises Failed with all that the program printed.  The other functions
make accounts, change passwords and look at /etc/shadow.  Nothing here knows
which PAM module is being tested.
"""

import contextlib
import os
import pty
import pwd
import re
import select
import shutil
import signal
import subprocess
import time

# Far above any real duration: several suites may share a slow machine.
PATIENCE = 120
PORT = 2222
MATRIX = 96 << 20		# bytes that the default hash takes


class Failed(Exception):
    """A program did something that the caller does not expect."""


# --- a command on a pseudo-terminal --------------------------------------

def _become(user):
    """In a child: give up root for that account, with all its groups."""
    entry = pwd.getpwnam(user)
    os.initgroups(user, entry.pw_gid)
    os.setgid(entry.pw_gid)
    os.setuid(entry.pw_uid)
    os.environ.update(HOME=entry.pw_dir, USER=user, LOGNAME=user)


def _spawn(argv, user):
    pid, master = pty.fork()
    if pid == 0:
        try:
            if user:
                _become(user)
            os.execvp(argv[0], argv)
        finally:
            os._exit(127)
    return pid, master


def _dead(pid):
    """Whether the child has ended; its status stays for waitpid()."""
    flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
    return os.waitid(os.P_PID, pid, flags) is not None


def _read(pid, master, deadline):
    """Some output, or None after the child has ended and all is read."""
    while True:
        dead = _dead(pid)
        try:
            if select.select([master], [], [], 0 if dead else 0.1)[0]:
                data = os.read(master, 4096)
                if data:
                    return data.decode("utf-8", "replace")
        except OSError:
            # login(1) hangs up its terminal and then opens it again: an
            # I/O error is the end only when the child is dead.
            time.sleep(0.02)
        if dead:
            return None
        if time.monotonic() > deadline:
            raise TimeoutError


def _dialogue(pid, master, answers, stop):
    """Answer prompts in order; stop at the pattern or when the child ends."""
    deadline = time.monotonic() + PATIENCE
    answers = list(answers)
    seen, pending = "", ""
    while not (stop and re.search(stop, pending)):
        while answers and re.search(answers[0][0], pending):
            pending = ""
            os.write(master, answers.pop(0)[1].encode() + b"\n")
        try:
            text = _read(pid, master, deadline)
        except TimeoutError:
            raise Failed("no end after %d s: %r" % (PATIENCE, seen)) from None
        if text is None:
            break
        seen += text
        pending += text
    return seen


def talk(argv, answers=(), user=None, stop=None):
    """Run argv on a terminal, as user if not root.

    answers is a list of (pattern, reply): each reply is typed once its
    pattern has appeared in what was printed since the reply before.  stop is
    a pattern at which the program is killed.  Returns (exit status, output);
    the status of a killed program is negative.
    """
    pid, master = _spawn(argv, user)
    try:
        seen = _dialogue(pid, master, answers, stop)
    finally:
        if not _dead(pid):
            os.kill(pid, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        os.close(master)
    return status, seen


def run(argv, stdin="", user=None, patience=None, **env):
    """Run argv without a terminal; (exit status, output and errors)."""
    done = subprocess.run(
        argv, input=stdin, text=True, errors="replace",
        timeout=patience or PATIENCE, env={**os.environ, **env},
        preexec_fn=user and (lambda: _become(user)),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout


def must(argv, stdin=""):
    """run() that has to succeed; the output."""
    status, output = run(argv, stdin)
    if status != 0:
        raise Failed("%s: exit %d: %s" % (" ".join(argv), status, output))
    return output


# --- accounts --------------------------------------------------------------

def add_user(user, password=None, stored=None):
    """A new account, with a password (by chpasswd) or a stored hash."""
    must(["useradd", "-m", "-s", "/bin/sh", user])
    if stored is not None:
        must(["usermod", "-p", stored, user])
    if password is not None:
        chpasswd({user: password})


def stored(user):
    """The password field of the user's line in /etc/shadow."""
    return shadow_line(user).split(":")[1]


def shadow_line(user):
    with open("/etc/shadow", encoding="utf-8", errors="replace") as file:
        lines = [x.rstrip("\n") for x in file if x.startswith(user + ":")]
    if len(lines) != 1:
        raise Failed("%d lines of %s in /etc/shadow" % (len(lines), user))
    return lines[0]


def chpasswd(passwords):
    """Set passwords as root, through PAM."""
    must(["chpasswd"], "".join("%s:%s\n" % x for x in passwords.items()))


def passwd(user, old, new):
    """passwd(1) by the user, who repeats a refused password; (success,
    output)."""
    asked = [(r"[Nn]ew.*[Pp]assword: ", new), (r"[Rr]e.*new.*password: ", new)]
    status, output = talk(
        ["passwd"], [(r"[Cc]urrent.*[Pp]assword: ", old), *asked * 3],
        user=user, stop=r"token manipulation error|have exhausted")
    return status == 0, output


def passwd_by_root(user, new):
    """passwd(1) by root, who is not asked for the old password."""
    status, output = talk(["passwd", user], [
        (r"[Nn]ew.*[Pp]assword: ", new),
        (r"[Rr]e.*new.*[Pp]assword: ", new),
    ])
    return status == 0, output


# --- logins ----------------------------------------------------------------

def _verdict(argv, answers, user, yes, no):
    """True at the pattern yes, False at no, else Failed."""
    _, output = talk(argv, answers, user, stop="%s|%s" % (yes, no))
    if re.search(yes, output):
        return True
    if re.search(no, output):
        return False
    raise Failed("%s: %r" % (" ".join(argv), output))


# The shell that a successful login starts prints this.  The echo of the typed
# command does not match it.
_SAY = "echo in-as:$(id -un)"


def check_su(user, password, by="nobody"):
    """su(1) by an ordinary user."""
    return _verdict(["su", "-", user, "-c", _SAY],
                    [(r"assword: ", password)], by,
                    r"in-as:%s\b" % user, r"su: .*[Ff]ailure|incorrect")


def check_login(user, password):
    """login(1), as getty starts it."""
    return _verdict(["login", user],
                    [(r"assword: ", password), (r"[$] ", _SAY + "; exit")],
                    None, r"in-as:%s\b" % user, r"Login incorrect")


def check_sudo(user, password):
    """sudo(8) on a terminal; the user must be in the group sudo."""
    return _verdict(["sudo", "-k", "-p", "sudo password: ", "id", "-un"],
                    [(r"sudo password: ", password), (r"again", "\x03")],
                    user, r"\broot\b", r"try again|incorrect password")


def check_sudo_pipe(user, password):
    """sudo(8) -S: no terminal anywhere."""
    status, output = run(["sudo", "-k", "-S", "-p", "", "id", "-un"],
                         password + "\n", user)
    # The module may have told the user to wait.
    if status == 0 and "root" in output.splitlines():
        return True
    if re.search("incorrect password|try again", output):
        return False
    raise Failed("sudo -S: exit %d: %r" % (status, output))


@contextlib.contextmanager
def sshd(*options):
    """A running sshd on PORT, with the system's own configuration."""
    os.makedirs("/run/sshd", exist_ok=True)
    must(["ssh-keygen", "-A"])
    defaults = ["Port=%d" % PORT, "ListenAddress=127.0.0.1",
                "KbdInteractiveAuthentication=yes", "MaxStartups=100",
                "PasswordAuthentication=yes", "UsePAM=yes"]
    argv = [shutil.which("sshd"), "-D", "-e"]
    # OpenSSH 9.8 began to shut out an address after some wrong passwords.
    if run([argv[0], "-t", "-o", "PerSourcePenalties=no"])[0] == 0:
        defaults.append("PerSourcePenalties=no")
    for option in [*options, *defaults]:
        argv += ["-o", option]
    with open("/tmp/sshd.log", "a", encoding="utf-8") as log:
        daemon = subprocess.Popen(argv, stderr=log)
    try:
        while run(["ssh-keyscan", "-p", str(PORT), "127.0.0.1"])[1] == "":
            if daemon.poll() is not None:
                raise Failed("sshd ended with %d" % daemon.returncode)
            time.sleep(0.05)
        yield daemon
    finally:
        daemon.terminate()
        daemon.wait()


def _ssh(user, password, method):
    status, output = run([
        "sshpass", "-e", "-P", "assword", "ssh", "-n", "-p", str(PORT),
        "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
        "-o", "PubkeyAuthentication=no", "-o", "NumberOfPasswordPrompts=1",
        "-o", "PreferredAuthentications=" + method,
        user + "@127.0.0.1", _SAY], SSHPASS=password)
    if status == 0 and "in-as:%s\n" % user in output:
        return True
    # 5 is sshpass's own "asked again"; 255 is ssh's for every refusal.
    if status == 5 or "Permission denied" in output:
        return False
    raise Failed("ssh (%s): exit %d: %r" % (method, status, output))


def check_ssh_password(user, password):
    """ssh(1), method password; needs sshd()."""
    return _ssh(user, password, "password")


def check_ssh_keyboard(user, password):
    """ssh(1), method keyboard-interactive; needs sshd()."""
    return _ssh(user, password, "keyboard-interactive")


def check_unprivileged(user, password, service="login"):
    """A program without privilege, as a screen locker is."""
    status, output = run(["pamtester", service, user, "authenticate"],
                         password + "\n", user)
    if status == 0 and "successfully authenticated" in output:
        return True
    if "Authentication failure" in output:
        return False
    raise Failed("pamtester: exit %d: %r" % (status, output))


# Every way to log in.  sshd() must run, and the user must be in the group sudo.
WAYS = {
    "su": check_su,
    "login": check_login,
    "sudo": check_sudo,
    "sudo -S": check_sudo_pipe,
    "ssh password": check_ssh_password,
    "ssh keyboard-interactive": check_ssh_keyboard,
    "unprivileged": check_unprivileged,
}


def cron_job(user, command, output):
    """Have cron run one job of the user at once; returns the job's output."""
    run(["systemctl", "stop", "cron"])
    with open("/etc/cron.d/once", "w", encoding="utf-8") as file:
        file.write("@reboot %s %s >%s 2>&1\n" % (user, command, output))
    with contextlib.suppress(FileNotFoundError):
        os.unlink("/run/crond.reboot")
    daemon = subprocess.Popen(["cron", "-f"])
    deadline = time.monotonic() + PATIENCE
    try:
        while not (os.path.exists(output) and os.path.getsize(output)):
            if time.monotonic() > deadline:
                raise Failed("cron did not run the job of " + user)
            time.sleep(0.05)
        with open(output, encoding="utf-8") as file:
            return file.read()
    finally:
        daemon.terminate()
        daemon.wait()
        os.unlink("/etc/cron.d/once")
