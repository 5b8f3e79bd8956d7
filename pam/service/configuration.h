/* SPDX-License-Identifier: BSD-2-Clause */
/* The administrator's configuration, read again whenever it has changed. */
#ifndef PAM_LYRA2_CONFIGURATION_H
#define PAM_LYRA2_CONFIGURATION_H

#include "src/config/options.h"

/* Mistakes in it go to the system log, once for each change of the file. */
const struct options *configuration(void);

/* How many hashes may be computed at once. */
unsigned configuration_slots(void);

#endif
