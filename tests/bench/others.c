/* SPDX-License-Identifier: BSD-2-Clause */
/* Argon2id, from libraries that may or may not be there. */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>

#include "tests/bench/bench.h"

static int (*argon2id)(uint32_t t_cost, uint32_t kib, uint32_t lanes,
		       const void *password, size_t passwordlen,
		       const void *salt, size_t saltlen, void *hash,
		       size_t hashlen);
static int (*sodium)(unsigned char *hash, unsigned long long hashlen,
		     const char *password, unsigned long long passwordlen,
		     const unsigned char *salt, unsigned long long passes,
		     size_t bytes, int algorithm);

/*
 * For each block it reads the one before and another, and writes one, which it
 * has to read first in all passes but the first.
 */
static void init_argon2id(struct bench_work *w, const char *library,
			  uint32_t passes, uint32_t kib,
			  int (*run)(struct bench_work *w))
{
	*w = (struct bench_work){ .run = run, .params.t_cost = passes };
	snprintf(w->name, sizeof(w->name), "Argon2id t=%u p=1 %s", passes,
		 library);
	w->memory = (uint64_t)kib << 10;
	w->moved = (4.0 * passes - 1) * (double)w->memory;
}

static int run_argon2(struct bench_work *w)
{
	if (argon2id(w->params.t_cost, (uint32_t)(w->memory >> 10), 1,
		     BENCH_PASSWORD, sizeof(BENCH_PASSWORD) - 1, BENCH_SALT,
		     sizeof(BENCH_SALT) - 1, w->key, 32) == 0)
		return 0;
	errno = ENOMEM;
	return -1;
}

bool bench_argon2(struct bench_work *w, uint32_t passes, uint32_t kib)
{
	init_argon2id(w, "argon2", passes, kib, run_argon2);
	return find_function(dlopen("libargon2.so.1", RTLD_NOW),
			     "argon2id_hash_raw", &argon2id);
}

static int run_sodium(struct bench_work *w)
{
	return sodium(w->key, 32, BENCH_PASSWORD, sizeof(BENCH_PASSWORD) - 1,
		      (const unsigned char *)BENCH_SALT, w->params.t_cost,
		      w->memory, 2);
}

bool bench_sodium(struct bench_work *w, uint32_t passes, uint32_t kib)
{
	int (*init)(void);
	void *library = dlopen("libsodium.so.23", RTLD_NOW);

	init_argon2id(w, "sodium", passes, kib, run_sodium);
	if (!library)
		library = dlopen("libsodium.so.26", RTLD_NOW);
	return find_function(library, "crypto_pwhash", &sodium) &&
	       find_function(library, "sodium_init", &init) && init() >= 0;
}
