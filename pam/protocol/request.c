/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests and replies as packets. */
#include "request.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "clock.h"

#define MAGIC UINT32_C(0x4c324431)	/* "L2D1": a packet of this protocol */

static void put_magic(struct wire *w)
{
	w->len = w->pos = 0;
	w->bad = false;
	wire_put_u32(w, MAGIC);
}

static int recv_magic(int fd, struct wire *w, int flags)
{
	if (wire_recv(fd, w, flags) < 0)
		return -1;
	if (wire_get_u32(w) != MAGIC)
		w->bad = true;
	return 0;
}

static void put_protocol(struct wire *w)
{
	put_magic(w);
	wire_put_u32(w, LYRA2D_PROTOCOL);
}

/* Reads the protocol number.  The fields of another protocol are not known. */
static int recv_protocol(int fd, struct wire *w, int flags)
{
	uint32_t number;

	if (recv_magic(fd, w, flags) < 0)
		return -1;
	number = wire_get_u32(w);
	if (w->bad || number == LYRA2D_PROTOCOL)
		return 0;
	errno = EPROTONOSUPPORT;
	return -1;
}

static int done(struct wire *w)
{
	int rc = wire_complete(w) ? 0 : -1;

	explicit_bzero(w->buf, sizeof(w->buf));
	return rc;
}

int hello_send(int fd, const struct hello *hello)
{
	struct wire w;

	put_protocol(&w);
	wire_put_u64(&w, hello->dev);
	wire_put_u64(&w, hello->ino);
	wire_put_u32(&w, hello->minlen);
	wire_put_u32(&w, hello->maxlen);
	return wire_send(fd, &w, MSG_DONTWAIT);
}

int hello_recv(int fd, struct hello *hello)
{
	struct wire w;

	if (recv_protocol(fd, &w, 0) < 0)
		return -1;
	hello->dev = wire_get_u64(&w);
	hello->ino = wire_get_u64(&w);
	hello->minlen = wire_get_u32(&w);
	hello->maxlen = wire_get_u32(&w);
	return done(&w);
}

bool hello_is_here(const struct hello *hello)
{
	struct stat st;

	return stat("/etc", &st) == 0 && hello->dev == st.st_dev &&
		hello->ino == st.st_ino;
}

int request_send(int fd, const struct request *req)
{
	struct wire w;

	put_protocol(&w);
	wire_put_u32(&w, req->op);
	wire_put_u32(&w, req->flags);
	wire_put_u32(&w, req->caller);
	wire_put_text(&w, req->user, USER_MAX);
	wire_put_text(&w, req->rhost, HOST_MAX);
	wire_put_text(&w, req->tty, TTY_MAX);
	wire_put_text(&w, req->service, SERVICE_MAX);
	return wire_send(fd, &w, 0);
}

int request_recv(int fd, struct request *req)
{
	struct wire w;

	if (recv_protocol(fd, &w, MSG_DONTWAIT) < 0)
		return -1;
	req->op = wire_get_u32(&w);
	req->flags = wire_get_u32(&w);
	req->caller = wire_get_u32(&w);
	wire_get_text(&w, req->user, sizeof(req->user));
	wire_get_text(&w, req->rhost, sizeof(req->rhost));
	wire_get_text(&w, req->tty, sizeof(req->tty));
	wire_get_text(&w, req->service, sizeof(req->service));
	return done(&w);
}

/*
 * All packets with secrets have one size, as sock_diag(7) tells each user how
 * many bytes wait in a socket.
 */
#define SECRET_SIZE (3 * sizeof(uint32_t) + 2 * (LYRA2_MAX_PASSWORD + 1))

int secret_send(int fd, const struct secret *secret)
{
	struct wire w;
	int rc;

	put_magic(&w);
	wire_put_text(&w, secret->password, LYRA2_MAX_PASSWORD);
	wire_put_text(&w, secret->new_password, LYRA2_MAX_PASSWORD);
	wire_put_padding(&w, SECRET_SIZE);
	rc = wire_send(fd, &w, 0);
	explicit_bzero(&w, sizeof(w));
	return rc;
}

int secret_recv(int fd, struct secret *secret)
{
	struct wire w;

	if (recv_magic(fd, &w, MSG_DONTWAIT) < 0) {
		/* A packet that is too long has filled it. */
		explicit_bzero(w.buf, sizeof(w.buf));
		return -1;
	}
	if (w.len != SECRET_SIZE)
		w.bad = true;
	wire_get_text(&w, secret->password, sizeof(secret->password));
	wire_get_text(&w, secret->new_password, sizeof(secret->new_password));
	wire_get_padding(&w);
	return done(&w);
}

int reply_send(int fd, const struct reply *reply)
{
	struct wire w;

	put_magic(&w);
	wire_put_u32(&w, reply->kind);
	wire_put_u32(&w, (uint32_t)reply->number);
	wire_put_u32(&w, reply->priority);
	wire_put_text(&w, reply->text, sizeof(reply->text) - 1);
	return wire_send(fd, &w, MSG_DONTWAIT);
}

int reply_recv(int fd, struct reply *reply)
{
	struct wire w;

	if (recv_magic(fd, &w, 0) < 0)
		return -1;
	reply->kind = wire_get_u32(&w);
	reply->number = (int32_t)wire_get_u32(&w);
	reply->priority = wire_get_u32(&w);
	wire_get_text(&w, reply->text, sizeof(reply->text));
	return done(&w);
}

int tell_send(int fd, enum tell tell)
{
	struct wire w;

	put_magic(&w);
	wire_put_u32(&w, tell);
	return wire_send(fd, &w, MSG_DONTWAIT);
}

int tell_recv(int fd, enum tell *tell)
{
	struct wire w;

	if (recv_magic(fd, &w, MSG_DONTWAIT) < 0)
		return -1;
	*tell = wire_get_u32(&w);
	return done(&w);
}

/* Bits 0 to 7 and 8 to 15 hold the two return codes. */
#define STATUS (1 << 17)
#define BLANK (1 << 16)

int32_t status_pack(const struct status *status)
{
	return STATUS | (status->blank ? BLANK : 0) |
		(status->change & 0xff) << 8 | (status->found & 0xff);
}

bool status_unpack(int32_t number, struct status *status)
{
	if (number < 0 || !(number & STATUS))
		return false;
	status->found = number & 0xff;
	status->change = number >> 8 & 0xff;
	status->blank = (number & BLANK) != 0;
	return true;
}

bool request_wait(int fd, int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int64_t end = clock_ms() + ms;
	int n;

	do {
		int64_t left = end - clock_ms();

		n = poll(&p, 1, left > 0 ? (int)left : 0);
	} while (n < 0 && errno == EINTR);
	return n > 0;
}

void request_text(char *field, size_t size, const char *src)
{
	size_t len = strnlen(src, size - 1);

	memcpy(field, src, len);
	field[len] = '\0';
}

void request_printable(char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
}
