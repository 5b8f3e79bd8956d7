/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When an answer may leave.  A pure function of time: no clock of its own, no
 * descriptor, no process.
 *
 * An answer is admitted if the password was correct and the login succeeded: it
 * has no penalty.
 *
 *  1. Levels are kept for each key: a caller, and whether the password was
 *     that of the caller's own account.  Keys do not influence each other.
 *  2. The answers of a key leave one at a time.  Each leaves when the penalty
 *     of those before it is over.
 *  3. An answer counts from the moment it leaves, until brake_admit() takes it
 *     back by the number that it left with.
 *  4. The penalty of an answer is 2 s at the levels 0, 1 and 2, then 8, 16, 32
 *     and 64 s.  Each answer that leaves raises the level by one, up to
 *     BRAKE_TOP.
 *  5. The level falls by one after each BRAKE_QUIET_MS since the end of the
 *     last penalty, and by rule 6.
 *  6. An answer that was admitted is as if it had never been sent.  The others
 *     that left meanwhile count at the times when they left.  So it does not
 *     matter how late a caller lets an answer be admitted.
 *  7. Only the last BRAKE_RECENT answers of a key can still be admitted.
 *  8. Times are absolute.  None is later than BRAKE_LONGEST_MS from now.
 *
 * So of one key at most 15 answers that are not admitted leave in 10 minutes,
 * and 62 in an hour.  A doubling from 2 to 4 s at level 3 would let 16 leave.
 */
#ifndef PAM_LYRA2_BRAKE_H
#define PAM_LYRA2_BRAKE_H

#include <stdbool.h>
#include <stdint.h>

#define BRAKE_RECENT 8
#define BRAKE_TOP 6
#define BRAKE_QUIET_MS 64000
#define BRAKE_LONGEST_MS 64000	/* the longest penalty */
#define BRAKE_SHORTEST_MS 2000

struct brake_level {
	int64_t until;		/* the end of the penalty */
	uint64_t level;		/* at that time; see rule 5 */
};

/* An answer that has left. */
struct brake_answer {
	int64_t left;
	uint64_t number;	/* 0: it can no longer be admitted */
};

/* All zero at the start.  It is stored as it stands: see brake-file.h. */
struct brake_key {
	struct brake_level base;	/* before the first of recent */
	uint64_t count;			/* of recent */
	struct brake_answer recent[BRAKE_RECENT + 1];
};

/* Returns when the running penalty ends, in ms.  now is, too. */
int64_t brake_until(const struct brake_key *k);

/*
 * An answer leaves now.  number: what brake_admit() will name it by; 0 if it
 * never will, because the password was wrong.
 */
void brake_leave(struct brake_key *k, uint64_t number, int64_t now);

/* Takes an answer back, if it is one that can be. */
void brake_admit(struct brake_key *k, uint64_t number);

/*
 * Returns the most milliseconds until an answer leaves if so many wait before
 * it; it leaves earlier if one of these is admitted.
 */
int64_t brake_wait(const struct brake_key *k, unsigned before, int64_t now);

/*
 * Returns true if an answer counts for good: a failure, and not only one that
 * may still be admitted.
 */
bool brake_failed(const struct brake_key *k, int64_t now);

/* Sets the highest level, without a running penalty. */
void brake_raise(struct brake_key *k, int64_t now);

/*
 * Brings times from another clock into range: rule 8.  Returns false if the key
 * cannot be one.
 */
bool brake_check(struct brake_key *k, int64_t now);

#endif
