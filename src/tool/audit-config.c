/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 audit --config: what the module is told, and by which line. */
#include "audit-config.h"

#include <stdio.h>

#include "report.h"
#include "tool.h"

static void put_option(bool json, const char *name,
		       const char *value, const char *path, unsigned line)
{
	if (!json) {
		printf("%-14s  %-14s  %s", name, *value ? value : "-",
		       path ? path : "default");
		if (path)
			printf(":%u", line);
		putchar('\n');
		return;
	}
	printf("\"%s\":{\"value\":", name);
	if (*value)
		report_json_text(value);
	else
		printf("null");
	printf(",\"file\":");
	if (!path) {
		printf("null,\"line\":null}");
		return;
	}
	report_json_text(path);
	printf(",\"line\":%u}", line);
}

static void put_options(bool json, const struct options_written *w)
{
	const char *name, *comma = "";
	char text[OPTION_TEXT];
	size_t i;

	if (json)
		printf("{\"options\":{");
	else
		printf("%-14s  %-14s  %s\n", "OPTION", "VALUE", "FROM");
	for (i = 0; (name = options_text(&w->options, i, text)); i++) {
		if (*name == '\0')
			continue;
		if (json)
			printf("%s", comma);
		comma = ",";
		put_option(json, name, text, w->from[i].path, w->from[i].line);
	}
	if (json)
		printf("},\"wrong\":%s}\n", w->wrong ? "true" : "false");
	else if (w->wrong)
		printf("Until the files are right, no hash is replaced, and "
		       "new ones are what\nlibcrypt prefers.\n");
}

/* lyra2d logs what is wrong and continues, as we do. */
static void complain(void *arg, const char *text)
{
	(void)arg;
	tool_error(TOOL_INPUT, "%s", text);
}

int config_read(struct options *o, bool print, bool json)
{
	struct options_written written;
	glob_t files;
	int status;

	options_files(&files);
	status = options_read(o, files.gl_pathv, &written, complain,
			      NULL) < 0 ? TOOL_SYSTEM : TOOL_YES;
	if (print && status == TOOL_YES) {
		put_options(json, &written);
		status = written.wrong ? TOOL_INPUT : TOOL_YES;
	}
	if (files.gl_pathv)
		globfree(&files);
	return status;
}
