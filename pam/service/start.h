/* SPDX-License-Identifier: BSD-2-Clause */
/* Gives lyra2d a known state, whatever it inherited. */
#ifndef PAM_LYRA2_START_H
#define PAM_LYRA2_START_H

/*
 * Empties the environment, resets signals, limits, timers and masks, closes all
 * descriptors from first_unknown on, and opens the system log.  With only_root
 * it also makes every ID root's, drops the supplementary groups, and resets the
 * priority in the scheduler that a user may have set; exits if that cannot be
 * done.
 */
void start_clean(int only_root, int first_unknown);

/* Blocks no signal.  A worker keeps the actions that start_clean() has set. */
void start_unblock(void);

/* Makes /run/lyra2 with mode 0755, whatever the umask. */
void start_directory(void);

#endif
