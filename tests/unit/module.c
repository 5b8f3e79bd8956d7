/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The module with a service, with another one, with a silent one and without
 * any.  Then each of the module's calls to the system fails once.
 *
 * The module's files are compiled in, and this file has the system's functions
 * that they call: see module.h.  Time passes only while they wait.  A script
 * lists, in words, what comes from each connection:
 *
 *	hello		a correct hello; other, cut, elsewhere: a wrong one
 *	queued working wait9 log again 0	replies; a number is a result
 *	-		silence for a second; ... for ever
 *	+queued +working	this reply each second, for ever
 *	/		the end; then the words of the next connection.  At the
 *			end of the script, the last connection is repeated
 *	no-EXAMPLE	connect(2) fails, with the error in errors[]
 *	user's		the socket belongs to a user
 *	0 5 - ...	from lyra2_chkpwd: seconds to wait; then it ends
 *
 * The test notes the module's actions in words, too; ~5000: it took 5 seconds.
 */
#include "module.h"

#include <errno.h>
#include <pthread.h>
#include <pwd.h>
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <security/pam_modutil.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/un.h>
#include <syslog.h>

#include "check-main.h"
#include "pam/module/ask.h"
#include "pam/module/link.h"
#include "pam/module/phases.h"
#include "pam/module/spawn.h"
#include "pam/protocol/clock.h"
#include "say.h"
#include "src/config/paths.h"

#define COUNT(table) (int)(sizeof(table) / sizeof((table)[0]))
#define FILES 64
#define CHILD 77
#define ETC_INO 5
#define PASSWORD "correct horse battery staple"

/* ---- the application and its surroundings ---- */
static struct {
	uid_t uid, euid;
	const char *ruser, *rhost, *tty;
} who;
static const char *next;	/* the rest of the script */
/*
 * The script of "lyra2d --once"; NULL: there is none.  Or lyra2_chkpwd's words.
 */
static const char *once;
static int exit_code;		/* of a started program; -1: it hangs */
#define KILLED 256		/* in place of that code */
static int64_t now;
static sigjmp_buf out;

/* The call that fails, by number; see module_survives(). */
static struct {
	int nth, error, calls;
	const char *call;
} fault;

static bool fails(const char *call)
{
	if (++fault.calls != fault.nth)
		return false;
	fault.call = call;
	errno = fault.error;
	return true;
}

/* ---- descriptors ---- */
static struct file {
	bool open, connected, users, limited, ours, chkpwd;
	const char *script;	/* the packets that come */
	int64_t until;		/* no packet comes before this time */
	ino_t ino;
} files[FILES];
static ino_t serial = 100;
static struct file *program;	/* its end of the pair, if one is started */
static int room = FILES;
static int lowest = 3;

static int open_file(void)
{
	int fd = lowest;

	while (files[fd].open)
		fd++;
	ck_assert_int_lt(fd, FILES);
	files[fd] = (struct file){ .open = true, .ino = serial++ };
	return fd;
}

static struct file *file(int fd)
{
	ck_assert(fd >= lowest && fd < FILES && files[fd].open);
	return &files[fd];
}

static int count_files(void)
{
	int fd, n = 0;

	for (fd = 0; fd < FILES; fd++)
		n += files[fd].open;
	return n;
}

int socket(int domain, int type, int protocol)
{
	ck_assert(domain == AF_UNIX && protocol == 0 && type & SOCK_CLOEXEC);
	errno = EMFILE;
	return count_files() == room || fails("socket") ? -1 : open_file();
}

int close(int fd)
{
	file(fd)->open = false;
	return fails("close") ? -1 : 0;
}

int setsockopt(int fd, int level, int name, const void *p, socklen_t len)
{
	const struct timeval *limit = p;

	ck_assert(level == SOL_SOCKET && name == SO_SNDTIMEO);
	ck_assert(len == sizeof(*limit) && limit->tv_sec == 5);
	if (fails("setsockopt"))
		return -1;
	file(fd)->limited = true;
	return 0;
}

static const struct {
	const char *word;
	int error;
} errors[] = {
	{ "no-file", ENOENT }, { "no-folder", ENOTDIR },
	{ "no-listener", ECONNREFUSED }, { "no-right", EACCES },
	{ "no-time", EINTR }, { "no-room", EAGAIN }, { "no-memory", ENOMEM },
	{ "no-right-still", EACCES },	/* even if faccessat(2) permits it */
};

static bool takes(const char **script, const char *word)
{
	const size_t len = strlen(word);

	if (strncmp(*script, word, len) != 0 || (*script)[len] > ' ')
		return false;
	*script += len + ((*script)[len] == ' ');
	return true;
}

int connect(int fd, const struct sockaddr *a, socklen_t len)
{
	const struct sockaddr_un *un = (const void *)a;
	const char *end = strchr(next, '/');
	struct file *f = file(fd);
	int i;

	ck_assert(len == sizeof(*un));
	ck_assert_str_eq(un->sun_path, "/run/lyra2/socket");
	if (fails("connect"))
		return -1;
	f->script = next;
	for (i = 0; i < COUNT(errors); i++)
		if (takes(&f->script, errors[i].word))
			break;
	if (end && end[1])
		next = end + 2;
	if (i == COUNT(errors)) {
		f->users = takes(&f->script, "user's");
		f->connected = true;
		say("connect ");
		return 0;
	}
	errno = errors[i].error;
	if (errno == EAGAIN) {	/* without a limit it would wait for ever */
		ck_assert(f->limited);
		now += 5000;
	}
	return -1;
}

int getsockopt(int fd, int level, int name, void *p, socklen_t *len)
{
	struct ucred *cred = p;

	ck_assert(level == SOL_SOCKET && name == SO_PEERCRED);
	ck_assert(*len == sizeof(*cred));
	if (fails("getsockopt"))
		return -1;
	cred->uid = file(fd)->users ? 1001 : 0;
	return 0;
}

int seam_fstat(int fd, struct stat *st)
{
	errno = EBADF;
	if (fd < 0 || !files[fd].open || fails("fstat"))
		return -1;
	*st = (struct stat){ .st_mode = S_IFSOCK, .st_ino = files[fd].ino };
	return 0;
}

int seam_stat(const char *path, struct stat *st)
{
	ck_assert_str_eq(path, "/etc");
	if (fails("stat"))
		return -1;
	*st = (struct stat){ .st_ino = ETC_INO };
	return 0;
}

/* Time passes until a packet comes, or for ms. */
int poll(struct pollfd *p, nfds_t n, int ms)
{
	struct file *f = file(p->fd);

	ck_assert(n == 1 && p->events == POLLIN && ms >= 0);
	if (fails("poll"))
		return -1;
	if (takes(&f->script, "-") || *f->script == '+')
		f->until = now + 1000;
	if (takes(&f->script, "..."))
		f->until = INT64_MAX;
	if (f->until <= now + ms) {
		now = f->until > now ? f->until : now;
		return 1;
	}
	now += ms;
	return 0;
}

static void put_reply(struct wire *w, uint32_t kind, int number)
{
	wire_put_u32(w, kind);
	wire_put_u32(w, (uint32_t)number);
	wire_put_text(w, kind == REPLY_LOG ? "text" : "", 1000);
}

static void put_hello(struct wire *w, uint32_t protocol, uint64_t ino)
{
	wire_put_u32(w, protocol);
	wire_put_u64(w, 0);
	wire_put_u64(w, ino);
	wire_put_u32(w, 6);
	wire_put_u32(w, 511);
}

/* Takes the next packet of a script; returns false at its end. */
static bool packet(struct file *f, struct wire *w)
{
	static const char *const words[] = {
		"queued", "working", "log", "", "again"
	};
	char *rest;
	long n;
	int i;

	wire_put_u32(w, takes(&f->script, "not-ours") ? 1 : 0x4c324431);
	if (*f->script == '\0' || *f->script == '/')
		return false;
	if (*f->script == '+')	/* without end */
		return put_reply(w, f->script[1] == 'q' ? REPLY_QUEUED :
				 REPLY_WORKING, 1), true;
	if (takes(&f->script, "hello"))
		return put_hello(w, LYRA2D_PROTOCOL, ETC_INO), true;
	if (takes(&f->script, "other"))
		return put_hello(w, LYRA2D_PROTOCOL + 1, ETC_INO), true;
	if (takes(&f->script, "elsewhere"))
		return put_hello(w, LYRA2D_PROTOCOL, ETC_INO + 1), true;
	if (takes(&f->script, "cut"))
		return true;
	for (i = 0; i < COUNT(words); i++)
		if (takes(&f->script, words[i]))
			return put_reply(w, REPLY_QUEUED + (uint32_t)i, i == 2 ?
					 LOG_ERR : 1), true;
	if (strncmp(f->script, "wait", 4) == 0) {
		n = strtol(f->script + 4, &rest, 10);
		put_reply(w, REPLY_WAIT, (int)n);
	} else {
		n = strtol(f->script, &rest, 10);
		put_reply(w, REPLY_VERDICT, (int)n);
	}
	ck_assert_ptr_ne(rest, f->script);
	f->script = rest + (*rest == ' ');
	return true;
}

/* Takes the first word of lyra2_chkpwd that has come. */
static ssize_t recv_word(struct file *f, unsigned char *p)
{
	char *rest;
	long n;

	errno = EAGAIN;
	if (f->until > now || strcmp(f->script, "...") == 0)
		return -1;
	if (takes(&f->script, "-")) {
		f->until = now + 1000;
		return -1;
	}
	n = strtol(f->script, &rest, 10);
	if (rest == f->script)
		return -1;
	f->script = rest + (*rest == ' ');
	*p = (unsigned char)n;
	return 1;
}

ssize_t recv(int fd, void *p, size_t len, int flags)
{
	struct file *f = file(fd);
	struct wire w = { 0 };

	if (f->chkpwd) {
		ck_assert(len == 1 && flags == MSG_DONTWAIT);
		return fails("recv") ? -1 : recv_word(f, p);
	}
	ck_assert(len == WIRE_MAX && flags == MSG_TRUNC);
	ck_assert_int_le(f->until, now);
	if (fails("recv"))
		return -1;
	if (!packet(f, &w))
		return 0;
	memcpy(p, w.buf, w.len);
	return (ssize_t)w.len;
}

static struct request asked;

/* Header, secret and what the module tells differ in length. */
ssize_t send(int fd, const void *p, size_t len, int flags)
{
	const struct file *f = file(fd);
	struct wire w = { .len = len, .pos = 12 };

	if (f->chkpwd) {
		ck_assert(len == sizeof(PASSWORD) && flags == MSG_DONTWAIT);
		ck_assert(memcmp(p, PASSWORD, len) == 0);
		return fails("send") ? -1 : (ssize_t)len;
	}
	ck_assert(flags & MSG_NOSIGNAL && len <= sizeof(w.buf));
	ck_assert(f->limited && !f->users && (f->connected || f->ours));
	if (fails("send"))
		return -1;
	memcpy(w.buf, p, len);
	if (len == 8) {
		ck_assert(flags & MSG_DONTWAIT);
		say("%s ", w.buf[4] == TELL_GOT ? "got" : "free");
	} else if (memmem(p, len, PASSWORD, strlen(PASSWORD))) {
		say("secret ");
	} else {
		asked.op = w.buf[8];
		asked.flags = wire_get_u32(&w);
		asked.caller = wire_get_u32(&w);
		wire_get_text(&w, asked.user, sizeof(asked.user));
		wire_get_text(&w, asked.rhost, sizeof(asked.rhost));
		wire_get_text(&w, asked.tty, sizeof(asked.tty));
		ck_assert(wire_complete(&w));
		say("ask%u ", asked.op);
	}
	return (ssize_t)len;
}

/* The pair for "lyra2d --once" has packets, that for lyra2_chkpwd bytes. */
int socketpair(int domain, int type, int protocol, int pair[2])
{
	const bool chkpwd = who.euid != 0;

	ck_assert(domain == AF_UNIX && protocol == 0);
	ck_assert_int_eq(type, SOCK_CLOEXEC |
			 (chkpwd ? SOCK_STREAM : SOCK_SEQPACKET));
	if (fails("socketpair"))
		return -1;
	pair[0] = open_file();
	pair[1] = open_file();
	program = file(pair[chkpwd]);
	*(chkpwd ? &program->chkpwd : &program->ours) = true;
	program->script = once ? once : "";
	return 0;
}

/* Tells if the next connection may be made. */
int faccessat(int dir, const char *path, int mode, int flags)
{
	ck_assert(dir == AT_FDCWD && mode == W_OK && flags == AT_EACCESS);
	ck_assert_str_eq(path, "/run/lyra2/socket");
	errno = EACCES;
	return fails("faccessat") || strcmp(next, "no-right") == 0 ? -1 : 0;
}

/* ---- processes ---- */
static bool blocked;
static int mask_error;

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	ck_assert(how == SIG_SETMASK && !old == blocked);
	ck_assert_int_eq(sigismember(set, SIGCHLD), !blocked);
	ck_assert_int_eq(sigismember(set, SIGALRM), !blocked);
	if (old)
		sigemptyset(old);
	blocked = !blocked;
	return mask_error;
}

/* clone(2) without any flag: the child's end sends no signal. */
static long child;		/* clone(2)'s result; 0: this is the child */
static bool in_between;		/* that child has a child, too */

long syscall(long number, ...)
{
	va_list args;
	int i;

	ck_assert(number == SYS_clone && blocked);
	va_start(args, number);
	for (i = 0; i < 5; i++)
		ck_assert_int_eq(va_arg(args, long), 0);
	va_end(args);
	if (fails("clone"))
		return -1;
	if (child != 0)
		say("start ");
	return child;
}

/* Returns true if lyra2_chkpwd has more words. */
static bool is_talking(void)
{
	return program->chkpwd &&
		(*program->script || program->until > now);
}

pid_t waitpid(pid_t pid, int *status, int flags)
{
	if (pid == CHILD + 1) {
		ck_assert_int_eq(flags, 0);
		*status = exit_code;
		return exit_code < 0 ? -1 : pid;
	}
	ck_assert(pid == CHILD);
	ck_assert_int_eq(flags, WNOHANG | (int)__WCLONE);
	if (fails("waitpid"))
		return -1;
	if (exit_code < 0 || is_talking())
		return 0;
	*status = exit_code == KILLED ? SIGKILL : exit_code << 8;
	return pid;
}

int kill(pid_t pid, int sig)
{
	ck_assert(pid == CHILD && sig == SIGKILL);
	say("kill ");
	return 0;
}

void _exit(int code)
{
	say("exit%d ", code);
	siglongjmp(out, 1);
}

void (*signal(int sig, void (*action)(int)))(int)
{
	ck_assert(sig == SIGCHLD && action == SIG_DFL);
	say("default ");
	return action;
}

pid_t vfork(void)
{
	errno = EAGAIN;
	return exit_code == 99 ? -1 : in_between ? CHILD + 1 : 0;
}

int dup2(int from, int to)
{
	(void)file(from);
	ck_assert_int_eq(to, STDIN_FILENO);
	if (fails("dup2"))
		return -1;
	say("input ");
	return to;
}

int seam_fcntl(int fd, int command, int argument)
{
	ck_assert_int_eq(argument, 0);
	if (command == F_DUPFD_CLOEXEC && file(fd))
		return socket(AF_UNIX, SOCK_CLOEXEC, 0);
	ck_assert(fd == STDIN_FILENO && command == F_SETFD);
	if (fails("fcntl"))
		return -1;
	say("inherited ");
	return 0;
}

int close_range(unsigned from, unsigned to, int flags)
{
	ck_assert(from == 1 && to == ~0U && flags == 0);
	say("close-all ");
	return 0;
}

pid_t setsid(void)
{
	say("session ");
	return 1;
}

int execve(const char *path, char *const argv[], char *const environment[])
{
	ck_assert_ptr_null(environment[0]);
	say("%s", path);
	while (*argv)
		say(" %s", *argv++);
	siglongjmp(out, 1);
}

/* ---- the rest of the system ---- */
static rlim_t file_size;

int seam_getrlimit(struct rlimit *limit)
{
	limit->rlim_cur = file_size;
	return fails("getrlimit") ? -1 : 0;
}

uid_t getuid(void)
{
	return who.uid;
}

uid_t geteuid(void)
{
	return who.euid;
}

int gethostname(char *name, size_t len)
{
	if (fails("gethostname"))
		return -1;
	snprintf(name, len, "here");
	return 0;
}

int64_t clock_ms(void)
{
	return now;
}

int nanosleep(const struct timespec *t, struct timespec *left)
{
	ck_assert(!left && t->tv_sec == 0);
	now += t->tv_nsec < 1000000 ? 1 : t->tv_nsec / 1000000;
	return 0;
}

void *calloc(size_t n, size_t size)
{
	void *p = fails("calloc") ? NULL : malloc(n * size);

	return p ? memset(p, 0, n * size) : NULL;
}

/* ---- libpam ---- */
static struct datum {
	char key[64];
	void *data;
	void (*end)(pam_handle_t *, void *, int);
} data[8];
static pam_handle_t *const handle = (void *)data;

static struct datum *datum(const char *key)
{
	struct datum *d = data;

	while (d->key[0] && strcmp(d->key, key) != 0)
		d++;
	ck_assert(d < data + COUNT(data));
	return d;
}

int pam_set_data(pam_handle_t *pamh, const char *key, void *p,
		 void (*end)(pam_handle_t *, void *, int))
{
	struct datum *d = datum(key);

	ck_assert_ptr_eq(pamh, handle);
	if (fails("pam_set_data"))
		return PAM_BUF_ERR;
	if (d->key[0] && d->end)
		d->end(pamh, d->data, PAM_DATA_REPLACE);
	snprintf(d->key, sizeof(d->key), "%s", key);
	d->data = p;
	d->end = end;
	return PAM_SUCCESS;
}

int pam_get_data(const pam_handle_t *pamh, const char *key, const void **p)
{
	const struct datum *d = datum(key);

	ck_assert_ptr_eq(pamh, handle);
	*p = d->data;
	return d->key[0] ? PAM_SUCCESS : PAM_NO_MODULE_DATA;
}

/* Acts as pam_end(3), with the last status of the application. */
static void pam_ends(int status)
{
	struct datum *d;

	for (d = data; d < data + COUNT(data); d++)
		if (d->key[0] && d->end)
			d->end(handle, d->data, status);
	memset(data, 0, sizeof(data));
}

int pam_get_item(const pam_handle_t *pamh, int type, const void **item)
{
	ck_assert_ptr_eq(pamh, handle);
	*item = type == PAM_RUSER ? who.ruser : type == PAM_RHOST ? who.rhost :
		type == PAM_TTY ? who.tty : NULL;
	return PAM_SUCCESS;
}

/* Notes the message's format string up to a length, and the user it names. */
void pam_syslog(const pam_handle_t *pamh, int priority, const char *format,
		...)
{
	va_list args;
	const int error = errno;
	char line[512];
	const char *user;

	ck_assert_ptr_eq(pamh, handle);
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	user = strstr(line, " user=");
	say("{%d %.24s%s", priority, format, user ? user : "");
	if (strstr(format, "%m"))
		say(", errno %d", error);
	say("} ");
}

int pam_prompt(pam_handle_t *pamh, int style, char **answer,
	       const char *format, ...)
{
	va_list args;
	char line[256];

	ck_assert(pamh == handle && style == PAM_TEXT_INFO && !answer);
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	say("[%s] ", line);
	return PAM_SUCCESS;
}

struct passwd *pam_modutil_getpwnam(pam_handle_t *pamh, const char *name)
{
	static struct passwd ann = { .pw_uid = 1001 };
	static struct passwd root = { .pw_uid = 0 };

	ck_assert_ptr_eq(pamh, handle);
	return strcmp(name, "ann") == 0 ? &ann :
		strcmp(name, "root") == 0 ? &root : NULL;
}

const char *pam_modutil_getlogin(pam_handle_t *pamh)
{
	ck_assert_ptr_eq(pamh, handle);
	return fails("getlogin") ? NULL : "ann";
}

int pam_fail_delay(pam_handle_t *pamh, unsigned us)
{
	ck_assert_ptr_eq(pamh, handle);
	say("delay%u ", us);
	return PAM_SUCCESS;
}

/* ---- requests ---- */
#define ROOT 0, 0, NULL
#define SU 1001, 0, NULL
#define SUDO 0, 0, "ann"
#define LOCKER 1001, 1001, NULL
#define UNAVAIL PAM_AUTHINFO_UNAVAIL
#define NO_VERDICT PAM_CRED_UNAVAIL

static const struct row {
	uid_t uid, euid;
	const char *ruser;
	enum op op;
	const char *script, *once;
	int exit_code, code;
	const char *says;
} rows[] = {
	/* a service that answers */
	{ ROOT, OP_VERIFY, "hello queued working 0", NULL, 0, 0,
	  "connect ask1 secret got ~0" },
	{ ROOT, OP_VERIFY, "hello queued - queued - working 7", NULL, 0, 7,
	  "connect ask1 secret got ~2000" },
	{ SU, OP_VERIFY, "hello queued working 0", NULL, 0, 0,
	  "connect ask1 secret got ~0" },
	{ SU, OP_VERIFY, "hello working log 7", NULL, 0, 7,
	  "connect ask1 secret {3 %s} got ~0" },
	{ SUDO, OP_VERIFY, "hello working wait6 - 0", NULL, 0, 0,
	  "connect ask1 secret [Too many failed attempts: please wait 6 "
	  "seconds.] got ~1000" },
	{ SUDO, OP_VERIFY, "hello working wait5 - 0", NULL, 0, 0,
	  "connect ask1 secret got ~1000" },
	{ SU, OP_STATUS, "hello 131072", NULL, 0, 131072, "connect ask2 ~0" },
	{ ROOT, OP_SET, "hello working 0", NULL, 0, 0,
	  "connect ask3 secret got ~0" },
	{ SU, OP_SET, "hello working 20", NULL, 0, 20,
	  "connect ask3 secret got ~0" },
	/* one that ends, or is busy */
	{ ROOT, OP_VERIFY, "hello again / hello working 0", NULL, 0, 0,
	  "connect ask1 secret connect ask1 secret got ~100" },
	{ SU, OP_VERIFY, "hello working / hello working 0", NULL, 0, 0,
	  "connect ask1 secret connect ask1 secret got ~100" },
	{ SU, OP_SET, "hello queued / hello working 0", NULL, 0, 0,
	  "connect ask3 secret connect ask3 secret got ~100" },
	{ SU, OP_SET, "hello working /", NULL, 0, 20,
	  "connect ask3 secret ~0" },
	{ SU, OP_VERIFY, "hello /", NULL, 0, NO_VERDICT,
	  "connect ask1 secret x0301 {3 lyra2d gave no answer} ~30000" },
	{ ROOT, OP_VERIFY, "/", NULL, 0, NO_VERDICT,
	  "connect x0301 {3 lyra2d gave no answer} ~30000" },
	{ ROOT, OP_VERIFY, "no-time / hello 0", NULL, 0, 0,
	  "connect ask1 secret got ~100" },
	/* a silent service: root does without */
	{ SU, OP_VERIFY, "...", NULL, 0, NO_VERDICT,
	  "connect x0006 {3 lyra2d gave no answer} ~30500" },
	{ SU, OP_VERIFY, "hello ...", NULL, 0, NO_VERDICT,
	  "connect ask1 secret x0006 {3 lyra2d gave no answer} ~30500" },
	{ SU, OP_VERIFY, "hello working ...", NULL, 0, NO_VERDICT,
	  "connect ask1 secret {3 lyra2d gave no answer} ~120000" },
	{ SU, OP_VERIFY, "no-room", NULL, 0, NO_VERDICT,
	  "{3 lyra2d gave no answer} ~30500" },
	{ SU, OP_VERIFY, "no-memory", NULL, 0, NO_VERDICT,
	  "{3 lyra2d gave no answer} ~30000" },
	{ SU, OP_VERIFY, "hello +queued", NULL, 0, NO_VERDICT,
	  "connect ask1 secret {3 lyra2d gave no answer} ~120000" },
	{ SU, OP_VERIFY, "hello +working", NULL, 0, NO_VERDICT,
	  "connect ask1 secret {3 lyra2d gave no answer} ~121000" },
	{ SU, OP_VERIFY, "hello working wait3600 +working", NULL, 0, NO_VERDICT,
	  "connect ask1 secret [Too many failed attempts: please wait 3600 "
	  "seconds.] {3 lyra2d gave no answer} ~3720000" },
	{ SU, OP_VERIFY, "hello working wait3601 +working", NULL, 0, NO_VERDICT,
	  "connect ask1 secret {3 lyra2d gave no answer} ~120000" },
	{ SU, OP_VERIFY, "hello working wait-1 +working", NULL, 0, NO_VERDICT,
	  "connect ask1 secret {3 lyra2d gave no answer} ~120000" },
	{ ROOT, OP_VERIFY, "...", "hello 0", 0, 0,
	  "connect start ask1 secret got ~5000" },
	{ ROOT, OP_VERIFY, "hello ...", "hello 7", 0, 7,
	  "connect ask1 secret start ask1 secret got ~5000" },
	{ ROOT, OP_VERIFY, "no-room", "hello 0", 0, 0,
	  "start ask1 secret got ~5000" },
	{ ROOT, OP_VERIFY, "no-memory", "hello 0", 0, 0,
	  "start ask1 secret got ~0" },
	{ ROOT, OP_SET, "hello working ...", "hello 0", 0, 20,
	  "connect ask3 secret ~120000" },
	/* no service, or another program's socket */
	{ ROOT, OP_VERIFY, "no-file", "hello working 0", 0, 0,
	  "start ask1 secret got ~0" },
	{ SU, OP_VERIFY, "no-file", "hello working 7", 0, 7,
	  "start ask1 secret got ~0" },
	{ SU, OP_SET, "no-folder", "hello working 0", 0, 0,
	  "start ask3 secret got ~0" },
	{ SU, OP_STATUS, "no-listener", "hello 131072", 0, 131072,
	  "start ask2 ~0" },
	{ SU, OP_VERIFY, "user's hello 0", "hello 7", 0, 7,
	  "connect start ask1 secret got ~0" },
	{ SU, OP_VERIFY, "other 0", "hello 7", 0, 7,
	  "connect start ask1 secret got ~0" },
	{ SU, OP_VERIFY, "elsewhere 0", "hello 7", 0, 7,
	  "connect start ask1 secret got ~0" },
	{ SU, OP_VERIFY, "cut 0", "hello 7", 0, 7,
	  "connect start ask1 secret got ~0" },
	{ SU, OP_VERIFY, "not-ours hello 0", "hello 7", 0, 7,
	  "connect start ask1 secret got ~0" },
	{ ROOT, OP_VERIFY, "no-right", "hello 7", 0, 7,
	  "start ask1 secret got ~0" },
	{ SU, OP_VERIFY, "no-right", "hello 7", 0, NO_VERDICT,
	  "{3 lyra2d gave no answer} ~30000" },
	/* "lyra2d --once" does not help either */
	{ ROOT, OP_VERIFY, "no-file", NULL, ENOENT, UNAVAIL,
	  "start {2 cannot start %s: %m, errno 2} ~0" },
	{ SU, OP_VERIFY, "no-file", NULL, ENOENT, NO_VERDICT,
	  "start {2 cannot start %s: %m, errno 2} ~0" },
	{ ROOT, OP_VERIFY, "no-file", "other", 0, UNAVAIL,
	  "start {2 pam_lyra2 and %s are of } ~0" },
	{ SU, OP_VERIFY, "no-file", "hello", 0, NO_VERDICT,
	  "start ask1 secret {2 %s --once gave no answer} ~0" },
	{ ROOT, OP_VERIFY, "no-file", "...", 0, UNAVAIL,
	  "start {2 cannot start %s: %m, errno 110} ~5000" },
	{ ROOT, OP_VERIFY, "no-file", "hello working ...", 0, UNAVAIL,
	  "start ask1 secret {2 %s --once gave no answer} ~120000" },
	{ SU, OP_SET, "no-file", "hello working", 0, 20,
	  "start ask3 secret ~0" },
	{ SU, OP_VERIFY, "no-file", "hello 0", -1, NO_VERDICT,
	  "start kill {2 cannot start %s: %m, errno 110} ~6016" },
	/* users' own programs */
	{ LOCKER, OP_VERIFY, "no-right", NULL, 0, 0, "start ~0" },
	{ LOCKER, OP_VERIFY, "no-right", NULL, 7, 7, "start ~0" },
	{ LOCKER, OP_VERIFY, "no-right", NULL, UNAVAIL, UNAVAIL, "start ~0" },
	{ LOCKER, OP_VERIFY, "no-right", NULL, PAM_TRY_AGAIN, NO_VERDICT,
	  "start x0301 {3 lyra2d gave no answer} ~30000" },
	{ LOCKER, OP_VERIFY, "no-right", NULL, -1, NO_VERDICT,
	  "start kill {3 lyra2d gave no answer} ~126016" },
	{ LOCKER, OP_STATUS, "no-right", NULL, 0, UNAVAIL, "~0" },
	{ LOCKER, OP_SET, "no-right", NULL, 0, UNAVAIL, "~0" },
	{ LOCKER, OP_VERIFY, "no-file", "hello 0", 0, UNAVAIL, "~0" },
	{ LOCKER, OP_VERIFY, "hello working 0", NULL, 0, 0,
	  "connect ask1 secret got ~0" },
	/* lyra2_chkpwd tells how long lyra2d waits, and that lyra2d lives */
	{ LOCKER, OP_VERIFY, "no-right", "0 - 6 - ", 7, 7,
	  "start [Too many failed attempts: please wait 6 seconds.] ~2032" },
	{ LOCKER, OP_VERIFY, "no-right", "5 - ", 0, 0, "start ~1008" },
	{ LOCKER, OP_VERIFY, "no-right", "- 0 ...", 0, NO_VERDICT,
	  "start kill {3 lyra2d gave no answer} ~127024" },
	{ LOCKER, OP_VERIFY, "no-right", "- 255 ...", 0, NO_VERDICT,
	  "start [Too many failed attempts: please wait 255 seconds.] kill "
	  "{3 lyra2d gave no answer} ~382016" },
	/*
	 * lyra2_chkpwd has woken the service, whose list lets the user connect
	 * now
	 */
	{ LOCKER, OP_VERIFY, "no-right / hello working 7", NULL, UNAVAIL, 7,
	  "start connect ask1 secret got ~0" },
	{ LOCKER, OP_VERIFY, "no-right / hello working 0", NULL, 7, 7,
	  "start ~0" },
	{ LOCKER, OP_VERIFY, "no-right-still", NULL, UNAVAIL, UNAVAIL,
	  "start start ~0" },
	{ LOCKER, OP_VERIFY, "hello working 9", NULL, 0, UNAVAIL,
	  "connect ask1 secret got ~0" },
	/* its user can kill it: that is no answer */
	{ LOCKER, OP_VERIFY, "no-right", NULL, KILLED, NO_VERDICT,
	  "start x0301 {3 lyra2d gave no answer} ~30000" },
};

static void start(void)
{
	now = 1000;
	file_size = RLIM_INFINITY;
	child = CHILD;
	who.tty = "pts/1";
}

static int ask(const struct row *r, struct secret *secret)
{
	static const struct options o = { .debug = false };
	struct request req = { .op = r->op, .user = "ann" };

	who.uid = r->uid;
	who.euid = r->euid;
	who.ruser = r->ruser;
	next = r->script;
	once = r->once;
	exit_code = r->exit_code;
	strcpy(secret->password, PASSWORD);
	*said = '\0';
	return ask_service(handle, &o, &req,
			   r->op == OP_STATUS ? NULL : secret);
}

/* A word that is told many times is noted once, with its number. */
static void fold(void)
{
	size_t len, n, at;

	for (len = 1; len <= strlen(said) / 3; len++) {
		for (n = 1, at = len; strncmp(said, said + at, len) == 0; n++)
			at += len;
		if (n >= 3 && said[len - 1] == ' ') {
			memmove(said + len + 6, said + at,
				strlen(said + at) + 1);
			snprintf(said + len, 6, "x%04u", (unsigned)n);
			said[len + 5] = ' ';
			return;
		}
	}
}

static bool is_wiped(const struct secret *secret)
{
	static const struct secret none;

	return memcmp(secret, &none, sizeof(none)) == 0;
}

START_TEST(asks)
{
	const struct row *r = &rows[_i];
	struct secret secret = { "", "" };
	const int code = ask(r, &secret);

	say("~%d", (int)now - 1000);
	fold();
	ck_assert_str_eq(said, r->says);
	ck_assert_int_eq(code, r->code);
	ck_assert(r->op == OP_STATUS || is_wiped(&secret));
	ck_assert(!blocked);
	pam_ends(0);
	ck_assert_int_eq(count_files(), 0);
}
END_TEST

/* ---- a call that fails ---- */
/* Whatever call fails, no caller gets PAM_SUCCESS without lyra2d's success. */
static const int swept[] = { 0, 1, 2, 5, 6, 9, 26, 32, 50, 51, 59, 63 };

START_TEST(survives)
{
	static const int kinds[] = { EIO, ENOMEM, EINTR, EMFILE, EPERM };
	const struct row *r = &rows[swept[_i / COUNT(kinds)]];
	struct secret secret;
	int code, wanted;

	fault.error = kinds[_i % COUNT(kinds)];
	do {
		fault.nth++;
		fault.calls = 0;
		fault.call = "";
		memset(&secret, 0, sizeof(secret));
		now = 1000;
		mask_error = 0;
		code = ask(r, &secret);
		wanted = r->code;
		ck_assert_msg(code == wanted || code == UNAVAIL ||
			      code == NO_VERDICT ||
			      (r->op == OP_SET && code == PAM_AUTHTOK_ERR),
			      "%s: %d", fault.call, code);
		ck_assert_msg(r->op == OP_STATUS || is_wiped(&secret), "%s",
			      fault.call);
		ck_assert(!blocked);
		ck_assert_int_lt(now, 130000);
		pam_ends(0);
		/*
		 * Only for a descriptor of the application does fstat(2) fail.
		 */
		ck_assert_msg(count_files() == (strcmp(fault.call, "fstat") ?
						0 : files[3].open), "%s",
			      fault.call);
		files[3].open = false;
	} while (*fault.call);
	ck_assert_int_gt(fault.nth, 5);
}
END_TEST

/* ---- the caller that the module names ---- */
static const struct {
	uid_t uid;
	const char *ruser, *rhost;
	uint32_t caller;
} callers[] = {
	{ 0, "", "", 0 },
	{ 1001, "", "", 1001 },
	{ 1001, "root", "", 1001 },
	{ 0, "ann", "", 1001 },
	{ 0, "root", "", 0 },
	{ 0, "nobody-here", "", UINT32_MAX },
	{ 0, "ann", "far", 0 },
	{ 0, "nobody-here", "far", 0 },
	{ 0, "ann", "here", 1001 },
	{ 0, "ann", "here.example", 1001 },
	{ 0, "ann", "hereafter", 0 },
	{ 0, "ann", "her", 0 },
	{ 0, NULL, NULL, 0 },
};

START_TEST(asks_for)
{
	const struct row r = { callers[_i].uid, 0, callers[_i].ruser, OP_VERIFY,
		"hello working ...", "hello 0", 0, 0, "" };
	struct secret secret = { "", "" };
	const bool user = callers[_i].caller != 0;
	int code;

	who.rhost = callers[_i].rhost;
	code = ask(&r, &secret);
	ck_assert_uint_eq(asked.caller, callers[_i].caller);
	ck_assert_str_eq(asked.rhost, who.rhost ? who.rhost : "");
	ck_assert_str_eq(asked.tty, "pts/1");
	ck_assert_str_eq(asked.user, "ann");
	/*
	 * If lyra2d hangs, only root has another one started: a user may be the
	 * cause.
	 */
	ck_assert_int_eq(code, user ? NO_VERDICT : 0);
}
END_TEST

/* ---- an application that disturbs a link ---- */
static const struct row yes = {
	ROOT, OP_VERIFY, "hello working 0", NULL, 0, 0, ""
};
static const struct row look = {
	ROOT, OP_STATUS, "hello 131072 131072 0", NULL, 0, 131072, ""
};

START_TEST(tells_the_end)
{
	static const struct {
		int status;
		bool frees;
	} ends[] = {
		{ PAM_SUCCESS, true }, { PAM_AUTH_ERR, false },
		{ PAM_DATA_SILENT, true }, { PAM_PERM_DENIED, false },
		{ PAM_AUTH_ERR | PAM_DATA_SILENT, false },
	};
	struct secret secret;

	ask(&yes, &secret);
	pam_ends(ends[_i].status);
	ck_assert_str_eq(said, ends[_i].frees ?
			 "connect ask1 secret got free " :
			 "connect ask1 secret got ");
	ask(&yes, &secret);
	ask_free(handle);
	ck_assert_str_eq(said, "connect ask1 secret got free ");
	ck_assert_int_eq(count_files(), 0);
}
END_TEST

START_TEST(keeps_a_link)
{
	struct row more = look;
	struct secret secret;
	int fd;

	ask(&look, &secret);
	ck_assert_ptr_nonnull(ask_hello(handle));
	ck_assert_uint_eq(ask_hello(handle)->maxlen, 511);
	fd = link_kept(handle)->fd;
	ask(&look, &secret);
	ck_assert_str_eq(said, "ask2 ");
	more.op = OP_VERIFY;
	ck_assert_int_eq(ask(&more, &secret), 0);
	ck_assert_str_eq(said, "ask1 secret got ");
	/* The link has its result: the next request makes a new one. */
	ask(&yes, &secret);
	ck_assert_str_eq(said, "connect ask1 secret got ");
	more.op = OP_SET;
	more.script = yes.script;
	ask(&more, &secret);
	ck_assert_str_eq(said, "connect ask3 secret got ");
	/*
	 * The application has closed the link, and opened another file by its
	 * number.
	 */
	ask_free(handle);
	ask(&look, &secret);
	ck_assert_int_eq(link_kept(handle)->fd, fd);
	files[fd].ino = serial++;
	files[fd].script = "0";
	ask(&yes, &secret);
	ck_assert_str_eq(said, "connect ask1 secret got ");
	ck_assert(files[fd].open);
	files[fd].open = false;
	/* The service was replaced meanwhile: there is no pause. */
	ask_free(handle);
	ask(&look, &secret);
	files[link_kept(handle)->fd].script = "";
	ck_assert_int_eq(ask(&yes, &secret), 0);
	ck_assert_int_eq(now, 1000);
	pam_ends(0);
	ck_assert_int_eq(count_files(), 0);
}
END_TEST

/* The application has closed the link before the end, and has a file there. */
START_TEST(ends_beside_another_file)
{
	struct secret secret;
	int fd;

	ask(&look, &secret);
	fd = link_kept(handle)->fd;
	files[fd].ino = serial++;
	pam_ends(PAM_SUCCESS);
	ck_assert_str_eq(said, "connect ask2 ");
	ck_assert(files[fd].open);
}
END_TEST

/* The application has closed all descriptors. */
START_TEST(has_number_0)
{
	struct secret secret;

	lowest = 0;
	ask(&look, &secret);
	ck_assert_int_eq(link_kept(handle)->fd, 0);
	ask(&look, &secret);
	ck_assert_str_eq(said, "ask2 ");
	ask(&yes, &secret);
	pam_ends(PAM_SUCCESS);
	ck_assert_str_eq(said, "ask1 secret got free ");
	ck_assert_int_eq(count_files(), 0);
}
END_TEST

/* ---- results for the application ---- */
#define DELAY "delay2000000 "
/* The name of an unknown user is not logged: it may be a mistyped password. */
#define UNKNOWN "{5 %s; logname=%s uid=%d eu} "
#define FAILURE "{5 %s; logname=%s uid=%d eu user=ann} "

static const struct {
	const char *script;
	bool before_unix, skip_unix, nodelay;
	int code;
	const char *says;
} verdicts[] = {
	{ "0", false, false, false, 0, DELAY },
	{ "0", false, false, true, 0, "" },
	{ "7", false, false, false, 7, DELAY FAILURE },
	{ "7", false, false, true, 7, FAILURE },
	{ "10", false, false, true, 10,
	  "{5 check pass; user unknown} " UNKNOWN },
	{ "9", false, false, true, 9, FAILURE },
	{ "15", false, false, true, 15, "" },
	/* pam_unix(8) comes next */
	{ "0", true, false, false, 0, DELAY },
	{ "7", true, false, false, 7, "" },
	{ "10", true, true, false, 10, "" },
	{ "9", true, true, false, 9, "" },
	{ "7", true, true, false, 7, DELAY FAILURE },
	{ "15", true, false, false, 15, DELAY },
};

START_TEST(hears)
{
	const struct options o = {
		.before_unix = verdicts[_i].before_unix,
		.skip_unix = verdicts[_i].skip_unix,
		.nodelay = verdicts[_i].nodelay
	};
	char script[64];

	snprintf(script, sizeof(script), "hello %s", verdicts[_i].script);
	next = script;
	ck_assert_int_eq(phases_verify(handle, &o, 0, "ann", PASSWORD),
			 verdicts[_i].code);
	ck_assert(strncmp(said, "connect ask1 secret got ", 24) == 0);
	ck_assert_str_eq(asked.user, "ann");
	ck_assert_str_eq(said + 24, verdicts[_i].says);
}
END_TEST

/* The third wrong password is the last; errors do not count. */
START_TEST(counts)
{
	static const int third[][2] = {
		{ 7, PAM_MAXTRIES }, { 10, PAM_MAXTRIES }, { 9, 9 }, { 15, 15 }
	};
	struct options o = { .nodelay = true };
	char script[64];
	int i, code = 0;

	for (i = 1; i <= 3; i++) {
		ck_assert_int_eq(code, i == 1 ? 0 : third[_i][0]);
		snprintf(script, sizeof(script), "hello %d", third[_i][0]);
		next = script;
		code = phases_verify(handle, &o, 0, "ann", PASSWORD);
	}
	ck_assert_int_eq(code, third[_i][1]);
	o.skip_unix = true;
	next = script;
	ck_assert_int_eq(phases_verify(handle, &o, 0, "ann", PASSWORD),
			 code == PAM_MAXTRIES ? PAM_AUTH_ERR : code);
	*said = '\0';
	pam_ends(PAM_AUTH_ERR);
	ck_assert_str_eq(said, code == 15 ? "" : third[_i][0] == 10 ?
			 UNKNOWN "{5 service(%s) ignoring max} " :
			 FAILURE "{5 service(%s) ignoring max} ");
}
END_TEST

/* A child's copy of the handle ends, too, and the failures are not its own. */
START_TEST(counts_once)
{
	static const int silent[] = { PAM_DATA_SILENT, PAM_DATA_REPLACE };
	const struct options o = { .nodelay = true };
	int i;

	for (i = 0; i < 3; i++) {
		next = "hello 7";
		(void)phases_verify(handle, &o, 0, "ann", PASSWORD);
	}
	*said = '\0';
	pam_ends(PAM_AUTH_ERR | silent[_i]);
	ck_assert_str_eq(said, "");
}
END_TEST

/* A success forgets the failures before it. */
START_TEST(counts_from_a_success)
{
	static const int codes[] = { 7, 7, 0, 7, 7 };
	const struct options o = { .nodelay = true };
	char script[64];
	int i;

	for (i = 0; i < COUNT(codes); i++) {
		snprintf(script, sizeof(script), "hello %d", codes[i]);
		next = script;
		ck_assert_int_eq(phases_verify(handle, &o, 0, "ann", PASSWORD),
				 codes[i]);
	}
}
END_TEST

/* A result without the bits of a status is no status. */
START_TEST(looks_up)
{
	static const int codes[][2] = { { 0, 9 }, { 10, 10 }, { 131072, 0 } };
	const struct options o = { .nullok = true };
	struct status status;
	char script[64];

	snprintf(script, sizeof(script), "hello %d", codes[_i][0]);
	next = script;
	ck_assert_int_eq(phases_status(handle, &o, 0, "ann", &status),
			 codes[_i][1]);
	ck_assert_str_eq(asked.user, "ann");
}
END_TEST

START_TEST(is_silent)
{
	phases_tell(handle, PAM_SILENT, PAM_TEXT_INFO, "x");
	ck_assert_str_eq(said, "");
	phases_tell(handle, PAM_PRELIM_CHECK, PAM_TEXT_INFO, "x");
	ck_assert_str_eq(said, "[x] ");
}
END_TEST

/* ---- limits ---- */
START_TEST(counts_or_asks_nothing)
{
	struct secret secret;
	int code;

	file_size = (1 << 20) - 1;
	ck_assert_int_eq(ask(&yes, &secret), NO_VERDICT);
	ck_assert_str_eq(said, "{3 refusing to verify: RLIM} ");
	ck_assert(is_wiped(&secret));
	ck_assert_int_eq(ask(&look, &secret), 131072);
	pam_ends(0);
	file_size++;
	ck_assert_int_eq(ask(&yes, &secret), 0);
	pam_ends(0);
	for (room = 8; room <= 9; room++) {
		code = room < 9 ? NO_VERDICT : 0;
		ck_assert_int_eq(ask(&yes, &secret), code);
		pam_ends(0);
		ck_assert_int_eq(count_files(), 0);
	}
}
END_TEST

/* ---- programs that the module starts ---- */
static int64_t waits(pam_handle_t *pamh, int seconds)
{
	ck_assert_ptr_eq(pamh, handle);
	return seconds;
}

START_TEST(starts)
{
	static const struct {
		bool answers, in_between;
		int exit_code;
		const char *says;
	} table[] = {
		{ false, false, 0, "input inherited close-all session "
		  PATH_LYRA2D " lyra2d --once" },
		{ true, false, 0, "default input inherited close-all session "
		  PATH_CHKPWD " lyra2_chkpwd ann nullok" },
		{ false, false, 99, "exit11 " },
		{ true, false, 99, "default exit24 " },
		{ false, true, 0, "exit0 " },
		{ true, true, 7 << 8, "default exit7 " },
		{ true, true, SIGKILL, "default exit24 " },
		{ true, true, -1, "default exit24 " },
	};
	const struct request req = {
		.op = OP_VERIFY, .user = "ann", .flags = FLAG_NULLOK
	};
	const struct secret secret = { PASSWORD, "" };

	exit_code = table[_i].exit_code;
	in_between = table[_i].in_between;
	child = 0;
	who.euid = table[_i].answers ? 1001 : 0;
	if (sigsetjmp(out, 0) == 0) {
		if (table[_i].answers)
			spawn_chkpwd(&req, &secret, waits, handle);
		else
			spawn_once(open_file());
	}
	ck_assert_str_eq(said, table[_i].says);
}
END_TEST

/* ---- no copy of the password remains ---- */
static char stack[1 << 18];

static void *verify(void *arg)
{
	const struct options o = { .nullok = true };

	*(int *)arg = phases_verify(handle, &o, 0, "ann", PASSWORD);
	return NULL;
}

START_TEST(wipes)
{
	const struct row *r = &rows[swept[_i]];
	pthread_attr_t attr;
	pthread_t thread;
	int code;

	who.uid = r->uid;
	who.euid = r->euid;
	next = r->script;
	once = r->once;
	exit_code = r->exit_code;
	pthread_attr_init(&attr);
	ck_assert_int_eq(pthread_attr_setstack(&attr, stack, sizeof(stack)),
			 0);
	ck_assert_int_eq(pthread_create(&thread, &attr, verify, &code), 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert_ptr_null(memmem(stack, sizeof(stack), &PASSWORD[3], 8));
	ck_assert_ptr_nonnull(memmem(stack, sizeof(stack), "ann", 3));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("module");
	TCase *c = tcase_create("module");

	tcase_add_checked_fixture(c, start, NULL);
	tcase_add_loop_test(c, asks, 0, COUNT(rows));
	tcase_add_loop_test(c, survives, 0, 5 * COUNT(swept));
	tcase_add_loop_test(c, asks_for, 0, COUNT(callers));
	tcase_add_loop_test(c, tells_the_end, 0, 5);
	tcase_add_test(c, keeps_a_link);
	tcase_add_test(c, ends_beside_another_file);
	tcase_add_test(c, has_number_0);
	tcase_add_loop_test(c, hears, 0, COUNT(verdicts));
	tcase_add_loop_test(c, counts, 0, 4);
	tcase_add_loop_test(c, counts_once, 0, 2);
	tcase_add_test(c, counts_from_a_success);
	tcase_add_loop_test(c, looks_up, 0, 3);
	tcase_add_test(c, is_silent);
	tcase_add_test(c, counts_or_asks_nothing);
	tcase_add_loop_test(c, starts, 0, 8);
	tcase_add_loop_test(c, wipes, 0, COUNT(swept));
	suite_add_tcase(suite, c);
	return check_main(suite);
}
