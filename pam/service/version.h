/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a file has changed. */
#ifndef PAM_LYRA2_VERSION_H
#define PAM_LYRA2_VERSION_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

struct version {
	dev_t dev;
	ino_t ino;
	off_t size;
	struct timespec changed;
};

/* Whether it is another file than in had, which is then that file. */
bool version_changed(struct version *had, const char *path);

#endif
