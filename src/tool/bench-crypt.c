/* SPDX-License-Identifier: BSD-2-Clause */
/* Works for crypt(3), beside which our own are put. */
#include <stdio.h>
#include <string.h>
#ifdef LYRA2_AUDIT	/* linked with libcrypt */
#include <crypt.h>
#endif

#include "bench-work.h"

#ifdef LYRA2_AUDIT
static int run_crypt(struct bench_work *w)
{
	static struct crypt_data data;

	memset(&data, 0, sizeof(data));
	return crypt_rn(BENCH_PASSWORD, w->setting, &data, sizeof(data)) ? 0 :
									   -1;
}

/*
 * How often the memory is read or written.  $y$: written, and read at random,
 * while it is filled (YESCRYPT_RW); then a third of it is read and written.
 * $7$: written once, read once.
 */
static double traffic(const char *prefix)
{
	return strcmp(prefix, "$y$") == 0 ? 2 + 2 / 3.0 :
	       strcmp(prefix, "$7$") == 0 ? 2 : 0;
}

bool bench_crypt(struct bench_work *w, const char *name, const char *prefix,
		 unsigned long count, uint64_t memory)
{
	*w = (struct bench_work){ .run = run_crypt, .memory = memory };
	snprintf(w->name, sizeof(w->name), "%s", name);
	w->moved = traffic(prefix) * (double)memory;
	/* Some crypt(3) have the functions but not this method. */
	return crypt_gensalt_rn(prefix, count, BENCH_SALT,
				sizeof(BENCH_SALT) - 1, w->setting,
				sizeof(w->setting)) &&
	       run_crypt(w) == 0;
}
#else
bool bench_crypt(struct bench_work *w, const char *name, const char *prefix,
		 unsigned long count, uint64_t memory)
{
	(void)w, (void)name, (void)prefix, (void)count, (void)memory;
	return false;
}
#endif
