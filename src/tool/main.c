/* SPDX-License-Identifier: BSD-2-Clause */
/* The lyra2 tool: finds the command; each has a file of its own. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "options.h"
#include "tool.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} commands[] = {
	{ "hash", hash_main, "hash a password" },
	{ "verify", verify_main, "check a password against a hash" },
	{ "selftest", selftest_main, "compute test vectors" },
	{ "kernels", kernels_main, "list the implementations for this CPU" },
#ifdef LYRA2_AUDIT	/* shares code with the PAM module */
	{ "audit", audit_main, "say who can log in, and what logins change in "
	  "/etc/shadow" },
#endif
	{ "calibrate", calibrate_main, "find the highest cost for this "
	  "machine" },
};

enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static void help(void)
{
	size_t i;

	puts("Usage: lyra2 COMMAND [OPTION...]\n"
	     "Password hashing with Lyra2.  Commands:");
	for (i = 0; i < COMMANDS; i++)
		printf("  %-10s %s\n", commands[i].name, commands[i].help);
	puts("\n\"lyra2 help COMMAND\" lists its options; the manual is "
	     "lyra2(1).");
}

bool tool_start(struct arguments *args, int argc, char **argv)
{
	if (!options_parse(args, argc, argv))
		return false;
	args->status = tool_use_kernel();
	return args->status == TOOL_YES;
}

/* Fails if the output could not be written. */
static int finish(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	return tool_error(TOOL_SYSTEM, "standard output: %s", strerror(errno));
}

/* Whether name is one of these words for the same */
static bool means(const char *name, const char *command, const char *option,
		  const char *letter)
{
	return strcmp(name, command) == 0 || strcmp(name, option) == 0 ||
	       strcmp(name, letter) == 0;
}

static int run_command(int argc, char **argv)
{
	const char *name = argc > 0 ? argv[0] : "";
	size_t i;

	for (i = 0; i < COMMANDS; i++) {
		if (strcmp(name, commands[i].name) != 0)
			continue;
		tool_command = name;
		return commands[i].run(argc, argv);
	}
	if (!*name)
		return tool_error(TOOL_INPUT, "no command given; see "
				  "\"lyra2 --help\"");
	return tool_error(TOOL_INPUT, "%s: no such command; see "
			  "\"lyra2 --help\"", name);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	char option[] = "--help";

	if (means(name, "version", "--version", "-V")) {
		puts("lyra2 " PACKAGE_VERSION);
		return finish(TOOL_YES);
	}
	if (!means(name, "help", "--help", "-h"))
		return finish(run_command(argc - 1, argv + 1));
	if (argc == 2) {
		help();
		return finish(TOOL_YES);
	}
	return finish(run_command(2, (char *[]){ argv[2], option, NULL }));
}
