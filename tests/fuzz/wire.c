/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For libFuzzer: lyra2d and the module can safely read any packet.  An accepted
 * packet is sent on as the same bytes, all of them.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pam/protocol/request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int pair[2];

static void send_packet(const uint8_t *data, size_t size)
{
	if (send(pair[0], data, size, 0) != (ssize_t)size)
		abort();
}

static void check_sent(int rc, const uint8_t *data, size_t size)
{
	uint8_t out[2 * WIRE_MAX];
	ssize_t n = recv(pair[1], out, sizeof(out), MSG_DONTWAIT);

	if (rc < 0 || n != (ssize_t)size || memcmp(out, data, size) != 0)
		abort();
}

/* Reads the packet as one kind, and writes that again. */
#define CHECK(what) do { \
	struct what got; \
	send_packet(data, size); \
	if (what##_recv(pair[1], &got) == 0) \
		check_sent(what##_send(pair[0], &got), data, size); \
} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum tell tell;

	if (size == 0 || size > 2 * WIRE_MAX)
		return 0;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		abort();
	CHECK(hello);
	CHECK(request);
	CHECK(secret);
	CHECK(reply);
	send_packet(data, size);
	if (tell_recv(pair[1], &tell) == 0)
		check_sent(tell_send(pair[0], tell), data, size);
	close(pair[0]);
	close(pair[1]);
	return 0;
}
