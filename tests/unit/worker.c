/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a worker does around its hash, and what "lyra2d --once" does before one.
 *
 * The files are compiled in, and what they call is here: see worker.h.  No time
 * passes but what they wait for.  What they do is told in words.
 */
#include "worker.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <security/_pam_types.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check-main.h"
#include "pam/protocol/clock.h"
#include "pam/service/brake-file.h"
#include "pam/service/configuration.h"
#include "pam/service/connections.h"
#include "pam/service/once.h"
#include "pam/service/operations.h"
#include "pam/service/source.h"
#include "pam/service/start.h"
#include "pam/shadow/shadow.h"
#include "pam/work/answer.h"
#include "pam/work/audit-log.h"
#include "pam/work/login.h"
#include "pam/work/set-password.h"
#include "pam/work/verify.h"
#include "pam/work/worker.h"
#include "say.h"

#define COUNT(table) (int)(sizeof(table) / sizeof((table)[0]))
#define MODULE 3
#define CONTROL 4
#define BRAKE_FILE 5
#define LOCK 6
#define CGROUP 7
#define MOST (UINT64_C(1) << 40)
#define PASSWORD "correct horse battery staple"
#define NEW_PASSWORD "another"
#define OLD "$6$salt$old"
#define OTHER "$6$salt$other"
#define NEW "$6$salt$new"

static int64_t now;
static const char *script;	/* of the module, or of the service */

static void says(const char *wanted)
{
	ck_assert_str_eq(said, wanted);
}

/* ---- what fails, in words ---- */
static const char *failing = "";

static bool fails(const char *what)
{
	return strstr(failing, what) != NULL;
}

/* ---- the system ---- */
static size_t wiped;		/* bytes, at the last time */

void explicit_bzero(void *p, size_t n)
{
	memset(p, 0, n);
	wiped = n;
}

unsigned alarm(unsigned seconds)
{
	say("alarm%u ", seconds);
	return 0;
}

int nanosleep(const struct timespec *t, struct timespec *left)
{
	ck_assert(!left && t->tv_nsec < 1000000000);
	now += t->tv_sec * 1000 + t->tv_nsec / 1000000;
	return 0;
}

int64_t clock_ms(void)
{
	return now;
}

int64_t brake_file_now(void)
{
	return now;
}

int seam_open(const char *path, int flags)
{
	if (strstr(path, "cgroup")) {
		ck_assert_int_eq(flags, O_WRONLY | O_CLOEXEC);
		say("%s ", strstr(path, "init") ? "init.scope" : "cgroup");
		return fails("no-cgroup") ? -1 : CGROUP;
	}
	if (strstr(path, "root-kept")) {
		ck_assert_int_eq(flags, O_WRONLY | O_CREAT | O_EXCL |
				 O_NOFOLLOW | O_CLOEXEC);
		errno = fails("said") ? EEXIST : EROFS;
		return fails("said") || fails("read-only") ? -1 : CGROUP;
	}
	ck_assert_int_eq(flags, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW);
	say("%s ", strrchr(path, '/') + 1);
	return fails("no-lock") ? -1 : LOCK;
}

ssize_t write(int fd, const void *p, size_t len)
{
	ck_assert(fd == CGROUP && len == 1 && memcmp(p, "0", 1) == 0);
	return fails("stays") ? -1 : 1;
}

int close(int fd)
{
	if (fd == LOCK)
		say("unlock ");
	else
		ck_assert_int_eq(fd, CGROUP);
	return 0;
}

/* The lock of one byte; others hold it, if that fails. */
int fcntl(int fd, int what, struct flock *lock)
{
	char byte[32];

	ck_assert(fd == LOCK && what == F_OFD_SETLK);
	ck_assert(lock->l_type == F_WRLCK && lock->l_whence == SEEK_SET &&
		  lock->l_len == 1);
	snprintf(byte, sizeof(byte), "held%d ", (int)lock->l_start);
	errno = fails("unlockable") ? ENOLCK : EAGAIN;
	if (fails(byte) || fails("unlockable"))
		return -1;
	say("byte%d ", (int)lock->l_start);
	return 0;
}

/*
 * Whether the service has a word, "-" being none for a second; or whether the
 * module is gone.
 */
int poll(struct pollfd *p, nfds_t n, int ms)
{
	const bool gone = strncmp(script, "gone", 4) == 0;

	ck_assert(p[n - 1].fd == MODULE && p[n - 1].events == POLLRDHUP);
	p[n - 1].revents = gone ? POLLRDHUP : 0;
	if (n == 1) {
		ck_assert_int_eq(ms, 0);
		return gone;
	}
	ck_assert(p[0].fd == CONTROL && p[0].events == POLLIN);
	ck_assert_int_eq(ms, 1000);
	if (*script == '-') {
		script += 2;
		return 0;
	}
	p[0].revents = gone ? 0 : POLLIN;
	return 1;
}

/* From the service; at the end of the script, it has ended. */
ssize_t recv(int fd, void *p, size_t len, int flags)
{
	struct control c = { CONTROL_LEAVE, 0 };

	ck_assert(fd == CONTROL && len == sizeof(c) && flags == 0);
	switch (*script) {
	case '\0':
		return 0;
	case 'n':
		c.kind = CONTROL_NEVER;
		break;
	case 'a':
		c.kind = CONTROL_AGAIN;
		break;
	case 'w':
		c.kind = CONTROL_WAIT;
		c.number = (uint32_t)atoi(script + 4);
		break;
	}
	script += strcspn(script, " ");
	script += *script == ' ';
	memcpy(p, &c, sizeof(c));
	return sizeof(c);
}

ssize_t send(int fd, const void *p, size_t len, int flags)
{
	static const char *const names[] = {
		"done", "right", "wrong", "answered", "converted", "free",
		"again"
	};
	const struct control *c = p;

	ck_assert(fd == CONTROL && len == sizeof(*c));
	ck_assert_int_eq(flags, MSG_NOSIGNAL);
	say(">%s%s ", names[c->kind], c->number ? "-own" : "");
	return (ssize_t)len;
}

int seam_sigprocmask(int how)
{
	say(how == SIG_BLOCK ? "finish " : "may-end ");
	return 0;
}

void syslog(int priority, const char *format, ...)
{
	char line[256];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	say("{%d %s} ", priority, line);
}

/* ---- the module ---- */
static struct request asked;
static int requests;

int connections_greet(int fd, const struct options *o)
{
	ck_assert(fd == MODULE && o == configuration());
	say("hello ");
	return fails("no-hello") ? -1 : 0;
}

bool request_wait(int fd, int ms)
{
	ck_assert(fd == MODULE && ms > 0);
	say("?%d ", ms);
	if (!fails("no-secret") || ms == 120000)
		return *script != '-';
	now += ms;
	return false;
}

int request_recv(int fd, struct request *req)
{
	ck_assert_int_eq(fd, MODULE);
	*req = asked;
	return requests-- > 0 ? 0 : -1;
}

static struct secret *refused;

int secret_recv(int fd, struct secret *secret)
{
	ck_assert_int_eq(fd, MODULE);
	strcpy(secret->password, PASSWORD);
	refused = secret;
	say("secret ");
	return 0;
}

int reply_send(int fd, const struct reply *reply)
{
	static const char *const names[] = {
		"", "queued", "working", "log", "verdict", "again", "wait"
	};

	ck_assert_int_eq(fd, MODULE);
	say("%s%d%s%s ", names[reply->kind], reply->number,
	    *reply->text ? " " : "", reply->text);
	return 0;
}

/* "got", "free"; at the end of the script, silence or its end. */
int tell_recv(int fd, enum tell *tell)
{
	ck_assert_int_eq(fd, MODULE);
	*tell = *script == 'g' ? TELL_GOT : TELL_FREE;
	if (*script == '\0')
		return -1;
	script += strcspn(script, " ");
	script += *script == ' ';
	return 0;
}

/* ---- the rest of lyra2d ---- */
static int verdict;

struct verify_result verify_password(const struct stored *stored,
				     const char *password, bool nullok,
				     uint64_t max_memory)
{
	const struct verify_result v = {
		.code = verdict, .why = verdict == PAM_AUTHINFO_UNAVAIL ?
			"why" : NULL
	};

	ck_assert(stored && strcmp(password, PASSWORD) == 0);
	ck_assert_uint_eq(max_memory, MOST);
	say("verify%s ", nullok ? "-null" : "");
	return v;
}

void verify_even_out(const struct verify_result *result,
		     const struct stored *stored, const char *password,
		     const struct lyra2_params *params)
{
	ck_assert(stored && params && strcmp(password, PASSWORD) == 0);
	ck_assert_int_eq(result->code, verdict);
	say("even ");
}

int group_read(struct group *g, const char *name, const char *only)
{
	memset(g, 0, sizeof(*g));
	ck_assert(name && strcmp(only, "ann") == 0);
	return 0;
}

enum next policy_next(const struct policy *p, const struct stored *s,
		      const struct account *a, const char **why)
{
	ck_assert(p && s);
	ck_assert_str_eq(a->password, PASSWORD);
	say("wanted ");
	*why = "why";
	return fails("no-rehash") ? NEXT_CURRENT : fails("log-only") ?
		NEXT_LOG : fails("kept") ? NEXT_PREVENTED : NEXT_CONVERT;
}

int policy_hash(const struct policy *p, bool root, const char *password,
		char *hash, size_t size)
{
	ck_assert(p && size > sizeof(NEW));
	say("hash-%s%s ", strcmp(password, PASSWORD) == 0 ? "old" : "new",
	    root ? "-root" : "");
	strcpy(hash, NEW);
	errno = fails("too-long") ? EMSGSIZE : ENOMEM;
	return fails("too-long") || fails("no-memory") ? -1 : 0;
}

/* ---- /etc/shadow ---- */
static const char *stands;	/* the hash there */
static int found;

int entry_find(const char *name, struct entry *e)
{
	ck_assert_str_eq(name, "ann");
	say("find ");
	memset(e, 0, sizeof(*e));
	e->passwd = found == PAM_AUTHINFO_UNAVAIL ? PAM_SUCCESS : found;
	e->uid = fails("is-root") ? 0 : 1001;
	e->aging = (struct aging){ -1, -1, -1, -1, fails("expired") ? 1 : -1 };
	e->damage = fails("damaged") ? "the line is damaged" : NULL;
	if (fails("foreign"))
		e->passwd = PAM_IGNORE;
	strcpy(e->hash, found == PAM_SUCCESS ? stands : "");
	stored_read(&e->stored, e->hash);
	return found;
}

enum shadow_result shadow_check(const struct shadow_change *c)
{
	ck_assert_str_eq(c->user, "ann");
	say("check ");
	if (fails("missing"))
		return SHADOW_MISSING;
	return strcmp(c->old, stands) == 0 ? SHADOW_DONE : SHADOW_CHANGED;
}

enum shadow_result shadow_lock(int ms, int *lock)
{
	say("lock%d ", ms);
	*lock = fails("held") ? -1 : LOCK;
	return fails("held") ? SHADOW_BUSY : SHADOW_DONE;
}

/* What stands there changes once, if a login or passwd(1) comes first. */
enum shadow_result shadow_store(const struct shadow_change *c)
{
	ck_assert_str_eq(c->user, "ann");
	ck_assert_str_eq(c->new, NEW);
	say("store-%s%s ", !c->old ? "any" : strcmp(c->old, OLD) == 0 ? "old" :
	    strcmp(c->old, OTHER) == 0 ? "other" : "blank",
	    c->lstchg > 0 ? "-today" : "");
	if (fails("first"))
		stands = fails("deleted") ? "" : OTHER;
	if (c->old && strcmp(c->old, stands) != 0)
		return SHADOW_CHANGED;
	errno = EROFS;
	return fails("unwritten") ? SHADOW_FAILED : SHADOW_DONE;
}

void shadow_unlock(int lock)
{
	ck_assert_int_eq(lock, LOCK);
	say("give-back ");
}

void audit_log(enum audit_event event, const char *user, uid_t uid, int done)
{
	ck_assert_str_eq(user, "ann");
	say("%s-%d%s ", event == AUDIT_REHASH ? "rehash" : "change", done,
	    uid == 0 ? "-root" : "");
}

/* ---- the service ---- */
const struct options *configuration(void)
{
	static struct options o;

	lyra2_params_default(&o.policy.params);
	o.policy.max_memory = MOST;
	o.policy.method = method_new(0);
	return &o;
}

uid_t source_owner(uid_t uid)
{
	return uid >= 165536 ? 1002 : uid;
}

void start_directory(void)
{
	say("directory ");
}

static bool is_wiped(const struct secret *secret)
{
	static const struct secret none;

	return memcmp(secret, &none, sizeof(none)) == 0;
}

/* ---- the verdict of a login ---- */
static enum leave leaves;

static enum leave may_leave(struct job *job, bool right)
{
	say("%s%s ", right ? "right" : "wrong",
	    is_wiped(&job->secret) ? "" : "-kept");
	job->has_slot = false;
	return leaves;
}

static void was_free(struct job *job)
{
	ck_assert_int_eq(job->fd, MODULE);
	say("free ");
}

#define USER 1001, 0
#define PASSED "{6 password check passed for user (ann) [UID=1001]} "
#define FAILED "{5 password check failed for user (ann) [UID=1001]} "

#define TRIES "check hash-old >done lock2000 "
#define STORES TRIES "finish store-old give-back "
#define REHASH STORES ">converted {5 password of user ann rehashed from " \
	"sha512crypt to sha512crypt} rehash-1"
#define RIGHT "verify right-kept verdict0 >answered ?2000 free wanted "
#define NOT "{5 password of user ann not rehashed from sha512crypt: "

static const struct {
	uid_t caller;
	uint32_t flags;
	int found, verdict;
	enum leave leaves;
	const char *script, *failing, *says;
} logins[] = {
	{ 0, 0, 0, 0, LEAVE_NOW, "got", "",
	  "verify right-kept verdict0 >answered ?2000 ?2000 wanted >again" },
	{ 0, 0, 0, 0, LEAVE_NOW, "got free again", "",
	  "verify right-kept verdict0 >answered ?2000 ?2000 free wanted "
	  ">again " REHASH },
	{ 0, 0, 0, 0, LEAVE_NOW, "got free again", "no-rehash",
	  "verify right-kept verdict0 >answered ?2000 ?2000 free wanted" },
	{ 0, 0, 0, 0, LEAVE_NOW, "free again", "",
	  "verify right-kept verdict0 >answered ?2000 free wanted >again "
	  REHASH },
	{ 0, 0, 0, 0, LEAVE_NOW, "-", "",
	  "verify right-kept verdict0 >answered ?2000" },
	{ 0, 0, 0, 0, LEAVE_NOW, "", "",
	  "verify right-kept verdict0 >answered ?2000" },
	{ 0, FLAG_NO_REHASH | FLAG_NULLOK, 0, 0, LEAVE_NOW, "got free again",
	  "", "verify-null right-kept verdict0 >answered free" },
	{ 0, 0, 0, 7, LEAVE_NOW, "got free again", "",
	  "verify even wrong {5 password check failed for user (ann)} "
	  "verdict7 >answered" },
	{ 0, 0, 0, 9, LEAVE_NOW, "got free again", "",
	  "verify log3 password hash of user ann refused: why even >done "
	  "verdict9 >answered" },
	{ 0, 0, 10, 10, LEAVE_NOW, "got free again", "",
	  "even >done verdict10 >answered" },
	{ USER, 0, 0, LEAVE_NOW, "got free again", "",
	  "verify even right-kept " PASSED "verdict0 >answered ?2000 ?2000 "
	  "free wanted >again " REHASH },
	{ USER, 0, 7, LEAVE_NOW, "got free again", "",
	  "verify even wrong " FAILED "verdict7 >answered" },
	{ USER, 0, 7, LEAVE_NEVER, "got free again", "",
	  "verify even wrong verdict15" },
	{ USER, 0, 0, LEAVE_NEVER, "got free again", "",
	  "verify even right-kept verdict15" },
	{ USER, 0, 0, LEAVE_AGAIN, "got free again", "",
	  "verify even right-kept again0" },
	{ USER, 0, 7, LEAVE_AGAIN, "got free again", "",
	  "verify even wrong again0" },
	/* what keeps a hash from being replaced */
	{ 0, 0, 0, 0, LEAVE_NOW, "free again", "first", RIGHT ">again " STORES
	  NOT "another process changed it first} rehash-0" },
	{ 0, 0, 0, 0, LEAVE_NOW, "free again", "missing", RIGHT ">again check "
	  NOT "it is not in /etc/shadow} rehash-0" },
	{ 0, 0, 0, 0, LEAVE_NOW, "free again", "held", RIGHT ">again " TRIES
	  NOT "another program holds the lock /etc/.pwd.lock} rehash-0" },
	{ 0, 0, 0, 0, LEAVE_NOW, "free again", "unwritten", RIGHT ">again "
	  STORES NOT "Read-only file system} rehash-0" },
	{ 0, 0, 0, 0, LEAVE_NOW, "free again", "no-memory", RIGHT ">again "
	  "check hash-old " NOT "Cannot allocate memory} rehash-0" },
	{ 0, 0, 0, 0, LEAVE_NOW, "free again", "kept", RIGHT NOT "why}" },
	{ 0, 0, 0, 0, LEAVE_NOW, "free again", "kept said", RIGHT NOT "why}" },
	{ 0, 0, 0, 0, LEAVE_NOW, "free again", "kept is-root", RIGHT NOT
	  "why}" },
	{ 0, 0, 0, 0, LEAVE_NOW, "free again", "kept is-root read-only",
	  RIGHT NOT "why}" },
	{ 0, 0, 0, 0, LEAVE_NOW, "free again", "kept is-root said",
	  "verify right-kept verdict0 >answered ?2000 free wanted" },
	{ 0, 0, 0, 0, LEAVE_NOW, "free again", "log-only", RIGHT
	  "{5 password of user ann would be rehashed from sha512crypt to "
	  "lyra2}" },
};

/* Words end with a blank. */
static void trim(void)
{
	const size_t len = strlen(said);

	if (len > 0)
		said[len - 1] = '\0';
}

START_TEST(logs_in)
{
	struct job job = {
		.fd = MODULE, .control = CONTROL, .lock = -1, .has_slot = true,
		.owner = logins[_i].caller, .may_leave = may_leave,
		.was_free = was_free, .found = logins[_i].found,
		.conf = configuration(), .secret = { PASSWORD, "" },
		.entry = { .uid = 1001, .hash = OLD },
		.req = {
			.op = OP_VERIFY, .caller = logins[_i].caller,
			.flags = logins[_i].flags, .user = "ann"
		}
	};

	stored_read(&job.entry.stored, job.entry.hash);
	stands = OLD;
	if (strstr(logins[_i].failing, "is-root"))
		job.entry.uid = 0;
	verdict = logins[_i].verdict;
	leaves = logins[_i].leaves;
	script = logins[_i].script;
	failing = logins[_i].failing;
	login_verify(&job);
	trim();
	says(logins[_i].says);
}
END_TEST

/* ---- a new password ---- */
#define ROOTS FLAG_ROOT
#define BLANK 0
#define OWN FLAG_CHECK_OLD
#define BEGINS ">done lock15000 finish find "
#define CHANGED "log5 password changed for ann change-1 verdict0 >answered"
#define MEANWHILE "log3 password of user ann not changed: another process " \
	"changed it first "
#define FAILS "change-0 verdict20 >answered"

static const struct {
	uint32_t flags;
	const char *stands;	/* "": the user has none */
	int found, verdict;
	const char *script, *failing, *says;
} news[] = {
	{ OWN, OLD, 0, 0, "", "",
	  "verify hash-new " BEGINS "store-old-today give-back " CHANGED },
	{ OWN | FLAG_NULLOK, OLD, 0, 0, "", "", "verify-null hash-new " BEGINS
	  "store-old-today give-back " CHANGED },
	{ ROOTS, OLD, 0, 0, "", "",
	  "hash-new " BEGINS "store-any-today give-back " CHANGED },
	{ ROOTS, OLD, PAM_AUTHINFO_UNAVAIL, 0, "", "",
	  "hash-new " BEGINS "store-any-today give-back " CHANGED },
	{ ROOTS, OLD, 0, 0, "", "expired",
	  "hash-new " BEGINS "store-any-today give-back " CHANGED },
	{ ROOTS, OLD, PAM_USER_UNKNOWN, 0, "", "", "verdict10 >answered" },
	{ ROOTS, OLD, PAM_IGNORE, 0, "", "", "verdict10 >answered" },
	{ BLANK, "", 0, 0, "", "", "hash-new " BEGINS
	  "store-blank-today give-back " CHANGED },
	{ BLANK, "", 0, 0, "", "first", "hash-new " BEGINS
	  "store-blank-today " MEANWHILE "give-back " FAILS },
	{ OWN, OLD, PAM_AUTHINFO_UNAVAIL, 0, "", "", "verdict9 >answered" },
	{ OWN, OLD, 0, 7, "", "",
	  "verify log5 user password changed by another process change-0 "
	  "verdict7 >answered" },
	{ OWN, OLD, 0, 0, "", "expired", "verify hash-new " BEGINS
	  "log5 user shadow entry expired give-back change-0 verdict13 "
	  ">answered" },
	{ OWN, OLD, 0, 0, "", "held", "verify hash-new >done lock15000 log3 "
	  "cannot lock the password files: another program holds the lock "
	  "/etc/.pwd.lock change-0 verdict22 >answered" },
	{ OWN, OLD, 0, 0, "", "unwritten", "verify hash-new " BEGINS
	  "store-old-today log3 password of user ann not changed: Read-only "
	  "file system give-back " FAILS },
	{ OWN, OLD, 0, 0, "", "too-long", "verify hash-new log5 new password "
	  "of user ann rejected: too long for the configured method change-0 "
	  "verdict20 >answered" },
	{ OWN, OLD, 0, 0, "", "no-memory", "verify hash-new log2 cannot "
	  "compute the hash of the new password change-0 verdict5 >answered" },
	/* a login has rehashed the old one meanwhile; or somebody deleted it */
	{ OWN, OLD, 0, 0, "again", "first", "verify hash-new " BEGINS
	  "store-old-today give-back may-end >again find verify " BEGINS
	  "store-other-today give-back " CHANGED },
	{ OWN, OLD, 0, 0, "", "first", "verify hash-new " BEGINS
	  "store-old-today give-back may-end >again " MEANWHILE FAILS },
	{ OWN, OLD, 0, 0, "again", "first deleted", "verify hash-new " BEGINS
	  "store-old-today give-back may-end >again find >done " MEANWHILE
	  FAILS },
};

START_TEST(sets_passwords)
{
	struct job job = {
		.fd = MODULE, .control = CONTROL, .lock = -1, .has_slot = true,
		.conf = configuration(), .secret = { PASSWORD, NEW_PASSWORD },
		.req = {
			.op = OP_SET, .flags = news[_i].flags, .user = "ann"
		}
	};

	stands = news[_i].stands;
	found = news[_i].found;
	verdict = news[_i].verdict;
	script = news[_i].script;
	failing = news[_i].failing;
	job.found = entry_find("ann", &job.entry);
	*said = '\0';
	set_password(&job);
	trim();
	says(news[_i].says);
}
END_TEST

/* Neither none nor one of 512 bytes. */
START_TEST(passwords_have_a_length)
{
	struct job job = {
		.fd = MODULE, .control = CONTROL, .lock = -1, .has_slot = true,
		.conf = configuration(),
		.req = { .op = OP_SET, .flags = ROOTS, .user = "ann" }
	};

	stands = OLD;
	job.found = entry_find("ann", &job.entry);
	*said = '\0';
	memset(job.secret.new_password, 'x', _i == 0 ? 0 : 510 + (size_t)_i);
	set_password(&job);
	trim();
	says(_i == 1 ? "hash-new " BEGINS "store-any-today give-back " CHANGED :
	     FAILS);
}
END_TEST

/* ---- a question without a hash ---- */
static const struct {
	int found;
	const char *failing, *stands;
	uint32_t flags;
	struct status status;
	bool logs;
} questions[] = {
	{ 0, "", OLD, 0, { 0, 0, false }, false },
	{ 0, "", "", 0, { 0, 0, true }, false },
	{ 0, "expired", OLD, 0, { 0, PAM_ACCT_EXPIRED, false }, false },
	{ 0, "expired", OLD, FLAG_ROOT, { 0, 0, false }, false },
	{ 0, "", OLD, FLAG_EXPIRED_ONLY, { 0, PAM_AUTHTOK_ERR, false }, false },
	{ 0, "foreign", OLD, 0, { PAM_IGNORE, 0, false }, false },
	{ PAM_USER_UNKNOWN, "", OLD, 0,
	  { PAM_USER_UNKNOWN, PAM_USER_UNKNOWN, false }, false },
	{ PAM_AUTHINFO_UNAVAIL, "damaged", OLD, 0,
	  { PAM_AUTHINFO_UNAVAIL, PAM_AUTHINFO_UNAVAIL, false }, false },
	{ PAM_AUTHINFO_UNAVAIL, "damaged", OLD, FLAG_ROOT,
	  { PAM_AUTHINFO_UNAVAIL, 0, false }, true },
	{ PAM_AUTHINFO_UNAVAIL, "", OLD, FLAG_ROOT,
	  { PAM_AUTHINFO_UNAVAIL, 0, false }, false },
};

/* The service itself says it, and keeps no hash. */
START_TEST(says_how_a_user_stands)
{
	const struct request req = { .op = OP_STATUS, .user = "ann",
				     .flags = questions[_i].flags };
	char want[100];

	found = questions[_i].found;
	failing = questions[_i].failing;
	stands = questions[_i].stands;
	answer_status(MODULE, &req);
	snprintf(want, sizeof(want), "find %sverdict%d ", questions[_i].logs ?
		 "log3 user ann: the line is damaged " : "",
		 status_pack(&questions[_i].status));
	ck_assert_str_eq(said, want);
	ck_assert_uint_eq(wiped, sizeof(struct entry));
}
END_TEST

/* ---- an answer that waits ---- */
static const struct {
	bool braked, right;
	const char *script;
	enum leave leave;
	const char *says;
} answers[] = {
	{ false, true, "", LEAVE_NOW, ">done unlock" },
	{ false, false, "", LEAVE_NOW, ">done unlock" },
	{ true, true, "leave", LEAVE_NOW, ">right-own unlock" },
	{ true, false, "leave", LEAVE_NOW, ">wrong-own unlock" },
	{ true, false, "never", LEAVE_NEVER, ">wrong-own unlock" },
	{ true, false, "again", LEAVE_NEVER, ">wrong-own unlock" },
	{ true, true, "", LEAVE_AGAIN, ">right-own unlock" },
	{ true, true, "gone", LEAVE_AGAIN, ">right-own unlock" },
	{ true, true, "- - gone", LEAVE_AGAIN,
	  ">right-own unlock working0 working0" },
	{ true, false, "- wait64 - leave", LEAVE_NOW,
	  ">wrong-own unlock working0 alarm184 wait64 working0" },
};

START_TEST(waits_to_leave)
{
	struct job job = {
		.fd = MODULE, .control = CONTROL, .lock = LOCK,
		.has_slot = true, .owner = 1001, .braked = answers[_i].braked,
		.entry = { .uid = 1001 }
	};

	script = answers[_i].script;
	ck_assert_int_eq(job_may_leave(&job, answers[_i].right),
			 (int)answers[_i].leave);
	ck_assert(!job.has_slot && job.lock == -1);
	trim();
	says(answers[_i].says);
}
END_TEST

/* Whose account it is, as far as that is known. */
START_TEST(knows_own_accounts)
{
	static const struct {
		int passwd;
		uid_t uid;
		bool own;
	} table[] = {
		{ PAM_SUCCESS, 1001, true }, { PAM_IGNORE, 1001, true },
		{ PAM_SUCCESS, 1002, false }, { PAM_USER_UNKNOWN, 1001, false },
		{ PAM_AUTHINFO_UNAVAIL, 1001, false },
		{ PAM_SYSTEM_ERR, 1001, false }
	};
	const struct job job = {
		.owner = 1001, .entry = {
			.passwd = table[_i].passwd, .uid = table[_i].uid
		}
	};

	ck_assert(job_is_own(&job) == table[_i].own);
}
END_TEST

/* ---- "lyra2d --once" ---- */
static bool right;
static unsigned level;		/* of the caller, in the file */
static int64_t until;
static bool written;		/* a penalty */

int brake_file_open(const char *path)
{
	ck_assert_str_eq(path, "/run/lyra2/brake");
	say("brake ");
	return fails("no-file") ? -1 : BRAKE_FILE;
}

int brake_file_lock(int fd, int wait_ms)
{
	ck_assert(fd == BRAKE_FILE && wait_ms == 10000);
	say("lock ");
	return fails("no-turn") ? -1 : 0;
}

int brake_file_load(int fd, struct brake *b, int64_t at)
{
	ck_assert(fd == BRAKE_FILE && at == now);
	say("load ");
	brake_tick(b, at);
	if (!written && level > 0)
		brake_set(brake_key(b, 1002, false), (struct brake_level){
			.until = until, .level = level
		});
	written = true;
	return 0;
}

int brake_file_save(int fd, struct brake *b, int64_t at)
{
	ck_assert(fd == BRAKE_FILE && b && at == now);
	say("save%d ", b->nkeys > 0 ? (int)b->keys[0].at.level : 0);
	return fails("no-room") ? -1 : 0;
}

void worker_run(struct job *job)
{
	enum leave leave;

	ck_assert(job->fd == MODULE && job->control == -1 && job->has_slot);
	ck_assert(job->conf == configuration());
	ck_assert_str_eq(job->req.user, asked.user);
	ck_assert_uint_eq(job->owner, source_owner(asked.caller));
	say("work ");
	leave = job->may_leave(job, right);
	ck_assert(!job->has_slot && job->lock == -1);
	say(leave == LEAVE_NOW ? "leaves " : leave == LEAVE_NEVER ? "never " :
	    "again ");
	/* A wrong password is never free. */
	if (leave == LEAVE_NOW && !fails("no-free"))
		job->was_free(job);
}

static void work(struct job *job)
{
	(void)job;
}

static void at_once(int fd, const struct request *req)
{
	ck_assert(fd == MODULE && req->op == OP_STATUS);
	say("status ");
}

const struct operation *operations_find(uint32_t number)
{
	static const struct operation verify = {
		OP_VERIFY, HELPER, work, NULL
	};
	static const struct operation status = {
		OP_STATUS, ROOT, NULL, at_once
	};

	return number == OP_VERIFY ? &verify :
		number == OP_STATUS ? &status : NULL;
}

#define HEAD "hello ?120000 alarm120 ?5000 directory "
#define REFUSED "secret {4 password check refused: no turn for 10 seconds; " \
	"start lyra2d.socket [UID="
#define QUEUED "queued1 queued1 queued1 queued1 queued1 queued1 queued1 " \
	"queued1 queued1 queued1 queued1 "

static const struct {
	enum op op;
	uid_t caller;
	const char *user, *failing, *script;
	bool right;
	unsigned level;
	int until;		/* in ms, from now */
	int rc;
	const char *says;
} calls[] = {
	/* what takes no hash */
	{ OP_STATUS, 1001, "ann", "", "", true, 0, 0, 0,
	  "hello ?120000 alarm120 status alarm0 ?120000 alarm120 status "
	  "alarm0 ?120000" },
	{ OP_SET, 1001, "ann", "", "", true, 0, 0, 0, "hello ?120000" },
	{ OP_VERIFY, 0, "ann", "", "-", true, 0, 0, 0, "hello ?120000" },
	{ OP_VERIFY, 0, "ann", "no-hello", "", true, 0, 0, 1, "hello" },
	{ OP_VERIFY, 0, "ann", "no-secret", "", true, 0, 0, 1,
	  "hello ?120000 alarm120 ?5000" },
	/* root's programs */
	{ OP_VERIFY, 0, "ann", "", "", true, 0, 0, 0,
	  HEAD "once byte0 queued0 work unlock leaves" },
	{ OP_VERIFY, 0, "ann", "no-lock", "", true, 0, 0, 0,
	  HEAD "once queued0 work leaves" },
	{ OP_VERIFY, 0, "ann", "held0 ", "", true, 0, 0, 1,
	  HEAD "once " QUEUED "unlock " REFUSED "0]} verdict15" },
	{ OP_VERIFY, 0, "root", "held0 ", "", true, 0, 0, 0,
	  HEAD "once " QUEUED "unlock queued0 work leaves" },
	{ OP_VERIFY, 0, "ann", "unlockable", "", true, 0, 0, 1,
	  HEAD "once unlock " REFUSED "0]} verdict15" },
	/* users' */
	{ OP_VERIFY, 1001, "ann", "", "", true, 0, 0, 0,
	  HEAD "once-users cgroup byte1002 byte0 queued0 work unlock brake "
	  "lock load save1 leaves lock load save0" },
	{ OP_VERIFY, 165536, "ann", "no-cgroup", "", true, 0, 0, 0,
	  HEAD "once-users cgroup init.scope byte1003 byte0 queued0 work "
	  "unlock brake lock load save1 leaves lock load save0" },
	{ OP_VERIFY, 1001, "ann", "stays no-free", "", true, 0, 0, 0,
	  HEAD "once-users cgroup init.scope byte1002 byte0 queued0 work "
	  "unlock brake lock load save1 leaves" },
	{ OP_VERIFY, 1001, "ann", "no-lock", "", false, 0, 0, 0,
	  HEAD "once-users queued0 work brake lock load save1 leaves lock "
	  "load save1" },
	{ OP_VERIFY, 1001, "root", "held1002 ", "", true, 0, 0, 1,
	  HEAD "once-users cgroup " QUEUED "unlock " REFUSED "1001]} "
	  "verdict15" },
	{ OP_VERIFY, 1001, "ann", "held0 no-free", "", true, 0, 0, 0,
	  HEAD "once-users cgroup byte1002 queued1 queued1 queued0 work unlock "
	  "brake lock load save1 leaves" },
	/* the brake */
	{ OP_VERIFY, 1001, "ann", "no-file", "", true, 0, 0, 0,
	  HEAD "once-users cgroup byte1002 byte0 queued0 work unlock brake "
	  "never" },
	{ OP_VERIFY, 1001, "ann", "no-turn", "", true, 0, 0, 0,
	  HEAD "once-users cgroup byte1002 byte0 queued0 work unlock brake "
	  "lock never" },
	{ OP_VERIFY, 1001, "ann", "no-room", "", true, 0, 0, 0,
	  HEAD "once-users cgroup byte1002 byte0 queued0 work unlock brake "
	  "lock load save1 never" },
	{ OP_VERIFY, 165536, "ann", "", "", false, 3, 2000, 0,
	  HEAD "once-users cgroup byte1003 byte0 queued0 work unlock brake "
	  "lock load save3 alarm123 wait3 lock load save3 working0 lock "
	  "load save4 leaves lock load save4" },
	{ OP_VERIFY, 165536, "ann", "", "gone", false, 3, 2000, 0,
	  HEAD "once-users cgroup byte1003 byte0 queued0 work unlock brake "
	  "lock load save3 never" },
};

START_TEST(serves_one_module)
{
	asked = (struct request){
		.op = calls[_i].op, .caller = calls[_i].caller
	};
	strcpy(asked.user, calls[_i].user);
	requests = 2;
	failing = calls[_i].failing;
	script = calls[_i].script;
	right = calls[_i].right;
	level = calls[_i].level;
	until = now + calls[_i].until;
	ck_assert_int_eq(once(MODULE), calls[_i].rc);
	ck_assert(!refused || is_wiped(refused));
	trim();
	says(calls[_i].says);
}
END_TEST

/*
 * No core dump may show the memory, so the process is not dumpable.
 * RLIMIT_CORE does not bind a program that receives dumps.
 */
START_TEST(leaves_no_core)
{
	start_clean(0, 1000);
	ck_assert_int_eq(prctl(PR_GET_DUMPABLE), 0);
	ck_assert_ptr_null(getenv("PATH"));
}
END_TEST

/* From now on, the kernel refuses a call. */
static int refuse_call(long number)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
	};
	const struct sock_fprog filter = { COUNT(code), code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ? -1 :
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

/* What a sandbox may refuse, and the exit status then */
static const struct {
	long call;
	int status;
	long too;		/* another call */
} refusals[] = {
	{ .call = SYS_setgroups }, { .call = SYS_setresgid },
	{ .call = SYS_prlimit64 }, { .call = SYS_prctl },
	{ .call = SYS_chdir }, { .call = SYS_personality },
	{ .call = SYS_set_mempolicy }, { .call = SYS_sched_setattr },
	{ .call = SYS_sched_setscheduler }, { .call = SYS_sched_setaffinity },
	{ .call = SYS_setpriority }, { .call = SYS_ioprio_set },
	{ .call = SYS_setitimer }, { .call = SYS_close_range },
	{ .call = SYS_socket },
	/* Without these, a user could read its memory. */
	{ .call = SYS_setresuid, .status = 4 },
	{ .call = SYS_prlimit64, .status = 4, .too = SYS_prctl }
};

START_TEST(starts_where_calls_are_refused)
{
	int status = -1;
	pid_t pid = geteuid() == 0 ? fork() : -1;

	if (pid == 0) {
		if (refuse_call(refusals[_i].call) < 0 ||
		    (refusals[_i].too && refuse_call(refusals[_i].too) < 0))
			_exit(77);
		start_clean(1, 1000);
		_exit(0);
	}
	if (pid > 0 && waitpid(pid, &status, 0) == pid &&
	    WEXITSTATUS(status) != 77)
		ck_assert_int_eq(status, refusals[_i].status << 8);
}
END_TEST

static void start(void)
{
	now = 100000;
	script = "";
}

int main(void)
{
	Suite *suite = suite_create("worker");
	TCase *c = tcase_create("worker");

	tcase_add_checked_fixture(c, start, NULL);
	tcase_add_loop_test(c, logs_in, 0, COUNT(logins));
	tcase_add_loop_test(c, sets_passwords, 0, COUNT(news));
	tcase_add_loop_test(c, passwords_have_a_length, 0, 3);
	tcase_add_loop_test(c, says_how_a_user_stands, 0, COUNT(questions));
	tcase_add_loop_test(c, waits_to_leave, 0, COUNT(answers));
	tcase_add_loop_test(c, knows_own_accounts, 0, 6);
	tcase_add_loop_test(c, serves_one_module, 0, COUNT(calls));
	tcase_add_test(c, leaves_no_core);
	tcase_add_loop_test(c, starts_where_calls_are_refused, 0,
			    COUNT(refusals));
	suite_add_tcase(suite, c);
	return check_main(suite);
}
