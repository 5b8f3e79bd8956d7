/* SPDX-License-Identifier: BSD-2-Clause */
/* Looks for the PAM module next to each libpam of the system. */
#include "architectures.h"

#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LIBPAM "/libpam.so.0"

static bool has_module(const char *folder)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/security/pam_lyra2.so", folder);
	return access(path, F_OK) == 0;
}

void architectures_lacking(void (*take)(void *arg, const char *folder),
			   void *arg)
{
	bool any = false;
	glob_t found;
	size_t i;

	/* Debian's directories; then those of other systems, such as lib64. */
	if (glob("/usr/lib/*" LIBPAM, GLOB_NOCHECK, NULL, &found) != 0)
		return;
	(void)glob("/usr/lib*" LIBPAM, GLOB_APPEND, NULL, &found);
	for (i = 0; i < found.gl_pathc; i++) {
		*strrchr(found.gl_pathv[i], '/') = '\0';
		any = any || has_module(found.gl_pathv[i]);
	}
	for (i = 0; any && i < found.gl_pathc; i++)
		if (!strchr(found.gl_pathv[i], '*') &&
		    !has_module(found.gl_pathv[i]))
			take(arg, found.gl_pathv[i]);
	globfree(&found);
}
