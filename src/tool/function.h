/* SPDX-License-Identifier: BSD-2-Clause */
/* Which Lyra2 is computed: method and parameters as options. */
#ifndef LYRA2_TOOL_FUNCTION_H
#define LYRA2_TOOL_FUNCTION_H

#include "bounds.h"
#include "lyra2.h"
#include "options.h"

/* What new strings are. */
struct function {
	uint32_t method;	/* enum lyra2_method */
	struct lyra2_params params;
};

/* For tables of options: what a string carries. */
#define FUNCTION_OPTIONS(f) \
	{ "method", "NAME", "lyra2 or bash-lyra2 (lyra2)", \
	  function_set_method, &(f)->method, 0, 0 }, \
	{ "cost", "N", "rows as a power of two, 4...15 (12)", \
	  function_set_cost, &(f)->params.rows, LYRA2_MIN_COST, \
	  LYRA2_MAX_COST }, \
	{ "t-cost", "N", "passes over the memory (2)", options_set_u32, \
	  &(f)->params.t_cost, STRING_MIN_T_COST, UINT32_MAX }, \
	{ "cols", "N", "columns of the matrix (256)", options_set_u32, \
	  &(f)->params.cols, STRING_MIN_COLS, STRING_MAX_COLS }, \
	{ "lanes", "N", "lanes: 1, 2 or 4 (2)", options_set_u32, \
	  &(f)->params.lanes, 1, STRING_MAX_LANES }

int function_set_method(const struct tool_option *option, const char *arg);
int function_set_cost(const struct tool_option *option, const char *arg);

/* Sets the defaults. */
void function_init(struct function *f);

/* lyra2_check_string(): 0, or an exit status after a message. */
int function_check(const struct function *f);

#endif
