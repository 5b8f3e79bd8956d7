/* SPDX-License-Identifier: BSD-2-Clause */
/* Looks for the PAM module next to each libpam of the system. */
#include "architectures.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/config/paths.h"

#define LIBPAM "/libpam.so.0"

static bool has_module(const char *folder)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/security/pam_lyra2.so", folder);
	return access(path, F_OK) == 0;
}

/* Finds the directories; returns true if one has the module. */
static bool find_folders(glob_t *found)
{
	bool any = false;
	size_t i;

	/* Debian's directories; then those of other systems, such as lib64. */
	if (glob(PATH_ROOT "/usr/lib/*" LIBPAM, GLOB_NOCHECK, NULL,
		 found) != 0) {
		memset(found, 0, sizeof(*found));
		return false;
	}
	(void)glob(PATH_ROOT "/usr/lib*" LIBPAM, GLOB_APPEND, NULL, found);
	for (i = 0; i < found->gl_pathc; i++) {
		*strrchr(found->gl_pathv[i], '/') = '\0';
		any = any || has_module(found->gl_pathv[i]);
	}
	return any;
}

bool architectures_have_module(void)
{
	glob_t found;
	const bool any = find_folders(&found);

	globfree(&found);
	return any;
}

void architectures_lacking(void (*take)(void *arg, const char *folder),
			   void *arg)
{
	glob_t found;
	const bool any = find_folders(&found);
	size_t i;

	for (i = 0; any && i < found.gl_pathc; i++)
		if (!strchr(found.gl_pathv[i], '*') &&
		    !has_module(found.gl_pathv[i]))
			take(arg, found.gl_pathv[i]);
	globfree(&found);
}
