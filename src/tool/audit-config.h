/* SPDX-License-Identifier: BSD-2-Clause */
/* The configuration, as lyra2 audit sees it. */
#ifndef LYRA2_TOOL_AUDIT_CONFIG_H
#define LYRA2_TOOL_AUDIT_CONFIG_H

#include "src/config/options.h"

/*
 * Reads the configuration as the service does, and after it the lines of trial,
 * a text that may be empty.  Says on standard error what is wrong.  With print,
 * the options follow on standard output, as text or JSON.  Returns an exit
 * status of tool.h: printed or not, TOOL_SYSTEM if a file cannot be read;
 * printed, TOOL_INPUT if a line is wrong, or TOOL_NO after a warning.
 */
int config_read(struct options *o, const char *trial, bool print, bool json);

#endif
