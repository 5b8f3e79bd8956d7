/* SPDX-License-Identifier: BSD-2-Clause */
/* method.c - the methods of crypt(5) and of lyra2(5). */
#include "method.h"

#include <crypt.h>
#include <stdio.h>
#include <string.h>

#include "cost.h"

/* The prefixes and lengths are those of crypt(5). */
static const struct method lyra2 = { "$lyra2$", "lyra2", 0, cost_lyra2 };
static const struct method foreign[] = {
	{ "$y$", "yescrypt", 0, cost_yescrypt },
	{ "$gy$", "gost-yescrypt", 0, cost_yescrypt },
	{ "$7$", "scrypt", 0, cost_scrypt },
	{ "$2", "bcrypt", 72, cost_bcrypt },
	{ "$6$", "sha512crypt", 0, cost_rounds },
	{ "$5$", "sha256crypt", 0, cost_rounds },
	{ "$sha1$", "sha1crypt", 0, cost_sha1 },
	{ "$md5", "sunmd5", 0, cost_rounds },
	{ "$1$", "md5crypt", 0, cost_none },
	{ "$3$", "nt", 0, cost_none },
	{ "_", "bsdicrypt", 0, cost_none },
};
static const struct method descrypt = { "", "descrypt", 8, cost_none };
static const struct method bigcrypt = { "", "bigcrypt", 128, cost_none };

#define DES_CHARS 13

static int starts(const char *hash, const struct method *m)
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

int method_is_lyra2(const struct method *m)
{
	return m == &lyra2;
}

void method_describe(const char *hash, char *out, size_t size)
{
	const struct method *m = method_of(hash);
	const char *version, *params;

	snprintf(out, size, "%s", m ? m->name : "unknown");
	if (!m || !method_is_lyra2(m))
		return;
	version = hash + strlen(m->prefix);
	params = strchr(version, '$');
	if (!params)
		return;
	snprintf(out, size, "%s(%.*s,%.*s)", m->name, (int)(params - version),
		 version, (int)strcspn(params + 1, "$"), params + 1);
}
