/* SPDX-License-Identifier: BSD-2-Clause */
/* Passwords from the terminal or standard input. */
#ifndef LYRA2_TOOL_PASSWORD_H
#define LYRA2_TOOL_PASSWORD_H

#include <stdbool.h>
#include <stddef.h>

#include "lyra2.h"

/*
 * Reads a password: from the terminal without echo, twice if it is new, or
 * one line of standard input.  Returns 0 or an exit status.
 */
int password_read(bool new, char password[LYRA2_MAX_PASSWORD + 1],
		  size_t *len);

#endif
