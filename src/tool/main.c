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
	{ "hash", hash_main, "make a string for /etc/shadow of a password" },
	{ "verify", verify_main, "check a password against a string" },
	{ "selftest", selftest_main, "check known answers on the kernels" },
	{ "kernels", kernels_main, "list the kernels and the one chosen" },
#ifdef LYRA2_AUDIT	/* shares code with the PAM module */
	{ "audit", audit_main, "foretell what logins do with the hashes in "
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
	puts("\n\"lyra2 COMMAND --help\" lists a command's options; the manual "
	     "is lyra2(1).");
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

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	size_t i;

	for (i = 0; i < COMMANDS; i++) {
		if (strcmp(name, commands[i].name) != 0)
			continue;
		tool_command = name;
		return finish(commands[i].run(argc - 1, argv + 1));
	}
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
		help();
		return finish(TOOL_YES);
	}
	if (strcmp(name, "--version") == 0) {
		puts("lyra2 " PACKAGE_VERSION);
		return finish(TOOL_YES);
	}
	if (!*name)
		return tool_error(TOOL_INPUT, "no command given; see "
				  "\"lyra2 --help\"");
	return tool_error(TOOL_INPUT, "%s: no such command; see "
			  "\"lyra2 --help\"", name);
}
