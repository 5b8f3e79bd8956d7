/* SPDX-License-Identifier: BSD-2-Clause */
/* What the commands of the lyra2 tool share. */
#ifndef LYRA2_TOOL_H
#define LYRA2_TOOL_H

#include "lyra2.h"

#include <stdbool.h>
#include <stdio.h>

/* Exit status: lyra2(1). */
enum { TOOL_YES, TOOL_NO, TOOL_INPUT, TOOL_SYSTEM };

/* The command being run, for messages. */
extern const char *tool_command;

/* "lyra2 COMMAND: ..." on standard error; returns status. */
__attribute__((format(printf, 2, 3)))
int tool_error(int status, const char *format, ...);

/* The same with the reason in errno; EINVAL and ERANGE are the input's. */
int tool_errno(const char *what);

/* ---- options (tool-options.c) ---- */

struct tool_option {
	const char *name;
	const char *arg;	/* its name in the help; NULL: a flag */
	const char *help;
	/* Stores the argument; on bad input says why, and is not 0. */
	int (*set)(const struct tool_option *option, const char *arg);
	void *value;
	uint64_t min, max;	/* range of a number */
};

int tool_set_flag(const struct tool_option *option, const char *arg);
int tool_set_string(const struct tool_option *option, const char *arg);
int tool_set_u32(const struct tool_option *option, const char *arg);
int tool_set_version(const struct tool_option *option, const char *arg);
int tool_set_sponge(const struct tool_option *option, const char *arg);
int tool_set_cost(const struct tool_option *option, const char *arg);
/* Bytes, an uint64_t, and milliseconds, an uint32_t (tool-units.c). */
int tool_set_size(const struct tool_option *option, const char *arg);
int tool_set_milliseconds(const struct tool_option *option, const char *arg);

/* Name of a sponge as strings and options have it, and what a name means. */
const char *tool_sponge(uint32_t sponge);
bool tool_find_sponge(const char *name, uint32_t *sponge);
bool tool_find_version(const char *name, uint32_t *version);

/* The options for what a string carries, and for what only lyra2_kdf() has. */
#define TOOL_STRING_OPTIONS(p) \
	{ "version", "2.5|3", "version of Lyra2 (3)", tool_set_version, \
	  &(p)->version, 0, 0 }, \
	{ "sponge", "NAME", "blake2b, blamka or half-blamka (blamka; " \
	  "blake2b for 2.5)", tool_set_sponge, &(p)->sponge, 0, 0 }, \
	{ "rotation", "BITS", "128 or 256 (128)", tool_set_u32, \
	  &(p)->rotation, 128, 256 }, \
	{ "t-cost", "N", "passes over the memory (2)", tool_set_u32, \
	  &(p)->t_cost, 1, UINT32_MAX }, \
	{ "rows", "N", "rows of the matrix (2048)", tool_set_u32, \
	  &(p)->rows, 3, UINT32_MAX }, \
	{ "cols", "N", "columns of the matrix (256)", tool_set_u32, \
	  &(p)->cols, 1, UINT32_MAX }, \
	{ "lanes", "N", "lanes (1)", tool_set_u32, &(p)->lanes, 1, \
	  UINT32_MAX / 3 }
#define TOOL_COST_OPTION(p) \
	{ "cost", "N", "rows as a power of two, 4...15 (11)", tool_set_cost, \
	  &(p)->rows, LYRA2_COST_MIN, LYRA2_COST_MAX }
#define TOOL_KDF_OPTIONS(p) \
	{ "block-words", "N", "words in a block: 8, 10 or 12 (12)", \
	  tool_set_u32, &(p)->block_words, 8, 12 }, \
	{ "rho", "N", "rounds of the reduced sponge (1)", tool_set_u32, \
	  &(p)->rho, 1, 24 }

/* The defaults, but a sponge that tool_parse_params() still has to choose. */
void tool_params_init(struct lyra2_params *params);

/*
 * Reads argv: options, of which there are n, then at most max operands at
 * *operands.  Returns how many, or -1 with the exit status at *status: bad
 * input, or --help, which has been printed with usage, a line for what
 * follows "lyra2 COMMAND", and text.
 */
int tool_parse(int argc, char **argv, const struct tool_option *options,
	       size_t n, const char *usage, const char *text, int max,
	       char ***operands, int *status);

/* Settles the sponge and checks *params; 0 or an exit status. */
int tool_check_params(struct lyra2_params *params);

/* A decimal in min...max, or false. */
bool tool_number(const char *s, uint64_t min, uint64_t max, uint64_t *n);

/* ---- input (tool-input.c) ---- */

/*
 * Reads a password, from the terminal without echo, asked for twice if new,
 * or one line of standard input.  Returns 0 or an exit status.
 */
int tool_password(bool new, char password[LYRA2_MAX_PASSWORD + 1],
		  size_t *len);

/* Bytes of hex digits in memory to free; an exit status after a message. */
int tool_hex(const char *field, const char *hex, uint8_t **bytes, size_t *n);

/* Writes n bytes as hex digits. */
void tool_put_hex(FILE *f, const uint8_t *bytes, size_t n);

/* lyra2_kernel(), or NULL after a message (tool-kernels.c). */
const char *tool_kernel(void);

/* ---- commands: exit status of main() ---- */
int tool_hash(int argc, char **argv);
int tool_verify(int argc, char **argv);
int tool_kdf(int argc, char **argv);
int tool_selftest(int argc, char **argv);
int tool_kernels(int argc, char **argv);
int tool_audit(int argc, char **argv);
int tool_bench(int argc, char **argv);
int tool_calibrate(int argc, char **argv);

#endif
