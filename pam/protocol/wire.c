/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets between the module and lyra2d. */
#include "wire.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

static void put(struct wire *w, const void *data, size_t len)
{
	if (w->bad || len > sizeof(w->buf) - w->len) {
		w->bad = true;
		return;
	}
	memcpy(w->buf + w->len, data, len);
	w->len += len;
}

static void get(struct wire *w, void *data, size_t len)
{
	if (w->bad || len > w->len - w->pos) {
		w->bad = true;
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
		w->bad = true;
		return;
	}
	get(w, out, len);
	out[len] = '\0';
	if (strlen(out) != len)
		w->bad = true;
}

void wire_put_padding(struct wire *w, size_t size)
{
	if (w->bad || size > sizeof(w->buf)) {
		w->bad = true;
		return;
	}
	while (w->len < size)
		w->buf[w->len++] = 0;
}

void wire_get_padding(struct wire *w)
{
	while (w->pos < w->len && w->buf[w->pos] == 0)
		w->pos++;
}

bool wire_complete(const struct wire *w)
{
	if (!w->bad && w->pos == w->len)
		return true;
	errno = EBADMSG;
	return false;
}

/* send(2), because write(2) would raise SIGPIPE in the application. */
int wire_send(int fd, const struct wire *w, int flags)
{
	ssize_t n;

	if (w->bad) {
		errno = EMSGSIZE;
		return -1;
	}
	do
		n = send(fd, w->buf, w->len, flags | MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -1 : 0;
}

int wire_recv(int fd, struct wire *w, int flags)
{
	ssize_t n;

	w->len = w->pos = 0;
	w->bad = false;
	do
		n = recv(fd, w->buf, sizeof(w->buf), flags | MSG_TRUNC);
	while (n < 0 && errno == EINTR);
	if (n > 0 && (size_t)n <= sizeof(w->buf)) {
		w->len = (size_t)n;
		return 0;
	}
	if (n >= 0)
		errno = n == 0 ? EPIPE : EMSGSIZE;
	return -1;
}
