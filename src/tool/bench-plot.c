/* SPDX-License-Identifier: BSD-2-Clause */
/* A picture of the results, drawn by gnuplot. */
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config.h"
#include "tool.h"

extern char **environ;

/* Starts gnuplot with these ends; -1 with errno. */
static pid_t start(int in, int out)
{
	static char name[] = "gnuplot";
	char *const argv[] = { name, NULL };
	posix_spawn_file_actions_t actions;
	pid_t pid = -1;
	int error = posix_spawn_file_actions_init(&actions);

	if (error == 0)
		error = posix_spawn_file_actions_adddup2(&actions, in, 0);
	if (error == 0)
		error = posix_spawn_file_actions_adddup2(&actions, out, 1);
	if (error == 0)
		error = posix_spawnp(&pid, name, &actions, NULL, argv,
				     environ);
	posix_spawn_file_actions_destroy(&actions);
	errno = error;
	return error ? -1 : pid;
}

static bool finish(pid_t pid)
{
	int how;

	return waitpid(pid, &how, 0) == pid && how == 0;
}

static bool can_run(void)
{
	const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	const pid_t pid = null < 0 ? -1 : start(null, null);

	if (null >= 0)
		close(null);
	return pid > 0 && finish(pid);
}

/* Leaves no empty file: nothing may come to be drawn. */
static bool can_write(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd >= 0)
		unlink(path);
	else if (errno == EEXIST)
		fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

bool bench_can_plot(const char *path)
{
	if (!can_run()) {
		tool_error(TOOL_SYSTEM, "--plot: gnuplot can't be run; "
			   "install gnuplot (Debian: gnuplot-nox)");
		return false;
	}
	if (!can_write(path)) {
		tool_error(TOOL_SYSTEM, "--plot: %s: %s", path,
			   strerror(errno));
		return false;
	}
	return true;
}

/* Text between quotes of gnuplot, which has no use for ours. */
static void quoted(FILE *f, const char *s)
{
	putc('"', f);
	for (; *s; s++)
		putc(*s == '"' || *s == '\\' || (unsigned char)*s < 0x20 ?
		     ' ' : *s, f);
	putc('"', f);
}

static bool same_cost(const struct cell *a, const struct cell *b)
{
	return a[0].count == b[0].count && a[1].count == b[1].count;
}

static void cost(FILE *f, const struct cell *row)
{
	const unsigned int rows = (unsigned int)row[0].count;
	const unsigned int t_cost = (unsigned int)row[1].count;

	if (rows == t_cost)
		fprintf(f, "R=T=%u", rows);
	else
		fprintf(f, "\"R=%u T=%u\"", rows, t_cost);
}

/* Of the processor, as Linux says it; or of the architecture. */
static void cpu_name(char *name, size_t size)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	struct utsname system;
	char line[256], *colon = NULL;

	snprintf(name, size, "%s", uname(&system) == 0 ? system.machine : "?");
	while (f && fgets(line, sizeof(line), f))
		if (strncmp(line, "model name", 10) == 0 &&
		    (colon = strchr(line, ':')) != NULL)
			break;
	if (colon)
		snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"),
			 colon + 2);
	if (f)
		fclose(f);
}

/* A line for each cost, a column for each build: its time over ours. */
static void bars(FILE *f, const struct table *t)
{
	size_t i, builds = 0;

	while (builds < t->n && same_cost(t->cells[builds], t->cells[0]))
		builds++;
	fputs("$bars << EOD\n", f);
	for (i = 0; i < t->n; i++) {
		if (i % builds == 0)
			cost(f, t->cells[i]);
		fprintf(f, " %f%s", t->cells[i][3].number /
			t->cells[i - i % builds][3].number,
			(i + 1) % builds ? "" : "\n");
	}
	fputs("EOD\nset title \"The same hash by other builds\"\n"
	      "set key outside below\nset style data histograms\n"
	      "set style fill solid 0.8\nset xtics\nset yrange [0:*]\n"
	      "set xlabel \"rows R, passes T\"\n"
	      "set ylabel \"time / ours\"\nplot", f);
	for (i = 0; i < builds; i++) {
		fprintf(f, "%s $bars using %zu:xtic(1) title ", i ? "," : "",
			i + 2);
		quoted(f, t->cells[i][2].text);
	}
	putc('\n', f);
}

static bool has_numbers(const struct table *t, size_t column)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		if (t->cells[i][column].type == CELL_NUMBER)
			return true;
	return false;
}

/* A line of the table for each size, a curve for each of its columns. */
static void curves(FILE *f, const struct table *t)
{
	size_t i, j;

	fputs("$sizes << EOD\n", f);
	for (i = 0; i < t->n; i++)
		for (j = 0; t->columns[j].key; j++) {
			if (t->cells[i][j].type == CELL_NUMBER)
				fprintf(f, "%f", t->cells[i][j].number);
			else
				putc('?', f);
			putc(t->columns[j + 1].key ? ' ' : '\n', f);
		}
	fputs("EOD\nset title \"Time against memory, new for each hash\"\n"
	      "set key outside below\nset datafile missing \"?\"\n"
	      "set logscale x 2\nset logscale y 10\n"
	      "set xlabel \"memory, MiB\"\nset ylabel \"time, ms\"\n"
	      "set xrange [*:*]\nset yrange [*:*]\n"
	      "set xtics auto\nset format \"%g\"\nplot", f);
	for (j = 1; t->columns[j].key; j++) {
		if (!has_numbers(t, j))
			continue;
		fprintf(f, "%s $sizes using 1:%zu with linespoints pointtype 7 "
			"pointsize 0.5 title ", j > 1 ? "," : "", j + 1);
		quoted(f, t->columns[j].title);
	}
	putc('\n', f);
}

static void script(FILE *f, const char *title, const struct table *spread,
		   const struct table *sizes)
{
	const int panels = (spread != NULL) + (sizes != NULL);

	fprintf(f, "set terminal svg noenhanced size %d,520 "
		"background \"white\"\nset encoding utf8\n"
		"set multiplot layout 1,%d title ", 640 * panels, panels);
	quoted(f, title);
	fputs("\nset grid y\nset bmargin 7\n", f);
	if (spread)
		bars(f, spread);
	if (sizes)
		curves(f, sizes);
	fputs("unset multiplot\n", f);
}

/* Text of XML. */
static void escaped(FILE *f, const char *s)
{
	for (; *s; s++)
		if (strchr("<>&", *s))
			fprintf(f, "&#%d;", *s);
		else
			putc(*s, f);
}

/*
 * 0, or -1 with errno; gnuplot itself would not tell of a full disk, and gives
 * every picture its own name as the title.
 */
static int copy_to(const char *path, FILE *picture, const char *title)
{
	static const char theirs[] = "<title>Gnuplot</title>\n";
	FILE *f = fopen(path, "we");
	char *line = NULL;
	size_t size = 0;
	bool failed;

	if (!f)
		return -1;
	rewind(picture);
	while (getline(&line, &size, picture) > 0) {
		if (strcmp(line, theirs) != 0) {
			fputs(line, f);
			continue;
		}
		fputs("<title>", f);
		escaped(f, title);
		fputs("</title>\n", f);
	}
	free(line);
	failed = ferror(picture) || ferror(f);
	return fclose(f) == EOF || failed ? -1 : 0;
}

static bool draw(FILE *picture, const char *title, const struct table *spread,
		 const struct table *sizes)
{
	int ends[2];
	bool told;
	pid_t pid;
	FILE *f;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return false;
	pid = start(ends[0], fileno(picture));
	close(ends[0]);
	f = fdopen(ends[1], "w");
	/* If gnuplot dies, its exit status tells. */
	signal(SIGPIPE, SIG_IGN);
	told = f && pid > 0;
	if (told)
		script(f, title, spread, sizes);
	if (f)
		fclose(f);
	else
		close(ends[1]);
	return pid > 0 && finish(pid) && told;
}

int bench_plot(const char *path, const struct table *spread,
	       const struct table *sizes)
{
	FILE *picture = tmpfile();
	char cpu[128], title[192];
	int status = TOOL_YES;

	if (!picture)
		return tool_errno("--plot");
	cpu_name(cpu, sizeof(cpu));
	snprintf(title, sizeof(title), "lyra2 %s, kernel %s, on one core: %s",
		 PACKAGE_VERSION, lyra2_kernel(), cpu);
	if (!draw(picture, title, spread, sizes))
		status = tool_error(TOOL_SYSTEM, "--plot: gnuplot did not "
				    "draw %s", path);
	else if (copy_to(path, picture, title) < 0)
		status = tool_error(TOOL_SYSTEM, "--plot: %s: %s", path,
				    strerror(errno));
	fclose(picture);
	return status;
}
