/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Packets between module and lyra2d arrive as they were sent, or not at all; so
 * do lines of the log and records for the audit system.
 */
#include "config.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "check-main.h"
#include "devlog.h"
#include "instrumented.h"
#include "left.h"
#include "pam/protocol/clock.h"
#include "pam/protocol/request.h"
#include "pam/work/audit-log.h"
#include "pam/work/log.h"

static int pair[2];
static struct request in, out;

static void start(void)
{
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
	memset(&in, 0, sizeof(in));
	memset(&out, 0xff, sizeof(out));
	in.op = OP_SET;
	in.flags = FLAG_NULLOK | FLAG_EXPIRED;
	in.caller = 1001;
	strcpy(in.user, "alice");
	strcpy(in.rhost, "host.example");
	strcpy(in.tty, "/dev/tty1");
	strcpy(in.service, "sudo");
}

static void stop(void)
{
	close(pair[0]);
	close(pair[1]);
}

START_TEST(request_arrives)
{
	ck_assert_int_eq(request_send(pair[0], &in), 0);
	ck_assert_int_eq(request_recv(pair[1], &out), 0);
	ck_assert_uint_eq(out.op, in.op);
	ck_assert_uint_eq(out.flags, in.flags);
	ck_assert_uint_eq(out.caller, in.caller);
	ck_assert_str_eq(out.user, in.user);
	ck_assert_str_eq(out.rhost, in.rhost);
	ck_assert_str_eq(out.tty, in.tty);
	ck_assert_str_eq(out.service, in.service);
}
END_TEST

START_TEST(all_else_arrives)
{
	const struct hello hello = { UINT64_MAX, 7, 12, 72 };
	const struct secret secret = { "old: \xc3\xa4\n", "new" };
	struct reply reply = { REPLY_VERDICT, -7, LOG_ALERT, "" }, got;
	struct secret s;
	struct hello h;
	enum tell tell;

	ck_assert_int_eq(hello_send(pair[0], &hello), 0);
	ck_assert_int_eq(hello_recv(pair[1], &h), 0);
	ck_assert(h.dev == hello.dev && h.ino == 7 && h.minlen == 12 &&
		  h.maxlen == 72);
	ck_assert_int_eq(secret_send(pair[0], &secret), 0);
	ck_assert_int_eq(secret_recv(pair[1], &s), 0);
	ck_assert_str_eq(s.password, secret.password);
	ck_assert_str_eq(s.new_password, "new");
	ck_assert_int_eq(tell_send(pair[0], TELL_ADMITTED), 0);
	ck_assert_int_eq(tell_recv(pair[1], &tell), 0);
	ck_assert_uint_eq(tell, TELL_ADMITTED);
	memset(reply.text, 'x', sizeof(reply.text) - 1);
	ck_assert_int_eq(reply_send(pair[0], &reply), 0);
	ck_assert_int_eq(reply_recv(pair[1], &got), 0);
	ck_assert_int_eq(got.kind, REPLY_VERDICT);
	ck_assert_int_eq(got.number, -7);
	ck_assert_uint_eq(got.priority, LOG_ALERT);
	ck_assert_uint_eq(strlen(got.text), SAY_BYTES - 1);
	ck_assert_str_eq(got.text, reply.text);
}
END_TEST

static const struct status statuses[] = {
	{ 0, 0, false }, { 12, 0, false }, { 0, 20, false }, { 255, 255, true }
};

START_TEST(status_arrives)
{
	const int32_t number = status_pack(&statuses[_i]);
	struct status got;

	ROW(NULL);
	ck_assert(status_unpack(number, &got));
	ck_assert_int_eq(got.found, statuses[_i].found);
	ck_assert_int_eq(got.change, statuses[_i].change);
	ck_assert(got.blank == statuses[_i].blank);
	ck_assert(!status_unpack(-number, &got));
	ck_assert(!status_unpack(number & 0x1ffff, &got));
}
END_TEST

/* The service's loop never waits for a module. */
START_TEST(nothing_there_is_no_wait)
{
	ck_assert_int_eq(request_recv(pair[1], &out), -1);
	ck_assert_int_eq(errno, EAGAIN);
	ck_assert(!request_wait(pair[1], 10));
	while (reply_send(pair[0], &(struct reply){ .kind = 1 }) == 0)
		continue;
	ck_assert_int_eq(errno, EAGAIN);
}
END_TEST

static volatile sig_atomic_t interruptions;

static void interrupt(int sig)
{
	(void)sig;
	if (++interruptions == 1000)
		_exit(1);
}

/* An application may have a timer. */
START_TEST(signals_do_not_change_a_wait)
{
	const struct itimerval often = { { 0, 2000 }, { 0, 2000 } };
	const struct sigaction on = { .sa_handler = interrupt };
	const int64_t begun = clock_ms();

	ck_assert_int_eq(sigaction(SIGALRM, &on, NULL), 0);
	ck_assert_int_eq(setitimer(ITIMER_REAL, &often, NULL), 0);
	ck_assert(!request_wait(pair[1], 50));
	ck_assert_int_ge(clock_ms(), begun + 50);
	ck_assert_int_gt(interruptions, 0);
	ck_assert_int_eq(send(pair[0], "x", 1, 0), 1);
	ck_assert(request_wait(pair[1], 50));
}
END_TEST

/* Waits do not end, nor begin anew, when somebody sets the date. */
START_TEST(time_is_not_the_date)
{
	struct timespec before, after;
	int64_t ms;

	clock_gettime(CLOCK_MONOTONIC, &before);
	ms = clock_ms();
	clock_gettime(CLOCK_MONOTONIC, &after);
	ck_assert_int_ge(ms, (int64_t)before.tv_sec * 1000);
	ck_assert_int_le(ms, (int64_t)after.tv_sec * 1000 + 1000);
}
END_TEST

/* ---- the log ---- */
/* A log that is not read neither stops the service nor kills it. */
START_TEST(the_log_does_not_wait)
{
	char text[2048], want[64];
	ssize_t n;
	int i;

	log_line(LOG_ERR, "nobody listens");
	devlog_open();
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	for (i = 0; i < 2000; i++)
		log_line(LOG_ERR, "%d %s", i, text);
	n = recv(devlog, text, sizeof(text), 0);
	snprintf(want, sizeof(want), "<%d>lyra2d[%d]: 0 xxx",
		 LOG_AUTHPRIV | LOG_ERR, (int)getpid());
	ck_assert_int_eq(strncmp(text, want, strlen(want)), 0);
	ck_assert_int_eq(n, 1023);
	devlog_close();
}
END_TEST

/* Texts of others neither begin a line nor move the cursor. */
START_TEST(a_line_is_one_line)
{
	char text[64];
	ssize_t n;

	devlog_open();
	log_line(LOG_ERR, "host %s", "a\nb\33[2J\x9b\177z");
	n = recv(devlog, text, sizeof(text) - 1, 0);
	devlog_close();
	ck_assert_int_gt(n, 0);
	text[n] = '\0';
	ck_assert_str_eq(strstr(text, "host"), "host a?b?[2J??z");
}
END_TEST

/* ---- the audit system ---- */
#ifdef HAVE_LIBAUDIT
#include <libaudit.h>
static char record[128];

int audit_open(void)
{
	return 9;
}

void audit_close(int fd)
{
	ck_assert_int_eq(fd, 9);
}

int audit_log_acct_message(int fd, int type, const char *program,
			   const char *op, const char *name, unsigned id,
			   const char *host, const char *addr, const char *tty,
			   int result)
{
	ck_assert(fd == 9 && !program && !host && !addr && !tty);
	snprintf(record, sizeof(record), "%d %s %s %u %d", type, op, name, id,
		 result);
	return 1;
}

START_TEST(audit_has_the_result)
{
	audit_log(AUDIT_REHASH, "ann", 1001, 1);
	ck_assert_str_eq(record, "1102 rehash-password ann 1001 1");
	audit_log(AUDIT_CHANGE, "ann", 1001, 0);
	ck_assert_str_eq(record, "1108 change-password ann 1001 0");
}
END_TEST
#endif

/* A service of another root directory is none for this process. */
START_TEST(hello_is_of_this_system)
{
	struct hello hello = { .minlen = 6 };
	struct stat st;

	ck_assert_int_eq(stat("/etc", &st), 0);
	hello.dev = st.st_dev;
	hello.ino = st.st_ino;
	ck_assert(hello_is_here(&hello));
	hello.dev++;
	ck_assert(!hello_is_here(&hello));
	hello.dev--;
	hello.ino++;
	ck_assert(!hello_is_here(&hello));
}
END_TEST

/* 511 bytes arrive; of a megabyte, so many arrive that they are too long. */
START_TEST(long_texts_stay_too_long)
{
	static char huge[1 << 20];
	struct secret secret, got;

	memset(huge, 'x', sizeof(huge) - 1);
	request_text(secret.password, sizeof(secret.password), huge);
	ck_assert_uint_eq(strlen(secret.password), LYRA2_MAX_PASSWORD + 1);
	memcpy(secret.new_password, huge, LYRA2_MAX_PASSWORD);
	secret.new_password[LYRA2_MAX_PASSWORD] = '\0';
	ck_assert_int_eq(secret_send(pair[0], &secret), 0);
	ck_assert_int_eq(secret_recv(pair[1], &got), 0);
	ck_assert_uint_eq(strlen(got.password), LYRA2_MAX_PASSWORD + 1);
	ck_assert_uint_eq(strlen(got.new_password), LYRA2_MAX_PASSWORD);
	request_text(in.user, sizeof(in.user), huge);
	ck_assert_int_eq(request_send(pair[0], &in), 0);
	ck_assert_int_eq(request_recv(pair[1], &out), 0);
	ck_assert_uint_eq(strlen(out.user), USER_MAX + 1);
}
END_TEST

/* The longest request of all fits, and what is only told is cut. */
START_TEST(long_places_are_cut)
{
	static char huge[1 << 20];

	memset(huge, 'x', sizeof(huge) - 1);
	request_text(in.user, sizeof(in.user), huge);
	request_text(in.rhost, sizeof(in.rhost), huge);
	request_text(in.tty, sizeof(in.tty), huge);
	request_text(in.service, sizeof(in.service), huge);
	ck_assert_int_eq(request_send(pair[0], &in), 0);
	ck_assert_int_eq(request_recv(pair[1], &out), 0);
	ck_assert_uint_eq(strlen(out.rhost), HOST_MAX);
	ck_assert_uint_eq(strlen(out.tty), TTY_MAX);
	ck_assert_uint_eq(strlen(out.service), SERVICE_MAX);
}
END_TEST

/* The bytes of a request, as they are sent. */
static size_t raw(unsigned char *buf)
{
	ssize_t len;

	ck_assert_int_eq(request_send(pair[0], &in), 0);
	len = recv(pair[1], buf, WIRE_MAX, 0);
	ck_assert_int_gt(len, 16);
	return (size_t)len;
}

static int recv_raw(const unsigned char *buf, size_t len)
{
	ck_assert_int_eq(send(pair[0], buf, len, 0), (ssize_t)len);
	return request_recv(pair[1], &out);
}

START_TEST(every_other_packet_is_refused)
{
	unsigned char buf[WIRE_MAX + 1] = { 0 }, *name;
	size_t len = raw(buf), n;

	for (n = 1; n < len; n++) {
		ck_assert_int_eq(recv_raw(buf, n), -1);
		ck_assert_int_eq(errno, EBADMSG);
	}
	ck_assert_int_eq(recv_raw(buf, len + 1), -1);
	ck_assert_int_eq(errno, EBADMSG);
	ck_assert_int_eq(recv_raw(buf, sizeof(buf)), -1);
	ck_assert_int_eq(errno, EMSGSIZE);
	ck_assert_int_eq(recv_raw(buf, len), 0);
	name = memmem(buf, len, "alice", 5);
	ck_assert_ptr_nonnull(name);
	name[2] = '\0';
	ck_assert_int_eq(recv_raw(buf, len), -1);
	name[2] = 'i';
	buf[4] ^= 1;	/* another protocol */
	ck_assert_int_eq(recv_raw(buf, len + 1), -1);
	ck_assert_int_eq(errno, EPROTONOSUPPORT);
	buf[4] ^= 1;
	buf[0] ^= 1;	/* the magic number */
	ck_assert_int_eq(recv_raw(buf, len), -1);
	ck_assert_int_eq(errno, EBADMSG);
}
END_TEST

/* Sends what has been sent once more, with another magic number. */
static void send_foreign(void)
{
	unsigned char buf[WIRE_MAX];
	ssize_t len = recv(pair[1], buf, sizeof(buf), 0);

	ck_assert_int_gt(len, 0);
	buf[0] ^= 1;
	ck_assert_int_eq(send(pair[0], buf, (size_t)len, 0), len);
}

START_TEST(each_packet_of_another_service_is_refused)
{
	struct hello hello = { 1, 2, 3, 4 };
	struct secret secret = { "old", "new" };
	struct reply reply = { .kind = REPLY_QUEUED };
	enum tell tell = TELL_GOT;

	ck_assert_int_eq(hello_send(pair[0], &hello), 0);
	send_foreign();
	ck_assert_int_eq(hello_recv(pair[1], &hello), -1);
	ck_assert_int_eq(secret_send(pair[0], &secret), 0);
	send_foreign();
	ck_assert_int_eq(secret_recv(pair[1], &secret), -1);
	ck_assert_int_eq(reply_send(pair[0], &reply), 0);
	send_foreign();
	ck_assert_int_eq(reply_recv(pair[1], &reply), -1);
	ck_assert_int_eq(tell_send(pair[0], tell), 0);
	send_foreign();
	ck_assert_int_eq(tell_recv(pair[1], &tell), -1);
}
END_TEST

START_TEST(nothing_is_put_behind_the_end)
{
	static struct wire w;
	size_t i;

	for (i = 0; i < WIRE_MAX / 4; i++)
		wire_put_u32(&w, 1);
	ck_assert(!w.bad);
	wire_put_u32(&w, 1);
	ck_assert(w.bad);
	ck_assert_uint_eq(w.len, WIRE_MAX);
	ck_assert_int_eq(wire_send(pair[0], &w, 0), -1);
	ck_assert_int_eq(errno, EMSGSIZE);
}
END_TEST

/* Bytes of an earlier, longer packet may still be in the buffer. */
START_TEST(nothing_is_read_behind_the_end)
{
	static struct wire w;
	char text[8] = "xxxxxxx";

	memset(w.buf, 0xff, sizeof(w.buf));
	w.len = 6;
	ck_assert_uint_eq(wire_get_u32(&w), UINT32_MAX);
	ck_assert(!w.bad);
	ck_assert_uint_eq(wire_get_u32(&w), 0);
	ck_assert(w.bad);
	ck_assert_uint_eq(wire_get_u64(&w), 0);
	memset(&w, 0, sizeof(w));
	wire_put_text(&w, "abcd", 8);
	wire_get_text(&w, text, 4);
	ck_assert(w.bad);
	ck_assert_str_eq(text, "");
	ck_assert_int_eq(text[4], 'x');
}
END_TEST

/* No SIGPIPE either: the test would die of it. */
START_TEST(dead_peer_is_an_error)
{
	ck_assert(signal(SIGPIPE, SIG_DFL) != SIG_ERR);
	close(pair[1]);
	ck_assert_int_eq(request_send(pair[0], &in), -1);
	ck_assert_int_eq(errno, EPIPE);
	ck_assert_int_eq(request_recv(pair[0], &out), -1);
	ck_assert_int_eq(hello_recv(pair[0], &(struct hello){ 0 }), -1);
	ck_assert_int_eq(secret_recv(pair[0], &(struct secret){ "", "" }), -1);
	ck_assert_int_eq(reply_recv(pair[0], &(struct reply){ 0 }), -1);
	ck_assert_int_eq(tell_recv(pair[0], &(enum tell){ 0 }), -1);
}
END_TEST

/* ---- nothing secret is left on the stack ---- */

#define SECRET "no-such-word-anywhere"

static struct secret sent = { SECRET, "" }, received;

START_TEST(secrets_leave_nothing)
{
	leave_on_stack(SECRET);
	ck_assert(left_on_stack(SECRET));
	ck_assert_int_eq(secret_send(pair[0], &sent), 0);
	ck_assert(!left_on_stack(SECRET));
	leave_on_stack(SECRET);
	ck_assert(left_on_stack(SECRET));
	ck_assert_int_eq(secret_recv(pair[1], &received), 0);
	ck_assert(!left_on_stack(SECRET));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pam-wire");
	TCase *c = tcase_create("pam-wire");

	tcase_add_checked_fixture(c, start, stop);
	tcase_add_test(c, request_arrives);
	tcase_add_test(c, all_else_arrives);
	tcase_add_loop_test(c, status_arrives, 0, 4);
	tcase_add_test(c, nothing_there_is_no_wait);
	tcase_add_test(c, signals_do_not_change_a_wait);
	tcase_add_test(c, time_is_not_the_date);
	tcase_add_test(c, hello_is_of_this_system);
#ifdef HAVE_LIBAUDIT
	tcase_add_test(c, audit_has_the_result);
#endif
	tcase_add_test(c, the_log_does_not_wait);
	tcase_add_test(c, a_line_is_one_line);
	tcase_add_test(c, long_texts_stay_too_long);
	tcase_add_test(c, long_places_are_cut);
	tcase_add_test(c, every_other_packet_is_refused);
	tcase_add_test(c, each_packet_of_another_service_is_refused);
	tcase_add_test(c, nothing_is_put_behind_the_end);
	tcase_add_test(c, nothing_is_read_behind_the_end);
	tcase_add_test(c, dead_peer_is_an_error);
	if (INSTRUMENTED)
		check_skip(suite, "secrets_leave_nothing # SKIP the "
			   "instrumentation keeps copies of its own");
	else
		tcase_add_test(c, secrets_leave_nothing);
	suite_add_tcase(suite, c);
	return check_apart(suite);
}
