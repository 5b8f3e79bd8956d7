/* SPDX-License-Identifier: BSD-2-Clause */
/* Tells whether a file has changed. */
#include "version.h"

#include <string.h>
#include <sys/stat.h>

bool version_changed(struct version *had, const char *path)
{
	struct version now;
	struct stat st;
	bool is;

	memset(&now, 0, sizeof(now));
	if (stat(path, &st) == 0) {
		now.dev = st.st_dev;
		now.ino = st.st_ino;
		now.size = st.st_size;
		now.changed = st.st_ctim;
	}
	is = memcmp(&now, had, sizeof(now)) != 0;
	memcpy(had, &now, sizeof(now));
	return is;
}
