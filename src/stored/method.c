/* SPDX-License-Identifier: BSD-2-Clause */
/* The methods of crypt(5) and of lyra2(5), and what their hashes cost. */
#include "method.h"

#include <crypt.h>
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
static uint64_t cost_yescrypt(const char *hash)
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
static uint64_t cost_scrypt(const char *hash)
{
	const char *s = hash + 3;
	int log2n = digit(s[0]);
	int64_t r, p;

	if (log2n < 0 || (r = fixed(s + 1)) < 0 || (p = fixed(s + 6)) < 0)
		return COST_TOO_HIGH;
	return bytes(log2n, (uint64_t)r, (uint64_t)p);
}

/* "$2b$" and two decimals, the logarithm of the rounds. */
static uint64_t cost_bcrypt(const char *hash)
{
	return strlen(hash) < 7 || strtoul(hash + 4, NULL, 10) > MAX_BCRYPT ?
		COST_TOO_HIGH : 0;
}

/* "rounds=" anywhere in the parameters; the default is small. */
static uint64_t cost_rounds(const char *hash)
{
	const char *rounds = strstr(hash, "rounds=");

	return rounds && strtoul(rounds + 7, NULL, 10) > MAX_ROUNDS ?
		COST_TOO_HIGH : 0;
}

static uint64_t cost_sha1(const char *hash)
{
	return strtoul(hash + 6, NULL, 10) > MAX_ROUNDS ? COST_TOO_HIGH : 0;
}

static uint64_t cost_fixed(const char *hash)
{
	(void)hash;
	return 0;
}

/* The prefixes and lengths are those of crypt(5). */
const struct method method_lyra2 = { "$lyra2$", "lyra2", 0, false, NULL, "" };
/* Of a libcrypt that is newer than this list. */
const struct method method_other = { "$", "other", 0, false, cost_fixed, NULL };
static const struct method foreign[] = {
	{ "$y$", "yescrypt", 0, false, cost_yescrypt, "" },
	{ "$gy$", "gost-yescrypt", 0, false, cost_yescrypt, "" },
	{ "$sm3y$", "sm3-yescrypt", 0, false, cost_yescrypt, "" },
	{ "$7$", "scrypt", 0, false, cost_scrypt, NULL },
	{ "$2", "bcrypt", 72, false, cost_bcrypt, "" },
	{ "$6$", "sha512crypt", 0, false, cost_rounds, "rounds=" },
	{ "$5$", "sha256crypt", 0, false, cost_rounds, "rounds=" },
	{ "$sm3$", "sm3crypt", 0, false, cost_rounds, "rounds=" },
	{ "$sha1$", "sha1crypt", 0, false, cost_sha1, "" },
	{ "$md5", "sunmd5", 0, false, cost_rounds, NULL },
	{ "$1$", "md5crypt", 0, false, cost_fixed, NULL },
	{ "$3$", "nt", 0, false, cost_fixed, NULL },
	{ "_", "bsdicrypt", 0, true, cost_fixed, NULL },
};
static const struct method descrypt = {
	"", "descrypt", 8, true, cost_fixed, NULL
};
static const struct method bigcrypt = {
	"", "bigcrypt", 128, true, cost_fixed, NULL
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

int method_setting(const char *prefix, uint32_t cost, char *out, size_t size)
{
	const struct method *m;

	if (!crypt_gensalt_rn(prefix, cost, NULL, 0, out, (int)size) ||
	    crypt_checksalt(out) != CRYPT_SALT_OK)
		return -1;
	m = method_of(out, true);
	return m && m->memory && m->memory(out) != COST_TOO_HIGH ? 0 : -1;
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
