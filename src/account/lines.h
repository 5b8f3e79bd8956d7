/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The one reader of /etc/passwd, /etc/group and /etc/shadow: lines, and fields
 * between colons.
 *
 * A line is what libc sees: without blanks before it, up to the first NUL byte,
 * and empty if it is a comment.  A line that libc cannot read does not exist
 * for libc, so the first one of a name that it can read counts.
 *
 * Not getline(3): it leaves copies of hashes in freed memory, and has no limit.
 * Nothing here is static, because applications have threads.
 */
#ifndef PAM_LYRA2_LINES_H
#define PAM_LYRA2_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINES_MAX (16 << 20)	/* bytes of a line that are read */
#define LINES_REASON 192	/* bytes of a sentence about a line */

struct piece {
	const char *at;
	size_t len;
};

struct lines {
	const char *path;
	int fd;
	char *buf;
	size_t size, start, end;
	size_t seen;		/* no newline is before it */
	unsigned long number;	/* of the line, from 1 */
	bool cut;		/* it is longer than LINES_MAX */
	bool at_end;		/* no newline is behind it */
	const char *odd;	/* why the line must be refused, or NULL */
	int error;		/* errno of what ended the reading; 0: none */
};

/* Returns 0, or -1 with errno. */
int lines_open(struct lines *l, const char *path);

/* Like lines_open(), with a descriptor.  lines_close() closes it. */
int lines_take(struct lines *l, int fd, const char *path);

/* Returns the lines of a file that is in memory.  Never close them. */
struct lines lines_of(const struct piece *file, const char *path);

/*
 * Sets *line to the next line, without its newline; it holds until the next
 * call.  Returns false at the end of the file, and after an error.
 */
bool lines_next(struct lines *l, struct piece *line);

/* Like lines_next(), for the next line whose first field is the name. */
bool lines_find(struct lines *l, const char *name, struct piece *line);

/* Wipes what was read.  Returns -1 with errno after an error. */
int lines_close(struct lines *l);

/* Returns the piece without the blanks at its beginning. */
struct piece lines_text(const struct piece *piece);

/*
 * Takes the next field and its colon off the line.  At the end of the line, the
 * field is empty.
 */
struct piece lines_take_field(struct piece *line);

/* Copies a piece as a string.  Returns -1 if it does not fit. */
int lines_copy(const struct piece *piece, char *out, size_t size);

/* Returns true if the piece equals the text. */
bool lines_same(const struct piece *piece, const char *text);

/*
 * Reads the whole field as libc does: with strtoul(3) in base 10, and nothing
 * above 2^32 - 1.  Returns 0, or -1 if that fails or the field is empty.
 */
int lines_number(const struct piece *field, uint32_t *number);

/* Writes "FILE:NUMBER: WHY" about the line that was read last. */
void lines_reason(const struct lines *l, const char *why,
		  char out[LINES_REASON]);

#endif
