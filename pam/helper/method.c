/* SPDX-License-Identifier: BSD-2-Clause */
/* The methods of crypt(5) and of lyra2(5). */
#include "method.h"

#include <crypt.h>
#include <stdio.h>
#include <string.h>

#include "cost.h"

/* The prefixes and lengths are those of crypt(5). */
static const struct method lyra2 = { "$lyra2$", "lyra2", 0, false, cost_lyra2 };
static const struct method foreign[] = {
	{ "$y$", "yescrypt", 0, false, cost_yescrypt },
	{ "$gy$", "gost-yescrypt", 0, false, cost_yescrypt },
	{ "$7$", "scrypt", 0, false, cost_scrypt },
	{ "$2", "bcrypt", 72, false, cost_bcrypt },
	{ "$6$", "sha512crypt", 0, false, cost_rounds },
	{ "$5$", "sha256crypt", 0, false, cost_rounds },
	{ "$sha1$", "sha1crypt", 0, false, cost_sha1 },
	{ "$md5", "sunmd5", 0, false, cost_rounds },
	{ "$1$", "md5crypt", 0, false, cost_fixed },
	{ "$3$", "nt", 0, false, cost_fixed },
	{ "_", "bsdicrypt", 0, true, cost_fixed },
};
static const struct method descrypt = { "", "descrypt", 8, true, cost_fixed };
static const struct method bigcrypt = { "", "bigcrypt", 128, true, cost_fixed };

#define DES_CHARS 13

static bool starts(const char *hash, const struct method *m)
{
	return strncmp(hash, m->prefix, strlen(m->prefix)) == 0;
}

const struct method *method_of(const char *hash)
{
	size_t i;
	int known;

	if (starts(hash, &lyra2))
		return &lyra2;
	known = crypt_checksalt(hash);
	if (known == CRYPT_SALT_INVALID || known == CRYPT_SALT_METHOD_DISABLED)
		return NULL;
	for (i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++)
		if (starts(hash, &foreign[i]))
			return &foreign[i];
	if (hash[0] == '$' || strlen(hash) < DES_CHARS)
		return NULL;
	return strlen(hash) == DES_CHARS ? &descrypt : &bigcrypt;
}

bool method_is_lyra2(const struct method *m)
{
	return m == &lyra2;
}

/*
 * Extracts "v=30 t=2 r=2048 c=256" from a hash of Lyra2: the fields between
 * dollar signs that have an equals sign, which no salt has.
 */
static void describe_params(const char *hash, char *out, size_t size)
{
	const char *s = hash + strlen(lyra2.prefix);
	size_t len, n = 0;

	out[0] = '\0';
	for (; s[len = strcspn(s, "=$")] == '='; s += len + 1) {
		len = strcspn(s, "$");
		if (s[len] == '\0' || n + len + 2 > size)
			return;
		n += (size_t)snprintf(out + n, size - n, "%s%.*s",
				      n > 0 ? " " : "", (int)len, s);
	}
}

void method_describe(const char *hash, char *out, size_t size)
{
	const struct method *m = method_of(hash);
	char params[128];

	snprintf(out, size, "%s", m ? m->name : "unknown");
	if (!m || !method_is_lyra2(m))
		return;
	describe_params(hash, params, sizeof(params));
	if (params[0] != '\0')
		snprintf(out, size, "%s(%s)", m->name, params);
}
