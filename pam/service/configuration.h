/* SPDX-License-Identifier: BSD-2-Clause */
/* The administrator's configuration, read again whenever it has changed. */
#ifndef PAM_LYRA2_CONFIGURATION_H
#define PAM_LYRA2_CONFIGURATION_H

#include <sys/types.h>
#include <time.h>

#include "src/config/options.h"

/* What tells whether a file has changed. */
struct version {
	dev_t dev;
	ino_t ino;
	off_t size;
	struct timespec changed;
};

/* Returns true if path no longer matches *had, and updates *had. */
bool version_changed(struct version *had, const char *path);

/*
 * Returns the configuration.  Logs its mistakes, once for each change of a
 * file.
 */
const struct options *configuration(void);

/* Returns true if more than the taken number of hashes may be computed. */
bool configuration_has_slot(unsigned taken);

#endif
