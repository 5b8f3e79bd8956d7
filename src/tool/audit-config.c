/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 audit --config: what the module is told, and by which line. */
#include "audit-config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config-warnings.h"
#include "names.h"
#include "report.h"
#include "tool.h"

static char trial_path[32];	/* what the lines of trial are read from */
static bool trial_is_wrong;

/* The file that the administrator knows, or the option. */
static const char *path_name(const char *path)
{
	return strcmp(path, trial_path) == 0 ? "--set" : path;
}

static void put_option(bool json, const char *name,
		       const char *value, const char *path, unsigned line)
{
	if (!json) {
		printf("%-14s  %-14s  %s", name, *value ? value : "-",
		       path ? path_name(path) : "default");
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
	report_json_text(path_name(path));
	printf(",\"line\":%u}", line);
}

static void put_options(bool json, const struct options_written *w,
			const struct names *wrong, const struct names *warnings)
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
	if (json) {
		printf("},\"wrong\":%s", w->wrong ? "true" : "false");
		putchar(',');
		report_json_names("mistakes", wrong);
		putchar(',');
		report_json_names("warnings", warnings);
		puts("}");
	} else if (w->wrong) {
		printf("Until the files are right, no hash is replaced, and "
		       "new ones get\nthe method of the system.\n");
	}
}

static bool is_trial(const char *text)
{
	const size_t len = strlen(trial_path);

	return len > 0 && strncmp(text, trial_path, len) == 0;
}

/* Prints a line about a file, and keeps it for JSON. */
static void say(struct names *said, const char *kind, const char *text)
{
	char line[1024];

	snprintf(line, sizeof(line), "%s%s", is_trial(text) ? "--set" : "",
		 is_trial(text) ? text + strlen(trial_path) : text);
	tool_error(TOOL_INPUT, "%s%s", kind, line);
	(void)names_add(said, line);
}

/*
 * lyra2d logs what is wrong in its files and continues, as we do.  In trial it
 * is a wrong argument.
 */
static void complain(void *arg, const char *text)
{
	trial_is_wrong = trial_is_wrong || is_trial(text);
	say(arg, "", text);
}

static void warn(void *arg, const char *text)
{
	say(arg, "warning: ", text);
}

/* Makes a file of the lines, which the reader takes as the last one. */
static int add_trial(const char *trial, glob_t *files)
{
	int fd = memfd_create("trial", MFD_CLOEXEC);

	if (fd < 0)
		return -1;
	snprintf(trial_path, sizeof(trial_path), "/proc/self/fd/%d", fd);
	if (fchmod(fd, 0600) == 0 &&
	    write(fd, trial, strlen(trial)) == (ssize_t)strlen(trial) &&
	    access(trial_path, R_OK) == 0 &&		/* /proc is there */
	    glob(trial_path, GLOB_APPEND | GLOB_NOCHECK, NULL, files) == 0)
		return fd;
	close(fd);
	return -1;
}

int config_read(struct options *o, const char *trial, bool print, bool json)
{
	struct names wrong = { NULL, 0 }, warnings = { NULL, 0 };
	struct options_written written;
	int status, fd = -1;
	glob_t files;

	options_files(&files);
	if (*trial && files.gl_pathv) {
		fd = add_trial(trial, &files);
		if (fd < 0)
			return tool_errno("--set");
	}
	status = options_read(o, files.gl_pathv, &written, complain,
			      &wrong) < 0 ? TOOL_SYSTEM : TOOL_YES;
	if (print && status == TOOL_YES) {
		config_warnings(o, &written, files.gl_pathv, warn, &warnings);
		put_options(json, &written, &wrong, &warnings);
		status = written.wrong ? TOOL_INPUT :
			warnings.n > 0 ? TOOL_NO : TOOL_YES;
	}
	if (status == TOOL_YES && trial_is_wrong)
		status = TOOL_INPUT;
	names_free(&wrong);
	names_free(&warnings);
	if (files.gl_pathv)
		globfree(&files);
	if (fd >= 0)
		close(fd);
	return status;
}
