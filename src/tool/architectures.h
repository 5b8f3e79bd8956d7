/* SPDX-License-Identifier: BSD-2-Clause */
/* For which architectures the module is missing. */
#ifndef LYRA2_TOOL_ARCHITECTURES_H
#define LYRA2_TOOL_ARCHITECTURES_H

/*
 * Calls take(arg, folder) for each folder of libraries that has libpam and no
 * pam_lyra2.so, if another one has both: programs of that architecture cannot
 * verify a Lyra2 hash.
 */
void architectures_lacking(void (*take)(void *arg, const char *folder),
			   void *arg);

#endif
