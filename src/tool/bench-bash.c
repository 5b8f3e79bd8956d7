/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 bench --bash: the outer hash on long messages, beside bee2's. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bash.h"
#include "bench-time.h"
#include "bench.h"
#include "tool.h"

enum { MESSAGE = 1 << 16, ADDITIONS = 1 << 18, SIZES = 3, KERNELS_MAX = 8 };
enum { MAX_WORKS = 1 + SIZES * (KERNELS_MAX + 2) };

static const size_t sizes[SIZES] = { 32, 48, 64 };	/* bytes of hash */
static uint8_t message[MESSAGE];

#define KERNEL(name, needs) LYRA2_INTERNAL bash_blocks_fn bash_blocks_##name;
#include "kernels.def"

static const struct kernel {
	const char *name;
	bash_blocks_fn *blocks;
} kernels[] = {
#define KERNEL(name, needs) { #name, bash_blocks_##name },
#include "kernels.def"
};

/* bashHash of bee2 2.2: state_size(), and a state of so many bytes */
static struct {
	size_t (*state_size)(void);
	void (*start)(void *state, size_t level);
	void (*add)(const void *input, size_t n, void *state);
	void (*end)(uint8_t *hash, size_t size, void *state);
	void *state;
} bee2;

/* What a work hashes with: a kernel of ours, or bee2 where blocks is NULL. */
struct hasher {
	bash_blocks_fn *blocks;
	size_t size;
};

static int run_hash(struct bench_work *w)
{
	const struct hasher *h = w->more;
	struct bash bash;

	if (!h->blocks) {
		bee2.start(bee2.state, h->size * 4);
		bee2.add(message, sizeof(message), bee2.state);
		bee2.end(w->key, h->size, bee2.state);
		return 0;
	}
	bash_start(&bash, h->size, h->blocks);
	bash_add(&bash, message, sizeof(message));
	bash_end(&bash, w->key);
	return 0;
}

/* Additions that wait for each other: each takes one cycle everywhere. */
static int run_clock(struct bench_work *w)
{
	unsigned long x = 0;
	int i;

	(void)w;
#define ADD1 x += 1; __asm__ __volatile__("" : "+r"(x));
#define ADD8 ADD1 ADD1 ADD1 ADD1 ADD1 ADD1 ADD1 ADD1
	for (i = 0; i < ADDITIONS / 32; i++) {
		ADD8 ADD8 ADD8 ADD8
	}
#undef ADD8
#undef ADD1
	return 0;
}

static int load_bee2(const char *path)
{
	static const struct {
		const char *name;
		void *function;
	} wanted[] = {
		{ "bashHash_keep", &bee2.state_size },
		{ "bashHashStart", &bee2.start },
		{ "bashHashStepH", &bee2.add },
		{ "bashHashStepG", &bee2.end },
	};
	char file[4096];
	void *library;
	size_t i;

	/* Without a slash dlopen() would search the system's libraries. */
	snprintf(file, sizeof(file), "%s%s", strchr(path, '/') ? "" : "./",
		 path);
	library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return tool_error(TOOL_INPUT, "--bee2: %s", dlerror());
	for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		void *p = dlsym(library, wanted[i].name);

		if (!p)
			return tool_error(TOOL_INPUT, "--bee2: %s has no %s()",
					  path, wanted[i].name);
		memcpy(wanted[i].function, &p, sizeof(p));
	}
	bee2.state = malloc(bee2.state_size());
	return bee2.state ? TOOL_YES : tool_errno("--bee2");
}

static const struct column columns[] = {
	{ "kernel", "kernel", 0 }, { "hash", "hash", 0 },
	{ "ns_per_byte", "ns/byte", 3 }, { "least", "least", 3 },
	{ "cycles_per_byte", "cycles/byte", 2 },
	{ 0 },
};
static const struct column bee2_columns[] = {
	{ "kernel", "kernel", 0 }, { "hash", "hash", 0 },
	{ "ns_per_byte", "ns/byte", 3 }, { "least", "least", 3 },
	{ "cycles_per_byte", "cycles/byte", 2 },
	{ "bee2_ns_per_byte", "bee2 ns/byte", 3 },
	{ "ratio", "bee2/ours", 3 }, { "least_ratio", "of the least", 3 },
	{ "same_output", "same output", 0 },
	{ 0 },
};

/* other: bee2's work of the same size, or NULL */
static void add_row(struct table *t, const struct bench_work *w,
		    const struct bench_work *other,
		    const struct bench_work *clock)
{
	const struct hasher *h = w->more;
	const double ns = w->median * 1e3 / MESSAGE;
	const double ghz = ADDITIONS / (clock->median * 1e3);
	struct cell cells[TABLE_COLUMNS] = { 0 };
	char name[16];

	snprintf(name, sizeof(name), "bash%zu", h->size * 8);
	cells[0] = cell_text(w->name);
	cells[1] = cell_text(name);
	cells[2] = cell_number(ns);
	cells[3] = cell_number(w->us[0] * 1e3 / MESSAGE);
	cells[4] = cell_number(ns * ghz);
	if (other) {
		cells[5] = cell_number(other->median * 1e3 / MESSAGE);
		cells[6] = cell_number(other->median / w->median);
		cells[7] = cell_number(other->us[0] / w->us[0]);
		cells[8] = cell_bool(memcmp(other->key, w->key, h->size) == 0);
	}
	table_add(t, cells);
}

static bool usable(const char *name)
{
	const char *known;
	int is_usable;
	size_t i;

	for (i = 0; (known = lyra2_kernel_at(i, &is_usable)); i++)
		if (strcmp(known, name) == 0)
			return is_usable != 0;
	return false;
}

static void add_works(struct bench_work *works, struct hasher *hashers,
		      size_t *n, const char *name, bash_blocks_fn *blocks)
{
	size_t i;

	for (i = 0; i < SIZES; i++, ++*n) {
		hashers[*n] = (struct hasher){ blocks, sizes[i] };
		works[*n] = (struct bench_work){ .run = run_hash,
						 .more = &hashers[*n] };
		snprintf(works[*n].name, sizeof(works[*n].name), "%s", name);
	}
}

/* The clock, bee2's hashes if there are, and those of each kernel */
int bench_suite_bash(const struct bench_options *o, struct table *t)
{
	enum { CLOCK, BEE2 };
	struct bench_work works[MAX_WORKS] = { { .run = run_clock } };
	struct hasher hashers[MAX_WORKS];
	int status = o->bee2 ? load_bee2(o->bee2) : TOOL_YES;
	size_t i, first, n = 1;

	*t = (struct table){ .key = "bash", .title = "Bash, 64 KiB",
			     .columns = o->bee2 ? bee2_columns : columns };
	if (o->bee2)
		add_works(works, hashers, &n, "bee2", NULL);
	first = n;
	for (i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
		if (usable(kernels[i].name))
			add_works(works, hashers, &n, kernels[i].name,
				  kernels[i].blocks);
	for (i = 0; i < sizeof(message); i++)
		message[i] = (uint8_t)(i * 167 >> 3);
	if (status == TOOL_YES)
		status = bench_race(works, n, bench_runs(o, 201), "bash");
	for (i = first; i < n && status == TOOL_YES; i++)
		add_row(t, &works[i], o->bee2 ?
			&works[BEE2 + (i - first) % SIZES] : NULL,
			&works[CLOCK]);
	bench_free(works, n);
	free(bee2.state);
	bee2.state = NULL;
	return status;
}
