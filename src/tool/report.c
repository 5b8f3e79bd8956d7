/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints what lyra2 audit found: a table or a JSON object. */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>

#include "architectures.h"

static const char *const crypt_json[] = { "false", "true", "null" };

/* A name may hold any bytes: what a terminal might act on is not shown. */
static void put_name(const char *name, int width)
{
	for (; *name; name++, width--)
		putchar(*name > ' ' && *name < 127 ? *name : '?');
	printf("%*s", width > 0 ? width : 0, "");
}

void report_name(const char *name)
{
	put_name(name, 0);
	putchar('\n');
}

void report_json_text(const char *s)
{
	putchar('"');
	for (; *s; s++) {
		const unsigned char c = (unsigned char)*s;

		if (c < ' ' || c > 126)
			printf("\\u%04x", c);
		else if (c == '"' || c == '\\')
			printf("\\%c", c);
		else
			putchar(c);
	}
	putchar('"');
}

/* "2026-11-23", or another text if it is not known. */
static const char *day(time_t last, const char *unknown)
{
	static char text[16];
	struct tm tm;

	if (last == 0 || !localtime_r(&last, &tm) ||
	    strftime(text, sizeof(text), "%Y-%m-%d", &tm) == 0)
		return unknown;
	return text;
}

static void put_json(const struct report *r, const char *user, time_t last,
		     const struct judgement *e)
{
	const char *const quote = last ? "\"" : "";

	printf("%s{\"user\":", r->listed ? "," : "");
	report_json_text(user);
	printf(",\"method\":\"%s\",\"parameters\":", e->method);
	report_json_text(e->params);
	printf(",\"memory\":");
	if (e->memory)
		printf("%" PRIu64, e->memory);
	else
		printf("null");
	printf(",\"last_login\":%s%s%s,\"status\":\"%s\",\"next_login\":"
	       "\"%s\",\"crypt\":%s}", quote, day(last, "null"), quote,
	       judge_status_name(e->status), e->next, crypt_json[e->crypt]);
}

static void put_row(const char *user, time_t last, const struct judgement *e)
{
	printf("%-13s ", e->method);
	put_name(*e->params ? e->params : "-", 14);
	printf(" %-10s ", day(last, "-"));
	put_name(user, 15);
	printf(" %s\n", e->next);
}

void report_entry(const struct report *r, const char *user, time_t last,
		  const struct judgement *entry)
{
	if (r->json)
		put_json(r, user, last, entry);
	else
		put_row(user, last, entry);
}

void report_head(const struct report *r)
{
	if (r->json)
		printf("{\"users\":[");
	else
		printf("%-13s %-14s %-10s %-15s %s\n", "METHOD", "PARAMETERS",
		       "LAST LOGIN", "USER", "AT THE NEXT LOGIN");
}

static void put_lacking(void *arg, const char *folder)
{
	(void)arg;
	printf("Programs of %s cannot verify Lyra2 hashes: PAM has no "
	       "pam_lyra2.so there\n", folder);
}

static void json_lacking(void *arg, const char *folder)
{
	const char **comma = arg;

	printf("%s", *comma);
	report_json_text(folder);
	*comma = ",";
}

static void text_totals(const struct report *r)
{
	printf("%zu users", r->users);
	for (int i = 0; i < JUDGE_STATUSES; i++)
		printf("%s %zu %s", i ? "," : ":", r->totals[i],
		       judge_status_name((enum judge_status)i));
	printf("\n%zu that only PAM can verify, %zu lines ignored\n",
	       r->only_pam, r->ignored);
	if (r->root_only_pam)
		printf("Only PAM can verify root: sulogin(8), in a rescue "
		       "shell, cannot\n");
	if (r->hidden)
		printf("Not listed: %zu locked users without a hash\n",
		       r->hidden);
	architectures_lacking(put_lacking, NULL);
}

void report_totals(const struct report *r)
{
	const char *comma = "";

	if (!r->json) {
		text_totals(r);
		return;
	}
	printf("],\"totals\":{");
	for (int i = 0; i < JUDGE_STATUSES; i++)
		printf("\"%s\":%zu,", judge_status_name((enum judge_status)i),
		       r->totals[i]);
	printf("\"only_pam\":%zu,\"ignored_lines\":%zu},\"without_module\":[",
	       r->only_pam, r->ignored);
	architectures_lacking(json_lacking, &comma);
	printf("]}\n");
}
