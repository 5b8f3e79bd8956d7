/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads the defaults and the configuration files, lines "key = value" and
 * comments after "#", and checks the result.
 */
#include "options.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "login-defs.h"
#include "paths.h"

#define FILE_BYTES (1 << 20)
#define DEFAULT_MINLEN 6	/* as in Debian's pam_unix(8) */

static void cannot_read(struct options_state *s, const char *path)
{
	s->failed = true;
	options_say(s, "cannot read %s: %s", path, strerror(errno));
}

/* Closes a file that fopen(3) opened.  A missing file is no error. */
static void close_file(struct options_state *s, FILE *f, const char *path)
{
	if (f ? ferror(f) != 0 : errno != ENOENT)
		cannot_read(s, path);
	if (f)
		fclose(f);
}

/* What no line has set yet, as no value of an option is this number. */
#define NOT_SET UINT32_MAX

static void defaults(struct options *o)
{
	memset(o, 0, sizeof(*o));
	lyra2_params_default(&o->policy.params);
	o->policy.max_memory = LYRA2_MAX_MEMORY;
	o->policy.rehash = NOT_SET;
	o->method = NOT_SET;
	o->minlen = DEFAULT_MINLEN;
}

/* No hash is replaced until a line names a method, whatever rehash is. */
static void follow_method(struct options *o)
{
	uint32_t *rehash = &o->policy.rehash;

	if (o->method == NOT_SET) {
		o->method = METHOD_SYSTEM;
		if (*rehash != REHASH_NEVER)
			*rehash = REHASH_LOG_ONLY;
	} else if (*rehash == NOT_SET) {
		*rehash = REHASH_WEAKER;
	}
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
		options_say(s, "this line has no \"=\"");
		return;
	}
	*value++ = '\0';
	w.name = trim(line);
	w.value = trim(value);
	if (options_is_of_new(w.name)) {
		s->method_path = s->path;
		s->method_line = s->line;
	}
	switch (options_apply(s, IN_FILE, &w)) {
	case OPTION_UNKNOWN:
		options_say(s, "unknown key \"%s\"", w.name);
		break;
	case OPTION_INVALID:
		options_say(s, "%s ignored: it %s", w.name, w.why);
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
			options_say(s, "this line has a NUL byte");
	}
	s->line = 0;
	if (!feof(f)) {
		s->failed = true;
		options_say(s, "%s", strerror(errno));
	}
	free(line);
}

/* Returns why the file must not be used, or NULL. */
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

static void read_file(struct options_state *s, const char *path)
{
	FILE *f = open_file(path);
	const char *why;

	s->path = path;
	if (!f && errno == ENOENT)
		return;
	s->failed = s->failed || !f;
	why = f ? refusal(fileno(f)) : strerror(errno);
	if (why)
		options_say(s, "%s", why);
	else
		read_lines(s, f);
	if (f)
		fclose(f);
}

/*
 * Takes method and cost of the system's own passwd(1), if they are known here.
 */
static uint32_t system_method(struct options_state *s)
{
	static const struct {
		const char *path;
		void (*read)(FILE *f, struct login_defs *defs);
	} files[] = {
		{ PATH_LOGIN_DEFS, login_defs_read },
		{ PATH_UNIX_LINE, login_defs_read_line },
		{ PATH_UNIX_LINE_2, login_defs_read_line },
	};
	struct login_defs defs = { .rounds = -1, .factor = -1 };
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		FILE *f = fopen(files[i].path, "re");

		if (f)
			files[i].read(f, &defs);
		close_file(s, f, files[i].path);
	}
	s->o->policy.crypt_cost = defs.cost;
	return options_method_number(defs.method);
}

/* The cost must not be below libcrypt's own default. */
static void check_crypt_cost(struct options_state *s, const struct method *m)
{
	struct policy *p = &s->o->policy;

	if (m->cost == 0)
		p->crypt_cost = 0;
	else if (s->o->method != METHOD_SYSTEM && p->crypt_cost != 0 &&
		 p->crypt_cost < m->cost)
		options_say(s, "crypt_cost is below the default of %s, %u",
			    m->name, m->cost);
}

static const struct method *take_method(struct options_state *s)
{
	const uint32_t number = s->o->method == METHOD_SYSTEM ?
		system_method(s) : s->o->method;
	const struct method *m = options_method(number);
	struct policy *p = &s->o->policy;

	p->lyra2 = m->lyra2;
	snprintf(p->prefix, sizeof(p->prefix), "%s", m->new);
	return m;
}

static void check_method(struct options_state *s)
{
	const struct method *m = take_method(s);
	struct policy *p = &s->o->policy;
	struct lyra2_reason why;

	check_crypt_cost(s, m);
	if (lyra2_check_string(&p->params, &why) < 0) {
		options_say(s, "invalid parameters for new hashes: %s",
			    why.text);
		lyra2_params_default(&p->params);
	}
	if (policy_ready(p) < 0)
		options_say(s, "crypt(3) cannot make %s at this crypt_cost",
			    m->name);
}

/*
 * After a mistake, no hash is replaced.  New passwords get the method of the
 * system, as if no line named one.  If that is the mistake, they get the one
 * that libcrypt prefers, or Lyra2's defaults if libcrypt has no good method.
 */
static void play_safe(struct options_state *s)
{
	struct policy *p = &s->o->policy;

	p->rehash = REHASH_NEVER;
	if (s->o->method != METHOD_SYSTEM) {
		s->o->method = METHOD_SYSTEM;
		(void)take_method(s);
	}
	if (policy_ready(p) == 0)
		return;
	p->lyra2 = 0;
	p->prefix[0] = '\0';
	p->crypt_cost = 0;
	if (policy_ready(p) == 0)
		return;
	lyra2_params_default(&p->params);
	p->lyra2 = LYRA2_METHOD_LYRA2;
	(void)policy_ready(p);
}

/*
 * Returns true for errors that may pass.  A directory that cannot be read for
 * another reason is found when its pattern is opened.
 */
static int stops_glob(const char *path, int error)
{
	(void)path;
	return error == EMFILE || error == ENFILE || error == ENOMEM;
}

void options_files(glob_t *files)
{
	static const char *const patterns[] = {
		PATH_CONF_VENDOR, PATH_CONF, PATH_CONF_PARTS
	};
	int flags = GLOB_NOCHECK;
	size_t i;

	memset(files, 0, sizeof(*files));
	for (i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		if (glob(patterns[i], flags, stops_glob, files) != 0) {
			globfree(files);
			files->gl_pathv = NULL;
			return;
		}
		flags |= GLOB_APPEND;
	}
}

int options_read(struct options *o, char *const *paths,
		 struct options_written *written, options_complain *report,
		 void *arg)
{
	struct options_state s = {
		.o = o, .written = written, .complain = report, .arg = arg
	};

	if (written)
		memset(written, 0, sizeof(*written));
	defaults(o);
	if (!paths) {
		s.failed = true;
		options_say(&s, "no memory or descriptor to list "
			    "the files");
	}
	for (; paths && *paths; paths++)
		read_file(&s, *paths);
	if (written)
		written->lines = *o;
	follow_method(o);
	if (written)
		written->options = *o;
	s.path = s.method_path;
	s.line = s.method_line;
	check_method(&s);
	if (s.complained)
		play_safe(&s);
	if (written)
		written->wrong = s.complained;
	return s.failed ? -1 : 0;
}
