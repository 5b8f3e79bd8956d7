/* SPDX-License-Identifier: BSD-2-Clause */
/* Judges one entry of a shadow file against the configuration. */
#ifndef LYRA2_TOOL_JUDGE_H
#define LYRA2_TOOL_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "src/stored/stored.h"

enum judge_status {
	JUDGE_LOCKED,		/* no password opens it */
	JUDGE_UNKNOWN,		/* malformed, or of a method unknown here */
	JUDGE_CURRENT,		/* as configured */
	JUDGE_DIFFERS,		/* not as configured, but not weaker */
	JUDGE_WEAKER,		/* than configured, or blank */
	JUDGE_KEPT,		/* weaker, but the new one would take less of
				 * something: pam_lyra2 does not replace it */
	JUDGE_EXEMPT,		/* uid 0, which pam_lyra2 does not change */
	JUDGE_STATUSES
};

/* Whether crypt(3) can verify a hash. */
enum judge_crypt { JUDGE_NO, JUDGE_YES, JUDGE_NOT_ASKED };

struct judge {
	struct policy policy;
	bool foreign;		/* another system's file: crypt(3) there may
				 * know other methods than ours */
};

struct judgement {
	const char *method;	/* or "locked", "blank", "unknown" */
	char params[64];	/* of the hash, as it spells them, or "" */
	uint64_t memory;	/* bytes that it takes; 0: few, or not known */
	double cost;		/* of a guess, as configured being 1; 0: not
				 * known, as it is of Lyra2 only */
	size_t setting;		/* bytes of method, parameters and salt */
	enum judge_status status;
	enum judge_crypt crypt;
};

/* Fills *entry from the field.  Never copies salt or hash into it. */
void judge_entry(const struct judge *judge, const char *field, bool uid0,
		 struct judgement *entry);

/* Returns "weaker" and so on; "-" for JUDGE_LOCKED. */
const char *judge_status_name(enum judge_status status);

#endif
