/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens files of another system without leaving its root directory. */
#include "root-file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* O_NONBLOCK: opening a fifo would wait for a writer. */
#define FLAGS (O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)

static int open_in(const char *root, const char *path)
{
	struct open_how how = { .flags = FLAGS, .resolve = RESOLVE_IN_ROOT };
	int dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC), fd, saved;

	if (dir < 0)
		return -1;
	fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
	saved = errno;
	close(dir);
	errno = saved;
	return fd;
}

FILE *root_file_open(const char *root, const char *path)
{
	int fd = *root ? open_in(root, path + strlen(root)) :
		open(path, FLAGS), saved;
	struct stat st;
	FILE *f = NULL;

	if (fd < 0)
		return NULL;
	errno = EINVAL;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		f = fdopen(fd, "r");
	saved = errno;
	if (!f)
		close(fd);
	errno = saved;
	return f;
}
