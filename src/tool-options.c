/* SPDX-License-Identifier: BSD-2-Clause */
/* Options of the lyra2 tool: tables in, values and messages out. */
#include "tool.h"

#include <getopt.h>
#include <inttypes.h>
#include <string.h>

enum { MAX_OPTIONS = 24, NO_SPONGE = 99 };

static const char *const sponges[] = {
	[LYRA2_BLAKE2B] = "blake2b",
	[LYRA2_BLAMKA] = "blamka",
	[LYRA2_HALF_BLAMKA] = "half-blamka",
};

const char *tool_sponge(uint32_t sponge)
{
	return sponges[sponge];
}

bool tool_number(const char *s, uint64_t min, uint64_t max, uint64_t *n)
{
	uint64_t value = 0;

	if (!*s)
		return false;
	for (; *s; s++) {
		if (*s < '0' || *s > '9' || value > (UINT64_MAX - 9) / 10)
			return false;
		value = value * 10 + (uint64_t)(*s - '0');
	}
	*n = value;
	return value >= min && value <= max;
}

int tool_set_flag(const struct tool_option *option, const char *arg)
{
	(void)arg;
	*(bool *)option->value = true;
	return TOOL_YES;
}

int tool_set_string(const struct tool_option *option, const char *arg)
{
	*(const char **)option->value = arg;
	return TOOL_YES;
}

static int set_number(const struct tool_option *option, const char *arg,
		      uint64_t *n)
{
	if (tool_number(arg, option->min, option->max, n))
		return TOOL_YES;
	return tool_error(TOOL_INPUT, "--%s: %s is not %" PRIu64 "...%" PRIu64,
			  option->name, arg, option->min, option->max);
}

int tool_set_u32(const struct tool_option *option, const char *arg)
{
	uint64_t n;
	const int status = set_number(option, arg, &n);

	if (status == TOOL_YES)
		*(uint32_t *)option->value = (uint32_t)n;
	return status;
}

int tool_set_cost(const struct tool_option *option, const char *arg)
{
	uint64_t n;
	const int status = set_number(option, arg, &n);

	if (status == TOOL_YES)
		*(uint32_t *)option->value = UINT32_C(1) << n;
	return status;
}

bool tool_find_version(const char *name, uint32_t *version)
{
	if (strcmp(name, "2.5") == 0)
		*version = 25;
	else if (strcmp(name, "3") == 0)
		*version = 30;
	else
		return false;
	return true;
}

bool tool_find_sponge(const char *name, uint32_t *sponge)
{
	uint32_t i;

	for (i = 0; i < sizeof(sponges) / sizeof(sponges[0]); i++) {
		if (strcmp(name, sponges[i]) != 0)
			continue;
		*sponge = i;
		return true;
	}
	return false;
}

int tool_set_version(const struct tool_option *option, const char *arg)
{
	if (tool_find_version(arg, option->value))
		return TOOL_YES;
	return tool_error(TOOL_INPUT, "--%s: %s is not 2.5 or 3",
			  option->name, arg);
}

int tool_set_sponge(const struct tool_option *option, const char *arg)
{
	if (tool_find_sponge(arg, option->value))
		return TOOL_YES;
	return tool_error(TOOL_INPUT, "--%s: %s is not blake2b, blamka or "
			  "half-blamka", option->name, arg);
}

void tool_params_init(struct lyra2_params *params)
{
	lyra2_params_init(params);
	params->sponge = NO_SPONGE;
}

int tool_check_params(struct lyra2_params *params)
{
	char why[160];

	if (params->sponge == NO_SPONGE)
		params->sponge = params->version == 25 ? LYRA2_BLAKE2B :
							 LYRA2_BLAMKA;
	if (lyra2_check(params, why, sizeof(why)) < 0)
		return tool_error(TOOL_INPUT, "%s", why);
	return TOOL_YES;
}

static void help(const struct tool_option *options, size_t n,
		 const char *usage, const char *text)
{
	char left[32];
	size_t i;

	printf("Usage: lyra2 %s %s\n%s\n", tool_command, usage, text);
	for (i = 0; i < n; i++) {
		snprintf(left, sizeof(left), "--%s%s%s", options[i].name,
			 options[i].arg ? " " : "",
			 options[i].arg ? options[i].arg : "");
		printf("  %-22s %s\n", left, options[i].help);
	}
	printf("  %-22s %s\n", "--help", "show this");
}

/* -h and, where there is a --file, -f: the only letters. */
static int parse_options(int argc, char **argv,
			 const struct tool_option *options, size_t n,
			 bool *wants_help)
{
	struct option list[MAX_OPTIONS + 2] = { { 0 } };
	size_t i;
	int c, status;

	for (i = 0; i < n && i < MAX_OPTIONS; i++) {
		list[i].name = options[i].name;
		list[i].has_arg = options[i].arg ? required_argument :
						   no_argument;
		list[i].val = (int)i + 256;
	}
	list[i].name = "help";
	list[i].val = 'h';
	/* "+": options end at the first operand; "hf:": short forms */
	while ((c = getopt_long(argc, argv, "+hf:", list, NULL)) != -1) {
		if (c == 'h') {
			*wants_help = true;
			return TOOL_YES;
		}
		for (i = 0; c == 'f' && i < n; i++)
			if (strcmp(options[i].name, "file") == 0)
				c = (int)i + 256;
		if (c == 'f')
			return tool_error(TOOL_INPUT, "-f: no such option");
		if (c < 256)
			return TOOL_INPUT;
		status = options[c - 256].set(&options[c - 256], optarg);
		if (status != TOOL_YES)
			return status;
	}
	return TOOL_YES;
}

int tool_parse(int argc, char **argv, const struct tool_option *options,
	       size_t n, const char *usage, const char *text, int max,
	       char ***operands, int *status)
{
	char name[64];
	bool wants_help = false;

	/* getopt_long() begins its messages with argv[0]. */
	snprintf(name, sizeof(name), "lyra2 %s", tool_command);
	argv[0] = name;
	*status = parse_options(argc, argv, options, n, &wants_help);
	if (wants_help)
		help(options, n, usage, text);
	if (*status != TOOL_YES || wants_help)
		return -1;
	if (argc - optind > max) {
		*status = tool_error(TOOL_INPUT, "%s: unexpected; see "
				     "\"lyra2 %s --help\"",
				     argv[optind + max], tool_command);
		return -1;
	}
	*operands = argv + optind;
	return argc - optind;
}
