/* SPDX-License-Identifier: BSD-2-Clause */
/* options.c - defaults, the words of the module line, and their check. */
#include "options-table.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "paths.h"

__attribute__((format(printf, 2, 3)))
static void complain(struct options_state *s, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	s->complain(s->arg, text);
}

static void defaults(struct options *o)
{
	memset(o, 0, sizeof(*o));
	lyra2_params_init(&o->policy.params);
	o->policy.max_memory = LYRA2_MAX_MEMORY;
	o->policy.rehash = REHASH_ALWAYS;
	o->policy.rehash_root = ROOT_AUTO;
	o->conf = PATH_CONF;
}

/* One word of the module line; libpam has joined what stood in brackets. */
static void read_word(struct options_state *s, const char *word)
{
	const char *value = strchr(word, '=');
	size_t len = value ? (size_t)(value - word) : strlen(word);
	char name[32], why[128];
	enum option_result result = OPTION_UNKNOWN;

	if (len < sizeof(name)) {
		memcpy(name, word, len);
		name[len] = '\0';
		result = option_apply(s, IN_ARGV, name,
				      value ? value + 1 : NULL, why,
				      sizeof(why));
	}
	if (result == OPTION_UNKNOWN)
		complain(s, "unrecognized option [%s]", word);
	if (result == OPTION_INVALID)
		complain(s, "option [%s] ignored: it %s", word, why);
}

/* Whether they make a string that we would accept again. */
static int usable(const struct lyra2_params *params, char *why, size_t size)
{
	static const char salt[16];
	char setting[LYRA2_MAX_STRING];
	struct lyra2_params parsed;

	if (lyra2_check(params, why, size))
		return 0;
	snprintf(why, size, "no string can carry them");
	return lyra2_gensalt(params, salt, sizeof(salt), setting,
			     sizeof(setting)) == 0 &&
		lyra2_parse(setting, &parsed, why, size) == 0;
}

/* What is left unsaid follows from the version, as in a string. */
static void check_params(struct options_state *s)
{
	struct policy *p = &s->o->policy;
	char why[256];

	if (p->params.version == 25 && !s->sponge_set)
		p->params.sponge = LYRA2_BLAKE2B;
	if (!usable(&p->params, why, sizeof(why))) {
		complain(s, "parameters of new hashes refused (%s), the "
			 "defaults stand", why);
		lyra2_params_init(&p->params);
	}
	if (lyra2_memory(&p->params) > p->max_memory) {
		complain(s, "max_memory raised: new hashes take more");
		p->max_memory = lyra2_memory(&p->params);
	}
}

void options_read(struct options *o, int argc, const char **argv,
		  options_complain *report, void *arg)
{
	struct options_state s = { .o = o, .complain = report, .arg = arg };
	int i, named = 0;

	defaults(o);
	for (i = 0; i < argc; i++) {
		if (strncmp(argv[i], "conf=", 5) != 0)
			continue;
		o->conf = argv[i] + 5;
		named = 1;
	}
	config_read(&s, o->conf, named);
	for (i = 0; i < argc; i++)
		read_word(&s, argv[i]);
	check_params(&s);
}
