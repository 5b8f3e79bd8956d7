#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""packages - the life of the Debian packages on a machine with users.

usage: packages.py DEBS

Runs as root in a scratch root (tests/lib/roots).  DEBS is a folder with the
packages.  They are installed as they come; for the upgrade copies with lower
versions are made of them first.  Prints TAP.
"""

import collections
import glob
import json
import multiprocessing
import os
import re
import sys
import tempfile
import time

import clients
import devlog
import tap
from pamroot import (CONF, LOG, PROFILE, RIGHT, WRONG, edit, read,
                     without_delays)

OVERRIDE = "/run/pam_lyra2.allow-removal"
METHODS = ["md5crypt", "sha256crypt", "sha512crypt", "yescrypt", "bcrypt",
           "descrypt"]
WAVE = ["wave%02d" % i for i in range(50)]
# A rehash takes no less memory than the old hash did, here yescrypt's 16 MiB:
# these costs take 24 MiB and 48 MiB.
FIRST, SECOND = 10, 11
BACK = {"cost": SECOND, "method": "yescrypt"}
SOME = WAVE[:12]
MEMBERS = SOME[2:]	# ten of a group


def configure(**settings):
    """Replace what the configuration file says by these settings."""
    with open(CONF, "w", encoding="utf-8") as file:
        for item in settings.items():
            file.write("%s = %s\n" % item)


# --- packages --------------------------------------------------------------

def debs_in(folder):
    """Those in a folder, but for debug symbols and what needs slapd."""
    return [x for x in sorted(glob.glob(folder + "/*.deb"))
            if "-dbgsym" not in x and "/slapd-" not in x]


def install(debs):
    clients.must(["dpkg", "-i", *debs])


def before_it(debs, suffix):
    """Copies of packages that dpkg takes for a version before.

    Their profile has no delays, so that probes of an upgrade are many.
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


def profile_lines():
    """How often PAM's common files name the module."""
    return {x: read("/etc/pam.d/" + x).count("pam_lyra2.so") for x in ENABLED}


ENABLED = {"common-auth": 1, "common-account": 1, "common-password": 1,
           "common-session": 1, "common-session-noninteractive": 1}
DISABLED = dict.fromkeys(ENABLED, 0)


# --- what is tried ---------------------------------------------------------

def ways(user, password, when):
    """Each program lets the user in with the password, not without."""
    for name, check in clients.WAYS.items():
        tap.attempt("%s: %s, right password" % (when, name),
                    check, user, password)
        tap.attempt("%s: %s, wrong password" % (when, name),
                    lambda: not check(user, WRONG))


def audit():
    """Exit status and the table of lyra2 audit --json."""
    status, output = clients.run(["lyra2", "audit", "--json"])
    return status, json.loads(output)


def statuses(table):
    """How many users of the wave have each status."""
    return collections.Counter(
        x["status"] for x in table["users"] if x["user"] in WAVE)


def in_parallel(function, users):
    with multiprocessing.Pool(2) as pool:
        return dict(zip(users, pool.map(function, users)))


def enter(user):
    """One login of a user of the wave, each by another program in turn."""
    check = [clients.check_su, clients.check_login, clients.check_ssh_password,
             clients.check_ssh_keyboard][WAVE.index(user) % 4]
    return check(user, RIGHT)


def intrude(user):
    """The same with a wrong password."""
    return clients.check_su(user, WRONG)


# --- the chapters of the scenario, in order ------------------------------

def before():
    """A machine with users and the stock pam_unix."""
    without_delays()
    clients.add_user("alice", RIGHT)
    clients.must(["usermod", "-aG", "sudo", "alice"])
    clients.add_user("keeper", RIGHT)
    for user, method in zip(WAVE, METHODS * 9):
        made = clients.must(["mkpasswd", "-s", "-m", method], RIGHT + "\n")
        clients.add_user(user, stored=made.strip())
    tap.attempt("before: su lets alice in", clients.check_su, "alice", RIGHT)


def fresh_install(debs):
    install(debs)
    tap.equal("install enables the profile", profile_lines(), ENABLED)
    auth = read("/etc/pam.d/common-auth")
    tap.ok("above pam_unix",
           0 < auth.find("pam_lyra2.so") < auth.find("pam_unix.so"), auth)
    mode = os.stat("/usr/sbin/lyra2_chkpwd")
    tap.equal("lyra2_chkpwd is 2755 root:shadow",
              (oct(mode.st_mode & 0o7777), mode.st_uid, mode.st_gid),
              ("0o2755", 0, 42))
    without_delays()
    configure(cost=FIRST)


def daily_life():
    clients.add_user("bob", RIGHT)
    tap.ok("chpasswd makes a Lyra2 entry",
           clients.stored("bob").startswith("$lyra2$"))
    clients.must(["usermod", "-aG", "sudo", "bob"])
    ways("bob", RIGHT, "new user")
    ways("alice", RIGHT, "old user")
    tap.ok("the old user's entry is Lyra2 now",
           clients.stored("alice").startswith("$lyra2$"))
    changed, output = clients.passwd("bob", RIGHT, "Another-pw-5319")
    tap.ok("passwd by the user", changed, output)
    tap.attempt("su with the new password",
                clients.check_su, "bob", "Another-pw-5319")
    changed, output = clients.passwd("bob", RIGHT, "Yet-another-7731")
    tap.ok("passwd with a wrong old password is refused", not changed, output)
    changed, output = clients.passwd("bob", "Another-pw-5319", "a")
    tap.ok("passwd with a short password is refused",
           not changed and "longer password" in output, output)
    changed, output = clients.passwd_by_root("bob", RIGHT)
    tap.ok("passwd by root", changed, output)
    tap.attempt("su with the newest", clients.check_su, "bob", RIGHT)
    tap.equal("a cron job runs",
              clients.cron_job("bob", "id -un", "/tmp/cron.out"), "bob\n")


def lines():
    return {user: clients.shadow_line(user) for user in WAVE}


def trial():
    """First nobody, then the members of a group."""
    old = lines()
    for user in MEMBERS:
        clients.must(["usermod", "-aG", "adm", user])
    configure(cost=FIRST, rehash="log-only")
    entered = in_parallel(enter, SOME)
    tap.equal("log-only: all come in", set(entered.values()), {True})
    tap.equal("log-only: nothing changes", lines(), old)
    tap.equal("log-only: the log names them", sorted(set(re.findall(
        "user (wave..) would be rehashed", read(LOG)))), SOME)
    configure(cost=FIRST, rehash_group="adm")
    entered = in_parallel(enter, SOME)
    tap.equal("a group: all come in", set(entered.values()), {True})
    tap.equal("a group: its members are converted",
              [x for x, line in lines().items() if line != old[x]], MEMBERS)
    configure(cost=FIRST)


def first_wave():
    status, table = audit()
    tap.equal("audit before the wave: the others are weaker, exit 1",
              (status, statuses(table)),
              (1, {"weaker": len(WAVE) - len(MEMBERS),
                   "current": len(MEMBERS)}))
    old = {x: y for x, y in lines().items() if x not in MEMBERS}
    refused = in_parallel(intrude, list(old)[-len(METHODS):])
    tap.equal("a wrong password of each method is refused",
              set(refused.values()), {False})
    tap.equal("and changes nothing", [clients.shadow_line(x) for x in refused],
              [old[x] for x in refused])
    wave("first wave", old)


def second_wave():
    configure(cost=SECOND)
    status, table = audit()
    tap.equal("audit after a change of the cost: all are weaker, exit 1",
              (status, statuses(table)), (1, {"weaker": len(WAVE)}))
    wave("second wave", lines())


def wave(when, old):
    """All log in once; each entry is replaced, and nothing but the hash."""
    convert(when, old, "$lyra2$")
    _, table = audit()
    tap.equal(when + ": audit finds them as configured", statuses(table),
              {"current": len(WAVE)})


def convert(when, old, prefix):
    """Logins of some turn their lines into those of a method."""
    logged = len(rehashes())
    entered = in_parallel(enter, list(old))
    tap.equal("%s: all %d come in" % (when, len(old)),
              [x for x in old if not entered[x]], [])
    new = {x: y for x, y in lines().items() if x in old}
    tap.equal(when + ": all entries are new hashes, " + prefix,
              [x for x in old if new[x] == old[x]
               or not new[x].split(":")[1].startswith(prefix)], [])
    tap.equal(when + ": all other fields stand still",
              [x.split(":")[2:] for x in new.values()],
              [x.split(":")[2:] for x in old.values()])
    tap.equal(when + ": one line each in the log", len(rehashes()) - logged,
              len(old))


def rehashes():
    return [x for x in read(LOG).splitlines()
            if re.search("password of user wave.* rehashed", x)]


class Prober:
    """Logs alice in, rightly and wrongly, again and again until it ends."""

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
            for check in (clients.check_ssh_password, clients.check_su):
                for password, wanted in ((RIGHT, True), (WRONG, False)):
                    got = self._try(check, password)
                    if got is not wanted:
                        wrong.append((check.__name__, password, got))
            self.rounds.value += 1
        self.answers.put(wrong)

    @staticmethod
    def _try(check, password):
        try:
            return check("alice", password)
        except clients.Failed as error:
            return str(error)


def upgrade(debs):
    """From a version before, one step of dpkg at a time, under probes."""
    old, new = before_it(debs, "~1"), before_it(debs, "~2")
    install(old)
    steps = [["--unpack", deb] for deb in new] + [["--configure", "-a"]]
    with Prober() as prober:
        for step in steps:
            clients.must(["dpkg", *step])
            prober.whole_round()
        for version in (old, new, debs):  # at full speed, and back as well
            install(version)
            prober.whole_round()
    tap.ok("upgrade: each step was probed",
           prober.rounds.value > len(steps), prober.rounds.value)
    tap.equal("upgrade: not one wrong answer", prober.wrong, [])
    tap.equal("upgrade: the profile stays", profile_lines(), ENABLED)
    tap.equal("upgrade: the configuration stays", read(CONF),
              "cost = %d\n" % SECOND)


def switching():
    clients.must(["pam-auth-update", "--disable", "lyra2"])
    tap.equal("pam-auth-update --disable", profile_lines(), DISABLED)
    tap.attempt("pam_unix lets keeper in", clients.check_su, "keeper", RIGHT)
    tap.attempt("but not with a wrong password",
                lambda: not clients.check_su("keeper", WRONG))
    clients.must(["pam-auth-update", "--enable", "lyra2"])
    tap.equal("pam-auth-update --enable", profile_lines(), ENABLED)


def refused_removal(users, when):
    status, output = clients.run(["dpkg", "-r", "libpam-lyra2"])
    named = output.partition("locked out:")[2].partition("You can do")[0]
    tap.ok(when + ": removal is refused", status != 0, output)
    tap.equal(when + ": it names the users", sorted(named.split()),
              sorted(users))
    tap.ok(when + ": it says the ways on", all(
        x in output for x in ("method = yescrypt", "passwd USER",
                              "README.Debian", "touch " + OVERRIDE)), output)
    tap.equal(when + ": the profile stays", profile_lines(), ENABLED)


def going_back():
    """Logins convert the entries back; audit counts them down."""
    refused_removal([*WAVE, "alice", "bob"], "removal")
    tap.attempt("after it bob comes in", clients.check_su, "bob", RIGHT)
    configure(**BACK)
    old = lines()
    clients.must(["usermod", "-L", WAVE[0]])
    del old[WAVE[0]]
    half = len(old) // 2
    for when, users in (("back, half", list(old)[:half]),
                        ("back, the rest", list(old)[half:])):
        convert(when, {x: old[x] for x in users}, "$y$")
        status, table = audit()
        left = [x["user"] for x in table["users"] if x["status"] == "weaker"]
        tap.equal(when + ": audit lists who is left, exit 1",
                  (status, sorted(left)),
                  (1, sorted(x for x in [*old, "alice", "bob"] if
                             clients.stored(x).startswith("$lyra2$"))))
    ways("alice", RIGHT, "going back")
    again = in_parallel(enter, list(old))
    tap.equal("back: the same passwords", set(again.values()), {True})
    refused_removal(["bob"], "one left, and one who is locked")


def removal(debs):
    configured = read(CONF)
    open(OVERRIDE, "w", encoding="utf-8").close()
    clients.must(["dpkg", "-r", "libpam-lyra2", "libpam-lyra2-bin"])
    tap.equal("removal: the profile is gone", profile_lines(), DISABLED)
    ways("alice", RIGHT, "removed")
    tap.attempt("removed: bob is locked out, as accepted",
                lambda: not clients.check_su("bob", RIGHT))
    install(debs)
    tap.equal("installed again: the profile is back", profile_lines(), ENABLED)
    tap.equal("installed again: the configuration is the same", read(CONF),
              configured)
    tap.attempt("installed again: bob comes in",
                clients.check_su, "bob", RIGHT)
    tap.equal("back: audit lists none, exit 0", audit()[0], 0)


def purge(debs):
    torn = "/etc/.shadow.lyra2.0"	# of a helper that was killed
    with open(torn, "w", encoding="utf-8"):
        pass
    names = [os.path.basename(x).partition("_")[0] for x in debs]
    files = clients.must(["dpkg", "-L", *names]).splitlines()
    output = clients.must(["dpkg", "--purge", *names])
    tap.ok("purge: a note tells what is left",
           re.search(r"note: .* still hashed with Lyra2: 1\b", output), output)
    tap.equal("purge: no file is left",
              [x for x in files if os.path.isfile(x)], [])
    left = [CONF, torn, OVERRIDE, "/run/lyra2", *glob.glob("/var/lib/*/*lyra2*")]
    tap.equal("purge: nor what it made", [x for x in left if
                                          os.path.exists(x)], [])
    tap.equal("purge: nor its profile", profile_lines(), DISABLED)
    tap.attempt("purge: wrong password refused",
                lambda: not clients.check_su("alice", WRONG))
    tap.attempt("purge: right password taken",
                clients.check_su, "alice", RIGHT)


def main(folder):
    debs = debs_in(folder)
    with devlog.Collector(LOG), clients.sshd():
        before()
        fresh_install(debs)
        daily_life()
        trial()
        first_wave()
        second_wave()
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
