/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For libFuzzer: in any shadow(5) file, each line is either judged or counted
 * as ignored, once.  The input is the file.  It is then also read as a file of
 * passwd(5) and of group(5).
 */
#include "src/tool/audit.c"

#include <stdlib.h>
#include <sys/mman.h>

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
	    r->n > r->users)
		abort();
}

static void pass(struct audit *a, const uint8_t *data, size_t size,
		 take_line *take)
{
	int fd = memfd_create("shadow", MFD_CLOEXEC);
	struct piece line;
	struct lines l;

	if (fd < 0 || write(fd, data, size) != (ssize_t)size ||
	    lseek(fd, 0, SEEK_SET) < 0 || lines_take(&l, fd, "shadow") < 0)
		abort();
	while (lines_next(&l, &line))
		take(a, &l, &line);
	if (lines_close(&l) < 0)
		abort();
}

static void take_group(struct audit *a, const struct lines *l,
		       const struct piece *line)
{
	group_free(&a->group);
	if (group_add(&a->group, l, line) < 0)
		abort();
}

static void take_passwd(struct audit *a, const struct lines *l,
			const struct piece *line)
{
	if (accounts_add_line(&a->users, l, line) < 0)
		abort();
}

static char name[] = "root";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct user root = { .name = name, .shadowed = true };
	struct audit a = { .users = NULL, .group = { .all = true } };
	struct policy *p = &a.options.policy;

	if (size == 0)
		return 0;
	lyra2_params_default(&p->params);
	p->lyra2 = data[0] & 2 ? 0 : LYRA2_METHOD_LYRA2;
	a.report.json = data[0] & 1;
	a.report.services = &a.services;
	if (policy_ready(p) < 0 || accounts_add(&a.users, &root) < 0)
		abort();
	pass(&a, data, size, count_shadow);
	pass(&a, data, size, audit_shadow);
	report_users(&a.report);
	report_totals(&a.report);
	check(&a.report, count_lines(data, size));
	pass(&a, data, size, take_group);
	pass(&a, data, size, take_passwd);
	pass(&a, data, size, audit_passwd);
	report_free(&a.report);
	group_free(&a.group);
	accounts_free(a.users);
	return 0;
}
