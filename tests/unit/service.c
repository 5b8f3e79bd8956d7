/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The service as a machine: its input, its output, and when it wakes.
 *
 * The files of pam/service are compiled in, and this file has the functions
 * that they call: see service.h.  Nothing waits.  Each step of a script has two
 * parts.  The first lists what happens before a poll(2) returns:
 *
 *	+r +m7 +h7 +s7	a program connects: of root; of user 7, who is in the
 *			group; of 7, with the group ID; of 7, without rights
 *			unless ask_for_others has 7.  It has 105
 *	2?OP,USER,CALLER,TTY,RHOST	connection 2 sends a header
 *	2! 2- 2% 2~	it sends a secret, its end, an empty packet, nothing
 *	2=K 2=-		its worker says K, one of controls[], or ends
 *	@1000		time passes
 *	term dead2	SIGTERM; SIGCHLD, and the worker of 2 has ended
 *	no-fork fork	a call of switches[] fails from now on; works again
 *
 * The second lists what the service does up to its next poll(2):
 *
 *	2:hello 2<leave	sends this to the module of 2; to its worker
 *	2:fork 2:close	starts a worker; closes the connection
 *	2:kill 2:shut	tells the worker to end; sends it no more
 *	~1000		polls for so long; "~1000x": accepts no connection
 */
#include "service.h"

#include <errno.h>
#include <security/_pam_types.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check-main.h"
#include "pam/protocol/clock.h"
#include "pam/service/answers.h"
#include "pam/service/askers.h"
#include "pam/service/brake-file.h"
#include "pam/service/configuration.h"
#include "pam/service/connections.h"
#include "pam/service/loop.h"
#include "pam/service/notify.h"
#include "pam/service/renew.h"
#include "pam/service/requests.h"
#include "pam/service/slots.h"
#include "pam/service/source.h"
#include "pam/service/start.h"
#include "pam/work/log.h"
#include "pam/work/login.h"
#include "pam/work/set-password.h"
#include "pam/work/worker.h"
#include "say.h"
#include "src/account/entry.h"
#include "src/account/subuid.h"

#define COUNT(table) (int)(sizeof(table) / sizeof((table)[0]))
#define LISTENER 3
#define SIGNALS 4
#define BRAKE_FILE 5
#define FIRST 100		/* descriptor of the module of connection 0 */
#define PAIRS 10000		/* first of two descriptors of each worker */
#define MANY 2200
#define GROUP 42
#define ASKER 105		/* listed in ask_for_others */

/* ---- the peers and the system ---- */
static struct peer_of {
	uid_t uid;
	gid_t gid, group;	/* effective; supplementary */
} peers[MANY];

static struct conn {
	struct request header;
	bool has_header, has_secret, empty, gone, closed, nothing;
	int worker;		/* number of its pair; -1: none */
	struct control said[8];
	int nsaid;
	bool ended, dead;
} conns[MANY];

static int accepted, pending, pairs, started;
static bool has_signal, termed, refreshed;
static int64_t now;

/* Calls that fail. */
static struct {
	bool fork, pair, accept, lock, file, save, intact, greet, shadow, etc;
	bool groups, cred, list, signals, flags;
} fails;

static const struct {
	const char *word;
	bool *fails;
} switches[] = {
	{ "fork", &fails.fork }, { "pair", &fails.pair },
	{ "accept", &fails.accept }, { "lock", &fails.lock },
	{ "file", &fails.file }, { "save", &fails.save },
	{ "intact", &fails.intact }, { "greet", &fails.greet },
	{ "shadow", &fails.shadow }, { "etc", &fails.etc },
	{ "groups", &fails.groups }, { "cred", &fails.cred },
	{ "list", &fails.list },
};

static unsigned slots;
static mode_t shadow_mode;
static bool wanted;		/* systemd wants a status */
static bool is_child;		/* the next fork returns as in the child */
static sigjmp_buf out;

/* ---- descriptors ---- */
static struct conn *module_of(int fd)
{
	ck_assert(fd >= FIRST && fd < FIRST + accepted);
	ck_assert(!conns[fd - FIRST].closed);
	return &conns[fd - FIRST];
}

static struct conn *worker_of(int fd)
{
	int i;

	for (i = 0; i < accepted; i++)
		if (conns[i].worker >= 0 &&
		    PAIRS + 2 * conns[i].worker == fd)
			return &conns[i];
	return NULL;
}

static int id(const struct conn *c)
{
	return (int)(c - conns);
}

int accept4(int fd, struct sockaddr *a, socklen_t *len, int flags)
{
	ck_assert(fd == LISTENER && !a && !len);
	ck_assert_int_eq(flags, SOCK_CLOEXEC | SOCK_NONBLOCK);
	errno = pending > 0 ? EMFILE : EAGAIN;
	if (pending == 0 || fails.accept)
		return -1;
	pending--;
	conns[accepted].worker = -1;
	return FIRST + accepted++;
}

int getsockopt(int fd, int level, int name, void *p, socklen_t *len)
{
	const struct peer_of *of = &peers[id(module_of(fd))];
	struct ucred *cred = p;

	ck_assert_int_eq(level, SOL_SOCKET);
	if (name == SO_PEERGROUPS) {
		/* As many as a process can have. */
		ck_assert_uint_ge(*len, 65536 * sizeof(gid_t));
		if (fails.groups)
			return -1;
		*(gid_t *)p = of->group;
		*len = of->group ? sizeof(gid_t) : 0;
		return 0;
	}
	ck_assert_int_eq(name, SO_PEERCRED);
	ck_assert(refreshed);
	refreshed = false;
	if (fails.cred)
		return -1;
	cred->uid = of->uid;
	cred->gid = of->gid;
	return 0;
}

int seam_stat(const char *path, struct stat *st)
{
	const bool etc = strcmp(path, "/etc") == 0;

	ck_assert(etc || strcmp(path, "/etc/shadow") == 0);
	if (etc ? fails.etc : fails.shadow)
		return -1;
	*st = (struct stat){ .st_mode = shadow_mode, .st_gid = GROUP };
	return 0;
}

ssize_t seam_getxattr(void)
{
	errno = ENODATA;
	return -1;
}

int request_recv(int fd, struct request *req)
{
	struct conn *c = module_of(fd);

	if (!c->has_header)
		c->header.op = c->has_secret = false;
	c->has_header = false;
	*req = c->header;
	return req->op == 0 ? -1 : 0;
}

/* Returns 1 if a packet waits, 0 at the end, -1 if there is nothing. */
static ssize_t look(const struct conn *c)
{
	errno = EAGAIN;
	if (c->has_header || c->has_secret)
		return 1;
	return c->empty || c->gone ? 0 : -1;
}

/* From a module: unexpected packets; from a worker: a word */
ssize_t recv(int fd, void *p, size_t len, int flags)
{
	struct conn *c;

	if (flags & MSG_PEEK) {
		ck_assert(len == 1 && flags == (MSG_PEEK | MSG_DONTWAIT));
		return look(module_of(fd));
	}
	ck_assert_int_eq(flags, MSG_DONTWAIT);
	if (fd < PAIRS) {
		c = module_of(fd);
		ck_assert(!p && len == 0);
		*(c->has_header ? &c->has_header : &c->has_secret) = false;
		return 0;
	}
	c = worker_of(fd);
	ck_assert(c && len == sizeof(struct control));
	errno = EAGAIN;
	if (c->nsaid == 0)
		return c->ended ? 0 : -1;
	memcpy(p, &c->said[0], len);
	memmove(c->said, c->said + 1, sizeof(c->said) - sizeof(c->said[0]));
	c->nsaid--;
	return (ssize_t)len;
}

int hello_send(int fd, const struct hello *hello)
{
	ck_assert(hello->minlen == 6 && hello->maxlen == 511);
	if (fails.greet)
		return -1;
	say("%d:hello ", id(module_of(fd)));
	return 0;
}

int reply_send(int fd, const struct reply *reply)
{
	static const char *const names[] = {
		"", "queued", "working", "log", "verdict", "again", "wait"
	};

	say("%d:%s%d ", id(module_of(fd)), names[reply->kind], reply->number);
	return 0;
}

/* To a worker. */
ssize_t send(int fd, const void *p, size_t len, int flags)
{
	const struct control *c = p;
	const struct conn *of = worker_of(fd);

	ck_assert(of && len == sizeof(*c));
	ck_assert_int_eq(flags, MSG_NOSIGNAL | MSG_DONTWAIT);
	if (c->kind == CONTROL_WAIT)
		say("%d<wait%u ", id(of), c->number);
	else
		say("%d<%s ", id(of), c->kind == CONTROL_AGAIN ? "again" :
		    c->kind == CONTROL_LEAVE ? "leave" : "never");
	return (ssize_t)len;
}

int shutdown(int fd, int how)
{
	if (fd >= PAIRS)
		say("%d:shut ", id(worker_of(fd)));
	ck_assert_int_eq(how, fd >= PAIRS ? SHUT_WR : SHUT_RD);
	return 0;
}

int close(int fd)
{
	struct conn *c;

	if (fd >= PAIRS) {
		c = worker_of(fd);
		if (c)
			say("%d:close ", id(c));
		else if (fd % 2 == 0 || is_child)
			say("close%d ", fd - PAIRS);
		return 0;
	}
	if (fd < FIRST) {
		say("close:%d ", fd);
		return 0;
	}
	c = module_of(fd);
	c->closed = !is_child;
	if (started < pairs && !is_child && !fails.fork) {
		c->worker = started++;
		say("%d:fork ", id(c));
	} else {
		say("%d:close ", id(c));
	}
	return 0;
}

int socketpair(int domain, int type, int protocol, int pair[2])
{
	ck_assert(domain == AF_UNIX && protocol == 0);
	ck_assert_int_eq(type, SOCK_SEQPACKET | SOCK_CLOEXEC);
	if (fails.pair)
		return -1;
	pair[0] = PAIRS + 2 * pairs;
	pair[1] = pair[0] + 1;
	pairs++;
	return 0;
}

pid_t fork(void)
{
	errno = EAGAIN;
	if (is_child)
		return 0;
	if (!fails.fork)
		return 1 + pairs;
	pairs = started;
	return -1;
}

pid_t waitpid(pid_t pid, int *status, int flags)
{
	int i;

	ck_assert(pid == -1 && !status);
	ck_assert_int_eq(flags, WNOHANG);
	for (i = 0; i < accepted; i++)
		if (conns[i].dead) {
			conns[i].dead = false;
			return 2 + conns[i].worker;
		}
	return 0;
}

int kill(pid_t pid, int sig)
{
	ck_assert_int_eq(sig, SIGTERM);
	say("%d:kill ", id(worker_of(PAIRS + 2 * (pid - 2))));
	return 0;
}

/* ---- signals and files ---- */
int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	int sig;

	ck_assert(how == SIG_SETMASK && !old);
	for (sig = 1; sig < 32; sig++)
		ck_assert_int_eq(sigismember(set, sig), sig == SIGCHLD ||
				 sig == SIGTERM || sig == SIGINT);
	return 0;
}

int signalfd(int fd, const sigset_t *set, int flags)
{
	ck_assert(fd == -1 && sigismember(set, SIGTERM));
	ck_assert_int_eq(flags, SFD_CLOEXEC | SFD_NONBLOCK);
	return fails.signals ? -1 : SIGNALS;
}

ssize_t read(int fd, void *p, size_t len)
{
	struct signalfd_siginfo *info = p;

	ck_assert(fd == SIGNALS && len == sizeof(*info));
	if (!has_signal)
		return -1;
	has_signal = false;
	info->ssi_signo = termed ? SIGTERM : SIGCHLD;
	return (ssize_t)len;
}

int seam_fcntl(int fd)
{
	ck_assert_int_eq(fd, LISTENER);
	return fails.flags ? -1 : 0;
}

void seam_syslog(void)
{
	say("log ");
}

int seam_open(const char *path, int flags)
{
	ck_assert_int_eq(flags, O_WRONLY | O_CLOEXEC);
	say("%s=", path);
	return SIGNALS;
}

ssize_t write(int fd, const void *p, size_t len)
{
	ck_assert_int_eq(fd, SIGNALS);
	say("%.*s ", (int)len, (const char *)p);
	return (ssize_t)len;
}

unsigned alarm(unsigned seconds)
{
	say("alarm%u ", seconds);
	return 0;
}

void start_unblock(void)
{
	say("signals ");
}

int64_t clock_ms(void)
{
	return now;
}

int64_t brake_file_now(void)
{
	return now;
}

int brake_file_open(const char *path)
{
	ck_assert_str_eq(path, "/run/lyra2/brake");
	errno = EROFS;
	return fails.file ? -1 : BRAKE_FILE;
}

int brake_file_lock(int fd, int wait_ms)
{
	ck_assert(fd == BRAKE_FILE && wait_ms == 0);
	return fails.lock ? -1 : 0;
}

int brake_file_load(int fd, struct brake *b, int64_t at)
{
	ck_assert(fd == BRAKE_FILE && b && at == now);
	return fails.intact;
}

int brake_file_save(int fd, struct brake *b, int64_t at)
{
	ck_assert(fd == BRAKE_FILE && b && at == now);
	say("save ");
	errno = ENOSPC;
	return fails.save ? -1 : 0;
}

/* ---- the service's configuration and files ---- */
const struct options *configuration(void)
{
	static struct options o;

	o = (struct options){ .minlen = 6 };
	o.policy.method = method_new(0);
	return &o;
}

bool configuration_has_slot(unsigned taken)
{
	return taken < slots;
}

bool subuid_owner(uid_t uid, uid_t *owner)
{
	if (uid < 165536)
		return false;
	*owner = 1002;
	return true;
}

bool passwd_is_of(const char *name, uid_t uid)
{
	return uid == 0 ? strcmp(name, "root") == 0 :
		strcmp(name, "ann") == 0 && uid == 1001;
}

const struct options *askers_refresh(void)
{
	refreshed = true;
	return configuration();
}

bool askers_have(uid_t uid)
{
	return uid == ASKER && !fails.list;
}

int entry_find(const char *name, struct entry *e)
{
	memset(e, 0, sizeof(*e));
	ck_assert(strcmp(name, "ann") == 0 || strcmp(name, "root") == 0);
	return PAM_AUTHINFO_UNAVAIL;
}

void log_line(int priority, const char *format, ...)
{
	char line[256];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	say("{%d %s} ", priority, line);
}

bool notify_wanted(void)
{
	return wanted;
}

bool notify_send(const char *text)
{
	say("[%s] ", text);
	return true;
}

void notify_alive(int64_t at)
{
	ck_assert_int_ge(at, 0);
}

bool renew_due(void)
{
	return false;
}

int64_t notify_wake(void)
{
	return -1;
}

void login_verify(struct job *job)
{
	(void)job;
}

void set_password(struct job *job)
{
	(void)job;
}

enum leave job_may_leave(struct job *job, bool right)
{
	return job && right ? LEAVE_NOW : LEAVE_NEVER;
}

void job_was_free(struct job *job)
{
	(void)job;
}

/* The child's last function: back to the test */
static struct job job;

void worker_run(struct job *j)
{
	job = *j;
	siglongjmp(out, 1);
}

/* ---- scripts ---- */
struct step {
	const char *events, *says;
};
static const struct step *step;

static const char controls[] = "DRWACFG";	/* enum control_kind */

static void connects(const char *word)
{
	struct peer_of *of = &peers[accepted + pending++];

	*of = (struct peer_of){ (uid_t)atoi(word + 1), 100, 0 };
	if (*word == 'h')
		of->gid = GROUP;
	else if (*word == 'm')
		of->group = GROUP;
}

/* OP,USER,CALLER,TTY,RHOST */
static void send_header(struct conn *c, const char *text)
{
	struct request *r = &c->header;
	char user[64] = "", tty[64] = "", rhost[64] = "", op = 0;
	unsigned caller = 0;

	memset(r, 0, sizeof(*r));
	sscanf(text, "%c,%63[^,],%u,%63[^,],%63s", &op, user, &caller, tty,
	       rhost);
	r->op = op == 'v' ? OP_VERIFY : op == 's' ? OP_STATUS : op == 'p' ?
		OP_SET : op == 'x' ? OP_SET + 1 : 0;
	r->caller = caller;
	strcpy(r->user, user);
	strcpy(r->tty, strcmp(tty, "-") ? tty : "");
	strcpy(r->rhost, strcmp(rhost, "-") ? rhost : "");
	c->has_header = true;
}

static void happens_to(struct conn *c, const char *word)
{
	switch (*word) {
	case '?':
		send_header(c, word + 1);
		break;
	case '!':
		c->has_secret = true;
		break;
	case '%':
		c->empty = true;
		break;
	case '~':
		c->nothing = true;
		break;
	case '-':
		c->gone = true;
		break;
	default:
		ck_assert_int_eq(*word, '=');
		c->ended = word[1] == '-';
		if (!c->ended)
			c->said[c->nsaid++] = (struct control){
				(uint32_t)(strchr(controls, word[1]) -
					   controls),
				word[2] == '1'
			};
	}
}

static bool is_switch(const char *word)
{
	const bool off = strncmp(word, "no-", 3) == 0;
	int i;

	for (i = 0; i < COUNT(switches); i++)
		if (strcmp(word + 3 * off, switches[i].word) == 0) {
			*switches[i].fails = off;
			return true;
		}
	return false;
}

static void happens(const char *word)
{
	char *rest;
	long n = strtol(word, &rest, 10);

	if (rest != word && *word != '+') {
		happens_to(&conns[n], rest);
	} else if (*word == '+') {
		connects(word + 1);
	} else if (*word == '@') {
		now += atoi(word + 1);
	} else if (strncmp(word, "slots", 5) == 0) {
		slots = (unsigned)atoi(word + 5);
	} else if (!is_switch(word)) {
		termed = strcmp(word, "term") == 0;
		has_signal = true;
		if (!termed)
			conns[atoi(word + strlen("dead"))].dead = true;
	}
}

static bool is_ready(int fd, short events)
{
	struct conn *c;
	bool is;

	if (fd < 0)
		return false;
	if (fd == LISTENER)
		return pending > 0;
	if (fd == SIGNALS)
		return has_signal;
	c = fd >= PAIRS ? worker_of(fd) : module_of(fd);
	is = c->nothing;
	c->nothing = false;
	if (fd >= PAIRS)
		return is || c->nsaid > 0 || c->ended;
	return is || c->gone ||
		(events && (c->has_header || c->has_secret || c->empty));
}

static int ready(struct pollfd *p, nfds_t n)
{
	int count = 0;
	nfds_t i;

	for (i = 0; i < n; i++) {
		p[i].revents = is_ready(p[i].fd, p[i].events) ? POLLIN : 0;
		count += p[i].revents != 0;
	}
	return count;
}

static void judge(void)
{
	ck_assert_msg(strcmp(said, step->says) == 0,
		      "%s\n\tsays: %s\n\tnot:  %s", step->events, said,
		      step->says);
	*said = '\0';
}

/* In place of a script: makes the next events, and returns false at the end. */
static bool (*crowd)(int ms, bool closed);

int poll(struct pollfd *p, nfds_t n, int ms)
{
	static char events[4096];
	char *word, *rest;

	if (crowd) {
		if (!crowd(ms, p[0].fd < 0))
			siglongjmp(out, 1);
		*said = '\0';
		return ready(p, n);
	}
	say("~%d%s", ms, p[0].fd < 0 ? "x" : "");
	judge();
	if (!(++step)->events)
		siglongjmp(out, 1);
	snprintf(events, sizeof(events), "%s", step->events);
	for (word = strtok_r(events, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest))
		happens(word);
	return ready(p, n);
}

static void start(void)
{
	now = 1000;
	slots = 1;
	shadow_mode = S_IFREG | 0640;
}

#define ANN "v,ann,0,-,-"
#define BOB "v,bob,0,-,-"
#define SELF "v,ann,1001,-,-"
#define OTHER "v,ann,1002,-,-"

static const struct step
a_login[] = {
	{ "", "~-1" },
	{ "+r", "0:hello ~1000" },
	{ "0?" ANN, "~1000" },
	{ "@100", "~900" },
	{ "0!", "0:queued1 0:fork ~900" },
	{ "@500 0=D", "~400" },
	{ "0=A", "~400" },
	{ "@400", "~1000" },
	{ "0=-", "0:close ~-1" },
	{ "dead0", "~-1" },
	{ NULL, NULL }
},
looks_first[] = {
	{ "", "~-1" },
	{ "+r", "0:hello ~1000" },
	{ "0?s,ann,0,-,-", "0:verdict133385 ~1000" },
	{ "@120000", "~1000" },
	{ "0?s,ann,0,-,-", "0:verdict133385 ~1000" },
	{ "0?" ANN, "~1000" },
	{ "@5000", "~1000" },
	{ "@1000", "0:close ~-1" },
	{ "", "~-1" },
	{ NULL, NULL }
},
are_silent[] = {
	{ "", "~-1" },
	{ "+r +r +r +r", "0:hello 1:hello 2:hello 3:hello ~1000" },
	{ "@1 0?" ANN " 1?" BOB " 2?p,cy,0,-,-", "~999" },
	{ "2!", "2:queued1 2:fork ~999" },
	{ "@4000", "~1000" },
	{ "@1000", "~1000" },
	{ "@1000 1-", "1:close 0:close ~1000" },
	{ "@113999 2=D 2=-", "~1000" },
	{ "@1", "2:close ~999" },
	{ "@1000", "3:close ~-1" },
	{ NULL, NULL }
},
strangers[] = {
	{ "", "~-1" },
	{ "+s1001 +s0 +h1001 +m1001 +r",
	  "0:close 1:hello 2:hello 3:hello 4:hello ~1000" },
	{ "no-shadow +h1001 +m1001 +r", "5:close 6:close 7:hello ~1000" },
	{ "no-greet +r", "8:close ~1000" },
	{ "greet no-etc +r", "9:close ~1000" },
	{ "etc shadow no-groups +m1001 +h1001", "10:close 11:hello ~1000" },
	{ "groups no-cred +r", "12:close ~1000" },
	{ "2- 3- 4- 7-", "2:close 3:close 4:close 7:close ~1000" },
	{ NULL, NULL }
},
packets[] = {
	{ "", "~-1" },
	{ "+r +r +r +r +r +r",
	  "0:hello 1:hello 2:hello 3:hello 4:hello 5:hello ~1000" },
	{ "0?x,ann,0,-,- 1?z 2! 3%",
	  "0:close 1:close 2:close 3:close ~1000" },
	{ "4-", "4:close ~1000" },
	{ "5?" ANN, "~1000" },
	{ "5%", "5:close ~-1" },
	{ "+r", "6:hello ~1000" },
	{ "6?" ANN, "~1000" },
	{ "6!", "6:queued1 6:fork ~1000" },
	{ "6-", "~1000" },
	{ "6=-", "6:close ~-1" },
	{ NULL, NULL }
},
users_login[] = {
	{ "", "~-1" },
	{ "+r +r +r", "0:hello 1:hello 2:hello ~1000" },
	{ "0?" SELF " 0! 1?" SELF " 1! 2?" SELF " 2!", "~0" },
	{ "", "0:queued1 0:fork ~0" },
	{ "", "1:queued1 ~1000" },
	{ "", "2:queued2 ~1000" },
	{ "0=W1", "save 0<leave 1:fork ~1000" },
	{ "0=F 1=R1", "2:fork ~1000" },
	{ "1=F", "~1000" },
	{ "@1000 0=-", "0:close ~1000" },
	{ "@1000", "save 1<leave ~1000" },
	{ "@300 1=A 1=F", "~700" },
	{ "1=G", "save ~700" },
	{ "2=W1", "save 2<leave 1<again ~700" },
	{ "1=D 1=C", "~700" },
	{ "1=- 2=-", "2:close ~700" },
	{ NULL, NULL }
},
/* An answer is free only when all modules have said so; a helper's, at once. */
penalties[] = {
	{ "", "~-1" },
	{ "+h1001 +h1001 +r +m1001 slots9",
	  "0:hello 1:hello 2:hello 3:hello ~1000" },
	{ "0?" SELF " 0! 1?" OTHER " 1! 2?" SELF " 2! 3?" SELF " 3!", "~0" },
	{ "", "0:queued1 0:fork ~0" },
	{ "", "1:queued1 1:fork ~0" },
	{ "0=R1 1=R1", "2:queued1 save 0<leave 1<leave 2:fork ~1000" },
	{ "2=R1", "3:queued1 save 2<leave 3:fork ~1000" },
	{ "3=D", "~1000" },
	{ "0=- 1=- 3=- 2=F 2=-", "0:close 1:close save 3:close ~1000" },
	{ "+r +r", "2:close 4:hello 5:hello ~1000" },
	{ "4?" SELF " 4! 5?" SELF " 5!", "~0" },
	{ "", "4:queued1 4:fork ~1000" },
	{ "4=R0 5=R0", "5:queued1 save 4<leave 5:fork ~1000" },
	{ "4=- @1999", "4:close ~1" },
	{ "@1", "save 5<leave ~999" },
	{ "5=R0 5=F", "5<never ~999" },
	{ "5=-", "save ~999" },
	{ NULL, NULL }
},
/* A source whose four answers wait gets no hash. */
is_held[] = {
	{ "", "~-1" },
	{ "+r +r +r +r +r +r slots9",
	  "0:hello 1:hello 2:hello 3:hello 4:hello 5:hello ~1000" },
	{ "0?" SELF " 0! 1?" SELF " 1! 2?" SELF " 2! 3?" SELF " 3!", "~0" },
	{ "4?" SELF " 4!", "0:queued1 0:fork ~0" },
	{ "", "1:queued1 1:fork ~0" },
	{ "", "2:queued1 2:fork ~0" },
	{ "5?" SELF " 5!", "3:queued1 3:fork ~0" },
	{ "0=W1 1=W1 2=W1 3=W1 4=W1", "4:queued1 save 0<leave 4:fork ~1000" },
	{ "@500", "5:queued1 ~500" },
	{ "4=-", "4:close 5:fork ~500" },
	{ "5=W1", "~500" },
	{ NULL, NULL }
},
in_order[] = {
	{ "", "~-1" },
	{ "+r +r +r +r +r", "0:hello 1:hello 2:hello 3:hello 4:hello ~1000" },
	{ "1?s,ann,7,-,- 2?s,ann,7,-,-", "1:verdict133385 ~0" },
	{ "0?s,ann,7,-,- 3?s,ann,8,-,- 4?s,ann,7,-,-",
	  "2:verdict133385 3:verdict133385 ~0" },
	{ "", "0:verdict133385 ~0" },
	{ "", "4:verdict133385 ~1000" },
	{ "0~ 1?" ANN, "~1000" },
	{ "1~", "~1000" },
	{ "1!", "1:queued1 1:fork ~1000" },
	{ "1=A", "~1000" },
	{ "1~", "~1000" },
	{ NULL, NULL }
},
waits_long[] = {
	{ "", "~-1" },
	{ "+r +r +r +r +r +r slots9",
	  "0:hello 1:hello 2:hello 3:hello 4:hello 5:hello ~1000" },
	{ "0?" SELF " 0! 1?" SELF " 1! 2?" SELF " 2! 3?" SELF " 3!", "~0" },
	{ "4?" SELF " 4!", "0:queued1 0:fork ~0" },
	{ "", "1:queued1 1:fork ~0" },
	{ "", "2:queued1 2:fork ~0" },
	{ "", "3:queued1 3:fork ~1000" },
	{ "0=W0 1=W0 2=W0 3=W0 4=W0", "4:queued1 save 0<leave 4:fork ~1000" },
	{ "+r +r +r", "6:hello 7:hello 8:hello ~1000" },
	{ "5?" SELF " 5! 6?" OTHER " 6! 7?" ANN " 7!", "~1000" },
	{ "", "5:queued1 6:queued2 7:queued3 6:fork 7:fork ~1000" },
	{ "@1001", "5:queued1 4<wait13 ~999" },
	{ "@999", "save 1<leave 5:fork ~1" },
	{ "3-", "~1" },
	{ "3=-", "3:close ~1" },
	{ "5=W0 7=D", "~1" },
	{ "@1000", "5<wait11 ~1000" },
	{ "@1000 2=W0", "2<never save 2<leave ~1000" },
	{ "term",
	  "0:kill 1:kill 2:kill 4:kill 5:kill 6:kill 7:kill 8:close ~1000x" },
	{ "0=- 1=- 2=- 4=- 5=- 6=- 7=-",
	  "0:close 1:close 2:close 4:close 5:close 6:close 7:close end" },
	{ NULL, NULL }
},
turns[] = {
	{ "", "~-1" },
	{ "+r +r +r +r", "0:hello 1:hello 2:hello 3:hello ~1000" },
	{ "0?" ANN " 0! 1?v,ann,0,-,far 1! 2?v,ann,0,-,far 2!", "~0" },
	{ "3?v,root,0,/dev/tty1,- 3!", "0:queued1 1:queued2 0:fork ~1000" },
	{ "", "2:queued2 3:queued3 ~1000" },
	{ "0=D", "3:fork ~1000" },
	{ "0=G", "~1000" },
	{ "@1000 3=D", "1:queued3 2:queued3 1:fork ~1000" },
	{ "1=D 1=G", "2:fork ~1000" },
	{ "2=-", "2:close 0<again ~1000" },
	{ "3=-", "3:close ~1000" },
	{ "0=D", "1<again ~1000" },
	{ "0=- 1=-", "0:close 1:close ~-1" },
	{ NULL, NULL }
},
/* It leaves the queue, in which another one has its place. */
ends_in_the_queue[] = {
	{ "", "~-1" },
	{ "+r +r +r", "0:hello 1:hello 2:hello ~1000" },
	{ "0?" ANN " 0! 1?" BOB " 1!", "~1000" },
	{ "", "0:queued1 1:queued2 0:fork ~1000" },
	{ "0=D", "1:fork ~1000" },
	{ "0=G", "~1000" },
	{ "0=-", "0:close ~1000" },
	{ "2?v,cy,0,-,- 2!", "~1000" },
	{ "1=D", "2:queued1 2:fork ~1000" },
	{ NULL, NULL }
},
goes_away[] = {
	{ "", "~-1" },
	{ "+r +r +r +r", "0:hello 1:hello 2:hello 3:hello ~1000" },
	{ "0?" ANN " 0! 1?" BOB " 1! 2?v,cy,0,-,- 2! 3?v,di,0,-,- 3!",
	  "~1000" },
	{ "", "0:queued1 1:queued2 2:queued3 3:queued4 0:fork ~1000" },
	{ "1- 3-", "1:close 3:close ~1000" },
	{ "0=-", "0:close 2:fork ~1000" },
	{ "2=D", "~1000" },
	{ NULL, NULL }
},
no_memory[] = {
	{ "", "~-1" },
	{ "+r +r +r +r", "0:hello 1:hello 2:hello 3:hello ~1000" },
	{ "no-fork 2?" ANN " 3?" BOB, "~1000" },
	{ "2! 3!",
	  "2:queued1 3:queued2 close0 {3 cannot start a worker: Resource "
	  "temporarily unavailable} 0:close ~100x" },
	{ "@100 +r", "close0 1:close ~100x" },
	{ "fork no-pair @100", "~100x" },
	{ "@100 pair", "3:fork ~700" },
	{ "2=-", "4:hello ~700" },
	{ "3=- 4-", "4:close 3:close 2:fork ~700" },
	{ NULL, NULL }
},
no_descriptors[] = {
	{ "", "~-1" },
	{ "+r +r", "0:hello 1:hello ~1000" },
	{ "0?" ANN " 0!", "~1000" },
	{ "no-accept +r", "0:queued1 1:close 0:fork ~100x" },
	{ "@1 +r", "~999" },
	{ "accept @100", "2:hello 3:hello ~899" },
	{ "0=-", "0:close ~899" },
	{ NULL, NULL }
},
ends[] = {
	{ "", "~-1" },
	{ "+r +r +r +r slots2", "0:hello 1:hello 2:hello 3:hello ~1000" },
	{ "0?" ANN " 0! 1?" ANN " 1! 2?" BOB " 2!", "~0" },
	{ "", "0:queued1 2:queued2 0:fork 2:fork ~1000" },
	{ "+r +r", "1:queued1 4:hello 5:hello ~1000" },
	{ "4?" ANN " 4!", "~1000" },
	{ "0=- dead0", "0:close 4:queued2 1:fork ~1000" },
	{ "dead1", "~1000" },
	{ "term +r", "2:kill 3:close 4:again0 4:close 5:close ~1000x" },
	{ "term @1000", "~1000x" },
	{ "2=-", "2:close ~1000x" },
	{ "@2999", "~1x" },
	{ "@1", "end" },
	{ NULL, NULL }
},
ends_idle[] = {
	{ "", "~-1" },
	{ "+r", "0:hello ~1000" },
	{ "0?" ANN, "~1000" },
	{ "term", "0:close end" },
	{ NULL, NULL }
},
the_file[] = {
	{ "", "~-1" },
	{ "+r +r +r +r slots9", "0:hello 1:hello 2:hello 3:hello ~1000" },
	{ "0?" SELF " 0! 1?" OTHER " 1! 2?v,ann,7,-,- 2! 3?v,ann,8,-,- 3!",
	  "~1000" },
	{ "no-lock 0=W0",
	  "0:queued1 1:queued2 2:queued3 3:queued4 0:fork 1:fork 2:fork "
	  "3:fork ~1000" },
	{ "@1999", "~20" },
	{ "@1", "~20" },
	{ "lock no-intact 1=W0",
	  "{3 /run/lyra2/brake is damaged: every user has the highest "
	  "penalty} save 0<leave 1<leave ~999" },
	{ "@2000 intact no-save 2=W0",
	  "save {3 cannot write /run/lyra2/brake: No space left on "
	  "device} 2<leave ~1000" },
	{ "save no-lock 3=W0", "~20" },
	{ "@20 lock", "save 3<leave ~980" },
	{ "0=- 1=- 2=- 3=-", "0:close 1:close 2:close 3:close ~-1" },
	{ NULL, NULL }
},
/* Another process is stopped, and has the lock. */
locked_file[] = {
	{ "", "~-1" },
	{ "+r slots9", "0:hello ~1000" },
	{ "0?" SELF " 0!", "~1000" },
	{ "no-lock", "0:queued1 0:fork ~1000" },
	{ "0=W0", "~20" },
	{ "@1999", "~20" },
	{ "@1", "0<leave ~999" },
	{ "0=-", "0:close ~-1" },
	{ NULL, NULL }
},
no_file[] = {
	{ "",
	  "{3 cannot open /run/lyra2/brake: Read-only file system} ~-1" },
	{ "+r +r slots9", "0:hello 1:hello ~1000" },
	{ "0?" SELF " 0! 1?" SELF " 1!", "~0" },
	{ "", "0:queued1 0:fork ~1000" },
	{ "0=W0", "1:queued1 0<leave 1:fork ~1000" },
	{ "file @2000 1=W0",
	  "save 1<leave {5 1 more: cannot open /run/lyra2/brake: "
	  "Read-only file system} ~1000" },
	{ "0=- 1=-", "0:close 1:close ~-1" },
	{ NULL, NULL }
},
not_theirs[] = {
	{ "", "~-1" },
	{ "+h1001 +h1002 +h1002 +m1001",
	  "0:hello 1:hello 2:hello 3:hello ~1000" },
	{ "0?s,ann,1001,-,- 1?" ANN " 2?v,bob,0,-,- 3?p,ann,0,-,-",
	  "0:verdict9 0:close {5 password check of another user refused "
	  "[UID=1002]} 1:verdict9 1:close ~0" },
	{ "", "3:verdict9 3:close 2:verdict9 2:close ~2000" },
	{ "@2000",
	  "{5 1 more: password check of another user refused [UID=1002]} ~-1" },
	{ "+h1002 +m1001", "4:hello 5:hello ~1000" },
	{ "4?" ANN " 5?s,ann,0,-,-",
	  "5:verdict133385 4:verdict9 4:close ~1000" },
	{ "term",
	  "{5 1 more: password check of another user refused [UID=1002]} "
	  "5:close end" },
	{ NULL, NULL }
},
/* A service that ask_for_others lists, and later does not list */
services[] = {
	{ "", "~-1" },
	{ "+s105 +s105 +s105 +s106",
	  "0:hello 1:hello 2:hello 3:close ~1000" },
	{ "0?" ANN " 0! 1?v,root,0,-,-", "~0" },
	{ "",
	  "0:queued1 {5 password check of another user refused [UID=105]} "
	  "1:verdict9 1:close 0:fork ~1000" },
	{ "no-list 2?" BOB " 2! +s105",
	  "4:close 2:verdict9 2:close ~1000" },
	{ "list +s105", "5:hello ~1000" },
	{ "5?" BOB " 5! 0=D 0=A", "~1000" },
	{ "0=-", "5:queued1 5:fork ~1000" },
	{ "@2000",
	  "0:close {5 1 more: password check of another user refused "
	  "[UID=105]} ~1000" },
	{ NULL, NULL }
},
tells[] = {
	{ "",
	  "[READY=1\nSTATUS=0 hashing, 0 waiting, 0 answered, 0 converted] "
	  "~-1" },
	{ "+r +r", "0:hello 1:hello ~1000" },
	{ "0?" ANN " 0! 1?" BOB " 1!", "~1000" },
	{ "@100", "0:queued1 1:queued2 0:fork ~900" },
	{ "@900 0=A 0=C 0=D",
	  "1:queued1 [READY=1\nSTATUS=1 hashing, 1 waiting, 1 answered, 0 "
	  "converted] ~1000" },
	{ "@999", "~1" },
	{ "@1 0=-",
	  "1:queued1 1:fork [READY=1\nSTATUS=1 hashing, 0 waiting, 1 "
	  "answered, 1 converted] ~1000" },
	{ "1=-", "0:close 1:close ~1000" },
	{ "@1000",
	  "[READY=1\nSTATUS=0 hashing, 0 waiting, 1 answered, 1 converted] "
	  "~-1" },
	{ "+r", "2:hello ~1000" },
	{ "2?v,ann,0,-,- 2!", "~1000" },
	{ "", "2:queued1 2:fork ~1000" },
	{ "term", "[STOPPING=1] 2:kill ~1000x" },
	{ "2=-", "2:close end" },
	{ NULL, NULL }
};

static const struct step *const scripts[] = {
	a_login, looks_first, are_silent, strangers, packets, users_login,
	penalties, is_held, in_order, waits_long, turns, ends_in_the_queue,
	goes_away, no_memory, no_descriptors, ends, ends_idle, the_file,
	locked_file, no_file, not_theirs, services, tells
};

static void run(const struct step *script)
{
	wanted = script == tells;
	fails.file = script == no_file;
	step = script;
	if (sigsetjmp(out, 0) == 0) {
		ck_assert_int_eq(loop(LISTENER), 0);
		say("end");
		judge();
		ck_assert_ptr_null(step[1].events);
	}
}

START_TEST(says)
{
	run(scripts[_i]);
}
END_TEST

START_TEST(cannot_begin)
{
	fails.signals = _i == 0;
	fails.flags = _i == 1;
	ck_assert_int_eq(loop(LISTENER), 1);
	ck_assert_str_eq(said, "log ");
}
END_TEST

/* ---- many clients ---- */
static int turn, open_at_once;

static void ask(int from, int to, int each)
{
	char header[64];
	int i;

	for (i = from; i < to; i++) {
		snprintf(header, sizeof(header), "v,ann,%d,-,-", 1 + i / each);
		send_header(&conns[i], header);
		conns[i].has_secret = true;
	}
}

static int count_closed(int from, int to)
{
	int n = 0;

	while (from < to)
		n += conns[from++].closed;
	return n;
}

static void connect_many(int n)
{
	while (n-- > 0)
		connects("r");
}

/* 2,200 programs connect: 64 are accepted in a turn; the oldest are closed. */
static bool silent_crowd(int ms, bool closed)
{
	const int took = accepted - open_at_once;

	open_at_once = accepted;
	if (turn++ == 0) {
		connect_many(MANY);
		return true;
	}
	ck_assert(ms > 0 && !closed);
	ck_assert_int_eq(took, pending > 0 ? 64 : MANY % 64);
	ck_assert_int_eq(count_closed(0, MANY), accepted < 2048 ? 0 :
			 accepted - 2048);
	ck_assert_int_eq(count_closed(MANY - 2048, MANY), 0);
	return pending > 0;
}

/* The queue is full. */
static bool waiting_crowd(int ms, bool closed)
{
	slots = 0;
	ck_assert(!closed);
	switch (turn++) {
	case 0:
		connect_many(1026);
		break;
	case 20:
		ask(0, 1024, 2);
		break;
	case 30:
		ck_assert_int_eq(count_closed(0, 1026), 0);
		ask(1024, 1025, 1);
		break;
	case 40:	/* a user with two loses the newest one */
		ck_assert_int_eq(count_closed(0, 1026), 1);
		ck_assert(conns[1023].closed);
		ask(1025, 1026, 1);
		break;
	case 45:
		wanted = true;
		now += 1000;
		break;
	case 46:
		ck_assert_ptr_nonnull(strstr(said, "\nSTATUS=0 hashing, 1,024 "
					     "waiting, 0 answered"));
		break;
	case 50:
		ck_assert_int_eq(count_closed(0, 1023), 1);
		ck_assert_int_gt(ms, 0);
		return false;
	}
	return true;
}

/* These workers say a word, once. */
static void all_say(int from, int to, const char *word)
{
	int i;

	for (i = from; i < to; i++)
		if (conns[i].worker >= 0 && !conns[i].dead) {
			conns[i].dead = true;
			happens_to(&conns[i], word);
		}
}

/*
 * 205 users have five requests each, of which one has been answered.  Then 51
 * other users have workers, and the other requests are in the queue.  No
 * connection is free.
 */
static bool busy_crowd(int ms, bool closed)
{
	int last = 2047;

	slots = MANY;
	if (turn == 0)
		connect_many(1024);
	if (turn >= 20 && turn < 20 + 256)
		ask(4 * (turn - 20), 4 * (turn - 20) + 4, 5);
	if (turn > 20 && turn < 300)
		all_say(0, 1024, "=W0");
	if (turn == 300) {
		ck_assert_int_eq(started, 1024);
		connect_many(1024);
	}
	if (turn == 320)
		ask(1024, 2048, 2);
	if (turn == 330)
		connect_many(1);
	if (turn == 340) {
		ck_assert_int_eq(started, 1024 - 205 + SERVICE_WORKERS);
		ck_assert_int_eq(count_closed(1024, 2048),
				 SERVICE_WORKERS - 205);
		ck_assert(closed && pending == 1 && ms > 500);
		while (conns[last].closed)
			last--;
		conns[last].gone = true;
	}
	if (turn == 344)
		ck_assert(!closed && pending == 0);
	return turn++ < 344;
}

/* Half of the workers may wait for a rehash. */
static bool rehashing_crowd(int ms, bool closed)
{
	static int shut;

	slots = 256;
	ck_assert(ms >= 0 || turn == 0);
	ck_assert(!closed);
	switch (turn++) {
	case 0:
		connect_many(300);
		break;
	case 10:
		ask(0, 300, 1);
		break;
	case 20:
		ck_assert_int_eq(started, 256);
		all_say(0, 256, "=G");
		break;
	}
	if (turn == 22) {
		ck_assert(strncmp(said, "128:shut 129:shut ", 18) == 0 &&
			  strstr(said, " 255:shut "));
		connect_many(1024 - 44 - 128 + 1);
	}
	/* A login replaces a rehash. */
	if (turn == 40)
		ask(300, accepted, 1);
	if (strstr(said, ":shut") && turn > 22)
		shut++;
	if (turn == 50)
		ck_assert_int_eq(shut, 1);
	return turn < 50;
}

static bool (*const crowds[])(int, bool) = {
	silent_crowd, waiting_crowd, busy_crowd, rehashing_crowd
};

START_TEST(crowd_is_served)
{
	crowd = crowds[_i];
	run(NULL);
	ck_assert_int_gt(turn, 20);
}
END_TEST

/* ---- who may ask, and which source a request has ---- */
#define NO_GROUP (S_IFREG | 0600)
#define READ (S_IFREG | 0640)
#define NOBODY "refused"
#define TOLD "told at once"

static const struct {
	const char *peer;
	mode_t mode;
	const char *header, *says;
} askers[] = {
	{ "r", READ, "v,ann,0,-,-", "0 of 0, account" },
	{ "r", NO_GROUP, "v,ann,0,-,-", "0 of 0, account" },
	{ "r", READ, "p,ann,0,-,-", "0 of 0, account" },
	{ "r", READ, "v,ann,0,-,far", "0 of 0, host" },
	{ "r", READ, "v,ann,1001,-,-", "1001 of 1001, user, braked" },
	{ "r", READ, "v,ann,1001,-,far", "1001 of 1001, user, braked" },
	{ "r", READ, "v,ann,7,-,-", "7 of 7, user, braked" },
	{ "r", READ, "v,ann,165536,-,-", "165536 of 1002, user, braked" },
	{ "r", READ, "p,ann,1001,-,-", "1001 of 1001, user, braked" },
	/* the group, by membership */
	{ "m1001", READ, "v,ann,0,-,-", "1001 of 1001, user" },
	{ "m1001", READ, "v,root,0,tty1,-", "1001 of 1001, user" },
	{ "m1001", READ, "v,bob,0,-,far", "1001 of 1001, user" },
	{ "m165536", READ, "v,bob,0,-,-", "165536 of 1002, user" },
	{ "m1001", READ, "p,ann,0,-,-", NOBODY },
	{ "m1001", NO_GROUP, "v,ann,0,-,-", NULL },
	{ "m1001", S_IFREG | 0604, "v,ann,0,-,-", NULL },
	/* the group, as the effective one */
	{ "h1001", READ, "v,ann,0,-,-", "1001 of 1001, user, braked" },
	{ "h1001", READ, "v,ann,1002,tty1,-", "1001 of 1001, user, braked" },
	{ "h1002", READ, "v,ann,1001,-,-", NOBODY },
	{ "h1001", READ, "v,root,0,-,-", NOBODY },
	{ "h1001", READ, "p,ann,0,-,-", NOBODY },
	{ "h1001", NO_GROUP, "v,ann,0,-,-", NULL },
	{ "s1001", READ, "v,ann,1001,-,-", NULL },
	{ "h1001", READ, "s,ann,0,-,-", NOBODY },
	{ "m1001", READ, "s,root,0,-,-", TOLD },
	{ "r", READ, "s,root,0,-,-", TOLD },
	/* ask_for_others: such a program cannot name a console or a host. */
	{ "s105", READ, "v,ann,0,-,-", "105 of 105, user" },
	{ "s105", NO_GROUP, "v,ann,0,-,-", "105 of 105, user" },
	{ "s105", READ, "v,bob,1001,tty1,far", "105 of 105, user" },
	{ "s105", READ, "v,root,0,-,-", NOBODY },
	{ "s105", READ, "s,ann,0,-,-", TOLD },
	{ "s105", READ, "s,root,0,-,-", NOBODY },
	{ "s105", READ, "p,ann,0,-,-", NOBODY },
	{ "h105", READ, "v,bob,0,-,-", "105 of 105, user" },
	{ "h105", READ, "v,root,0,-,-", NOBODY },
	{ "m105", READ, "v,root,0,-,-", "105 of 105, user" },
	{ "m105", NO_GROUP, "v,root,0,-,-", NOBODY },
	/* consoles */
	{ "r", READ, "v,root,0,tty1,-", "0 of 0, account, console" },
	{ "r", READ, "v,root,0,/dev/tty9,-", "0 of 0, account, console" },
	{ "r", READ, "v,root,0,ttyS0,-", "0 of 0, account, console" },
	{ "r", READ, "v,root,0,console,-", "0 of 0, account, console" },
	{ "r", READ, "v,root,0,/dev/console,-", "0 of 0, account, console" },
	{ "r", READ, "p,root,0,tty1,-", "0 of 0, account, console" },
	{ "r", READ, "v,ann,0,tty1,-", "0 of 0, account" },
	{ "r", READ, "v,root,0,tty,-", "0 of 0, account" },
	{ "r", READ, "v,root,0,tty/1,-", "0 of 0, account" },
	{ "r", READ, "v,root,0,pts/1,-", "0 of 0, account" },
	{ "r", READ, "v,root,0,ssh,-", "0 of 0, account" },
	{ "r", READ, "v,root,0,xtty1,-", "0 of 0, account" },
	{ "r", READ, "v,root,0,consoles,-", "0 of 0, account" },
	{ "r", READ, "v,root,0,tty1,far", "0 of 0, host" },
	{ "r", READ, "v,root,0,tty1,x", "0 of 0, host" },
	{ "r", READ, "v,root,1001,tty1,-", "1001 of 1001, user, braked" },
};

static const char *const sources[] = { "user", "host", "account" };

static struct service service;

/* Returns the connection of this peer once its request waits, or NULL. */
static struct connection *comes(const char *peer, const char *header)
{
	struct connection *c = &service.connections[accepted];

	service.listener = LISTENER;
	service.signals = SIGNALS;
	service.brake_file = BRAKE_FILE;
	connects(peer);
	connections_accept(&service);
	if (c->state == FREE)
		return NULL;
	send_header(&conns[c - service.connections], header);
	conns[c - service.connections].has_secret = true;
	requests_hear(&service, c);
	requests_look(&service);
	if (c->state == HALF)
		requests_hear(&service, c);
	return c;
}

START_TEST(asks)
{
	const struct connection *c;
	char got[256] = NOBODY;

	shadow_mode = askers[_i].mode;
	c = comes(askers[_i].peer, askers[_i].header);
	ck_assert(!c == !askers[_i].says);
	if (c && c->state == WAITING)
		snprintf(got, sizeof(got), "%u of %u, %s%s%s", c->req.caller,
			 (unsigned)c->owner, sources[c->source >> 60],
			 answers_braked(c) ? ", braked" : "",
			 service.sched.waiting[0].kind == SCHED_CONSOLE ?
			 ", console" : "");
	else if (c && strcmp(said, "0:hello 0:verdict133385 ") == 0)
		strcpy(got, c->state == TALKING ? TOLD : "");
	if (c)
		ck_assert_str_eq(got, askers[_i].says);
}
END_TEST

/* What a worker keeps from the service, and what its job says */
START_TEST(a_worker_begins)
{
	const bool braked = _i == 1;

	comes("r", BOB);
	comes("r", braked ? "p,ann,165536,tty1,far" : ANN);
	comes("r", BOB);
	ck_assert_uint_eq(service.sched.count, 3);
	while (service.sched.waiting[0].id != 1)
		sched_remove(&service.sched, service.sched.waiting[0].id);
	*said = '\0';
	is_child = true;
	if (sigsetjmp(out, 0) == 0)
		slots_hand_out(&service);
	ck_assert_str_eq(said, "close0 signals alarm120 close:3 close:4 "
			 "close:5 0:close 2:close "
			 "/proc/self/oom_score_adj=0 close:4 ");
	ck_assert_int_eq(job.fd, FIRST + 1);
	ck_assert_int_eq(job.control, PAIRS + 1);
	ck_assert_int_eq(job.lock, -1);
	ck_assert(job.has_slot && job.conf == configuration());
	ck_assert(job.work == (braked ? set_password : login_verify));
	ck_assert(job.braked == braked && job.may_leave == job_may_leave);
	ck_assert(job.was_free == job_was_free);
	ck_assert_uint_eq(job.owner, braked ? 1002 : 0);
	ck_assert_uint_eq(job.req.caller, braked ? 165536 : 0);
	ck_assert_str_eq(job.req.user, "ann");
	ck_assert_str_eq(job.req.rhost, braked ? "far" : "");
}
END_TEST

/* Pairs of hosts that are the same source, or are not */
static const struct {
	const char *one, *other;
	bool same;
} hosts[] = {
	{ "192.0.2.1", "192.0.2.1", true },
	{ "192.0.2.1", "192.0.2.2", false },
	{ "192.0.2.1", "::ffff:192.0.2.1", true },
	{ "::ffff:192.0.2.1", "::ffff:192.0.2.2", false },
	{ "127.0.0.1", "127.9.9.9", true },
	{ "127.0.0.1", "::1", true },
	{ "127.0.0.1", "::ffff:127.0.0.2", true },
	{ "127.0.0.1", "126.0.0.1", false },
	{ "2001:db8::1", "2001:db8::2", true },
	{ "2001:db8::1", "2001:db8:0:0:ffff::1", true },
	{ "2001:db8::1", "2001:db8:0:1::1", false },
	{ "::1", "::2", false },
	{ "a.example", "b.example", false },
	{ "a.example", "a.example", true },
};

START_TEST(comes_from)
{
	struct request one = { .op = OP_VERIFY }, other = one;

	strcpy(one.rhost, hosts[_i].one);
	strcpy(other.rhost, hosts[_i].other);
	ck_assert((source_of(&one, 0) == source_of(&other, 0)) ==
		  hosts[_i].same);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("service");
	TCase *c = tcase_create("service");

	tcase_add_checked_fixture(c, start, NULL);
	tcase_add_loop_test(c, says, 0, COUNT(scripts));
	tcase_add_loop_test(c, cannot_begin, 0, 2);
	tcase_add_loop_test(c, crowd_is_served, 0, COUNT(crowds));
	tcase_add_loop_test(c, asks, 0, COUNT(askers));
	tcase_add_loop_test(c, a_worker_begins, 0, 2);
	tcase_add_loop_test(c, comes_from, 0, COUNT(hosts));
	suite_add_tcase(suite, c);
	return check_main(suite);
}
