/* SPDX-License-Identifier: BSD-2-Clause */
/* All calls of libcrypt. */
#include "crypt3.h"

#include <crypt.h>
#include <stdlib.h>
#include <string.h>

#include "method.h"

bool crypt3_knows(const char *setting)
{
	const int known = crypt_checksalt(setting);

	return known != CRYPT_SALT_INVALID &&
		known != CRYPT_SALT_METHOD_DISABLED;
}

int crypt3_setting(const char *prefix, uint32_t cost, char *out, size_t size)
{
	struct setting s = { 0 };
	const struct method *m;

	if (!crypt_gensalt_rn(prefix, cost, NULL, 0, out, (int)size) ||
	    crypt_checksalt(out) != CRYPT_SALT_OK)
		return -1;
	m = method_of(out, true);
	if (!m || !m->read)
		return -1;
	m->read(out, &s);
	return s.bound == COST_TOO_HIGH ? -1 : 0;
}

/* crypt_rn(3) returns NULL on failure, and never a token like "*0". */
int crypt3_hash(const char *setting, const char *password, char *out,
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
