/* SPDX-License-Identifier: BSD-2-Clause */
/* Other password hashes, from libraries that may or may not be there. */
#include "bench-work.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"

/* crypt(3) of libxcrypt, whose struct crypt_data has 32 KiB. */
enum { CRYPT_DATA = 32768 };

static char *(*crypt_rn)(const char *phrase, const char *setting, void *data,
			 int size);
static char *(*crypt_gensalt_rn)(const char *prefix, unsigned long count,
				 const char *bytes, int nbytes, char *out,
				 int size);
static int (*argon2id)(uint32_t t_cost, uint32_t kib, uint32_t lanes,
		       const void *password, size_t passwordlen,
		       const void *salt, size_t saltlen, void *hash,
		       size_t hashlen);
static int (*sodium)(unsigned char *hash, unsigned long long hashlen,
		     const char *password, unsigned long long passwordlen,
		     const unsigned char *salt, unsigned long long passes,
		     size_t bytes, int algorithm);

/* ISO C has no conversion from dlsym()'s object pointer to a function's. */
static bool symbol(void *library, const char *name, void *function)
{
	void *p = library ? dlsym(library, name) : NULL;

	memcpy(function, &p, sizeof(p));
	return p != NULL;
}

/* The file that a function is in, whose name often tells its version. */
static void name_library(struct bench_work *w, const void *function,
			 const char *version)
{
	const char *slash;
	char *path = NULL;
	Dl_info info;
	void *p;

	memcpy(&p, function, sizeof(p));
	if (dladdr(p, &info))
		path = realpath(info.dli_fname, NULL);
	slash = path ? strrchr(path, '/') : NULL;
	snprintf(w->library, sizeof(w->library), "%s%s%s",
		 slash ? slash + 1 : "?", *version ? " " : "", version);
	free(path);
}

int bench_load_phs(const char *path, bench_phs **phs)
{
	void *library;
	char file[4096];

	/* Without a slash dlopen() would search the system's libraries. */
	snprintf(file, sizeof(file), "%s%s", strchr(path, '/') ? "" : "./",
		 path);
	if (access(file, F_OK) < 0)
		return tool_errno(path);
	library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return tool_error(TOOL_INPUT, "--phs: %s", dlerror());
	if (!symbol(library, "PHS", phs))
		return tool_error(TOOL_INPUT, "--phs: %s has no PHS()", path);
	return TOOL_YES;
}

/* ---- crypt(3) ---- */

static bool load_crypt(void)
{
	void *library;

	if (crypt_rn)
		return true;
	library = dlopen("libcrypt.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!library)
		library = dlopen("libcrypt.so.2", RTLD_NOW | RTLD_LOCAL);
	return symbol(library, "crypt_gensalt_rn", &crypt_gensalt_rn) &&
	       symbol(library, "crypt_rn", &crypt_rn);
}

static int run_crypt(struct bench_work *w)
{
	static char data[CRYPT_DATA];

	memset(data, 0, sizeof(data));
	return crypt_rn(BENCH_PASSWORD, w->setting, data, sizeof(data)) ? 0 :
									   -1;
}

/*
 * How often the memory is read or written.  $y$: written, and read at random,
 * while it is filled (YESCRYPT_RW); then a third of it is read and written.
 * $7$: written once, read once.
 */
static double traffic(const char *prefix)
{
	return strcmp(prefix, "$y$") == 0 ? 2 + 2 / 3.0 :
	       strcmp(prefix, "$7$") == 0 ? 2 : 0;
}

bool bench_crypt(struct bench_work *w, const char *name, const char *prefix,
		 unsigned long count, uint64_t memory)
{
	*w = (struct bench_work){ .run = run_crypt, .memory = memory };
	snprintf(w->name, sizeof(w->name), "%s", name);
	w->moved = traffic(prefix) * (double)memory;
	if (!load_crypt())
		return false;
	name_library(w, &crypt_rn, "");
	/* Some crypt(3) have the functions but not this method. */
	return crypt_gensalt_rn(prefix, count, BENCH_SALT,
				sizeof(BENCH_SALT) - 1, w->setting,
				sizeof(w->setting)) &&
	       run_crypt(w) == 0;
}

/* ---- Argon2id ---- */

/* For each block it reads the one before and another, and writes one. */
static void init_argon2id(struct bench_work *w, const char *name, uint32_t kib,
			  int (*run)(struct bench_work *w))
{
	*w = (struct bench_work){ .run = run, .kib = kib };
	snprintf(w->name, sizeof(w->name), "%s", name);
	w->memory = (uint64_t)kib << 10;
	w->moved = 3 * (double)w->memory;
}

static int run_argon2(struct bench_work *w)
{
	if (argon2id(1, w->kib, 1, BENCH_PASSWORD, sizeof(BENCH_PASSWORD) - 1,
		     BENCH_SALT, sizeof(BENCH_SALT) - 1, w->key, 32) == 0)
		return 0;
	errno = ENOMEM;
	return -1;
}

bool bench_argon2(struct bench_work *w, const char *name, uint32_t kib)
{
	init_argon2id(w, name, kib, run_argon2);
	if (!argon2id && !symbol(dlopen("libargon2.so.1", RTLD_NOW),
				 "argon2id_hash_raw", &argon2id))
		return false;
	name_library(w, &argon2id, "");
	return true;
}

static int run_sodium(struct bench_work *w)
{
	return sodium(w->key, 32, BENCH_PASSWORD, sizeof(BENCH_PASSWORD) - 1,
		      (const unsigned char *)BENCH_SALT, 1, w->memory, 2);
}

/* The code that it chooses at run time. */
static const char *sodium_cpu(void *library)
{
	static const char *const cpus[][2] = {
		{ "sodium_runtime_has_avx512f", "avx512f" },
		{ "sodium_runtime_has_avx2", "avx2" },
		{ "sodium_runtime_has_ssse3", "ssse3" },
	};
	int (*has)(void);
	size_t i;

	for (i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++)
		if (symbol(library, cpus[i][0], &has) && has())
			return cpus[i][1];
	return "plain";
}

bool bench_sodium(struct bench_work *w, const char *name, uint32_t kib)
{
	const char *(*version)(void);
	int (*init)(void);
	void *library = dlopen("libsodium.so.23", RTLD_NOW);

	init_argon2id(w, name, kib, run_sodium);
	if (!library)
		library = dlopen("libsodium.so.26", RTLD_NOW);
	if (!symbol(library, "crypto_pwhash", &sodium) ||
	    !symbol(library, "sodium_init", &init) || init() < 0 ||
	    !symbol(library, "sodium_version_string", &version))
		return false;
	name_library(w, &sodium, version());
	snprintf(w->built_for, sizeof(w->built_for), "%s",
		 sodium_cpu(library));
	return true;
}
