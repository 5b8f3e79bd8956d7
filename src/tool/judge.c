/* SPDX-License-Identifier: BSD-2-Clause */
/* Judges one entry of a shadow file against the configuration. */
#include "judge.h"

#include <string.h>

const char *judge_status_name(enum judge_status status)
{
	static const char *const names[JUDGE_STATUSES] = {
		"-", "unknown", "current", "differs", "weaker", "kept",
		"exempt"
	};

	return names[status];
}

/* The module's rule; another system's crypt(3) is not known. */
static bool root_is_exempt(const struct judge *judge)
{
	if (judge->foreign && judge->policy.rehash_root == ROOT_AUTO &&
	    !policy_leads_back(&judge->policy))
		return true;
	return !policy_root_allowed(&judge->policy);
}

/* Memory times time, where hardware computes the lanes at once. */
static double guess(const struct lyra2_params *p)
{
	return (double)lyra2_memory(p) * (double)lyra2_work(p) / p->lanes;
}

/* How much of a hash comes before what depends on the password. */
static size_t setting_length(const struct stored *s)
{
	const char *last = strrchr(s->hash, '$');

	if (strcmp(s->method->name, "bcrypt") == 0)
		return strlen("$2b$05$") + 22;
	if (strcmp(s->method->name, "bsdicrypt") == 0)
		return strlen("_") + 8;
	return last ? (size_t)(last - s->hash) : 2;
}

/* What is no hash. */
static void judge_other(const char *field, struct judgement *entry)
{
	if (field[0] == '\0') {
		entry->method = "blank";
		entry->status = JUDGE_WEAKER;
	} else if (field[0] == '!' || field[0] == '*') {
		entry->method = "locked";
		entry->status = JUDGE_LOCKED;
	} else {
		entry->method = "unknown";
		entry->status = JUDGE_UNKNOWN;
	}
}

void judge_entry(const struct judge *judge, const char *field, bool uid0,
		 struct judgement *entry)
{
	static const enum judge_status statuses[] = {
		[STORED_NO_HASH] = JUDGE_UNKNOWN,
		[STORED_CURRENT] = JUDGE_CURRENT,
		[STORED_DIFFERS] = JUDGE_DIFFERS,
		[STORED_WEAKER] = JUDGE_WEAKER,
	};
	struct stored s;

	memset(entry, 0, sizeof(*entry));
	entry->crypt = JUDGE_NOT_ASKED;
	stored_read(&s, field);
	if (!s.method) {
		judge_other(field, entry);
		return;
	}
	entry->status = statuses[policy_status(&judge->policy, &s)];
	if (entry->status == JUDGE_UNKNOWN) {
		entry->method = "malformed";
		return;
	}
	entry->method = s.method->name;
	entry->setting = setting_length(&s);
	stored_params(&s, entry->params, sizeof(entry->params));
	if (s.memory != COST_TOO_HIGH)
		entry->memory = s.memory;
	if (stored_is_lyra2(&s))
		entry->cost = guess(&s.params) / guess(&judge->policy.params);
	if (entry->status == JUDGE_WEAKER &&
	    !policy_rehashes(&judge->policy, &s))
		entry->status = JUDGE_KEPT;
	if (!stored_is_lyra2(&s) && uid0 && root_is_exempt(judge))
		entry->status = JUDGE_EXEMPT;
	if (!judge->foreign)
		entry->crypt = s.in_crypt ? JUDGE_YES : JUDGE_NO;
}
