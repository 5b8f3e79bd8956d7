/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the cost of crypt(5) hashes. */
#include "setting.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "order.h"

/*
 * The highest value that pam_unix(8) writes after "rounds=".  It takes seconds.
 */
#define MAX_ROUNDS 9999999
#define DEFAULT_ROUNDS 5000
/* 2^16 rounds of bcrypt take some seconds too. */
#define MAX_BCRYPT 16
/* Limit of r and of p * (t + 1), so that their product does not overflow. */
#define MAX_BLOCKS (1 << 24)

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
		if (width == 0)
			return -1;
		more++;
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

/* Parameters of yescrypt and scrypt: N = 2^log2n blocks of 128 * r bytes. */
struct blocks {
	int64_t flags, log2n, r, p, t;
};

/* "$y$" flags N r [have p t g NROM] */
static bool read_yescrypt(const char *hash, struct blocks *b)
{
	const char *s = strchr(hash + 1, '$') + 1;
	int64_t have = 0;

	b->p = 1;
	b->t = 0;
	if ((b->flags = variable(&s, 0)) < 0 ||
	    (b->log2n = variable(&s, 1)) < 0 || (b->r = variable(&s, 1)) < 0)
		return false;
	if (*s != '$' && (have = variable(&s, 1)) < 0)
		return false;
	if ((have & 1) && (b->p = variable(&s, 2)) < 0)
		return false;
	if ((have & 2) && (b->t = variable(&s, 1)) < 0)
		return false;
	/* Hash upgrades and ROMs are not supported. */
	return !(have & ~3);
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
static bool read_scrypt(const char *hash, struct blocks *b)
{
	const char *s = hash + 3;

	b->flags = b->t = 0;
	return (b->log2n = digit(s[0])) >= 0 && (b->r = fixed(s + 1)) >= 0 &&
		(b->p = fixed(s + 6)) >= 0;
}

/*
 * Returns the memory, multiplied by p and t, because these multiply the time.
 * No number of a setting has more than 30 bits, so p * (t + 1) fits.
 */
static uint64_t bound(const struct blocks *b)
{
	uint64_t r, times;

	if (b->log2n > 40 || b->r > MAX_BLOCKS)
		return COST_TOO_HIGH;
	r = (uint64_t)b->r;
	times = (uint64_t)b->p * (uint64_t)(b->t + 1);
	if (times > MAX_BLOCKS || r * times > (COST_TOO_HIGH >> b->log2n) / 128)
		return COST_TOO_HIGH;
	return r * times * 128 << b->log2n;
}

static void set_blocks(struct setting *s, bool read, const struct blocks *b)
{
	s->bound = read ? bound(b) : COST_TOO_HIGH;
	if (s->bound == COST_TOO_HIGH)
		return;
	s->flags = (uint32_t)b->flags;
	s->memory = (uint64_t)b->r * 128 << b->log2n;
	s->cost = (uint64_t)b->p * (uint64_t)(b->t + 1);
}

void setting_yescrypt(const char *hash, struct setting *s)
{
	struct blocks b;

	set_blocks(s, read_yescrypt(hash, &b), &b);
	s->salt = setting_salt(strchr(hash + 1, '$'));
}

void setting_scrypt(const char *hash, struct setting *s)
{
	struct blocks b;

	set_blocks(s, read_scrypt(hash, &b), &b);
	if (s->bound != COST_TOO_HIGH)
		s->salt = (uint32_t)strcspn(hash + 14, "$");
}

/* "$2b$" and two decimals, the logarithm of the rounds */
void setting_bcrypt(const char *hash, struct setting *s)
{
	const unsigned long log2 = strlen(hash) < 7 ? ULONG_MAX :
		strtoul(hash + 4, NULL, 10);

	if (log2 > MAX_BCRYPT) {
		s->bound = COST_TOO_HIGH;
		return;
	}
	s->cost = UINT64_C(1) << log2;
	s->salt = ORDER_SALT;
}

/* The decimal number after "rounds=", wherever that stands. */
void setting_rounds(const char *hash, struct setting *s)
{
	const char *rounds = strstr(hash, "rounds=");
	const char *dollar = strchr(hash + 1, '$');

	s->cost = rounds ? strtoul(rounds + 7, NULL, 10) : DEFAULT_ROUNDS;
	if (s->cost > MAX_ROUNDS)
		s->bound = COST_TOO_HIGH;
	else if (dollar)
		s->salt = strncmp(dollar, "$rounds=", 8) == 0 ?
			setting_salt(dollar) :
			(uint32_t)strcspn(dollar + 1, "$");
}

/* "$sha1$" and decimals */
void setting_sha1(const char *hash, struct setting *s)
{
	s->cost = strtoul(hash + 6, NULL, 10);
	if (s->cost > MAX_ROUNDS)
		s->bound = COST_TOO_HIGH;
}

/* There is nothing to read. */
void setting_plain(const char *hash, struct setting *s)
{
	(void)hash;
	(void)s;
}

uint32_t setting_salt(const char *dollar)
{
	const char *next = strchr(dollar + 1, '$');

	return next ? (uint32_t)strcspn(next + 1, "$") : 0;
}
