/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 hash: a password becomes a string for /etc/shadow. */
#include <string.h>

#include "function.h"
#include "options.h"
#include "password.h"
#include "tool.h"
#include "wipe.h"

static void print(const struct lyra2_params *p, const char *hash, bool json)
{
	if (!json) {
		puts(hash);
		return;
	}
	printf("{\"hash\":\"%s\",", hash);
	function_print_json(p);
	printf(",\"kernel\":\"%s\"}\n", tool_kernel_for(p, NULL));
}

/* Report all errors that can be found before asking for the password. */
static int make_setting(const struct lyra2_params *params,
			const char *salt, char setting[LYRA2_MAX_STRING])
{
	struct lyra2_params parsed;
	char *own;

	if (lyra2_gensalt(params, NULL, 0, setting, LYRA2_MAX_STRING) < 0)
		return tool_library_error("salt");
	if (!salt)
		return TOOL_YES;
	own = strrchr(setting, '$') + 1;
	snprintf(own, LYRA2_MAX_STRING - (size_t)(own - setting), "%s", salt);
	if (strchr(salt, '$') || lyra2_parse(setting, &parsed, NULL, 0) < 0)
		return tool_error(TOOL_INPUT, "--salt: %s is not 8...64 "
				  "characters of ./0-9A-Za-z", salt);
	return TOOL_YES;
}

int hash_main(int argc, char **argv)
{
	struct lyra2_params p;
	const char *salt = NULL;
	bool json = false;
	const struct tool_option options[] = {
		FUNCTION_COST_OPTION(&p),
		FUNCTION_STRING_OPTIONS(&p, FUNCTION_SPONGES),
		FUNCTION_OUTER_OPTION(&p),
		{ "salt", "TEXT", "salt of 8...64 characters (22 random ones)",
		  options_set_string, &salt, 0, 0 },
		{ "json", NULL, "print an object with the parameters",
		  options_set_flag, &json, 0, 0 },
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

	lyra2_params_init(&p);
	if (!tool_start(&args, argc, argv))
		return args.status;
	status = function_check(&p, lyra2_check_string);
	if (status == TOOL_YES)
		status = make_setting(&p, salt, setting);
	if (status == TOOL_YES)
		status = password_read(true, password, &len);
	if (status == TOOL_YES &&
	    lyra2_crypt(tool_ctx(), setting, password, len, hash,
			sizeof(hash)) < 0)
		status = tool_library_error("hash");
	if (status == TOOL_YES)
		print(&p, hash, json);
	lyra2_wipe(password, sizeof(password));
	return status;
}
