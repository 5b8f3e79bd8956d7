/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For libFuzzer: whatever a file of shadow(5) holds, each of its lines is
 * either judged or counted as ignored, in one of the two passes.  The input is
 * the file.
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

int options_set_string(const struct tool_option *option, const char *text)
{
	(void)option;
	(void)text;
	return 0;
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct audit a = { .accounts = NULL };
	char line[4096];
	FILE *f;

	if (size == 0)
		return 0;
	f = fmemopen((void *)(uintptr_t)data, size, "r");
	if (!f)
		abort();
	lyra2_params_init(&a.report.judge.policy.params);
	lyra2_params_fill(&a.report.judge.policy.params);
	a.report.json = data[0] & 1;
	a.report.metrics = (data[0] & 3) == 2;
	if (data[0] & 4)
		strcpy(a.report.judge.policy.prefix, "$y$");
	if (add_account(&a, "root", true) < 0 || add_account(&a, "bin", false))
		abort();
	report_head(&a.report);
	audit_lines(&a, f, line, sizeof(line));
	rewind(f);
	a.system = true;
	audit_lines(&a, f, line, sizeof(line));
	fclose(f);
	salts_sort(&a.report.salts);
	report_totals(&a.report);
	salts_free(&a.report.salts);
	tdestroy(a.accounts, free_account);
	check(&a.report, count_lines(data, size));
	return 0;
}
