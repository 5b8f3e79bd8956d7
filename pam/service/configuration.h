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

/* Returns true if more than the taken number of hashes may be computed. */
bool configuration_has_slot(unsigned taken);

#endif
