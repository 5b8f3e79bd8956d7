/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Limits the lines that the service writes to the log.  A pure function of
 * time: no clock of its own, no log.
 *
 *  1. The first line of a source is written at once.  For LIMIT_MS after it, no
 *     other line of that source is written.
 *  2. If there were other lines, one line then says how many.  Another LIMIT_MS
 *     begin.
 *  3. So all sources together write at most LIMIT_SOURCES lines in LIMIT_MS.
 *     If there are more sources, they share the last place.
 *  4. Lines that cost a hash are not limited: each guess is in the log.
 */
#ifndef PAM_LYRA2_LIMIT_H
#define PAM_LYRA2_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIMIT_MS 2000
#define LIMIT_SOURCES 256
#define LIMIT_TEXT 128

struct limit_source {
	uint64_t source;
	int64_t until;		/* no line before that time, in ms */
	unsigned more;		/* lines that were not written */
	char text[LIMIT_TEXT];	/* of the last of them */
};

struct limit {
	struct limit_source sources[LIMIT_SOURCES];
	size_t count;
};

/*
 * Returns whether the source may write the line now; if not, the line is
 * counted.  now is in milliseconds.
 */
bool limit_allows(struct limit *l, uint64_t source, const char *text,
		  int64_t now);

/*
 * Takes out the lines that one source was not allowed to write, if it is time
 * to say how many there were.  Returns that number, with the last line in text;
 * 0 if no source has any.
 */
unsigned limit_sum(struct limit *l, int64_t now, char text[LIMIT_TEXT]);

/* Returns when the next sum is due, or -1 if none is. */
int64_t limit_wake(const struct limit *l);

#endif
