/* SPDX-License-Identifier: BSD-2-Clause */
/* A picture of the results, drawn by gnuplot. */
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* A line for each cost, a column for each build. */
static void bars(FILE *f, const struct table *t)
{
	size_t i, builds = 0;

	while (builds < t->n && same_cost(t->cells[builds], t->cells[0]))
		builds++;
	fputs("$bars << EOD\n", f);
	for (i = 0; i < t->n; i++) {
		if (i % builds == 0)
			cost(f, t->cells[i]);
		fprintf(f, " %f%s", t->cells[i][6].number,
			(i + 1) % builds ? "" : "\n");
	}
	fputs("EOD\nset title \"Time, normalised\"\nset key outside below\n"
	      "set style data histograms\nset style fill solid 0.8\n"
	      "set xtics\nset yrange [0:*]\nset ylabel \"\"\n"
	      "plot", f);
	for (i = 0; i < builds; i++) {
		fprintf(f, "%s $bars using %zu:xtic(1) title ", i ? "," : "",
			i + 2);
		quoted(f, t->cells[i][2].text);
	}
	putc('\n', f);
}

static void curve(FILE *f, const struct table *t)
{
	size_t i;

	fputs("$memory << EOD\n", f);
	for (i = 0; i < t->n; i++)
		fprintf(f, "%f %f\n", t->cells[i][0].number,
			t->cells[i][2].number);
	fputs("EOD\nset title \"Time against memory\"\nset key off\n"
	      "set logscale x 2\nset logscale y 10\n"
	      "set xlabel \"MiB\"\nset ylabel \"ms\"\n"
	      "set xrange [*:*]\nset yrange [*:*]\n"
	      "set xtics auto\nset format \"%g\"\n"
	      "plot $memory using 1:2 with linespoints pointtype 7\n", f);
}

static void script(FILE *f, const struct table *spread,
		   const struct table *memory)
{
	const int panels = (spread != NULL) + (memory != NULL);

	fprintf(f, "set terminal svg size %d,480 background \"white\"\n"
		"set multiplot layout 1,%d\nset grid y\nset encoding utf8\n",
		640 * panels, panels);
	if (spread)
		bars(f, spread);
	if (memory)
		curve(f, memory);
	fputs("unset multiplot\n", f);
}

/* 0, or -1 with errno; gnuplot itself would not tell of a full disk. */
static int copy_to(const char *path, FILE *picture)
{
	FILE *f = fopen(path, "we");
	char bytes[4096];
	size_t n;
	bool failed;

	if (!f)
		return -1;
	rewind(picture);
	while ((n = fread(bytes, 1, sizeof(bytes), picture)) > 0 &&
	       fwrite(bytes, 1, n, f) == n)
		;
	failed = ferror(picture) || ferror(f);
	return fclose(f) == EOF || failed ? -1 : 0;
}

static bool draw(FILE *picture, const struct table *spread,
		 const struct table *memory)
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
		script(f, spread, memory);
	if (f)
		fclose(f);
	else
		close(ends[1]);
	return pid > 0 && finish(pid) && told;
}

int bench_plot(const char *path, const struct table *spread,
	       const struct table *memory)
{
	FILE *picture = tmpfile();
	int status = TOOL_YES;

	if (!picture)
		return tool_errno("--plot");
	if (!draw(picture, spread, memory))
		status = tool_error(TOOL_SYSTEM, "--plot: gnuplot did not "
				    "draw %s", path);
	else if (copy_to(path, picture) < 0)
		status = tool_error(TOOL_SYSTEM, "--plot: %s: %s", path,
				    strerror(errno));
	fclose(picture);
	return status;
}
