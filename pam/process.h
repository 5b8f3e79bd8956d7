/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a new process finds.  All may be called between fork(2) and execve(2).
 * A sandbox may kill a process for a call that changes nothing: look first.
 */
#ifndef PAM_LYRA2_PROCESS_H
#define PAM_LYRA2_PROCESS_H

#include <stdbool.h>
#include <time.h>

/* Whether all user and group IDs are root's; not the supplementary ones. */
bool process_is_root(void);

/*
 * Opens /dev/null, or where there is none, as in some images that are being
 * built, what can be neither read nor written.  Returns a descriptor, or -1.
 */
int process_open_null(void);

/*
 * Makes a timer that kills this process once it is set and runs out, even if
 * the process is stopped or frozen, or blocks all signals.  Returns 0, or -1
 * with errno.
 */
int process_make_killer(timer_t *timer);
/* Sets it to so many seconds from now. */
int process_kill_after(timer_t timer, time_t seconds);

#endif
