/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The module, with libpam, the user and lyra2d as this test plays them: lyra2d
 * is a thread, which listens on the socket in another root directory.  Each row
 * is a call: what comes, in turn, what the module says and asks, and what it
 * returns.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <security/pam_modutil.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <syslog.h>
#include <unistd.h>

#include "check-main.h"
#include "instrumented.h"
#include "left.h"
#include "pam/protocol/request.h"
#include "say.h"
#include "src/config/paths.h"

#define BYTES_32 "ssssssssssssssssssssssssssssssss"	/* the longest */

static pam_handle_t *const handle = (void *)0x10;
static const char *events;	/* that have not come yet */
static char word[64];		/* of the last one */
static uid_t uid, euid;
static bool readable;		/* is /etc/shadow, for the application */
static const char *old;		/* PAM_OLDAUTHTOK */
static bool no_memory, no_rules;

/*
 * The next event must have that name.  Returns its code after "!", or
 * PAM_SUCCESS with the rest after "=" in word.
 */
static int comes(const char *name)
{
	const size_t len = strlen(name), end = strcspn(events, " ");
	const char *rest = events + len + 1;

	ck_assert_msg(strncmp(events, name, len) == 0 &&
		      strchr("=!", events[len]) && end < sizeof(word),
		      "%s is asked for, and \"%s\" comes", name, events);
	snprintf(word, sizeof(word), "%.*s", (int)(end - len - 1), rest);
	events += end + (events[end] == ' ');
	return rest[-1] == '!' ? atoi(word) : PAM_SUCCESS;
}

/* ---- the system ---- */
uid_t __wrap_getuid(void);
uid_t __wrap_getuid(void)
{
	return uid;
}

/* What the program was started with */
unsigned long __real_getauxval(unsigned long type);
unsigned long __wrap_getauxval(unsigned long type);
unsigned long __wrap_getauxval(unsigned long type)
{
	return type == AT_UID ? uid : __real_getauxval(type);
}

uid_t __wrap_geteuid(void);
uid_t __wrap_geteuid(void)
{
	return euid;
}

int __real_faccessat(int dir, const char *path, int mode, int flags);
int __wrap_faccessat(int dir, const char *path, int mode, int flags);
int __wrap_faccessat(int dir, const char *path, int mode, int flags)
{
	if (strcmp(path, PATH_SHADOW) != 0)
		return __real_faccessat(dir, path, mode, flags);
	ck_assert(mode == R_OK && flags == AT_EACCESS);
	errno = EACCES;
	return readable ? 0 : -1;
}

/* Whoever runs this test, it is root that listens. */
int __real_getsockopt(int fd, int level, int name, void *p, socklen_t *len);
int __wrap_getsockopt(int fd, int level, int name, void *p, socklen_t *len);
int __wrap_getsockopt(int fd, int level, int name, void *p, socklen_t *len)
{
	const int rc = __real_getsockopt(fd, level, name, p, len);

	if (rc == 0 && name == SO_PEERCRED)
		((struct ucred *)p)->uid = 0;
	return rc;
}

/* Of the result; Check needs its own. */
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
	return no_memory && size == sizeof(int) ? NULL : __real_malloc(size);
}

/* ---- libpam ---- */
#define TERMINAL "/dev/tty1"
#define FAILURE "authentication failure; logname=joe uid=1001 euid=1001 " \
	"tty=" TERMINAL " ruser= rhost= "
static unsigned delay;		/* of pam_fail_delay(3) */

void pam_syslog(const pam_handle_t *pamh, int priority, const char *format, ...)
{
	char line[256];
	va_list args;

	ck_assert_ptr_eq(pamh, handle);
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (strncmp(line, FAILURE, strlen(FAILURE)) == 0)
		say("failure%s ", line + strlen(FAILURE));
	else
		say("{%d %s} ", priority, line);
}

int pam_fail_delay(pam_handle_t *pamh, unsigned us)
{
	ck_assert_ptr_eq(pamh, handle);
	delay = us;
	return PAM_SUCCESS;
}

const char *pam_modutil_getlogin(pam_handle_t *pamh)
{
	ck_assert_ptr_eq(pamh, handle);
	return "joe";
}

/* No application of this test gives PAM_RUSER, or asks for its own user. */
struct passwd *pam_modutil_getpwnam(pam_handle_t *pamh, const char *user)
{
	(void)pamh;
	(void)user;
	return NULL;
}

/* Each user has an account. */
struct passwd *pam_modutil_getpwuid(pam_handle_t *pamh, uid_t id)
{
	static struct passwd pw;

	(void)pamh;
	pw.pw_uid = id;
	return &pw;
}

int pam_prompt(pam_handle_t *pamh, int style, char **answer,
	       const char *format, ...)
{
	char line[256];
	va_list args;

	ck_assert(pamh == handle && !answer);
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (style == PAM_ERROR_MSG) {
		say("<%s> ", line);
		return PAM_SUCCESS;
	}
	ck_assert_int_eq(style, PAM_TEXT_INFO);
	say("[%s] ", line);
	return comes("shown");
}

int pam_get_user(pam_handle_t *pamh, const char **user, const char *prompt)
{
	static char name[64];
	const int code = comes("user");

	ck_assert(pamh == handle && !prompt);
	snprintf(name, sizeof(name), "%s", word);
	*user = code == PAM_SUCCESS ? name : NULL;
	return code;
}

int pam_get_authtok(pam_handle_t *pamh, int item, const char **token,
		    const char *prompt)
{
	static char kept[2][64];
	char *p = kept[item == PAM_OLDAUTHTOK];
	const int code = comes(item == PAM_OLDAUTHTOK ? "old" : "new");

	ck_assert(pamh == handle && !prompt);
	ck_assert(item == PAM_OLDAUTHTOK || item == PAM_AUTHTOK);
	snprintf(p, sizeof(kept[0]), "%s", word);
	*token = code == PAM_SUCCESS ? p : NULL;
	return code;
}

int pam_get_item(const pam_handle_t *pamh, int item, const void **p)
{
	ck_assert_ptr_eq(pamh, handle);
	*p = item == PAM_OLDAUTHTOK ? old : item == PAM_TTY ? TERMINAL : NULL;
	return item == PAM_OLDAUTHTOK ? comes("item") : PAM_SUCCESS;
}

int pam_set_item(pam_handle_t *pamh, int item, const void *p)
{
	ck_assert(pamh == handle && item == PAM_AUTHTOK && !p);
	say("forget ");
	return PAM_SUCCESS;
}

/* of pam_unix's name, of the link's, and of ann's failures */
static struct kept {
	void *data;
	void (*end)(pam_handle_t *pamh, void *data, int status);
} results, links, failures;

static struct kept *kept_as(const char *name)
{
	if (strcmp(name, "lyra2_link") == 0)
		return &links;
	if (strcmp(name, "-LYRA2-FAIL-ann") == 0)
		return &failures;
	ck_assert_str_eq(name, "unix_setcred_return");
	return &results;
}

int pam_set_data(pam_handle_t *pamh, const char *name, void *data,
		 void (*end)(pam_handle_t *pamh, void *data, int status))
{
	struct kept *k = kept_as(name);

	ck_assert_ptr_eq(pamh, handle);
	if (k->end)
		k->end(pamh, k->data, PAM_DATA_REPLACE);
	*k = (struct kept){ data, end };
	return PAM_SUCCESS;
}

int pam_get_data(const pam_handle_t *pamh, const char *name, const void **data)
{
	const struct kept *k = kept_as(name);

	ck_assert_ptr_eq(pamh, handle);
	*data = k->data;
	return k->end ? PAM_SUCCESS : PAM_NO_MODULE_DATA;
}

/* ---- lyra2d ---- */
static pthread_t service;
static int listener, halt[2];
static char heard[256];		/* after requests: what the module told */

/* "status=0/20/1": found, change, blank.  All else is a verdict. */
static int32_t answer(const char *name)
{
	struct status status;
	int code = comes(name);
	char *end = word;

	if (strcmp(name, "status") != 0 || code != PAM_SUCCESS)
		return code;
	status.found = (int)strtol(word, &end, 10);
	status.change = *end ? (int)strtol(end + 1, &end, 10) : 0;
	status.blank = *end == '/';
	return status_pack(&status);
}

/* What is asked is said, and the next event is the answer. */
static void serve(int fd, const struct request *req)
{
	struct reply reply = { .kind = REPLY_VERDICT };
	const unsigned flags = req->flags & ~(unsigned)FLAG_NULLOK;
	struct secret secret;

	ck_assert_uint_eq(req->caller, uid);
	ck_assert_str_eq(req->tty, TERMINAL);
	if (req->op != OP_STATUS)
		ck_assert(request_wait(fd, SILENCE_MS) &&
			  secret_recv(fd, &secret) == 0);
	if (req->op == OP_STATUS)
		say("look%u:%s ", req->flags, req->user);
	else if (req->op == OP_SET)
		say("set%u:%s:%s:%s ", req->flags, req->user, secret.password,
		    secret.new_password);
	else
		say("verify%u%s:%s:%s ", flags, flags == req->flags ? "" : "+",
		    req->user, secret.password);
	reply.number = answer(req->op == OP_STATUS ? "status" :
			      req->op == OP_SET ? "stored" : "verdict");
	ck_assert_int_eq(reply_send(fd, &reply), 0);
}

/* Takes one packet.  Returns false at the end. */
static bool hear(int fd)
{
	enum tell tell;
	struct request req;
	char first[8];
	const ssize_t n = recv(fd, first, sizeof(first), MSG_PEEK | MSG_TRUNC);

	if (n <= 0) {
		strcat(heard, "end ");
		return false;
	}
	if (n > (ssize_t)sizeof(first)) {
		ck_assert_int_eq(request_recv(fd, &req), 0);
		serve(fd, &req);
		return true;
	}
	ck_assert_int_eq(tell_recv(fd, &tell), 0);
	strcat(heard, tell == TELL_ADMITTED ? "admitted " : "got ");
	return true;
}

static int greet(void)
{
	struct hello hello = { .minlen = no_rules ? 0 : 6,
			       .maxlen = no_rules ? 0 : 32 };
	const int fd = accept(listener, NULL, NULL);
	struct stat st;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(stat("/etc", &st), 0);
	hello.dev = st.st_dev;
	hello.ino = st.st_ino;
	ck_assert_int_eq(hello_send(fd, &hello), 0);
	return fd;
}

/* Serves one connection after another, until halt has a byte, and no other. */
static void *listens(void *arg)
{
	struct pollfd p[] = { { listener, POLLIN, 0 }, { halt[0], POLLIN, 0 } };

	while (poll(p, 2, -1) > 0 && (p[0].revents || !p[1].revents)) {
		if (p[0].fd == listener) {
			p[0].fd = greet();
		} else if (p[0].revents && !hear(p[0].fd)) {
			close(p[0].fd);
			p[0].fd = listener;
		}
	}
	if (p[0].fd != listener)
		close(p[0].fd);
	return arg;
}

static void start(void)
{
	const struct sockaddr_un a = {
		.sun_family = AF_UNIX, .sun_path = PATH_SOCKET
	};

	uid = euid = 1001;
	old = "oldone";
	*said = *heard = '\0';
	ck_assert_int_eq(system("rm -rf root && mkdir -p " PATH_RUN),
			 0);
	listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	ck_assert_int_eq(bind(listener, (const struct sockaddr *)&a,
			      sizeof(a)), 0);
	ck_assert(listen(listener, 8) == 0 && pipe2(halt, O_CLOEXEC) == 0);
	ck_assert_int_eq(pthread_create(&service, NULL, listens, NULL), 0);
}

/* Then it has heard all that has been sent before. */
static void halt_service(void)
{
	if (listener < 0)
		return;
	ck_assert_int_eq(write(halt[1], "x", 1), 1);
	ck_assert_int_eq(pthread_join(service, NULL), 0);
	close(halt[0]);
	close(halt[1]);
	close(listener);
	listener = -1;
}

static void stop(void)
{
	struct kept *all[] = { &results, &links, &failures };
	size_t i;

	halt_service();
	for (i = 0; i < 3; i++)
		if (all[i]->end)
			all[i]->end(handle, all[i]->data, PAM_DATA_SILENT);
	ck_assert_int_eq(system("rm -rf root"), 0);
}

/* ---- calls ---- */
typedef int entry(pam_handle_t *pamh, int flags, int argc, const char **argv);

struct call {
	int flags;
	const char *args, *events, *says;
	int code;
};

static void calls(entry *call, const struct call *c)
{
	char words[64], *rest;
	const char *argv[3];
	int argc = 0;

	row_now = c->events;
	snprintf(words, sizeof(words), "%s", c->args);
	argv[0] = strtok_r(words, " ", &rest);
	while (argv[argc])
		argv[++argc] = strtok_r(NULL, " ", &rest);
	events = c->events;
	ck_assert_int_eq(call(handle, c->flags, argc, argv), c->code);
	ck_assert_str_eq(events, "");
	ck_assert_str_eq(said, c->says);
	*said = '\0';
}

#define UNIX "before_unix"
#define BAD "{5 bad username [-ann]} "
#define FAILED "failure user=ann "

static const struct call auths[] = {
	{ 0, "", "user=ann new=secret verdict!0", "verify0:ann:secret ", 0 },
	{ 0, "", "user=ann new=secret verdict!7",
	  "verify0:ann:secret " FAILED, 7 },
	{ 0, "", "user=ann new= verdict!7", "verify0:ann: " FAILED, 7 },
	{ 0, "", "user!30", "", PAM_INCOMPLETE },
	{ 0, "", "user!19", "", PAM_CONV_ERR },
	{ 0, "debug", "user!19", "{7 could not obtain username} ",
	  PAM_CONV_ERR },
	{ 0, "debug", "user!30", "", PAM_INCOMPLETE },
	{ 0, "debug", "user=ann new!30", "{7 username [ann] obtained} ",
	  PAM_INCOMPLETE },
	{ 0, "", "user=-ann", BAD, PAM_USER_UNKNOWN },
	{ 0, "", "user=+ann", "{5 bad username [+ann]} ", PAM_USER_UNKNOWN },
	{ 0, "", "user=ann new!30", "", PAM_INCOMPLETE },
	{ 0, "", "user=ann new!19",
	  "{2 auth could not identify password for [ann]} ", PAM_CONV_ERR },
	/* who has no password */
	{ 0, "nullok", "user=ann status=0/0/1", "look0:ann {7 user [ann] has "
	  "blank password; authenticated without it} ", 0 },
	{ 0, "nullok", "user=ann status=0/0 new=x verdict!7",
	  "look0:ann verify0+:ann:x " FAILED, 7 },
	{ 0, "nullok", "user=ann status!9 new=x verdict!7",
	  "look0:ann verify0+:ann:x " FAILED, 7 },
	{ PAM_DISALLOW_NULL_AUTHTOK, "nullok", "user=ann new= verdict!7",
	  "verify0:ann: " FAILED, 7 },
	{ 0, UNIX, "user=ann status=0/0/1", "look0:ann ", PAM_IGNORE },
	{ 0, UNIX " nullok", "user=ann status=0/0/1", "look0:ann ",
	  PAM_IGNORE },
	{ PAM_DISALLOW_NULL_AUTHTOK, UNIX, "user=ann status=0/0/1",
	  "look0:ann ", PAM_IGNORE },
	{ 0, UNIX, "user=ann status=0/0 new=x verdict!10",
	  "look0:ann verify0:ann:x ", PAM_USER_UNKNOWN },
	/* before_unix, but that a wrong password is final */
	{ 0, "skip_unix", "user=ann status=0/0 new=x verdict!10",
	  "look0:ann verify0:ann:x ", PAM_USER_UNKNOWN },
	{ 0, "skip_unix", "user=ann status=0/0 new=x verdict!7",
	  "look0:ann verify0:ann:x " FAILED, 7 },
};

START_TEST(authenticates)
{
	calls(pam_sm_authenticate, &auths[_i]);
}
END_TEST

/* pam_unix's account phase and setcred read the result of the last attempt. */
START_TEST(keeps_the_result)
{
	static const struct call right = { 0, "",
		"user=ann new=x verdict!0", "verify0:ann:x ", 0 };
	static const struct call wrong = { 0, "",
		"user=ann new=x verdict!7", "verify0:ann:x " FAILED, 7 };
	static const struct call in = { 0, "", "", "", 0 };
	static const struct call out = { 0, "", "", "", PAM_IGNORE };

	calls(pam_sm_setcred, &in);
	calls(pam_sm_authenticate, &wrong);
	ck_assert_int_eq(*(int *)results.data, 7);
	calls(pam_sm_setcred, &out);
	calls(pam_sm_authenticate, &right);
	ck_assert_int_eq(*(int *)results.data, 0);
	calls(pam_sm_setcred, &in);
	calls(pam_sm_authenticate, &wrong);
	no_memory = true;
	calls(pam_sm_authenticate, &right);
	ck_assert_ptr_null(results.data);
	calls(pam_sm_setcred, &in);
}
END_TEST

START_TEST(delays_each_answer)
{
	static const struct call c[] = {
		{ 0, "", "user=ann new=x verdict!0", "verify0:ann:x ", 0 },
		{ 0, "nodelay", "user=ann new=x verdict!0", "verify0:ann:x ",
		  0 },
		{ 0, UNIX, "user=ann status!9 new=x verdict!7",
		  "look0:ann verify0:ann:x ", 7 },
		/* The stack ends here. */
		{ 0, UNIX, "user=ann status!9 new=x verdict!15",
		  "look0:ann verify0:ann:x ", PAM_CRED_UNAVAIL },
	};
	static const unsigned us[] = { 2000000, 0, 0, 2000000 };

	calls(pam_sm_authenticate, &c[_i]);
	ck_assert_uint_eq(delay, us[_i]);
}
END_TEST

/*
 * A stack with skip_unix knows a wrong password by its code.  A child's end of
 * the handle says nothing.
 */
START_TEST(counts_failures)
{
#define AGAIN(args, code) { 0, args, "user=ann status=0/0 new=x verdict!7", \
	"look0:ann verify0:ann:x ", code }
	static const struct call first = { 0, "skip_unix",
		"user=ann status=0/0 new=x verdict!7",
		"look0:ann verify0:ann:x " FAILED, PAM_AUTH_ERR };
	static const struct call next[] = {
		AGAIN("skip_unix", PAM_AUTH_ERR),
		AGAIN("skip_unix", PAM_AUTH_ERR),
		{ 0, "", "user=ann new=x verdict!7", "verify0:ann:x ",
		  PAM_MAXTRIES },
	};
	size_t i;

	calls(pam_sm_authenticate, &first);
	for (i = 0; i < 3; i++)
		calls(pam_sm_authenticate, &next[i]);
#undef AGAIN
	failures.end(handle, failures.data, PAM_DATA_SILENT);
	failures = (struct kept){ NULL, NULL };
	ck_assert_str_eq(said, "");
	calls(pam_sm_authenticate, &first);
	calls(pam_sm_authenticate, &next[0]);
	failures.end(handle, failures.data, 0);
	failures = (struct kept){ NULL, NULL };
	ck_assert_ptr_nonnull(strstr(said, "1 more authentication failure;"));
	*said = '\0';
}
END_TEST

/* A user's limit, of which the user may set less. */
START_TEST(refuses_what_cannot_count)
{
	static const struct call c = { 0, "", "user=ann new=x",
		"{3 refusing to verify: RLIMIT_NOFILE or RLIMIT_FSIZE is too "
		"low to record failures} ", PAM_CRED_UNAVAIL };
	static const struct call of_root = { 0, "",
		"user=ann new=x verdict!0", "verify0:ann:x ", 0 };
	struct rlimit size;

	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &size), 0);
	ck_assert_uint_gt(size.rlim_max, 1 << 20);
	size.rlim_cur = (1 << 20) - 1;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &size), 0);
	calls(pam_sm_authenticate, &c);
	uid = euid = 0;
	calls(pam_sm_authenticate, &of_root);
}
END_TEST

/* ---- what is left of the connection ---- */
#define RIGHT { 0, "", "user=ann new=x verdict!0", "verify0:ann:x ", 0 }
#define WRONG { 0, "", "user=ann new=x verdict!7", "verify0:ann:x " FAILED, 7 }

static const struct {
	const char *name;
	struct call first;	/* without events, there is no first call */
	entry *call;
	struct call c;
	const char *hears;
} rests[] = {
	{ "wrong", { 0 }, pam_sm_authenticate, WRONG, "got end " },
	{ "right, which counts until setcred", { 0 }, pam_sm_authenticate,
	  RIGHT, "got " },
	{ "right, once more", RIGHT, pam_sm_authenticate, RIGHT,
	  "got end got " },
	{ "account", { 0 }, pam_sm_acct_mgmt, { 0, "", "user=ann status!9",
	  "look0:ann ", PAM_IGNORE }, "end " },
	{ "password", { 0 }, pam_sm_chauthtok, { PAM_PRELIM_CHECK, "",
	  "user=ann status!10", "look0:ann ", PAM_AUTHINFO_UNAVAIL }, "end " },
	{ "setcred", RIGHT, pam_sm_setcred, { PAM_ESTABLISH_CRED, "", "", "",
	  0 }, "got admitted end " },
	{ "setcred after a wrong one", WRONG, pam_sm_setcred, { 0, "", "", "",
	  PAM_IGNORE }, "got end " },
	{ "setcred with other flags", RIGHT, pam_sm_setcred, {
	  PAM_REINITIALIZE_CRED | PAM_SILENT, "", "", "", 0 },
	  "got admitted end " },
	{ "logout", RIGHT, pam_sm_setcred, { PAM_DELETE_CRED, "", "", "", 0 },
	  "got " },
	{ "silent logout", RIGHT, pam_sm_setcred, { PAM_DELETE_CRED |
	  PAM_SILENT, "", "", "", 0 }, "got " },
};

START_TEST(leaves_no_link)
{
	if (rests[_i].first.events)
		calls(pam_sm_authenticate, &rests[_i].first);
	calls(rests[_i].call, &rests[_i].c);
	halt_service();
	ROW(rests[_i].name);
	ck_assert_str_eq(heard, rests[_i].hears);
}
END_TEST

#define EXPIRED "{5 account ann has expired} "
#define TELLS "<Your account has expired; please contact your system " \
	"administrator.> "

static const struct call accounts[] = {
	{ 0, "", "user!30", "", PAM_INCOMPLETE },
	{ 0, "", "user=-ann", BAD, PAM_USER_UNKNOWN },
	{ 0, "", "user=ann status!9", "look0:ann ", PAM_IGNORE },
	{ 0, "", "user=ann status=10/0", "look0:ann ", PAM_IGNORE },
	{ 0, "", "user=ann status=0/13", "look0:ann " EXPIRED TELLS,
	  PAM_ACCT_EXPIRED },
	{ PAM_SILENT, "", "user=ann status=0/27",
	  "look0:ann " EXPIRED, PAM_AUTHTOK_EXPIRED },
	{ 0, "", "user=ann status=0/0 status!9", "look0:ann look8:ann ",
	  PAM_IGNORE },
	{ 0, "", "user=ann status=0/0 status=9/0", "look0:ann look8:ann ",
	  PAM_IGNORE },
	{ 0, "", "user=ann status=0/0 status=0/0", "look0:ann look8:ann ",
	  PAM_NEW_AUTHTOK_REQD },
	{ 0, "", "user=ann status=0/20 status=0/20", "look0:ann look8:ann ",
	  0 },
};

START_TEST(knows_accounts)
{
	calls(pam_sm_acct_mgmt, &accounts[_i]);
}
END_TEST

/* Programs that can read the file leave the dates to pam_unix(8). */
START_TEST(leaves_accounts)
{
	static const struct call c = { 0, "", "user=ann", "", PAM_IGNORE };

	readable = true;
	calls(pam_sm_acct_mgmt, &c);
	readable = false;
	euid = 0;
	calls(pam_sm_acct_mgmt, &c);
}
END_TEST

#define PRELIM PAM_PRELIM_CHECK
#define UPDATE PAM_UPDATE_AUTHTOK
#define AGED PAM_CHANGE_EXPIRED_AUTHTOK
#define CHANGING "[Changing password for ann.] "
#define OLD "user=ann status=0/0 shown=1 old=oldone "
#define NEW "user=ann status=0/0 item=1 "
#define NO(text) "<" text "> forget "
#define SHORT NO("You must choose a longer password.")
#define NO_MORE "{5 new password not acceptable} "
#define SET "look0:ann set3:ann:oldone:"

static const struct call changes[] = {
	{ 0, "", "user=ann", "{2 password received unknown request} ",
	  PAM_ABORT },
	{ PRELIM, "", "user!30", "", PAM_INCOMPLETE },
	{ PRELIM, "", "user=-ann", BAD, PAM_USER_UNKNOWN },
	/* the old password */
	{ PRELIM, "", OLD "verdict!0",
	  "look0:ann " CHANGING "verify16+:ann:oldone ", 0 },
	{ PRELIM, "", OLD "verdict!7",
	  "look0:ann " CHANGING "verify16+:ann:oldone " FAILED,
	  PAM_AUTH_ERR },
	{ PRELIM, UNIX, OLD "verdict!7",
	  "look0:ann " CHANGING "verify16+:ann:oldone " FAILED,
	  PAM_AUTHTOK_ERR },
	{ PRELIM, UNIX, OLD "verdict!11",
	  "look0:ann " CHANGING "verify16+:ann:oldone " FAILED,
	  PAM_AUTHTOK_ERR },
	{ PRELIM, UNIX, OLD "verdict!24",
	  "look0:ann " CHANGING "verify16+:ann:oldone " FAILED,
	  PAM_AUTHTOK_ERR },
	{ PRELIM, UNIX, OLD "verdict!4",
	  "look0:ann " CHANGING "verify16+:ann:oldone " FAILED,
	  PAM_SYSTEM_ERR },
	/* The file has the user, so pam_unix(8) must not write. */
	{ PRELIM, "", OLD "verdict!10",
	  "look0:ann " CHANGING "verify16+:ann:oldone "
	  "{5 check pass; user unknown} failure ",
	  PAM_AUTHINFO_UNAVAIL },
	{ PRELIM, "", OLD "verdict!25",
	  "look0:ann " CHANGING "verify16+:ann:oldone " FAILED,
	  PAM_AUTHINFO_UNAVAIL },
	{ PRELIM, "", "user=ann status!10", "look0:ann ",
	  PAM_AUTHINFO_UNAVAIL },
	{ PRELIM, "", "user=ann status!25", "look0:ann ",
	  PAM_AUTHINFO_UNAVAIL },
	{ PRELIM, "", "user=ann status!15", "look0:ann ", PAM_CRED_UNAVAIL },
	{ PRELIM, "", "user=ann status=10/0", "look0:ann {7 user \"ann\" does "
	  "not exist in /etc/passwd} ", PAM_USER_UNKNOWN },
	{ PRELIM, "", "user=ann status=25/0", "look0:ann {7 password of user "
	  "\"ann\" is not in /etc/shadow} ", PAM_IGNORE },
	{ PRELIM, "", "user=ann status=0/0 shown!19", "look0:ann " CHANGING,
	  PAM_CONV_ERR },
	{ PRELIM | PAM_SILENT, "", "user=ann status=0/0 old=x verdict!0",
	  "look0:ann verify16+:ann:x ", 0 },
	{ PRELIM, "", "user=ann status=0/0 shown=1 old!19", "look0:ann "
	  CHANGING "{5 password - (old) token not obtained} ", PAM_CONV_ERR },
	{ PRELIM, "", "user=ann status=0/20/1", "look0:ann ", 0 },
	/* dates */
	{ PRELIM, "", "user=ann status=0/20 shown=1 old=oldone verdict!0",
	  "look0:ann " CHANGING "verify16+:ann:oldone "
	  "<You must wait longer to change your password.> ",
	  PAM_AUTHTOK_ERR },
	{ PRELIM | AGED, "", "user=ann status=0/20 shown=1 old=x verdict!0",
	  "look0:ann " CHANGING "verify16+:ann:x "
	  "<You must wait longer to change your password.> ",
	  PAM_AUTHTOK_ERR },
	{ PRELIM | AGED, "", "user=ann status=0/0 shown=1 old=x verdict!0",
	  "look0:ann " CHANGING "verify16+:ann:x ", 0 },
	{ PRELIM, "", "user=ann status=0/13 shown=1 old=oldone verdict!0",
	  "look0:ann " CHANGING "verify16+:ann:oldone ", PAM_ACCT_EXPIRED },
	{ PRELIM, UNIX, "user=ann status=0/13 shown=1 old=oldone verdict!0",
	  "look0:ann " CHANGING "verify16+:ann:oldone ", PAM_AUTHTOK_ERR },
	{ PRELIM, UNIX, "user=ann status=0/27 shown=1 old=oldone verdict!0",
	  "look0:ann " CHANGING "verify16+:ann:oldone ", PAM_AUTHTOK_ERR },
	{ PRELIM, "", "user=ann status=0/10 shown=1 old=oldone verdict!0",
	  "look0:ann " CHANGING "verify16+:ann:oldone ",
	  PAM_AUTHINFO_UNAVAIL },
	/* the new password */
	{ UPDATE, "", NEW "new=newone stored!0", SET "newone ", 0 },
	{ UPDATE, "", NEW "new=newone stored!20", SET "newone ",
	  PAM_AUTHTOK_ERR },
	{ UPDATE, "", NEW "new=newone stored!15", SET "newone ",
	  PAM_AUTHTOK_ERR },
	{ UPDATE, "", NEW "new=newone stored!10", SET "newone ",
	  PAM_AUTHINFO_UNAVAIL },
	{ UPDATE | AGED, "", NEW "new=newone stored!0",
	  "look0:ann set3:ann:oldone:newone ", 0 },
	{ UPDATE, "", NEW "new!19", "look0:ann ", PAM_CONV_ERR },
	{ UPDATE, "", NEW "new= new=oldone new=ssss", "look0:ann "
	  NO("No password has been supplied.")
	  NO("The password has not been changed.") SHORT NO_MORE,
	  PAM_AUTHTOK_ERR },
	{ UPDATE, "", NEW "new=sssss new=ssssss stored!0",
	  "look0:ann " SHORT "set3:ann:oldone:ssssss ", 0 },
	{ UPDATE, "", NEW "new=s" BYTES_32 " new=" BYTES_32 " stored!0",
	  "look0:ann " NO("You must choose a shorter password.")
	  "set3:ann:oldone:" BYTES_32 " ", 0 },
	{ UPDATE, "minlen=8", NEW "new=newone new=newoneee stored!0",
	  "look0:ann " SHORT "set3:ann:oldone:newoneee ", 0 },
	{ UPDATE, "use_authtok", NEW "new=x", "look0:ann " SHORT NO_MORE,
	  PAM_AUTHTOK_ERR },
	{ UPDATE, "use_first_pass", NEW "new=x", "look0:ann " SHORT NO_MORE,
	  PAM_AUTHTOK_ERR },
	{ UPDATE, "", "user=ann status=0/0 item!29", "look0:ann "
	  "{5 user not authenticated} ", PAM_BAD_ITEM },
	/* pam_unix(8) sets it, with the password that was asked for here. */
	{ UPDATE, "", "user=ann status=25/0 item=1 new=newone", "look0:ann "
	  "{7 password of user \"ann\" is not in /etc/shadow} ", PAM_IGNORE },
	{ UPDATE, "", "user=ann status=10/0", "look0:ann {7 user \"ann\" does "
	  "not exist in /etc/passwd} ", PAM_USER_UNKNOWN },
	{ UPDATE, "", "user=ann status!10", "look0:ann ",
	  PAM_AUTHINFO_UNAVAIL },
};

START_TEST(changes_passwords)
{
	calls(pam_sm_chauthtok, &changes[_i]);
}
END_TEST

static const struct call by_root[] = {
	{ PRELIM, "", "user=ann status=0/0", "look4:ann ", 0 },
	{ PRELIM | AGED, "", OLD "verdict!0",
	  "look0:ann " CHANGING "verify16+:ann:oldone ", 0 },
	{ UPDATE, "", NEW "new=x stored!0", "look4:ann set5:ann::x ", 0 },
	{ UPDATE | AGED, "", NEW "new=x new=newone stored!0",
	  "look0:ann " SHORT "set3:ann::newone ", 0 },
};

/* login(1) is root's, but the user changes a password that has expired. */
START_TEST(changes_as_root)
{
	uid = 0;
	old = NULL;
	calls(pam_sm_chauthtok, &by_root[_i]);
}
END_TEST

/* A password that root has set meanwhile is not overwritten. */
START_TEST(changes_a_blank_one)
{
	static const struct call c[] = {
		{ UPDATE, "", NEW "new=newone stored!0",
		  "look0:ann set3:ann::newone ", 0 },
		{ UPDATE | AGED, "", NEW "new=newone stored!0",
		  "look0:ann set3:ann::newone ", 0 },
	};

	old = NULL;
	calls(pam_sm_chauthtok, &c[_i]);
}
END_TEST

/* Root may have the old one asked for, by another module. */
START_TEST(root_knows_the_old_one)
{
	static const struct call c = { UPDATE, "", NEW "new=x stored!0",
		"look4:ann set7:ann:oldone:x ", 0 };

	uid = 0;
	calls(pam_sm_chauthtok, &c);
}
END_TEST

/* Without its rules, lyra2d still refuses what it would not store. */
START_TEST(changes_without_hello)
{
	static const struct call c = { UPDATE, "", NEW "new=x stored!0",
		SET "x ", 0 };

	no_rules = true;
	calls(pam_sm_chauthtok, &c);
}
END_TEST

/* Old and new password are gone from the application's stack. */
START_TEST(passwords_leave_nothing)
{
	static const struct call login = {
		0, "", "user=ann new=no-such-word verdict!0",
		"verify0:ann:no-such-word ", 0
	}, change = { UPDATE, "", NEW "new=no-such-word stored!0",
		"look0:ann set3:ann:no-such-old:no-such-word ", 0 };

	calls(pam_sm_authenticate, &login);
	ck_assert(!left_on_stack("no-such-word"));
	old = "no-such-old";
	calls(pam_sm_chauthtok, &change);
	ck_assert(!left_on_stack("no-such-word"));
	ck_assert(!left_on_stack(old));
	leave_on_stack(old);
	ck_assert(left_on_stack(old));
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof((table)[0]))

int main(void)
{
	Suite *suite = suite_create("phases");
	TCase *tc = tcase_create("entries");

	check_descriptors(tc);
	tcase_add_checked_fixture(tc, start, stop);
	tcase_add_loop_test(tc, authenticates, 0, COUNT(auths));
	tcase_add_test(tc, keeps_the_result);
	tcase_add_loop_test(tc, delays_each_answer, 0, 4);
	tcase_add_test(tc, counts_failures);
	tcase_add_test(tc, refuses_what_cannot_count);
	tcase_add_loop_test(tc, leaves_no_link, 0, COUNT(rests));
	tcase_add_loop_test(tc, knows_accounts, 0, COUNT(accounts));
	tcase_add_test(tc, leaves_accounts);
	tcase_add_loop_test(tc, changes_passwords, 0, COUNT(changes));
	tcase_add_loop_test(tc, changes_as_root, 0, COUNT(by_root));
	tcase_add_loop_test(tc, changes_a_blank_one, 0, 2);
	tcase_add_test(tc, root_knows_the_old_one);
	tcase_add_test(tc, changes_without_hello);
	if (INSTRUMENTED)
		check_skip(suite, "passwords_leave_nothing # SKIP the "
			   "instrumentation keeps copies of its own");
	else
		tcase_add_test(tc, passwords_leave_nothing);
	suite_add_tcase(suite, tc);
	return check_apart(suite);
}
