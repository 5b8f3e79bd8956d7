/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How the library uses the system, and what it does if the system or a kernel
 * fails.  Stand-ins replace getrandom(2) and the self test.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bash-dispatch.h"
#include "check-main.h"
#include "dispatch.h"
#include "encode.h"
#include "instrumented.h"
#include "matrix.h"
#include "outer.h"
#include "selftest.h"

#define SETTING_AFTER "lyra2$t2n4c12p1$saltsalt"
#define SETTING "$" SETTING_AFTER
enum { MATRIX = 1 << 20 };

static bool absent, slow;
static int tests, passes = 1;
static void *watched;		/* NULL: all memory */
static size_t unmapped;		/* bytes unmapped of that memory */

/* The library is linked statically, so its calls come here. */
int munmap(void *p, size_t n)
{
	if (!watched || p == watched)
		unmapped += n;
	errno = EXDEV;
	return (int)syscall(SYS_munmap, p, n);
}

#ifdef __x86_64__
static size_t skew;		/* added to the addresses of mmap(2), which
				   newer versions of Linux align */
static bool dirty;		/* memory is not zero, as after malloc(3) */

void *mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset)
{
	long p = syscall(SYS_mmap, at, n + skew, prot, flags, fd, offset);

	/* What is larger than all memory must fail. */
	ck_assert(!(flags & MAP_NORESERVE));
	if (p == -1)
		return MAP_FAILED;
	if (skew)
		syscall(SYS_munmap, p, skew);
	if (dirty)
		memset((void *)p, 0x5a, n);
	return (void *)(p + (long)skew);
}
#endif

ssize_t getrandom(void *p, size_t n, unsigned flags)
{
	static int calls;

	ck_assert_uint_eq(flags, 0);	/* waits until the pool is ready */
	calls++;
	if (absent || (slow && calls % 2)) {
		errno = absent ? ENOSYS : EINTR;
		return -1;
	}
	if (slow && n > 6)
		n = 6;
	memset(p, calls, n);
	return (ssize_t)n;
}

int selftest(lyra2_core_fn *core, void *memory)
{
	(void)core;
	(void)memory;
	tests++;
	return passes;
}

/* Replaces the kernels of Bash: none, or one that leaves nothing behind. */
static bash_blocks_fn *blocks;
static enum kernel asked_for;

bash_blocks_fn *bash_dispatch(enum kernel forced)
{
	asked_for = forced;
	if (!blocks)
		errno = ENOTSUP;
	return blocks;
}

static void mix(uint64_t *state, const uint8_t *p, size_t n)
{
	size_t i, j;

	for (i = 0; i < n; i++)
		for (j = 0; j < BASH256_BLOCK; j++)
			state[j % BASH_WORDS] = state[j % BASH_WORDS] * 31 +
						p[i * BASH256_BLOCK + j];
}

/* The kernel of a context computes the outer hash, too. */
START_TEST(outer_hash_has_the_kernel)
{
	struct lyra2_ctx *ctx = lyra2_ctx_new();
	char out[LYRA2_MAX_STRING];

	blocks = mix;
	ck_assert_ptr_nonnull(ctx);
	ck_assert_int_eq(lyra2_ctx_set_kernel(ctx, "plain"), 0);
	ck_assert_int_eq(lyra2_crypt(ctx, "$bash" SETTING_AFTER, "pw", 2, out,
				     sizeof(out)), 0);
	ck_assert_int_eq(asked_for, KERNEL_plain);
	ck_assert_int_eq(lyra2_crypt(NULL, "$bash" SETTING_AFTER, "pw", 2, out,
				     sizeof(out)), 0);
	ck_assert_int_eq(asked_for, KERNELS);
	lyra2_ctx_free(ctx);
}
END_TEST

START_TEST(no_random_bytes)
{
	char out[LYRA2_MAX_STRING] = "x";

	absent = true;
	ck_assert_int_eq(lyra2_gensalt(LYRA2_METHOD_LYRA2, NULL, NULL, 0, out,
				       sizeof(out)), -1);
	ck_assert_int_eq(errno, EIO);
	ck_assert_str_eq(out, "");
	strcpy(out, "x");
	ck_assert_int_eq(lyra2_hash(NULL, LYRA2_METHOD_LYRA2, NULL, "pw", 2,
				    out, sizeof(out)), -1);
	ck_assert_str_eq(out, "");
}
END_TEST

/* getrandom(2) is interrupted by signals, and gives a part each time. */
START_TEST(random_bytes_in_pieces)
{
	static const uint8_t want[] = {
		2, 2, 2, 2, 2, 2, 4, 4, 4, 4, 4, 4, 6, 6, 6, 6
	};
	char out[LYRA2_MAX_STRING], salt[LYRA2_NEW_SALT + 1];

	slow = true;
	ck_assert_int_eq(lyra2_gensalt(LYRA2_METHOD_LYRA2, NULL, NULL, 0, out,
				       sizeof(out)), 0);
	base64_encode(want, sizeof(want), salt);
	ck_assert_str_eq(strrchr(out, '$') + 1, salt);
}
END_TEST

#ifdef __x86_64__
/* libcrypt's scratch space holds what was there before. */
START_TEST(memory_may_be_dirty)
{
	const struct lyra2_params p = { 30, LYRA2_BLAMKA, 2, 16, 12, 4, { 0 } };
	uint8_t want[32], key[32];

	ck_assert_int_eq(lyra2_kdf(NULL, &p, "pw", 2, "s", 1, want, 32), 0);
	dirty = true;
	ck_assert_int_eq(lyra2_kdf(NULL, &p, "pw", 2, "s", 1, key, 32), 0);
	ck_assert_mem_eq(key, want, 32);
}
END_TEST
#endif

/* A kernel that fails its self test computes no hash. */
START_TEST(self_test_fails)
{
	const struct lyra2_params p = LYRA2_V3_BLAMKA_T2_R4096_C256_P2;
	char out[LYRA2_MAX_STRING] = "x", key[8] = "xxxxxxx";

	passes = 0;
	ck_assert_int_eq(lyra2_kdf(NULL, &p, "", 0, "", 0, key, 8), -1);
	ck_assert_int_eq(errno, ENOTSUP);
	ck_assert_str_eq(key, "xxxxxxx");
	ck_assert_int_eq(lyra2_crypt(NULL, SETTING, "pw", 2, out,
				     sizeof(out)), -1);
	ck_assert_int_eq(errno, ENOTSUP);
	ck_assert_str_eq(out, "");
	passes = 1;
	ck_assert_int_eq(lyra2_crypt(NULL, SETTING, "pw", 2, out,
				     sizeof(out)), 0);
	ck_assert_int_eq(lyra2_verify(NULL, out, "pw", 2), 0);
	ck_assert_int_eq(tests, 3);	/* one passed self test is enough */
	ck_assert_int_eq(lyra2_crypt(NULL, "$bash" SETTING_AFTER, "pw", 2, out,
				     sizeof(out)), -1);
	ck_assert_int_eq(errno, ENOTSUP);
	ck_assert_str_eq(out, "");
}
END_TEST

/* ---- the outer hash, in a thread whose stack is searched ---- */
static _Alignas(64) uint8_t stack[1 << 17];
static uint8_t result[BASH256];

static void *compute_outer(void *unused)
{
	struct lyra2_string s;

	(void)string_decode("$bash" SETTING_AFTER, &s, NULL);
	(void)outer_bash256(KERNELS, &s, "password", 8, result);
	return unused;
}

static bool on_stack(const uint8_t *key, uint8_t pad)
{
	uint8_t piece[8];
	size_t i, j;

	for (i = 0; i < BASH256; i += sizeof(piece)) {
		for (j = 0; j < sizeof(piece); j++)
			piece[j] = key[i + j] ^ pad;
		if (memmem(stack, sizeof(stack), piece, sizeof(piece)))
			return true;
	}
	return false;
}

/*
 * Neither the keys of the outer hash nor the two pads that HMAC makes of them
 * stay on the stack.  The first call only binds symbols.
 */
START_TEST(outer_hash_wipes)
{
	static const char setting[] = "$bash" SETTING_AFTER;
	static const uint8_t pads[] = { 0, 0x36, 0x5c };
	uint8_t inner[BASH256], key[BASH256], want[BASH256] = { 0 };
	pthread_attr_t attr;
	pthread_t thread;
	struct bash h;
	size_t i;

	blocks = mix;
	bash_start(&h, mix);
	bash_add(&h, "password", 8);
	bash_end(&h, inner);
	bash_hmac(mix, inner, setting, strlen(setting), key);
	bash_hmac(mix, key, want, BASH256, want);
	for (i = 0; i < 2; i++) {
		memset(stack, 0, sizeof(stack));
		memset(result, 0, sizeof(result));
		ck_assert_int_eq(pthread_attr_init(&attr), 0);
		ck_assert_int_eq(pthread_attr_setstack(&attr, stack,
						       sizeof(stack)), 0);
		ck_assert_int_eq(pthread_create(&thread, &attr, compute_outer,
						NULL), 0);
		ck_assert_int_eq(pthread_join(thread, NULL), 0);
		ck_assert_mem_eq(result, want, sizeof(want));
	}
	for (i = 0; i < sizeof(pads); i++)
		ck_assert(!on_stack(inner, pads[i]) && !on_stack(key, pads[i]));
}
END_TEST

/*
 * Returns 1 if /proc/self/smaps has this flag for an address, 0 if not, -1 if
 * unknown.
 */
static int has_flag(const void *p, const char *flag)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	unsigned long from, to, at = (unsigned long)p;
	char line[512];
	int inside = 0, has = -1;

	while (f && has < 0 && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
			inside = from <= at && at < to;
		else if (inside && strncmp(line, "VmFlags:", 8) == 0)
			has = strstr(line, flag) != NULL;
	}
	if (f)
		fclose(f);
	return has;
}

START_TEST(matrix_is_not_dumped)
{
	struct matrix m = { NULL, 0 };

	ck_assert_int_eq(matrix_map(&m, MATRIX), 0);
	ck_assert_int_eq(has_flag(m.base, " dd"), 1);
	ck_assert_int_eq(has_flag(&tests, " dd"), 0);
	matrix_unmap(&m);
}
END_TEST

/* Where the system has huge pages at all */
START_TEST(matrix_is_of_huge_pages)
{
	struct matrix m = { NULL, 0 };

	if (access("/sys/kernel/mm/transparent_hugepage", F_OK) < 0)
		return;
	ck_assert_int_eq(matrix_map(&m, 4 * MATRIX), 0);
	ck_assert_int_eq(has_flag(m.base, " hg"), 1);
	matrix_unmap(&m);
}
END_TEST

START_TEST(matrix_is_not_inherited)
{
	struct matrix m = { NULL, 0 };
	int status;
	pid_t pid;

	ck_assert_int_eq(matrix_map(&m, MATRIX), 0);
	memset(m.base, 1, MATRIX);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		_exit(*(volatile uint8_t *)m.base);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	matrix_unmap(&m);
}
END_TEST

/* The extra memory for the alignment is unmapped at once. */
START_TEST(matrix_is_aligned)
{
	const size_t huge_page = 2 << 20;
	struct matrix m = { NULL, 0 };

#ifdef __x86_64__
	skew = _i ? 64 << 10 : 0;
#endif
	ck_assert_int_eq(matrix_map(&m, huge_page), 0);
	ck_assert_uint_eq((uintptr_t)m.base % huge_page, 0);
	ck_assert_uint_eq(unmapped, huge_page);
	matrix_unmap(&m);
	ck_assert_uint_eq(unmapped, 2 * huge_page);
	ck_assert(!m.base && m.size == 0);
}
END_TEST

/* A larger matrix replaces a smaller one, which is unmapped. */
START_TEST(matrix_grows)
{
	struct matrix m = { NULL, 0 };

	ck_assert_int_eq(matrix_map(&m, MATRIX), 0);
	watched = m.base;
	ck_assert_int_eq(matrix_map(&m, MATRIX / 2), 0);
	ck_assert_ptr_eq(m.base, watched);
	ck_assert_uint_eq(unmapped, 0);
	ck_assert_int_eq(matrix_map(&m, 4 * MATRIX), 0);
	ck_assert_uint_eq(unmapped, MATRIX);
	matrix_unmap(&m);
}
END_TEST

/* The memory is unmapped after the hash, or with its context. */
START_TEST(matrix_is_unmapped)
{
	const struct lyra2_params p = { 30, LYRA2_BLAMKA, 2, 16, 12, 1, { 0 } };
	struct lyra2_ctx *ctx = lyra2_ctx_new();
	char key[8];

	ck_assert_int_eq(lyra2_kdf(ctx, &p, "", 0, "", 0, key, 8), 0);
	ck_assert_uint_eq(unmapped, 0);
	lyra2_ctx_free(ctx);
	ck_assert_uint_gt(unmapped, 16 * 12 * 96);
	unmapped = 0;
	ck_assert_int_eq(lyra2_kdf(NULL, &p, "", 0, "", 0, key, 8), 0);
	ck_assert_uint_gt(unmapped, 16 * 12 * 96);
}
END_TEST

/* Wipes all used bytes and no other, below and above STREAMED. */
START_TEST(matrix_is_wiped)
{
	const size_t used = _i ? (size_t)32 << 20 : MATRIX;
	struct matrix m = { NULL, 0 };
	const uint8_t *byte;
	size_t i;

	ck_assert_int_eq(matrix_map(&m, used + MATRIX), 0);
	byte = memset(m.base, 1, m.size);
	matrix_wipe(&m, used);
	for (i = 0; i < used; i++)
		if (byte[i])
			break;
	ck_assert_uint_eq(i, used);
	ck_assert_int_eq(byte[used], 1);
	matrix_wipe(&m, SIZE_MAX);
	ck_assert_int_eq(byte[m.size - 1], 0);
	matrix_unmap(&m);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("system");
	TCase *tc = tcase_create("system");

	check_descriptors(tc);
	tcase_add_test(tc, outer_hash_has_the_kernel);
	tcase_add_test(tc, no_random_bytes);
	tcase_add_test(tc, random_bytes_in_pieces);
#ifdef __x86_64__
	tcase_add_test(tc, memory_may_be_dirty);
#endif
	tcase_add_test(tc, self_test_fails);
	tcase_add_loop_test(tc, matrix_is_aligned, 0, 2);
	tcase_add_test(tc, matrix_grows);
	tcase_add_test(tc, matrix_is_unmapped);
	tcase_add_loop_test(tc, matrix_is_wiped, 0, 2);
	if (!INSTRUMENTED)
		tcase_add_test(tc, outer_hash_wipes);
	/*
	 * An emulator has no flags, and may not know madvise(2)'s advice
	 * either.
	 */
	if (INSTRUMENTED || has_flag(&tests, "") < 0) {
		check_skip(suite, "matrix_is_not_dumped, _inherited, "
			   "matrix_is_of_huge_pages # SKIP "
			   "/proc/self/smaps has no flags here");
	} else {
		tcase_add_test(tc, matrix_is_not_dumped);
		tcase_add_test(tc, matrix_is_of_huge_pages);
		tcase_add_test(tc, matrix_is_not_inherited);
	}
	suite_add_tcase(suite, tc);
	return check_main(suite);
}
