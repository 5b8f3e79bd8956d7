/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions that the lyra2 method calls, if libcrypt was configured with
 * --with-lyra2=shared.  Each loads liblyra2.so.0 and calls the function of the
 * same name there.  Without that library it fails with ELIBACC.
 */
#include "crypt-port.h"

#include "lyra2/lyra2.h"

#if INCLUDE_lyra2 && LYRA2_SHARED

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>

#ifndef ELIBACC
#define ELIBACC ENOSYS
#endif

struct library {
	void *handle;
	__typeof__(lyra2_crypt) *crypt;
	__typeof__(lyra2_ctx_free) *ctx_free;
	__typeof__(lyra2_ctx_kernel) *ctx_kernel;
	__typeof__(lyra2_ctx_new) *ctx_new;
	__typeof__(lyra2_gensalt) *gensalt;
	__typeof__(lyra2_kernel_at) *kernel_at;
	__typeof__(lyra2_params_init) *params_init;
};

/* Sets the pointer to a function at *function: ISO C cannot cast dlsym()'s. */
static bool
find(const struct library *lib, const char *name, void *function)
{
	void *p = lib->handle ? dlsym(lib->handle, name) : NULL;

	memcpy(function, &p, sizeof(p));
	return p != NULL;
}

static void
library_close(struct library *lib)
{
	const int error = errno;

	if (lib->handle)
		dlclose(lib->handle);
	errno = error;
}

/*
 * The library stays in memory, so that only the first call looks for its file,
 * and a program may change its root directory afterwards.  A static libcrypt
 * does not have dlopen(), and so no lyra2.
 */
static int
library_open(struct library *lib)
{
#ifdef PIC
	lib->handle = dlopen("liblyra2.so.0", RTLD_NOW | RTLD_NODELETE);
#else
	lib->handle = NULL;
#endif
	if (find(lib, "lyra2_crypt", &lib->crypt) &&
	    find(lib, "lyra2_ctx_free", &lib->ctx_free) &&
	    find(lib, "lyra2_ctx_kernel", &lib->ctx_kernel) &&
	    find(lib, "lyra2_ctx_new", &lib->ctx_new) &&
	    find(lib, "lyra2_gensalt", &lib->gensalt) &&
	    find(lib, "lyra2_kernel_at", &lib->kernel_at) &&
	    find(lib, "lyra2_params_init", &lib->params_init))
		return 0;
	library_close(lib);
	errno = ELIBACC;
	return -1;
}

/* Leaves params invalid if there is no library. */
void
lyra2_params_init(struct lyra2_params *params)
{
	struct library lib;

	memset(params, 0, sizeof(*params));
	if (library_open(&lib) < 0)
		return;
	lib.params_init(params);
	library_close(&lib);
}

int
lyra2_gensalt(const struct lyra2_params *params, const void *rbytes,
	      size_t nrbytes, char *out, size_t outsize)
{
	struct library lib;
	int r;

	if (library_open(&lib) < 0)
		return -1;
	r = lib.gensalt(params, rbytes, nrbytes, out, outsize);
	library_close(&lib);
	return r;
}

/*
 * crypt(3) depends only on its arguments.  liblyra2 ignores LYRA2_KERNEL when
 * its caller names a kernel.
 */
int
lyra2_crypt(struct lyra2_ctx *ctx, const char *setting, const void *password,
	    size_t passwordlen, char *out, size_t outsize)
{
	struct library lib;
	int r = -1;

	if (library_open(&lib) < 0)
		return -1;
	ctx = lib.ctx_new();
	if (ctx && lib.ctx_kernel(ctx, lib.kernel_at(0, NULL)) == 0)
		r = lib.crypt(ctx, setting, password, passwordlen, out,
			      outsize);
	lib.ctx_free(ctx);
	library_close(&lib);
	return r;
}

#endif /* INCLUDE_lyra2 && LYRA2_SHARED */
