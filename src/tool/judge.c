/* SPDX-License-Identifier: BSD-2-Clause */
/* Predicts what the next login does with one entry of a shadow file. */
#include "judge.h"

#include <stdio.h>
#include <string.h>

const char *judge_status_name(enum judge_status status)
{
	static const char *const names[JUDGE_STATUSES] = {
		"current", "convert", "kept", "blank", "locked", "unknown"
	};

	return names[status];
}

static void set(struct judgement *e, enum judge_status status, const char *next,
		const char *why)
{
	e->status = status;
	snprintf(e->next, sizeof(e->next), "%s%s%s%s", next, why ? ": " : "",
		 why ? why : "", e->only_pam ? ", only PAM can verify" : "");
}

/* What is no hash. */
static void judge_other(const char *field, const char *refused,
			struct judgement *e)
{
	enum judge_status status = JUDGE_UNKNOWN;

	if (field[0] == '\0' && !refused)
		status = JUDGE_BLANK;
	else if (field[0] == '!' || field[0] == '*')
		status = JUDGE_LOCKED;
	e->empty = field[strspn(field, "!*")] == '\0';
	e->method = judge_status_name(status);
	set(e, status, e->method, NULL);
}

/* Returns why the writer does not change it, or why nobody asks the writer. */
static const char *why_kept(const struct policy *p,
			    const struct judge_facts *facts)
{
	const struct judge_system *system = facts->system;

	if (facts->unwritable || !system)
		return facts->unwritable;
	if (system->no_module)
		return system->no_module;
	return p->lyra2 ? system->removal : NULL;
}

static void judge_convert(const struct policy *p, const struct stored *s,
			  const struct judge_facts *facts, bool log_only,
			  struct judgement *e)
{
	const char *why = why_kept(p, facts);
	char text[128];

	if (why) {
		set(e, JUDGE_KEPT, "kept", why);
		return;
	}
	why = policy_unless(p, s);
	e->becomes = p->method->name;
	snprintf(text, sizeof(text), "%s become %s%s", log_only ?
		 "kept: rehash = log-only, would" : "will", e->becomes,
		 why && !log_only ? ", or kept" : "");
	if (log_only) {
		set(e, JUDGE_KEPT, text, NULL);
		return;
	}
	set(e, JUDGE_CONVERT, text, why);
	e->will_lose = facts->system && facts->system->without &&
		facts->system->new_only_pam &&
		e->crypt == JUDGE_YES;
}

static void judge_next(const struct policy *p, const struct stored *s,
		       const struct judge_facts *facts, struct judgement *e)
{
	const char *why;

	switch (policy_next(p, s, &facts->account, &why)) {
	case NEXT_NO_HASH:
		set(e, JUDGE_UNKNOWN, "damaged, or too costly", NULL);
		break;
	case NEXT_CURRENT:
		set(e, JUDGE_CURRENT, "current", NULL);
		break;
	case NEXT_CONVERT:
		judge_convert(p, s, facts, false, e);
		break;
	case NEXT_LOG:
		judge_convert(p, s, facts, true, e);
		break;
	case NEXT_PREVENTED:
	case NEXT_KEEP:
		set(e, JUDGE_KEPT, "kept", why);
		break;
	}
}

static void describe(const struct stored *s, struct judgement *e)
{
	if (!s->method)
		return;
	e->method = s->method->name;
	stored_params(s, e->params, sizeof(e->params));
	if (stored_is_whole(s)) {
		e->memory = s->memory;
		e->only_pam = !s->in_crypt;
		e->crypt = s->in_crypt ? JUDGE_YES : JUDGE_NO;
	}
}

/* pam_unix verifies what crypt(3) can, wherever the module does not. */
static void judge_now(const struct policy *policy, const struct stored *s,
		      const struct judge_facts *facts, struct judgement *e)
{
	const struct judge_system *system = facts->system;

	if (!system || !e->only_pam || facts->refused)
		return;
	if (facts->outside)
		e->lost = facts->outside;
	else if (s->memory > policy_max_memory(policy))
		e->lost = "the hash takes more than max_memory";
	else if (system->no_module)
		e->lost = system->no_module;
	else
		e->lost_in = system->without ? system->without :
			system->silent;
}

void judge_entry(const struct policy *policy, const struct stored *s,
		 const struct judge_facts *facts, struct judgement *e)
{
	memset(e, 0, sizeof(*e));
	e->crypt = JUDGE_NOT_ASKED;
	if (!s->method)
		judge_other(s->hash, facts->refused, e);
	describe(s, e);
	judge_now(policy, s, facts, e);
	if (facts->refused)
		set(e, JUDGE_UNKNOWN, "refused", facts->refused);
	else if (!s->method)
		return;
	else if (facts->outside && method_fits(s->method, s->hash))
		set(e, JUDGE_KEPT, "kept", facts->outside);
	else if (s->memory <= policy_max_memory(policy))
		judge_next(policy, s, facts, e);
	else if (e->crypt == JUDGE_YES)
		set(e, JUDGE_KEPT, "kept", "too costly for lyra2d, and only "
		    "pam_unix verifies it");
	else
		set(e, JUDGE_UNKNOWN, "damaged, or too costly", NULL);
}
