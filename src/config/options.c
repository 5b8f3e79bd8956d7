/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the words of the module line. */
#include "options.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void options_say(struct options_state *s, const char *format, ...)
{
	char text[512] = "";
	size_t n;
	va_list args;

	if (s->line)
		snprintf(text, sizeof(text), "%s:%u: ", s->path, s->line);
	else if (s->path)
		snprintf(text, sizeof(text), "%s: ", s->path);
	n = strlen(text);
	va_start(args, format);
	vsnprintf(text + n, sizeof(text) - n, format, args);
	va_end(args);
	s->complained = true;
	s->complain(s->arg, text);
}

/*
 * Reads one word of the module's line.  libpam has removed brackets around it.
 */
static void read_word(struct options_state *s, const char *argument)
{
	struct option_word word;

	switch (options_apply_argument(s, IN_ARGV, argument, &word)) {
	case OPTION_OK:
		break;
	case OPTION_UNKNOWN:
		options_say(s, "unrecognized option [%s]", argument);
		break;
	case OPTION_INVALID:
		options_say(s, "option [%s] ignored: it %s", argument,
			    word.why);
		break;
	}
}

void options_read_words(struct options *o, int argc, const char **argv,
			options_complain *report, void *arg)
{
	struct options_state s = { .o = o, .complain = report, .arg = arg };
	int i;

	memset(o, 0, sizeof(*o));
	for (i = 0; i < argc; i++)
		read_word(&s, argv[i]);
	o->before_unix = o->before_unix || o->skip_unix;
}
