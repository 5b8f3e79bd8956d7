/* SPDX-License-Identifier: BSD-2-Clause */
/* verify.c - is this the password of that hash? */
#include "verify.h"

#include <crypt.h>
#include <errno.h>
#include <security/_pam_types.h>
#include <stdlib.h>
#include <string.h>

#include "method.h"

static const char damaged[] = "it is damaged, or costs more than is allowed";
static const char no_memory[] = "there is no memory to verify it";

/* Equal length and bytes, in a time that depends on the lengths alone. */
static int same(const char *a, const char *b)
{
	size_t len = strlen(a), i;
	unsigned char diff = 0;

	if (len != strlen(b))
		return 0;
	for (i = 0; i < len; i++)
		diff |= (unsigned char)(a[i] ^ b[i]);
	return diff == 0;
}

void verify_nobody(const char *password, const struct policy *policy)
{
	char setting[LYRA2_MAX_STRING], out[LYRA2_MAX_STRING];

	if (lyra2_gensalt(&policy->params, NULL, 0, setting,
			  sizeof(setting)) == 0)
		(void)lyra2_crypt(NULL, setting, password, strlen(password),
				  out, sizeof(out));
	explicit_bzero(out, sizeof(out));
}

static int verify_lyra2(const char *hash, const char *password,
			const struct policy *policy, const char **why)
{
	int rc = lyra2_verify(NULL, hash, password, strlen(password));

	if (rc == 0)
		return PAM_SUCCESS;
	if (rc > 0 || errno == ERANGE)
		return PAM_AUTH_ERR;
	if (errno == EINVAL) {
		*why = damaged;
		verify_nobody(password, policy);
		return PAM_AUTH_ERR;
	}
	*why = no_memory;
	return PAM_AUTHINFO_UNAVAIL;
}

/* crypt_rn(3) gives NULL for failures, and never a token like "*0". */
static int verify_foreign(const char *hash, const char *password,
			  const char **why)
{
	struct crypt_data *data = calloc(1, sizeof(*data));
	int code = PAM_AUTH_ERR;
	const char *out;

	if (!data) {
		*why = no_memory;
		return PAM_AUTHINFO_UNAVAIL;
	}
	out = crypt_rn(password, hash, data, (int)sizeof(*data));
	if (out && same(out, hash))
		code = PAM_SUCCESS;
	explicit_bzero(data, sizeof(*data));
	free(data);
	return code;
}

int verify_password(const char *hash, const char *password, int nullok,
		    const struct policy *policy, const char **why)
{
	const struct method *m = method_of(hash);

	*why = NULL;
	if (hash[0] == '\0' && nullok)
		return PAM_SUCCESS;
	if (!m && hash[0] == '$')
		*why = "its method is unknown to libcrypt";
	if (m && m->excessive(hash, policy->max_memory))
		*why = damaged;
	if (!m || *why || (password[0] == '\0' && !nullok)) {
		verify_nobody(password, policy);
		return PAM_AUTH_ERR;
	}
	if (method_is_lyra2(m))
		return verify_lyra2(hash, password, policy, why);
	return verify_foreign(hash, password, why);
}
