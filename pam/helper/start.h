/* SPDX-License-Identifier: BSD-2-Clause */
/* Gives a helper a known state, whatever it inherited from its caller. */
#ifndef PAM_LYRA2_START_H
#define PAM_LYRA2_START_H

/*
 * Empties the environment, resets what the caller set up (signals, limits,
 * timers), opens the system log under a name and refuses to be run
 * by hand: exits unless standard input is a socket and there are no arguments.
 */
void start_helper(const char *name, int argc);

/*
 * Resets a low priority in the scheduler that a user has set, because others
 * may wait for the slot of this process.  Ignores what the system forbids.
 */
void start_reset_scheduling(void);

/*
 * Drops every privilege for good.  Exits unless it is certain that none can
 * be regained.
 */
void start_drop_privileges(void);

#endif
