/* SPDX-License-Identifier: BSD-2-Clause */
/* Who shares a salt: a guess at one of them is a guess at all. */
#ifndef LYRA2_TOOL_SALTS_H
#define LYRA2_TOOL_SALTS_H

#include <stdbool.h>
#include <stddef.h>

struct salts {
	struct salt *list;
	size_t n;
	size_t shared;		/* users, once salts_sort() has counted */
};

/*
 * Takes copies: of the user, and of the first len bytes of the field, which
 * are the method, the parameters and the salt.  Returns 0, or -1 and errno.
 */
int salts_add(struct salts *s, const char *user, const char *field,
	      size_t len);

/* Brings those that share one together, and counts them. */
void salts_sort(struct salts *s);

/*
 * Returns the user at i of those sorted, or NULL if nobody shares that salt;
 * stores whether it is the first with it.
 */
const char *salts_user(const struct salts *s, size_t i, bool *first);

/* Wipes and frees. */
void salts_free(struct salts *s);

#endif
