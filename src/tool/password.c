/* SPDX-License-Identifier: BSD-2-Clause */
/* Passwords from the terminal or standard input. */
#include "password.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "tool.h"
#include "wipe.h"

/* Signals that would end or stop the program while echo is off. */
static const int signals[] = {
	SIGALRM, SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGTSTP
};

enum { SIGNALS = sizeof(signals) / sizeof(signals[0]) };

static volatile sig_atomic_t caught;

static void on_signal(int sig)
{
	caught = sig;
}

/* Signals that are ignored, as under nohup(1), stay ignored. */
static void catch(struct sigaction old[SIGNALS])
{
	const struct sigaction action = { .sa_handler = on_signal };
	int i;

	for (i = 0; i < SIGNALS; i++) {
		sigaction(signals[i], NULL, &old[i]);
		if (old[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
}

static void release(const struct sigaction old[SIGNALS])
{
	int i;

	for (i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &old[i], NULL);
}

/*
 * One line, without its newline, straight into the caller's buffer: stdio
 * would keep a copy.  END ends the line of a prompt.
 */
static int read_line(char password[LYRA2_MAX_PASSWORD + 1], size_t *len,
		     const char *end)
{
	size_t n = 0;
	ssize_t got;
	char c = '\0';

	while ((got = read(STDIN_FILENO, &c, 1)) == 1 && c != '\n' &&
	       c != '\0' && n < LYRA2_MAX_PASSWORD)
		password[n++] = c;
	fputs(end, stderr);
	if (got < 0)
		return caught ? TOOL_SYSTEM : tool_errno("standard input");
	if (got == 0 && n == 0)
		return tool_error(TOOL_INPUT, *end ? "password: none typed" :
				  "password: none on standard input");
	if (got == 1 && c == '\0')
		return tool_error(TOOL_INPUT, "password: contains a NUL byte, "
				  "which crypt(3) cannot accept");
	if (got == 1 && c != '\n')
		return tool_error(TOOL_INPUT, "password: longer than %d bytes",
				  LYRA2_MAX_PASSWORD);
	password[n] = '\0';
	*len = n;
	return TOOL_YES;
}

/* read_line() with a prompt, without echo, which is always restored. */
static int ask(const char *prompt, char password[LYRA2_MAX_PASSWORD + 1],
	       size_t *len)
{
	struct sigaction old[SIGNALS];
	struct termios echo, quiet;
	int status;

	caught = 0;
	if (tcgetattr(STDIN_FILENO, &echo) < 0)
		return tool_errno("terminal");
	catch(old);
	quiet = echo;
	quiet.c_lflag &= ~(tcflag_t)(ECHO | ECHONL);
	fputs(prompt, stderr);
	if (tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet) < 0)
		status = tool_errno("terminal");
	else
		status = read_line(password, len, "\n");
	tcsetattr(STDIN_FILENO, TCSAFLUSH, &echo);
	release(old);
	return status;
}

static int ask_twice(char password[LYRA2_MAX_PASSWORD + 1], size_t *len)
{
	char again[LYRA2_MAX_PASSWORD + 1];
	size_t n = 0;
	int status = ask("New password: ", password, len);

	if (status != TOOL_YES || caught)
		return status;
	status = ask("Retype new password: ", again, &n);
	if (status == TOOL_YES && (n != *len || memcmp(password, again, n)))
		status = tool_error(TOOL_INPUT, "passwords do not match");
	lyra2_wipe(again, sizeof(again));
	return status;
}

static int read_once(bool new, char password[LYRA2_MAX_PASSWORD + 1],
		     size_t *len)
{
	int status;

	if (!isatty(STDIN_FILENO))
		return read_line(password, len, "");
	do {
		status = new ? ask_twice(password, len) :
			       ask("Password: ", password, len);
		if (!caught)
			break;
		/* The signal may leave a core file. */
		lyra2_wipe(password, LYRA2_MAX_PASSWORD + 1);
		status = TOOL_SYSTEM;
		raise(caught);
	} while (caught == SIGTSTP);
	return status;
}

int password_read(bool new, char password[LYRA2_MAX_PASSWORD + 1],
		  size_t *len)
{
	int status = read_once(new, password, len);

	if (new && status == TOOL_YES && *len == 0)
		tool_error(TOOL_INPUT, "warning: the password is empty");
	return status;
}
