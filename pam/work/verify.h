/* SPDX-License-Identifier: BSD-2-Clause */
/* Verifies a password against a stored hash. */
#ifndef PAM_LYRA2_VERIFY_H
#define PAM_LYRA2_VERIFY_H

#include "src/stored/stored.h"

struct verify_result {
	int code;		/* PAM_SUCCESS only if the password is right */
	const char *why;	/* what is wrong with the hash, or NULL */
	uint64_t cpu_ns;	/* that it took; 0 if nothing was computed */
};

/*
 * Verifies a password.  The code is PAM_AUTH_ERR if it is wrong, and
 * PAM_AUTHINFO_UNAVAIL if it could not be verified.  Refuses hashes that need
 * more than max_memory.  A password of more than LYRA2_MAX_PASSWORD bytes is
 * wrong, and takes as long as any other.
 */
struct verify_result verify_password(const struct stored *stored,
				     const char *password, bool nullok,
				     uint64_t max_memory);

/*
 * Adds work up to the cost of one and a quarter hashes of params, so that the
 * time of an answer does not show which users exist and what hashes they have,
 * up to that cost.
 */
void verify_even_out(const struct verify_result *result,
		     const struct stored *stored, const char *password,
		     const struct lyra2_params *params);

#endif
