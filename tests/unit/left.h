/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds what calls have left on the stack. */
#ifndef TEST_LEFT_H
#define TEST_LEFT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { LEFT_BYTES = 16384 };

/* Looks where the calls before this one had their frames. */
__attribute__((noinline)) static bool left_on_stack(const char *secret)
{
	const volatile char *end = __builtin_frame_address(0), *p;
	const size_t n = strlen(secret);
	size_t i;

	for (p = end - LEFT_BYTES; p < end; p++) {
		for (i = 0; i < n && p[i] == secret[i]; i++)
			continue;
		if (i == n)
			return true;
	}
	return false;
}

/* The control: after this, left_on_stack() finds the text. */
__attribute__((noinline)) static int leave_on_stack(const char *secret)
{
	volatile char copy[2048];
	size_t i;

	for (i = 0; i <= strlen(secret); i++)
		copy[100 + i] = secret[i];
	return copy[100];
}

#endif
