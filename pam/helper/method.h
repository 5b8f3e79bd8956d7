/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Facts about a stored hash: its method, how much of a password that method
 * uses, and what it would cost to compute.
 */
#ifndef PAM_LYRA2_METHOD_H
#define PAM_LYRA2_METHOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct method {
	const char *prefix;
	const char *name;
	size_t bytes;	/* of a password that are used; 0: all of them */
	bool seven_bits;	/* the eighth bit of each byte is ignored */
	uint64_t (*memory)(const char *hash);	/* see cost.h */
};

/*
 * Returns the method of a stored field, or NULL if the field is not a hash:
 * empty, locked, a marker like "x", or of an unknown method.
 */
const struct method *method_of(const char *hash);

bool method_is_lyra2(const struct method *m);

/* Writes "sha512crypt", or "lyra2(v=30 t=2 r=2048 c=256)". */
void method_describe(const char *hash, char *out, size_t size);

#endif
