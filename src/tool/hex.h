/* SPDX-License-Identifier: BSD-2-Clause */
/* Bytes in hex. */
#ifndef LYRA2_TOOL_HEX_H
#define LYRA2_TOOL_HEX_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Stores the bytes that the hex digits mean, in memory to free, and their
 * number.  Returns an exit status, after a message about the field.
 */
int hex_parse(const char *field, const char *hex, uint8_t **bytes, size_t *n);

/* Writes n bytes as hex digits. */
void hex_print(FILE *f, const uint8_t *bytes, size_t n);

#endif
