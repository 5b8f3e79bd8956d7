/* SPDX-License-Identifier: BSD-2-Clause */
/* Which Lyra2 is computed: its parameters as options, names and output. */
#include "function.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tool.h"

bool function_find_version(const char *name, uint32_t *version)
{
	static const uint32_t versions[] = { 25, 30 };
	size_t i;

	for (i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		if (strcmp(name, lyra2_version_name(versions[i])) != 0)
			continue;
		*version = versions[i];
		return true;
	}
	return false;
}

bool function_find_sponge(const char *name, uint32_t *sponge)
{
	const char *known;
	uint32_t i;

	for (i = LYRA2_BLAKE2B; (known = lyra2_sponge_name(i)); i++) {
		if (strcmp(name, known) != 0)
			continue;
		*sponge = i;
		return true;
	}
	return false;
}

int function_set_version(const struct tool_option *option, const char *arg)
{
	if (function_find_version(arg, option->value))
		return TOOL_YES;
	return tool_error(TOOL_INPUT, "--%s: %s is not 2.5 or 3",
			  option->name, arg);
}

int function_set_sponge(const struct tool_option *option, const char *arg)
{
	if (function_find_sponge(arg, option->value))
		return TOOL_YES;
	return tool_error(TOOL_INPUT, "--%s: %s is not blake2b, blamka or "
			  "half-blamka", option->name, arg);
}

int function_set_outer(const struct tool_option *option, const char *arg)
{
	const char *known;
	uint32_t i;

	for (i = 0; (known = lyra2_outer_name(i)); i++) {
		if (strcmp(arg, known) != 0)
			continue;
		*(uint32_t *)option->value = i;
		return TOOL_YES;
	}
	return tool_error(TOOL_INPUT, "--%s: %s is not bash256 or none",
			  option->name, arg);
}

int function_set_cost(const struct tool_option *option, const char *arg)
{
	struct tool_option log2_rows = *option;
	uint32_t n;
	int status;

	log2_rows.value = &n;
	status = options_set_u32(&log2_rows, arg);
	if (status == TOOL_YES)
		*(uint32_t *)option->value = lyra2_cost_rows(n);
	return status;
}

int function_check(struct lyra2_params *p, function_checker *check)
{
	char why[160];

	lyra2_params_fill(p);
	if (check(p, why, sizeof(why)) < 0)
		return tool_error(TOOL_INPUT, "%s", why);
	return TOOL_YES;
}

void function_name(const struct lyra2_params *p, char name[FUNCTION_NAME])
{
	snprintf(name, FUNCTION_NAME, "%s %s", lyra2_version_name(p->version),
		 lyra2_sponge_name(p->sponge));
}

void function_print_json(const struct lyra2_params *p)
{
	printf("\"version\":\"%s\",\"sponge\":\"%s\",\"rotation\":%" PRIu32
	       ",\"block_words\":%" PRIu32 ",\"rho\":%" PRIu32
	       ",\"t_cost\":%" PRIu32 ",\"rows\":%" PRIu32 ",\"cols\":%" PRIu32
	       ",\"lanes\":%" PRIu32 ",\"outer\":\"%s\",\"memory\":%" PRIu64,
	       lyra2_version_name(p->version), lyra2_sponge_name(p->sponge),
	       p->rotation, p->block_words, p->rho, p->t_cost, p->rows,
	       p->cols, p->lanes, lyra2_outer_name(p->outer),
	       lyra2_memory(p));
}
