/* SPDX-License-Identifier: BSD-2-Clause */
/* Bytes in hex. */
#include "hex.h"

#include <stdlib.h>
#include <string.h>

#include "tool.h"
#include "wipe.h"

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

int hex_parse(const char *field, const char *hex, uint8_t **bytes, size_t *n)
{
	const size_t digits = strlen(hex);
	size_t i;

	if (digits % 2 != 0)
		return tool_error(TOOL_INPUT, "%s: %zu hex digits are not an "
				  "even number", field, digits);
	*bytes = malloc(digits / 2 + 1);
	if (!*bytes)
		return tool_errno(field);
	for (i = 0; i < digits; i++) {
		const int v = hex_value(hex[i]);

		if (v < 0) {
			lyra2_wipe(*bytes, digits / 2 + 1);
			free(*bytes);
			*bytes = NULL;
			return tool_error(TOOL_INPUT, "%s: character %zu is "
					  "no hex digit", field, i + 1);
		}
		if (i % 2 == 0)
			(*bytes)[i / 2] = (uint8_t)(v << 4);
		else
			(*bytes)[i / 2] |= (uint8_t)v;
	}
	*n = digits / 2;
	return TOOL_YES;
}

void hex_print(FILE *f, const uint8_t *bytes, size_t n)
{
	while (n-- > 0)
		fprintf(f, "%02x", *bytes++);
}
