/* SPDX-License-Identifier: BSD-2-Clause */
/* For the fuzzers that compute hashes: tells which are cheap enough. */
#ifndef FUZZ_HASH_H
#define FUZZ_HASH_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/stored/stored.h"

#define CHEAP_BYTES (1 << 20)
#define CHEAP_ROUNDS 2000

/* Returns true if no number in the hash, such as rounds or costs, is large. */
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
	const char *name;
	struct stored s;

	stored_read(&s, hash);
	if (!s.method || s.memory > CHEAP_BYTES)
		return false;
	name = s.method->name;
	if (stored_is_lyra2(&s))
		return s.memory <= 1 << 16 && s.params.t_cost <= 4;
	if (strcmp(name, "bcrypt") == 0)
		return strtoul(hash + 4, NULL, 10) <= 5;
	return strcmp(name, "yescrypt") == 0 ||
		strcmp(name, "gost-yescrypt") == 0 ||
		strcmp(name, "scrypt") == 0 || small_numbers(hash);
}

#endif
