#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""services - PostgreSQL, dovecot and nginx ask for passwords without root.

usage: services.py DEBS

Runs as root in a scratch root (tests/lib/roots) of the set services.  DEBS is a
directory with the packages.  Each service runs as its own user, in the group
shadow or not.  "stock" is pam_unix alone, with the module's profile disabled.
Prints TAP.
"""

import base64
import contextlib
import http.client
import imaplib
import itertools
import os
import re
import socket
import statistics
import sys
import threading
import time

import clients
import packages
import pamroot
import tap
from pamroot import RIGHT, WRONG, edit, write

ROUNDS, LOGINS = 3, 8


# --- the services ------------------------------

class Service:
    """A service that accepts passwords on 127.0.0.1, by PAM, as its own user.
    """

    def __init__(self):
        self.prepare()
        self.group = None

    def restart(self, group):
        """Restarts it, with its user in the group shadow or not."""
        if self.group is not None:
            self.stop()
        clients.run(["gpasswd", "-d", self.user, "shadow"])
        if group:
            clients.must(["gpasswd", "-a", self.user, "shadow"])
        self.start(group)
        self.group = group

    def end(self):
        self.stop()
        clients.run(["gpasswd", "-d", self.user, "shadow"])


class PostgreSQL(Service):
    user = "postgres"

    def prepare(self):
        self.cluster = os.listdir("/etc/postgresql")[0], "main"
        for name, pattern, line in (
                ("pg_hba.conf", r"(?s)^", "host all all 127.0.0.1/8 pam\n"),
                ("postgresql.conf", r"(?s)$", "ssl = off\nfsync = off\n")):
            edit("/etc/postgresql/%s/%s/%s" % (*self.cluster, name), pattern,
                 line)

    def start(self, group):
        clients.must(["pg_ctlcluster", *self.cluster, "start"])
        for user in USERS:
            clients.run(["runuser", "-u", "postgres", "--", "createuser",
                         user])

    def stop(self):
        clients.must(["pg_ctlcluster", *self.cluster, "stop", "-m", "fast"])

    @staticmethod
    def login(user, password):
        status, output = clients.run(
            ["psql", "-w", "-X", "-A", "-t", "-h", "127.0.0.1", "-U", user,
             "-c", "select current_user", "postgres"], PGPASSWORD=password)
        if status == 0 and output == user + "\n":
            return True
        if "PAM authentication failed" in output:
            return False
        raise clients.Failed(output)


class Dovecot(Service):
    """dovecot, whose auth worker runs as the user of other internal processes.
    """
    user = "dovecot"
    conf = "/etc/dovecot/dovecot.conf"

    def prepare(self):
        self.version = clients.must(["dovecot", "--version"])
        clients.must(["groupadd", "-f", "mail"])

    def start(self, group):
        old = self.version.startswith("2.3")
        write(self.conf, ("" if old else
                          "dovecot_config_version = 2.4.0\n"
                          "dovecot_storage_version = 2.4.0\n") +
              "protocols = imap\nlisten = 127.0.0.1\nssl = no\n" +
              ("disable_plaintext_auth = no\n"
               "mail_location = maildir:~/Maildir\n" if old else
               "auth_allow_cleartext = yes\nmail_driver = maildir\n"
               "mail_path = ~/Maildir\n") +
              ("passdb {\n driver = pam\n}\nuserdb {\n driver = passwd\n}\n"
               if old else "passdb pam {\n}\nuserdb passwd {\n}\n") +
              "service auth-worker {\n user = dovecot\n%s}\n" %
              (" extra_groups = shadow\n" if group else ""))
        clients.must(["sh", "-c", "dovecot >/var/log/dovecot.out 2>&1"])

    @staticmethod
    def stop():
        clients.must(["doveadm", "stop"])

    @staticmethod
    def login(user, password):
        with contextlib.closing(_Imap("127.0.0.1")) as imap:
            try:
                imap.login(user, password)
            except imaplib.IMAP4.error as error:
                if re.search("AUTHENTICATIONFAILED|EXPIRED", str(error)):
                    return False
                raise
            imap.logout()
            return True


class _Imap(imaplib.IMAP4):
    def _create_socket(self, timeout=None):
        return _connect(143)

    def close(self):
        with contextlib.suppress(OSError):  # after logout()
            self.shutdown()


ADDRESSES = itertools.count(1)


def _connect(port):
    """Connects from a new address: dovecot delays addresses that have failed.
    """
    own = "127.1.%d.%d" % divmod(next(ADDRESSES), 256)
    end = time.monotonic() + clients.PATIENCE
    while True:
        try:
            return socket.create_connection(
                ("127.0.0.1", port), clients.PATIENCE, (own, 0))
        except ConnectionRefusedError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


class Nginx(Service):
    """nginx: a worker process waits for PAM, so it has more than there are
    clients."""
    user = "www-data"

    @staticmethod
    def prepare():
        write("/etc/pam.d/nginx", "@include common-auth\n"
              "@include common-account\n")
        os.makedirs("/var/www/html", exist_ok=True)
        write("/var/www/html/secret", "in\n")
        write("/etc/nginx/nginx.conf", "user www-data;\nworker_processes 16;\n"
              "include /etc/nginx/modules-enabled/*.conf;\n"
              "pid /run/nginx.pid;\nerror_log /var/log/nginx/error.log;\n"
              "events { worker_connections 64; }\nhttp { access_log off;\n"
              "server { listen 127.0.0.1:80; root /var/www/html;\n"
              "location / { auth_pam \"x\"; auth_pam_service_name nginx; }\n"
              "} }\n")

    @staticmethod
    def start(group):
        clients.must(["sh", "-c", "nginx >/var/log/nginx.out 2>&1"])

    @staticmethod
    def stop():
        clients.must(["nginx", "-s", "stop"])
        while os.path.exists("/run/nginx.pid"):
            time.sleep(0.05)

    @staticmethod
    def login(user, password):
        with contextlib.closing(http.client.HTTPConnection(
                "127.0.0.1")) as page:
            page.sock = _connect(80)
            page.request("GET", "/secret", headers={
                "Authorization": "Basic " + base64.b64encode(
                    ("%s:%s" % (user, password)).encode()).decode()})
            status = page.getresponse().status
        if status in (200, 401):
            return status == 200
        raise clients.Failed("HTTP %d" % status)


# --- the tests ------------------------------

USERS = ("alice", "sha", "bob")


def ask_for_others(*names):
    """Makes a configuration with ask_for_others, or without."""
    pamroot.configure(rehash="never",
                      **({"ask_for_others": " ".join(names)} if names else {}))


def module(on):
    clients.must(["pam-auth-update", "--package",
                  "--enable" if on else "--remove", "lyra2"])


def verdicts(service):
    return [service.login(user, password) for user in ("alice", "sha")
            for password in (WRONG, RIGHT)]


def ways(name, service):
    """The users who get in, by the administrator's settings."""
    ok, no = [False, True] * 2, [False] * 4
    for what, on, group, listed, wanted in (
            ("stock", False, False, False, no),
            ("stock, group shadow", False, True, False, ok),
            ("without a line", True, False, False, no),
            ("group shadow", True, True, False, ok),
            ("ask_for_others", True, False, True, ok),
            ("the line has gone", True, False, False, no)):
        module(on)
        ask_for_others(*[service.user] if listed else [])
        service.restart(group)
        tap.attempt("%s, %s: %s" % (name, what, "right passwords get in" if
                                    any(wanted) else "nobody gets in"),
                    lambda w=wanted: verdicts(service) == w)


def expired(name, service):
    """Users who must not get in with a correct password."""
    module(True)
    ask_for_others(service.user)
    service.restart(False)
    if not service.login("bob", RIGHT):
        raise clients.Failed("the right password is refused")
    for what, words in (("expired", ["-E", "1"]), ("too old", ["-M", "1"])):
        clients.must(["chage", "-d", "2020-01-01", *words, "bob"])
        tap.attempt("%s, ask_for_others: an account that is %s" % (name, what),
                    lambda: not service.login("bob", RIGHT))
        clients.must(["chage", "-d", "2026-01-01", "-E", "-1", "-M", "99999",
                      "bob"])


class Wrong(threading.Thread):
    """A client that sends wrong passwords, again and again."""

    def __init__(self, service, number):
        super().__init__()
        self.service, self.number = service, number
        self.going, self.count, self.problem = True, 0, None

    def run(self):
        while self.going and not self.problem:
            try:
                if self.service.login(USERS[self.number % 2], WRONG):
                    self.problem = "a wrong password got in"
                self.count += 1
            except Exception as error:
                self.problem = repr(error)


def beside(service):
    """The seconds of correct logins while five clients send wrong passwords."""
    wrong = [Wrong(service, i) for i in range(1, 6)]
    for client in wrong:
        client.start()
    time.sleep(1)
    took = []
    for _ in range(LOGINS):
        begun = time.monotonic()
        if not service.login("alice", RIGHT):
            raise clients.Failed("the right password is refused")
        took.append(time.monotonic() - begun)
        time.sleep(0.2)
    for client in wrong:
        client.going = False
    for client in wrong:
        client.join()
    if any(x.problem or not x.count for x in wrong):
        raise clients.Failed([(x.problem, x.count) for x in wrong])
    return took


LYRA2 = "ask_for_others, hash of Lyra2"
SETUPS = (("stock", False, True), ("group shadow", True, True),
          ("ask_for_others", True, False), (LYRA2, True, False))


def crowd(name, service):
    """Measures all setups in turns, so that a busy machine affects all alike.

    The hash is yescrypt's; for the last setup Lyra2's, with the same memory.
    A slow login is printed and fails nothing: other work can cause it.
    """
    yescrypt = clients.stored("alice")
    lyra2 = clients.must(["lyra2", "hash", *[
        "--%s=%s" % x for x in pamroot.CHEAP.items()]], RIGHT + "\n").strip()
    took = {what: [] for what, *_ in SETUPS}
    for _ in range(ROUNDS):
        for what, on, group in SETUPS:
            module(on)
            ask_for_others(*[] if group else [service.user])
            service.restart(group)
            pamroot.put("alice", lyra2 if what == LYRA2 else yescrypt)
            service.login("alice", RIGHT)
            took[what] += beside(service)
    pamroot.put("alice", yescrypt)
    median = {what: statistics.median(x) for what, x in took.items()}
    for what, seconds in took.items():
        print("# %s with 5 wrong clients, %s: median %.0f ms, %.0f to %.0f; "
              "%.2f of stock's" % (
                  name, what, median[what] * 1000, min(seconds) * 1000,
                  max(seconds) * 1000, median[what] / median["stock"]),
              flush=True)


def people():
    for user in USERS:
        clients.add_user(user, RIGHT)
    pamroot.put("sha", pamroot.crypt("sha512crypt", RIGHT))


def main(folder):
    people()
    stored = {x: clients.stored(x) for x in USERS}
    packages.install(packages.debs_in(folder))
    ask_for_others()
    packages.serve()
    for name, kind in (("PostgreSQL", PostgreSQL), ("dovecot", Dovecot),
                       ("nginx", Nginx)):
        if not re.search(os.environ.get("SERVICES", "."), name):
            continue
        service = kind()
        for chapter in (ways, expired, crowd):
            tap.attempt("%s: %s is told to its end" % (name, chapter.__name__),
                        lambda c=chapter: c(name, service) or True)
        service.end()
    tap.equal("no hash has changed", {x: clients.stored(x) for x in USERS},
              stored)
    tap.done()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
