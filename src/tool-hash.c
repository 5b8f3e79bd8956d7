/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 hash: a password becomes a string for /etc/shadow. */
#include "tool.h"
#include "wipe.h"

#include <inttypes.h>
#include <stdlib.h>

static void print(const struct lyra2_params *p, const char *hash, bool json)
{
	if (!json) {
		puts(hash);
		return;
	}
	printf("{\"hash\":\"%s\",\"version\":\"%s\",\"sponge\":\"%s\","
	       "\"rotation\":%" PRIu32 ",\"t_cost\":%" PRIu32
	       ",\"rows\":%" PRIu32 ",\"cols\":%" PRIu32 ",\"lanes\":%" PRIu32
	       ",\"memory\":%" PRIu64 ",\"kernel\":\"%s\"}\n", hash,
	       p->version == 25 ? "2.5" : "3", tool_sponge(p->sponge),
	       p->rotation, p->t_cost, p->rows, p->cols, p->lanes,
	       lyra2_memory(p), lyra2_kernel());
}

/* Everything that can be refused is, before the password is asked for. */
static int make_setting(const struct lyra2_params *params,
			const char *salt_hex, char *setting)
{
	uint8_t *salt = NULL;
	size_t saltlen = 0;
	char why[160];
	int status = TOOL_YES;

	if (salt_hex)
		status = tool_hex("--salt-hex", salt_hex, &salt, &saltlen);
	if (status != TOOL_YES)
		return status;
	if (salt && (saltlen < 8 || saltlen > 64))
		status = tool_error(TOOL_INPUT, "--salt-hex: %zu bytes are not "
				    "8...64", saltlen);
	else if (lyra2_check_string(params, why, sizeof(why)) < 0)
		status = tool_error(TOOL_INPUT, "%s", why);
	else if (lyra2_gensalt(params, salt, saltlen, setting,
			       LYRA2_MAX_STRING) < 0)
		status = tool_errno("salt");
	free(salt);
	return status;
}

int tool_hash(int argc, char **argv)
{
	struct lyra2_params p;
	const char *salt_hex = NULL;
	bool json = false;
	const struct tool_option options[] = {
		TOOL_COST_OPTION(&p),
		TOOL_STRING_OPTIONS(&p),
		{ "salt-hex", "HEX", "salt of 8...64 bytes (16 random ones)",
		  tool_set_string, &salt_hex, 0, 0 },
		{ "json", NULL, "print an object with the parameters",
		  tool_set_flag, &json, 0, 0 },
	};
	char password[LYRA2_MAX_PASSWORD + 1];
	char setting[LYRA2_MAX_STRING], hash[LYRA2_MAX_STRING];
	char **operands;
	size_t len = 0;
	int status;

	tool_params_init(&p);
	if (tool_parse(argc, argv, options, sizeof(options) /
		       sizeof(options[0]), "[OPTION...]", "Reads a password "
		       "from the terminal, twice, or a line of standard input, "
		       "and\nprints its hash.", 0, &operands, &status) < 0)
		return status;
	if (!tool_kernel())
		return TOOL_INPUT;
	status = tool_check_params(&p);
	if (status == TOOL_YES)
		status = make_setting(&p, salt_hex, setting);
	if (status == TOOL_YES)
		status = tool_password(true, password, &len);
	if (status == TOOL_YES && lyra2_crypt(NULL, setting, password, len,
					      hash, sizeof(hash)) < 0)
		status = tool_errno("hash");
	if (status == TOOL_YES)
		print(&p, hash, json);
	lyra2_wipe(password, sizeof(password));
	return status;
}
