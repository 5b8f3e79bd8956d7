/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For libFuzzer: it is safe to read any bytes as a string.  An accepted string
 * has the spelling that the library writes, and no password fits by chance.
 */
#include "encode.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Cheap enough to be computed for every input */
static int cheap(const struct lyra2_params *p)
{
	return lyra2_memory(p) <= 1 << 16 && p->t_cost <= 4;
}

static void check_string(const char *string)
{
	struct lyra2_reason why = { 0 };
	char again[LYRA2_MAX_STRING], out[LYRA2_MAX_STRING];
	struct lyra2_string s;

	if (string_decode(string, &s, &why) < 0) {
		if (why.text[0] == '\0')
			abort();
		return;
	}
	if (string_encode(&s, again, sizeof(again)) < 0 ||
	    strlen(again) != s.settinglen ||
	    strncmp(string, again, s.settinglen) != 0)
		abort();
	if (!cheap(&s.params))
		return;
	if (lyra2_crypt(NULL, string, "password", 8, out, sizeof(out)) < 0 ||
	    strncmp(string, out, s.settinglen) != 0 ||
	    lyra2_verify(NULL, out, "password", 8) != 0 ||
	    lyra2_verify(NULL, string, "Password", 8) == 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *string = malloc(size + 1);

	if (!string)
		return 0;
	memcpy(string, data, size);
	string[size] = '\0';
	check_string(string);
	free(string);
	return 0;
}
