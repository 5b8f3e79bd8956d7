/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For libFuzzer: whatever a file of shadow(5) holds, each of its lines is
 * either judged or counted as ignored, once.  The input is the file.
 */
#include "src/tool/audit.c"

#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

const char *tool_command = "audit";

int tool_error(int status, const char *format, ...)
{
	(void)format;
	return status;
}

int tool_errno(const char *what)
{
	(void)what;
	return TOOL_SYSTEM;
}

bool options_parse(struct arguments *args, int argc, char **argv)
{
	(void)args;
	(void)argc;
	(void)argv;
	return false;
}

int options_set_flag(const struct tool_option *option, const char *text)
{
	(void)option;
	(void)text;
	return 0;
}

static size_t count_lines(const uint8_t *data, size_t size)
{
	size_t lines = size > 0 && data[size - 1] != '\n', i;

	for (i = 0; i < size; i++)
		lines += data[i] == '\n';
	return lines;
}

static void check(const struct report *r, size_t lines)
{
	size_t sum = 0, i;

	for (i = 0; i < JUDGE_STATUSES; i++)
		sum += r->totals[i];
	if (r->users + r->ignored != lines || sum != r->users ||
	    r->listed > r->users)
		abort();
}

static char name[] = "root";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct user root = { .name = name };
	struct audit a = { .users = NULL };
	struct policy *p = &a.options.policy;
	char line[4096];
	FILE *f;


	if (size == 0)
		return 0;
	f = fmemopen((void *)(uintptr_t)data, size, "r");
	if (!f)
		abort();
	lyra2_params_default(&p->params);
	p->lyra2 = data[0] & 2 ? 0 : LYRA2_METHOD_LYRA2;
	a.report.json = data[0] & 1;
	if (policy_ready(p) < 0 || accounts_add(&a.users, &root) < 0)
		abort();
	report_head(&a.report);
	audit_lines(&a, f, line, sizeof(line));
	fclose(f);
	report_totals(&a.report);
	accounts_free(a.users);
	check(&a.report, count_lines(data, size));
	return 0;
}
