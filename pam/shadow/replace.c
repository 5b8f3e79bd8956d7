/* SPDX-License-Identifier: BSD-2-Clause */
/* Replaces the contents of a file atomically. */
#include "replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "src/config/paths.h"

/*
 * Names for the new file, in the order in which they are tried.  They are
 * fixed, so that the next change removes the file that a killed process has
 * left; there are several, in case one of them is a directory.
 */
#define TEMP_NAMES 8
#define TEMP_FORMAT ".%s.lyra2.%d"

#define XATTR_NAMES 4096
#define XATTR_VALUE 65536	/* XATTR_SIZE_MAX of xattr(7) */

int replace_open(struct replace *r, const char *dir, const char *name)
{
	r->name = name;
	r->fd = -1;
	r->dir = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (r->dir < 0)
		return -1;
	r->fd = openat(r->dir, name,
		       O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (r->fd < 0 || fstat(r->fd, &r->st))
		goto fail;
	if (S_ISREG(r->st.st_mode))
		return 0;
	errno = EINVAL;
fail:
	replace_close(r);
	return -1;
}

void replace_close(struct replace *r)
{
	int saved = errno;

	if (r->fd >= 0)
		close(r->fd);
	close(r->dir);
	errno = saved;
}

int replace_possible(const struct replace *r)
{
#ifdef STATX_ATTR_MOUNT_ROOT
	struct statx st;

	if (statx(r->dir, r->name, AT_SYMLINK_NOFOLLOW, 0, &st) < 0)
		return -1;
	errno = EBUSY;
	if (st.stx_attributes & STATX_ATTR_MOUNT_ROOT)
		return -1;
	errno = EPERM;
	if (st.stx_attributes & (STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND))
		return -1;
#endif
	return faccessat(r->dir, ".", W_OK, 0);
}

static int open_temp(const struct replace *r, char *temp, size_t size)
{
	int i;

	for (i = 0; i < TEMP_NAMES; i++) {
		int fd;

		snprintf(temp, size, TEMP_FORMAT, r->name, i);
		if (unlinkat(r->dir, temp, 0) && errno != ENOENT &&
		    errno != EISDIR)
			return -1;
		fd = openat(r->dir, temp, O_WRONLY | O_CREAT | O_EXCL |
			    O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

/*
 * Returns true for the two attributes in which the kernel keeps digests of a
 * file.
 */
static int kept_by_kernel(const char *name)
{
	return strcmp(name, "security.evm") == 0 ||
		strcmp(name, "security.ima") == 0;
}

/*
 * Returns true if a security module runs, by its file system, or if that is not
 * known.
 */
static bool kernel_has(const char *filesystem)
{
	FILE *f = fopen(PATH_FILESYSTEMS, "re");
	bool has = !f;
	char line[256];

	while (!has && fgets(line, sizeof(line), f))
		has = strstr(line, filesystem) != NULL;
	has = has || ferror(f);
	if (f)
		fclose(f);
	return has;
}

/*
 * Returns true if a label that the kernel refuses may be left out.  If the
 * label's security module does not run, only CAP_SYS_ADMIN can set it, and
 * nothing reads it.
 */
static bool is_idle(const char *name)
{
	if (errno != EPERM && errno != ENOTSUP)
		return false;
	if (strcmp(name, "security.selinux") == 0)
		return !kernel_has("\tselinuxfs\n");
	return strncmp(name, "security.SMACK64", 16) == 0 &&
		!kernel_has("\tsmackfs\n");
}

static int copy_xattr(int from, int to, const char *name)
{
	static char value[XATTR_VALUE];
	ssize_t n = fgetxattr(from, name, value, sizeof(value));
	int saved;

	if (n < 0)
		return -1;
	if (fsetxattr(to, name, value, (size_t)n, 0) == 0)
		return 0;
	saved = errno;
	if (is_idle(name))
		return 0;
	errno = saved;
	return -1;
}

/* ACLs and SELinux labels are extended attributes too: see xattr(7). */
static int copy_xattrs(int from, int to)
{
	static char names[XATTR_NAMES];
	ssize_t len = flistxattr(from, names, sizeof(names));
	const char *name;

	if (len < 0)
		return errno == ENOTSUP ? 0 : -1;
	for (name = names; name < names + len; name += strlen(name) + 1)
		if (!kept_by_kernel(name) && copy_xattr(from, to, name) < 0)
			return -1;
	return 0;
}

/*
 * All of them come before the first byte, and the mode after the ACL.  The
 * owner is last: only CAP_FOWNER could do the rest to a file of another user.
 */
static int copy_attributes(const struct replace *r, int to)
{
	if (copy_xattrs(r->fd, to) < 0 ||
	    fchmod(to, r->st.st_mode & 07777) < 0)
		return -1;
	return fchown(to, r->st.st_uid, r->st.st_gid);
}

static int write_all(int fd, const char *p, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0)
			errno = EIO;
		if (n <= 0)
			return -1;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

static int write_pieces(int fd, const struct piece *pieces, size_t count)
{
	struct stat st;
	off_t sum = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		if (write_all(fd, pieces[i].at, pieces[i].len) < 0)
			return -1;
		sum += (off_t)pieces[i].len;
	}
	if (fsync(fd) < 0 || fstat(fd, &st) < 0)
		return -1;
	errno = EIO;
	return st.st_size == sum ? 0 : -1;
}

/* Checks that a tool that does not take the lock has not changed the file. */
static int still_there(const struct replace *r)
{
	struct stat st;

	if (fstatat(r->dir, r->name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -1;
	errno = ESTALE;
	return st.st_dev == r->st.st_dev && st.st_ino == r->st.st_ino &&
		st.st_size == r->st.st_size &&
		st.st_mtim.tv_sec == r->st.st_mtim.tv_sec &&
		st.st_mtim.tv_nsec == r->st.st_mtim.tv_nsec ? 0 : -1;
}

/* Writes the new file, and closes it in any case. */
static int fill(const struct replace *r, int fd, const struct piece *pieces,
		size_t count)
{
	int rc = copy_attributes(r, fd), saved;

	if (rc == 0)
		rc = write_pieces(fd, pieces, count);
	saved = errno;
	if (close(fd) < 0)
		return -1;
	errno = saved;
	return rc;
}

int replace_file(const struct replace *r, const struct piece *pieces,
		 size_t count)
{
	char temp[64];
	int fd = open_temp(r, temp, sizeof(temp)), saved;

	if (fd < 0)
		return -1;
	if (fill(r, fd, pieces, count) < 0 || still_there(r) < 0 ||
	    renameat(r->dir, temp, r->dir, r->name) < 0) {
		saved = errno;
		unlinkat(r->dir, temp, 0);
		errno = saved;
		return -1;
	}
	/* The change is done; this makes it survive a power failure. */
	fsync(r->dir);
	return 0;
}
