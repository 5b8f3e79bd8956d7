/* SPDX-License-Identifier: BSD-2-Clause */
/* A bar on standard error, if that is a terminal. */
#ifndef LYRA2_TOOL_PROGRESS_H
#define LYRA2_TOOL_PROGRESS_H

#include <stdint.h>

/* Begins work of total steps; shown once it has taken a second. */
void progress_begin(const char *label, uint64_t total);
void progress_step(void);
/* Removes the bar. */
void progress_end(void);

#endif
