/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The parameters that all settings share: version 3 with BlaMka, blocks of 12
 * words, one round.  In liblyra2, the argument k of any_NAME() selects among
 * more parameters.  Here, each any_NAME() has only one choice.
 */
#ifndef ALG_LYRA2_SHAPE_H
#define ALG_LYRA2_SHAPE_H

#include <stdbool.h>

#include "alg-lyra2-lanes.h"
#include "alg-lyra2-word.h"

struct shape {
	bool calls;		/* calls the permutation: short, not fast */
};

#define CHOSEN(k, choice) ((void)(k), (choice))

#define any_modulus(k, cols) CHOSEN(k, modulus(cols))
#define any_mix(k, x, y, low, n) CHOSEN(k, rows_mix(x, y, low, n))
#define any_mix_late(k, x, y, n) CHOSEN(k, rows_mix_late(x, y, n))
#define any_word_mix(k, x, y) CHOSEN(k, word_mix(x, y))
#define any_permute(k, s, n, rounds) permute(k, s, n, rounds)
#define any_permute_ahead(k, s, n, cols, next) \
	permute_ahead(k, s, n, cols, next)
#define any_rounds(k) CHOSEN(k, UINT32_C(12))
#define any_rho(k) CHOSEN(k, UINT32_C(1))

#define any_row_words(k, cols) CHOSEN(k, row_words(cols))
#define any_place_at(k, first, offset) CHOSEN(k, place_at(first, offset))
#define any_block_load(k, p) CHOSEN(k, block_load(p))
#define any_block_store(k, p, x) CHOSEN(k, block_store(p, x))
#define any_block_xor_to(k, p, x) CHOSEN(k, block_xor_to(p, x))
#define any_block_rotate(k, x) CHOSEN(k, block_rotate(x))
#define any_rate(k, x) CHOSEN(k, x)
#define any_lsw(k, s, i) CHOSEN(k, lsw(s, i))
#define any_next_columns(k, s, lane, cols) \
	CHOSEN(k, next_columns(s, lane, cols))
#define any_looks_ahead(k, n) CHOSEN(k, looks_ahead(n))

/* Of 2 or 4 lanes none is left over; a single lane wanders without this. */
#define any_together(k, wandering, lanes, left) \
	CHOSEN(k, (wandering) || (lanes) > 1 ? CORE_LANES : 1)

/* Where versions differ: what version 3 does */
#define any_early_row1(k, row0) CHOSEN(k, NULL)
#define any_step(k, sqrt, wnd) CHOSEN(k, sqrt)
#define any_keep_last(k, last, col0) ((void)(k))
#define any_last(k, last) CHOSEN(k, (size_t)0)

#endif
