/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints what lyra2 audit found: a table or a JSON object. */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "architectures.h"
#include "src/config/paths.h"

struct row {
	char *user;
	time_t last;
	struct judgement j;
};

static const char *const crypt_json[] = { "false", "true", "null" };

/* A name may hold any bytes: what a terminal might act on is not shown. */
static void put_name(const char *name, int width)
{
	for (; *name; name++, width--)
		putchar(*name >= ' ' && *name < 127 ? *name : '?');
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

static void json_text_or_null(const char *s)
{
	if (s)
		report_json_text(s);
	else
		printf("null");
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

int report_entry(struct report *r, const char *user, time_t last,
		 const struct judgement *entry)
{
	struct row *row = r->rows;

	/* It grows when the number of rows is a power of two. */
	if ((r->n & (r->n - 1)) == 0)
		row = realloc(row, (r->n ? 2 * r->n : 1) * sizeof(*row));
	if (!row)
		return -1;
	r->rows = row;
	row += r->n;
	row->last = last;
	row->j = *entry;
	row->user = strdup(user);
	if (!row->user)
		return -1;
	r->n++;
	return 0;
}

void report_free(struct report *r)
{
	while (r->n > 0)
		free(r->rows[--r->n].user);
	free(r->rows);
}

static const char *now(const struct row *row)
{
	if (row->j.status == JUDGE_BLANK || row->j.status == JUDGE_LOCKED ||
	    row->j.status == JUDGE_UNKNOWN)
		return row->j.lost ? "no" : NULL;
	return row->j.lost ? "no" : row->j.lost_in ? "partly" : "yes";
}

static void put_json(const struct row *row)
{
	const struct judgement *j = &row->j;
	const char *const quote = row->last ? "\"" : "";

	printf("{\"user\":");
	report_json_text(row->user);
	printf(",\"method\":\"%s\",\"parameters\":", j->method);
	report_json_text(j->params);
	printf(",\"memory\":");
	if (j->memory)
		printf("%" PRIu64, j->memory);
	else
		printf("null");
	printf(",\"last_login\":%s%s%s,\"status\":\"%s\",\"next_login\":"
	       "\"%s\",\"crypt\":%s,\"now\":", quote, day(row->last, "null"),
	       quote, judge_status_name(j->status), j->next,
	       crypt_json[j->crypt]);
	json_text_or_null(now(row));
	printf(",\"locked_out\":");
	json_text_or_null(j->lost ? j->lost : j->lost_in);
	printf(",\"becomes\":");
	json_text_or_null(j->becomes);
	printf(",\"becomes_locked_out\":%s}", j->will_lose ? "true" : "false");
}

static void put_row(const struct report *r, const struct row *row)
{
	const struct judgement *j = &row->j;

	printf("%-13s ", j->method);
	put_name(*j->params ? j->params : "-", 14);
	printf(" %-10s ", day(row->last, "-"));
	put_name(row->user, 15);
	if (j->lost || j->lost_in) {
		printf(" locked out now%s ", j->lost ? ":" : " of");
		report_name(j->lost ? j->lost : j->lost_in);
		return;
	}
	printf(" %s", j->next);
	if (j->will_lose) {
		printf(", then locked out of ");
		put_name(r->without, 0);
	}
	putchar('\n');
}

/* Those who are locked out, those whom no password lets in, and the rest. */
static int rank(const struct row *row)
{
	if (row->j.lost || row->j.lost_in)
		return 0;
	return row->j.status == JUDGE_UNKNOWN ? 1 : 2;
}

void report_users(const struct report *r)
{
	const char *comma = "";
	size_t i;
	int now_rank;

	if (r->json)
		printf("{\"users\":[");
	else
		printf("%-13s %-14s %-10s %-15s %s\n", "METHOD", "PARAMETERS",
		       "LAST LOGIN", "USER", "AT THE NEXT LOGIN");
	for (now_rank = 0; now_rank < 3; now_rank++) {
		for (i = 0; i < r->n; i++) {
			if (rank(&r->rows[i]) != now_rank)
				continue;
			if (r->json) {
				printf("%s", comma);
				put_json(&r->rows[i]);
				comma = ",";
			} else {
				put_row(r, &r->rows[i]);
			}
		}
	}
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

static void put_services(const char *what, const struct names *names)
{
	char list[512];

	names_list(names, list, sizeof(list));
	printf("            %s ", what);
	report_name(*list ? list : "none");
}

static void text_now(const struct report *r)
{
	const struct services *s = r->services;

	printf("NOW         %zu locked out; lyra2d %s%s\n", r->lost,
	       r->silent ? "does not answer: " : "answers",
	       r->silent ? r->silent : "");
	put_services("PAM services with pam_lyra2.so:", &s->with);
	if (s->without.n > 0)
		put_services("with pam_unix.so alone:", &s->without);
	if (s->broken.n > 0)
		put_services("pam_lyra2.so is missing:", &s->broken);
}

/* The prerm of Debian's package prints the same command. */
static void text_removal(const struct report *r)
{
	printf("REMOVAL     %zu locked out%s%s%s\n", r->only_pam,
	       r->only_pam && r->reverting ? " before their next login" : "",
	       r->removal ? "; " : "", r->removal ? r->removal : "");
	if (r->only_pam && !r->reverting)
		puts("To have their next logins write yescrypt hashes:\n"
		     "    printf 'method=yescrypt\\nrehash=leave\\n"
		     "rehash_group=\\ncrypt_cost=0\\n' \\\n"
		     "        >" PATH_CONF ".d/zz-revert.conf");
}

static void text_totals(const struct report *r)
{
	printf("%zu users", r->users);
	for (int i = 0; i < JUDGE_STATUSES; i++)
		printf("%s %zu %s", i ? "," : ":", r->totals[i],
		       judge_status_name((enum judge_status)i));
	putchar('\n');
	text_now(r);
	printf("NEXT LOGIN  %zu hashes change, %zu locked out\n",
	       r->totals[JUDGE_CONVERT], r->will_lose);
	text_removal(r);
	if (r->root_only_pam)
		printf("Only PAM can verify root: sulogin(8), in a rescue "
		       "shell, cannot\n");
	if (r->hidden)
		printf("Not listed: %zu locked users without a hash\n",
		       r->hidden);
	if (r->ignored)
		printf("Ignored: %zu lines that are no entries\n", r->ignored);
	architectures_lacking(put_lacking, NULL);
}

void report_json_names(const char *key, const struct names *names)
{
	size_t i;

	printf("\"%s\":[", key);
	for (i = 0; i < names->n; i++) {
		printf("%s", i ? "," : "");
		report_json_text(names->at[i]);
	}
	putchar(']');
}

static void json_system(const struct report *r)
{
	const struct services *s = r->services;

	printf(",\"services\":{");
	report_json_names("with_module", &s->with);
	putchar(',');
	report_json_names("pam_unix_alone", &s->without);
	putchar(',');
	report_json_names("module_missing", &s->broken);
	printf("},\"lyra2d_silent\":");
	json_text_or_null(r->silent);
	printf(",\"removal_begun\":%s", r->removal ? "true" : "false");
}

static void json_totals(const struct report *r)
{
	const char *comma = "";

	printf("],\"totals\":{");
	for (int i = 0; i < JUDGE_STATUSES; i++)
		printf("\"%s\":%zu,", judge_status_name((enum judge_status)i),
		       r->totals[i]);
	printf("\"only_pam\":%zu,\"ignored_lines\":%zu,\"locked_out_now\":%zu,"
	       "\"locked_out_next\":%zu}", r->only_pam, r->ignored, r->lost,
	       r->will_lose);
	if (r->services)
		json_system(r);
	printf(",\"without_module\":[");
	architectures_lacking(json_lacking, &comma);
	printf("]}\n");
}

void report_totals(const struct report *r)
{
	if (r->json)
		json_totals(r);
	else
		text_totals(r);
}
