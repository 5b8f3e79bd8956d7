/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For tests/source/cross.sh: calls the library with each kernel.  On i386 it
 * does so from stacks that are aligned to 4 bytes only, as the old ABI permits.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lyra2-kernels.h"

static const char *const string[] = {
	"$lyra2$t2n4c12p1$MJHnaAkegEVYHsFKkmfzJ1",
	"$lyra2$t2n4c12p4$MJHnaAkegEVYHsFKkmfzJ1",
	"$bashlyra2$t2n4c12p2$MJHnaAkegEVYHsFKkmfzJ1",
};
enum { STRINGS = sizeof(string) / sizeof(string[0]) };

/* The longest password does not fit in one block of bash256. */
static char password[200];
static struct lyra2_ctx *ctx;
static int failed;

/* Verifies the library's hashes, and computes them again. */
static void use_strings(void)
{
	char out[LYRA2_MAX_STRING];
	int i;

	for (i = 0; i < STRINGS; i++)
		if (lyra2_crypt(ctx, string[i], password, sizeof(password),
				out, sizeof(out)) < 0 ||
		    lyra2_verify(ctx, out, password, sizeof(password)) < 0)
			failed = 1;
}

/* Hashes that only lyra2_kdf() can compute, and a new hash of each method */
static void use_others(void)
{
	const struct lyra2_params cheap = { 30, LYRA2_BLAMKA, 2, 16, 12, 2,
					    { 0 } };
	const struct lyra2_params kdf[] = {
		{ 30, LYRA2_BLAKE2B, 1, 8, 5, 1, { 0 } },
		{ 30, LYRA2_BLAKE2B, 1, 32, 4, 4, { 0 } },
		{ 25, LYRA2_BLAKE2B, 1, 8, 5, 1, { 0 } },
	};
	char key[300];
	size_t i;

	for (i = 0; i < sizeof(kdf) / sizeof(kdf[0]); i++)
		if (lyra2_kdf(ctx, &kdf[i], password, sizeof(password), "salt",
			      4, key, sizeof(key)) < 0)
			failed = 1;
	if (lyra2_hash(ctx, LYRA2_METHOD_LYRA2, &cheap, "a", 1, key,
		       sizeof(key)) < 0 ||
	    lyra2_hash(ctx, LYRA2_METHOD_BASH_LYRA2, &cheap, "a", 1, key,
		       sizeof(key)) < 0)
		failed = 1;
}

/* Calls f with the stack below bytes below a multiple of 16. */
static void call_below(unsigned below, void (*f)(void))
{
#ifdef __i386__
	__asm__ __volatile__(
		"movl %%esp, %%esi\n\t"
		"andl $-16, %%esp\n\t"
		"subl %0, %%esp\n\t"
		"call *%1\n\t"
		"movl %%esi, %%esp"
		: : "b"(below), "D"(f)
		: "eax", "ecx", "edx", "esi", "memory", "cc");
#else
	(void)below;
	f();
#endif
}

/* Runs in a process of its own, which may crash. */
static int works(const char *kernel, unsigned below)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		ctx = lyra2_ctx_new();
		if (!ctx || lyra2_ctx_set_kernel(ctx, kernel) < 0)
			_exit(1);
		call_below(below, use_strings);
		call_below(below, use_others);
		_exit(failed);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 0;
	if (status != 0)
		printf("%s, %u below: status %#x\n", kernel, below,
		       (unsigned)status);
	return status == 0;
}

int main(void)
{
	const char *name;
	int bad = 0, usable;
	unsigned below;
	size_t i;

	memset(password, 'x', sizeof(password));
	for (i = 0; (name = lyra2_kernel_at(i, &usable)); i++)
		for (below = 0; usable && below < 16; below += 4)
			if (!works(name, below))
				bad = 1;
	return bad;
}
