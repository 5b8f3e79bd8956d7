/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints what lyra2 audit found: a table, a JSON object or metrics. */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "json.h"

static const char *const crypt_names[] = { "no", "yes", "-" };
static const char *const crypt_json[] = { "false", "true", "null" };

/* A name may hold any bytes: what a terminal might act on is not shown. */
static void put_name(const char *name)
{
	for (; *name; name++)
		putchar(*name > ' ' && *name < 127 ? *name : '?');
}

static void put_json(const struct report *r, const char *user, bool system,
		     const struct judgement *e)
{
	printf("%s{\"user\":", r->listed ? "," : "");
	json_text(user);
	printf(",\"system\":%s,\"method\":\"%s\",\"parameters\":",
	       system ? "true" : "false", e->method);
	json_text(e->params);
	printf(",\"memory\":");
	if (e->memory)
		printf("%" PRIu64, e->memory);
	else
		printf("null");
	printf(",\"cost\":");
	if (e->cost > 0)
		printf("%.3g", e->cost);
	else
		printf("null");
	printf(",\"status\":\"%s\",\"crypt\":%s}",
	       judge_status_name(e->status), crypt_json[e->crypt]);
}

static void put_row(const char *user, const struct judgement *e)
{
	const char *params = *e->params ? e->params : "-";
	const int pad = 26 - (int)strlen(params);
	char memory[32] = "-";

	if (e->memory)
		snprintf(memory, sizeof(memory), "%" PRIu64 "K",
			 (e->memory + 1023) / 1024);
	printf("%-13s ", e->method);
	put_name(params);
	printf("%*s %9s %-8s %-8s ", pad > 0 ? pad : 0, "", memory,
	       judge_status_name(e->status), crypt_names[e->crypt]);
	put_name(user);
	putchar('\n');
}

void report_entry(const struct report *r, const char *user, bool system,
		  const struct judgement *entry)
{
	if (r->json)
		put_json(r, user, system, entry);
	else if (!r->metrics)
		put_row(user, entry);
}

void report_head(const struct report *r)
{
	if (r->json)
		printf("{\"users\":[");
	else if (!r->metrics)
		printf("%-13s %-26s %9s %-8s %-8s %s\n", "METHOD",
		       "PARAMETERS", "MEMORY", "STATUS", "CRYPT(3)", "USER");
}

/* [["ann","bob"],["eve","joe"]] */
static void json_salts(const struct salts *s)
{
	const char *user, *before = "";
	bool first;
	size_t i;

	printf("\"same_salt\":[");
	for (i = 0; i < s->n; i++) {
		user = salts_user(s, i, &first);
		if (!user)
			continue;
		if (first)
			printf("%s[", before);
		else
			putchar(',');
		before = "],";
		json_text(user);
	}
	printf("%s]", s->shared ? "]" : "");
}

static void text_salts(const struct salts *s)
{
	const char *user, *before = "";
	bool first;
	size_t i;

	for (i = 0; i < s->n; i++) {
		user = salts_user(s, i, &first);
		if (!user)
			continue;
		if (first)
			printf("%sSame salt:", before);
		before = "\n";
		putchar(' ');
		put_name(user);
	}
	printf("%s", before);
}

/* The text format of Prometheus, for node_exporter's textfile collector. */
static void put_metrics(const struct report *r)
{
	size_t i;

	printf("# HELP lyra2_audit_users Entries of /etc/shadow by status.\n"
	       "# TYPE lyra2_audit_users gauge\n");
	for (i = 0; i < JUDGE_STATUSES; i++)
		printf("lyra2_audit_users{status=\"%s\"} %zu\n",
		       i == JUDGE_LOCKED ? "locked" :
		       judge_status_name((enum judge_status)i), r->totals[i]);
	printf("# HELP lyra2_audit_same_salt Users who share a salt.\n"
	       "# TYPE lyra2_audit_same_salt gauge\n"
	       "lyra2_audit_same_salt %zu\n", r->salts.shared);
	if (r->judge.foreign)
		return;
	printf("# HELP lyra2_audit_only_pam Hashes that crypt(3) cannot "
	       "verify.\n# TYPE lyra2_audit_only_pam gauge\n"
	       "lyra2_audit_only_pam %zu\n", r->only_pam);
}

static void json_totals(const struct report *r)
{
	const size_t *n = r->totals;

	printf("],");
	json_salts(&r->salts);
	printf(",\"totals\":{\"current\":%zu,\"differs\":%zu,"
	       "\"weaker\":%zu,\"kept\":%zu,\"exempt\":%zu,\"locked\":%zu,"
	       "\"unknown\":%zu,\"only_pam\":",
	       n[JUDGE_CURRENT], n[JUDGE_DIFFERS], n[JUDGE_WEAKER],
	       n[JUDGE_KEPT], n[JUDGE_EXEMPT], n[JUDGE_LOCKED],
	       n[JUDGE_UNKNOWN]);
	if (r->judge.foreign)
		printf("null");
	else
		printf("%zu", r->only_pam);
	printf(",\"same_salt\":%zu,\"ignored_lines\":%zu}}\n",
	       r->salts.shared, r->ignored);
}

void report_totals(const struct report *r)
{
	const size_t *n = r->totals;

	if (r->json) {
		json_totals(r);
		return;
	}
	if (r->metrics) {
		put_metrics(r);
		return;
	}
	printf("%zu users: %zu current, %zu differ, %zu weaker, "
	       "%zu kept, %zu exempt, %zu locked, %zu unknown\n", r->users,
	       n[JUDGE_CURRENT], n[JUDGE_DIFFERS], n[JUDGE_WEAKER],
	       n[JUDGE_KEPT], n[JUDGE_EXEMPT], n[JUDGE_LOCKED],
	       n[JUDGE_UNKNOWN]);
	if (!r->judge.foreign)
		printf("%zu that only PAM can verify, ", r->only_pam);
	printf("%zu lines ignored\n", r->ignored);
	if (r->hidden)
		printf("Not listed: %zu locked accounts for programs\n",
		       r->hidden);
	text_salts(&r->salts);
}
