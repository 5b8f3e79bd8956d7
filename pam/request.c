/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests and replies as messages. */
#include "request.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#define REQUEST_MAGIC UINT32_C(0x4c325035)	/* "L2P5": protocol version 5 */

static void put_policy(struct wire *w, const struct policy *p)
{
	wire_put_u32(w, p->params.version);
	wire_put_u32(w, p->params.sponge);
	wire_put_u32(w, p->params.rotation);
	wire_put_u32(w, p->params.t_cost);
	wire_put_u32(w, p->params.rows);
	wire_put_u32(w, p->params.cols);
	wire_put_u32(w, p->params.lanes);
	wire_put_u32(w, p->params.outer);
	wire_put_text(w, p->prefix, sizeof(p->prefix) - 1);
	wire_put_u32(w, p->crypt_cost);
	wire_put_u64(w, p->max_memory);
	wire_put_u32(w, p->max_concurrent);
	wire_put_u32(w, p->rehash);
	wire_put_u32(w, p->rehash_root);
}

static void get_policy(struct wire *w, struct policy *p)
{
	lyra2_params_init(&p->params);
	p->params.version = wire_get_u32(w);
	p->params.sponge = wire_get_u32(w);
	p->params.rotation = wire_get_u32(w);
	p->params.t_cost = wire_get_u32(w);
	p->params.rows = wire_get_u32(w);
	p->params.cols = wire_get_u32(w);
	p->params.lanes = wire_get_u32(w);
	p->params.outer = wire_get_u32(w);
	wire_get_text(w, p->prefix, sizeof(p->prefix));
	p->crypt_cost = wire_get_u32(w);
	p->max_memory = wire_get_u64(w);
	p->max_concurrent = wire_get_u32(w);
	p->rehash = wire_get_u32(w);
	p->rehash_root = wire_get_u32(w);
}

/* A message that is too long is as malformed as one that is too short. */
static int complete(const struct wire *w)
{
	if (!w->bad && w->pos == w->len)
		return 0;
	errno = EBADMSG;
	return -1;
}

int request_send(int fd, const struct request *req)
{
	struct wire w = { 0 };
	int rc;

	wire_put_u32(&w, REQUEST_MAGIC);
	wire_put_u32(&w, req->op);
	wire_put_u32(&w, req->flags);
	wire_put_u32(&w, req->caller);
	put_policy(&w, &req->policy);
	wire_put_text(&w, req->user, USER_MAX);
	wire_put_text(&w, req->rhost, HOST_MAX);
	wire_put_text(&w, req->password, LYRA2_MAX_PASSWORD);
	wire_put_text(&w, req->new_password, LYRA2_MAX_PASSWORD);
	rc = wire_send(fd, &w);
	explicit_bzero(&w, sizeof(w));
	return rc;
}

int request_recv(int fd, struct request *req)
{
	struct wire w;
	int rc = -1;

	if (wire_recv(fd, &w) < 0)
		goto out;
	if (wire_get_u32(&w) != REQUEST_MAGIC)
		w.bad = 1;
	req->op = wire_get_u32(&w);
	req->flags = wire_get_u32(&w);
	req->caller = wire_get_u32(&w);
	get_policy(&w, &req->policy);
	wire_get_text(&w, req->user, sizeof(req->user));
	wire_get_text(&w, req->rhost, sizeof(req->rhost));
	wire_get_text(&w, req->password, sizeof(req->password));
	wire_get_text(&w, req->new_password, sizeof(req->new_password));
	rc = complete(&w);
out:
	explicit_bzero(&w, sizeof(w));
	return rc;
}

int reply_send(int fd, const struct reply *reply)
{
	struct wire w = { 0 };

	wire_put_u32(&w, reply->kind);
	wire_put_u32(&w, (uint32_t)reply->number);
	wire_put_text(&w, reply->text, sizeof(reply->text) - 2);
	return wire_send(fd, &w);
}

int reply_recv(int fd, struct reply *reply)
{
	struct wire w;

	if (wire_recv(fd, &w) < 0)
		return -1;
	reply->kind = wire_get_u32(&w);
	reply->number = (int32_t)wire_get_u32(&w);
	wire_get_text(&w, reply->text, sizeof(reply->text));
	return complete(&w);
}

int request_acknowledge(int fd)
{
	return send(fd, "", 1, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

bool request_acknowledged(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char byte;
	int n;

	do
		n = poll(&p, 1, AFTER_VERDICT_MS);
	while (n < 0 && errno == EINTR);
	return n == 1 &&
		recv(fd, &byte, 1, MSG_DONTWAIT) == 1;
}

int request_set_timeout(int fd, int seconds)
{
	struct timeval t = { .tv_sec = seconds };

	if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &t, sizeof(t)) < 0)
		return -1;
	return setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t));
}

void request_text(char *field, size_t size, const char *src)
{
	size_t len = strnlen(src, size - 1);

	memcpy(field, src, len);
	field[len] = '\0';
}
