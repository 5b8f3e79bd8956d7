/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The one reader of /etc/passwd, /etc/group and /etc/shadow: lines, and fields
 * between colons.
 *
 * Not getline(3): it leaves copies of hashes in freed memory, and has no limit.
 * Nothing here is static, because applications have threads.
 */
#ifndef PAM_LYRA2_LINES_H
#define PAM_LYRA2_LINES_H

#include <stdbool.h>
#include <stddef.h>

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
	int error;		/* errno of what ended the reading; 0: none */
};

/* Returns 0, or -1 with errno. */
int lines_open(struct lines *l, const char *path);

/* Like lines_open(), with a descriptor.  lines_close() closes it. */
int lines_take(struct lines *l, int fd, const char *path);

/*
 * Sets *line to the next line, without its newline; it holds until the next
 * call.  Returns false at the end of the file, and after an error.
 */
bool lines_next(struct lines *l, struct piece *line);

/*
 * Like lines_next(), for the next line of a user or group.  It begins with the
 * name and a colon.  libc ignores blanks before a name.
 */
enum lines_blanks { BLANKS_COUNT, BLANKS_IGNORED };
bool lines_find(struct lines *l, const char *name, enum lines_blanks blanks,
		struct piece *line);

/* Goes to where a line begins, after so many of them; -1 after an error. */
int lines_seek(struct lines *l, size_t at, unsigned long number);

/* Wipes what was read.  Returns -1 with errno after an error. */
int lines_close(struct lines *l);

/* Returns true if the line begins with this name and a colon. */
bool lines_begin(const struct piece *line, const char *name);

/* Returns the piece without the blanks at its beginning. */
struct piece lines_text(const struct piece *piece);

/*
 * Sets *field to field n of a line, counted from 0.  Returns -1 if there is
 * none.
 */
int lines_field(const struct piece *line, size_t n, struct piece *field);

/* Copies a piece as a string.  Returns -1 if it does not fit. */
int lines_copy(const struct piece *piece, char *out, size_t size);

/* Returns true if the piece equals the text. */
bool lines_same(const struct piece *piece, const char *text);

/*
 * Returns NULL, or why the line is not valid: it has a NUL byte, or is too
 * long.
 */
const char *lines_odd(const struct lines *l, const struct piece *line);

/*
 * Reads a user or group ID: decimal digits, below 2^32 - 1.  Returns 0 or -1.
 */
int lines_id(const struct piece *field, unsigned *id);

/* Writes "FILE:NUMBER: WHY" about the line that was read last. */
void lines_reason(const struct lines *l, const char *why,
		  char out[LINES_REASON]);

#endif
