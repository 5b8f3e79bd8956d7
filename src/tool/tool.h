/* SPDX-License-Identifier: BSD-2-Clause */
/* What every command of the lyra2 tool has: an exit status and messages. */
#ifndef LYRA2_TOOL_H
#define LYRA2_TOOL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lyra2.h"

/* Exit status: lyra2(1). */
enum { TOOL_YES, TOOL_NO, TOOL_INPUT, TOOL_SYSTEM };

/* The command being run, for messages. */
extern const char *tool_command;

/* Prints "lyra2 COMMAND: ..." on standard error; returns status. */
__attribute__((format(printf, 2, 3)))
int tool_error(int status, const char *format, ...);

/*
 * The same with the reason in errno.  Returns TOOL_INPUT for EINVAL and
 * ERANGE, else TOOL_SYSTEM.
 */
int tool_errno(const char *what);

/* The same for errors of liblyra2's functions. */
int tool_library_error(const char *what);

/* Returns lyra2_kernel(), or NULL after a message (kernels.c). */
const char *tool_kernel(void);

/*
 * options_parse(), and false after a message too if tool_kernel() is NULL:
 * args->status is then what to exit with (kernels.c).
 */
struct arguments;
bool tool_start(struct arguments *args, int argc, char **argv);

/* The commands, each in a file of its name: they return an exit status. */
int hash_main(int argc, char **argv);
int verify_main(int argc, char **argv);
int kdf_main(int argc, char **argv);
int selftest_main(int argc, char **argv);
int kernels_main(int argc, char **argv);
int audit_main(int argc, char **argv);
int bench_main(int argc, char **argv);
int calibrate_main(int argc, char **argv);

#endif
