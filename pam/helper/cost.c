/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the cost out of a stored hash, before any work is done. */
#include "cost.h"

#include <lyra2.h>
#include <stdlib.h>
#include <string.h>

/* The most that pam_unix(8) writes for "rounds=": seconds of SHA-512. */
#define MAX_ROUNDS 9999999
/* 2^16 rounds of bcrypt take some seconds too. */
#define MAX_BCRYPT 16
/* Limit of r and of p * (t + 1), so that their product does not overflow. */
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
 * Reads a number of a yescrypt setting.  Its first digit says how many digits
 * follow: none after 0...47, one after 48...55, two after 56...59, and so on.
 * The numbers of each length start where the shorter ones end.  Returns -1 if
 * there is no number.
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

/* 128 * 2^log2n * r bytes, which are used that many times. */
static uint64_t bytes(int64_t log2n, uint64_t r, uint64_t times)
{
	if (log2n < 0 || log2n > 40 || r > MAX_BLOCKS || times > MAX_BLOCKS ||
	    r * times > (COST_TOO_HIGH >> log2n) / 128)
		return COST_TOO_HIGH;
	return r * times * 128 << log2n;
}

/* "$y$" flags N r [have p t g NROM]: p and t multiply the time. */
uint64_t cost_yescrypt(const char *hash)
{
	const char *s = strchr(hash + 1, '$') + 1;
	int64_t flags = variable(&s, 0), log2n, r, have = 0, p = 1, t = 0;

	if (flags < 0 || (log2n = variable(&s, 1)) < 0 ||
	    (r = variable(&s, 1)) < 0)
		return COST_TOO_HIGH;
	if (*s != '$' && (have = variable(&s, 1)) < 0)
		return COST_TOO_HIGH;
	if ((have & 1) && (p = variable(&s, 2)) < 0)
		return COST_TOO_HIGH;
	if ((have & 2) && (t = variable(&s, 1)) < 0)
		return COST_TOO_HIGH;
	/* Hash upgrades and ROMs are not supported. */
	if ((have & ~3) || t >= (int64_t)MAX_BLOCKS ||
	    p >= (int64_t)MAX_BLOCKS)
		return COST_TOO_HIGH;
	return bytes(log2n, (uint64_t)r, (uint64_t)p * (uint64_t)(t + 1));
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
uint64_t cost_scrypt(const char *hash)
{
	const char *s = hash + 3;
	int log2n = digit(s[0]);
	int64_t r, p;

	if (log2n < 0 || (r = fixed(s + 1)) < 0 || (p = fixed(s + 6)) < 0)
		return COST_TOO_HIGH;
	return bytes(log2n, (uint64_t)r, (uint64_t)p);
}

/* "$2b$" and two decimals, the logarithm of the rounds. */
uint64_t cost_bcrypt(const char *hash)
{
	return strlen(hash) < 7 || strtoul(hash + 4, NULL, 10) > MAX_BCRYPT ?
		COST_TOO_HIGH : 0;
}

/* "rounds=" anywhere in the parameters; the default is small. */
uint64_t cost_rounds(const char *hash)
{
	const char *rounds = strstr(hash, "rounds=");

	return rounds && strtoul(rounds + 7, NULL, 10) > MAX_ROUNDS ?
		COST_TOO_HIGH : 0;
}

uint64_t cost_sha1(const char *hash)
{
	return strtoul(hash + 6, NULL, 10) > MAX_ROUNDS ? COST_TOO_HIGH : 0;
}

uint64_t cost_fixed(const char *hash)
{
	(void)hash;
	return 0;
}

/* Time is bounded by lyra2_parse(), here and in lyra2_verify(). */
uint64_t cost_lyra2(const char *hash)
{
	struct lyra2_params params;

	if (lyra2_parse(hash, &params, NULL, 0) < 0)
		return COST_TOO_HIGH;
	return lyra2_memory(&params);
}
