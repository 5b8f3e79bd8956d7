/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * method.h - what a stored hash says about itself: its method, how much of a
 * password that method looks at, and what it would cost to compute.
 */
#ifndef PAM_LYRA2_METHOD_H
#define PAM_LYRA2_METHOD_H

#include <stddef.h>
#include <stdint.h>

struct method {
	const char *prefix;
	const char *name;
	size_t bytes;	/* of a password that count; 0: all of them */
	/* Whether hash asks for more memory or time than is reasonable. */
	int (*excessive)(const char *hash, uint64_t max_memory);
};

/*
 * The method of a stored field, or NULL where the field is no hash at all:
 * empty, locked, a mark like "x", or of a method that nothing here knows.
 */
const struct method *method_of(const char *hash);

int method_is_lyra2(const struct method *m);

/* Writes "sha512crypt", or "lyra2(v=30,t=2,r=2048,c=256)". */
void method_describe(const char *hash, char *out, size_t size);

#endif
