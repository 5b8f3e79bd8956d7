/* SPDX-License-Identifier: BSD-2-Clause */
/* What every command of the lyra2 tool has: an exit status and messages. */
#ifndef LYRA2_TOOL_H
#define LYRA2_TOOL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lyra2-kernels.h"

/* Exit status: lyra2(1). */
enum { TOOL_YES, TOOL_NO, TOOL_INPUT, TOOL_SYSTEM };

/* The command being run, for messages. */
extern const char *tool_command;

/* Prints "lyra2 COMMAND: ..." on standard error; returns status. */
__attribute__((format(printf, 2, 3)))
int tool_error(int status, const char *format, ...);

/*
 * The same with the reason in errno.  Returns TOOL_INPUT for the errors
 * of lyra2.h that input can cause, else TOOL_SYSTEM.
 */
int tool_errno(const char *what);

/* The same for errors of liblyra2's functions. */
int tool_library_error(const char *what);

/*
 * Returns the kernel that LYRA2_KERNEL names, for tests and benchmarks, or NULL
 * if it is not set.
 */
const char *tool_kernel_asked(void);

/* The same, or lyra2_kernel_for(), and why. */
const char *tool_kernel_for(uint32_t lanes, const char **why);

/* Makes the context with that kernel.  Returns a status, after a message. */
int tool_use_kernel(void);

/* Returns a context with that kernel, or NULL: a library's function chooses. */
struct lyra2_ctx *tool_ctx(void);

/*
 * options_parse(), and false after a message too if LYRA2_KERNEL names no
 * kernel of this CPU: args->status is then what to exit with.
 */
struct arguments;
bool tool_start(struct arguments *args, int argc, char **argv);

/* The commands, each in a file of its name: they return an exit status. */
int hash_main(int argc, char **argv);
int verify_main(int argc, char **argv);
int selftest_main(int argc, char **argv);
int kernels_main(int argc, char **argv);
int audit_main(int argc, char **argv);
int calibrate_main(int argc, char **argv);

#endif
