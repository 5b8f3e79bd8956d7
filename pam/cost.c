/* SPDX-License-Identifier: BSD-2-Clause */
/* cost.c - reads the cost out of a stored hash, before any work is done. */
#include "cost.h"

#include <lyra2.h>
#include <stdlib.h>
#include <string.h>

/* The most that pam_unix(8) writes for "rounds=": seconds of SHA-512. */
#define MAX_ROUNDS 9999999
/* 2^16 rounds of bcrypt are some seconds too. */
#define MAX_BCRYPT 16
/* Read from a hash, r * p above this would overflow nothing but patience. */
#define MAX_BLOCKS (UINT64_C(1) << 24)

/* The 64 digits of crypt(5), in their order; -1 for any other character. */
static int digit(char c)
{
	static const char digits[] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"abcdefghijklmnopqrstuvwxyz";
	const char *p = c ? strchr(digits, c) : NULL;

	return p ? (int)(p - digits) : -1;
}

/*
 * The numbers of yescrypt settings.  The first digit tells how many follow,
 * fewer values being left to it for each further one: 0...47 stand alone,
 * 48...55 begin two digits, 56...59 three, and so on; each length goes on
 * counting where the one before it ended.  -1 where no number stands.
 */
static int64_t variable(const char **s, unsigned min)
{
	unsigned first = 0, width = 48, more = 0;
	int64_t n = min;
	int d = digit(*(*s)++);

	if (d < 0)
		return -1;
	while ((unsigned)d >= first + width) {
		n += (int64_t)width << (6 * more);
		first += width;
		width = (64 - first) / 2;
		if (width == 0 || ++more > 5)
			return -1;
	}
	n += (int64_t)((unsigned)d - first) << (6 * more);
	while (more-- > 0) {
		d = digit(*(*s)++);
		if (d < 0)
			return -1;
		n += (int64_t)d << (6 * more);
	}
	return n;
}

/* Whether 128 * 2^log2n * r * times bytes are more than max_memory. */
static int too_big(int64_t log2n, uint64_t r, uint64_t times, uint64_t max)
{
	if (log2n < 0 || log2n > 40 || r > MAX_BLOCKS || times > MAX_BLOCKS)
		return 1;
	return r * times > (max >> log2n) / 128;
}

/* "$y$" flags N r [have p t g NROM]: all but the memory multiplies time. */
int cost_yescrypt(const char *hash, uint64_t max_memory)
{
	const char *s = strchr(hash + 1, '$') + 1;
	int64_t flags = variable(&s, 0), log2n, r, have = 0, p = 1, t = 0;

	if (flags < 0 || (log2n = variable(&s, 1)) < 0 ||
	    (r = variable(&s, 1)) < 0)
		return 1;
	if (*s != '$' && (have = variable(&s, 1)) < 0)
		return 1;
	if ((have & 1) && (p = variable(&s, 2)) < 0)
		return 1;
	if ((have & 2) && (t = variable(&s, 1)) < 0)
		return 1;
	if (have & ~3)		/* hash upgrades and ROMs: never ours */
		return 1;
	if (t >= (int64_t)MAX_BLOCKS || p >= (int64_t)MAX_BLOCKS)
		return 1;
	return too_big(log2n, (uint64_t)r, (uint64_t)p * (uint64_t)(t + 1),
		       max_memory);
}

/* Five digits, the least significant first. */
static int64_t fixed(const char *s)
{
	int64_t n = 0;
	int i;

	for (i = 0; i < 5; i++) {
		int d = digit(s[i]);

		if (d < 0)
			return -1;
		n |= (int64_t)d << (6 * i);
	}
	return n;
}

/* "$7$" N rrrrr ppppp */
int cost_scrypt(const char *hash, uint64_t max_memory)
{
	const char *s = hash + 3;
	int log2n = digit(s[0]);
	int64_t r, p;

	if (log2n < 0 || (r = fixed(s + 1)) < 0 || (p = fixed(s + 6)) < 0)
		return 1;
	return too_big(log2n, (uint64_t)r, (uint64_t)p, max_memory);
}

/* "$2b$" and two decimals, the logarithm of the rounds. */
int cost_bcrypt(const char *hash, uint64_t max_memory)
{
	(void)max_memory;
	return strlen(hash) < 7 || strtoul(hash + 4, NULL, 10) > MAX_BCRYPT;
}

/* "rounds=" anywhere in the parameters; without it the default is small. */
int cost_rounds(const char *hash, uint64_t max_memory)
{
	const char *rounds = strstr(hash, "rounds=");

	(void)max_memory;
	return rounds && strtoul(rounds + 7, NULL, 10) > MAX_ROUNDS;
}

int cost_sha1(const char *hash, uint64_t max_memory)
{
	(void)max_memory;
	return strtoul(hash + 6, NULL, 10) > MAX_ROUNDS;
}

int cost_none(const char *hash, uint64_t max_memory)
{
	(void)hash;
	(void)max_memory;
	return 0;
}

/* Time is bounded by lyra2_parse(), here and in lyra2_verify(). */
int cost_lyra2(const char *hash, uint64_t max_memory)
{
	struct lyra2_params params;

	if (lyra2_parse(hash, &params, NULL, 0))
		return 1;
	return lyra2_memory(&params) > max_memory;
}
