/* SPDX-License-Identifier: BSD-2-Clause */
/* Does lyra2d answer? */
#ifndef LYRA2_TOOL_ASK_LYRA2D_H
#define LYRA2_TOOL_ASK_LYRA2D_H

/*
 * Connects to lyra2d and waits for its hello, for 2 s at most.  Returns NULL if
 * it came, else why not.
 */
const char *ask_lyra2d(void);

#endif
