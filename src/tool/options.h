/* SPDX-License-Identifier: BSD-2-Clause */
/* A command's options: a table of them, and what reads the arguments. */
#ifndef LYRA2_TOOL_OPTIONS_H
#define LYRA2_TOOL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tool_option {
	const char *name;
	const char *arg;	/* its name in the help; NULL: a flag */
	const char *help;
	/* Stores the argument; returns an exit status, after a message. */
	int (*set)(const struct tool_option *option, const char *arg);
	void *value;
	uint64_t min, max;	/* range of a number */
};

/* What set may be, with the type that value points to. */
int options_set_flag(const struct tool_option *option,
		     const char *arg);			/* bool */
int options_set_string(const struct tool_option *option,
		       const char *arg);		/* const char * */
int options_set_u32(const struct tool_option *option,
		    const char *arg);			/* uint32_t */

/* A command's arguments: what there may be, and what was given. */
struct arguments {
	const char *usage;	/* what follows "lyra2 COMMAND" */
	const char *text;	/* what --help says of the command */
	const struct tool_option *options;	/* up to one without a name */
	int max;		/* operands at most */
	char **operands;	/* those given, and their number */
	int n;
	int status;		/* to exit with, if options_parse() fails */
};

/*
 * Stores the options and operands of argv.  Returns false for --help, after
 * printing it, and for bad input, after a message.
 */
bool options_parse(struct arguments *a, int argc, char **argv);

/* Reads a decimal number; false if s is none or out of min...max. */
bool options_number(const char *s, uint64_t min, uint64_t max, uint64_t *n);

#endif
