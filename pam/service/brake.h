/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When an answer may leave.  A pure function of time: no clock of its own, no
 * descriptor, no process.
 *
 * An answer is free if the password was correct and the login succeeded: it has
 * no penalty.
 *
 *  1. Levels are kept for each key: a caller, and whether the password was
 *     that of the caller's own account.  Keys do not influence each other.
 *  2. The answers of a key leave one at a time, in the order in which they
 *     arrived.  Each leaves when the penalty of those before it is over.
 *  3. An answer counts as not free from the moment it leaves, until
 *     brake_free() says that it was.
 *  4. The penalty of an answer is 2 s at the levels 0, 1 and 2, then 8, 16, 32
 *     and 64 s.  Each answer that leaves raises the level by one, up to
 *     BRAKE_TOP.
 *  5. The level falls by one after each BRAKE_QUIET_MS since the end of the
 *     last penalty, and by rule 6.
 *  6. An answer that was free is as if it had never been sent.  The others that
 *     left meanwhile count at the times when they left.  So it does not matter
 *     how late a caller lets an answer be free.
 *  7. Only the last BRAKE_RECENT answers of a key can still be free.
 *  8. At the end of a connection its waiting answers are forgotten.  Those that
 *     have left stay as they are: counted, unless they were free.
 *  9. If BRAKE_KEYS keys are known, the one with the lowest level is forgotten.
 *     A key with a running penalty or a waiting answer never is: a new key is
 *     refused instead.
 * 10. While the clock goes back, no time passes.  A leap ahead is time that has
 *     passed.
 *
 * So of one key at most 15 answers that are not free leave in 10 minutes, and
 * 62 in an hour.  A doubling from 2 to 4 s at level 3 would let 16 leave.
 */
#ifndef PAM_LYRA2_BRAKE_H
#define PAM_LYRA2_BRAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BRAKE_KEYS 2048
#define BRAKE_WAITING 2048
#define BRAKE_RECENT 8
#define BRAKE_TOP 6
#define BRAKE_QUIET_MS 64000
#define BRAKE_LONGEST_MS 64000	/* the longest penalty */

struct brake_level {
	int64_t until;		/* the end of the penalty */
	uint32_t level;		/* at that time; see rule 5 */
};

/* An answer that has left. */
struct brake_answer {
	int64_t left;
	int id;
	bool open;		/* may still be free */
};

struct brake_key {
	uint64_t caller;
	bool own;
	struct brake_level base;	/* before the first of recent */
	struct brake_level at;		/* after the last */
	struct brake_level saved;	/* see brake-file.h */
	bool in_file;
	struct brake_answer recent[BRAKE_RECENT + 1];
	unsigned nrecent;
	unsigned waiting;
};

struct brake_waiting {
	int id;
	unsigned key;		/* its place in keys */
};

/* All zero at the start.  Times are on the scale of the member time. */
struct brake {
	struct brake_key keys[BRAKE_KEYS];
	size_t nkeys;
	struct brake_waiting waiting[BRAKE_WAITING];	/* by arrival */
	size_t nwaiting;
	struct brake_level floor;	/* of keys that are not known */
	int64_t time;		/* the time that has passed */
	int64_t clock;		/* what the clock said last */
	uint64_t sum;		/* of the file that was read or written last */
	bool changed;		/* since then */
};

/*
 * Adds an answer that waits to leave.  id is a number of the connection.  own:
 * the account is the caller's own.  now is in milliseconds, here and below.
 * Returns 0, or -1 if there is no room; then the answer must not be sent.
 */
int brake_add(struct brake *b, int id, uint64_t caller, bool own, int64_t now);

/*
 * Takes out an answer that leaves now.  Returns its id, or -1 if all have to
 * wait.
 */
int brake_next(struct brake *b, int64_t now);

/*
 * Returns the milliseconds until brake_next() finds an answer, or -1 if none
 * waits.
 */
int64_t brake_wake(struct brake *b, int64_t now);

/*
 * Returns the most milliseconds until the first waiting answer of a connection
 * leaves; it leaves earlier if one before it is free.  -1 if none waits.
 */
int64_t brake_wait(struct brake *b, int id, int64_t now);

/*
 * Returns true if an answer counts for good before the waiting one of a
 * connection: a failure, and not only one that may still be free.
 */
bool brake_failed(struct brake *b, int id, int64_t now);

/* Marks as free the answers of the connection that have left and are open. */
void brake_free(struct brake *b, int id, int64_t now);

/*
 * The connection has ended, or the password was wrong.  Answers that have left
 * can no longer be free.  Waiting answers are forgotten.
 */
void brake_end(struct brake *b, int id);

/* ---- for brake-file.c ---- */

/* Lets time pass until now. */
void brake_tick(struct brake *b, int64_t now);

/* Returns true if a level has fallen to nothing. */
bool brake_is_over(const struct brake *b, const struct brake_level *l);

/* Returns the higher level and the later end of two levels. */
struct brake_level brake_higher(struct brake_level l, struct brake_level m);

/* Finds or makes a key.  Returns NULL if there is no room. */
struct brake_key *brake_key(struct brake *b, uint64_t caller, bool own);

/* Sets the level of a key.  Answers that have left can no longer be free. */
void brake_set(struct brake_key *k, struct brake_level l);

#endif
