/* SPDX-License-Identifier: BSD-2-Clause */
/* Which Lyra2 is computed: its parameters as options, names and output. */
#ifndef LYRA2_TOOL_FUNCTION_H
#define LYRA2_TOOL_FUNCTION_H

#include <stdbool.h>
#include <stddef.h>

#include "lyra2.h"
#include "options.h"

enum { FUNCTION_NAME = 24 };

/* For tables of options: the parameters that a string carries. */
#define FUNCTION_SPONGES "blamka or blake2b (blamka; blake2b for 2.5)"
#define FUNCTION_STRING_OPTIONS(p, sponges) \
	{ "version", "2.5|3", "version of Lyra2 (3)", function_set_version, \
	  &(p)->version, 0, 0 }, \
	{ "sponge", "NAME", sponges, function_set_sponge, &(p)->sponge, 0, \
	  0 }, \
	{ "t-cost", "N", "passes over the memory (2)", options_set_u32, \
	  &(p)->t_cost, 1, UINT32_MAX }, \
	{ "rows", "N", "rows of the matrix (4096)", options_set_u32, \
	  &(p)->rows, 3, UINT32_MAX }, \
	{ "cols", "N", "columns of the matrix (256)", options_set_u32, \
	  &(p)->cols, 1, UINT32_MAX }, \
	{ "lanes", "N", "lanes (4; 1 for 2.5)", options_set_u32, \
	  &(p)->lanes, 1, UINT32_MAX / 3 }
#define FUNCTION_COST_OPTION(p) \
	{ "cost", "N", "rows as a power of two, 4...15 (12)", \
	  function_set_cost, &(p)->rows, LYRA2_MIN_COST, LYRA2_MAX_COST }
#define FUNCTION_OUTER_OPTION(p) \
	{ "outer", "NAME", "hash around it: bash256 or none (none)", \
	  function_set_outer, &(p)->outer, 0, 0 }
/* And those that only lyra2_kdf() has. */
#define FUNCTION_KDF_SPONGES "blamka, blake2b or half-blamka"
#define FUNCTION_KDF_OPTIONS(p) \
	{ "rotation", "BITS", "128 or 256 (128)", options_set_u32, \
	  &(p)->rotation, 128, 256 }, \
	{ "block-words", "N", "words in a block: 8, 10 or 12 (12)", \
	  options_set_u32, &(p)->block_words, 8, 12 }, \
	{ "rho", "N", "rounds of the reduced sponge (1)", options_set_u32, \
	  &(p)->rho, 1, 24 }

int function_set_version(const struct tool_option *option, const char *arg);
int function_set_sponge(const struct tool_option *option, const char *arg);
int function_set_outer(const struct tool_option *option, const char *arg);
int function_set_cost(const struct tool_option *option, const char *arg);

/* What a name means; false if nothing. */
bool function_find_sponge(const char *name, uint32_t *sponge);
bool function_find_version(const char *name, uint32_t *version);

/* lyra2_check(), or lyra2_check_string() where a string is to hold them. */
typedef int function_checker(const struct lyra2_params *params, char *why,
			     size_t whysize);

/* lyra2_params_fill() and the check: 0, or an exit status after a message. */
int function_check(struct lyra2_params *params, function_checker *check);

/* Writes "3 blamka". */
void function_name(const struct lyra2_params *params,
		   char name[FUNCTION_NAME]);

/* Prints the parameters and the memory as fields of a JSON object. */
void function_print_json(const struct lyra2_params *params);

#endif
