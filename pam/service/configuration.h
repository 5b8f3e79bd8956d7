/* SPDX-License-Identifier: BSD-2-Clause */
/* The administrator's configuration, read again whenever it has changed. */
#ifndef PAM_LYRA2_CONFIGURATION_H
#define PAM_LYRA2_CONFIGURATION_H

#include "src/config/options.h"

/*
 * Returns the configuration.  Logs its mistakes, once for each change of a
 * file.
 */
const struct options *configuration(void);

/* Returns the number of hashes that may be computed at once. */
unsigned configuration_slots(void);

#endif
