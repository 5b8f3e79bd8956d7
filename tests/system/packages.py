#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""packages - the life of the Debian packages on a machine with users.

usage: packages.py DEBS

Runs as root in a scratch root (tests/lib/roots).  DEBS is a directory with the
packages.  They are installed as they are.  For the upgrade, the test makes
copies with lower versions first.  Prints TAP.
"""

import glob
import hashlib
import json
import multiprocessing
import os
import re
import shutil
import sys
import tempfile
import time

import clients
import devlog
import lyra2d
import tap
from pamroot import (CONF, LOG, PROFILE, RIGHT, WRONG, edit, read,
                     without_delays, write)

OVERRIDE = "/run/pam_lyra2.allow-removal"
METHODS = ["md5crypt", "sha256crypt", "sha512crypt", "yescrypt", "bcrypt",
           "descrypt"]
WAVE = ["wave%d" % i for i in range(12)]


def configure(**settings):
    """Replace the configuration by these settings; Lyra2 is switched on."""
    settings = {"method": "lyra2", **settings}
    write(CONF, "".join("%s = %s\n" % x for x in settings.items()))


# --- packages --------------------------------------------------------------

def debs_in(folder):
    """The packages in a directory, without debug symbols and slapd's module."""
    return [x for x in sorted(glob.glob(folder + "/*.deb"))
            if "-dbgsym" not in x and "/slapd-" not in x]


def names(debs):
    """Of the packages in these files."""
    return [os.path.basename(x).partition("_")[0] for x in debs]


def install(debs):
    return clients.must(["dpkg", "-i", *debs])


def archive(debs):
    """Adds an archive with these packages to apt's sources."""
    folder = tempfile.mkdtemp()
    os.chmod(folder, 0o755)
    for deb in map(os.path.realpath, debs):
        shutil.copy(deb, folder)
        with open(deb, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        write(folder + "/Packages", "%sFilename: ./%s\nSize: %d\n"
              "SHA256: %s\n\n" % (clients.must(["dpkg-deb", "-f", deb]),
                                  os.path.basename(deb),
                                  os.path.getsize(deb), digest), "a")
    write("/etc/apt/sources.list", "deb [trusted=yes] file:%s ./\n" % folder)
    clients.must(["apt-get", "update", "-o", "Dir::Etc::sourceparts=/dev/null",
                  "-o", "APT::Get::List-Cleanup=0"])


def serve():
    """Starts lyra2d, unless systemd runs, which does."""
    if not os.path.exists("/run/systemd/system"):
        clients.must(["sh", "-c", "lyra2d >/dev/null 2>&1 &"])
    deadline = time.monotonic() + clients.PATIENCE
    while not lyra2d.listens():
        if time.monotonic() > deadline:
            raise clients.Failed("lyra2d does not listen")
        time.sleep(0.05)


def before_it(debs, suffix):
    """Makes copies of packages with a version that dpkg takes for an older one.

    Their profile has no delays, so that many logins probe an upgrade.
    """
    folder = tempfile.mkdtemp()
    for deb in debs:
        tree = os.path.join(folder, os.path.basename(deb)[:-4])
        clients.must(["dpkg-deb", "-R", deb, tree])
        version = clients.must(["dpkg-deb", "-f", deb, "Version"]).strip()
        edit(tree + "/DEBIAN/control", re.escape(version), version + suffix)
        if os.path.exists(tree + PROFILE):
            edit(tree + PROFILE, r"pam_lyra2\.so", "pam_lyra2.so nodelay")
        clients.must(["dpkg-deb", "-Znone", "-b", tree, folder])
    return sorted(glob.glob(folder + "/*.deb"))


def stack():
    """The common-* files of PAM that name the module."""
    return {x for x in glob.glob("/etc/pam.d/common-*")
            if "pam_lyra2.so" in read(x) and not x.endswith(".pam-old")}


def enabled():
    return {"/etc/pam.d/common-auth", "/etc/pam.d/common-password"} <= stack()


# --- logins and audits ---------------------------------------------------------

def ways(user, password, when):
    """Each program lets the user in with the password, and not without it."""
    for name, check in clients.WAYS.items():
        tap.attempt("%s: %s, correct password" % (when, name),
                    check, user, password)
        tap.attempt("%s: %s, wrong password" % (when, name),
                    lambda c=check: not c(user, WRONG))


def audit():
    """The exit status of lyra2 audit --stranded, and the users' statuses."""
    status, _ = clients.run(["lyra2", "audit", "--stranded"])
    _, output = clients.run(["lyra2", "audit", "--json"])
    return status, {x["user"]: x["status"]
                    for x in json.loads(output)["users"]}


def soon(user, prefix):
    """Waits until the user's hash has the prefix: logins do not wait for
    rehashes."""
    deadline = time.monotonic() + clients.PATIENCE
    while not clients.stored(user).startswith(prefix) and \
            time.monotonic() < deadline:
        time.sleep(0.05)


def convert(when, users, prefix):
    """Logins of these users change their hashes to those of a method."""
    old = {x: clients.shadow_line(x) for x in users}
    for number, user in enumerate(users):
        tap.attempt("%s: %s, wrong password" % (when, user),
                    lambda x=user: not clients.check_su(x, WRONG, by=x))
        tap.equal("%s: it changes nothing" % when, clients.shadow_line(user),
                  old[user])
        tap.attempt("%s: %s, correct password" % (when, user),
                    list(clients.WAYS.values())[number % 2], user, RIGHT)
        soon(user, prefix)
    new = {x: clients.shadow_line(x) for x in users}
    tap.equal(when + ": all entries are new hashes, " + prefix,
              [x for x in users if new[x] == old[x]
               or not new[x].split(":")[1].startswith(prefix)], [])
    tap.equal(when + ": all other fields stand still",
              [x.split(":")[2:] for x in new.values()],
              [x.split(":")[2:] for x in old.values()])


# --- the chapters of the scenario, in order ------------------------------

def before():
    """A machine with users and the stock pam_unix."""
    without_delays()
    for user in ("alice", "keeper"):
        clients.add_user(user, RIGHT)
    clients.must(["usermod", "-aG", "sudo", "alice"])
    for user, method in zip(WAVE, METHODS * 2):
        made = clients.must(["mkpasswd", "-s", "-m", method], RIGHT + "\n")
        clients.add_user(user, stored=made.strip())


def apparmor_is_on():
    """Stand-ins say that AppArmor is on, and note what is reloaded."""
    for name, line in (("aa-enabled", "exit 0"),
                       ("invoke-rc.d", "echo $* >>/root/reloaded; exit 1")):
        write("/usr/local/sbin/" + name, "#!/bin/sh\n" + line + "\n")
        os.chmod("/usr/local/sbin/" + name, 0o755)


def reloaded():
    """What was reloaded; the stand-ins go."""
    for name in ("aa-enabled", "invoke-rc.d"):
        os.unlink("/usr/local/sbin/" + name)
    return read("/root/reloaded").splitlines()


def fresh_install(debs):
    apparmor_is_on()
    output = install(debs)
    tap.ok("profiles of AppArmor are loaded again",
           "apparmor reload" in reloaded())
    tap.ok("a stock system: no warning, and no noise", not re.search(
        "warning|not starting it|static unit", output), output)
    tap.ok("install enables the profile", enabled())
    tap.ok("it says that nothing changes, and how to switch Lyra2 on", all(
        x in output for x in ("No hash changes", "printf 'method = lyra2")),
           output)
    auth = read("/etc/pam.d/common-auth")
    tap.ok("above pam_unix",
           0 < auth.find("pam_lyra2.so") < auth.find("pam_unix.so"), auth)
    serve()
    without_delays()
    # The cost takes no less memory than yescrypt: else its hash would be kept.
    configure(cost=10)


def daily_life():
    clients.add_user("bob", RIGHT)
    tap.ok("chpasswd makes a Lyra2 entry",
           clients.stored("bob").startswith("$lyra2$"))
    ways("alice", RIGHT, "old user")
    soon("alice", "$lyra2$")
    tap.ok("the old user's entry is Lyra2 now",
           clients.stored("alice").startswith("$lyra2$"))
    changed, output = clients.passwd("bob", RIGHT, "Another-pw-5319")
    tap.ok("passwd by the user", changed, output)
    changed, output = clients.passwd("bob", RIGHT, "Yet-another-7731")
    tap.ok("passwd with a wrong old password is refused", not changed, output)
    tap.attempt("su with the new password",
                clients.check_su, "bob", "Another-pw-5319")
    changed, output = clients.passwd_by_root("bob", RIGHT)
    tap.ok("passwd by root", changed, output)
    tap.equal("a cron job runs",
              clients.cron_job("bob", "id -un", "/tmp/cron.out"), "bob\n")


def wave():
    """All users log in once; in each entry, only the hash is replaced."""
    status, table = audit()
    tap.equal("audit before: all will be converted, exit 1",
              (status, {table[x] for x in WAVE}), (1, {"convert"}))
    convert("there", WAVE, "$lyra2$")
    tap.equal("audit after: all are as configured",
              {audit()[1][x] for x in WAVE}, {"current"})
    # A systemd service has a /dev of its own, and so it logs to the journal.
    journal = clients.run(["journalctl", "-o", "cat", "--no-pager"])[1] \
        if os.path.exists("/run/systemd/system") else ""
    found = re.findall("password of user (wave.*?) rehashed",
                       read(LOG) + journal)
    tap.equal("one line each in the log", sorted(found), sorted(WAVE))


class Prober:
    """Logs alice in, with correct and wrong passwords, until it ends."""

    # A user who fails in su again and again has to wait.
    CHECKS = ((clients.check_ssh_password, RIGHT, True),
              (clients.check_ssh_password, WRONG, False),
              (clients.check_su, RIGHT, True))

    def __init__(self):
        self.rounds = multiprocessing.Value("i", 0)
        self.stop = multiprocessing.Event()
        self.answers = multiprocessing.Queue()
        self.process = multiprocessing.Process(target=self._run)

    def __enter__(self):
        self.process.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        self.wrong = self.answers.get()
        self.process.join()

    def whole_round(self):
        """Return when a round of probes has begun and ended since the call."""
        goal = self.rounds.value + 2
        while self.rounds.value < goal and self.process.is_alive():
            time.sleep(0.02)

    def _run(self):
        wrong = []
        while not self.stop.is_set():
            for check, password, wanted in self.CHECKS:
                got = self._try(check, password)
                if got is not wanted:
                    wrong.append((check.__name__, password, got, self.step()))
            self.rounds.value += 1
        self.answers.put(wrong)

    @staticmethod
    def step():
        """The moment, which is reported with a wrong result."""
        return ""

    @staticmethod
    def _try(check, password):
        try:
            return check("alice", password)
        except clients.Failed as error:
            return str(error)


def upgrade(debs):
    """Upgrades from an older version, one step of dpkg at a time, with logins.
    """
    old, new = before_it(debs, "~1"), before_it(debs, "~2")
    install(old)
    steps = [["--unpack", deb] for deb in new] + [["--configure", "-a"]]
    with Prober() as prober:
        for step in steps:
            clients.must(["dpkg", *step])
            prober.whole_round()
        noise = ""
        for version in (old, new, debs):  # at full speed, forwards and back
            noise += install(version)
            prober.whole_round()
    tap.ok("upgrade: each step was probed",
           prober.rounds.value > len(steps), prober.rounds.value)
    tap.equal("upgrade: not one wrong answer", prober.wrong, [])
    tap.ok("upgrade: no noise of units",
           not re.search("not starting it|static unit", noise), noise)
    tap.ok("upgrade: the profile stays", enabled())
    tap.equal("upgrade: the configuration stays", read(CONF),
              "method = lyra2\ncost = 10\n")


def switching():
    clients.must(["pam-auth-update", "--disable", "lyra2"])
    tap.equal("pam-auth-update --disable", stack(), set())
    tap.attempt("pam_unix lets keeper in", clients.check_su, "keeper", RIGHT)
    tap.attempt("but not with a wrong password",
                lambda: not clients.check_su("keeper", WRONG))
    clients.must(["pam-auth-update", "--enable", "lyra2"])
    tap.ok("pam-auth-update --enable", enabled())


def refused_removal(users, when):
    status, output = clients.run(["dpkg", "-r", "libpam-lyra2"])
    named = output.partition("locked out:")[2].partition("You can do")[0]
    tap.ok(when + ": removal is refused", status != 0, output)
    tap.equal(when + ": it names the users", sorted(named.split()),
              sorted(users))
    tap.ok(when + ": it says the ways on", all(
        x in output for x in ("method=yescrypt", "passwd USER",
                              "README.Debian", "touch " + OVERRIDE)), output)
    tap.ok(when + ": the profile stays", enabled())


def going_back():
    """Logins convert the entries to the old method; audit counts the rest."""
    refused_removal([*WAVE, "alice", "bob"], "removal")
    tap.attempt("after it bob comes in", clients.check_su, "bob", RIGHT)
    configure(cost=10, method="yescrypt", rehash="leave")
    clients.must(["usermod", "-L", WAVE[0]])
    convert("back", WAVE[1:], "$y$")
    ways("alice", RIGHT, "back")
    soon("alice", "$y$")
    status, table = audit()
    tap.equal("audit lists who is left, exit 1",
              (status, [x for x in table if table[x] == "convert"]),
              (1, ["bob"]))
    refused_removal(["bob"], "one left, and one who is locked")


def removal(debs):
    configured = read(CONF)
    write(OVERRIDE, "")
    output = clients.must(["dpkg", "-r", "libpam-lyra2", "libpam-lyra2-bin"])
    tap.ok("removal: it names who is locked out", re.search(
        r"warning: these users are locked out(?s:.)*\n +bob\s", output), output)
    tap.equal("removal: the profile is gone", stack(), set())
    ways("alice", RIGHT, "removed")
    tap.attempt("removed: bob is locked out, as accepted",
                lambda: not clients.check_su("bob", RIGHT))
    install(debs)
    serve()
    tap.ok("installed again: the profile is back", enabled())
    tap.equal("installed again: the configuration is the same", read(CONF),
              configured)
    tap.attempt("installed again: bob comes in",
                clients.check_su, "bob", RIGHT)
    soon("bob", "$y$")
    tap.equal("back: audit lists none, exit 0", audit()[0], 0)


def purge(debs):
    torn = "/etc/.shadow.lyra2.0"	# left by a worker that was killed
    write(torn, "")
    files = clients.must(["dpkg", "-L", *names(debs)]).splitlines()
    output = clients.must(["dpkg", "--purge", *names(debs)])
    tap.ok("purge: a note tells what is left",
           re.search(r"note: .* still hashed with Lyra2: 1\b", output), output)
    left = [*filter(os.path.isfile, files), CONF, torn, OVERRIDE, "/run/lyra2",
            *glob.glob("/var/lib/*/*lyra2*"),
            *glob.glob("/etc/apparmor.d/*/*lyra2*")]
    tap.equal("purge: nothing is left", [x for x in left if os.path.exists(x)],
              [])
    tap.equal("purge: nor its profile", stack(), set())
    tap.attempt("purge: wrong password refused",
                lambda: not clients.check_su("alice", WRONG))
    tap.attempt("purge: the correct password is accepted",
                clients.check_su, "alice", RIGHT)


def main(folder):
    debs = debs_in(folder)
    with devlog.Collector(LOG), clients.sshd():
        before()
        fresh_install(debs)
        daily_life()
        wave()
        upgrade(debs)
        switching()
        going_back()
        removal(debs)
        purge(debs)
    tap.done()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
