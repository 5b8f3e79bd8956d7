/* SPDX-License-Identifier: BSD-2-Clause */
/* The methods of crypt(5) and of lyra2(5), and what their hashes cost. */
#include "method.h"

#include <crypt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The most that pam_unix(8) writes for "rounds=": seconds of SHA-512. */
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

/* What yescrypt and scrypt are told: N = 2^log2n blocks of 128 * r bytes. */
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

/* The decimal number after "rounds=", wherever that stands. */
static uint64_t read_rounds(const char *hash)
{
	const char *rounds = strstr(hash, "rounds=");

	return rounds ? strtoul(rounds + 7, NULL, 10) : DEFAULT_ROUNDS;
}

/* "$2b$" and two decimals, the logarithm of the rounds */
static unsigned long read_bcrypt(const char *hash)
{
	return strlen(hash) < 7 ? ULONG_MAX : strtoul(hash + 4, NULL, 10);
}

/*
 * The first table: the memory for the time that hashes take, as a bound.
 *
 * p and t of yescrypt and scrypt multiply the time, so they count as memory.
 */
static uint64_t bound_blocks(const struct blocks *b)
{
	uint64_t r, times;

	if (b->log2n > 40 || b->r > MAX_BLOCKS || b->p >= MAX_BLOCKS ||
	    b->t >= MAX_BLOCKS)
		return COST_TOO_HIGH;
	r = (uint64_t)b->r;
	times = (uint64_t)b->p * (uint64_t)(b->t + 1);
	if (times > MAX_BLOCKS || r * times > (COST_TOO_HIGH >> b->log2n) / 128)
		return COST_TOO_HIGH;
	return r * times * 128 << b->log2n;
}

static uint64_t bound_yescrypt(const char *hash)
{
	struct blocks b;

	return read_yescrypt(hash, &b) ? bound_blocks(&b) : COST_TOO_HIGH;
}

static uint64_t bound_scrypt(const char *hash)
{
	struct blocks b;

	return read_scrypt(hash, &b) ? bound_blocks(&b) : COST_TOO_HIGH;
}

static uint64_t bound_bcrypt(const char *hash)
{
	return read_bcrypt(hash) > MAX_BCRYPT ? COST_TOO_HIGH : 0;
}

static uint64_t bound_rounds(const char *hash)
{
	return read_rounds(hash) > MAX_ROUNDS ? COST_TOO_HIGH : 0;
}

static uint64_t bound_sha1(const char *hash)
{
	return strtoul(hash + 6, NULL, 10) > MAX_ROUNDS ? COST_TOO_HIGH : 0;
}

static uint64_t bound_none(const char *hash)
{
	(void)hash;
	return 0;
}

/*
 * The second table: how strong hashes are, of those within the bound.  They
 * fill in all but family and outer hash.
 */
static void strength_of_blocks(const struct blocks *b, struct strength *s)
{
	s->flags = (uint32_t)b->flags;
	s->memory = (uint64_t)b->r * 128 << b->log2n;
	s->cost = (uint64_t)b->p * (uint64_t)(b->t + 1);
}

static void strength_yescrypt(const char *hash, struct strength *s)
{
	struct blocks b;

	if (!read_yescrypt(hash, &b))
		return;
	strength_of_blocks(&b, s);
	s->salt = method_salt(strchr(hash + 1, '$'));
}

static void strength_scrypt(const char *hash, struct strength *s)
{
	struct blocks b;

	if (!read_scrypt(hash, &b))
		return;
	strength_of_blocks(&b, s);
	s->salt = (uint32_t)strcspn(hash + 14, "$");
}

static void strength_bcrypt(const char *hash, struct strength *s)
{
	s->cost = UINT64_C(1) << read_bcrypt(hash);
	s->salt = ORDER_SALT;
}

static void strength_rounds(const char *hash, struct strength *s)
{
	const char *before = strchr(hash + 1, '$');

	s->cost = read_rounds(hash);
	s->salt = strncmp(before, "$rounds=", 8) == 0 ? method_salt(before) :
		(uint32_t)strcspn(before + 1, "$");
}

/* The prefixes and lengths are those of crypt(5). */
const struct method method_lyra2 = {
	"$lyra2$", "lyra2", FAMILY_LYRA2, OUTER_NONE, 0, false, NULL, NULL, ""
};
const struct method method_bash_lyra2 = {
	"$bashlyra2$", "bash-lyra2", FAMILY_LYRA2, OUTER_BASH, 0, false, NULL,
	NULL, ""
};
/* Of a libcrypt that is newer than this list. */
const struct method method_other = {
	"$", "other", FAMILY_UNKNOWN, OUTER_NONE, 0, false, bound_none, NULL,
	NULL
};
#define LEGACY(prefix, name, bytes, seven_bits, bound, params) \
	{ prefix, name, FAMILY_LEGACY, OUTER_NONE, bytes, seven_bits, \
	  bound_##bound, NULL, params },
#define STRONG(prefix, name, family, outer, bytes, read, params, ...) \
	{ prefix, name, FAMILY_##family, OUTER_##outer, bytes, false, \
	  bound_##read, strength_##read, params },
static const struct method foreign[] = {
#include "methods.def"
};
static const struct method descrypt = {
	"", "descrypt", FAMILY_LEGACY, OUTER_NONE, 8, true, bound_none, NULL,
	NULL
};
static const struct method bigcrypt = {
	"", "bigcrypt", FAMILY_LEGACY, OUTER_NONE, 128, true, bound_none, NULL,
	NULL
};

#define DES_CHARS 13

static bool starts(const char *hash, const struct method *m)
{
	return strncmp(hash, m->prefix, strlen(m->prefix)) == 0;
}

bool method_in_crypt(const char *setting)
{
	const int known = crypt_checksalt(setting);

	return known != CRYPT_SALT_INVALID &&
		known != CRYPT_SALT_METHOD_DISABLED;
}

const struct method *method_of(const char *hash, bool in_crypt)
{
	size_t i;

	if (starts(hash, &method_lyra2))
		return &method_lyra2;
	if (starts(hash, &method_bash_lyra2))
		return &method_bash_lyra2;
	if (!in_crypt)
		return NULL;
	for (i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++)
		if (starts(hash, &foreign[i]))
			return &foreign[i];
	if (hash[0] == '$')
		return &method_other;
	if (strlen(hash) < DES_CHARS)
		return NULL;
	return strlen(hash) == DES_CHARS ? &descrypt : &bigcrypt;
}

uint32_t method_salt(const char *dollar)
{
	const char *next = strchr(dollar + 1, '$');

	return next ? (uint32_t)strcspn(next + 1, "$") : 0;
}

void method_strength(const struct method *m, const char *hash,
		     struct strength *s)
{
	memset(s, 0, sizeof(*s));
	s->family = m->family;
	s->outer = m->outer;
	if (m->strength)
		m->strength(hash, s);
}

int method_setting(const char *prefix, uint32_t cost, char *out, size_t size)
{
	const struct method *m;

	if (!crypt_gensalt_rn(prefix, cost, NULL, 0, out, (int)size) ||
	    crypt_checksalt(out) != CRYPT_SALT_OK)
		return -1;
	m = method_of(out, true);
	return m && m->bound && m->bound(out) != COST_TOO_HIGH ? 0 : -1;
}

/* crypt_rn(3) returns NULL on failure, and never a token like "*0". */
int method_crypt(const char *setting, const char *password, char *out,
		 size_t size)
{
	struct crypt_data *data = calloc(1, sizeof(*data));
	const char *hash;
	int rc = -1;

	if (!data)
		return -1;
	hash = crypt_rn(password, setting, data, (int)sizeof(*data));
	if (hash && strlen(hash) < size) {
		memcpy(out, hash, strlen(hash) + 1);
		rc = 0;
	}
	explicit_bzero(data, sizeof(*data));
	free(data);
	return rc;
}
