/* SPDX-License-Identifier: BSD-2-Clause */
/* A stored hash.  The function that finds it reads it, once. */
#ifndef LYRA2_STORED_H
#define LYRA2_STORED_H

#include <lyra2.h>
#include <stdbool.h>

#include "method.h"

struct stored {
	const char *hash;	/* the field, which belongs to the caller */
	const struct method *method;	/* NULL: not a hash of a known method */
	bool in_crypt;		/* crypt(3) can verify it */
	uint64_t memory;	/* bytes that it takes, or COST_TOO_HIGH */
	struct lyra2_params params;	/* of Lyra2; version 0 if malformed */
	struct strength strength;
};

void stored_read(struct stored *s, const char *hash);

/*
 * Returns true if a password can match, as far as the form of the hash tells.
 * The service verifies without asking, so an error here refuses nobody.
 */
bool stored_is_whole(const struct stored *s);

bool stored_is_lyra2(const struct stored *s);

/*
 * Writes the parameters as they are in the hash: "t2n12c256p2", "j9T" or
 * "rounds=5000".  Writes an empty string if it has none.
 */
void stored_params(const struct stored *s, char *out, size_t size);

/* Writes "sha512crypt", or "lyra2(t2n12c256p2)". */
void stored_describe(const struct stored *s, char *out, size_t size);

#endif
