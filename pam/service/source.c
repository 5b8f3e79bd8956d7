/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the source of a request. */
#include "source.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

enum kind { KIND_USER, KIND_HOST, KIND_ACCOUNT };

static uint64_t number(enum kind kind, uint64_t n)
{
	return (uint64_t)kind << 60 | n >> 4;
}

/* FNV-1a, of 64 bits. */
static uint64_t mix(const void *data, size_t len)
{
	const unsigned char *p = data;
	uint64_t n = UINT64_C(14695981039346656037);

	while (len-- > 0)
		n = (n ^ *p++) * UINT64_C(1099511628211);
	return n;
}

/*
 * Returns a number for a host.  Each customer of a provider has 2^64 IPv6
 * addresses or more, so a network of 64 bits is one host.  The network of an
 * address of a link, such as fe80::1%eth0, is that link.  Each user of this
 * machine has all addresses that begin with 127, so these are one host.
 */
static uint64_t host(const char *rhost)
{
	const char *link = strchrnul(rhost, '%');
	char address[INET6_ADDRSTRLEN];
	struct in6_addr a;
	struct in_addr v4;

	snprintf(address, sizeof(address), "%.*s", (int)(link - rhost), rhost);
	if (inet_pton(AF_INET6, address, &a) == 1) {
		if (IN6_IS_ADDR_LOOPBACK(&a))
			return number(KIND_HOST, 0);
		if (!IN6_IS_ADDR_V4MAPPED(&a))
			return number(KIND_HOST, mix(&a, sizeof(a) / 2) ^
				      mix(link, strlen(link)));
		memcpy(&v4, (const char *)&a + 12, sizeof(v4));
	} else if (inet_pton(AF_INET, rhost, &v4) != 1) {
		return number(KIND_HOST, mix(rhost, strlen(rhost)));
	}
	if (ntohl(v4.s_addr) >> IN_CLASSA_NSHIFT == IN_LOOPBACKNET)
		return number(KIND_HOST, 0);
	return number(KIND_HOST, mix(&v4, sizeof(v4)));
}

uint64_t source_account(const char *name)
{
	return mix(name, strlen(name));
}

uint64_t source_of(const struct request *req)
{
	if (req->caller != 0)
		return number(KIND_USER, (uint64_t)req->caller << 4);
	if (req->rhost[0] != '\0')
		return host(req->rhost);
	return number(KIND_ACCOUNT, source_account(req->user));
}
