/* SPDX-License-Identifier: BSD-2-Clause */
/* The partial order of hashes: see order.h. */
#include "order.h"

#define GOOD_MEMORY (UINT64_C(16) << 20)

/*
 * Returns the highest cost at which a family without memory is weaker than one
 * with memory.
 */
static uint64_t most_cost(enum family family)
{
	return family == FAMILY_BCRYPT ? UINT64_C(1) << 12 : 500000;
}

/* Returns true if x is weaker than y, for two different families. */
static bool has_less_memory(const struct strength *x, const struct strength *y)
{
	if (x->outer != OUTER_NONE && x->outer != y->outer)
		return false;
	if (x->memory == 0 && (y->memory < GOOD_MEMORY ||
			       x->cost > most_cost(x->family)))
		return false;
	return x->memory < y->memory;
}

static uint32_t salt(const struct strength *s)
{
	return s->salt < ORDER_SALT ? s->salt : ORDER_SALT;
}

/* Returns true if x has less of something than y, in one family. */
static bool has_less(const struct strength *x, const struct strength *y)
{
	const bool inner = x->outer == OUTER_NONE && y->outer != OUTER_NONE;

	if (x->flags != y->flags || x->memory > y->memory ||
	    x->cost > y->cost || salt(x) > salt(y) ||
	    (x->outer != y->outer && !inner))
		return false;
	return x->memory < y->memory || x->cost < y->cost ||
		salt(x) < salt(y) || inner;
}

bool order_weaker(const struct strength *x, const struct strength *y)
{
	if (x->family == FAMILY_UNKNOWN || y->family == FAMILY_UNKNOWN ||
	    y->family == FAMILY_LEGACY)
		return false;
	if (x->family == FAMILY_LEGACY)
		return true;
	return x->family == y->family ? has_less(x, y) : has_less_memory(x, y);
}
