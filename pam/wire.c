/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages between the module and its helpers. */
#include "wire.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

static void put(struct wire *w, const void *data, size_t len)
{
	if (w->bad || len > sizeof(w->buf) - w->len) {
		w->bad = 1;
		return;
	}
	memcpy(w->buf + w->len, data, len);
	w->len += len;
}

static void get(struct wire *w, void *data, size_t len)
{
	if (w->bad || len > w->len - w->pos) {
		w->bad = 1;
		memset(data, 0, len);
		return;
	}
	memcpy(data, w->buf + w->pos, len);
	w->pos += len;
}

void wire_put_u32(struct wire *w, uint32_t n)
{
	put(w, &n, sizeof(n));
}

void wire_put_u64(struct wire *w, uint64_t n)
{
	put(w, &n, sizeof(n));
}

void wire_put_text(struct wire *w, const char *text, size_t max)
{
	size_t len = strnlen(text, max + 1);

	wire_put_u32(w, (uint32_t)len);
	put(w, text, len);
}

uint32_t wire_get_u32(struct wire *w)
{
	uint32_t n;

	get(w, &n, sizeof(n));
	return n;
}

uint64_t wire_get_u64(struct wire *w)
{
	uint64_t n;

	get(w, &n, sizeof(n));
	return n;
}

void wire_get_text(struct wire *w, char *out, size_t size)
{
	uint32_t len = wire_get_u32(w);

	out[0] = '\0';
	if (w->bad || len >= size) {
		w->bad = 1;
		return;
	}
	get(w, out, len);
	out[len] = '\0';
	if (strlen(out) != len)
		w->bad = 1;
}

/* send(2), because write(2) would raise SIGPIPE in the application. */
static int send_all(int fd, const void *data, size_t len)
{
	const unsigned char *p = data;

	while (len > 0) {
		ssize_t n = send(fd, p, len, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

static int recv_all(int fd, void *data, size_t len)
{
	unsigned char *p = data;

	while (len > 0) {
		ssize_t n = recv(fd, p, len, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0)
			errno = EPIPE;
		if (n <= 0)
			return -1;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

int wire_send(int fd, const struct wire *w)
{
	uint32_t len = (uint32_t)w->len;

	if (w->bad) {
		errno = EMSGSIZE;
		return -1;
	}
	if (send_all(fd, &len, sizeof(len)) < 0)
		return -1;
	return send_all(fd, w->buf, len);
}

int wire_recv(int fd, struct wire *w)
{
	uint32_t len;

	w->len = w->pos = 0;
	w->bad = 0;
	if (recv_all(fd, &len, sizeof(len)) < 0)
		return -1;
	if (len > sizeof(w->buf)) {
		errno = EMSGSIZE;
		return -1;
	}
	if (recv_all(fd, w->buf, len) < 0)
		return -1;
	w->len = len;
	return 0;
}
