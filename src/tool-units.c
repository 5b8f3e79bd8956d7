/* SPDX-License-Identifier: BSD-2-Clause */
/* Options of the lyra2 tool that have a unit: sizes and times. */
#include "tool.h"

#include <inttypes.h>
#include <string.h>

struct unit {
	const char *suffix;
	uint64_t factor;
};

/* Reads "64M" or "100ms": digits and one of n units. */
static bool number_with_unit(const char *s, const struct unit *units,
			     size_t n, uint64_t *value)
{
	const size_t digits = strspn(s, "0123456789");
	char number[20];
	size_t i;

	if (digits == 0 || digits >= sizeof(number))
		return false;
	memcpy(number, s, digits);
	number[digits] = '\0';
	for (i = 0; i < n; i++)
		if (strcmp(s + digits, units[i].suffix) == 0)
			break;
	if (i == n ||
	    !tool_number(number, 0, UINT64_MAX / units[i].factor, value))
		return false;
	*value *= units[i].factor;
	return true;
}

int tool_set_size(const struct tool_option *option, const char *arg)
{
	static const struct unit units[] = {
		{ "", 1 }, { "K", 1 << 10 }, { "M", 1 << 20 },
		{ "G", 1 << 30 },
	};
	uint64_t n;

	if (!number_with_unit(arg, units, 4, &n) || n < option->min ||
	    n > option->max)
		return tool_error(TOOL_INPUT, "--%s: %s is not %" PRIu64
				  "M...%" PRIu64 "M, a number with K, M or G",
				  option->name, arg, option->min >> 20,
				  option->max >> 20);
	*(uint64_t *)option->value = n;
	return TOOL_YES;
}

int tool_set_milliseconds(const struct tool_option *option, const char *arg)
{
	static const struct unit units[] = { { "ms", 1 }, { "s", 1000 } };
	uint64_t n;

	if (!number_with_unit(arg, units, 2, &n) || n < option->min ||
	    n > option->max)
		return tool_error(TOOL_INPUT, "--%s: %s is not %" PRIu64
				  "ms...%" PRIu64 "ms, a number with ms or s",
				  option->name, arg, option->min, option->max);
	*(uint32_t *)option->value = (uint32_t)n;
	return TOOL_YES;
}
