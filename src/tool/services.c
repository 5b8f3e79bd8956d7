/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads the PAM services as libpam does: a file of /etc/pam.d hides one of the
 * same name in the vendor's directories, and lines include other files.  Where
 * there is no directory, /etc/pam.conf has the services.
 */
#include "services.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "architectures.h"
#include "src/config/pam-line.h"

#define MODULE "pam_lyra2.so"
#define FILE_BYTES (1 << 20)
#define PAM_CONF "/etc/pam.conf"

/* It has the same source as Debian's libpam. */
#define DEBIAN "/usr/sbin/pam-auth-update"

/* In libpam's order; the last one is SUSE's. */
static const char *const folders[] = {
	"/etc/pam.d", "/usr/lib/pam.d", "/usr/etc/pam.d"
};
enum { FOLDERS = sizeof(folders) / sizeof(folders[0]) };
enum { MAX_LEVEL = 16 };	/* PAM_SUBSTACK_MAX_LEVEL */
enum { HAS_UNIX = 1, HAS_MODULE = 2, LACKS_MODULE = 4 };

/* Returns the text of a regular file.  A FIFO must not make this wait. */
static char *read_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	char *text = NULL;
	struct stat st;
	ssize_t n = -1;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_size <= FILE_BYTES)
		text = calloc(1, (size_t)st.st_size + 1);
	if (text)
		n = read(fd, text, (size_t)st.st_size);
	close(fd);
	if (n >= 0)
		return text;
	free(text);
	return NULL;
}

/* Debian's libpam looks for what a line includes in /etc/pam.d only. */
static char *read_service(const char *name, bool included)
{
	const int n = included && access(DEBIAN, F_OK) == 0 ? 1 : FOLDERS;
	char path[PATH_MAX], *text = NULL;
	int i;

	if (*name == '/')
		return read_file(name);
	for (i = 0; i < n && !text; i++)
		if (snprintf(path, sizeof(path), "%s/%s", folders[i], name) <
		    (int)sizeof(path))
			text = read_file(path);
	return text;
}

/* A path from the root counts for itself, others are in libpam's directory. */
static bool is_there(const char *module)
{
	return *module == '/' ? access(module, F_OK) == 0 :
		architectures_have_module();
}

static unsigned what_is(const char *module)
{
	const char *name = pam_line_module(module);

	if (strcmp(name, "pam_unix.so") == 0)
		return HAS_UNIX;
	if (strcmp(name, MODULE) != 0)
		return 0;
	return is_there(module) ? HAS_MODULE : LACKS_MODULE;
}

static unsigned read_stack(const char *name, int level);

static unsigned read_line(char *line, int level)
{
	const char *type = pam_line_word(&line), *control, *module;

	if (!type)
		return 0;
	control = pam_line_word(&line);
	if (control && strcasecmp(type, "@include") == 0)
		return read_stack(control, level + 1);
	module = pam_line_word(&line);
	if (!module || !pam_line_is(type, "auth"))
		return 0;
	if (strcasecmp(control, "include") == 0 ||
	    strcasecmp(control, "substack") == 0)
		return read_stack(module, level + 1);
	return what_is(module);
}

/* Returns which modules a file has, in it or included. */
static unsigned read_stack(const char *name, int level)
{
	char *text = level < MAX_LEVEL ? read_service(name, level > 0) : NULL;
	char *rest = text, *line;
	unsigned has = 0;

	while (rest && (line = pam_line_next(&rest)))
		has |= read_line(line, level);
	free(text);
	return has;
}

/* Copies that an editor or a package manager leaves are services of nobody. */
static int is_service(const struct dirent *entry)
{
	static const char *const copies[] = {
		".*", "*~", "*.bak", "*.old", "*.orig", "*.save", "*.dpkg-*",
		"*.pam-old", "*.rpm*", "*.ucf-*"
	};
	size_t i;

	for (i = 0; i < sizeof(copies) / sizeof(copies[0]); i++)
		if (fnmatch(copies[i], entry->d_name, 0) == 0)
			return 0;
	return 1;
}

static int sort_in(struct services *s, const char *name, unsigned has)
{
	if (has & HAS_MODULE)
		return names_add(&s->with, name);
	if ((has & LACKS_MODULE) && names_add(&s->broken, name) < 0)
		return -1;
	return has & HAS_UNIX ? names_add(&s->without, name) : 0;
}

static int read_folder(struct services *s, struct names *seen,
		       const char *path)
{
	struct dirent **list;
	int n = scandir(path, &list, is_service, alphasort), i, failed = 0;

	if (n < 0)
		return errno == ENOMEM ? -1 : 0;
	for (i = 0; i < n; i++) {
		if (!failed && !names_have(seen, list[i]->d_name))
			failed = names_add(seen, list[i]->d_name) < 0 ||
				sort_in(s, list[i]->d_name,
					read_stack(list[i]->d_name, 0)) < 0;
		free(list[i]);
	}
	free(list);
	return failed ? -1 : 0;
}

/* A line of that file begins with the name of its service, in any case. */
static unsigned read_conf_stack(const char *service)
{
	char *text = read_file(PAM_CONF), *rest = text, *line, *name;
	unsigned has = 0;

	while (rest && (line = pam_line_next(&rest))) {
		name = pam_line_word(&line);
		if (name && strcasecmp(name, service) == 0)
			has |= read_line(line, 0);
	}
	free(text);
	return has;
}

static int read_conf(struct services *s, struct names *seen)
{
	char *text = read_file(PAM_CONF), *rest = text, *line, *name, *p;
	int failed = 0;

	while (rest && !failed && (line = pam_line_next(&rest))) {
		name = pam_line_word(&line);
		for (p = name; p && *p; p++)
			*p = (char)tolower((unsigned char)*p);
		if (name && !names_have(seen, name))
			failed = names_add(seen, name) < 0 ||
				sort_in(s, name, read_conf_stack(name)) < 0;
	}
	free(text);
	return failed ? -1 : 0;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

int services_read(struct services *s)
{
	struct names seen = { NULL, 0 };
	bool there = false;
	int i, failed = 0;

	memset(s, 0, sizeof(*s));
	for (i = 0; i < FOLDERS && !failed; i++) {
		failed = read_folder(s, &seen, folders[i]);
		there = there || is_folder(folders[i]);
	}
	if (!failed && !there)
		failed = read_conf(s, &seen);
	names_free(&seen);
	return failed;
}

void services_free(struct services *s)
{
	names_free(&s->with);
	names_free(&s->without);
	names_free(&s->broken);
}
