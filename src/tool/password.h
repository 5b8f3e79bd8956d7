/* SPDX-License-Identifier: BSD-2-Clause */
/* Passwords from the terminal or standard input. */
#ifndef LYRA2_TOOL_PASSWORD_H
#define LYRA2_TOOL_PASSWORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lyra2.h"

/*
 * Reads a password: from the terminal without echo, twice if it is new, or
 * one line of standard input.  Returns 0 or an exit status.
 */
int password_read(bool new, char password[LYRA2_MAX_PASSWORD + 1],
		  size_t *len);

enum { PASSWORD_FILE_MAX = 1 << 20 };	/* bytes */

/*
 * Reads a whole file into memory to wipe and free, and stores its length.
 * Returns 0 or an exit status.
 */
int password_file(const char *file, uint8_t **bytes, size_t *n);

#endif
