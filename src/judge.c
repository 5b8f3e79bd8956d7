/* SPDX-License-Identifier: BSD-2-Clause */
/* judge.c - judges one entry of a shadow file against the configuration. */
#include "judge.h"

#include <crypt.h>
#include <lyra2.h>
#include <stdio.h>
#include <string.h>

#include "../pam/method.h"

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
		"-", "current", "differs", "weaker", "exempt"
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

/* "v=30,t=2,r=2048,c=256" out of "lyra2(v=30,t=2,r=2048,c=256)". */
static void copy_lyra2_params(const char *field, struct judgement *entry)
{
	char text[sizeof(entry->params) + 8];
	const char *start;

	method_describe(field, text, sizeof(text));
	start = strchr(text, '(');
	if (start)
		snprintf(entry->params, sizeof(entry->params), "%.*s",
			 (int)strcspn(start + 1, ")"), start + 1);
}

static uint64_t duplexings(const struct lyra2_params *p)
{
	return ((uint64_t)p->t_cost + 1) * p->rows * p->cols;
}

static int weaker(const char *field, const struct lyra2_params *has,
		  const struct lyra2_params *wanted)
{
	return has->version < wanted->version ||
	       lyra2_memory(has) < lyra2_memory(wanted) ||
	       duplexings(has) < duplexings(wanted) ||
	       lyra2_needs_rehash(field, has) != 0; /* short salt or hash */
}

static void judge_lyra2(const struct judge *judge, const char *field,
			struct judgement *entry)
{
	const struct lyra2_params *wanted = &judge->policy.params;
	struct lyra2_params has;

	if (lyra2_parse(field, &has, NULL, 0)) {
		entry->method = "unknown";
		entry->status = JUDGE_NONE;
		return;
	}
	copy_lyra2_params(field, entry);
	entry->memory = lyra2_memory(&has);
	if (lyra2_needs_rehash(field, wanted) == 0)
		entry->status = JUDGE_CURRENT;
	else if (!weaker(field, &has, wanted))
		entry->status = JUDGE_DIFFERS;
}

static int knows(const char *field)
{
	int answer = crypt_checksalt(field);

	return answer != CRYPT_SALT_INVALID &&
	       answer != CRYPT_SALT_METHOD_DISABLED;
}

/* The rule of the module: see rehash_root in pam_lyra2.conf(5). */
static int root_is_exempt(const struct judge *judge)
{
	char setting[LYRA2_MAX_STRING];

	if (judge->policy.rehash_root != ROOT_AUTO)
		return judge->policy.rehash_root == ROOT_NO;
	return judge->foreign ||
	       lyra2_gensalt(&judge->policy.params, NULL, 0, setting,
			     sizeof(setting)) || !knows(setting);
}

static const char *name_of(const char *field, const struct method *m)
{
	if (field[0] == '\0')
		return "blank";
	if (field[0] == '!' || field[0] == '*')
		return "locked";
	return m ? m->name : "unknown";
}

void judge_entry(const struct judge *judge, const char *field, int uid0,
		 struct judgement *entry)
{
	const struct method *m = method_of(field);

	memset(entry, 0, sizeof(*entry));
	entry->method = name_of(field, m);
	entry->status = m || field[0] == '\0' ? JUDGE_WEAKER : JUDGE_NONE;
	entry->crypt = JUDGE_UNKNOWN;
	if (!m)
		return;
	if (method_is_lyra2(m)) {
		judge_lyra2(judge, field, entry);
	} else {
		copy_params(field, entry);
		if (uid0 && root_is_exempt(judge))
			entry->status = JUDGE_EXEMPT;
	}
	if (!judge->foreign)
		entry->crypt = knows(field) ? JUDGE_YES : JUDGE_NO;
}
