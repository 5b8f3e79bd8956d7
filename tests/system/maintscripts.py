# SPDX-License-Identifier: BSD-2-Clause
"""The packages' scripts, on systems of a few files each.

Runs in tests/lib/namespace, where /etc, /run, /usr and /var are the test's.
$SCRIPTS is debian/.  A row is a system: its files, and what the programs say
that a script calls.  Asserted are the exit status, the calls, what is said, and
each file that is left, also outside $DPKG_ROOT.
"""
import contextlib
import itertools
import os
import shutil
import socket
import subprocess
import threading
from dataclasses import dataclass, field

import tap
from processes import wait_for

SCRIPTS = os.environ["SCRIPTS"]
TOP = "/mnt/tmp/"
TARGET = "/mnt/target"
VENDOR_PAM = "/usr/lib/pam.d"
PLACES = ("/etc", "/run", "/var", TARGET, VENDOR_PAM)
KEPT = ("alternatives", "ld.so.cache", "ld.so.conf")
AUTH, STATE = "/etc/pam.d/common-auth", "/var/lib/pam/auth"
NEW = "/run/pam_lyra2.installation"
OVERRIDE, REMOVAL = "/run/pam_lyra2.allow-removal", "/run/pam_lyra2.removal"
CONF = "/etc/security/pam_lyra2.conf"
DROPIN = CONF + ".d/lyra2.conf"
UPGRADED = CONF + ".d/00-upgraded.conf"
VENDOR = "/usr/lib/pam_lyra2/pam_lyra2.conf"
SEEN = "/var/lib/pam/seen"

# What each program does.  It has written its call to a file before.
PROGRAMS = {
    "aa-enabled": "exit 1",
    "deb-systemd-helper": "rm -f $DPKG_ROOT/var/lib/systemd/"
                          "deb-systemd-helper-enabled/$2.dsh-also",
    "dpkg": """case $1 in
--print-architecture) echo amd64 ;;
--print-foreign-architectures) echo i386 ;;
*) exec /usr/bin/dpkg "$@" ;;
esac""",
    "dpkg-query": r"""found=1
while read -r package status; do
	case $package in
	"$4" | "$4":*) found=0 ;;
	*) continue ;;
	esac
	case $3 in
	*Package*) echo "${package%:*} $status" ;;
	*) printf %s "$status" ;;
	esac
done </mnt/tmp/packages
exit $found""",
    "invoke-rc.d": "",
    "lyra2": "exit 0",
    # Does what the real one does, to one stack: enables what it has not seen,
    # and leaves a stack alone that an administrator edited.
    "pam-auth-update": r"""root='' kept='no file'
[ ! -e "$DPKG_ROOT/run/pam_lyra2.removal" ] ||
	kept=$(cat "$DPKG_ROOT/run/pam_lyra2.removal")
echo "kept $kept" >>/mnt/tmp/calls
[ "$1" = --package ] || exit 2
shift
[ "${1-}" != --root ] || { root=$2; shift 2; }
state=$root/var/lib/pam/auth seen=$root/var/lib/pam/seen
set -- "$@" end
[ -e "$seen" ] || set -- --enable lyra2 --enable unix "$@"
printf 'lyra2\nunix\n' >"$seen"
while [ "$1" != end ]; do
	{ grep -vx "Module: $2" "$state" || :; } >"$state.new"
	[ "$1" != --enable ] || echo "Module: $2" >>"$state.new"
	sort "$state.new" >"$state"
	shift 2
done
rm -f "$state.new"
if [ ! -e /mnt/tmp/edited ]; then
	for type in auth password; do
		sed "s/Module: \(.*\)/$type required pam_\1.so/" "$state" \
		    >"$root/etc/pam.d/common-$type"
	done
fi
[ ! -e /mnt/tmp/late.shadow ] ||
	cat /mnt/tmp/late.shadow >>"$root/etc/shadow"
""",
    # Whether crypt(3) knows the method; the rest is Perl's.
    "perl": """case $* in
*crypt*) exit 1 ;;
*) exec /usr/bin/perl "$@" ;;
esac""",
    "restorecon": "",
    "semodule": "",
    "sleep": "",
    "systemctl": "exit 1",
}


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def remove(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    else:
        os.unlink(path)


def snapshot():
    """All files and directories, by name."""
    found = {}
    for place in PLACES:
        for folder, folders, files in os.walk(place):
            if folder == "/etc":
                folders[:] = [x for x in folders if x not in KEPT]
                files = [x for x in files if x not in KEPT]
            found[folder + "/"] = ""
            for name in files:
                path = folder + "/" + name
                found[path] = read(path) if os.path.isfile(path) else ""
    return found


@dataclass
class System:
    """A machine; with a root, one whose files are below it."""
    files: dict = field(default_factory=dict)
    programs: dict = field(default_factory=dict)
    packages: dict = field(default_factory=dict)
    arch: str = "amd64"
    root: str = ""
    environment: dict = field(default_factory=dict)
    lacks: tuple = ()		# programs

    def __post_init__(self):
        for place in PLACES:
            os.makedirs(place, exist_ok=True)
            for name in os.listdir(place):
                if place != "/etc" or name not in KEPT:
                    remove(place + "/" + name)
        for folder in ("/etc", "/run"):
            os.makedirs(self.root + folder, exist_ok=True)
        for path, text in self.files.items():
            write(self.root + path, text)
        shutil.rmtree(TOP + "bin", ignore_errors=True)
        for name, text in {**PROGRAMS, **self.programs}.items():
            if name in self.lacks:
                continue
            write(TOP + "bin/" + name, "#!/bin/sh\necho \"${0##*/} $*\" "
                  ">>/mnt/tmp/calls\n" + text + "\n")
            os.chmod(TOP + "bin/" + name, 0o755)
        for name in ("edited", "late.shadow"):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(TOP + name)
        write(TOP + "packages", "".join(
            "%s %s\n" % x for x in self.packages.items()))

    def run(self, script, *arguments):
        """Runs a script; sets what came of it."""
        write(TOP + "calls", "")
        self.before = snapshot()
        done = subprocess.run(
            ["sh", SCRIPTS + "/" + script, *arguments], check=False,
            text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=60, cwd="/",
            env={"PATH": TOP + "bin:/usr/bin:/bin:/usr/sbin:/sbin",
                 "DPKG_ROOT": self.root,
                 "DPKG_MAINTSCRIPT_ARCH": self.arch, **self.environment})
        self.status, self.said = done.returncode, done.stdout
        self.calls = read(TOP + "calls").splitlines()
        self.after = snapshot()
        return self

    def called(self, name):
        return [x[len(name) + 1:] for x in self.calls
                if x.split(" ")[0] == name]

    def changed(self):
        """What differs below the root, and its text or None; what differs
        elsewhere, too."""
        names = {x for x in self.before.keys() | self.after.keys()
                 if self.before.get(x) != self.after.get(x)}
        return {x.removeprefix(self.root) if x.startswith(self.root)
                else "outside: " + x: self.after.get(x) for x in names}


def row(name, got, wanted, system):
    tap.ok(name, got == wanted, "got:    %r\nwanted: %r\nsaid:\n%s" %
           (got, wanted, system.said))


def stack(profiles):
    """What pam-auth-update has written for these profiles."""
    return {STATE: "".join("Module: %s\n" % x for x in profiles),
            SEEN: "lyra2\nunix\n",
            AUTH: "".join("auth required pam_%s.so\n" % x for x in profiles),
            "/etc/pam.d/common-password": "".join(
                "password required pam_%s.so\n" % x for x in profiles)}


# --- libpam-lyra2.prerm: the removal ---------------------------------------

SHA = "bob:$6$salt$hash:1:\n"
# shadow, passwd, and who has a Lyra2 hash
HASHES = {
    "no hash": ("root:*:1:\n", "", []),
    "SHA": (SHA, "", []),
    "Lyra2": (SHA + "alice:$lyra2$t2:1:\n", "", ["alice"]),
    "bash-Lyra2": (SHA + "alice:$bashlyra2$t2:1:\n", "", ["alice"]),
    "locked": ("alice:!$lyra2$t2:\nbob:*$bashlyra2$t2:\n", "", []),
    "in passwd": (None, "alice:$lyra2$t2:1:1::/:\nroot:x:0:0::/:\n",
                  ["alice"]),
    "two": ("alice:$lyra2$t2:\ndora:$bashlyra2$t2:\n",
            "alice:x:1:1::/:\n", ["alice", "dora"]),
    "like it": ("a:$6$$lyra2$:\nb:$xlyra2$:\nc:$lyra2x$:\n$lyra2$d::1:\n"
                "e:x$lyra2$t2:\nf::$lyra2$t2:\n", "", []),
}
# what "lyra2 audit --stranded" says; it knows better than the hashes
TOOL = {"0": "exit 0", "1": "echo carol; exit 1",
        "2": "echo usage; exit 2", "127": "exit 127"}
NATIVE = "libpam-lyra2:amd64"
# architecture of the copy that goes, packages, and whether another stays
COPIES = {
    "the only copy": ("amd64", {NATIVE: "installed"}, False),
    "beside i386": ("amd64", {NATIVE: "installed",
                              "libpam-lyra2:i386": "installed"}, False),
    **{"i386, beside %s" % state: ("i386", {
        NATIVE: state, "libpam0g:i386": "installed"}, stays)
       for state, stays in (
           ("installed", True), ("unpacked", True), ("half-configured", True),
           ("triggers-pending", True), ("half-installed", False),
           ("config-files", False), ("not-installed", False))},
    "i386, without libpam0g": ("i386", {
        NATIVE: "installed", "libpam0g:i386": "config-files"}, True),
    "i386 alone": ("i386", {"libpam-lyra2:i386": "installed"}, False),
}
LINE = "auth required pam_lyra2.so\n"
BOTH, ONLY, OFF = ["lyra2", "unix"], ["lyra2"], ["unix"]
# profiles, other files, and those that name the module by hand
PROFILES = {
    "enabled": (BOTH, {}, []),
    "the only one": (ONLY, {}, []),
    "disabled": (OFF, {}, []),
    "in a service": (BOTH, {"/etc/pam.d/imap": LINE}, ["/etc/pam.d/imap"]),
    "by hand": (OFF, {AUTH: LINE}, [AUTH]),
    "in pam.conf": (OFF, {"/etc/pam.conf": "imap " + LINE},
                    ["/etc/pam.conf"]),
    "in a vendor's service": (OFF, {VENDOR_PAM + "/imap": LINE},
                              [VENDOR_PAM + "/imap"]),
    "in copies": (BOTH, {
        "/etc/pam.d/" + name: text for name, text in (
            ("imap", "# " + LINE), ("su.dpkg-old", LINE), ("su~", LINE),
            ("common-auth.pam-old", LINE))}, []),
}
# what else happens
TURNS = ("nothing", "on purpose", "late user", "late file")


def early_and_late(hashes, tool, turn, root):
    """Whom the removal would lock out: before, and once the stack is changed.
    lyra2 decides if it is of this root, and answers."""
    has = HASHES[hashes][2]
    asks = not root and tool in ("0", "1")
    early = {"0": [], "1": ["carol"]}[tool] if asks and has else has
    if turn != "late user":
        return early, early
    return early, ["erin"] if asks else [*has, "erin"]


def removal(hashes, tool, copy, profile, turn, root):
    """The system of a row."""
    shadow, passwd, _ = HASHES[hashes]
    arch, packages, _ = COPIES[copy]
    profiles, others, _ = PROFILES[profile]
    files = {**stack(profiles), **others}
    if shadow is not None:
        files["/etc/shadow"] = shadow
    if passwd:
        files["/etc/passwd"] = passwd
    if turn == "on purpose":
        files[OVERRIDE] = ""
    says = TOOL[tool]
    if turn == "late user" and tool in ("0", "1"):
        says = "[ ! -e %s ] || { echo erin; exit 1; }\n%s" % (REMOVAL, says)
    system = System(files, packages=packages, arch=arch, root=root,
                    programs={"lyra2": says})
    if turn == "late user":
        write(TOP + "late.shadow", "erin:$bashlyra2$t2:1:\n")
    if turn == "late file" or profile == "by hand":
        write(TOP + "edited", "")
    return system


def check_removal(*values):
    hashes, tool, copy, profile, turn, root = values
    stays, (profiles, _, by_hand) = COPIES[copy][2], PROFILES[profile]
    early, late = early_and_late(hashes, tool, turn, root)
    enabled, wrong = "lyra2" in profiles, []
    left = [AUTH, "/etc/pam.d/common-password"] \
        if turn == "late file" and enabled else []
    system = removal(*values).run("libpam-lyra2.prerm", "remove")
    said, files = system.said, system.changed()

    def expect(what, got, wanted):
        if got != wanted:
            wrong.append("%s: got %r, wanted %r" % (what, got, wanted))

    def names(words):
        for word in words:
            expect(word, "    " in said and word in said, True)

    calls = system.called("pam-auth-update")
    on_purpose = turn == "on purpose"
    if stays:
        expect("status, files, calls", (system.status, files, calls),
               (0, {}, []))
        expect("warning", "no longer verify" in said,
               system.packages["libpam0g:i386"] == "installed")
    elif (early or by_hand) and not on_purpose:
        expect("status, files, calls", (system.status, files, calls),
               (1, {}, []))
        names(early or by_hand)
    else:
        back = "" if not enabled else "--enable lyra2" if "unix" in profiles \
            else "--enable lyra2 --disable unix"
        expect("calls", calls, [
            # The profile of another copy would be taken for new.
            "--package %s%s--%s lyra2" % (
                "--root %s " % root if root else "",
                "--enable unix " if enabled else "",
                "disable" if copy == "beside i386" else "remove")])
        expect("kept meanwhile", system.called("kept"), [back])
        expect("enabled", system.after[root + STATE], stack(OFF)[STATE])
        refused = bool(late or left) and not on_purpose
        expect("status", system.status, int(refused))
        expect("kept", files.pop(REMOVAL, None), back + "\n" if refused else "")
        names(late or left if refused else late)
        expect("warning", "warning" in said, bool(late) and not refused)
        for path in [STATE, AUTH, "/etc/pam.d/common-password"]:
            files.pop(path, None)
        if turn == "late user":
            files.pop("/etc/shadow", None)
        expect("other files", files, {})
    if system.status:
        check_refusal(system, expect)
    tap.ok("remove: " + ", ".join(x or "/" for x in values), not wrong,
           "\n".join([*wrong, "said:", said]))


def check_refusal(system, expect):
    """dpkg runs the postinst: what was enabled is enabled again."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(TOP + "late.shadow")
    before = system.before
    system.run("libpam-lyra2.postinst", "abort-remove")
    expect("status of the postinst", system.status, 0)
    for path in (AUTH, STATE):
        expect("after the refusal, " + path,
               system.after[system.root + path], before[system.root + path])
    expect("kept after it", system.root + REMOVAL in system.after, False)


def removals():
    """Each value with each other in CHECK=long.  Otherwise a part in which
    each pair of values occurs."""
    rows = list(itertools.product(HASHES, TOOL, COPIES, PROFILES, TURNS,
                                  ("", TARGET)))
    step = 1 if os.environ.get("CHECK") == "long" else 97
    for values in rows[::step]:
        check_removal(*values)


# --- libpam-lyra2.prerm: workers -------------------------------------------

def process(*arguments, uid=0):
    """A process of /usr/sbin/lyra2d, which lives until its input ends."""
    return subprocess.Popen(
        ["setpriv", "--reuid", str(uid), "/usr/sbin/lyra2d", "-c", "read x; :",
         *arguments], stdin=subprocess.PIPE)


@contextlib.contextmanager
def proc(files):
    """Another /proc, with these files only."""
    subprocess.run(["mount", "-t", "tmpfs", "none", "/proc"], check=True)
    for path, text in files.items():
        write("/proc" + path, text)
    yield
    subprocess.run(["umount", "/proc"], check=True)


def workers():
    """The removal waits for those that may store a hash, at most 10 s."""
    program = "/usr/sbin/lyra2d"
    shutil.copy("/bin/dash", program)
    for name, arguments, waits in (
            ("a private service", ["--private"], True),
            ("one from before an upgrade", ["--private"], True),
            ("a service of one login", ["--once"], True),
            ("the service alone", [], False),
            ("words that contain an option", ["x--private", "--oncex"],
             False)):
        system = System({**stack(BOTH), "/etc/shadow": SHA})
        child = process(*arguments)
        if "upgrade" in name:
            wait_for(lambda: os.readlink("/proc/%d/exe" % child.pid) == program)
            os.unlink(program)
            shutil.copy("/bin/dash", program)
        # It ends at the third wait.
        write(TOP + "bin/sleep", "#!/bin/sh\necho x >>%ssleeps\ncp %s %sstack"
              "\n[ $(wc -l <%ssleeps) != 3 ] || kill %d; exec /bin/sleep .05"
              "\n" % (TOP, AUTH, TOP, TOP, child.pid))
        os.chmod(TOP + "bin/sleep", 0o755)
        write(TOP + "sleeps", "")
        reaper = threading.Thread(target=child.wait)
        reaper.start()
        system.run("libpam-lyra2.prerm", "remove")
        sleeps = len(read(TOP + "sleeps"))
        row(name, (system.status, sleeps >= 6 if waits else sleeps > 0),
            (0, waits), system)
        if waits:
            row(name + ": meanwhile no login asks the module",
                read(TOP + "stack"), stack(OFF)[AUTH], system)
        child.stdin.close()
        reaper.join()

    # A worker: a child of the service that goes on.
    child = subprocess.Popen(
        ["/usr/sbin/lyra2d", "-c", "/usr/sbin/lyra2d -c 'read x; :'; :"],
        stdin=subprocess.PIPE)
    # Each pause takes a second here, as one does on a busy machine.
    system = System({**stack(BOTH), "/etc/shadow": SHA}, {
        "sleep": "read x y </proc/uptime\n"
                 "echo $((${x%%.*} + 1)).70 $y >%suptime" % TOP})
    write(TOP + "uptime", "1234.70 2345.60\n")
    subprocess.run(["mount", "--bind", TOP + "uptime", "/proc/uptime"],
                   check=True)
    system.run("libpam-lyra2.prerm", "remove")
    subprocess.run(["umount", "/proc/uptime"], check=True)
    row("a worker that does not end: 10 s", (
        system.status, system.called("sleep")), (0, ["0.1"] * 10), system)
    system = System({**stack(BOTH), "/etc/shadow": SHA})
    with proc({}):
        system.run("libpam-lyra2.prerm", "remove")
    row("without /proc: none is found", (
        system.status, system.called("sleep")), (0, []), system)
    system = System({**stack(BOTH), "/etc/shadow": SHA}, root=TARGET)
    system.run("libpam-lyra2.prerm", "remove")
    row("of another root, none counts", (
        system.status, system.called("sleep")), (0, []), system)
    child.stdin.close()
    child.wait()

    if subprocess.run(["setpriv", "--reuid", "1", "true"], check=False,
                      stderr=subprocess.DEVNULL).returncode:
        tap.skip("a user's own", "this namespace has one user ID")
        return
    child = process("--private", uid=1)
    system = System({**stack(BOTH), "/etc/shadow": SHA})
    system.run("libpam-lyra2.prerm", "remove")
    row("a user's own program of that name", (
        system.status, system.called("sleep")), (0, []), system)
    child.stdin.close()
    child.wait()


def other_actions():
    """Only a removal takes the module out."""
    for script in ("libpam-lyra2.prerm", "libpam-lyra2-bin.prerm",
                   "slapd-lyra2.prerm"):
        for action in (["upgrade", "2"], ["deconfigure", "in-favour", "x", "1"],
                       ["failed-upgrade", "1"]):
            system = System({**stack(BOTH), "/etc/shadow": HASHES["Lyra2"][0],
                             "/etc/ldap/slapd.conf": "moduleload pw-lyra2\n"},
                            packages={NATIVE: "installed"})
            system.run(script, *action)
            row("%s %s" % (script, action[0]), (
                system.status, system.changed(), system.calls),
                (0, {}, []), system)


# --- libpam-lyra2.postrm ---------------------------------------------------

def unpacked_only():
    """No prerm has run: the postrm takes the module out, once it is gone."""
    for name, profile, profiles, root, called, warned in (
            ("", False, BOTH, "", True, True),
            ("of another root", False, BOTH, TARGET, True, True),
            ("another architecture's is there", True, BOTH, "", False, False),
            ("it was not enabled", False, OFF, "", False, False)):
        files = {**stack(profiles), "/etc/shadow": HASHES["Lyra2"][0]}
        system = System(files, root=root)
        there = root + "/usr/share/pam-configs/lyra2"
        if profile:
            write(there, "x\n")
        system.run("libpam-lyra2.postrm", "remove")
        if profile:
            os.unlink(there)
        row("postrm remove: " + name, (
            system.status, system.called("pam-auth-update"),
            system.after[root + STATE], "locked out" in system.said), (0, [
                "--package %s--enable unix --remove lyra2" % (
                    "--root %s " % root if root else "")] if called else [],
                stack(OFF if called else profiles)[STATE], warned), system)
    system = System({**stack(BOTH), "/etc/shadow": SHA})
    system.run("libpam-lyra2.postrm", "remove")
    row("postrm remove: nobody has a hash", ("locked" in system.said), False,
        system)
    system = System({**stack(BOTH), "/etc/shadow": SHA},
                    programs={"pam-auth-update": "exit 1"})
    system.run("libpam-lyra2.postrm", "remove")
    row("postrm remove: pam-auth-update fails", system.status, 0, system)


def purge():
    """The last copy to be purged counts the hashes that are left."""
    for lines, count in (
            (["a:$lyra2$t2n12c256p2$salt$hash:1:"], 1),
            (["a:$bashlyra2$t2n12c256p2$salt$hash:1:"], 1),
            (["a:$lyra2$x:", "b:$6$x:", "c:!$bashlyra2$x:", "d:!!$lyra2$x:"],
             3),
            (["a:$6$$lyra2$:", "b::$lyra2$x:", "c:$bash$x:", "d:$xlyra2$x",
              "e:$y$bashlyra2$x:"], 0)):
        for path in ("/etc/shadow", "/etc/passwd"):
            for root in ("", TARGET):
                for copies in ("1", "2"):
                    system = System(
                        {path: "\n".join(lines) + "\n", OVERRIDE: ""},
                        root=root, environment={
                            "DPKG_MAINTSCRIPT_PACKAGE_REFCOUNT": copies})
                    system.run("libpam-lyra2.postrm", "purge")
                    last = copies == "1"
                    row("purge: %d in %s, %s copies, %s" % (
                        count, path, copies, root or "/"), (
                            system.status, system.said, system.changed()), (
                                0, "libpam-lyra2: note: passwords that are "
                                "still hashed with Lyra2: %d\n" % count
                                if last and count else "",
                                {OVERRIDE: None} if last else {}), system)
    system = System()
    system.run("libpam-lyra2.postrm", "purge")
    row("purge: no files", (system.status, system.said), (0, ""), system)


def profiles_of_apparmor():
    """They are loaded again where AppArmor is on, of this machine."""
    for script, action in (("libpam-lyra2.postinst", ["configure", "1"]),
                           ("libpam-lyra2.postrm", ["purge"])):
        for on, root, fails in ((True, "", False), (True, "", True),
                                (False, "", False), (True, TARGET, False)):
            system = System(stack(BOTH), root=root, programs={
                "aa-enabled": "" if on else "exit 1",
                "invoke-rc.d": "exit 1" if fails else ""})
            system.run(script, *action)
            row("%s, AppArmor %s, %s, it fails: %s" % (
                script, on, root or "/", fails),
                (system.status, system.called("invoke-rc.d")),
                (0, ["apparmor reload"] if on and not root else []), system)


# --- libpam-lyra2.postinst -------------------------------------------------

def first_installation():
    """What is said at the first installation, and only then."""
    edited = {
        AUTH: "auth [success=1 default=ignore] pam_unix.so nullok\n",
        "/etc/pam.d/common-password":
            "password [success=2 default=ignore] pam_unix.so obscure\n"}
    off = ["NOT enabled", "\n    /etc/pam.d/common-auth\n",
           "\n    /etc/pam.d/common-password\n",
           "    auth [success=2 authtok_err=die cred_unavail=die "
           "default=ignore] pam_lyra2.so before_unix\n",
           "    password [success=3 user_unknown=ignore ignore=ignore "
           "default=die] pam_lyra2.so before_unix\n"]
    none = ["No hash changes"]
    one = ["that %s or its .d names" % CONF]
    half = {**edited, AUTH: stack(BOTH)[AUTH]}
    comment = {**edited, AUTH: "# " + LINE + edited[AUTH]}
    for name, files, edits, wanted in (
            ("new", {}, False, none),
            ("edited", edited, True, off),
            ("edited, with a comment", comment, True, off),
            ("half edited", half, True, [off[0], off[2], off[4]]),
            ("a method in the file", {CONF: " method = lyra2\n"}, False, one),
            ("a method in the directory", {DROPIN: "method=lyra2\n"}, False,
             one),
            ("a comment", {CONF: "# method = lyra2\n"}, False, none),
            ("another option", {CONF: "methods = lyra2\n"}, False, none)):
        for root in ("", TARGET):
            for version, again in (("", False), ("0.1", False), ("0.1", True)):
                system = System({**files, **({NEW: ""} if again else {})},
                                root=root)
                os.makedirs(root + "/etc/pam.d", exist_ok=True)
                os.makedirs(root + "/var/lib/pam", exist_ok=True)
                if edits:
                    write(TOP + "edited", "")
                system.run("libpam-lyra2.postinst", "configure", version)
                said = system.said.replace(root, "")
                row("configure: %s, %s, %s, after a removal: %s" % (
                    name, root or "/", version, again), (
                    system.status, root + NEW in system.after,
                    {x for x in (*none, *one, *off) if x in said},
                    system.called("pam-auth-update"), read(root + STATE)), (
                        0, False,
                        set(wanted) if again or not version else set(),
                        ["--package" + (" --root " + root if root else "")],
                        stack(BOTH)[STATE]), system)


def lost_options():
    """What an administrator set for pam_unix, and what takes its place."""
    line = "password [success=1] pam_unix.so obscure %s yescrypt\n"
    for option, remedy in (("minlen=9", 'write "minlen = 9"'),
                           ("remember=5", "enable pam_pwhistory"),
                           ("nis", "yppasswd"), ("minimum=3", None),
                           # with method = system, it still counts
                           ("rounds=9", None)):
        system = System({"/etc/pam.d/common-password": line % option,
                         AUTH: LINE, STATE: ""})
        write(TOP + "edited", "")
        system.run("libpam-lyra2.postinst", "configure", "")
        row("lost: " + option, (
            system.status, "no longer apply" in system.said,
            option in system.said and (remedy or "") in system.said,
            "history of old passwords" in system.said),
            (0, bool(remedy), bool(remedy), option == "remember=5"), system)
    for knows, root, warned in ((True, "", False), (False, "", True),
                                (True, TARGET, True)):
        system = System(
            {"/etc/pam.d/common-password": "password x pam_pwhistory.so\n",
             AUTH: LINE, STATE: ""}, root=root,
            programs={"perl": "exit %d" % (not knows)})
        write(TOP + "edited", "")
        system.run("libpam-lyra2.postinst", "configure", "")
        row("history, libcrypt knows the method: %s, %s" % (knows, root), (
            system.status, "history of old passwords" in system.said),
            (0, warned), system)


def architectures():
    """A warning for each that has PAM and lacks the module."""
    for name, packages, root, warned in (
            ("both", {NATIVE: "installed", "libpam0g:amd64": "installed",
                      "libpam0g:i386": "installed",
                      "libpam-lyra2:i386": "unpacked"}, "", []),
            ("i386 lacks it", {NATIVE: "installed",
                               "libpam0g:amd64": "installed",
                               "libpam0g:i386": "installed",
                               "libpam-lyra2:i386": "config-files"}, "",
             ["i386"]),
            ("of another root", {"libpam0g:i386": "installed"}, TARGET, []),
            ("amd64 lacks it", {"libpam0g:amd64": "half-configured"}, "",
             ["amd64"]),
            ("PAM is not there", {NATIVE: "installed"}, "", [])):
        system = System(stack(BOTH), packages=packages, root=root)
        system.run("libpam-lyra2.postinst", "configure", "1")
        row("architectures: " + name, (system.status, system.said), (
            0, "".join("libpam-lyra2: warning: %s programs cannot verify Lyra2 "
                       "hashes: install libpam-lyra2:%s\n" % (x, x)
                       for x in warned) +
            ("libpam-lyra2: NOT enabled before %s is installed\n" % NATIVE
             if "amd64" in warned else "")), system)


def another_architecture():
    """The module of another architecture alone turns nothing on, until that
    of this system comes."""
    for name, status, files, enabled in (
            ("alone", None, {}, False),
            ("the other has been removed", "config-files", stack(OFF), False),
            ("an upgrade", None, stack(OFF), False),
            ("the other is being installed", "unpacked", {}, True)):
        for root in "", TARGET:
            packages = {"libpam0g:amd64": "installed",
                        "libpam0g:i386": "installed",
                        "libpam-lyra2:i386": "installed"}
            if status:
                packages[NATIVE] = status
            system = System({STATE: "", AUTH: "", **files}, arch="i386",
                            packages=packages, root=root)
            system.run("libpam-lyra2.postinst", "configure",
                       "0.1" if name == "an upgrade" else "")
            row("i386, amd64 %s: %s, %s" % (status, name, root or "/"), (
                system.status, system.after[root + STATE],
                "NOT enabled before libpam-lyra2:amd64" in system.said,
                "To switch Lyra2 on" in system.said),
                (0, stack(BOTH if enabled else OFF)[STATE], not enabled,
                 enabled), system)
            system.arch = "amd64"
            system.run("libpam-lyra2.preinst", "install")
            write(TOP + "packages", "libpam0g:amd64 installed\n" +
                  NATIVE + " unpacked\n")
            system.run("libpam-lyra2.postinst", "configure", "")
            row("amd64 after it: %s, %s" % (name, root or "/"), (
                system.status, system.after[root + STATE],
                "NOT enabled" in system.said),
                (0, stack(BOTH)[STATE], False), system)


def reinstallation():
    """A profile that was left disabled beside another copy is enabled again."""
    seen = {SEEN: "unix\nlyra2\ncapability\n"}
    for name, action, files, arch, wanted in (
            ("disabled", "install", seen, "amd64", True),
            ("never seen", "install", {SEEN: "unix\n"}, "amd64", False),
            ("no file", "install", {}, "amd64", False),
            ("another name", "install", {SEEN: "lyra2-x\n"}, "amd64", False),
            ("enabled", "install", {**seen, STATE: "Module: lyra2\n"}, "amd64",
             False),
            ("i386", "install", seen, "i386", False),
            ("an upgrade", "upgrade", seen, "amd64", False)):
        for root in "", TARGET:
            system = System(files, arch=arch, root=root)
            system.run("libpam-lyra2.preinst", action, "0.1")
            row("preinst %s: %s, %s" % (action, name, root or "/"), (
                system.status, system.changed()), (0, {
                    **({NEW: ""} if action == "install" else {}),
                    **({REMOVAL: "--enable lyra2\n"} if wanted else {})}),
                system)


# --- libpam-lyra2-bin ------------------------------------------------------

def bin_removal():
    """The service stays while a module does."""
    for status, stays in (
            ("installed", True), ("unpacked", True), ("half-configured", True),
            ("half-installed", True), ("triggers-awaited", True),
            ("triggers-pending", True), ("config-files", False),
            ("not-installed", False), (None, False)):
        for root, on_purpose in (("", False), ("", True), (TARGET, False)):
            packages = {NATIVE: "config-files", "libpam-lyra2-bin:amd64":
                        "installed"}
            if status:
                packages["libpam-lyra2:i386"] = status
            else:
                packages.pop(NATIVE)
            system = System({OVERRIDE: ""} if on_purpose else {},
                            packages=packages, root=root)
            system.run("libpam-lyra2-bin.prerm", "remove")
            refused = stays and not on_purpose
            row("bin.prerm remove, module %s, on purpose %s, %s" % (
                status, on_purpose, root or "/"), (
                    system.status, "not removed" in system.said,
                    system.changed()), (int(refused), refused, {}), system)


def bin_upgrade():
    """What was on by default before stays on, by a file."""
    method, root_line = "method = lyra2", "rehash_root = yes"
    for name, version, files, knows, root, wanted in (
            ("old", "0.1.0-0local1", {}, True, "", [method, root_line]),
            ("its libcrypt lacks it", "0.1.0-0local1", {}, False, "",
             [method]),
            ("another root", "0.1.0-0local1", {}, True, TARGET, [method]),
            ("new", "0.1.0-0local2", {}, True, "", None),
            ("a backport of new", "0.1.0-0local2~bpo12+1", {}, True, "", None),
            ("a method", "0.1", {CONF: "\tmethod=yescrypt\n"}, True, "",
             [root_line]),
            ("a method below", "0.1", {DROPIN: "method = lyra2\n"}, False, "",
             None),
            ("a vendor's", "0.1", {VENDOR: "method = system\n"}, False, "", None),
            ("root's line", "0.1", {CONF: "rehash_root = no\n"}, True, "",
             [method]),
            ("a comment", "0.1", {CONF: "#method = x\n"}, False, "",
             [method]),
            ("auto", "0.1", {CONF: "rehash_root= auto\n"}, True, "",
             [method]),
            ("auto and a method", "0.1",
             {DROPIN: "method=lyra2\n rehash_root =auto\n"}, True, "", None),
            ("again", "0.1", {UPGRADED: "mine\n"}, True, "", None)):
        system = System(files, root=root, programs={
            "perl": "exit %d" % (not knows)})
        system.run("libpam-lyra2-bin.preinst", "upgrade", version, "9")
        changed, text = system.changed(), None
        if UPGRADED in changed:
            text = [x for x in changed.pop(UPGRADED).splitlines()
                    if not x.startswith("#")]
        for folder in ("/etc/security/", CONF + ".d/"):
            changed.pop(folder, None)
        row("bin.preinst upgrade: " + name, (
            system.status, text, changed, "switched on" in system.said,
            "auto\" is a mistake now" in system.said),
            (0, wanted, {}, wanted is not None, "auto" in name), system)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(VENDOR)
    system = System().run("libpam-lyra2-bin.preinst", "install")
    row("bin.preinst install", (system.status, system.changed()), (0, {}),
        system)
    for root, wanted in (("", False), (TARGET, True)):
        system = System(root=root)
        with proc({"/sys/crypto/fips_enabled": "1\n"}):
            system.run("libpam-lyra2-bin.preinst", "upgrade", "0.1", "9")
        row("bin.preinst upgrade: FIPS mode, %s" % (root or "/"),
            UPGRADED in system.changed(), wanted, system)


class Daemon:
    """Answers at lyra2d's socket, or not."""
    def __init__(self, answers):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        os.makedirs("/run/lyra2", exist_ok=True)
        self.socket.bind("/run/lyra2/socket")
        self.socket.listen()
        self.answers = answers
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        with contextlib.suppress(OSError):
            client, _ = self.socket.accept()
            if self.answers:
                client.send(b"hello")
            client.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        os.unlink("/run/lyra2/socket")


def bin_configuration():
    """SELinux, the socket unit of earlier packages, a service that is
    silent."""
    load = ["-l", "-i /usr/share/selinux/packages/lyra2.cil"]
    label = ["-iRF /usr/sbin/lyra2d /usr/sbin/lyra2_chkpwd /run/lyra2"]
    for name, semodule, restorecon, root, calls, warned in (
            ("", "", "", "", (load, label), False),
            ("no policy", "exit 1", "", "", (load[:1], []), False),
            ("policy refuses", '[ "$1" != -i ]', "", "", (load, []), True),
            ("labels fail", "", "exit 1", "", (load, label), True),
            ("another root", "", "", TARGET, ([], []), False)):
        system = System(root=root, programs={"semodule": semodule,
                                             "restorecon": restorecon})
        system.run("libpam-lyra2-bin.postinst", "configure", "")
        row("bin.postinst: SELinux " + name, (
            system.status, (system.called("semodule"),
                            system.called("restorecon")),
            "does not accept" in system.said), (0, calls, warned), system)
    system = System(lacks=("semodule",))
    system.run("libpam-lyra2-bin.postinst", "configure", "")
    row("bin.postinst: no SELinux", (system.status, system.said), (0, ""),
        system)
    system = System().run("libpam-lyra2-bin.postinst", "abort-upgrade", "1")
    row("bin.postinst abort-upgrade", (system.status, system.calls), (0, []),
        system)

    old = "/var/lib/systemd/deb-systemd-helper-enabled/lyra2d.socket.dsh-also"
    unit = "/run/systemd/system/x"
    for files, root, stops, purges in (
            ({old: "", unit: ""}, "", True, True),
            ({old: ""}, "", False, True), ({unit: ""}, "", False, False),
            ({old: "", unit: ""}, TARGET, False, True)):
        system = System(files, root=root)
        system.run("libpam-lyra2-bin.postinst", "configure", "")
        row("bin.postinst: old socket, %s, %s" % (list(files), root or "/"), (
            system.status, "stop lyra2d.socket" in system.called("systemctl"),
            system.called("deb-systemd-helper"), system.changed()), (
                0, stops, ["purge lyra2d.socket"] if purges else [],
                {old: None} if purges else {}), system)

    wanted = {"systemctl": '[ "$1" = is-enabled ]'}
    policy = "/usr/sbin/policy-rc.d"
    for name, programs, files, denied, answers, warned in (
            ("silent", wanted, {unit: ""}, None, False, True),
            ("answers", wanted, {unit: ""}, None, True, False),
            ("not enabled", {}, {unit: ""}, None, False, False),
            ("no systemd", wanted, {}, None, False, False),
            ("policy-rc.d says no", wanted, {unit: ""}, 101, False, False),
            ("policy-rc.d says yes", wanted, {unit: ""}, 0, False, True)):
        system = System(files, programs)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(policy)		# this machine may have one
        if denied is not None:
            write(policy, '#!/bin/sh\n[ "$*" = "lyra2d start" ] || exit 9\n'
                  "exit %d\n" % denied)
            os.chmod(policy, 0o755)
        with Daemon(answers):
            system.run("libpam-lyra2-bin.postinst", "configure", "")
        row("bin.postinst: lyra2d " + name, (
            system.status, "does not answer" in system.said), (0, warned),
            system)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(policy)
    system = System({unit: ""}, wanted)
    system.run("libpam-lyra2-bin.postinst", "configure", "")
    row("bin.postinst: no lyra2d", "does not answer" in system.said, True,
        system)


def bin_purge():
    """What is left in /etc and /run goes with a purge, the rest stays."""
    files = {"/etc/.shadow.lyra2.x1": "x", "/etc/shadow": SHA,
             "/etc/.shadow.lyra3": "x", "/run/lyra2/brake.1/1000": "x",
             UPGRADED: "x", CONF: "cost = 12\n"}
    gone = ["/etc/.shadow.lyra2.x1", "/run/lyra2/", "/run/lyra2/brake.1/",
            "/run/lyra2/brake.1/1000", UPGRADED]
    for root in ("", TARGET):
        for kept in (False, True):
            system = System({**files, **({DROPIN: "x"} if kept else {})},
                            root=root)
            system.run("libpam-lyra2-bin.postrm", "purge")
            row("bin.postrm purge, a file of the administrator's: %s, %s" % (
                kept, root or "/"), (system.status, system.changed(),
                                     system.calls), (
                0, dict.fromkeys([*gone, *([] if kept else [CONF + ".d/"])]),
                []), system)
        for fails in ("", "exit 1"):
            system = System(files, root=root, programs={"semodule": fails})
            system.run("libpam-lyra2-bin.postrm", "remove")
            row("bin.postrm remove, %s %s" % (root or "/", fails), (
                system.status, system.changed(), system.called("semodule")),
                (0, {}, [] if root else ["-r lyra2"]), system)
    system = System({**files, "/etc/.shadow.lyra2.0/x": "x"})
    system.run("libpam-lyra2-bin.postrm", "purge")
    row("bin.postrm purge, a folder of that name", (
        system.status, gone[0] in system.after), (0, False), system)
    system = System(files, lacks=("semodule",))
    system.run("libpam-lyra2-bin.postrm", "upgrade", "2")
    row("bin.postrm upgrade", (system.status, system.changed()), (0, {}),
        system)


# --- slapd-lyra2 -----------------------------------------------------------

def slapd_removal():
    """slapd does not start without a module that it loads."""
    load = "olcModuleLoad: pw-lyra2\n"
    for name, files, refused in (
            ("nothing", {}, False),
            ("slapd.d", {"/etc/ldap/slapd.d/cn=config/cn=module{0}.ldif":
                         load}, True),
            ("slapd.conf", {"/etc/ldap/slapd.conf": " moduleload pw-lyra2.la\n"
                            }, True),
            ("a comment", {"/etc/ldap/slapd.conf": "# moduleload pw-lyra2\n"},
             False),
            ("another", {"/etc/ldap/slapd.conf": "moduleload pw-sha2\n"},
             False),
            ("SLAPD_CONF", {"/etc/default/slapd": "SLAPD_CONF=/etc/my.conf\n",
                            "/etc/my.conf": load}, True),
            ("not SLAPD_CONF", {"/etc/my.conf": load}, False)):
        system = System(files).run("slapd-lyra2.prerm", "remove")
        row("slapd.prerm remove: " + name, (
            system.status, "could not log in" in
            system.said.replace("\n", " "), system.changed()),
            (int(refused), refused, {}), system)


tap.run([removals, workers, other_actions, unpacked_only, purge,
         profiles_of_apparmor, first_installation, lost_options, architectures,
         another_architecture, reinstallation, bin_removal, bin_upgrade,
         bin_configuration, bin_purge, slapd_removal])
