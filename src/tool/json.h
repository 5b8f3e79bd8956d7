/* SPDX-License-Identifier: BSD-2-Clause */
/* Text in JSON objects. */
#ifndef LYRA2_TOOL_JSON_H
#define LYRA2_TOOL_JSON_H

/* Prints s in quotes; a byte that is not ASCII as \u0080 ... \u00ff. */
void json_text(const char *s);

#endif
