/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads the defaults, the configuration file, lines "key = value" and comments
 * after "#", and the module line, and checks the result.
 */
#include "options-table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "paths.h"

#define FILE_BYTES (1 << 20)
#define DEFAULT_MINLEN 6	/* as in Debian's pam_unix(8) */

/* Where it stands, if in the file, and what is wrong. */
__attribute__((format(printf, 2, 3)))
static void complain(struct options_state *s, const char *format, ...)
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

/* Whether this machine keeps to FIPS 140, or it cannot be known. */
static bool is_fips(void)
{
	FILE *f = fopen(PATH_FIPS, "re");
	bool is = f ? getc(f) != '0' : errno != ENOENT;

	if (f)
		fclose(f);
	return is;
}

/* There a login changes nothing, and a new password is as elsewhere. */
static void fips_defaults(struct options *o)
{
	o->policy.rehash = REHASH_LOG_ONLY;
	o->method = METHOD_SYSTEM;
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
	if (is_fips())
		fips_defaults(o);
}

static char *trim(char *text)
{
	static const char blank[] = " \t\r\n\v\f";
	size_t len;

	text += strspn(text, blank);
	len = strlen(text);
	while (len > 0 && strchr(blank, text[len - 1]))
		len--;
	text[len] = '\0';
	return text;
}

static void read_line(struct options_state *s, char *line)
{
	struct option_word w;
	char *value;

	line[strcspn(line, "#")] = '\0';
	line = trim(line);
	if (line[0] == '\0')
		return;
	value = strchr(line, '=');
	if (!value) {
		complain(s, "this line has no \"=\"");
		return;
	}
	*value++ = '\0';
	w.name = trim(line);
	w.value = trim(value);
	switch (options_apply(s, IN_FILE, &w)) {
	case OPTION_UNKNOWN:
		complain(s, "unknown key \"%s\"", w.name);
		break;
	case OPTION_INVALID:
		complain(s, "%s ignored: it %s", w.name, w.why);
		break;
	case OPTION_OK:
		break;
	}
}

static void read_lines(struct options_state *s, FILE *f)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t len;

	while ((len = getline(&line, &size, f)) >= 0) {
		s->line++;
		if (strlen(line) == (size_t)len)
			read_line(s, line);
		else
			complain(s, "this line has a NUL byte");
	}
	s->line = 0;
	if (ferror(f))
		complain(s, "%s", strerror(errno));
	free(line);
}

/* Why the file must not be used, or NULL. */
static const char *refusal(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return strerror(errno);
	if (!S_ISREG(st.st_mode) || st.st_size > FILE_BYTES)
		return "not a regular file, or larger than 1 MiB";
	if (st.st_uid != 0 && st.st_uid != geteuid())
		return "ignored, because it does not belong to root";
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return "ignored, because others can write to it";
	return NULL;
}

static FILE *open_file(const char *path)
{
	/* O_NONBLOCK: otherwise opening a fifo waits for a writer. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");

	if (fd >= 0 && !f)
		close(fd);
	return f;
}

static void read_file(struct options_state *s, FILE *f, bool must_exist)
{
	const char *why;

	if (!f && errno == ENOENT && !must_exist)
		return;
	why = f ? refusal(fileno(f)) : strerror(errno);
	if (why)
		complain(s, "%s", why);
	else
		read_lines(s, f);
	if (f)
		fclose(f);
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

/* What the machine's own tools make, if that is a method here. */
static uint32_t system_method(void)
{
	FILE *f = fopen(PATH_LOGIN_DEFS, "re");
	uint32_t method = METHOD_SYSTEM;
	char line[256], word[32];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, " ENCRYPT_METHOD %31s", word) == 1)
			method = options_login_defs(word);
	if (f)
		fclose(f);
	return method;
}

/* The way back never leads below what libcrypt would do by itself. */
static void check_method(struct options_state *s)
{
	const struct option_method *m = options_method(
		s->o->method == METHOD_SYSTEM ? system_method() :
		s->o->method);
	struct policy *p = &s->o->policy;

	snprintf(p->prefix, sizeof(p->prefix), "%s", m->prefix);
	if (p->crypt_cost >= m->cost && m->cost != 0)
		return;
	if (p->crypt_cost != 0 && m->cost != 0)
		complain(s, "crypt_cost is below the default of %s, %u; using "
			 "that", m->name, m->cost);
	p->crypt_cost = 0;
}

static void check_params(struct options_state *s)
{
	struct policy *p = &s->o->policy;
	char why[256];

	if (lyra2_check_string(&p->params, why, sizeof(why)) < 0) {
		complain(s, "parameters of new hashes refused (%s); "
			 "using the defaults", why);
		lyra2_params_init(&p->params);
	}
	lyra2_params_fill(&p->params);
	if (lyra2_memory(&p->params) > p->max_memory) {
		complain(s, "max_memory raised, because new hashes take more");
		p->max_memory = lyra2_memory(&p->params);
	}
}

static void check(struct options_state *s)
{
	check_params(s);
	check_method(s);
	/* A typo must not turn good hashes into weaker ones. */
	if (s->complained)
		s->o->policy.rehash = REHASH_NEVER;
}

void options_read_file(struct options *o, FILE *f, const char *path,
		       options_complain *report, void *arg)
{
	struct options_state s = {
		.o = o, .path = path, .complain = report, .arg = arg
	};

	defaults(o);
	read_file(&s, f, true);
	s.path = NULL;
	check(&s);
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
	s.path = o->conf;
	read_file(&s, open_file(s.path), named);
	s.path = NULL;
	for (i = 0; i < argc; i++)
		read_word(&s, argv[i]);
	check(&s);
}
