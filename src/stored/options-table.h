/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table of options, for the readers of the module line and of the
 * configuration file, and for the arguments of slapd's module.
 */
#ifndef LYRA2_OPTIONS_TABLE_H
#define LYRA2_OPTIONS_TABLE_H

#include "options.h"

/* What the readers share. */
struct options_state {
	struct options *o;
	bool complained;
	const char *path;	/* of the file, while that is read */
	unsigned line;
	options_complain *complain;
	void *arg;
};

/* A method of new hashes: see method in pam_lyra2.conf(5). */
struct option_method {
	const char *name;
	const char *word;	/* of ENCRYPT_METHOD in login.defs(5) */
	const char *prefix;	/* as in struct policy */
	uint32_t cost;		/* its default there */
};
enum { METHOD_LYRA2, METHOD_SYSTEM };
const struct option_method *options_method(uint32_t number);

/* The number of what login.defs(5) names; METHOD_SYSTEM if it is none here. */
uint32_t options_login_defs(const char *word);

enum option_place { IN_ARGV = 1, IN_FILE = 2, IN_SLAPD = 4 };
enum option_result { OPTION_OK, OPTION_UNKNOWN, OPTION_INVALID };

struct option_word {
	const char *name;
	const char *value;	/* NULL if there was no "=" */
	char why[128];		/* OPTION_INVALID: what is allowed */
};

/* Applies one option that was found in a place. */
enum option_result options_apply(struct options_state *s,
				 enum option_place place,
				 struct option_word *word);

/* The same for an argument, "name" or "name=value"; sets word->why only. */
enum option_result options_apply_argument(struct options_state *s,
					  enum option_place place,
					  const char *argument,
					  struct option_word *word);

#endif
