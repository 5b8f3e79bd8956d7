/* SPDX-License-Identifier: BSD-2-Clause */
/* Signals as a new program expects them. */
#ifndef PAM_LYRA2_SIGNALS_H
#define PAM_LYRA2_SIGNALS_H

/*
 * Gives every signal its default action and blocks none.  May be called
 * between fork(2) and execve(2).
 */
void signals_reset(void);

#endif
