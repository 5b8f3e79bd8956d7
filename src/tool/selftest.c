/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 selftest: test vectors, built in or from a file, on any kernel. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "function.h"
#include "options.h"
#include "tool.h"

/* The columns of a file of test vectors. */
static const char header[] = "version,sponge,rt,block_words,rho,p,t,r,c,klen,"
	"password_hex,salt_hex,key_hex,source";
enum column {
	VERSION, SPONGE, ROTATION, BLOCK_WORDS, RHO, LANES, T_COST, ROWS, COLS,
	KEYLEN, PASSWORD, SALT, KEY, SOURCE, COLUMNS
};

struct vectors {
	const char *name;	/* of the file */
	unsigned long line;
	char *field[COLUMNS];
	const char *kernel;
	struct lyra2_ctx *ctx;
	unsigned long passed, failed, skipped;
};

static int bad_line(const struct vectors *v, const char *why)
{
	return tool_error(TOOL_INPUT, "%s:%lu: %s", v->name, v->line, why);
}

/* A row of the file, read */
struct row {
	struct lyra2_params params;
	uint32_t rotation, block_words, rho, keylen;
	bool half_blamka;
};

static int read_numbers(const struct vectors *v, struct row *r)
{
	const struct {
		enum column column;
		uint32_t *value;
	} number[] = {
		{ ROTATION, &r->rotation }, { BLOCK_WORDS, &r->block_words },
		{ RHO, &r->rho }, { LANES, &r->params.lanes },
		{ T_COST, &r->params.t_cost }, { ROWS, &r->params.rows },
		{ COLS, &r->params.cols }, { KEYLEN, &r->keylen },
	};
	uint64_t n;
	size_t i;

	for (i = 0; i < sizeof(number) / sizeof(number[0]); i++) {
		if (!options_number(v->field[number[i].column], 1, UINT32_MAX,
				    &n))
			return bad_line(v, "a number is not 1...4294967295");
		*number[i].value = (uint32_t)n;
	}
	if (strlen(v->field[KEY]) != 2 * (size_t)r->keylen)
		return bad_line(v, "klen: not the length of key_hex");
	return TOOL_YES;
}

static int read_row(const struct vectors *v, struct row *r)
{
	const char *version = v->field[VERSION], *sponge = v->field[SPONGE];

	*r = (struct row){ .params = LYRA2_PARAMS_INIT };
	r->params.version = strcmp(version, "2.5") == 0 ? 25 : 30;
	if (r->params.version == 30 && strcmp(version, "3") != 0)
		return bad_line(v, "version: not 2.5 or 3");
	r->half_blamka = strcmp(sponge, "half-blamka") == 0;
	if (strcmp(sponge, "blake2b") == 0)
		r->params.sponge = LYRA2_BLAKE2B;
	else if (strcmp(sponge, "blamka") == 0)
		r->params.sponge = LYRA2_BLAMKA;
	else if (!r->half_blamka)
		return bad_line(v, "sponge: not blake2b, blamka or "
				"half-blamka");
	return read_numbers(v, r);
}

/* Returns true if the library computes the function that the row names. */
static bool supported(const struct row *r)
{
	return !r->half_blamka && r->block_words == 12 && r->rho == 1;
}

/* Turns hex digits into bytes, in place; -1 if there is something else. */
static ssize_t from_hex(char *text)
{
	static const char digits[] = "0123456789abcdef";
	const size_t n = strlen(text);
	size_t i;

	if (n % 2 != 0 || strspn(text, digits) != n)
		return -1;
	for (i = 0; i < n; i += 2)
		text[i / 2] = (char)((strchr(digits, text[i]) - digits) << 4 |
				     (strchr(digits, text[i + 1]) - digits));
	return (ssize_t)(n / 2);
}

/* Computes a row's key; a mismatch is printed and counted, not an error. */
static int compute(struct vectors *v, const struct row *r, size_t passwordlen,
		   size_t saltlen)
{
	char **field = v->field;
	uint8_t *got = malloc(r->keylen);
	int status = TOOL_YES;

	if (!got || lyra2_kdf_rotation(v->ctx, &r->params, r->rotation,
				       field[PASSWORD], passwordlen,
				       field[SALT], saltlen, got,
				       r->keylen) < 0) {
		status = errno == EINVAL ?
			 bad_line(v, "no such function") :
			 tool_error(TOOL_SYSTEM, "%s:%lu: kernel %s: %s",
				    v->name, v->line, v->kernel,
				    strerror(errno));
	} else if (memcmp(got, field[KEY], r->keylen) == 0) {
		v->passed++;
	} else {
		v->failed++;
		printf("%s:%lu: kernel %s: another key\n", v->name, v->line,
		       v->kernel);
	}
	free(got);
	return status;
}

static int check_row(struct vectors *v)
{
	char **field = v->field;
	ssize_t password, salt, key;
	struct row r;
	int status = read_row(v, &r);

	if (status != TOOL_YES)
		return status;
	password = from_hex(field[PASSWORD]);
	salt = from_hex(field[SALT]);
	key = from_hex(field[KEY]);
	if (password < 0 || salt < 0 || key < 0)
		return bad_line(v, "a field has no bytes in hex");
	if (supported(&r))
		return compute(v, &r, (size_t)password, (size_t)salt);
	printf("%s:%lu: not supported\n", v->name, v->line);
	v->skipped++;
	return TOOL_YES;
}

static int check_line(struct vectors *v, char *text)
{
	char *rest = text;
	size_t n = 0;

	text[strcspn(text, "\r\n")] = '\0';
	if (v->line == 1)
		return strcmp(text, header) == 0 ? TOOL_YES :
			bad_line(v, "other columns than in doc/spec/raw.csv");
	while (rest && n < COLUMNS)
		v->field[n++] = strsep(&rest, ",");
	return n == COLUMNS ? check_row(v) : bad_line(v, "too few fields");
}

static int check_file(struct vectors *v)
{
	FILE *f = fopen(v->name, "re");
	char *text = NULL;
	size_t size = 0;
	int status = TOOL_YES;

	if (!f)
		return tool_errno(v->name);
	v->line = 0;
	while (status == TOOL_YES && getline(&text, &size, f) >= 0) {
		v->line++;
		status = check_line(v, text);
	}
	if (status == TOOL_YES && ferror(f))
		status = tool_errno(v->name);
	else if (status == TOOL_YES && v->line < 2)
		status = tool_error(TOOL_INPUT, "%s: no vectors", v->name);
	free(text);
	fclose(f);
	return status;
}

/* The first use of a kernel checks the answers built into the library. */
static int check_built_in(struct vectors *v)
{
	const struct lyra2_params p = { 30, LYRA2_BLAMKA, 1, 3, 1, 1, { 0 } };
	uint8_t key[16];

	if (lyra2_kdf(v->ctx, &p, "", 0, "", 0, key, sizeof(key)) == 0) {
		v->passed++;
		return TOOL_YES;
	}
	if (errno != ENOTSUP)
		return tool_errno(v->kernel);
	printf("kernel %s: fails its test vectors\n", v->kernel);
	v->failed++;
	return TOOL_YES;
}

static int check_kernel(struct vectors *v, const char *kernel)
{
	int status;

	v->kernel = kernel;
	v->ctx = lyra2_ctx_new();
	if (!v->ctx)
		return tool_errno(kernel);
	if (lyra2_ctx_set_kernel(v->ctx, kernel) < 0)
		status = tool_error(TOOL_INPUT, "--kernel: %s is no kernel that"
				    " this CPU can run; see \"lyra2 kernels\"",
				    kernel);
	else
		status = v->name ? check_file(v) : check_built_in(v);
	lyra2_ctx_free(v->ctx);
	return status;
}

static int check_kernels(struct vectors *v, const char *kernel)
{
	const char *name;
	int status = TOOL_YES, usable;
	size_t i;

	if (strcmp(kernel, "all") != 0)
		return check_kernel(v, kernel);
	for (i = 0; status == TOOL_YES &&
	     (name = lyra2_kernel_at(i, &usable)); i++)
		if (usable)
			status = check_kernel(v, name);
	return status;
}

int selftest_main(int argc, char **argv)
{
	struct vectors v = { .name = NULL };
	const char *kernel = NULL;
	const struct tool_option options[] = {
		{ "vectors", "FILE", "check the rows of a CSV file",
		  options_set_string, &v.name, 0, 0 },
		{ "kernel", "NAME", "a kernel, or all (all; with --vectors "
		  "the one chosen)", options_set_string, &kernel, 0, 0 },
		{ 0 },
	};
	struct arguments args = {
		.usage = "[OPTION...]",
		.text = "Computes test vectors; exit status 1 if a result is "
			"wrong.",
		.options = options,
	};
	int status;

	if (!tool_start(&args, argc, argv))
		return args.status;
	if (!kernel)
		kernel = v.name ? tool_kernel_for(2, NULL) : "all";
	status = check_kernels(&v, kernel);
	if (status != TOOL_YES)
		return status;
	printf("%lu passed, %lu failed", v.passed, v.failed);
	if (v.skipped > 0)
		printf(", %lu skipped", v.skipped);
	putchar('\n');
	return v.failed ? TOOL_NO : TOOL_YES;
}
