/* SPDX-License-Identifier: BSD-2-Clause */
/* Judges one entry of a shadow file against the configuration. */
#include "judge.h"

#include <crypt.h>
#include <lyra2.h>
#include <stdio.h>
#include <string.h>

#include "pam/helper/method.h"
#include "pam/helper/outdated.h"

/* Where crypt(5) puts the parameters of a method: up to the next "$". */
static const struct place {
	const char *method;
	size_t offset;
	const char *start;	/* without it they are left out, salt follows */
} places[] = {
	{ "yescrypt", 3, "" },
	{ "gost-yescrypt", 4, "" },
	{ "bcrypt", 4, "" },
	{ "sha512crypt", 3, "rounds=" },
	{ "sha256crypt", 3, "rounds=" },
	{ "sha1crypt", 6, "" },
};

const char *judge_status_name(enum judge_status status)
{
	static const char *const names[JUDGE_STATUSES] = {
		"-", "unknown", "current", "differs", "weaker", "exempt"
	};

	return names[status];
}

static void copy_params(const char *field, struct judgement *entry)
{
	const struct place *p = NULL;
	size_t i, len;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (strcmp(places[i].method, entry->method) == 0)
			p = &places[i];
	if (!p || strlen(field) < p->offset)
		return;
	field += p->offset;
	if (strncmp(field, p->start, strlen(p->start)) != 0)
		return;
	len = strcspn(field, "$");
	if (len < sizeof(entry->params) && field[len] == '$')
		snprintf(entry->params, sizeof(entry->params), "%.*s",
			 (int)len, field);
}

/* "v=30$t=2$r=2048$c=256" out of "lyra2(v=30 t=2 r=2048 c=256)". */
static void copy_lyra2_params(const char *field, struct judgement *entry)
{
	char text[sizeof(entry->params) + 8];
	const char *start;
	char *space;

	method_describe(field, text, sizeof(text));
	start = strchr(text, '(');
	if (start)
		snprintf(entry->params, sizeof(entry->params), "%.*s",
			 (int)strcspn(start + 1, ")"), start + 1);
	while ((space = strchr(entry->params, ' ')))
		*space = '$';
}

static enum judge_status judge_hash(const struct judge *judge,
				    const char *field)
{
	switch (outdated_status(field, &judge->policy.params)) {
	case OUTDATED_CURRENT:
		return JUDGE_CURRENT;
	case OUTDATED_DIFFERS:
		return JUDGE_DIFFERS;
	case OUTDATED_WEAKER:
		return JUDGE_WEAKER;
	case OUTDATED_NO_HASH:
		break;
	}
	return JUDGE_UNKNOWN;
}

static void judge_lyra2(const struct judge *judge, const char *field,
			struct judgement *entry)
{
	struct lyra2_params has;

	entry->status = judge_hash(judge, field);
	if (entry->status == JUDGE_UNKNOWN ||
	    lyra2_parse(field, &has, NULL, 0) < 0) {
		entry->method = "malformed";
		return;
	}
	copy_lyra2_params(field, entry);
	entry->memory = lyra2_memory(&has);
}

/* The module's rule; another system's crypt(3) is not known. */
static bool root_is_exempt(const struct judge *judge)
{
	if (judge->foreign && judge->policy.rehash_root == ROOT_AUTO)
		return true;
	return !outdated_root_allowed(&judge->policy);
}

static bool crypt_knows(const char *field)
{
	const int answer = crypt_checksalt(field);

	return answer != CRYPT_SALT_INVALID &&
	       answer != CRYPT_SALT_METHOD_DISABLED;
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
	const struct method *m = method_of(field);

	memset(entry, 0, sizeof(*entry));
	entry->crypt = JUDGE_NOT_ASKED;
	if (!m) {
		judge_other(field, entry);
		return;
	}
	entry->method = m->name;
	if (method_is_lyra2(m)) {
		judge_lyra2(judge, field, entry);
	} else {
		entry->status = judge_hash(judge, field);
		copy_params(field, entry);
		if (uid0 && root_is_exempt(judge))
			entry->status = JUDGE_EXEMPT;
	}
	if (!judge->foreign && entry->status != JUDGE_UNKNOWN)
		entry->crypt = crypt_knows(field) ? JUDGE_YES : JUDGE_NO;
}
