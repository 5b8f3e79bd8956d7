/* SPDX-License-Identifier: BSD-2-Clause */
/* A bar on the terminal for work that takes longer than a second. */
#include "progress.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 30 };

static const char clear_line[] = "\r\033[K";
static const int signals[] = { SIGHUP, SIGINT, SIGTERM };

static struct {
	char label[64];
	uint64_t step, total;
	time_t begun, shown;
	bool on;
} bar;

static time_t seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

/* The bar must not stay before the shell's prompt. */
static void on_signal(int sig)
{
	ssize_t n = write(STDERR_FILENO, clear_line, sizeof(clear_line) - 1);

	(void)n;
	raise(sig);	/* SA_RESETHAND: now it ends the process */
}

static void catch(void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler }, old;
	size_t i;

	if (handler != SIG_DFL)
		action.sa_flags = (int)(SA_RESETHAND | SA_NODEFER);
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (sigaction(signals[i], NULL, &old) == 0 &&
		    old.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
}

void progress_begin(const char *label, uint64_t total)
{
	if (!isatty(STDERR_FILENO))
		return;
	snprintf(bar.label, sizeof(bar.label), "%s", label);
	bar.step = 0;
	bar.total = total ? total : 1;
	bar.begun = bar.shown = seconds();
	bar.on = true;
	catch(on_signal);
}

void progress_step(void)
{
	const time_t now = seconds();
	int done;

	if (!bar.on)
		return;
	if (bar.step < bar.total)
		bar.step++;
	if (now == bar.shown)
		return;
	bar.shown = now;
	done = (int)(bar.step * WIDTH / bar.total);
	fprintf(stderr, "%s%s [%.*s%*s] %3d%% %ld s", clear_line, bar.label,
		done, "##############################", WIDTH - done, "",
		(int)(bar.step * 100 / bar.total), (long)(now - bar.begun));
}

void progress_end(void)
{
	if (!bar.on)
		return;
	if (bar.shown != bar.begun)
		fputs(clear_line, stderr);
	bar.on = false;
	catch(SIG_DFL);
}
