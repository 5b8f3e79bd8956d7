# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The module as a file, and its helpers as programs that anyone may start.
. "$SRCDIR/tests/lib/pam.sh"
command -v pgrep >/dev/null || skip_all "no pgrep here"

ask=$BUILDDIR/tests/pam/ask
chkpwd=$prefix/sbin/lyra2_chkpwd
update=$prefix/sbin/lyra2_update
OP_VERIFY=1 OP_BLANK=2 OP_ACCOUNT=3 OP_SET=4
sha=$(hash '$6$salt$' secret)
P='prompt: Password: /'

# ---- the module ----
is "the module exports its entry points alone" \
    "$(nm -D --defined-only "$module" | awk '{ print $3 }' | sort |
	tr '\n' ' ')" \
    "pam_sm_acct_mgmt pam_sm_authenticate pam_sm_chauthtok pam_sm_close_session pam_sm_open_session pam_sm_setcred "
ok "every symbol that it needs is there: RTLD_NOW" python3 -c '
import ctypes, os, sys
ctypes.CDLL(sys.argv[1], mode=os.RTLD_NOW | os.RTLD_LOCAL)' "$module"
ok "it keeps no libcrypt, and so no hash, in the application" \
    sh -c 'ldd "$1" | grep -q libc.so && ! ldd "$1" | grep -q libcrypt' - \
    "$module"

# ---- what is left in the application's memory ----
user alice "$(hash '$6$salt$' no-such-word-anywhere)"
service std
is "nothing of password and hash after a rehash" \
    "$(echo no-such-word-anywhere | "$BUILDDIR/tests/pam/memory" /etc/pam.d std alice |
	tr '\n' '/')" \
    "auth=0 password=0/hash of 97 bytes=0/the search finds what is there: yes/"
is "nor after a wrong password" \
    "$(echo unlike-any | "$BUILDDIR/tests/pam/memory" /etc/pam.d std alice |
	head -n 1)" "auth=7 password=0"
# Without lazy binding: the dynamic linker saves vector registers on the stack,
# with pieces of what has been copied before.
long=$(printf 'unlike-any-other%.0s' $(seq 31))
sed -i "s,^alice:[^:]*,alice:$(hash '$6$salt$' "$long")," /etc/shadow
is "nor of one of 496 bytes" \
    "$(echo "$long" | LD_BIND_NOW=1 "$BUILDDIR/tests/pam/memory" /etc/pam.d \
    std alice | head -n 1)" "auth=0 password=0"
sed -i "s,^alice:[^:]*,alice:$sha," /etc/shadow

# ---- how they are started ----
# started FD: what the helper finds when the module starts it
cat >"$work/look" <<EOF
#!/bin/sh
{
	# First, and by the shell itself: with a command it changes its mask.
	while read -r key value; do
		case \$key in
		# The last 28: 32 and 33 belong to the C library.
		SigBlk: | SigIgn:)
			while [ \${#value} -gt 7 ]; do
				value=\${value#?}
			done
			echo "\$key \$value"
			;;
		Uid: | Gid:) echo "\$key" \$value >>"$work/ids" ;;
		esac
	done </proc/self/status
	ls -l /proc/self/fd | awk '/->/ { print \$9 }' | sort -n | tr '\n' ' '
	echo
	awk '{ print \$6 == \$4 ? "own session" : "session of another" }' \
	    /proc/\$\$/stat
	tr '\0' '\n' </proc/\$\$/environ | grep -c .
	umask
	pwd
} >"$work/seen" 2>&1
EOF
chmod 755 "$work" "$work/look"
cp "$update" "$work/update"
replace "$update" <"$work/look"
python3 - "$BUILDDIR/tests/pam/try" <<'PY'
import os, signal, subprocess, sys
os.set_inheritable(os.open("/etc/shadow", os.O_RDONLY), True)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
subprocess.run([sys.argv[1], "/etc/pam.d", "std", "alice", "auth"],
    input=b"secret\n", stdout=subprocess.DEVNULL, close_fds=False,
    restore_signals=False, cwd="/etc",
    env={"HOME": "/", "LD_PRELOAD": "/nowhere.so"})
PY
# ls has one descriptor more: the directory that it reads.
is "descriptors, session, signals, environment, mask, directory" \
    "$(sed 's/ $//' "$work/seen" | tr '\n' '/')" \
    "SigBlk: 0000000/SigIgn: 0000000/0 1 2 3/own session/0/0077///"
if ! another_id "IDs" uid:; then
	rm "$work/ids"
	echo secret | setpriv --regid 100 --clear-groups \
	    "$BUILDDIR/tests/pam/try" /etc/pam.d std alice \
	    "euid:$(id -u alice)" auth >/dev/null || :
	is "a set-user-ID program with another group: all IDs" \
	    "$(tr '\n' '/' <"$work/ids")" "Uid: 0 0 0 0/Gid: 0 0 0 0/"
fi
cat >"$work/says.py" <<'PY'
# A helper that gives a verdict, and its last word.
import socket, struct, sys
module = socket.socket(fileno=0)
module.recv(4096)
for kind, number in (1, int(sys.argv[1])), (4, 0):
    module.sendall(struct.pack("=IIiI", 12, kind, number, 0))
PY
for code in 10 25; do
	printf '#!/bin/sh\nexec python3 %s %d\n' "$work/says.py" $code |
	    replace "$update"
	is "a new password: verdict $code does not lead to the next module" \
	    "$(printf 'newone\nnewone\n' | try std alice passwd |
		sed 's,.*/passwd,passwd,')" "passwd=9/"
done
# Its share of the work depends on whether pam_unix comes next.
cat >"$work/flags.py" <<'PY'
import socket, struct, sys
request = socket.socket(fileno=0).recv(4096)
with open(sys.argv[1], "w") as out:
    print(struct.unpack_from("=I", request, 12)[0] & 16, file=out)
PY
printf '#!/bin/sh\nexec python3 %s %s\n' "$work/flags.py" "$work/flags" |
    replace "$update"
echo secret | try std alice auth >/dev/null
is "a helper is told that pam_unix does not come next" \
    "$(cat "$work/flags")" 0
service before before_unix
sed -i 's/^session.*/session required pam_unix.so/' /etc/pam.d/before
echo secret | try before alice auth >/dev/null
if [ -n "$(find /usr/lib /lib -name pam_unix.so 2>/dev/null)" ]; then
	is "a helper is told that pam_unix comes next" \
	    "$(cat "$work/flags")" 16
else
	skip "a helper is told that pam_unix comes next" \
	    "pam_unix.so is not installed"
fi
replace "$update" <"$work/update"

cat >"$work/signals.c" <<'C'
/* A signal that the application handles comes to the child at once. */
#include "clone.h"

#include <signal.h>

static void handler(int number)
{
	(void)!write(2, "handler/", number ? 8 : 0);
}

static void before_clone(void)
{
	signal(SIGURG, handler);
	(void)!write(2, "clone/", 6);
}

static void in_child(void)
{
	kill(getpid(), SIGURG);
}

__attribute__((destructor)) static void end(void)
{
	sigset_t blocked;

	sigprocmask(SIG_BLOCK, NULL, &blocked);
	if (sigismember(&blocked, SIGTERM))
		(void)!write(2, "blocked/", 8);
}
C
if preload signals; then
	is "handlers do not run in the child, and go on in the application" \
	    "$(echo secret | LD_PRELOAD="$work/signals.so" \
	    "$BUILDDIR/tests/pam/try" /etc/pam.d std alice auth 2>&1 |
	    tr '\n' '/')" "${P}clone/auth=0/"
else
	skip "handlers do not run in the child" "$CC fails"
fi
cat >"$work/late.c" <<'C'
/* The end of a helper comes to notice before its answer, which was earlier. */
#include <poll.h>
#include <stddef.h>
#include <unistd.h>

int poll(struct pollfd *p, nfds_t n, int ms)
{
	const struct timespec limit = { ms / 1000, ms % 1000 * 1000000L };

	if (n != 2 || p[1].fd < 0)
		return ppoll(p, n, ms < 0 ? NULL : &limit, NULL);
	(void)!write(2, "late/", 5);
	p[0].revents = 0;
	return ppoll(p + 1, 1, &limit, NULL);
}
C
if preload late; then
	is "a verdict that comes with the end of its helper" \
	    "$(echo wrong | LD_PRELOAD="$work/late.so" \
	    "$BUILDDIR/tests/pam/try" /etc/pam.d std alice auth 2>&1 |
	    tr '\n' '/')" "${P}late/auth=7/"
else
	skip "a verdict that comes with the end" "$CC fails"
fi
if strace -o /dev/null true 2>/dev/null; then
	echo secret | strace -o "$work/trace" -e trace=socketpair,openat \
	    "$BUILDDIR/tests/pam/try" /etc/pam.d std alice auth >/dev/null
	is "programs that the application starts do not get the socket" \
	    "$(grep -o 'SOCK_STREAM|[A-Z_]*' "$work/trace")" \
	    "SOCK_STREAM|SOCK_CLOEXEC"
	is "nor the file of options" "$(sed -n \
	    "s,.*\"$conf\".*|\(O_CLOEXEC\)*.*,\1,p" "$work/trace")" O_CLOEXEC
else
	skip "programs that the application starts" "strace may not trace here"
fi

is "the application is at its limit of descriptors" \
    "$(exec 3>&- 4>&- 5>&- 6>&- 7>&-; echo secret | prlimit --nofile=5:1024 \
    "$BUILDDIR/tests/pam/try" /etc/pam.d std alice auth 2>&1 | tr '\n' '/')" \
    "${P}auth=0/"

# ---- the application notices no child ----
# Its own would be one that no handler, wait(2) or subreaper expects.
for how in wait waitpid ignore nocldwait signalfd subreaper; do
	sed -i "s,^alice:[^:]*,alice:$sha," /etc/shadow
	is "an application that minds its children, $how: a login, a rehash" \
	    "$(echo secret | try std alice "minds:$how" auth account children)" \
	    "${P}auth=0/account=0/children=0/"
	is "$how: it was rehashed" "$(stored alice | cut -c1-7)" '$lyra2$'
done
sed -i "s,^alice:[^:]*,alice:$sha," /etc/shadow
if strace -o /dev/null true 2>/dev/null; then
	is "a sandbox that knows no child without a signal" \
	    "$(echo secret | strace -o "$work/trace" \
	    -e inject=clone:error=EINVAL:when=1 "$BUILDDIR/tests/pam/try" \
	    /etc/pam.d std alice auth 2>&1 | tr '\n' '/')" "${P}auth=0/"
	ok "it refused one" grep -q 'EINVAL.*INJECTED' "$work/trace"
else
	skip "a sandbox that knows no child without a signal" \
	    "strace may not trace here"
fi

# ---- services that systemd confines, and images that are being built ----
cat >"$work/confined.c" <<'C'
/* SystemCallFilter=~@setuid ~@resources, as setting IDs and priorities go. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define KILLED(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1), \
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)

int main(int argc, char **argv)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		KILLED(SYS_setresuid), KILLED(SYS_setresgid),
		KILLED(SYS_setreuid), KILLED(SYS_setregid),
		KILLED(SYS_setuid), KILLED(SYS_setgid), KILLED(SYS_setgroups),
		KILLED(SYS_setrlimit), KILLED(SYS_setpriority),
		KILLED(SYS_sched_setscheduler), KILLED(SYS_sched_setattr),
		KILLED(SYS_sched_setparam), KILLED(SYS_sched_setaffinity),
		KILLED(SYS_ioprio_set),
#ifdef NO_FORK
		KILLED(SYS_vfork),
#endif
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {
		sizeof(filter) / sizeof(filter[0]), filter
	};

	return argc < 2 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER,
				 &program) || execvp(argv[1], argv + 1);
}
C
# confined NAME FLAG: makes that program; fails where it cannot be
confined()
{
	$CC "$2" -o "$work/$1" "$work/confined.c" 2>/dev/null &&
	    "$work/$1" true
}
if confined confined -DDEFAULT; then
	sed -i "s,^alice:[^:]*,alice:$sha," /etc/shadow
	is "confined by systemd, and nice: a login" "$(echo secret |
	    nice -n 5 "$work/confined" "$BUILDDIR/tests/pam/try" /etc/pam.d \
	    std alice auth account | tr '\n' '/')" "${P}auth=0/account=0/"
	is "confined by systemd: it is rehashed" "$(stored alice | cut -c1-7)" \
	    '$lyra2$'
	sed -i "s,^alice:[^:]*,alice:$sha," /etc/shadow
	# The tree may lie in root's home.
	cp "$BUILDDIR/tests/pam/try" "$work"
	another_id "confined by systemd, as a reader of the file" uid: ||
	    is "confined by systemd, as a reader of the file" \
	    "$(echo secret | setpriv --reuid 1 --regid 100 --groups \
	    "$(stat -c %g /etc/shadow)" --no-new-privs "$work/confined" \
	    "$work/try" /etc/pam.d std alice auth account |
	    tr '\n' '/')" "${P}auth=0/account=0/"
else
	skip "confined by systemd" "no such filter here"
fi
if confined childless -DNO_FORK; then
	echo secret | daemon_log "$work/log" "$work/childless" \
	    "$BUILDDIR/tests/pam/try" /etc/pam.d std alice auth >/dev/null
	is "what is forbidden is named in the log" \
	    "$(grep -c 'system call is forbidden here, see CAVEATS' \
	    "$work/log")" 1
	rm "$work/log"
else
	skip "what is forbidden is named in the log" "no such filter here"
fi
is "an empty /dev: a login" "$(echo secret | unshare -m sh -c \
    'mount -t tmpfs none /dev && exec "$@"' - "$BUILDDIR/tests/pam/try" \
    /etc/pam.d std alice auth account | tr '\n' '/')" \
    "${P}auth=0/account=0/"
is "a killed helper is named in the log" \
    "$(printf '#!/bin/sh\nkill -9 $$\n' >"$update"
    echo secret | daemon_log "$work/log" "$BUILDDIR/tests/pam/try" /etc/pam.d \
    std alice auth >/dev/null; sed -n 's/.*lyra2_update \(.*\)/\1/p' "$work/log"
    rm "$work/log")" "ended early: signal 9"
cat "$work/update" >"$update"
cat >"$work/reap.py" <<'PY'
# An application whose handler reaps every child, and that has no descriptors
# 1 and 2 to spare for others.
import ctypes, os, signal, sys
def reap(*_):
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
pam = ctypes.CDLL("libpam.so.0")
message = ctypes.POINTER(ctypes.c_void_p)
libc = ctypes.CDLL(None)
libc.calloc.restype = ctypes.c_void_p
libc.strdup.restype = ctypes.c_void_p
class Response(ctypes.Structure):
    _fields_ = [("resp", ctypes.c_void_p), ("code", ctypes.c_int)]
@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, message,
                  ctypes.POINTER(ctypes.POINTER(Response)), ctypes.c_void_p)
def converse(n, _, out, __):
    answers = ctypes.cast(libc.calloc(n, ctypes.sizeof(Response)),
                          ctypes.POINTER(Response))
    answers[0].resp = libc.strdup(b"secret")
    out[0] = answers
    return 0
class Conv(ctypes.Structure):
    _fields_ = [("conv", type(converse)), ("arg", ctypes.c_void_p)]
signal.signal(signal.SIGCHLD, reap)
handle = ctypes.c_void_p()
conv = Conv(converse, None)
pam.pam_start_confdir(b"std", b"alice", ctypes.byref(conv), b"/etc/pam.d",
                      ctypes.byref(handle))
for fd in 0, 1, 2:
    os.close(fd)
os._exit(pam.pam_authenticate(handle, 0))
PY
ok "the application reaps all, and has closed 0, 1 and 2" \
    python3 "$work/reap.py"

# ---- a libcrypt that is newer than the module ----
cat >"$work/newer.c" <<'C'
#define _GNU_SOURCE
#include <crypt.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int crypt_checksalt(const char *setting)
{
	int (*real)(const char *) =
		(int (*)(const char *))dlsym(RTLD_NEXT, "crypt_checksalt");

	return strncmp(setting, "$newer$", 7) == 0 ? 0 : real(setting);
}

char *crypt_rn(const char *password, const char *setting, void *data, int size)
{
	char *(*real)(const char *, const char *, void *, int) =
		(char *(*)(const char *, const char *, void *, int))
		dlsym(RTLD_NEXT, "crypt_rn");

	if (strncmp(setting, "$newer$", 7) != 0)
		return real(password, setting, data, size);
	snprintf(data, (size_t)size, "$newer$%s", password);
	return data;
}

/* It prefers bcrypt. */
char *crypt_gensalt_rn(const char *prefix, unsigned long cost,
		       const char *random, int n, char *out, int size)
{
	char *(*real)(const char *, unsigned long, const char *, int, char *,
		      int) = (char *(*)(const char *, unsigned long,
		      const char *, int, char *, int))
		dlsym(RTLD_NEXT, "crypt_gensalt_rn");

	return real(prefix ? prefix : "$2b$", cost, random, n, out, size);
}
C
if preload newer; then
	user modern '$newer$secret' 18000:0:100:7:::
	cp "$chkpwd" "$work/chkpwd"
	mode=$(stat -c %a "$chkpwd")
	chmod g-s "$work/chkpwd"
	for helper in update chkpwd; do
		printf '#!/bin/sh\nLD_PRELOAD=%s exec %s\n' \
		    "$work/newer.so" "$work/$helper" \
		    >"$prefix/sbin/lyra2_$helper"
	done
	is "a method that only libcrypt knows: wrong, right, a new password" \
	    "$(echo wrong | try std modern auth
	    echo secret | try std modern auth)" "${P}auth=7/${P}auth=0/"
	is "it stays, as its cost is not known" "$(stored modern)" \
	    '$newer$secret'
	is "until its user changes it" \
	    "$(printf '%s\n' secret Zebra-5319x Zebra-5319x |
	    try std modern passwd:e | grep -o '[a-z:]*=[0-9]*')" passwd:e=0
	is "to ours" "$(stored modern | cut -c1-7)" '$lyra2$'
	service to-preferred method=system
	for bytes in 72 73; do
		long=$(printf "%0${bytes}d" 0)
		user "long$bytes" "$(hash '$6$salt$' "$long")"
		for to in std to-preferred; do
			is "$bytes bytes: login, $to" \
			    "$(echo "$long" | try $to "long$bytes" auth)" \
			    "${P}auth=0/"
			wait_for there_are 0 lyra2_update
		done
	done
	is "72 bytes: to the preferred method" \
	    "$(stored long72 | cut -c1-4)" '$2b$'
	is "73 bytes: bcrypt would look at 72 of them" \
	    "$(stored long73 | cut -c1-7)" '$lyra2$'
	cat "$work/update" >"$update"
	cat "$work/chkpwd" >"$chkpwd"
	chmod "$mode" "$chkpwd"
else
	skip "a method that only libcrypt knows" "$CC fails"
fi

# ---- errors are not unknown users ----
if strace -o /dev/null true 2>/dev/null; then
	# The second time it is read to see where the hash is.
	for call in openat read; do
		is "whose hash is where, $call fails" \
		    "$("$ask" "$OP_SET" 4 "$conf" alice '' newone strace -qq \
		    -o "$work/trace" -P /etc/passwd -e \
		    "inject=$call:error=EIO:when=2" "$update" |
		    grep '^verdict')" "verdict 4 "
	done
	for fault in EMFILE EIO EACCES; do
		is "/etc/passwd cannot be opened: $fault" \
		    "$("$ask" "$OP_VERIFY" 0 "$conf" alice secret '' strace \
		    -qq -o "$work/trace" -P /etc/passwd -e \
		    inject=openat:error=$fault "$chkpwd" | grep '^verdict')" \
		    "verdict 9 "
	done
else
	skip "errors of the name service" "strace may not trace here"
fi

# ---- what they refuse ----
fails "no argument is taken" timeout 2 "$chkpwd" alice
fails "a terminal or a file is no module" timeout 2 "$update" </dev/null
python3 - "$chkpwd" <<'PY' >"$work/closed" 2>&1 || true
import os, socket, subprocess, sys
a, b = socket.socketpair()
p = subprocess.Popen([sys.argv[1]], stdin=b)
b.close()
a.send(b"\xff\xff\xff\xff" * 100)
a.shutdown(socket.SHUT_WR)
p.wait(5)
print("ended", p.returncode)
print("told", b"restart this service" in a.recv(4096))
PY
is "garbage is no request, and says so" \
    "$(tr '\n' ' ' <"$work/closed")" "ended 0 told True "
cp /etc/shadow "$work/before"
is "lyra2_chkpwd sets no password" \
    "$("$ask" "$OP_SET" 4 "$conf" alice secret new "$chkpwd")" "end 0 "
ok "nothing was set" cmp /etc/shadow "$work/before"
is "parameters beyond every limit are refused" \
    "$(ASK=costly timeout 20 "$ask" "$OP_VERIFY" 0 "$conf" alice wrong '' \
    "$chkpwd" | sed 's/: .*//')" \
    "log 3 parameters refused by the helper
end 0 "

# ---- entries of odd sizes ----
# verdict USER: on the password "secret"
verdict()
{
	"$ask" "$OP_VERIFY" 0 "$conf" "$1" secret '' "$chkpwd" |
	    grep '^verdict'
}
user long "$sha$(printf '%0500d' 0)"
is "a hash of 600 characters cannot be read" "$(verdict long)" "verdict 9 "
cp -p /etc/shadow "$work/before"
python3 -c 'print("large:*" + "x" * 5000 + ":1::::::")' >/etc/shadow
cat "$work/before" >>/etc/shadow
is "an entry behind one of 5,000 characters can" "$(verdict alice)" \
    "verdict 0 "
python3 -c 'print("huge:*" + "x" * (17 << 20) + ":1::::::")' >/etc/shadow
cat "$work/before" >>/etc/shadow
is "nor an entry behind one of 17 MiB" "$(verdict alice)" "verdict 9 "
cp -p "$work/before" /etc/shadow

# ---- who may ask about which user ----
if ! setpriv --reuid 1 --clear-groups true 2>/dev/null; then
	skip "who may ask about which user" "this namespace has one user ID"
	tap_done
fi
user bob "$(hash '$6$salt$' bobs)"
user blank ''
alice=$(awk -F: '/^alice:/ { print $3 }' /etc/passwd)
twin=$alice
sed "s/^alice:/twin:/;s/:1001:/:$alice:/" /etc/passwd | grep '^twin:' \
    >"$work/twin"
cat "$work/twin" >>/etc/passwd
echo "twin:$sha:19000::::::" >>/etc/shadow

# asks UID USER PASSWORD [OP]: the verdict
asks()
{
	setpriv --reuid "$1" --regid 100 --clear-groups \
	    "$ask" "${4:-$OP_VERIFY}" 1 "$conf" "$2" "$3" new "$chkpwd" |
	    grep '^verdict'
}
long=$(printf '%0300d' 0)
is "the own password, right" "$(asks "$alice" alice secret)" "verdict 0 "
is "the own password, wrong" "$(asks "$alice" alice wrong)" "verdict 7 "
is "another, right" "$(asks "$alice" bob bobs)" "verdict 9 "
is "another, wrong" "$(asks "$alice" bob wrong)" "verdict 9 "
is "root" "$(asks "$alice" root x)" "verdict 9 "
is "a second name of the same ID" "$(asks "$twin" twin secret)" "verdict 9 "
is "nobody of that name" "$(asks "$alice" nobody-here x)" "verdict 10 "
is "a name of 300 characters" "$(asks "$alice" "$long" x)" "verdict 10 "
is "an ID without a name" "$(asks 12345 alice secret)" "verdict 9 "
is "whether another's password is blank" \
    "$(asks "$alice" blank '' "$OP_BLANK")" "verdict 9 "
is "another's blank password" "$(asks "$alice" blank '')" "verdict 9 "
is "another's account" "$(asks "$alice" bob '' "$OP_ACCOUNT")" "verdict 9 "
daemon_log "$work/forged" setpriv --reuid "$alice" --regid 100 --clear-groups \
    "$ask" 1 0 "$conf" 'root) x=(forged' x '' "$chkpwd" >/dev/null
is "what it logs has no name that only the caller gave" \
    "$(sed 's/.*: //' "$work/forged")" \
    "password check of another user refused [UID=$alice]"
is "one's own account" "$(asks "$alice" alice '' "$OP_ACCOUNT")" "verdict 0 "
is "root may ask for all" "$("$ask" 1 0 "$conf" bob bobs '' "$chkpwd")" \
    "verdict 0 
end 0 "
fails "lyra2_update answers nobody but root" setpriv --reuid "$alice" \
    --regid 100 --clear-groups "$ask" 1 0 "$conf" alice secret '' "$update"

# ---- services that are not root, but can read /etc/shadow ----
# reads WHAT OPTIONS WORD RESULT: as alice, with these options of setpriv
reads()
{
	# shellcheck disable=SC2086	# options
	is "can read the file: $1" "$(echo "$3" | setpriv --reuid "$alice" \
	    --regid 100 $2 "$BUILDDIR/tests/pam/try" /etc/pam.d std bob auth |
	    tr '\n' '/')" "${P}auth=$4/"
}
reads "its group" "--groups 42" bobs 0
reads "its group, a wrong password" "--groups 42" wrong 7
reads "a capability" "--clear-groups --inh-caps +dac_read_search \
    --ambient-caps +dac_read_search" bobs 0
reads "nobody else" --clear-groups bobs 9
cat >"$work/given.py" <<'PY'
# Descriptor 3 is a file, opened by root; what follows is not root's.
import os, sys
path, mode, command = sys.argv[1], sys.argv[2], sys.argv[3:]
fd = os.open(path, getattr(os, mode))
os.dup2(fd, 63)
os.dup2(63, 3)
os.execvp(command[0], command)
PY
cp -p /etc/shadow /etc/copy
# given PATH MODE: what alice hears about bob from a helper that has this
given()
{
	setpriv --reuid "$alice" --regid 100 --clear-groups true &&
	    "$ask" "$OP_VERIFY" 0 "$conf" bob bobs '' python3 \
	    "$work/given.py" "$@" setpriv --reuid "$alice" --regid 100 \
	    --clear-groups "$chkpwd" | grep '^verdict'
}
is "given the file, to read" "$(given /etc/shadow O_RDONLY)" "verdict 0 "
is "to write only" "$(given /etc/shadow O_WRONLY)" "verdict 9 "
is "by its path only" "$(given /etc/shadow O_PATH)" "verdict 9 "
is "a copy of it" "$(given /etc/copy O_RDONLY)" "verdict 9 "
rm /etc/copy

# ---- a screen locker: verifies its user, writes nothing, says little ----
sed -i "s,^alice:[^:]*,alice:$sha," /etc/shadow
cp /etc/shadow "$work/before"
daemon_log "$work/log" sh -c "echo secret | '$BUILDDIR/tests/pam/try' \
    /etc/pam.d std alice uid:$alice auth account" >"$work/out"
is "the locker's own user" "$(tr '\n' '/' <"$work/out")" \
    "${P}auth=0/account=0/"
ok "no rehash" cmp /etc/shadow "$work/before"
is "one line in the log" "$(sed 's/\[[0-9]*\]//' "$work/log")" \
    "<86> lyra2_chkpwd: password check passed for user (alice) [UID=$alice]"
is "the locker cannot ask for another" \
    "$(echo bobs | try std bob "uid:$alice" auth)" "${P}auth=9/"
is "set-user-ID programs of root ask for all, and rehash" \
    "$(echo bobs | try std bob "euid:$alice" auth)" "${P}auth=0/"
is "that was a rehash" "$(stored bob | cut -c1-7)" '$lyra2$'

# ---- privileges are given up before any hash is computed, for good ----
# A set-user-ID helper, as RPM distributions have it, is root until then.
sed -i "s,^alice:[^:]*,alice:\$5\$rounds=5000000\$salt\$x," /etc/shadow
for mode in 2755 4755; do
	chmod "$mode" "$chkpwd"
	prlimit --cpu=100 setpriv --reuid "$alice" --regid 100 --clear-groups \
	    "$ask" 1 0 "$conf" alice secret '' "$chkpwd" >/dev/null &
	# It has to last until it has been looked at.
	ok "$mode: it hashes" wait_for computes lyra2_chkpwd
	pid=$(alive lyra2_chkpwd)
	kill -STOP "$pid"
	is "$mode: group IDs while it hashes" \
	    "$(awk '/^Gid:/ { print $2, $3, $4, $5 }' "/proc/$pid/status")" \
	    "100 100 100 100"
	is "$mode: user IDs while it hashes" \
	    "$(awk '/^Uid:/ { print $2, $3, $4, $5 }' "/proc/$pid/status")" \
	    "$alice $alice $alice $alice"
	if prlimit --cpu=100 prlimit --cpu=101 true 2>/dev/null; then
		is "$mode: the caller's limits stay" \
		    "$(awk '/^Max cpu time/ { print $4, $5 }' \
		    "/proc/$pid/limits")" "100 100"
	else
		skip "$mode: the caller's limits" \
		    "root may not raise limits here"
	fi
	kill -KILL "$pid"
	wait
done
rm -r "$work"
tap_done
