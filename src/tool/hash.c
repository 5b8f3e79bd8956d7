/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 hash: a password becomes a string for /etc/shadow. */
#include <string.h>

#include "function.h"
#include "options.h"
#include "password.h"
#include "tool.h"
#include "wipe.h"

/* Report all errors that can be found before asking for the password. */
static int make_setting(const struct function *f, const char *salt,
			char setting[LYRA2_MAX_STRING])
{
	static const char digits[] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"abcdefghijklmnopqrstuvwxyz";
	char *own;
	size_t n;

	if (lyra2_gensalt(f->method, &f->params, NULL, 0, setting,
			  LYRA2_MAX_STRING) < 0)
		return tool_library_error("salt");
	if (!salt)
		return TOOL_YES;
	n = strlen(salt);
	if (n < 8 || n > 64 || strspn(salt, digits) != n)
		return tool_error(TOOL_INPUT, "--salt: %s is not 8...64 "
				  "characters of ./0-9A-Za-z", salt);
	own = strrchr(setting, '$') + 1;
	memcpy(own, salt, n + 1);
	return TOOL_YES;
}

int hash_main(int argc, char **argv)
{
	struct function f;
	const char *salt = NULL;
	const struct tool_option options[] = {
		FUNCTION_OPTIONS(&f),
		{ "salt", "TEXT", "salt of 8...64 characters (22 random ones)",
		  options_set_string, &salt, 0, 0 },
		{ 0 },
	};
	struct arguments args = {
		.usage = "[OPTION...]",
		.text = "Reads a password from the terminal, twice, or a "
			"line of standard input, and\nprints its hash.",
		.options = options,
	};
	char password[LYRA2_MAX_PASSWORD + 1];
	char setting[LYRA2_MAX_STRING], hash[LYRA2_MAX_STRING];
	size_t len = 0;
	int status;

	function_init(&f);
	if (!tool_start(&args, argc, argv))
		return args.status;
	status = function_check(&f);
	if (status == TOOL_YES)
		status = make_setting(&f, salt, setting);
	if (status == TOOL_YES)
		status = password_read(true, password, &len);
	if (status == TOOL_YES &&
	    lyra2_crypt(tool_ctx(), setting, password, len, hash,
			sizeof(hash)) < 0)
		status = tool_library_error("hash");
	if (status == TOOL_YES)
		puts(hash);
	lyra2_wipe(password, sizeof(password));
	return status;
}
