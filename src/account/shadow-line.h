/* SPDX-License-Identifier: BSD-2-Clause */
/* One line of shadow(5). */
#ifndef PAM_LYRA2_SHADOW_LINE_H
#define PAM_LYRA2_SHADOW_LINE_H

#include "aging.h"
#include "lines.h"

struct shadow_line {
	struct piece name, hash, lstchg;
	struct aging aging;
};

/*
 * Reads one line.  Returns NULL, or the reason why libc does not see the line,
 * or why it must be refused: then l->odd is set.  The name is set in either
 * case.
 */
const char *shadow_read(const struct lines *l, const struct piece *line,
			struct shadow_line *s);

#endif
