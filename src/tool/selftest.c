/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 selftest: known answers, built in or from a file, on any kernel. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "function.h"
#include "hex.h"
#include "options.h"
#include "tool.h"

enum { MAX_COLUMNS = 32 };

/* Columns of a file of vectors, in the order of column_name. */
enum column {
	VERSION, SPONGE, ROTATION, BLOCK_WORDS, RHO, LANES, T_COST, ROWS, COLS,
	KEYLEN, PASSWORD, SALT, KEY, COLUMNS
};

static const char *const column_name[COLUMNS] = {
	"version", "sponge", "rt", "block_words", "rho", "p", "t", "r", "c",
	"klen", "password_hex", "salt_hex", "key_hex",
};

struct vectors {
	FILE *f;
	const char *name;
	char *text;		/* the line being read, cut into fields */
	size_t size;
	unsigned long line;
	size_t at[COLUMNS];	/* the number of each column */
	char *field[MAX_COLUMNS];
};

struct tally {
	unsigned long passed, failed;
};

/* Reads a line and cuts it at its commas; returns the number of fields or 0 */
static size_t read_fields(struct vectors *v)
{
	const ssize_t len = getline(&v->text, &v->size, v->f);
	char *rest = v->text;
	size_t n = 0;

	if (len < 0)
		return 0;
	v->line++;
	v->text[strcspn(v->text, "\r\n")] = '\0';
	while (rest && n < MAX_COLUMNS)
		v->field[n++] = strsep(&rest, ",");
	return n;
}

static int bad_field(const struct vectors *v, enum column c, const char *why)
{
	return tool_error(TOOL_INPUT, "%s:%lu: %s: %s", v->name, v->line,
			  column_name[c], why);
}

static int read_header(struct vectors *v)
{
	const size_t n = read_fields(v);
	enum column c;
	size_t i;

	if (ferror(v->f))
		return tool_errno(v->name);
	for (c = VERSION; c < COLUMNS; c++) {
		for (i = 0; i < n && strcmp(v->field[i], column_name[c]); i++)
			;
		if (i == n)
			return bad_field(v, c, "no such column in the header");
		v->at[c] = i;
	}
	return TOOL_YES;
}

static int read_params(const struct vectors *v, struct lyra2_params *p,
		       uint32_t *keylen)
{
	const struct {
		enum column column;
		uint32_t *value;
	} number[] = {
		{ ROTATION, &p->rotation }, { BLOCK_WORDS, &p->block_words },
		{ RHO, &p->rho }, { LANES, &p->lanes }, { T_COST, &p->t_cost },
		{ ROWS, &p->rows }, { COLS, &p->cols }, { KEYLEN, keylen },
	};
	char why[160];
	uint64_t n;
	size_t i;

	if (!function_find_version(v->field[v->at[VERSION]], &p->version))
		return bad_field(v, VERSION, "not 2.5 or 3");
	if (!function_find_sponge(v->field[v->at[SPONGE]], &p->sponge))
		return bad_field(v, SPONGE, "not blake2b, blamka or "
				 "half-blamka");
	for (i = 0; i < sizeof(number) / sizeof(number[0]); i++) {
		const enum column c = number[i].column;

		if (!options_number(v->field[v->at[c]], 1, UINT32_MAX, &n))
			return bad_field(v, c, "not 1...4294967295");
		*number[i].value = (uint32_t)n;
	}
	if (lyra2_check(p, why, sizeof(why)) < 0)
		return tool_error(TOOL_INPUT, "%s:%lu: %s", v->name, v->line,
				  why);
	return TOOL_YES;
}

/* Computes one row; a mismatch is printed and counted, not an error. */
static int compare(const struct vectors *v, struct lyra2_ctx *ctx,
		   const char *kernel, const struct lyra2_params *p,
		   uint8_t *bytes[COLUMNS], const size_t len[COLUMNS],
		   struct tally *tally)
{
	uint8_t *key = malloc(len[KEY]);
	int status = TOOL_YES;

	if (!key)
		return tool_errno(v->name);
	if (lyra2_kdf(ctx, p, bytes[PASSWORD], len[PASSWORD], bytes[SALT],
		      len[SALT], key, len[KEY]) < 0) {
		status = tool_error(TOOL_SYSTEM, "%s:%lu: kernel %s: %s",
				    v->name, v->line, kernel, strerror(errno));
	} else if (memcmp(key, bytes[KEY], len[KEY]) == 0) {
		tally->passed++;
	} else {
		tally->failed++;
		printf("%s:%lu: kernel %s: key is ", v->name, v->line, kernel);
		hex_print(stdout, key, len[KEY]);
		printf(", wanted %s\n", v->field[v->at[KEY]]);
	}
	free(key);
	return status;
}

static int check_row(const struct vectors *v, struct lyra2_ctx *ctx,
		     const char *kernel, struct tally *tally)
{
	static const enum column hex[] = { PASSWORD, SALT, KEY };
	uint8_t *bytes[COLUMNS] = { NULL };
	size_t len[COLUMNS] = { 0 }, i;
	struct lyra2_params p;
	uint32_t keylen = 0;
	char field[64];
	int status;

	lyra2_params_init(&p);
	status = read_params(v, &p, &keylen);
	for (i = 0; i < 3 && status == TOOL_YES; i++) {
		snprintf(field, sizeof(field), "line %lu: %s", v->line,
			 column_name[hex[i]]);
		status = hex_parse(field, v->field[v->at[hex[i]]],
				  &bytes[hex[i]], &len[hex[i]]);
	}
	if (status == TOOL_YES && len[KEY] != keylen)
		status = bad_field(v, KEYLEN, "not the length of key_hex");
	if (status == TOOL_YES)
		status = compare(v, ctx, kernel, &p, bytes, len, tally);
	for (i = 0; i < 3; i++)
		free(bytes[hex[i]]);
	return status;
}

static int check_file(const char *name, struct lyra2_ctx *ctx,
		      const char *kernel, struct tally *tally)
{
	struct vectors v = { .name = name };
	size_t n, columns = 0, i;
	int status;

	v.f = fopen(name, "re");
	if (!v.f)
		return tool_errno(name);
	status = read_header(&v);
	for (i = 0; i < COLUMNS && status == TOOL_YES; i++)
		if (v.at[i] >= columns)
			columns = v.at[i] + 1;
	while (status == TOOL_YES && (n = read_fields(&v)) > 0) {
		if (n < columns)
			status = tool_error(TOOL_INPUT, "%s:%lu: %zu fields, "
					    "%zu expected", name, v.line, n,
					    columns);
		else
			status = check_row(&v, ctx, kernel, tally);
	}
	if (status == TOOL_YES && ferror(v.f))
		status = tool_errno(name);
	free(v.text);
	fclose(v.f);
	return status;
}

/* The first use of a kernel checks the answers built into the library. */
static int check_built_in(struct lyra2_ctx *ctx, const char *kernel,
			  struct tally *tally)
{
	struct lyra2_params p;
	uint8_t key[16];

	lyra2_params_init(&p);
	p.rows = 3;
	p.lanes = 1;
	p.cols = 1;
	if (lyra2_kdf(ctx, &p, "", 0, "", 0, key, sizeof(key)) == 0) {
		tally->passed++;
		return TOOL_YES;
	}
	if (errno != ENOTSUP)
		return tool_errno(kernel);
	printf("kernel %s: fails its known answers\n", kernel);
	tally->failed++;
	return TOOL_YES;
}

static int check_kernel(const char *file, const char *kernel,
			struct tally *tally)
{
	struct lyra2_ctx *ctx = lyra2_ctx_new();
	int status;

	if (!ctx)
		return tool_errno(kernel);
	if (lyra2_ctx_set_kernel(ctx, kernel) < 0)
		status = tool_error(TOOL_INPUT, "--kernel: %s is no kernel that"
				    " this CPU can run; see \"lyra2 kernels\"",
				    kernel);
	else if (file)
		status = check_file(file, ctx, kernel, tally);
	else
		status = check_built_in(ctx, kernel, tally);
	lyra2_ctx_free(ctx);
	return status;
}

static int check_kernels(const char *file, const char *kernel,
			 struct tally *tally)
{
	const char *name;
	int status = TOOL_YES, usable;
	size_t i;

	if (strcmp(kernel, "all") != 0)
		return check_kernel(file, kernel, tally);
	for (i = 0; status == TOOL_YES &&
	     (name = lyra2_kernel_at(i, &usable)); i++)
		if (usable)
			status = check_kernel(file, name, tally);
	return status;
}

int selftest_main(int argc, char **argv)
{
	const char *file = NULL, *kernel = NULL;
	const struct tool_option options[] = {
		{ "vectors", "FILE", "check the rows of a CSV file",
		  options_set_string, &file, 0, 0 },
		{ "kernel", "NAME", "a kernel, or all (all; with --vectors "
		  "the one chosen)", options_set_string, &kernel, 0, 0 },
		{ 0 },
	};
	struct arguments args = {
		.usage = "[OPTION...]",
		.text = "Checks known answers; exit status 1 if any is wrong.",
		.options = options,
	};
	struct tally tally = { 0, 0 };
	int status;

	if (!tool_start(&args, argc, argv))
		return args.status;
	if (!kernel)
		kernel = file ? tool_kernel_for(NULL, NULL) : "all";
	status = check_kernels(file, kernel, &tally);
	if (status != TOOL_YES)
		return status;
	printf("%lu passed, %lu failed\n", tally.passed, tally.failed);
	return tally.failed ? TOOL_NO : TOOL_YES;
}
