/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages between module and helper: what goes in comes out, or nothing. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "check-main.h"
#include "instrumented.h"
#include "pam/request.h"

static int pair[2];
static struct request in, out;

static void start(void)
{
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	memset(&in, 0, sizeof(in));
	memset(&out, 0xff, sizeof(out));
	in.op = OP_SET;
	in.flags = FLAG_NULLOK | FLAG_EXPIRED_ONLY;
	in.caller = 1001;
	lyra2_params_init(&in.policy.params);
	in.policy.params.t_cost = 77;
	in.policy.max_memory = UINT64_C(5) << 32;
	in.policy.max_concurrent = 3;
	in.policy.rehash = REHASH_LOG_ONLY;
	in.policy.rehash_root = ROOT_NO;
	strcpy(in.user, "alice");
	strcpy(in.password, "old: \xc3\xa4\n");
	strcpy(in.new_password, "new");
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
	ck_assert_mem_eq(&out.policy.params, &in.policy.params,
			 sizeof(in.policy.params));
	ck_assert_uint_eq(out.policy.max_memory, in.policy.max_memory);
	ck_assert_uint_eq(out.policy.max_concurrent, 3);
	ck_assert_uint_eq(out.policy.rehash, REHASH_LOG_ONLY);
	ck_assert_uint_eq(out.policy.rehash_root, ROOT_NO);
	ck_assert_str_eq(out.user, in.user);
	ck_assert_str_eq(out.password, in.password);
	ck_assert_str_eq(out.new_password, in.new_password);
}
END_TEST

/* 511 bytes arrive; of a megabyte, enough arrive to be too many. */
START_TEST(verdict_is_acknowledged_or_not)
{
	ck_assert_int_eq(request_acknowledge(pair[0]), 0);
	ck_assert(request_acknowledged(pair[1]));
	ck_assert(!request_acknowledged(pair[1]));
	shutdown(pair[0], SHUT_WR);
	ck_assert(!request_acknowledged(pair[1]));
}
END_TEST

START_TEST(no_receive_is_endless)
{
	ck_assert_int_eq(request_set_timeout(pair[1], 1), 0);
	ck_assert_int_eq(request_recv(pair[1], &out), -1);
	ck_assert_int_eq(errno, EAGAIN);
}
END_TEST

START_TEST(long_texts_stay_too_long)
{
	static char megabyte[1 << 20];

	memset(megabyte, 'p', sizeof(megabyte) - 1);
	request_text(in.password, sizeof(in.password), megabyte);
	request_text(in.user, sizeof(in.user), megabyte);
	memset(in.new_password, 'n', LYRA2_MAX_PASSWORD);
	ck_assert_int_eq(request_send(pair[0], &in), 0);
	ck_assert_int_eq(request_recv(pair[1], &out), 0);
	ck_assert_uint_eq(strlen(out.password), LYRA2_MAX_PASSWORD + 1);
	ck_assert_uint_eq(strlen(out.user), USER_MAX + 1);
	ck_assert_uint_eq(strlen(out.new_password), LYRA2_MAX_PASSWORD);
}
END_TEST

/* The bytes of a message, taken from the socket. */
static size_t raw(unsigned char *buf, size_t size)
{
	ssize_t len;

	ck_assert_int_eq(request_send(pair[0], &in), 0);
	len = recv(pair[1], buf, size, 0);
	ck_assert_int_gt(len, 64);
	return (size_t)len;
}

START_TEST(every_shorter_message_is_refused)
{
	unsigned char buf[WIRE_MAX];
	size_t len = raw(buf, sizeof(buf)), n;

	for (n = 0; n < len; n++) {
		stop();
		start();
		ck_assert_int_eq(send(pair[0], buf, n, 0), (ssize_t)n);
		shutdown(pair[0], SHUT_WR);
		ck_assert_int_eq(request_recv(pair[1], &out), -1);
	}
}
END_TEST

/* Sends a message of these bytes, with a length that is right. */
static int recv_payload(unsigned char *buf, size_t len)
{
	uint32_t size = (uint32_t)(len - sizeof(size));

	memcpy(buf, &size, sizeof(size));
	stop();
	start();
	ck_assert_int_eq(send(pair[0], buf, len, 0), (ssize_t)len);
	shutdown(pair[0], SHUT_WR);
	return request_recv(pair[1], &out);
}

START_TEST(every_cut_and_longer_payload_is_refused)
{
	unsigned char buf[WIRE_MAX], cut[WIRE_MAX] = { 0 };
	size_t len = raw(buf, sizeof(buf)), n;

	for (n = sizeof(uint32_t); n < len; n++) {
		memcpy(cut, buf, n);
		ck_assert_int_eq(recv_payload(cut, n), -1);
	}
	ck_assert_int_eq(recv_payload(buf, len), 0);
	ck_assert_int_eq(recv_payload(buf, len + 1), -1);
	ck_assert_int_eq(errno, EBADMSG);
	buf[4] ^= 1;	/* the magic number */
	ck_assert_int_eq(recv_payload(buf, len), -1);
}
END_TEST

START_TEST(nul_inside_a_text_is_refused)
{
	unsigned char buf[WIRE_MAX], *name;
	size_t len = raw(buf, sizeof(buf));

	name = memmem(buf, len, "alice", 5);
	ck_assert_ptr_nonnull(name);
	name[2] = '\0';
	ck_assert_int_eq(recv_payload(buf, len), -1);
}
END_TEST

START_TEST(huge_length_is_refused)
{
	const uint32_t lengths[] = { UINT32_MAX, WIRE_MAX + 1 };
	static struct {
		struct wire wire;
		unsigned char after[64];
	} w;
	static const unsigned char bytes[WIRE_MAX + 1] = { 0 };

	memset(w.after, 0xff, sizeof(w.after));
	ck_assert_int_eq(send(pair[0], &lengths[_i], sizeof(lengths[_i]), 0),
			 4);
	ck_assert_int_eq(send(pair[0], bytes, sizeof(bytes), 0),
			 sizeof(bytes));
	ck_assert_int_eq(wire_recv(pair[1], &w.wire), -1);
	ck_assert_int_eq(errno, EMSGSIZE);
	ck_assert_uint_eq(w.after[0], 0xff);
}
END_TEST

START_TEST(message_must_be_whole)
{
	const struct {
		uint32_t len;
		unsigned char bytes[4];
	} half = { 8, { 1, 2, 3, 4 } };
	static struct wire w;

	ck_assert_int_eq(send(pair[0], &half, sizeof(half), 0), sizeof(half));
	shutdown(pair[0], SHUT_WR);
	ck_assert_int_eq(wire_recv(pair[1], &w), -1);
	ck_assert_int_eq(errno, EPIPE);
	ck_assert_int_eq(wire_recv(pair[1], &w), -1);
	ck_assert_int_eq(errno, EPIPE);
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
	errno = 0;
	ck_assert_int_eq(wire_send(pair[0], &w), -1);
	ck_assert_int_eq(errno, EMSGSIZE);
}
END_TEST

/* Bytes of an earlier, longer message may still be in the buffer. */
START_TEST(nothing_is_read_behind_the_end)
{
	static struct wire w;

	memset(w.buf, 0xff, sizeof(w.buf));
	w.len = 6;
	ck_assert_uint_eq(wire_get_u32(&w), UINT32_MAX);
	ck_assert(!w.bad);
	ck_assert_uint_eq(wire_get_u32(&w), 0);
	ck_assert(w.bad);
	ck_assert_uint_eq(wire_get_u64(&w), 0);
}
END_TEST

START_TEST(text_has_to_fit)
{
	static struct wire w;
	char text[8];

	wire_put_text(&w, "abc", 8);
	wire_put_text(&w, "abcd", 8);
	memset(text, 'x', sizeof(text));
	wire_get_text(&w, text, 4);
	ck_assert_str_eq(text, "abc");
	ck_assert(!w.bad);
	memset(text, 'x', sizeof(text));
	wire_get_text(&w, text, 4);
	ck_assert(w.bad);
	ck_assert_str_eq(text, "");
	ck_assert_int_eq(text[4], 'x');
}
END_TEST

/* No SIGPIPE either: the test would die of it. */
START_TEST(dead_peer_is_an_error)
{
	close(pair[1]);
	ck_assert_int_eq(request_send(pair[0], &in), -1);
	ck_assert_int_eq(errno, EPIPE);
}
END_TEST

/* ---- nothing secret is left on the stack ---- */

#define SECRET "no-such-word-anywhere"

/* Looks where the calls before this one had their frames. */
__attribute__((noinline)) static int left_on_stack(void)
{
	static const char secret[] = SECRET;
	const volatile char *end = __builtin_frame_address(0), *p;
	size_t i;

	for (p = end - 3 * WIRE_MAX; p < end; p++) {
		for (i = 0; i < sizeof(secret) - 1; i++)
			if (p[i] != secret[i])
				break;
		if (i == sizeof(secret) - 1)
			return 1;
	}
	return 0;
}

__attribute__((noinline)) static int leave_on_stack(void)
{
	volatile char copy[WIRE_MAX];
	size_t i;

	for (i = 0; i < sizeof(SECRET); i++)
		copy[100 + i] = in.password[i];
	return copy[100];
}

START_TEST(requests_leave_nothing)
{
	strcpy(in.password, SECRET);
	leave_on_stack();
	ck_assert(left_on_stack());
	ck_assert_int_eq(request_send(pair[0], &in), 0);
	ck_assert(!left_on_stack());
	leave_on_stack();
	ck_assert(left_on_stack());
	ck_assert_int_eq(request_recv(pair[1], &out), 0);
	ck_assert(!left_on_stack());
}
END_TEST

/* ---- a signal, without SA_RESTART, while it waits ---- */

static void send_it(int number)
{
	(void)number;
	(void)request_send(pair[0], &in);
}

static void make_room(int number)
{
	static char bytes[1 << 20];

	(void)number;
	while (recv(pair[1], bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
		continue;
}

static void signal_soon(void (*handler)(int))
{
	const struct sigaction action = { .sa_handler = handler };
	const struct itimerval soon = { { 0, 0 }, { 0, 20000 } };

	ck_assert_int_eq(sigaction(SIGALRM, &action, NULL), 0);
	ck_assert_int_eq(setitimer(ITIMER_REAL, &soon, NULL), 0);
}

START_TEST(signals_do_not_matter)
{
	ck_assert_int_eq(request_set_timeout(pair[1], 10), 0);
	signal_soon(send_it);
	ck_assert_int_eq(request_recv(pair[1], &out), 0);
	ck_assert_str_eq(out.user, in.user);
	while (send(pair[0], &in, sizeof(in), MSG_DONTWAIT) > 0)
		continue;
	signal_soon(make_room);
	ck_assert_int_eq(request_send(pair[0], &in), 0);
	ck_assert_int_eq(request_recv(pair[1], &out), 0);
}
END_TEST

START_TEST(replies_arrive)
{
	struct reply reply = { REPLY_LOG, -7, "" }, got;

	memset(reply.text, 'x', sizeof(reply.text) - 1);
	ck_assert_int_eq(reply_send(pair[0], &reply), 0);
	ck_assert_int_eq(reply_recv(pair[1], &got), 0);
	ck_assert_int_eq(got.kind, REPLY_LOG);
	ck_assert_int_eq(got.number, -7);
	ck_assert_str_eq(got.text, reply.text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pam-wire");
	TCase *c = tcase_create("pam-wire");

	tcase_add_checked_fixture(c, start, stop);
	tcase_add_test(c, request_arrives);
	tcase_add_test(c, verdict_is_acknowledged_or_not);
	tcase_add_test(c, no_receive_is_endless);
	tcase_add_test(c, long_texts_stay_too_long);
	tcase_add_test(c, every_shorter_message_is_refused);
	tcase_add_test(c, every_cut_and_longer_payload_is_refused);
	tcase_add_test(c, nul_inside_a_text_is_refused);
	tcase_add_loop_test(c, huge_length_is_refused, 0, 2);
	tcase_add_test(c, message_must_be_whole);
	tcase_add_test(c, nothing_is_put_behind_the_end);
	tcase_add_test(c, nothing_is_read_behind_the_end);
	tcase_add_test(c, text_has_to_fit);
	tcase_add_test(c, dead_peer_is_an_error);
	if (INSTRUMENTED)
		check_skip(suite, "requests_leave_nothing # SKIP the "
			   "instrumentation keeps copies of its own");
	else
		tcase_add_test(c, requests_leave_nothing);
	tcase_add_test(c, signals_do_not_matter);
	tcase_add_test(c, replies_arrive);
	suite_add_tcase(suite, c);
	return check_main(suite);
}
