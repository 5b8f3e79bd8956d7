/* SPDX-License-Identifier: BSD-2-Clause */
/* What the options are read into, and the kinds of value that they have. */
#ifndef LYRA2_OPTION_H
#define LYRA2_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/stored/policy.h"

/* The most users of ask_for_others, and characters of all their names. */
#define OPTIONS_ASKERS 16
#define OPTIONS_ASKERS_TEXT 511

struct options {
	struct policy policy;
	char rehash_group[33];	/* whose members are rehashed; "": all */
	char askers[OPTIONS_ASKERS_TEXT + 1];	/* ask_for_others; "": none */
	uint32_t method;	/* of new hashes: options_method() */
	uint32_t minlen;	/* bytes of a new password */
	bool before_unix;
	bool skip_unix;	/* includes before_unix */
	bool nullok;
	bool use_authtok;
	bool use_first_pass;
	bool nodelay;
	bool debug;
};

struct option_word {
	const char *name;
	const char *value;	/* NULL if there was no "=" */
	char why[128];		/* OPTION_INVALID: what is allowed */
};

struct option {
	const char *word;
	int place;
	enum { FLAG, NUMBER, SIZE, CHOICE, COST, TEXT, NAMES } type;
	size_t offset;		/* in struct options */
	uint64_t min, max;	/* TEXT, NAMES: characters; not of CHOICE */
	const char *(*name)(uint32_t n);	/* CHOICE: from 0 on, to NULL */
};

/* Stores the value of a word in its field; -1 with word->why. */
int option_store(const struct option *opt, struct options *o,
		 struct option_word *word);

#define OPTION_TEXT (OPTIONS_ASKERS_TEXT + 1)
/* Writes a field as a file would give it; "" if nothing has given it. */
void option_text(const struct option *opt, const struct options *o,
		 char text[OPTION_TEXT]);

#endif
