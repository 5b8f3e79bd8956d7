/* SPDX-License-Identifier: BSD-2-Clause */
/* What lyra2 audit found, and how it is printed. */
#ifndef LYRA2_TOOL_REPORT_H
#define LYRA2_TOOL_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "judge.h"

struct report {
	bool json;
	size_t totals[JUDGE_STATUSES];
	size_t only_pam;	/* entries that crypt(3) cannot verify */
	bool root_only_pam;	/* root's is one */
	size_t users;		/* judged */
	size_t listed;		/* and printed */
	size_t hidden;		/* locked and without a hash, not printed */
	size_t ignored;		/* lines without a password field */
};

/* In this order; no part of a salt or hash is in what they print. */
void report_head(const struct report *r);
void report_entry(const struct report *r, const char *user, time_t last,
		  const struct judgement *entry);
void report_totals(const struct report *r);

/* Prints a name and a newline; "?" for bytes that a terminal might act on. */
void report_name(const char *name);

/* In quotes; a byte that is not ASCII as \u0080 ... \u00ff: RFC 8259. */
void report_json_text(const char *text);

#endif
