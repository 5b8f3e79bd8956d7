/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 kdf: the raw function, with everything that can be set. */
#include "tool.h"
#include "wipe.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void print(const struct lyra2_params *p, const uint8_t *key,
		  size_t len, bool json)
{
	if (json)
		printf("{\"version\":\"%s\",\"sponge\":\"%s\",\"rotation\":%"
		       PRIu32 ",\"block_words\":%" PRIu32 ",\"rho\":%" PRIu32
		       ",\"lanes\":%" PRIu32 ",\"t_cost\":%" PRIu32
		       ",\"rows\":%" PRIu32 ",\"cols\":%" PRIu32
		       ",\"memory\":%" PRIu64 ",\"key\":\"",
		       p->version == 25 ? "2.5" : "3", tool_sponge(p->sponge),
		       p->rotation, p->block_words, p->rho, p->lanes,
		       p->t_cost, p->rows, p->cols, lyra2_memory(p));
	tool_put_hex(stdout, key, len);
	puts(json ? "\"}" : "");
}

struct input {
	const char *password_hex, *salt_hex;
	uint8_t *password, *salt;
	size_t passwordlen, saltlen;
	uint32_t length;
};

static int read_input(struct input *in)
{
	char line[LYRA2_MAX_PASSWORD + 1];
	int status = TOOL_YES;

	if (in->salt_hex)
		status = tool_hex("--salt-hex", in->salt_hex, &in->salt,
				  &in->saltlen);
	if (status != TOOL_YES)
		return status;
	if (in->password_hex)
		return tool_hex("--password-hex", in->password_hex,
				&in->password, &in->passwordlen);
	status = tool_password(false, line, &in->passwordlen);
	if (status == TOOL_YES) {
		in->password = malloc(sizeof(line));
		if (in->password)
			memcpy(in->password, line, sizeof(line));
		else
			status = tool_errno("password");
	}
	lyra2_wipe(line, sizeof(line));
	return status;
}

static int derive(const struct lyra2_params *p, const struct input *in,
		  bool json)
{
	uint8_t *key = malloc(in->length);
	int status = TOOL_YES;

	if (!key)
		return tool_errno("--length");
	if (lyra2_kdf(NULL, p, in->password, in->passwordlen, in->salt,
		      in->saltlen, key, in->length) < 0)
		status = tool_errno("kdf");
	else
		print(p, key, in->length, json);
	lyra2_wipe(key, in->length);
	free(key);
	return status;
}

int tool_kdf(int argc, char **argv)
{
	struct input in = { .length = 32 };
	struct lyra2_params p;
	bool json = false;
	const struct tool_option options[] = {
		TOOL_STRING_OPTIONS(&p),
		TOOL_KDF_OPTIONS(&p),
		{ "length", "N", "bytes of key (32)", tool_set_u32, &in.length,
		  1, UINT32_MAX },
		{ "password-hex", "HEX", "for test vectors only: others see "
		  "it", tool_set_string, &in.password_hex, 0, 0 },
		{ "salt-hex", "HEX", "salt (empty)", tool_set_string,
		  &in.salt_hex, 0, 0 },
		{ "json", NULL, "print an object with the parameters",
		  tool_set_flag, &json, 0, 0 },
	};
	char **operands;
	int status;

	tool_params_init(&p);
	if (tool_parse(argc, argv, options, sizeof(options) /
		       sizeof(options[0]), "[OPTION...]", "Reads a password "
		       "from the terminal or a line of standard input and "
		       "prints the key\nin hex.", 0, &operands, &status) < 0)
		return status;
	if (!tool_kernel())
		return TOOL_INPUT;
	status = tool_check_params(&p);
	if (status == TOOL_YES)
		status = read_input(&in);
	if (status == TOOL_YES)
		status = derive(&p, &in, json);
	if (in.password)
		lyra2_wipe(in.password, in.passwordlen);
	free(in.password);
	free(in.salt);
	return status;
}
