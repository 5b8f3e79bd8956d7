/* SPDX-License-Identifier: BSD-2-Clause */
/* What the code under test did, in words, one after another. */
#ifndef SAY_H
#define SAY_H

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char said[1 << 16];

/* Adds a word.  A text that does not fit would be compared in part: fails. */
__attribute__((format(printf, 1, 2)))
static inline void say(const char *format, ...)
{
	const size_t len = strlen(said);
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(said + len, sizeof(said) - len, format, args);
	va_end(args);
	ck_assert_int_ge(n, 0);
	ck_assert_uint_lt((size_t)n, sizeof(said) - len);
}

#endif
