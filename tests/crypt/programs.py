# SPDX-License-Identifier: BSD-2-Clause
"""Unmodified programs that call crypt(3), each with a $lyra2$ hash.

Runs as root in a scratch root (tests/lib/roots) where libcrypt1 with the method
is installed.  Each test prints "ok", "not ok" or "skip", a tab and what was
tested; the last two, after another tab, why.
"""

import base64
import contextlib
import os
import re
import shutil
import subprocess
import sys
import time

import clients

SETTING = "$lyra2$v=30$t=1$r=64$c=64$MJHnaAkegEVYHsFKkmfzJQ$"
RIGHT, WRONG = "correct horse", "correct house"
LDAP = "ldap://127.0.0.1:3389"
WEB = "http://127.0.0.1:%d/index.html"


class Skip(Exception):
    """The program is not available here."""


def report(what, test):
    try:
        why = test()
        word = "ok" if why is None else "not ok"
    except Skip as reason:
        word, why = "skip", reason
    except (clients.Failed, OSError, subprocess.SubprocessError) as error:
        word, why = "not ok", error
    tail = "" if why is None else "\t" + str(why).replace("\n", " | ")
    print(word + "\t" + what + tail, flush=True)


def is_(got, wanted):
    return None if got == wanted else "got %r, not %r" % (got, wanted)


def both(check):
    """A test from check(password) -> True if it was let in, else False."""
    return lambda: is_((check(RIGHT), check(WRONG)), (True, False))


def status(argv, **env):
    return clients.run(argv, **env)[0]


@contextlib.contextmanager
def daemon(argv, ready):
    """A daemon in the foreground, once ready() says that it answers."""
    with open("/tmp/daemon.log", "w+", encoding="utf-8") as log:
        child = subprocess.Popen(argv, stdout=log, stderr=log)
        deadline = time.monotonic() + clients.PATIENCE
        try:
            while not ready():
                if child.poll() is not None or time.monotonic() > deadline:
                    log.seek(0)
                    raise clients.Failed("%s: %s" % (argv[0], log.read()))
                time.sleep(0.05)
            yield
        finally:
            child.terminate()
            child.wait()


def need(program):
    if not shutil.which(program):
        raise Skip("no " + program)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


# --- programs that print a hash --------------------------------------------

def by_perl(password, setting):
    return clients.must(["perl", "-e", "print crypt($ARGV[0], $ARGV[1])",
                         password, setting])


def by_python(password):
    try:
        import crypt
    except ImportError:
        raise Skip("Python %d.%d has no module crypt" %
                   sys.version_info[:2]) from None
    return crypt.crypt(password, HASH) == HASH


def by_mkpasswd():
    return is_(clients.must(["mkpasswd", RIGHT, SETTING]), HASH + "\n")


def by_mkpasswd_method():
    """Its list of names is its own; any other prefix goes to libcrypt."""
    default = "$lyra2$v=30$t=2$r=4096$c=256$p=4$"
    made = clients.must(["mkpasswd", "-m", "$lyra2$", RIGHT])
    return is_(made[:len(default)], default)


# --- logins through pam_unix, and without PAM -------------------------------

def chpasswd_e():
    clients.add_user("alice")
    clients.must(["chpasswd", "-e"], "alice:%s\n" % HASH)
    return is_(clients.stored("alice"), HASH)


def sulogin(password):
    """It throws away what is typed too early, and then times out: again."""
    for _ in range(10):
        output = clients.talk(
            ["sulogin", "-t", "5"],
            [(r"continue\): ", password), (r"[#$] ", "echo in-as:$(id -u)")],
            stop=r"in-as:0|incorrect")[1]
        if "in-as:0" in output:
            return True
        if "incorrect" in output:
            return False
    raise clients.Failed("sulogin: %r" % output)


def logins():
    clients.must(["usermod", "-p", HASH, "root"])
    # pam_faildelay and pam_unix wait for seconds after a wrong password.
    for name in "login", "common-auth":
        path = "/etc/pam.d/" + name
        with open(path, encoding="utf-8") as file:
            text = file.read()
        text = re.sub(r"(?m)^.*pam_faildelay.*\n", "", text)
        write(path, text.replace("pam_unix.so", "pam_unix.so nodelay"))
    for name in "su", "login", "unprivileged":
        check = clients.WAYS[name]
        report(name, both(lambda word, f=check: f("alice", word)))
    for pam in "yes", "no":
        with clients.sshd("UsePAM=" + pam):
            report("sshd, UsePAM " + pam, both(
                lambda word: clients.check_ssh_password("alice", word)))
    report("sulogin", both(sulogin))


# --- OpenLDAP ---------------------------------------------------------------

SLAPD = """include /etc/ldap/schema/core.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile /tmp/slapd.pid
password-hash {CRYPT}
password-crypt-salt-format "%s"
database mdb
directory /tmp/ldap
suffix dc=test
rootdn cn=admin,dc=test
rootpw {CRYPT}%s
"""
ENTRIES = """dn: dc=test
objectClass: organization
objectClass: dcObject
o: test
dc: test

dn: cn=bob,dc=test
objectClass: person
cn: bob
sn: bob
userPassword: {CRYPT}%s
"""


def bind(name, password):
    code = status(["ldapwhoami", "-x", "-H", LDAP, "-D",
                   "cn=%s,dc=test" % name, "-w", password])
    if code not in (0, 49):
        raise clients.Failed("ldapwhoami: exit %d" % code)
    return code == 0


def ldapmodify():
    """The administrator stores a hash that was made elsewhere."""
    clients.must(["ldapmodify", "-x", "-H", LDAP, "-D", "cn=admin,dc=test",
                  "-w", RIGHT], "dn: cn=bob,dc=test\nchangetype: modify\n"
                 "replace: userPassword\nuserPassword: {CRYPT}%s\n" %
                 by_perl("new " + RIGHT, SETTING))
    return is_((bind("bob", "new " + RIGHT), bind("bob", RIGHT)),
               (True, False))


def ldappasswd():
    clients.must(["ldappasswd", "-x", "-H", LDAP, "-D", "cn=admin,dc=test",
                  "-w", RIGHT, "-s", RIGHT, "cn=bob,dc=test"])
    entry = clients.must(["slapcat", "-f", "/tmp/slapd.conf", "-o",
                          "ldif-wrap=no", "-a", "(cn=bob)"])
    value = re.search(r"userPassword:: (\S+)", entry).group(1)
    stored = base64.b64decode(value).decode()
    if stored == "{CRYPT}*0" and not bind("bob", RIGHT):
        raise Skip("slapd cuts a setting at 31 characters: it stores a "
                   "failure token, with which nobody can bind")
    return is_((stored.startswith("{CRYPT}$lyra2$"), bind("bob", RIGHT)),
               (True, True))


def slapd():
    need("slapd")
    os.makedirs("/tmp/ldap")
    write("/tmp/slapd.conf",
          SLAPD % ("$lyra2$v=30$t=1$r=16$c=16$%.16s$", HASH))
    write("/tmp/entries", ENTRIES % HASH)
    clients.must(["slapadd", "-f", "/tmp/slapd.conf", "-l", "/tmp/entries"])
    with daemon(["slapd", "-d", "0", "-f", "/tmp/slapd.conf", "-h", LDAP],
                lambda: status(["ldapwhoami", "-x", "-H", LDAP]) == 0):
        report("slapd, rootpw", both(lambda word: bind("admin", word)))
        report("slapd, userPassword", both(lambda word: bind("bob", word)))
        report("slapd, userPassword by ldapmodify", ldapmodify)
        report("slapd, password-crypt-salt-format", ldappasswd)


# --- web and mail servers ----------------------------------------------------

NGINX = """error_log /tmp/nginx.err; pid /tmp/nginx.pid; daemon off;
events { }
http { access_log off; server { listen 127.0.0.1:8081; root /srv/www;
auth_basic test; auth_basic_user_file /tmp/htpasswd; } }
"""
APACHE = """ServerName localhost
Listen 127.0.0.1:8082
PidFile /tmp/apache.pid
ErrorLog /tmp/apache.err
DocumentRoot /srv/www
%s
<Directory /srv/www>
AuthType Basic
AuthName test
AuthBasicProvider file
AuthUserFile /tmp/htpasswd
Require valid-user
</Directory>
"""
MODULES = ("mpm_event", "authn_core", "authn_file", "authz_core",
           "authz_user", "auth_basic")


def fetch(port, password=None):
    """The HTTP status, 0 if nothing answers."""
    login = [] if password is None else ["-u", "alice:" + password]
    return int(clients.run(["curl", "-s", "-o", "/dev/null", "-w",
                            "%{http_code}", *login, WEB % port])[1])


def web(name, argv, port):
    def let_in(password):
        code = fetch(port, password)
        if code not in (200, 401):
            raise clients.Failed("%s: HTTP status %d" % (name, code))
        return code == 200

    need(argv[0])
    with daemon(argv, lambda: fetch(port) == 401):
        report(name, both(let_in))


def htpasswd(password):
    need("htpasswd")
    return status(["htpasswd", "-vb", "/tmp/htpasswd", "alice",
                   password]) == 0


def web_servers():
    write("/srv/www/index.html", "hello\n")
    write("/tmp/htpasswd", "alice:%s\n" % HASH)
    write("/tmp/nginx.conf", NGINX)
    write("/tmp/apache.conf", APACHE % "\n".join(
        "LoadModule %s_module /usr/lib/apache2/modules/mod_%s.so" % (x, x)
        for x in MODULES))
    report("htpasswd -v", both(htpasswd))
    group("nginx", lambda: web(
        "nginx", ["nginx", "-c", "/tmp/nginx.conf"], 8081))
    group("apache", lambda: web("apache", [
        "apache2", "-d", "/tmp", "-f", "/tmp/apache.conf", "-D",
        "FOREGROUND"], 8082))


DOVECOT = """%s
protocols =
log_path = /tmp/dovecot.log
ssl = no
base_dir = /run/dovecot
"""
DOVECOT_2_3 = """passdb {
  driver = passwd-file
  args = scheme=CRYPT /tmp/htpasswd
}
userdb {
  driver = static
  args = uid=nobody gid=nogroup home=/tmp
}"""
DOVECOT_2_4 = """dovecot_config_version = 2.4.0
dovecot_storage_version = 2.4.0
passdb passwd-file {
  default_password_scheme = CRYPT
  passwd_file_path = /tmp/htpasswd
}
userdb static {
  fields {
    uid = nobody
    gid = nogroup
    home = /tmp
  }
}"""


def dovecot():
    need("dovecot")
    old = clients.must(["dovecot", "--version"]).startswith("2.3")
    write("/tmp/dovecot.conf", DOVECOT % (DOVECOT_2_3 if old else DOVECOT_2_4))

    def let_in(password):
        code, output = clients.run(["doveadm", "-c", "/tmp/dovecot.conf",
                                    "auth", "test", "alice", password])
        if code not in (0, 77):
            raise clients.Failed("doveadm: exit %d: %s" % (code, output))
        return code == 0

    with daemon(["dovecot", "-F", "-c", "/tmp/dovecot.conf"],
                lambda: os.path.exists("/run/dovecot/auth-client")):
        report("dovecot", both(let_in))


def group(name, run):
    """Tests that need a program running: one line if it is not available."""
    try:
        run()
    except (Skip, clients.Failed, OSError) as reason:
        def again():
            raise reason
        report(name, again)


HASH = by_perl(RIGHT, SETTING)
report("perl", lambda: None if HASH.startswith(SETTING) else HASH)
report("perl, again", both(lambda word: by_perl(word, HASH) == HASH))
report("python3", both(by_python))
report("mkpasswd with a setting", by_mkpasswd)
report("mkpasswd -m with a prefix", by_mkpasswd_method)
report("chpasswd -e", chpasswd_e)
group("logins", logins)
group("slapd", slapd)
group("web servers", web_servers)
group("dovecot", dovecot)
