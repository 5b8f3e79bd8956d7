/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For libFuzzer: whatever arrives at a helper or at the module, reading it is
 * safe, and what is accepted is sent on as the same bytes, all of them.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pam/request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void make_pair(int pair[2])
{
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		abort();
}

/* Returns a socket that gives these bytes and then ends. */
static int socket_with(const uint8_t *data, size_t size)
{
	int pair[2];

	make_pair(pair);
	if (write(pair[1], data, size) != (ssize_t)size)
		abort();
	close(pair[1]);
	return pair[0];
}

/* One message: its length, and as many bytes.  What came behind it stays. */
static void check_sent(int fd, const uint8_t *data, size_t size)
{
	uint8_t out[2 * WIRE_MAX];
	ssize_t n = read(fd, out, sizeof(out));
	uint32_t len;

	if (size < sizeof(len))
		abort();
	memcpy(&len, data, sizeof(len));
	if (len > size - sizeof(len) || n != (ssize_t)(sizeof(len) + len) ||
	    memcmp(out, data, (size_t)n) != 0)
		abort();
}

static void check_request(const uint8_t *data, size_t size)
{
	int fd = socket_with(data, size), pair[2];
	struct request req;

	if (request_recv(fd, &req) == 0) {
		make_pair(pair);
		if (request_send(pair[1], &req) < 0)
			abort();
		check_sent(pair[0], data, size);
		close(pair[0]);
		close(pair[1]);
	}
	close(fd);
}

static void check_reply(const uint8_t *data, size_t size)
{
	int fd = socket_with(data, size), pair[2];
	struct reply reply;

	if (reply_recv(fd, &reply) == 0) {
		make_pair(pair);
		if (reply_send(pair[1], &reply) < 0)
			abort();
		check_sent(pair[0], data, size);
		close(pair[0]);
		close(pair[1]);
	}
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0 || size > 2 * WIRE_MAX)
		return 0;
	check_request(data, size);
	check_reply(data, size);
	return 0;
}
