/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Times hashes of others beside ours and prints a table as a JSON object:
 *
 *	bench [OPTION...] TABLE [LIBRARY.so...]
 *
 * A hash is a struct bench_work of src/tool, whose run() is timed; a table
 * makes some, lets bench_race() run them in turn, and puts what it found into
 * cells.  One more table is a file here, declared in bench.h and named below.
 * readme.py runs this and "lyra2 bench", and prints what README.md says.
 */
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "tests/bench/bench.h"
#include "tool/options.h"
#include "tool/tool.h"

static const struct {
	const char *name;
	compare_fn *compare;
} tables[] = {
	{ "peers", compare_peers },	/* crypt(3), Argon2id: 64 MiB */
	{ "ghost", compare_ghost },	/* kernels; without computing */
	{ "phs", compare_phs },		/* libraries with PHS() */
};

uint32_t runs_of(const struct compared *with, uint32_t usual)
{
	return with->runs ? with->runs : usual;
}

void *open_library(const char *path)
{
	char file[4096];
	void *library;

	/* Without a slash dlopen() would search the system's libraries. */
	snprintf(file, sizeof(file), "%s%s", strchr(path, '/') ? "" : "./",
		 path);
	library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		tool_error(TOOL_INPUT, "%s", dlerror());
	return library;
}

/* ISO C has no conversion from dlsym()'s object pointer to a function's. */
bool find_function(void *library, const char *name, void *function)
{
	void *p = library ? dlsym(library, name) : NULL;

	memcpy(function, &p, sizeof(p));
	return p != NULL;
}

static int run(const char *name, const struct compared *with)
{
	static struct table t;
	size_t i;
	int status;

	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		if (strcmp(name, tables[i].name) != 0)
			continue;
		status = tables[i].compare(with, &t);
		if (status == TOOL_YES) {
			putchar('{');
			table_json(&t);
			puts("}");
		}
		return status;
	}
	return tool_error(TOOL_INPUT, "%s: no such table", name);
}

int main(int argc, char **argv)
{
	struct compared with = { .runs = 0 };
	const struct tool_option options[] = {
		{ "runs", "N", "how often each", options_set_u32, &with.runs,
		  1, 1000000 },
		{ 0 },
	};
	struct arguments args = {
		.usage = "[OPTION...] peers|ghost|phs [LIBRARY.so...]",
		.text = "Times other hashes and ours in turn.",
		.options = options,
		.max = 32,
	};

	tool_command = "bench";
	if (!options_parse(&args, argc, argv))
		return args.status;
	if (args.n == 0)
		return tool_error(TOOL_INPUT, "no table given");
	with.libraries = args.operands + 1;
#ifdef M_MMAP_THRESHOLD
	/* What malloc() returns to others is fresh each time. */
	mallopt(M_MMAP_THRESHOLD, 1 << 16);
#endif
	return run(args.operands[0], &with);
}
