#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""selinux - logins and password changes while a policy is enforced.

Runs as unconfined root in a machine that systemd has booted.  First pam_unix
alone does everything, then pam_lyra2.  It is a failure if SELinux then denies
something new, or denies lyra2d anything.  The test provokes one denial, to
check that it notices denials.  alice is an unconfined user; carol and dave have the
roles user_r and staff_r.  Prints TAP.
"""

import os
import re
import time

import clients
import pamroot
import tap

RIGHT, WRONG = "right pw 1", "wrong pw 1"
USERS = ("alice", "carol", "dave")
SHADOW = "/etc/shadow"
CONF = "/etc/security/pam_lyra2.conf"
FOREIGN = "boot_t"		# a type that lyra2d may not read
STRANGER = "httpd_t"		# a domain that may not ask
SERVICE = "/usr/local/sbin/service"
BOOLEAN = "lyra2_ask_for_others"
OTHER_END = "/dev/ttyS3"	# the other end of getty's line
GETTY = "selinux-getty.service"
DENIED = re.compile(
    r"avc:\s+denied\s+{ (?P<what>[^}]*)} .*comm=\"(?P<comm>[^\"]*)\".*"
    r"scontext=\w+:\w+:(?P<source>\w+).*tcontext=\w+:\w+:(?P<target>\w+).*"
    r"tclass=(?P<kind>\w+)")


# --- denials ------------------------------

def denials():
    """The denials in the journal so far."""
    clients.must(["journalctl", "--sync"])
    return [x for x in clients.must(["journalctl", "-b", "-o", "cat"])
            .splitlines() if DENIED.search(x)]


def kind(line):
    found = DENIED.search(line)
    return found.group("what", "source", "target", "kind")


def of_service(line):
    return DENIED.search(line).group("comm").startswith("lyra2") or re.search(
        r":lyra2(d|_chkpwd|_run)_t:", line)


def provoked(line):
    return kind(line)[2] == FOREIGN or kind(line)[1] == STRANGER


def label(path):
    return os.getxattr(path, "security.selinux").decode().rstrip("\0")


def label_type(path):
    return label(path).split(":")[2]


# --- actions of users ------------------------------

def in_session(user, password, command, answers, stop=None):
    """Runs a command in a session that sshd has started; returns its output."""
    argv = ["ssh", "-tt", "-o", "StrictHostKeyChecking=no",
            "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR",
            "-o", "PreferredAuthentications=password", user + "@127.0.0.1",
            command]
    return clients.talk(argv, [("assword: ", password), *answers],
                        stop=stop)[1]


def su(by, password):
    """Returns true if carol or dave can become alice."""
    output = in_session(by, RIGHT, "su - alice -c 'echo in-as:$(id -un)'",
                        [("assword: ", password)])
    if "in-as:alice" not in output and "failure" not in output:
        raise clients.Failed(output)
    return "in-as:alice" in output


def passwd(user, old, new):
    """passwd(1) in the user's own session."""
    output = in_session(user, old, "passwd", [
        (r"[Cc]urrent.*assword: ", old), (r"[Nn]ew.*assword: ", new),
        (r"[Rr]e.*new.*assword: ", new)])
    return "updated successfully" in output


def unprivileged(user, password):
    """A program that the user runs, such as a screen locker."""
    output = in_session(user, RIGHT, "pamtester login %s authenticate" % user,
                        [("assword: ", password)])
    return "successfully authenticated" in output


def login(user, password):
    """login(1), which getty starts at the other end of a line.  A new getty is
    started, and remaining output of the last login is dropped."""
    clients.must(["systemctl", "stop", GETTY])
    _, output = clients.talk(
        ["sh", "-c", "stty -F {0} raw -echo; timeout 1 cat {0} >/dev/null; "
         "cat {0} & systemctl start {1}; exec cat >{0}".format(
             OTHER_END, GETTY)],
        [("login: ", user), ("assword: ", password),
         (r"[$] ", "echo in-as:$(id -un); exit")],
        stop=r"in-as:%s\b|Login incorrect" % user)
    if "in-as:" + user not in output and "incorrect" not in output:
        raise clients.Failed(output)
    return "in-as:" + user in output


# --- the scenario ------------------------------

WAYS = {"ssh": clients.check_ssh_password, "login": login,
        "screen locker": unprivileged}


def all_ways(when):
    for user in USERS:
        for name, way in WAYS.items():
            what = "%s: %s, %s, %%s password" % (when, user, name)
            tap.attempt(what % "wrong", lambda: not way(user, WRONG))
            tap.attempt(what % "right", way, user, RIGHT)
    for user in ("carol", "dave"):
        what = "%s: %s, su to alice, %%s password" % (when, user)
        tap.attempt(what % "wrong", lambda: not su(user, WRONG))
        tap.attempt(what % "right", su, user, RIGHT)
    for user in USERS:
        tap.attempt("%s: %s, passwd" % (when, user),
                    passwd, user, RIGHT, "another 2 pw")
    clients.chpasswd({"alice": RIGHT})


def set_all(method):
    """Gives all users the same password, hashed by a method of libcrypt."""
    for user in USERS:
        clients.must(["chpasswd", "-c", method], "%s:%s\n" % (user, RIGHT))


def rehashed(user):
    """Waits until the hash is Lyra2's: the login does not wait for this."""
    for _ in range(60):
        if clients.stored(user).startswith("$lyra2$"):
            return True
        time.sleep(0.5)
    return False


def all_rehash():
    for name, user, way in (("ssh", "alice", clients.check_ssh_password),
                            ("login", "carol", login),
                            ("su of carol", "alice",
                             lambda _, password: su("carol", password)),
                            ("su of dave", "alice",
                             lambda _, password: su("dave", password))):
        set_all("SHA512")
        tap.attempt("%s: the hash of %s becomes one of Lyra2" % (name, user),
                    lambda: way(user, RIGHT) and rehashed(user))
    set_all("SHA512")
    clients.chpasswd({"dave": RIGHT})
    tap.ok("chpasswd: a hash of Lyra2",
           clients.stored("dave").startswith("$lyra2$"))


def by_pam_unix():
    clients.must(["pam-auth-update", "--package", "--enable", "unix",
                  "--disable", "lyra2"])
    set_all("SHA512")
    all_ways("pam_unix")
    return denials()


def denial_is_seen():
    """lyra2d finds its configuration with a label that it may not read."""
    old = label(CONF)
    clients.must(["chcon", "-t", FOREIGN, CONF])
    unprivileged("carol", RIGHT)
    clients.must(["chcon", old, CONF])
    return any(provoked(x) and of_service(x) for x in denials())


def by_pam_lyra2():
    clients.must(["pam-auth-update", "--package", "--enable", "lyra2"])
    with open(CONF, "a", encoding="utf-8") as file:
        file.write("method = lyra2\ncost = 10\n")
    set_all("SHA512")
    tap.attempt("a denial to lyra2d is seen", denial_is_seen)
    domain()
    old = label(SHADOW)
    all_ways("pam_lyra2")
    all_rehash()
    for user in ("alice", "carol"):
        tap.attempt("pam_lyra2: %s, passwd over another method" % user,
                    passwd, user, RIGHT, "another 2 pw")
    for user in USERS:
        tap.ok("%s has a hash of Lyra2" % user,
               clients.stored(user).startswith("$lyra2$"),
               clients.stored(user))
    tap.equal("the label of /etc/shadow is as before", label(SHADOW), old)
    without_service()
    tap.equal("it still is", label(SHADOW), old)


def without_service():
    """A private service, which root programs start, is in the same domain."""
    clients.must(["systemctl", "stop", "lyra2d.service"])
    clients.chpasswd({user: RIGHT for user in USERS})
    for password, wanted in ((WRONG, False), (RIGHT, True)):
        for name, way in (("ssh", clients.check_ssh_password),
                          ("login", login)):
            tap.attempt("no service: alice, %s, %s" % (name, password),
                        lambda w=way, p=password, x=wanted:
                        w("alice", p) is x)
        for user in ("carol", "dave"):
            tap.attempt("no service: su of %s, %s" % (user, password),
                        lambda u=user, p=password, x=wanted: su(u, p) is x)
    tap.attempt("no service: carol, passwd", passwd, "carol", RIGHT,
                "another 3 pw")
    clients.must(["systemctl", "start", "lyra2d.service"])


def service_asks():
    """Returns true if a service in a domain of its own can connect."""
    pamroot.write(SERVICE, "#!/usr/bin/python3 -I\nimport socket\n"
                  "socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)"
                  ".connect('/run/lyra2/socket')\n")
    os.chmod(SERVICE, 0o755)
    clients.must(["chcon", "-t", "httpd_exec_t", SERVICE])
    pamroot.write("/run/systemd/system/asks.service",
                  "[Service]\nType=oneshot\nExecStart=%s\n" % SERVICE)
    clients.must(["systemctl", "daemon-reload"])
    return clients.run(["systemctl", "start", "asks.service"])[0] == 0


def services():
    """Other services than those that log users in"""
    tap.equal("httpd_t may not ask", service_asks(), False)
    tap.ok("and is denied it", any(kind(x)[1] == STRANGER and of_service(x)
                                   for x in denials()))
    clients.must(["setsebool", BOOLEAN, "on"])
    tap.equal("with %s, it may" % BOOLEAN, service_asks(), True)
    clients.must(["setsebool", BOOLEAN, "off"])
    tap.equal("without it, it may not again", service_asks(), False)


def labels():
    for path, wanted in (("/usr/sbin/lyra2d", "lyra2d_exec_t"),
                         ("/usr/sbin/lyra2_chkpwd", "lyra2_chkpwd_exec_t"),
                         ("/run/lyra2", "lyra2_run_t"),
                         ("/run/lyra2/socket", "lyra2_run_t"),
                         (SHADOW, "shadow_t")):
        tap.equal("label of " + path, label_type(path), wanted)


def domain():
    """The domain in which systemd has started lyra2d."""
    pid = clients.must(["systemctl", "show", "-P", "MainPID",
                        "lyra2d.service"]).strip()
    tap.equal("the service has a domain of its own",
              clients.must(["ps", "-o", "label=", pid]).split(":")[2:3],
              ["lyra2d_t"])
    for role in ("user", "staff", "unconfined"):
        tap.equal("so has the helper of %s_t" % role, clients.must(
            ["selinuxexeccon", "/usr/sbin/lyra2_chkpwd",
             "%s_u:%s_r:%s_t:s0" % (role, role, role)]).split(":")[2],
                  "lyra2_chkpwd_t")


def main():
    clients.PORT = 22
    print("# booted in %s s" % clients.must(["cut", "-d ", "-f1",
                                             "/proc/uptime"]).strip())
    tap.equal("the policy is enforced",
              clients.must(["getenforce"]).strip(), "Enforcing")
    labels()
    before = by_pam_unix()
    by_pam_lyra2()
    services()
    after = [x for x in denials()[len(before):] if not provoked(x)]
    known = {kind(x) for x in before}
    for line in after:
        print("# " + line)
    tap.equal("nothing is denied to lyra2d",
              [x for x in after if of_service(x)], [])
    tap.equal("nothing is denied that pam_unix was allowed",
              [x for x in after if kind(x) not in known], [])
    print("# %d denials with pam_unix alone, %d with pam_lyra2" % (
        len(before), len(after)))
    tap.done()


if __name__ == "__main__":
    main()
