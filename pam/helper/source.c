/* SPDX-License-Identifier: BSD-2-Clause */
/* On whose account a request waits. */
#include "source.h"

#include <arpa/inet.h>
#include <pwd.h>
#include <string.h>

/*
 * All users can see locks.  The name of an account may be a mistyped password:
 * no more than a byte of it shows.
 */
#define ACCOUNTS 256

enum kind {
	KIND_USER, KIND_NAMELESS, KIND_HOST, KIND_ACCOUNT, KIND_TERMINAL
};

static int64_t number(enum kind kind, uint32_t n)
{
	return (int64_t)kind << 32 | n;
}

/* FNV-1a, of 32 bits. */
static uint32_t mix(const void *data, size_t len)
{
	const unsigned char *p = data;
	uint32_t n = UINT32_C(2166136261);

	while (len-- > 0)
		n = (n ^ *p++) * UINT32_C(16777619);
	return n;
}

/*
 * Each customer of a provider has 2^64 addresses of IPv6, or more, and each
 * user of this machine all that begin with 127.
 */
static int64_t host(const char *rhost)
{
	struct in6_addr a;
	struct in_addr v4;

	if (inet_pton(AF_INET, rhost, &v4) == 1 &&
	    ntohl(v4.s_addr) >> IN_CLASSA_NSHIFT == IN_LOOPBACKNET)
		return number(KIND_HOST, 0);
	if (inet_pton(AF_INET6, rhost, &a) == 1 && !IN6_IS_ADDR_V4MAPPED(&a))
		return number(KIND_HOST, mix(&a, sizeof(a) / 2));
	return number(KIND_HOST, mix(rhost, strlen(rhost)));
}

int64_t source_of(const struct request *req)
{
	/* Users can have many IDs without a name, see subuid(5). */
	if (req->caller != 0)
		return getpwuid(req->caller) ? number(KIND_USER, req->caller) :
			number(KIND_NAMELESS, 0);
	if (req->rhost[0] != '\0')
		return host(req->rhost);
	return number(req->flags & FLAG_TERMINAL ? KIND_TERMINAL : KIND_ACCOUNT,
		      mix(req->user, strlen(req->user)) % ACCOUNTS);
}
