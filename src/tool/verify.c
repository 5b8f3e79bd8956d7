/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 verify: does a password belong to a string, and is that up to date? */
#include <errno.h>
#include <string.h>

#include "function.h"
#include "options.h"
#include "password.h"
#include "tool.h"
#include "wipe.h"

static int set_string(char string[LYRA2_MAX_STRING], const char *from,
		      size_t len)
{
	if (len >= LYRA2_MAX_STRING)
		return tool_error(TOOL_INPUT, "string: longer than %d "
				  "characters", LYRA2_MAX_STRING - 1);
	memcpy(string, from, len);
	string[len] = '\0';
	if (strlen(string) < len)
		return tool_error(TOOL_INPUT, "string: contains a NUL byte");
	return TOOL_YES;
}

/* The first line of a file, which holds the string. */
static int read_string(const char *file, char string[LYRA2_MAX_STRING])
{
	FILE *f = fopen(file, "re");
	char line[LYRA2_MAX_STRING + 1];
	const char *end;
	size_t n;
	int status;

	if (!f)
		return tool_errno(file);
	n = fread(line, 1, sizeof(line), f);
	end = memchr(line, '\n', n);
	if (ferror(f))
		status = tool_errno(file);
	else if (n == 0)
		status = tool_error(TOOL_INPUT, "%s: empty", file);
	else
		status = set_string(string, line, end ? (size_t)(end - line) :
				    n);
	fclose(f);
	return status;
}

static int check(const char *string, const char *password, size_t len)
{
	if (lyra2_verify(tool_ctx(), string, password, len) == 0)
		return TOOL_YES;
	return errno == EACCES ? TOOL_NO : tool_library_error("string");
}

/*
 * Recognises other strings, and what a shell leaves of a Lyra2 string in
 * "quotes".
 */
static int cannot_parse(const char *string, bool typed, const char *why)
{
	const char *hint = "";

	if (typed && *string != '$')
		hint = "; the shell takes $... away: put STRING in 'single "
			"quotes'";
	else if (*string == '$' && !strstr(string, "lyra2$"))
		hint = "; crypt(3) may verify it, as login does";
	return tool_error(TOOL_INPUT, "%s%s", why, hint);
}

/* The operand or a file's first line: either has to be given. */
static int get_string(const struct arguments *args, const char *file,
		      char string[LYRA2_MAX_STRING])
{
	if ((args->n == 1) == (file != NULL))
		return tool_error(TOOL_INPUT, "give either STRING or -f FILE");
	if (file)
		return read_string(file, string);
	return set_string(string, args->operands[0],
			  strlen(args->operands[0]));
}

int verify_main(int argc, char **argv)
{
	struct function wanted;
	struct lyra2_reason why;
	const char *file = NULL;
	const struct tool_option options[] = {
		{ "file", "FILE", "read STRING from a file's first line (-f)",
		  options_set_string, &file, 0, 0 },
		FUNCTION_OPTIONS(&wanted),
		{ 0 },
	};
	struct arguments args = {
		.usage = "[OPTION...] STRING | -f FILE",
		.text = "Reads a password from the terminal or a line of "
			"standard input: exit status 0 if\nit belongs to "
			"STRING, 1 if not.  \"needs rehash: yes\" means that "
			"it is\nweaker than what the options say.",
		.options = options,
		.max = 1,
	};
	char password[LYRA2_MAX_PASSWORD + 1], string[LYRA2_MAX_STRING] = "";
	size_t len = 0;
	int status;

	function_init(&wanted);
	if (!tool_start(&args, argc, argv))
		return args.status;
	status = get_string(&args, file, string);
	if (status == TOOL_YES)
		status = function_check(&wanted);
	if (status == TOOL_YES && lyra2_parse(string, NULL, NULL, &why) < 0)
		status = cannot_parse(string, !file, why.text);
	if (status == TOOL_YES)
		status = password_read(false, password, &len);
	if (status == TOOL_YES)
		status = check(string, password, len);
	if (status == TOOL_YES || status == TOOL_NO)
		printf("verified: %s\nneeds rehash: %s\n",
		       status == TOOL_YES ? "yes" : "no",
		       lyra2_needs_rehash(string, wanted.method,
					  &wanted.params) < 0 ? "yes" : "no");
	lyra2_wipe(password, sizeof(password));
	return status;
}
