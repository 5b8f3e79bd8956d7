/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which of two hashes is weaker, as far as anybody can say.
 *
 * 1. A legacy method is weaker than any other.  Of two legacy methods, neither
 *    is weaker.
 * 2. Of two families, the one that must hold less memory at once is weaker.
 *    There are three exceptions.  A hash without memory is not weaker than one
 *    of less than 16 MiB.  bcrypt above 2^12 rounds and SHA-512 above 500,000
 *    are not weaker.  A hash with an outer hash that the other lacks is not.
 * 3. In one family, a hash is weaker that has less memory, cost, outer hash or
 *    salt, and more of none.  Two different outer hashes, or flags of yescrypt,
 *    do not compare.
 * 4. All others do not compare: nobody knows which is weaker.
 *
 * So along any chain of weaker ones the memory never falls.  Where it stays the
 * same, so does the family, except on a step from a legacy method, to which no
 * step leads.  So no chain comes back to where it began.
 */
#ifndef LYRA2_ORDER_H
#define LYRA2_ORDER_H

#include <stdbool.h>
#include <stdint.h>

enum family {
	FAMILY_UNKNOWN,		/* compares with nothing */
	FAMILY_LEGACY,
	FAMILY_LYRA2,
	FAMILY_YESCRYPT,
	FAMILY_SCRYPT,
	FAMILY_BCRYPT,
	FAMILY_SHA512
};

enum outer_hash { OUTER_NONE, OUTER_BASH, OUTER_GOST, OUTER_SM3 };

#define ORDER_SALT 22		/* characters: more make no difference */

struct strength {
	enum family family;
	enum outer_hash outer;
	uint32_t flags;		/* of yescrypt; 0 for other families */
	uint32_t salt;		/* characters */
	uint64_t memory;	/* bytes that must be held at once */
	uint64_t cost;		/* in units of the family */
};

/* Returns true if x is weaker than y. */
bool order_weaker(const struct strength *x, const struct strength *y);

#endif
