/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stands in front of each file of pam/shadow, for tests/unit/writer.c: their
 * calls to the system go through it.
 */
#ifndef WRITER_SEAMS_H
#define WRITER_SEAMS_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

extern bool seam_dirty;		/* the new file is not on the disk */

/* Returns true, with errno, if this call is to fail. */
bool seam_fails(const char *call);
int seam_close(int fd);
ssize_t seam_read(int fd, void *p, size_t len);
ssize_t seam_write(int fd, const void *p, size_t len);
int seam_fsync(int fd);
ssize_t seam_flistxattr(int fd, char *list, size_t size);
ssize_t seam_fgetxattr(int fd, const char *name, void *p, size_t size);
int seam_fsetxattr(int fd, const char *name, const void *p, size_t n,
		   int flags);
int seam_statx(int dir, const char *name, int flags, unsigned mask,
	       struct statx *st);
int seam_renameat(int from, const char *old, int to, const char *new);
int seam_nanosleep(const struct timespec *t, struct timespec *left);
void *seam_malloc(size_t size);
void seam_free(void *p);

#ifndef WRITER_TEST
#define TRY(call, ...) (seam_fails(#call) ? -1 : call(__VA_ARGS__))
#define open(...) TRY(open, __VA_ARGS__)
#define openat(...) TRY(openat, __VA_ARGS__)
#define fstat(...) TRY(fstat, __VA_ARGS__)
#define fstatat(...) TRY(fstatat, __VA_ARGS__)
#define faccessat(...) TRY(faccessat, __VA_ARGS__)
#define fcntl(...) TRY(fcntl, __VA_ARGS__)
#define unlinkat(...) TRY(unlinkat, __VA_ARGS__)
#define fchown(...) (seam_dirty = true, TRY(fchown, __VA_ARGS__))
#define fchmod(...) (seam_dirty = true, TRY(fchmod, __VA_ARGS__))
#define close(...) seam_close(__VA_ARGS__)
#define read(...) seam_read(__VA_ARGS__)
#define write(...) seam_write(__VA_ARGS__)
#define fsync(...) seam_fsync(__VA_ARGS__)
#define statx(...) seam_statx(__VA_ARGS__)
#define flistxattr(...) seam_flistxattr(__VA_ARGS__)
#define fgetxattr(...) seam_fgetxattr(__VA_ARGS__)
#define fsetxattr(...) seam_fsetxattr(__VA_ARGS__)
#define renameat(...) seam_renameat(__VA_ARGS__)
#define nanosleep(...) seam_nanosleep(__VA_ARGS__)
#define malloc(...) seam_malloc(__VA_ARGS__)
#define free(...) seam_free(__VA_ARGS__)
#endif

#endif
