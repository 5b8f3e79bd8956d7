/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens files of another system without leaving its root directory. */
#ifndef LYRA2_ROOT_FILE_H
#define LYRA2_ROOT_FILE_H

#include <stdio.h>

/*
 * Opens a regular file for reading.  path begins with root; if root is not
 * empty, symbolic links in the rest of path are followed as in that root, even
 * absolute ones.  NULL with errno: EINVAL for a fifo, a device or a directory.
 */
FILE *root_file_open(const char *root, const char *path);

#endif
