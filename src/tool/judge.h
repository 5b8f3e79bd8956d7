/* SPDX-License-Identifier: BSD-2-Clause */
/* Predicts what the next login does with one entry of a shadow file. */
#ifndef LYRA2_TOOL_JUDGE_H
#define LYRA2_TOOL_JUDGE_H

#include "src/stored/policy.h"

enum judge_status {
	JUDGE_CURRENT,		/* as configured */
	JUDGE_CONVERT,		/* the next login replaces it */
	JUDGE_KEPT,		/* the next login leaves it */
	JUDGE_BLANK,		/* any password opens it, or none does */
	JUDGE_LOCKED,		/* no password opens it */
	JUDGE_UNKNOWN,		/* nor this, as it is damaged, or unknown */
	JUDGE_STATUSES
};

/* Whether crypt(3) can verify a hash. */
enum judge_crypt { JUDGE_NO, JUDGE_YES, JUDGE_NOT_ASKED };

struct judgement {
	const char *method;	/* or "locked", "blank", "unknown" */
	char params[64];	/* of the hash, as it spells them, or "" */
	uint64_t memory;	/* bytes that it takes; 0: few, or not known */
	enum judge_status status;
	enum judge_crypt crypt;
	bool only_pam;		/* can verify it */
	bool empty;		/* there is no hash behind the lock */
	const char *lost;	/* why no login is possible now, or NULL */
	const char *lost_in;	/* or in which programs it is not, or NULL */
	bool will_lose;		/* the next login locks out of some programs */
	const char *becomes;	/* the method after it, also with log-only */
	char next[256];		/* status, and why */
};

/* What is known of the system.  Texts are NULL if there is nothing to say. */
struct judge_system {
	const char *no_module;	/* why no login reaches the module */
	const char *without;	/* services that use pam_unix instead */
	const char *silent;	/* programs that need lyra2d, if it is silent */
	const char *removal;	/* why no Lyra2 hash is stored */
	bool new_only_pam;	/* crypt(3) cannot verify new hashes */
};

/* What is known besides the hash.  Texts give a reason, or are NULL. */
struct judge_facts {
	const struct judge_system *system;	/* NULL: nobody logs in so */
	struct account account;
	const char *refused;	/* no password opens it, whatever the hash is */
	const char *outside;	/* the service never looks at it */
	const char *unwritable;	/* the writer would not change it */
};

/* Fills *entry from the hash.  Never copies salt or hash into it. */
void judge_entry(const struct policy *policy, const struct stored *s,
		 const struct judge_facts *facts, struct judgement *entry);

/* Returns "current", "convert" and so on. */
const char *judge_status_name(enum judge_status status);

#endif
