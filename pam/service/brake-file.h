/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The levels of one caller in a file of that caller, which all lyra2d share,
 * the public one and those of one module, and which outlives a restart.
 *
 * 1. A process that lets an answer leave takes the file, decides, and gives it
 *    back.  It holds the lock for no longer, and asks the clock under the lock.
 *    So no level is lost.
 * 2. A file that is damaged means the highest level, and is repaired.
 * 3. A file that cannot be used, because another process holds the lock, it is
 *    not root's alone, or there is no descriptor or memory, lets an answer of
 *    this caller leave after BRAKE_LONGEST_MS.  Other callers do not wait.
 * 4. Where no file can be made or written, as without /run or space, the lowest
 *    penalty comes before the answer.
 * 5. An empty file has no levels.  Times are those of CLOCK_BOOTTIME.  /run
 *    forgets them at a boot.
 */
#ifndef PAM_LYRA2_BRAKE_FILE_H
#define PAM_LYRA2_BRAKE_FILE_H

#include "brake.h"

enum brake_state { BRAKE_TAKEN, BRAKE_UNUSABLE, BRAKE_NO_PLACE };

struct brake_file {
	int fd;
	bool damaged;			/* rule 2 applied */
	uint32_t caller;
	struct brake_key keys[2];	/* of others' accounts, and the own */
};

/* CLOCK_BOOTTIME in milliseconds. */
int64_t brake_file_now(void);

/*
 * Opens, locks and reads the file of a caller, or makes it.  Never waits.  Only
 * with BRAKE_TAKEN, brake_file_give() must follow.  With BRAKE_UNUSABLE and
 * BRAKE_NO_PLACE, errno says why.
 */
enum brake_state brake_file_take(struct brake_file *f, uint32_t caller,
				 int64_t *now);

/*
 * Gives the file back, and writes it if it has changed.  Without BRAKE_TAKEN,
 * it could not be written, and errno says why.
 */
enum brake_state brake_file_give(struct brake_file *f, bool changed);

#endif
