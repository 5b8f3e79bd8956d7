/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 kdf: the raw function, with everything that can be set. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "function.h"
#include "hex.h"
#include "options.h"
#include "password.h"
#include "tool.h"
#include "wipe.h"

static void print(const struct lyra2_params *p, const uint8_t *key,
		  size_t len, bool json)
{
	if (json) {
		putchar('{');
		function_print_json(p);
		printf(",\"key\":\"");
	}
	hex_print(stdout, key, len);
	puts(json ? "\"}" : "");
}

struct input {
	const char *password_file, *password_hex, *salt_hex;
	uint8_t *password, *salt;
	size_t passwordlen, saltlen;
	uint32_t length;
};

static int read_input(struct input *in)
{
	char line[LYRA2_MAX_PASSWORD + 1];
	int status = TOOL_YES;

	if (in->salt_hex)
		status = hex_parse("--salt-hex", in->salt_hex, &in->salt,
				  &in->saltlen);
	if (status != TOOL_YES)
		return status;
	if (in->password_file)
		return password_file(in->password_file, &in->password,
				     &in->passwordlen);
	if (in->password_hex)
		return hex_parse("--password-hex", in->password_hex,
				&in->password, &in->passwordlen);
	status = password_read(false, line, &in->passwordlen);
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
	if (lyra2_kdf(tool_ctx(), p, in->password, in->passwordlen, in->salt,
		      in->saltlen, key, in->length) < 0)
		status = tool_library_error("kdf");
	else
		print(p, key, in->length, json);
	lyra2_wipe(key, in->length);
	free(key);
	return status;
}

int kdf_main(int argc, char **argv)
{
	struct input in = { .length = 32 };
	struct lyra2_params p;
	bool json = false;
	const struct tool_option options[] = {
		FUNCTION_STRING_OPTIONS(&p, FUNCTION_KDF_SPONGES),
		FUNCTION_KDF_OPTIONS(&p),
		{ "length", "N", "bytes of key (32)", options_set_u32,
		  &in.length, 1, UINT32_MAX },
		{ "password-file", "FILE", "the password is every byte of it",
		  options_set_string, &in.password_file, 0, 0 },
		{ "password-hex", "HEX", "for test vectors only: others see "
		  "it", options_set_string, &in.password_hex, 0, 0 },
		{ "salt-hex", "HEX", "salt (empty)", options_set_string,
		  &in.salt_hex, 0, 0 },
		{ "json", NULL, "print an object with the parameters",
		  options_set_flag, &json, 0, 0 },
		{ 0 },
	};
	struct arguments args = {
		.usage = "[OPTION...]",
		.text = "Reads a password from the terminal or a line of "
			"standard input and prints the\nkey in hex.",
		.options = options,
	};
	int status;

	lyra2_params_init(&p);
	if (!tool_start(&args, argc, argv))
		return args.status;
	if (in.password_file && in.password_hex)
		return tool_error(TOOL_INPUT, "--password-file and "
				  "--password-hex: give only one");
	status = function_check(&p, lyra2_check);
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
