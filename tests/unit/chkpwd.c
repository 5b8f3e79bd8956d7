/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lyra2_chkpwd, between a program that runs as a user and lyra2d.  All that it
 * calls is this test's: its IDs, its connection, what comes, and the time.
 * What it does is told in words.
 */
#include <errno.h>
#include <security/_pam_types.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <syslog.h>
#include <unistd.h>

#include "check-main.h"
#include "pam/protocol/clock.h"
#include "pam/protocol/request.h"
#include "say.h"
#include "src/config/paths.h"

#define clock_ms seam_clock_ms
#define connect seam_connect
#define explicit_bzero seam_explicit_bzero
#define fstat seam_fstat
#define getegid seam_getegid
#define geteuid seam_geteuid
#define getgid seam_getgid
#define getuid seam_getuid
#define hello_is_here seam_hello_is_here
#define hello_recv seam_hello_recv
#define isatty seam_isatty
#define main chkpwd_main
#define openlog seam_openlog
#define passwd_is_of seam_passwd_is_of
#define read seam_read
#define reply_recv seam_reply_recv
#define request_send seam_request_send
#define request_wait seam_request_wait
#define secret_send seam_secret_send
#define send seam_send
#define setegid seam_setegid
#define setresgid seam_setresgid
#define setsockopt seam_setsockopt
#define socket seam_socket
#define syslog seam_syslog
#define tell_send seam_tell_send
#define write seam_write

#define SERVICE 7

static struct {
	unsigned r, e, s;
} user, group;
static int64_t now;
static bool terminal;		/* is standard input */
static bool stuck;		/* the system does not give up saved IDs */
static const char *bad;		/* the calls that fail, in words */
static int reason;		/* their error */
static const char *input;	/* what can be read, */
static size_t left;		/* and how much of it */
static bool greets;		/* lyra2d's hello comes next */
static const char *script;	/* what lyra2d sends, in words */
static bool secret_is_there;	/* it has been read, and not been wiped */
static size_t length;		/* of the password that was sent */
static int64_t beats;		/* until then lyra2d only says that it lives */
static bool beat;		/* it does so now */

static bool fails(const char *call)
{
	if (strstr(bad, call) == NULL)
		return false;
	errno = reason;
	return true;
}

static bool takes(const char *word)
{
	const size_t len = strlen(word);

	if (strncmp(script, word, len) != 0)
		return false;
	script += len;
	return true;
}

static int takes_number(void)
{
	char *end;
	const int n = (int)strtol(script, &end, 10);

	script = end + (*end == ' ');
	return n;
}

static int64_t clock_ms(void)
{
	return now;
}

/* ---- identity ---- */
static uid_t getuid(void)
{
	return user.r;
}

static uid_t geteuid(void)
{
	return user.e;
}

static gid_t getgid(void)
{
	return group.r;
}

static gid_t getegid(void)
{
	return group.e;
}

static int setresgid(gid_t r, gid_t e, gid_t s)
{
	if (fails("setresgid"))
		return -1;
	say("gid%u ", e);
	group.r = r;
	group.e = e;
	if (!stuck)
		group.s = s;
	return 0;
}

static int setegid(gid_t e)
{
	errno = EPERM;
	return e == group.r || e == group.s || user.e == 0 ? 0 : -1;
}

static bool has_given_up(void)
{
	return user.r == user.e && user.r == user.s && group.r == group.e &&
	       group.r == group.s;
}

/* ---- the program that asks ---- */
static int fstat(int fd, struct stat *st)
{
	*st = (struct stat){ .st_mode = S_IFIFO };
	ck_assert_int_eq(fd, STDIN_FILENO);
	return fails("fstat") ? -1 : 0;
}

static int isatty(int fd)
{
	ck_assert_int_eq(fd, STDIN_FILENO);
	return terminal;
}

static ssize_t read(int fd, void *p, size_t len)
{
	ck_assert(fd == STDIN_FILENO && len == 1);
	ck_assert(has_given_up());
	secret_is_there = true;
	if (left == 0)
		return fails("read") ? -1 : 0;
	*(char *)p = *input++;
	left--;
	return 1;
}

static void explicit_bzero(void *p, size_t len)
{
	memset(p, 0, len);
	if (len == sizeof(struct secret))
		secret_is_there = false;
}

static ssize_t send(int fd, const void *p, size_t len, int flags)
{
	ck_assert(fd == STDIN_FILENO && len == 1);
	ck_assert_int_eq(flags, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (beat)
		return 1;
	say("say%u ", *(const unsigned char *)p);
	return fails("send") ? -1 : 1;
}

static ssize_t write(int fd, const void *p, size_t len)
{
	ck_assert_int_eq(fd, STDERR_FILENO);
	ck_assert_uint_eq(len, strlen(p));
	ck_assert_ptr_nonnull(strstr(p, "Usage: lyra2_chkpwd USER"));
	say("usage ");
	return fails("write") ? -1 : (ssize_t)len;
}

static void openlog(const char *name, int option, int facility)
{
	ck_assert_str_eq(name, "lyra2_chkpwd");
	ck_assert(option == LOG_PID && facility == LOG_AUTHPRIV);
}

/* What is logged is the text, whatever it has in it. */
__attribute__((format(printf, 2, 3)))
static void syslog(int priority, const char *format, ...)
{
	va_list args;

	ck_assert_str_eq(format, "%s");
	va_start(args, format);
	say("{%d %s} ", priority, va_arg(args, const char *));
	va_end(args);
}

/* ---- lyra2d ---- */
static int socket(int domain, int type, int protocol)
{
	ck_assert_int_eq(domain, AF_UNIX);
	ck_assert_int_eq(type, SOCK_SEQPACKET | SOCK_CLOEXEC);
	ck_assert_int_eq(protocol, 0);
	return fails("socket") ? -1 : SERVICE;
}

/* A full queue of connections must not hold the program for ever. */
static int setsockopt(int fd, int level, int name, const void *p, socklen_t len)
{
	const struct timeval *limit = p;

	ck_assert(fd == SERVICE && level == SOL_SOCKET && name == SO_SNDTIMEO);
	ck_assert_uint_eq(len, sizeof(*limit));
	ck_assert(limit->tv_sec == 5 && limit->tv_usec == 0);
	if (fails("setsockopt"))
		return -1;
	say("limit ");
	return 0;
}

static int connect(int fd, const struct sockaddr *a, socklen_t len)
{
	const struct sockaddr_un *un = (const void *)a;

	ck_assert(fd == SERVICE && len == sizeof(*un));
	ck_assert_int_eq(un->sun_family, AF_UNIX);
	ck_assert_str_eq(un->sun_path, "/run/lyra2/socket");
	if (fails("connect"))
		return -1;
	say("connect ");
	return 0;
}

/*
 * "mute": not even hello comes.  "silence": nothing more.  "after5000": so many
 * milliseconds pass.  "beats5000": they pass with a heartbeat each second.
 */
static bool request_wait(int fd, int ms)
{
	ck_assert_int_eq(fd, SERVICE);
	ck_assert(has_given_up());
	if (greets && !takes("mute")) {
		greets = false;
		return true;
	}
	if (takes("beats"))
		beats = now + takes_number();
	beat = now < beats;
	if (beat) {
		now += beats - now < 1000 ? beats - now : 1000;
		return true;
	}
	if (takes("after")) {
		const int pause = takes_number();

		now += pause < ms ? pause : ms;
		if (pause > ms)
			return false;
	}
	if (!greets && !takes("silence"))
		return true;
	say("%dms ", ms);
	now += ms;
	return false;
}

static int hello_recv(int fd, struct hello *hello)
{
	ck_assert_int_eq(fd, SERVICE);
	*hello = (struct hello){ 1, 2, 3, 4 };
	if (fails("hello_recv"))
		return -1;
	say("hello ");
	return 0;
}

static bool hello_is_here(const struct hello *hello)
{
	return hello->ino == 2 && !fails("here");
}

static bool passwd_is_of(const char *name, uid_t uid)
{
	return strcmp(name, "joe") == 0 && uid == user.r && !fails("passwd");
}

static int request_send(int fd, const struct request *req)
{
	ck_assert_int_eq(fd, SERVICE);
	ck_assert(req->op == OP_VERIFY && req->caller == user.r);
	ck_assert(req->rhost[0] == '\0' && req->tty[0] == '\0' &&
		  req->service[0] == '\0');
	say("ask %s %u ", req->user, req->flags);
	return fails("request_send") ? -1 : 0;
}

static int secret_send(int fd, const struct secret *secret)
{
	ck_assert_int_eq(fd, SERVICE);
	ck_assert_str_eq(secret->new_password, "");
	length = strlen(secret->password);
	say("secret %.9s ", secret->password);
	return fails("secret_send") ? -1 : 0;
}

/* Behind a verdict: "{4 text}" with its priority */
static void takes_text(struct reply *reply)
{
	const char *end = strchr(script, '}');

	if (!takes("{"))
		return;
	reply->priority = (uint32_t)takes_number();
	snprintf(reply->text, sizeof(reply->text), "%.*s",
		 (int)(end - script), script);
	script = end + 1;
}

static int reply_recv(int fd, struct reply *reply)
{
	static const char *const words[] = { [REPLY_QUEUED] = "queued",
		[REPLY_WORKING] = "working", [REPLY_VERDICT] = "verdict",
		[REPLY_AGAIN] = "again", [REPLY_WAIT] = "wait" };
	uint32_t kind = REPLY_QUEUED;

	ck_assert_int_eq(fd, SERVICE);
	if (beat) {
		*reply = (struct reply){ .kind = REPLY_WORKING };
		return 0;
	}
	while (kind <= REPLY_WAIT && !takes(words[kind]))
		kind++;
	*reply = (struct reply){ kind, takes_number(), LOG_DEBUG, "" };
	takes_text(reply);
	return kind <= REPLY_WAIT ? 0 : -1;
}

static int tell_send(int fd, enum tell tell)
{
	ck_assert_int_eq(fd, SERVICE);
	say(tell == TELL_GOT ? "got " : "admitted ");
	return fails("tell_send") ? -1 : 0;
}

int main(int argc, char **argv);
#include "pam/service/lyra2_chkpwd.c"
#undef main

/* ---- what it does ---- */
static void fresh(void)
{
	user.r = user.e = user.s = 1000;
	group.r = 1000;
	group.e = group.s = 42;		/* set-group-ID */
	bad = script = "";
	input = "pass";
	left = 4;
	greets = true;
	reason = EIO;
}

static int run(const char *name, const char *word)
{
	char *argv[] = { (char[]){ "lyra2_chkpwd" }, (char *)(uintptr_t)name,
			 (char *)(uintptr_t)word, NULL };

	return chkpwd_main(name ? word ? 3 : 2 : 1, argv);
}

/* The blank behind the last word is not compared. */
static void says(int code, int wanted, const char *words)
{
	const size_t len = strlen(words);

	if (said[0] && (len == 0 || words[len - 1] != ' '))
		said[strlen(said) - 1] = '\0';
	ck_assert_str_eq(said, words);
	ck_assert_int_eq(code, wanted);
	ck_assert(!secret_is_there);
}

#define SET_USER_ID "{3 " PATH_CHKPWD \
	" is set-user-ID root, and must not be: see lyra2_chkpwd(8)}"
#define START "limit connect gid1000 hello "
#define ASKED START "ask joe 0 secret pass "

/* lyra2d's words, what follows, and the exit code */
static const struct {
	const char *script, *says;
	int code;
} talks[] = {
	{ "verdict0", ASKED "got admitted", 0 },
	{ "verdict7", ASKED "got admitted", 7 },
	{ "verdict127", ASKED "got admitted", 127 },
	{ "verdict128", ASKED "got admitted", PAM_SYSTEM_ERR },
	{ "verdict256", ASKED "got admitted", PAM_SYSTEM_ERR },
	{ "verdict-1", ASKED "got admitted", PAM_SYSTEM_ERR },
	{ "queued3 working verdict0", ASKED "say0 say0 got admitted", 0 },
	{ "verdict0{4 %s %n}", ASKED "got admitted {4 %s %n}", 0 },
	{ "verdict0{4 a\033\177\302z}", ASKED "got admitted {4 a???z}", 0 },
	{ "verdict7{3 bad}", ASKED "got admitted {3 bad}", 7 },
	{ "verdict7{7 for debug}", ASKED "got admitted", 7 },
	{ "verdict7{4 }", ASKED "got admitted", 7 },
	{ "verdict7{82 one priority}", ASKED "got admitted {2 one priority}",
	  7 },
	{ "wait7 verdict0", ASKED "say7 got admitted", 0 },
	{ "wait254 verdict0", ASKED "say254 got admitted", 0 },
	{ "wait255 verdict0", ASKED "say255 got admitted", 0 },
	{ "wait256 verdict0", ASKED "say255 got admitted", 0 },
	{ "again", ASKED "", PAM_TRY_AGAIN },
	{ "again verdict0", ASKED "", PAM_TRY_AGAIN },
	{ "?", ASKED "", PAM_TRY_AGAIN },
	{ "mute", "limit connect gid1000 5000ms", PAM_TRY_AGAIN },
	{ "silence", ASKED "5000ms", PAM_TRY_AGAIN },
	{ "queued silence", ASKED "say0 5000ms", PAM_TRY_AGAIN },
	{ "working silence", ASKED "say0 5000ms", PAM_TRY_AGAIN },
	{ "working after4999 verdict0", ASKED "say0 got admitted", 0 },
	{ "working after5001 verdict0", ASKED "say0", PAM_TRY_AGAIN },
	/* two minutes for the turn, two for the work, and what lyra2d says */
	{ "beats239999 verdict0", ASKED "got admitted", 0 },
	{ "beats240000 verdict0", ASKED "", PAM_TRY_AGAIN },
	{ "beats120000 wait9 beats128999 verdict0",
	  ASKED "say9 got admitted", 0 },
	{ "beats120000 wait9 beats129000 verdict0", ASKED "say9",
	  PAM_TRY_AGAIN },
	{ "beats120000 silence", ASKED "5000ms", PAM_TRY_AGAIN },
};

START_TEST(talk)
{
	script = talks[_i].script;
	says(run("joe", "nonull"), talks[_i].code, talks[_i].says);
}
END_TEST

/* ---- a call that fails ---- */
static const struct {
	const char *bad;
	int error, code;
	const char *says;
} failures[] = {
	{ "fstat", EBADF, PAM_SYSTEM_ERR, "usage" },
	{ "fstat write", EBADF, PAM_SYSTEM_ERR, "usage" },
	{ "socket", EMFILE, PAM_TRY_AGAIN, "gid1000" },
	{ "socket", EACCES, PAM_AUTHINFO_UNAVAIL, "gid1000" },
	{ "setsockopt", EIO, PAM_TRY_AGAIN, "gid1000" },
	{ "connect", EAGAIN, PAM_TRY_AGAIN, "limit gid1000" },
	{ "connect", EINTR, PAM_TRY_AGAIN, "limit gid1000" },
	{ "connect", EACCES, PAM_AUTHINFO_UNAVAIL, "limit gid1000" },
	{ "connect", ENOENT, PAM_AUTHINFO_UNAVAIL, "limit gid1000" },
	{ "connect", ECONNREFUSED, PAM_AUTHINFO_UNAVAIL,
	  "limit gid1000" },
	{ "connect setresgid", ENOENT, PAM_SYSTEM_ERR, "limit" },
	{ "setresgid", EPERM, PAM_SYSTEM_ERR, "limit connect" },
	{ "hello_recv", EPROTONOSUPPORT, PAM_AUTHINFO_UNAVAIL,
	  "limit connect gid1000" },
	{ "here", 0, PAM_AUTHINFO_UNAVAIL, START },
	{ "passwd", EIO, PAM_AUTHINFO_UNAVAIL, START },
	{ "read", EIO, PAM_SYSTEM_ERR, START },
	/* lyra2d may have refused before it read the request. */
	{ "request_send secret_send", EPIPE, PAM_AUTH_ERR,
	  ASKED "got admitted" },
	{ "send", EPIPE, PAM_AUTH_ERR, ASKED "got admitted" },
	{ "tell_send", EPIPE, PAM_AUTH_ERR, ASKED "got admitted" },
};

START_TEST(failure)
{
	bad = failures[_i].bad;
	reason = failures[_i].error;
	script = "verdict7";
	says(run("joe", "nonull"), failures[_i].code, failures[_i].says);
}
END_TEST

/* ---- arguments, IDs, passwords ---- */
static const struct {
	const char *name, *word;
	int code;
	const char *says;
} arguments[] = {
	{ "joe", "nonull", 0, ASKED "got admitted" },
	{ "joe", "nullok", 0, START "ask joe 1 secret pass got admitted" },
	{ "joe", "", PAM_SYSTEM_ERR, "usage" },
	{ "joe", "nullok ", PAM_SYSTEM_ERR, "usage" },
	{ "joe", NULL, PAM_SYSTEM_ERR, "usage" },
	{ NULL, NULL, PAM_SYSTEM_ERR, "usage" },
	{ "root", "nonull", PAM_AUTHINFO_UNAVAIL, START },
};

START_TEST(argument)
{
	script = "verdict0";
	says(run(arguments[_i].name, arguments[_i].word), arguments[_i].code,
	     arguments[_i].says);
}
END_TEST

START_TEST(no_password_from_a_terminal)
{
	terminal = true;
	says(run("joe", "nonull"), PAM_SYSTEM_ERR, "usage");
}
END_TEST

/* Real and effective user, effective group: what is left, or the end. */
static const struct {
	unsigned ruid, euid, egid;
	bool stuck;
	int code;
	const char *says;
} identities[] = {
	{ 1000, 1000, 42, false, 0, ASKED "got admitted" },
	{ 1000, 1000, 42, true, PAM_SYSTEM_ERR,
	  "limit connect gid1000" },
	{ 1000, 0, 1000, false, PAM_SYSTEM_ERR, SET_USER_ID },
	{ 1000, 0, 42, false, PAM_SYSTEM_ERR, SET_USER_ID },
	{ 1000, 1000, 1000, false, 0, ASKED "got admitted" },
	{ 0, 0, 42, false, 0, "limit connect gid1000 hello "
	  "ask joe 0 secret pass got admitted" },
};

START_TEST(identity)
{
	user.r = identities[_i].ruid;
	user.e = user.s = identities[_i].euid;
	group.e = group.s = identities[_i].egid;
	stuck = identities[_i].stuck;
	script = "verdict0";
	says(run("joe", "nonull"), identities[_i].code, identities[_i].says);
}
END_TEST

/* One byte too many is sent, so that lyra2d refuses; more is not read. */
START_TEST(long_password)
{
	static char many[1 << 20];

	memset(many, 'x', sizeof(many));
	input = many;
	left = sizeof(many);
	script = "verdict7";
	says(run("joe", "nonull"), 7,
	     START "ask joe 0 secret xxxxxxxxx got admitted");
	ck_assert_uint_eq(sizeof(many) - left, LYRA2_MAX_PASSWORD + 1);
	ck_assert_uint_eq(length, LYRA2_MAX_PASSWORD + 1);
}
END_TEST

START_TEST(nothing_behind_a_nul)
{
	input = "pass\0word";
	left = 9;
	script = "verdict0";
	says(run("joe", "nonull"), 0, ASKED "got admitted");
	ck_assert_uint_eq(left, 4);
	ck_assert_uint_eq(length, 4);
}
END_TEST

START_TEST(empty_password)
{
	left = 0;
	script = "verdict0";
	says(run("joe", "nullok"), 0, START "ask joe 1 secret  got admitted");
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof((table)[0]))

int main(void)
{
	Suite *suite = suite_create("chkpwd");
	TCase *tc = tcase_create("chkpwd");

	tcase_add_checked_fixture(tc, fresh, NULL);
	tcase_add_loop_test(tc, talk, 0, COUNT(talks));
	tcase_add_loop_test(tc, failure, 0, COUNT(failures));
	tcase_add_loop_test(tc, argument, 0, COUNT(arguments));
	tcase_add_test(tc, no_password_from_a_terminal);
	tcase_add_loop_test(tc, identity, 0, COUNT(identities));
	tcase_add_test(tc, long_password);
	tcase_add_test(tc, nothing_behind_a_nul);
	tcase_add_test(tc, empty_password);
	suite_add_tcase(suite, tc);
	return check_main(suite);
}
