/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 audit: the table, or the object, of what was found. */
#include "tool-audit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const crypt_names[] = { "no", "yes", "-" };
static const char *const crypt_json[] = { "false", "true", "null" };

/* A file may hold anything; a terminal and JSON must not get it as it is. */
static void put_name(const char *name, bool json)
{
	for (; *name; name++) {
		const unsigned char c = (unsigned char)*name;

		if (c > ' ' && c < 127 && c != '"' && c != '\\')
			putchar(c);
		else if (json)
			printf("\\u%04x", c);
		else
			putchar('?');
	}
}

static void put_json(const struct report *r, const char *user,
		     const struct judgement *e)
{
	printf("%s{\"user\":\"", r->users ? "," : "");
	put_name(user, true);
	printf("\",\"method\":\"%s\",\"parameters\":\"", e->method);
	put_name(e->params, true);
	printf("\",\"memory\":");
	if (e->memory)
		printf("%" PRIu64, e->memory);
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
	put_name(params, false);
	printf("%*s %9s %-8s %-8s ", pad > 0 ? pad : 0, "", memory,
	       judge_status_name(e->status), crypt_names[e->crypt]);
	put_name(user, false);
	putchar('\n');
}

void report_entry(const struct report *r, const char *user,
		  const struct judgement *entry)
{
	if (r->json)
		put_json(r, user, entry);
	else
		put_row(user, entry);
}

void report_head(const struct report *r)
{
	if (r->json)
		printf("{\"users\":[");
	else
		printf("%-13s %-26s %9s %-8s %-8s %s\n", "METHOD",
		       "PARAMETERS", "MEMORY", "STATUS", "CRYPT(3)", "USER");
}

void report_totals(const struct report *r)
{
	const size_t *n = r->totals;

	if (r->json)
		printf("],\"totals\":{\"current\":%zu,\"differs\":%zu,"
		       "\"weaker\":%zu,\"exempt\":%zu,\"none\":%zu,"
		       "\"only_pam\":%zu,\"ignored_lines\":%zu}}\n",
		       n[JUDGE_CURRENT], n[JUDGE_DIFFERS], n[JUDGE_WEAKER],
		       n[JUDGE_EXEMPT], n[JUDGE_NONE], r->only_pam,
		       r->ignored);
	else
		printf("%zu users: %zu current, %zu differ, %zu weaker, %zu "
		       "exempt, %zu without a password\n%zu that only PAM can "
		       "verify, %zu lines ignored\n", r->users,
		       n[JUDGE_CURRENT], n[JUDGE_DIFFERS], n[JUDGE_WEAKER],
		       n[JUDGE_EXEMPT], n[JUDGE_NONE], r->only_pam,
		       r->ignored);
}
