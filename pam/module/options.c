/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the defaults and the module line, and checks the result. */
#include "options-table.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pam/paths.h"

#define DEFAULT_MINLEN 6	/* as in Debian's pam_unix(8) */

void options_report(struct options_state *s, const char *text)
{
	s->complained = true;
	s->complain(s->arg, text);
}

__attribute__((format(printf, 2, 3)))
static void complain(struct options_state *s, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	options_report(s, text);
}

static void defaults(struct options *o)
{
	memset(o, 0, sizeof(*o));
	lyra2_params_init(&o->policy.params);
	o->policy.max_memory = LYRA2_MAX_MEMORY;
	o->policy.rehash = REHASH_ALWAYS;
	o->policy.rehash_root = ROOT_AUTO;
	o->conf = PATH_CONF;
	o->minlen = DEFAULT_MINLEN;
}

/* One word of the module line; libpam has removed brackets around it. */
static void read_word(struct options_state *s, const char *argument)
{
	struct option_word word;

	switch (options_apply_argument(s, IN_ARGV, argument, &word)) {
	case OPTION_OK:
		break;
	case OPTION_UNKNOWN:
		complain(s, "unrecognized option [%s]", argument);
		break;
	case OPTION_INVALID:
		complain(s, "option [%s] ignored: it %s", argument, word.why);
		break;
	}
}

/* Version 2.5 has only one sponge: it need not be configured. */
static void check_params(struct options_state *s)
{
	struct policy *p = &s->o->policy;
	char why[256];

	if (p->params.version == 25 && !s->sponge_set)
		p->params.sponge = LYRA2_BLAKE2B;
	if (lyra2_check_string(&p->params, why, sizeof(why)) < 0) {
		complain(s, "parameters of new hashes refused (%s); "
			 "using the defaults", why);
		lyra2_params_init(&p->params);
	}
	if (lyra2_memory(&p->params) > p->max_memory) {
		complain(s, "max_memory raised, because new hashes take more");
		p->max_memory = lyra2_memory(&p->params);
	}
}

void options_read(struct options *o, int argc, const char **argv,
		  options_complain *report, void *arg)
{
	struct options_state s = { .o = o, .complain = report, .arg = arg };
	bool named = false;
	int i;

	defaults(o);
	for (i = 0; i < argc; i++) {
		if (strncmp(argv[i], "conf=", 5) != 0)
			continue;
		o->conf = argv[i] + 5;
		named = true;
	}
	conf_file_read(&s, o->conf, named);
	for (i = 0; i < argc; i++)
		read_word(&s, argv[i]);
	check_params(&s);
	/* A typo must not turn good hashes into weaker ones. */
	if (s.complained)
		o->policy.rehash = REHASH_NEVER;
}
