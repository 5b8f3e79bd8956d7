/* SPDX-License-Identifier: BSD-2-Clause */
/* Verifies a password against a stored hash. */
#include "verify.h"

#include <crypt.h>
#include <errno.h>
#include <security/_pam_types.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "src/stored/crypt3.h"

#define FEW_BYTES ((size_t)4 << 20)

static const char damaged[] =
	"it is damaged, or its cost is higher than allowed";
static const char no_memory[] = "not enough memory to verify it";
static const char refused[] = "crypt(3) cannot compute it";

/* Compares length and bytes, in a time that depends only on the lengths. */
static bool same(const char *a, const char *b)
{
	size_t len = strlen(a), i;
	unsigned char diff = 0;

	if (len != strlen(b))
		return false;
	for (i = 0; i < len; i++)
		diff |= (unsigned char)(a[i] ^ b[i]);
	return diff == 0;
}

static int verify_lyra2(const char *hash, const char *password,
			const char **why)
{
	if (lyra2_verify(NULL, hash, password, strlen(password)) == 0)
		return PAM_SUCCESS;
	switch (errno) {
	case EACCES:
		return PAM_AUTH_ERR;
	case EINVAL:
	case EDOM:
		*why = damaged;
		return PAM_AUTH_ERR;
	default:
		*why = errno == ENOMEM ? no_memory : lyra2_strerror(errno);
		return PAM_AUTHINFO_UNAVAIL;
	}
}

/*
 * Returns true if size bytes can be mapped, and a few more.  They must fit into
 * what worker.c leaves a hash of this size.
 */
static bool has_room(uint64_t size)
{
	const size_t n = (size_t)size + FEW_BYTES;
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return false;
	munmap(p, n);
	return true;
}

/* Without memory, libcrypt's error for some methods is EINVAL. */
static int verify_foreign(const struct stored *stored, const char *password,
			  const char **why)
{
	const char *hash = stored->hash;
	const size_t len = method_length(hash);
	char out[CRYPT_OUTPUT_SIZE], cut[CRYPT_OUTPUT_SIZE] = "";
	int code = PAM_AUTH_ERR;

	if (len < sizeof(cut) && hash[len] != '\0')
		hash = memcpy(cut, hash, len);
	if (crypt3_hash(hash, password, out, sizeof(out)) == 0) {
		if (same(out, hash))
			code = PAM_SUCCESS;
	} else if (errno == ENOMEM || !has_room(stored->strength.memory)) {
		*why = no_memory;
		code = PAM_AUTHINFO_UNAVAIL;
	} else {
		*why = refused;
	}
	explicit_bzero(out, sizeof(out));
	explicit_bzero(cut, sizeof(cut));
	return code;
}

/*
 * Returns the CPU time of this process in nanoseconds, or 0 if it is not known.
 */
static uint64_t cpu_ns(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) < 0)
		return 0;
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/*
 * Returns the CPU time since start, at least 1.  Returns 1 if it is unknown, so
 * that the work does not become less.
 */
static uint64_t cpu_since(uint64_t start)
{
	uint64_t now = cpu_ns();

	return start > 0 && now > start ? now - start : 1;
}

/*
 * No string has a password that is too long.  The bytes that it may have are
 * hashed, because the time must not show that its hash was read.
 */
static int verify_any(const struct stored *stored, const char *password,
		      const char **why)
{
	char used[LYRA2_MAX_PASSWORD + 1];
	const size_t len = strnlen(password, sizeof(used));
	const bool too_long = len == sizeof(used);
	int code;

	memcpy(used, password, len);
	used[len - too_long] = '\0';
	code = stored_is_lyra2(stored) ? verify_lyra2(stored->hash, used, why) :
		verify_foreign(stored, used, why);
	explicit_bzero(used, sizeof(used));
	return too_long && code == PAM_SUCCESS ? PAM_AUTH_ERR : code;
}

struct verify_result verify_password(const struct stored *stored,
				     const char *password, bool nullok,
				     uint64_t max_memory)
{
	struct verify_result v = { .code = PAM_AUTH_ERR };
	const char *hash = stored->hash;
	uint64_t start = cpu_ns();

	if (hash[0] == '\0' && nullok) {
		v.code = PAM_SUCCESS;
		return v;
	}
	if (!stored->method && hash[0] == '$')
		v.why = "its method is unknown to libcrypt";
	if (stored->memory > max_memory)
		v.why = damaged;
	if (!stored->method || v.why)
		return v;
	v.code = verify_any(stored, password, &v.why);
	v.cpu_ns = cpu_since(start);
	/*
	 * Only now, because the time must not show whether the entry is blank.
	 */
	if (v.code == PAM_SUCCESS && password[0] == '\0' && !nullok)
		v.code = PAM_AUTH_ERR;
	return v;
}

/*
 * Computes hashes with params that have this number of rows together, or a few
 * more if a hash cannot have so few.  Returns the number of rows computed:
 * fewer after an error.
 */
static uint64_t spend(const char *password, const struct lyra2_params *params,
		      uint64_t rows)
{
	const uint64_t least = UINT64_C(3) * params->lanes;
	struct lyra2_params p = *params;
	uint8_t key[32];
	uint64_t done = 0;

	while (done < rows) {
		uint64_t n = rows - done < least ? least : rows - done;

		p.rows = n < params->rows ? (uint32_t)n : params->rows;
		if (lyra2_kdf(NULL, &p, password, strlen(password), "", 0, key,
			      sizeof(key)) < 0)
			break;
		done += p.rows;
	}
	explicit_bzero(key, sizeof(key));
	return done;
}

/*
 * Computes a quarter of a configured hash, at every check.  The time of a row
 * in it tells how many rows a hash of another method was worth.
 */
static uint64_t measure(const char *password, const struct lyra2_params *params,
			uint64_t *row_ns)
{
	uint64_t start = cpu_ns();
	uint64_t some = spend(password, params, params->rows / 4);

	*row_ns = some > 0 ? cpu_since(start) / some : 0;
	return some;
}

/*
 * Returns the number of rows of params that take as long as what was computed.
 */
static uint64_t rows_of(const struct verify_result *result,
			const struct stored *stored,
			const struct lyra2_params *params, uint64_t row_ns)
{
	/* With another number of lanes, a row takes another time. */
	if (result->cpu_ns > 0 && stored_is_lyra2(stored) &&
	    stored->params.lanes == params->lanes)
		return lyra2_work(&stored->params) /
			(lyra2_work(params) / params->rows);
	return row_ns > 0 ? result->cpu_ns / row_ns : 0;
}

/*
 * Adds work, so that a check costs a configured hash and a quarter, or the
 * stored hash and that quarter if this is more.
 */
void verify_even_out(const struct verify_result *result,
		     const struct stored *stored, const char *password,
		     const struct lyra2_params *params)
{
	const uint64_t budget = (uint64_t)params->rows + params->rows / 4;
	uint64_t row_ns, some = measure(password, params, &row_ns);
	uint64_t done = some + rows_of(result, stored, params, row_ns);

	if (budget > done)
		spend(password, params, budget - done);
}
