/* SPDX-License-Identifier: BSD-2-Clause */
/* Options of the lyra2 tool: tables in, values and messages out. */
#include "options.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tool.h"

enum { MAX_OPTIONS = 32 };

bool options_number(const char *s, uint64_t min, uint64_t max, uint64_t *n)
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

int options_set_flag(const struct tool_option *option, const char *arg)
{
	(void)arg;
	*(bool *)option->value = true;
	return TOOL_YES;
}

int options_set_string(const struct tool_option *option, const char *arg)
{
	*(const char **)option->value = arg;
	return TOOL_YES;
}

int options_set_u32(const struct tool_option *option, const char *arg)
{
	uint64_t n;

	if (!options_number(arg, option->min, option->max, &n))
		return tool_error(TOOL_INPUT, "--%s: %s is not %" PRIu64
				  "...%" PRIu64, option->name, arg,
				  option->min, option->max);
	*(uint32_t *)option->value = (uint32_t)n;
	return TOOL_YES;
}

static void help(const struct arguments *a)
{
	const struct tool_option *o;
	char left[32];

	printf("Usage: lyra2 %s %s\n%s\n", tool_command, a->usage, a->text);
	for (o = a->options; o->name; o++) {
		snprintf(left, sizeof(left), "--%s%s%s", o->name,
			 o->arg ? " " : "", o->arg ? o->arg : "");
		printf("  %-22s %s\n", left, o->help);
	}
	printf("  %-22s %s\n", "--help", "show this");
}

/* The table for getopt_long(), which returns FIRST + i for option i. */
enum { FIRST = 256 };

static void make_list(const struct tool_option *options,
		      struct option list[MAX_OPTIONS + 2])
{
	size_t i;

	for (i = 0; i < MAX_OPTIONS && options[i].name; i++) {
		list[i].name = options[i].name;
		list[i].has_arg = options[i].arg ? required_argument :
						   no_argument;
		list[i].val = (int)i + FIRST;
	}
	list[i].name = "help";
	list[i].val = 'h';
}

/* -f is short for --file, where there is one. */
static int find_file(const struct tool_option *options)
{
	int i;

	for (i = 0; options[i].name; i++)
		if (strcmp(options[i].name, "file") == 0)
			return FIRST + i;
	tool_error(TOOL_INPUT, "-f: no such option");
	return '?';
}

static int parse_options(const struct arguments *a, int argc, char **argv,
			 bool *wants_help)
{
	struct option list[MAX_OPTIONS + 2] = { { 0 } };
	const struct tool_option *o;
	int c, status;

	make_list(a->options, list);
	/* "+": options end at the first operand; "hf:": short forms */
	while ((c = getopt_long(argc, argv, "+hf:", list, NULL)) != -1) {
		if (c == 'h') {
			*wants_help = true;
			return TOOL_YES;
		}
		if (c == 'f')
			c = find_file(a->options);
		if (c < FIRST)
			return tool_error(TOOL_INPUT, "see \"lyra2 %s --help\"",
					  tool_command);
		o = &a->options[c - FIRST];
		status = o->set(o, optarg);
		if (status != TOOL_YES)
			return status;
	}
	return TOOL_YES;
}

bool options_parse(struct arguments *a, int argc, char **argv)
{
	char name[64];
	bool wants_help = false;

	/* getopt_long() begins its messages with argv[0]. */
	snprintf(name, sizeof(name), "lyra2 %s", tool_command);
	argv[0] = name;
	a->status = parse_options(a, argc, argv, &wants_help);
	if (wants_help)
		help(a);
	if (a->status != TOOL_YES || wants_help)
		return false;
	a->operands = argv + optind;
	a->n = argc - optind;
	if (a->n <= a->max)
		return true;
	a->status = tool_error(TOOL_INPUT, "%s: unexpected; see \"lyra2 %s "
			       "--help\"", a->operands[a->max], tool_command);
	return false;
}
