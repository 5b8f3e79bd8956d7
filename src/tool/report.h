/* SPDX-License-Identifier: BSD-2-Clause */
/* What lyra2 audit found, and how it is printed. */
#ifndef LYRA2_TOOL_REPORT_H
#define LYRA2_TOOL_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "judge.h"
#include "services.h"

struct row;

struct report {
	bool json;
	struct row *rows;	/* n of them, in the order of the files */
	size_t n;
	size_t totals[JUDGE_STATUSES];
	size_t only_pam;	/* entries that crypt(3) cannot verify */
	bool root_only_pam;	/* root's is one */
	size_t lost;		/* users who are locked out now, or in part */
	size_t will_lose;	/* and after the next login */
	size_t users;		/* judged */
	size_t hidden;		/* locked and without a hash, not printed */
	size_t ignored;		/* lines without a password field */
	const struct services *services;	/* NULL: not looked at */
	const char *without;	/* those without the module, as a text */
	const char *silent;	/* why lyra2d does not answer, or NULL */
	const char *removal;	/* that it has begun, or NULL */
	bool reverting;		/* logins replace each Lyra2 hash */
};

/* Keeps a row to print.  Returns -1 without memory. */
int report_entry(struct report *r, const char *user, time_t last,
		 const struct judgement *entry);

/*
 * Print the users, those first who cannot log in, and what they add up to.  No
 * part of a salt or hash is in it.
 */
void report_users(const struct report *r);
void report_totals(const struct report *r);

void report_free(struct report *r);

/* Prints a name and a newline; "?" for bytes that a terminal might act on. */
void report_name(const char *name);

/* In quotes; a byte that is not ASCII as \u0080 ... \u00ff: RFC 8259. */
void report_json_text(const char *text);

/* A member of an object: the key, and an array of the names. */
void report_json_names(const char *key, const struct names *names);

#endif
