/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes, verifies and compares strings. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "bounds.h"
#include "encode.h"
#include "entropy.h"
#include "kdf.h"
#include "outer.h"
#include "params.h"
#include "wipe.h"

const char *lyra2_strerror(int error)
{
	switch (error) {
	case 0:
		return "no error";
	case EACCES:
		return "the password is wrong";
	case ESTALE:
		return "the hash is weaker than wanted";
	case EINVAL:
		return "a parameter or argument is out of its range, or a "
		       "string is malformed";
	case EDOM:
		return "the string asks for more memory or work than is "
		       "allowed";
	case EMSGSIZE:
		return "the password has more than 511 bytes";
	case EILSEQ:
		return "the password has a byte of value 0";
	case ERANGE:
		return "the output buffer is too small";
	case ENOMEM:
		return "not enough memory for these parameters";
	case ENOTSUP:
		return "the code for this CPU fails its self test";
	case EIO:
		return "the system gave no random bytes";
	default:
		return "unknown error";
	}
}

static int check_method(uint32_t method)
{
	if (method == LYRA2_METHOD_LYRA2 || method == LYRA2_METHOD_BASH_LYRA2)
		return 0;
	errno = EINVAL;
	return -1;
}

/* lyra2_gensalt(), but the content of out is undefined on failure. */
static int gensalt(uint32_t method, const struct lyra2_params *params,
		   const uint8_t *rbytes, size_t nrbytes, char *out,
		   size_t outsize)
{
	uint8_t random[LYRA2_NEW_RANDOM];
	char salt[LYRA2_MAX_SALT + 1];
	struct lyra2_string s = { .method = method, .salt = salt };

	lyra2_params_default(&s.params);
	if (params)
		s.params = *params;
	if (lyra2_check_string(&s.params, NULL) < 0)
		return -1;
	if (!rbytes) {
		if (entropy_read(random, sizeof(random)) < 0) {
			errno = EIO;
			return -1;
		}
		rbytes = random;
		nrbytes = sizeof(random);
	}
	if (nrbytes < LYRA2_MIN_RANDOM || nrbytes > LYRA2_MAX_RANDOM || !out ||
	    check_method(method) < 0) {
		errno = EINVAL;
		return -1;
	}
	base64_encode(rbytes, nrbytes, salt);
	s.saltlen = strlen(salt);
	return string_encode(&s, out, outsize);
}

int lyra2_gensalt(uint32_t method, const struct lyra2_params *params,
		  const void *rbytes, size_t nrbytes, char *out, size_t outsize)
{
	const int r = gensalt(method, params, rbytes, nrbytes, out, outsize);

	if (r < 0 && out && outsize > 0)
		out[0] = '\0';
	return r;
}

/* Fails if crypt(3) could not take the password: too long, or with a 0. */
static int check_password(const char *password, size_t n)
{
	if (!password && n > 0)
		errno = EINVAL;
	else if (n > LYRA2_MAX_PASSWORD)
		errno = EMSGSIZE;
	else if (n > 0 && memchr(password, '\0', n))
		errno = EILSEQ;
	else
		return 0;
	return -1;
}

/* Computes the hash for a string that has been decoded. */
static int string_kdf(struct lyra2_ctx *ctx, const struct lyra2_string *s,
		      const void *password, size_t n,
		      uint8_t hash[LYRA2_HASH_BYTES])
{
	const bool bash = s->method == LYRA2_METHOD_BASH_LYRA2;
	struct lyra2_job job = {
		.params = s->params,
		.rotation = PARAMS_ROTATION,
		.password = password,
		.passwordlen = n,
		.salt = (const uint8_t *)(bash ? s->setting : s->salt),
		.saltlen = bash ? s->settinglen : s->saltlen,
		.key = hash,
		.keylen = LYRA2_HASH_BYTES,
	};

	if (check_password(password, n) < 0 || kdf_run(ctx, &job) < 0)
		return -1;
	if (!bash)
		return 0;
	if (outer_bash256(kdf_kernel(ctx), s, password, n, hash) < 0)
		return -1;
	kdf_wipe_stack();
	return 0;
}

int lyra2_crypt(struct lyra2_ctx *ctx, const char *setting,
		const void *password, size_t passwordlen, char *out,
		size_t outsize)
{
	char digits[1 + LYRA2_HASH_BYTES * 4 / 3 + 2] = "$";
	struct lyra2_string s;
	uint8_t hash[LYRA2_HASH_BYTES];
	int r = -1;

	if (string_decode(setting, &s, NULL) < 0)
		goto out;
	if (!out || outsize < s.settinglen + sizeof(digits)) {
		errno = out ? ERANGE : EINVAL;
		goto out;
	}
	if (string_kdf(ctx, &s, password, passwordlen, hash) < 0)
		goto out;
	base64_encode(hash, sizeof(hash), digits + 1);
	/* out may be where setting is. */
	memmove(out, setting, s.settinglen);
	memcpy(out + s.settinglen, digits, sizeof(digits));
	r = 0;
out:
	if (r < 0 && out && outsize > 0)
		out[0] = '\0';
	lyra2_wipe(hash, sizeof(hash));
	lyra2_wipe(digits, sizeof(digits));
	lyra2_wipe(&s, sizeof(s));
	return r;
}

int lyra2_hash(struct lyra2_ctx *ctx, uint32_t method,
	       const struct lyra2_params *params, const void *password,
	       size_t passwordlen, char *out, size_t outsize)
{
	char setting[LYRA2_MAX_STRING];

	if (lyra2_gensalt(method, params, NULL, 0, setting,
			  sizeof(setting)) < 0) {
		if (out && outsize > 0)
			out[0] = '\0';
		return -1;
	}
	return lyra2_crypt(ctx, setting, password, passwordlen, out, outsize);
}

int lyra2_verify(struct lyra2_ctx *ctx, const char *hash,
		 const void *password, size_t passwordlen)
{
	struct lyra2_string s;
	uint8_t got[LYRA2_HASH_BYTES];
	int r = -1;

	if (string_decode_hash(hash, &s, NULL) == 0 &&
	    string_kdf(ctx, &s, password, passwordlen, got) == 0) {
		if (lyra2_equal(got, s.hash, sizeof(got)))
			r = 0;
		else
			errno = EACCES;
	}
	lyra2_wipe(got, sizeof(got));
	lyra2_wipe(&s, sizeof(s));
	return r;
}

int lyra2_parse(const char *hash, uint32_t *method,
		struct lyra2_params *params, struct lyra2_reason *reason)
{
	struct lyra2_string s;
	const int r = string_decode_hash(hash, &s, reason);

	if (r == 0 && method)
		*method = s.method;
	if (r == 0 && params)
		*params = s.params;
	lyra2_wipe(&s, sizeof(s));
	return r;
}

enum { STRENGTHS = 4 };

/* The values that decide whether one string is weaker than another */
static void strengths(uint64_t x[STRENGTHS], uint32_t method,
		      const struct lyra2_params *p, size_t saltlen)
{
	x[0] = params_matrix(p);
	x[1] = string_cost(p, x[0]);
	x[2] = method == LYRA2_METHOD_BASH_LYRA2;
	x[3] = saltlen < LYRA2_NEW_SALT ? saltlen : LYRA2_NEW_SALT;
}

static bool weaker(const uint64_t x[STRENGTHS], const uint64_t y[STRENGTHS])
{
	bool less = false, more = false;
	size_t i;

	for (i = 0; i < STRENGTHS; i++) {
		less |= x[i] < y[i];
		more |= x[i] > y[i];
	}
	return less && !more;
}

int lyra2_needs_rehash(const char *hash, uint32_t method,
		       const struct lyra2_params *want)
{
	uint64_t has[STRENGTHS], wanted[STRENGTHS];
	struct lyra2_params p;
	struct lyra2_string s;
	int r = -1;

	lyra2_params_default(&p);
	if (want)
		p = *want;
	if (string_decode_hash(hash, &s, NULL) == 0 &&
	    lyra2_check_string(&p, NULL) == 0 && check_method(method) == 0) {
		strengths(has, s.method, &s.params, s.saltlen);
		strengths(wanted, method, &p, LYRA2_NEW_SALT);
		if (weaker(has, wanted))
			errno = ESTALE;
		else
			r = 0;
	}
	lyra2_wipe(&s, sizeof(s));
	return r;
}
