/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks the application's resource limits. */
#include "limits.h"

#include <fcntl.h>
#include <stddef.h>
#include <sys/resource.h>
#include <unistd.h>

#define SPARE_FILES 5	/* record, log, audit system */
#define SPARE_BYTES (1 << 20)

static bool has_descriptors(void)
{
	int fds[SPARE_FILES];
	size_t n = 0, want = sizeof(fds) / sizeof(fds[0]);
	bool has;

	while (n < want && (fds[n] = open("/", O_PATH | O_CLOEXEC)) >= 0)
		n++;
	has = n == want;
	while (n > 0)
		close(fds[--n]);
	return has;
}

bool limits_allow_count(void)
{
	struct rlimit size;

	/* A sandbox may refuse the question; no user can cause that. */
	return has_descriptors() && (getrlimit(RLIMIT_FSIZE, &size) < 0 ||
				     size.rlim_cur >= SPARE_BYTES);
}
