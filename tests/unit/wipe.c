/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * No secret remains after a call.  A child makes the call with a password in a
 * page that it shares with its parent, and waits.  The parent searches the rest
 * of the child's memory for pieces of the password, the key, the matrix and the
 * sponge.  Memory that the library unmaps must already be zero.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bash-dispatch.h"
#include "check-main.h"
#include "dispatch.h"
#include "encode.h"
#include "instrumented.h"
#include "params.h"
#include "tests/lib/random.h"
#include "wipe.h"

/* These have the same parameters. */
static const struct lyra2_params cheap = { 30, LYRA2_BLAMKA, 2, 16, 12, 1,
					   { 0 } };
#define SETTING "$lyra2$t2n4c12p1$saltsalt"
#define OUTER_SETTING "$bashlyra2$t2n4c12p1$saltsalt"
enum { PASSWORD = 60, KEY = 32, PIECE = 8, BLOCKS = 16 * 12, WORDS = 12 };

/* Memory that parent and child share */
static struct shared {
	uint8_t password[PASSWORD], key[KEY];
	char out[LYRA2_MAX_STRING];
	int dirty;	/* unmapped regions that were not all zero */
	int done;
} *shared;

/* The library is linked statically, so its calls come here. */
int munmap(void *p, size_t n)
{
	const uint8_t *byte = p;
	size_t i;

	for (i = 0; i < n && shared; i++)
		if (byte[i]) {
			shared->dirty++;
			break;
		}
	return (int)syscall(SYS_munmap, p, n);
}

/* ---- the secrets that the parent searches for ---- */

static struct secrets {
	uint64_t matrix[BLOCKS * WORDS];
	alignas(64) uint64_t lane[LYRA2_LANE_BYTES / 8];
	uint8_t key[KEY];
	uint8_t outer[3][BASH256];	/* keys of HMAC, and the hash */
	char digits[KEY * 4 / 3 + 2];
} secrets;
static const char *salt = "saltsalt";

/* HMAC(HMAC(bash256(password), setting), key), with the setting as the salt */
static void compute_outer(void)
{
	bash_blocks_fn *blocks = bash_dispatch(KERNEL_plain);
	struct bash h;

	bash_start(&h, blocks);
	bash_add(&h, shared->password, PASSWORD);
	bash_end(&h, secrets.outer[0]);
	bash_hmac(blocks, secrets.outer[0], salt, strlen(salt),
		  secrets.outer[1]);
	bash_hmac(blocks, secrets.outer[1], secrets.key, KEY,
		  secrets.outer[2]);
}

static void compute_secrets(void)
{
	struct lyra2_job job = {
		.params = cheap,
		.rotation = PARAMS_ROTATION,
		.password = shared->password,
		.passwordlen = PASSWORD,
		.salt = (const uint8_t *)salt,
		.saltlen = strlen(salt),
		.matrix = secrets.matrix,
		.lanes = secrets.lane,
		.key = secrets.key,
		.keylen = KEY,
	};

	dispatch_entry(KERNEL_plain)(&job);
	compute_outer();
	base64_encode(secrets.key, KEY, secrets.digits);
}

/*
 * Returns false for 8 bytes that any memory may have: few values, or pointers.
 */
static int telling(const uint8_t *piece)
{
	size_t i, values = 1;

	for (i = 1; i < PIECE; i++)
		values += piece[i] && !memchr(piece, piece[i], i);
	return values > 4 && (piece[PIECE - 1] || piece[PIECE - 2]);
}

static int found_piece(const uint8_t *hay, size_t n, const void *secret,
		       size_t secretlen, const char *what)
{
	const uint8_t *p = secret;
	size_t i;
	int found = 0;

	for (i = 0; i + PIECE <= secretlen; i += PIECE)
		if (telling(p + i) && memmem(hay, n, p + i, PIECE)) {
			printf("# %s, from byte %zu\n", what, i);
			found = 1;
		}
	return found;
}

static int found_in(const uint8_t *hay, size_t n)
{
	const struct secrets *s = &secrets;

	return found_piece(hay, n, shared->password, PASSWORD, "password") |
	       found_piece(hay, n, s->key, KEY, "key") |
	       found_piece(hay, n, s->outer, sizeof(s->outer), "outer") |
	       found_piece(hay, n, s->digits, strlen(s->digits), "digits") |
	       found_piece(hay, n, s->matrix, sizeof(s->matrix), "matrix") |
	       found_piece(hay, n, s->lane, sizeof(s->lane), "state");
}

/* Searches one region of the child. */
static int found_at(int mem, const char *map, uint64_t start, uint64_t end)
{
	const size_t n = (size_t)(end - start);
	uint8_t *hay = malloc(n);
	int found = 0;

	ck_assert_ptr_nonnull(hay);
	if (pread(mem, hay, n, (off_t)start) == (ssize_t)n)
		found = found_in(hay, n);
	if (found)
		printf("# in %s", map);
	free(hay);
	return found;
}

/* Returns true if a secret is in memory that the child can write to. */
static int search(pid_t pid)
{
	char path[64], line[512], perms[8];
	unsigned long long start, end;
	int found = 0, mem;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/mem", (int)pid);
	mem = open(path, O_RDONLY);
	ck_assert_int_ge(mem, 0);
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	maps = fopen(path, "r");
	ck_assert_ptr_nonnull(maps);
	while (fgets(line, sizeof(line), maps)) {
		ck_assert_int_eq(sscanf(line, "%llx-%llx %7s", &start, &end,
					perms), 3);
		if (strcmp(perms, "rw-p") == 0)
			found |= found_at(mem, line, start, end);
	}
	fclose(maps);
	close(mem);
	return found;
}

/* ---- the calls that the child makes ---- */

static struct lyra2_params params;

static int kdf(struct lyra2_ctx *ctx)
{
	return lyra2_kdf(ctx, &params, shared->password, PASSWORD, "saltsalt",
			 8, shared->key, KEY);
}

static int call_kdf(void)
{
	return kdf(NULL);
}

static int call_kdf_context(void)
{
	return kdf(lyra2_ctx_new());
}

static const char *kernel;

static int call_kernel(void)
{
	struct lyra2_ctx *ctx = lyra2_ctx_new();

	return lyra2_ctx_set_kernel(ctx, kernel) || kdf(ctx);
}

/* 33 MiB are wiped by another function. */
static int call_large(void)
{
	params.rows = 1408;
	params.cols = 256;
	return kdf(NULL);
}

static int call_crypt(void)
{
	return lyra2_crypt(NULL, SETTING, shared->password, PASSWORD,
			   shared->out, sizeof(shared->out));
}

static int call_crypt_small(void)
{
	return lyra2_crypt(NULL, SETTING, shared->password, PASSWORD,
			   shared->out, sizeof(SETTING)) != -1;
}

static int call_verify(void)
{
	return call_crypt() ||
	       lyra2_verify(NULL, shared->out, shared->password, PASSWORD);
}

static int call_verify_wrong(void)
{
	call_crypt();
	shared->out[sizeof(SETTING)] ^= 1;
	return lyra2_verify(NULL, shared->out, shared->password, PASSWORD) ==
	       0 || errno != EACCES;
}

/* A stored hash is a secret to all users but root. */
static int call_parse(void)
{
	return call_crypt() || lyra2_parse(shared->out, NULL, NULL, NULL);
}

static int call_needs_rehash(void)
{
	return call_crypt() || !lyra2_needs_rehash(shared->out,
						   LYRA2_METHOD_LYRA2, NULL);
}

/* The key that Lyra2 computes is a secret then, too. */
static int call_kernel_outer(void)
{
	struct lyra2_ctx *ctx = lyra2_ctx_new();

	return lyra2_ctx_set_kernel(ctx, kernel) ||
	       lyra2_crypt(ctx, OUTER_SETTING, shared->password, PASSWORD,
			   shared->out, sizeof(shared->out));
}

static int call_enomem(void)
{
	const struct rlimit limit = { 256 << 20, 256 << 20 };

	params.rows = 1 << 14;
	params.cols = 512;
	return setrlimit(RLIMIT_AS, &limit) || kdf(NULL) != -1 ||
	       errno != ENOMEM;
}

/*
 * Not calls of the library: each leaves a secret, which the search must find.
 */
static int leak_stack(void)
{
	volatile uint8_t copy[PASSWORD];
	size_t i;

	for (i = 0; i < PASSWORD; i++)
		copy[i] = shared->password[i];
	return copy[0] != shared->password[0];
}

static int leak_heap(void)
{
	volatile uint8_t *copy = malloc(KEY);
	size_t i;

	if (!copy || kdf(NULL))
		return 1;
	for (i = 0; i < PIECE; i++)
		copy[3 + i] = shared->key[16 + i];
	return 0;
}

static int leak_unmapped(void)
{
	char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	p[4095] = 1;
	return munmap(p, 4096);
}

/* ---- the tests ---- */

static void child(int (*call)(void))
{
	shared->done = call() ? -1 : 1;
	for (;;)
		pause();
}

/*
 * Returns true if the call left a secret.  Sets *dirty to the regions that were
 * not wiped.
 */
static int leaves(int (*call)(void))
{
	static uint64_t seed;
	const struct timespec moment = { 0, 1000000 };
	size_t i;
	int found;
	pid_t pid;

	params = cheap;
	seed++;
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		random_fill(&seed, shared->password, PASSWORD);
		for (i = 0; i < PASSWORD; i++)
			shared->password[i] |= 1;	/* no password has 0 */
		child(call);
	}
	while (!*(volatile int *)&shared->done)
		nanosleep(&moment, NULL);
	compute_secrets();
	found = search(pid);
	ck_assert_int_eq(kill(pid, SIGKILL), 0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	ck_assert_int_eq(shared->done, 1);
	return found;
}

static void share(void)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert(shared != MAP_FAILED);
}

#define CALL(name) { #name, call_##name }
static const struct {
	const char *name;
	int (*call)(void);
} calls[] = {
	CALL(kdf), CALL(kdf_context), CALL(large), CALL(crypt),
	CALL(crypt_small), CALL(verify), CALL(verify_wrong), CALL(enomem),
	CALL(parse), CALL(needs_rehash),
};

START_TEST(wipes)
{
	ROW(calls[_i].name);
	ck_assert_msg(!leaves(calls[_i].call), "%s leaves a secret behind",
		      calls[_i].name);
	ck_assert_msg(shared->dirty == 0, "%s unmaps what is not wiped",
		      calls[_i].name);
}
END_TEST

/*
 * Each kernel has a process of its own: the next would overwrite its remains.
 */
START_TEST(each_kernel_wipes)
{
	size_t i;
	int usable;

	for (i = 0; (kernel = lyra2_kernel_at(i, &usable)); i++) {
		if (!usable)
			continue;
		shared->done = 0;
		salt = "saltsalt";
		ck_assert_msg(!leaves(call_kernel), "%s", kernel);
		shared->done = 0;
		salt = OUTER_SETTING;
		ck_assert_msg(!leaves(call_kernel_outer), "%s, bash", kernel);
		ck_assert_msg(shared->dirty == 0, "%s unmaps", kernel);
	}
}
END_TEST

static void *hash_there(void *unused)
{
	const struct lyra2_params p = { 30, LYRA2_BLAMKA, 2, 16, 16, 2, { 0 } };
	struct lyra2_ctx *ctx = lyra2_ctx_new();
	uint8_t key[KEY];

	(void)unused;
	if (ctx && lyra2_ctx_set_kernel(ctx, kernel) == 0)
		(void)!lyra2_kdf(ctx, &p, "pw", 2, "salt", 4, key, KEY);
	lyra2_ctx_free(ctx);
	return NULL;
}

/* No kernel's stack is deeper than what is wiped after it. */
START_TEST(stack_is_wiped_to_its_end)
{
	enum { STACK = 1 << 18, FILL = 0xa5, CALL = 128, LEAST = 1024 };
	static const uint8_t zero[LEAST];
	uint8_t *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *deepest;
	pthread_attr_t attr;
	pthread_t thread;
	size_t i;
	int usable;

	ck_assert_ptr_ne(stack, MAP_FAILED);
	for (i = 0; (kernel = lyra2_kernel_at(i, &usable)); i++) {
		if (!usable)
			continue;
		hash_there(NULL);	/* binds symbols, tests the kernel */
		memset(stack, FILL, STACK);
		ck_assert_int_eq(pthread_attr_init(&attr), 0);
		ck_assert_int_eq(pthread_attr_setstack(&attr, stack, STACK), 0);
		ck_assert_int_eq(pthread_create(&thread, &attr, hash_there,
						NULL), 0);
		ck_assert_int_eq(pthread_join(thread, NULL), 0);
		for (deepest = stack; *deepest == FILL; deepest++)
			continue;
		/* What wipes it may call a function. */
		deepest += CALL;
		ck_assert_msg(memcmp(deepest, zero, LEAST) == 0, "%s", kernel);
	}
}
END_TEST

START_TEST(search_finds)
{
	ck_assert(leaves(leak_stack));
	shared->done = 0;
	ck_assert(leaves(leak_heap));
	shared->done = 0;
	ck_assert_int_eq(shared->dirty, 0);
	leaves(leak_unmapped);
	ck_assert_int_eq(shared->dirty, 1);
}
END_TEST

static Suite *make_suite(void)
{
	Suite *suite = suite_create("wipe");
	TCase *tc = tcase_create("wipe");

	tcase_add_checked_fixture(tc, share, NULL);
	tcase_add_loop_test(tc, wipes, 0, sizeof(calls) / sizeof(calls[0]));
	tcase_add_test(tc, each_kernel_wipes);
	tcase_add_test(tc, stack_is_wiped_to_its_end);
	tcase_add_test(tc, search_finds);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	if (!INSTRUMENTED)
		return check_main(make_suite());
	puts("1..0 # SKIP the instrumentation keeps copies of its own");
	return 0;
}
