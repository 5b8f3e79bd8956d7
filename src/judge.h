/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge.h - judges one entry of a shadow file against the configuration.
 */
#ifndef LYRA2_JUDGE_H
#define LYRA2_JUDGE_H

#include "../pam/policy.h"

enum judge_status {
	JUDGE_NONE,		/* locked, or no hash: no password opens it */
	JUDGE_CURRENT,		/* as configured */
	JUDGE_DIFFERS,		/* otherwise than configured, but not weaker */
	JUDGE_WEAKER,		/* than configured, or blank */
	JUDGE_EXEMPT,		/* uid 0, which pam_lyra2 leaves alone */
	JUDGE_STATUSES
};

enum judge_crypt { JUDGE_NO, JUDGE_YES, JUDGE_UNKNOWN };

struct judge {
	struct policy policy;
	int foreign;		/* another system's file: not ours to ask */
};

struct judgement {
	const char *method;	/* or "locked", "blank", "unknown" */
	char params[64];	/* of the hash, as it spells them, or "" */
	uint64_t memory;	/* bytes that it takes; 0: not known */
	enum judge_status status;
	enum judge_crypt crypt;	/* whether crypt(3) can verify it */
};

/* Never copies salt or hash into *entry. */
void judge_entry(const struct judge *judge, const char *field, int uid0,
		 struct judgement *entry);

/* "weaker" and so on; "-" for JUDGE_NONE. */
const char *judge_status_name(enum judge_status status);

#endif
