/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Limits how many passwords slapd hashes at the same time.
 *
 * slapd serves each bind in a thread of its own.  Without a limit, a burst of
 * binds would take the memory of as many hashes as slapd has threads.
 */
#ifndef PW_LYRA2_SLOTS_H
#define PW_LYRA2_SLOTS_H

#include <lyra2.h>
#include <stdint.h>

/* Makes count slots, for 0 one per CPU.  Returns 0, or -1 with errno. */
int slots_make(uint32_t count);

/*
 * Takes a free slot, or waits that many seconds for one: who came first gets
 * it first.  Returns its context, or NULL if none was free in that time.
 */
struct lyra2_ctx *slots_take(unsigned int seconds);

/* Gives back the slot of that context. */
void slots_give(struct lyra2_ctx *ctx);

/* Frees what slots_make() made.  No slot may be in use. */
void slots_free(void);

#endif
