/* SPDX-License-Identifier: BSD-2-Clause */
/* What the lyra2 tool reads: passwords, and bytes in hex. */
#include "tool.h"
#include "wipe.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* What would end or stop the program while the terminal is without echo. */
static const int signals[] = {
	SIGALRM, SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGTSTP
};

enum { SIGNALS = sizeof(signals) / sizeof(signals[0]) };

static volatile sig_atomic_t caught;

static void on_signal(int sig)
{
	caught = sig;
}

/* Those that are ignored, as under nohup(1), stay so. */
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
 * would keep a copy.
 */
static int read_line(char password[LYRA2_MAX_PASSWORD + 1], size_t *len)
{
	size_t n = 0;
	ssize_t got;
	char c = '\0';

	while ((got = read(STDIN_FILENO, &c, 1)) == 1 && c != '\n') {
		if (c == '\0')
			return tool_error(TOOL_INPUT, "password: holds a NUL "
					  "byte, which crypt(3) can't take");
		if (n == LYRA2_MAX_PASSWORD)
			return tool_error(TOOL_INPUT, "password: longer than "
					  "%d bytes", LYRA2_MAX_PASSWORD);
		password[n++] = c;
	}
	if (got < 0)
		return caught ? TOOL_SYSTEM : tool_errno("standard input");
	if (got == 0 && n == 0)
		return tool_error(TOOL_INPUT, "password: none on standard "
				  "input");
	password[n] = '\0';
	*len = n;
	return TOOL_YES;
}

/* read_line() with a prompt and no echo, which comes back in any case. */
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
		status = read_line(password, len);
	tcsetattr(STDIN_FILENO, TCSAFLUSH, &echo);
	putc('\n', stderr);
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

int tool_password(bool new, char password[LYRA2_MAX_PASSWORD + 1],
		  size_t *len)
{
	int status;

	if (!isatty(STDIN_FILENO))
		return read_line(password, len);
	do {
		status = new ? ask_twice(password, len) :
			       ask("Password: ", password, len);
		if (!caught)
			break;
		/* It may leave a core file. */
		lyra2_wipe(password, LYRA2_MAX_PASSWORD + 1);
		status = TOOL_SYSTEM;
		raise(caught);
	} while (caught == SIGTSTP);
	return status;
}

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

int tool_hex(const char *field, const char *hex, uint8_t **bytes, size_t *n)
{
	const size_t digits = strlen(hex);
	size_t i;

	if (digits % 2 != 0)
		return tool_error(TOOL_INPUT, "%s: %zu hex digits are not an "
				  "even number", field, digits);
	*bytes = malloc(digits / 2 + 1);
	if (!*bytes)
		return tool_errno(field);
	for (i = 0; i < digits; i++) {
		const int v = hex_value(hex[i]);

		if (v < 0) {
			lyra2_wipe(*bytes, digits / 2 + 1);
			free(*bytes);
			*bytes = NULL;
			return tool_error(TOOL_INPUT, "%s: character %zu is "
					  "no hex digit", field, i + 1);
		}
		if (i % 2 == 0)
			(*bytes)[i / 2] = (uint8_t)(v << 4);
		else
			(*bytes)[i / 2] |= (uint8_t)v;
	}
	*n = digits / 2;
	return TOOL_YES;
}

void tool_put_hex(FILE *f, const uint8_t *bytes, size_t n)
{
	while (n-- > 0)
		fprintf(f, "%02x", *bytes++);
}
