/* SPDX-License-Identifier: BSD-2-Clause */
/* What is allowed in the configuration, but is probably not meant. */
#ifndef LYRA2_TOOL_CONFIG_WARNINGS_H
#define LYRA2_TOOL_CONFIG_WARNINGS_H

#include "src/config/options.h"

/*
 * Calls warn(arg, text) for each, with file and line.  The options were read
 * from the files of paths, a list up to NULL.
 */
void config_warnings(const struct options *o,
		     const struct options_written *written,
		     char *const *paths, options_complain *warn, void *arg);

#endif
