/* SPDX-License-Identifier: BSD-2-Clause */
/* Gives lyra2d a known state, whatever it inherited. */
#ifndef PAM_LYRA2_START_H
#define PAM_LYRA2_START_H

/*
 * Empties the environment, resets signals and limits, hides the memory, closes
 * all descriptors from first_unknown on, and opens the system log.  With
 * only_root it also makes every ID root's, drops the supplementary groups, and
 * resets what else a user can set before a set-user-ID program starts: timers
 * and their slack, scheduling, memory policy, huge pages, personality, and the
 * score for memory shortage.  Exits if a user could read its memory.
 */
void start_clean(int only_root, int first_unknown);

/* Blocks no signal.  A worker keeps the actions that start_clean() has set. */
void start_unblock(void);

/* Makes /run/lyra2 with mode 0755, whatever the umask. */
void start_directory(void);

#endif
