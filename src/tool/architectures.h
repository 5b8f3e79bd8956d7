/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the architectures for which the module is missing. */
#ifndef LYRA2_TOOL_ARCHITECTURES_H
#define LYRA2_TOOL_ARCHITECTURES_H

#include <stdbool.h>

/*
 * Calls take(arg, folder) for each library directory that has libpam and no
 * pam_lyra2.so, if another directory has both.  Programs of that architecture
 * cannot verify a Lyra2 hash.
 */
void architectures_lacking(void (*take)(void *arg, const char *folder),
			   void *arg);

/* Whether a library directory has libpam and pam_lyra2.so. */
bool architectures_have_module(void);

#endif
