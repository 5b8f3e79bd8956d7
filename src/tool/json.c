/* SPDX-License-Identifier: BSD-2-Clause */
/* Text in JSON: RFC 8259, where it is UTF-8, which names need not be. */
#include "json.h"

#include <stdio.h>

void json_text(const char *s)
{
	putchar('"');
	for (; *s; s++) {
		const unsigned char c = (unsigned char)*s;

		if (c < ' ' || c > 126)
			printf("\\u%04x", c);
		else if (c == '"' || c == '\\')
			printf("\\%c", c);
		else
			putchar(c);
	}
	putchar('"');
}
