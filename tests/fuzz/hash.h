/* SPDX-License-Identifier: BSD-2-Clause */
/* For the fuzzers that compute hashes: which are cheap enough for that. */
#ifndef FUZZ_HASH_H
#define FUZZ_HASH_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "pam/helper/method.h"

#define CHEAP_BYTES (1 << 20)
#define CHEAP_ROUNDS 2000

/* No number in the hash is large: rounds, costs, or what looks like them. */
static bool small_numbers(const char *hash)
{
	for (; *hash; hash++)
		if (strspn(hash, "0123456789") > 9 ||
		    strtoul(hash, NULL, 10) > CHEAP_ROUNDS)
			return false;
	return true;
}

static bool cheap_hash(const char *hash)
{
	const struct method *m = method_of(hash);
	struct lyra2_params p;

	if (!m || m->memory(hash) > CHEAP_BYTES)
		return false;
	if (method_is_lyra2(m))
		return lyra2_parse(hash, &p, NULL, 0) < 0 ||
			(lyra2_memory(&p) <= 1 << 16 && p.t_cost <= 4);
	if (strcmp(m->name, "bcrypt") == 0)
		return strtoul(hash + 4, NULL, 10) <= 5;
	if (strcmp(m->name, "bsdicrypt") == 0)
		return strlen(hash) > 4 && strncmp(hash + 3, "..", 2) == 0;
	return strcmp(m->name, "yescrypt") == 0 ||
		strcmp(m->name, "gost-yescrypt") == 0 ||
		strcmp(m->name, "scrypt") == 0 || small_numbers(hash);
}

#endif
