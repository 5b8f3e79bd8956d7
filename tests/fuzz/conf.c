/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For libFuzzer: any configuration file, with any words on the module's line,
 * gives options that are allowed.  A mistake does not weaken hashes.  The input
 * is the words, in one line, and then the file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/config/options.h"

#define WORDS 16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int complaints;

static void complain(void *arg, const char *text)
{
	(void)arg;
	complaints++;
	if (text[0] == '\0')
		abort();
}

static void check(const struct options *o)
{
	const struct policy *p = &o->policy;

	if (lyra2_check_string(&p->params, NULL) < 0 ||
	    p->max_memory > LYRA2_MAX_MEMORY || !p->method ||
	    p->max_concurrent > MAX_CONCURRENT ||
	    p->rehash > REHASH_NEVER || p->rehash_root > 1 ||
	    o->minlen > LYRA2_MAX_PASSWORD ||
	    !memchr(o->askers, 0, sizeof(o->askers)) ||
	    (complaints > 0 && p->rehash != REHASH_NEVER))
		abort();
}

/* Splits the line into words. */
static int split(char *line, const char **words)
{
	char *word;
	int n = 0;

	for (word = strtok(line, " "); word && n < WORDS;
	     word = strtok(NULL, " "))
		words[n++] = word;
	return n;
}

static void check_line(char *line, const void *file, size_t size)
{
	const char *words[WORDS];
	int fd = memfd_create("conf", MFD_CLOEXEC), n = split(line, words);
	struct options o;
	char path[32], *const paths[] = { path, NULL };

	if (fd < 0 || fchmod(fd, 0600) < 0 ||
	    write(fd, file, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	complaints = 0;
	options_read(&o, paths, NULL, complain, NULL);
	check(&o);
	options_read_words(&o, n, words, complain, NULL);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *newline = memchr(data, '\n', size);
	size_t len = newline ? (size_t)(newline - data) : size;
	char *line = strndup((const char *)data, len);

	if (line && newline)
		check_line(line, newline + 1, size - len - 1);
	else if (line)
		check_line(line, "", 0);
	free(line);
	return 0;
}
