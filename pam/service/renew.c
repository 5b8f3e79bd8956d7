/* SPDX-License-Identifier: BSD-2-Clause */
/* Ends a service whose successor can do more. */
#include "renew.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "configuration.h"
#include "pam/work/log.h"
#include "src/config/paths.h"

#define PAUSE_SECONDS 3600

static bool due;

/* Returns the file that has crypt(3), or NULL. */
static const char *libcrypt(void)
{
	Dl_info info;

	return dladdr(dlsym(RTLD_DEFAULT, "crypt"), &info) != 0 ?
		info.dli_fname : NULL;
}

/* Returns true if there is a file, and another one than at the last call. */
static bool is_new(const char *path)
{
	static struct version known;
	struct version now = known;

	if (!version_changed(&now, path) || now.ino == 0)
		return false;
	known = now;
	return true;
}

/* While dpkg replaces the file, it may be missing, and no lyra2d can start. */
bool renew_due(void)
{
	static const char *path;
	const bool first = !path;

	if (first)
		path = libcrypt();
	if (due || !path || access(path, R_OK) < 0 || !is_new(path) || first)
		return due;
	log_line(LOG_NOTICE, "ending: the next lyra2d loads the new %s", path);
	due = true;
	return true;
}

bool renew_known(void)
{
	return due;
}

/* Returns the seconds since the boot, which is when /run was empty. */
static int64_t now(void)
{
	struct timespec t = { 0, 0 };

	clock_gettime(CLOCK_BOOTTIME, &t);
	return t.tv_sec;
}

/*
 * The time of the last end is in a file, as the process that has ended cannot
 * know it.  Without the file, there would be no limit.
 */
static bool is_allowed(void)
{
	const int fd = open(PATH_RENEWED, O_RDWR | O_CREAT | O_CLOEXEC |
			    O_NOFOLLOW, 0600);
	const int64_t seconds = now();
	int64_t last = INT64_MIN;
	char text[32] = "";
	int len;

	if (fd < 0)
		return false;
	if (pread(fd, text, sizeof(text) - 1, 0) > 0)
		last = strtoll(text, NULL, 10);
	len = snprintf(text, sizeof(text), "%020lld\n", (long long)seconds);
	if ((last <= seconds && last > seconds - PAUSE_SECONDS) ||
	    pwrite(fd, text, (size_t)len, 0) != len)
		len = -1;
	close(fd);
	return len > 0;
}

void renew_erofs(void)
{
	if (due || !is_allowed())
		return;
	log_line(LOG_NOTICE, "ending: a file system was read-only, and the "
		 "next lyra2d may find it writable");
	due = true;
}
