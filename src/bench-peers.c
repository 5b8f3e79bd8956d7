/* SPDX-License-Identifier: BSD-2-Clause */
/* Other password hashes, from libraries that may or may not be there. */
#include "bench.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

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

/* ISO C has no conversion from dlsym()'s object pointer to a function's. */
static bool symbol(void *library, const char *name, void *function)
{
	void *p = library ? dlsym(library, name) : NULL;

	memcpy(function, &p, sizeof(p));
	return p != NULL;
}

bench_phs *bench_load_phs(const char *path)
{
	bench_phs *phs;
	void *library;
	char file[4096];

	/* Without a slash dlopen() would search the system's libraries. */
	snprintf(file, sizeof(file), "%s%s", strchr(path, '/') ? "" : "./",
		 path);
	library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		tool_error(TOOL_INPUT, "--phs: %s", dlerror());
		return NULL;
	}
	if (!symbol(library, "PHS", &phs))
		tool_error(TOOL_INPUT, "--phs: %s has no PHS()", path);
	return phs;
}

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

bool bench_crypt(struct bench_work *w, const char *name, const char *prefix,
		 unsigned long count, uint64_t memory)
{
	*w = (struct bench_work){ .run = run_crypt, .memory = memory };
	snprintf(w->name, sizeof(w->name), "%s", name);
	/* Some crypt(3) have the functions but not this method. */
	return load_crypt() &&
	       crypt_gensalt_rn(prefix, count, BENCH_SALT,
				sizeof(BENCH_SALT) - 1, w->setting,
				sizeof(w->setting)) &&
	       run_crypt(w) == 0;
}

static int run_argon2id(struct bench_work *w)
{
	if (argon2id(1, w->kib, 1, BENCH_PASSWORD, sizeof(BENCH_PASSWORD) - 1,
		     BENCH_SALT, sizeof(BENCH_SALT) - 1, w->key, 32) == 0)
		return 0;
	errno = ENOMEM;
	return -1;
}

bool bench_argon2id(struct bench_work *w, const char *name, uint32_t kib)
{
	*w = (struct bench_work){ .run = run_argon2id, .kib = kib };
	snprintf(w->name, sizeof(w->name), "%s", name);
	w->memory = (uint64_t)kib << 10;
	return argon2id || symbol(dlopen("libargon2.so.1", RTLD_NOW),
				  "argon2id_hash_raw", &argon2id);
}
