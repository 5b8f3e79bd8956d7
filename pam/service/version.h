/* SPDX-License-Identifier: BSD-2-Clause */
/* Tells whether a file has changed. */
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

/* Returns true if path no longer matches *had, and updates *had. */
bool version_changed(struct version *had, const char *path);

#endif
