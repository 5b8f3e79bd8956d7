/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The levels of the brake in a file, which lyra2d and each "lyra2d --once"
 * share, and which outlives a restart.
 *
 * 1. A process that lets an answer leave locks, loads, decides and saves, and
 *    reads the clock under the lock.  So no level is lost.
 * 2. An open answer is in the file as one that is not free.
 * 3. What this process has not changed since it wrote, it takes from the file.
 *    What both have changed, has the higher level and the later time.
 * 4. If another process has written about a key, an answer of that key that
 *    left before can be free no more.
 * 5. If the file cannot be read or is damaged, each key stands at BRAKE_TOP
 *    without a running penalty: correct passwords do not wait, a second mistake
 *    waits for 64 s.  The next write repairs the file.
 * 6. A penalty in the file ends at most BRAKE_LONGEST_MS from now.
 * 7. An empty file has no levels.  A new file takes its whole space at once, so
 *    that a write does not fail later.
 * 8. Times are those of CLOCK_BOOTTIME.  /run forgets them at a boot.
 */
#ifndef PAM_LYRA2_BRAKE_FILE_H
#define PAM_LYRA2_BRAKE_FILE_H

#include <stdint.h>

#include "brake.h"

/*
 * Opens the file, or makes it.  Returns a descriptor, or -1 with errno: EPERM
 * if it is no regular file, or one that others own or can open.
 */
int brake_file_open(const char *path);

/* CLOCK_BOOTTIME in milliseconds. */
int64_t brake_file_now(void);

/*
 * Takes the lock; waits for it at most wait_ms.  Returns 0, or -1 with errno:
 * then "lyra2d --once" must let nothing leave.  Read the clock afterwards.
 */
int brake_file_lock(int fd, int wait_ms);

/* Merges the file into b, under the lock.  Returns 0; 1 if rule 5 applies. */
int brake_file_load(int fd, struct brake *b, int64_t now);

/*
 * Writes what has changed, and gives the lock back.  Returns 0, or -1 with
 * errno if it was not written: the next call tries again.
 */
int brake_file_save(int fd, struct brake *b, int64_t now);

#endif
