/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * options-table.h - what options there are: shared by the reader of the
 * module line and the reader of the configuration file.
 */
#ifndef PAM_LYRA2_OPTIONS_TABLE_H
#define PAM_LYRA2_OPTIONS_TABLE_H

#include "options.h"

/* While they are read: what must be known when all is read. */
struct options_state {
	struct options *o;
	int sponge_set;
	options_complain *complain;
	void *arg;
};

enum option_place { IN_ARGV = 1, IN_FILE = 2 };
enum option_result { OPTION_OK, OPTION_UNKNOWN, OPTION_INVALID };

/*
 * Applies one option, allowed in that place.  value is NULL where there was
 * no "=".  On OPTION_INVALID, up to size bytes of why say what is allowed.
 */
enum option_result option_apply(struct options_state *s,
				enum option_place place, const char *name,
				const char *value, char *why, size_t size);

/* Reads the configuration file; complaints name it and the line. */
void config_read(struct options_state *s, const char *path, int must_exist);

#endif
