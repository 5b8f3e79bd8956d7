/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Prints the times that doc/speed.md shows:
 *
 * 	bench RUNS [VERSION SPONGE ROTATION LIB.so]...
 *
 * Hashes that are compared run in turn, so that a disturbance affects all of
 * them.  The first run of each does not count.  bench prints the median of the
 * others, in CPU time, with fresh memory as at a login.  LIB.so has PHS(), the
 * interface of the Password Hashing Competition, for the function of these
 * numbers: 25 1 256 is version 2.5, BLAKE2b, rotation 256.  Libraries that are
 * not installed are left out.
 */
#include <dlfcn.h>
#include <err.h>
#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bash/bash-dispatch.h"
#include "lyra2-kernels.h"
#include "matrix.h"
#include "params.h"
#include "tests/bench/ghost.h"

/*
 * Together 24 bytes.  More than 39 would make a second input block, in which
 * the public builds of version 2.5 read past the end of their input.
 */
#define PASSWORD "password"
#define SALT "saltsaltsaltsalt"
#define MIB 1048576.0

enum { WORKS = 24, MAX_RUNS = 1000, KEY = 64 };

/* One hash.  run() returns 0, or -1 with errno. */
struct work {
	const char *name;
	int (*run)(struct work *w);
	struct lyra2_params params;	/* of other functions: t_cost */
	uint32_t rotation;
	const char *kernel;		/* NULL: the chosen one */
	struct lyra2_ctx *ctx;		/* NULL: fresh memory each time */
	const char *setting;		/* for crypt(3) */
	uint8_t key[KEY];
	double mib, ms[MAX_RUNS];
};

static struct work works[WORKS];
static size_t n;		/* works in use */
static int runs;

static double now_ms(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void time_once(struct work *w, int run)
{
	const double begun = now_ms(CLOCK_PROCESS_CPUTIME_ID);

	if (w->run(w) < 0)
		err(1, "%s", w->name);
	if (run >= 0)
		w->ms[run] = now_ms(CLOCK_PROCESS_CPUTIME_ID) - begun;
}

/* Times all works, in another order each time, and prints the times. */
static void race(const char *title)
{
	double median;
	size_t i;
	int run;

	for (run = -1; run < runs; run++)
		for (i = 0; i < n; i++)
			time_once(&works[(i + (size_t)(run + 1)) % n], run);
	printf("\n%-28s MiB       ms    ratio   ms/MiB\n", title);
	for (i = 0; i < n; i++) {
		qsort(works[i].ms, (size_t)runs, sizeof(double), compare);
		median = works[i].ms[runs / 2];
		printf("%-26s %5g %8.2f %8.2f %8.3f\n", works[i].name,
		       works[i].mib, median, median / works[0].ms[runs / 2],
		       median / works[i].mib);
	}
}

static int run_ghost(struct work *w)
{
	return ghost(&w->params);
}

static struct work *add(const char *name, int (*run)(struct work *w),
			uint32_t t_cost, double mib)
{
	struct work *w = &works[n++];

	*w = (struct work){ .name = name, .run = run, .mib = mib };
	w->params = (struct lyra2_params){ 30, LYRA2_BLAMKA, t_cost,
		(uint32_t)(mib * MIB / 24576), 256, 2, { 0 } };
	w->rotation = 128;
	return w;
}

static int run_ours(struct work *w)
{
	struct lyra2_ctx *ctx = w->ctx ? w->ctx : lyra2_ctx_new();
	int r = -1;

	if (ctx && lyra2_ctx_set_kernel(ctx, w->kernel) == 0)
		r = lyra2_kdf_rotation(ctx, &w->params, w->rotation, PASSWORD,
				       sizeof(PASSWORD) - 1, SALT,
				       sizeof(SALT) - 1, w->key,
				       sizeof(w->key));
	if (!w->ctx)
		lyra2_ctx_free(ctx);
	return r;
}

/* ---- other functions ---- */

/* Stores a function of a library; ISO C converts no object pointer to one. */
static bool find(const char *library, const char *name, void *function)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	void *p = handle ? dlsym(handle, name) : NULL;

	memcpy(function, &p, sizeof(p));
	return p != NULL;
}

static int (*argon2id)(uint32_t t_cost, uint32_t kib, uint32_t lanes,
		       const void *password, size_t passwordlen,
		       const void *salt, size_t saltlen, void *hash, size_t n);
static int (*sodium)(void *hash, unsigned long long n, const char *password,
		     unsigned long long passwordlen, const char *salt,
		     unsigned long long passes, size_t bytes, int algorithm);
static char *(*crypt_rn)(const char *password, const char *setting,
			 void *data, int size);
static int (*digest)(void *library, const char *name, const char *properties,
		     const void *input, size_t size, void *hash, size_t *n);

static int run_argon2(struct work *w)
{
	return argon2id(w->params.t_cost, 64 << 10, 1, PASSWORD,
			sizeof(PASSWORD) - 1, SALT, sizeof(SALT) - 1, w->key,
			32) == 0 ? 0 : -1;
}

static int run_sodium(struct work *w)
{
	return sodium(w->key, 32, PASSWORD, sizeof(PASSWORD) - 1, SALT,
		      w->params.t_cost, (size_t)w->mib << 20, 2);
}

static int run_crypt(struct work *w)
{
	static char data[32768];

	return crypt_rn(PASSWORD, w->setting, data, sizeof(data)) ? 0 : -1;
}

static uint8_t input[1 << 20];

static int run_bash(struct work *w)
{
	struct bash h;

	bash_start(&h, bash_dispatch(KERNELS));
	bash_add(&h, input, sizeof(input));
	bash_end(&h, w->key);
	return 0;
}

static int run_sha3(struct work *w)
{
	return digest(NULL, "SHA3-256", NULL, input, sizeof(input), w->key,
		      NULL) - 1;
}

static void add_others(void)
{
	int (*init)(void);

	if (find("libsodium.so.23", "crypto_pwhash", &sodium) &&
	    find("libsodium.so.23", "sodium_init", &init) && init() >= 0) {
		add("libsodium, Argon2id, t=1", run_sodium, 1, 64);
		add("libsodium, Argon2id, t=3", run_sodium, 3, 64);
	}
	if (find("libargon2.so.1", "argon2id_hash_raw", &argon2id))
		add("libargon2, Argon2id, t=1", run_argon2, 1, 64);
	if (find("libcrypt.so.1", "crypt_rn", &crypt_rn)) {
		add("$y$jBT", run_crypt, 0, 64)->setting = "$y$jBT$" SALT;
		add("$y$j9T", run_crypt, 0, 16)->setting = "$y$j9T$" SALT;
	}
}

/* ---- the limit ---- */

/* Maps, faults in, wipes and unmaps as much memory as a hash. */
static int run_pages(struct work *w)
{
	const uint64_t size = params_matrix(&w->params);
	struct matrix m = { NULL, 0 };
	uint64_t i;

	if (matrix_map(&m, size) < 0)
		return -1;
	for (i = 0; i < size; i += 4096)
		((volatile uint8_t *)m.base)[i] = 1;
	matrix_wipe(&m, size);
	matrix_unmap(&m);
	return 0;
}

typedef void chain_fn(uint32_t lanes, uint64_t rounds, uint64_t reads);

LYRA2_INTERNAL chain_fn chain_avx512vl, chain_avx2;

/* The rounds of each kernel that has vectors of more than 128 bits */
static const struct {
	const char *kernel;
	chain_fn *run;
} chains[] = {
#ifdef __x86_64__
#define CHAIN(name) { #name, chain_##name }
	CHAIN(avx512vl), CHAIN(avx2),
#endif
	{ NULL, NULL },
};

static void run_rounds(struct work *w, uint32_t passes, uint32_t reading)
{
	const struct lyra2_params *p = &w->params;
	const uint64_t rounds = (uint64_t)p->rows / p->lanes * 256;
	size_t i = 0;

	while (strcmp(chains[i].kernel, w->kernel) != 0)
		i++;
	chains[i].run(p->lanes, rounds * passes, rounds * reading);
}

static int run_chain(struct work *w)
{
	run_rounds(w, w->params.t_cost + 1, 0);
	return 0;
}

/* Only in wandering is a column read that the sponge chose. */
static int run_reads(struct work *w)
{
	run_rounds(w, 1, w->params.t_cost);
	return 0;
}

static void add_chain(const char *name, int (*run)(struct work *))
{
	const char *kernel;
	size_t i, j;
	int usable;

	for (i = 0; (kernel = lyra2_kernel_at(i, &usable)); i++)
		for (j = 0; usable && chains[j].kernel; j++)
			if (strcmp(chains[j].kernel, kernel) == 0)
				add(name, run, 2, 96)->kernel =
					chains[j].kernel;
}

/* Adds the parts of a hash: bytes, pages, rounds. */
static void add_parts(void)
{
	add("moving the same bytes", run_ghost, 2, 96);
	add("faults and wiping", run_pages, 2, 96);
	add_chain("dependent rounds", run_chain);
	add_chain("rounds that wait for reads", run_reads);
}

static double median_of(size_t i)
{
	return works[i].ms[runs / 2];
}

/* The median of the work; of several kernels, the fastest. */
static double fastest(int (*run)(struct work *))
{
	double ms = 0;
	size_t i;

	for (i = 0; i < n; i++)
		if (works[i].run == run && (ms == 0 || median_of(i) < ms))
			ms = median_of(i);
	return ms;
}

static double larger(double x, double y)
{
	return x > y ? x : y;
}

/*
 * A hash takes at least the time of its rounds or of its bytes, whichever is
 * longer, and the time of its pages.  The second limit's rounds wait for reads.
 */
static void limit(uint32_t lanes)
{
	const char *chosen = lyra2_kernel_for(lanes, NULL);
	const double pages = median_of(1), bytes = median_of(0) - pages;
	const double first = larger(fastest(run_chain), bytes) + pages;
	const double second = larger(fastest(run_reads), bytes) + pages;
	size_t i;

	for (i = 0; i < n && fastest(run_chain) > 0; i++)
		if (works[i].run == run_ours &&
		    strcmp(works[i].kernel, chosen) == 0)
			printf("limit %.1f ms, with reads %.1f ms; %s: %.2f "
			       "and %.2f of them\n", first, second, chosen,
			       median_of(i) / first, median_of(i) / second);
}

/* ---- tables ---- */

/* The default hash on each kernel, and its parts */
static void kernels(uint32_t lanes, const char *title)
{
	const char *name;
	size_t i;
	int usable;

	n = 0;
	add_parts();
	for (i = 0; (name = lyra2_kernel_at(i, &usable)); i++)
		if (usable)
			add(name, run_ours, 2, 96)->kernel = name;
	for (i = 0; i < n; i++)
		works[i].params.lanes = lanes;
	race(title);
	limit(lanes);
}

/* Other functions with as much memory; and the time for several memory sizes */
static void peers(void)
{
	n = 0;
	add("ours, t=1", run_ours, 1, 64);
	add("ours, t=1", run_ours, 1, 4);
	add("ours, t=1", run_ours, 1, 1024);
	add("ours, t=2", run_ours, 2, 96);
	add_others();
	race("in fresh memory");
}

/* Costs of a login for the picture in README.md: 16 to 256 MiB */
static void logins(void)
{
	static const char *const settings[] = {
		"$y$j9T$" SALT, "$y$jAT$" SALT, "$y$jBT$" SALT, "$y$jCT$" SALT,
		"$y$jDT$" SALT
	};
	int i, mib;

	n = 0;
	for (i = 0; i < 5; i++) {
		mib = 16 << i;
		add("Lyra2, t=2", run_ours, 2, mib);
		if (sodium)
			add("Argon2id, t=3", run_sodium, 3, mib);
		if (crypt_rn)
			add("yescrypt", run_crypt, 0, mib)->setting =
				settings[i];
	}
	race("at logins");
}

static void digests(void)
{
	n = 0;
	add("bash256", run_bash, 0, 1);
	if (find("libcrypto.so.3", "EVP_Q_digest", &digest))
		add("OpenSSL, SHA3-256", run_sha3, 0, 1);
	race("1 MiB of input");
}

/*
 * Several processes compute the default hash; the bytes that they read and
 * write
 */
static void load(int processes)
{
	const double begun = now_ms(CLOCK_MONOTONIC), moved = 13 * 96 * MIB;
	int i, run, status = 0;
	double hashes;

	n = 0;
	add("the default", run_ours, 2, 96);
	for (i = 0; i < processes; i++)
		if (fork() == 0) {
			for (run = 0; run < runs; run++)
				time_once(&works[0], run);
			_exit(0);
		}
	while (wait(&status) > 0 && status == 0)
		;
	if (status != 0)
		errx(1, "a process of %d failed", processes);
	hashes = 1e3 * runs * processes / (now_ms(CLOCK_MONOTONIC) - begun);
	printf("\n%d at once: %.1f hashes a second, %.1f GB/s\n", processes,
	       hashes, hashes * moved / 1e9);
}

/* t_cost is T, m_cost is R; C is 256. */
static int (*phs)(void *out, size_t outlen, const void *in, size_t inlen,
		  const void *salt, size_t saltlen, unsigned int t_cost,
		  unsigned int m_cost);

static int run_phs(struct work *w)
{
	errno = EINVAL;
	return phs(w->key, sizeof(w->key), PASSWORD, sizeof(PASSWORD) - 1,
		   SALT, sizeof(SALT) - 1, w->params.t_cost,
		   w->params.rows) == 0 ? 0 : -1;
}

/* A PHS() library compared with liblyra2: R=T=64, in memory that is kept */
static void library(char **arg)
{
	struct lyra2_ctx *ctx = lyra2_ctx_new();

	if (!ctx || !find(arg[3], "PHS", &phs))
		errx(2, "%s: no library with PHS()", arg[3]);
	n = 0;
	add("ours", run_ours, 64, 1.5)->ctx = ctx;
	works[0].params = (struct lyra2_params){ (uint32_t)atoi(arg[0]),
		(uint32_t)atoi(arg[1]), 64, 64, 256, 1, { 0 } };
	works[0].rotation = (uint32_t)atoi(arg[2]);
	add("PHS()", run_phs, 64, 1.5)->params = works[0].params;
	race(arg[3]);
	if (memcmp(works[0].key, works[1].key, KEY) != 0)
		errx(2, "%s: computes another function", arg[3]);
	lyra2_ctx_free(ctx);
}

int main(int argc, char **argv)
{
	runs = argc > 1 ? atoi(argv[1]) : 0;
	if (runs < 1 || runs > MAX_RUNS || argc % 4 != 2)
		errx(2, "usage: bench RUNS [VERSION SPONGE ROTATION LIB]...");
	/* Here malloc() keeps memory from one hash to the next; */
	mallopt(M_MMAP_MAX, 0);
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
	for (argv += 2; *argv; argv += 4)
		library(argv);
	/* and here malloc() maps fresh memory each time. */
	mallopt(M_MMAP_MAX, 1 << 16);
	mallopt(M_MMAP_THRESHOLD, 1 << 16);
	kernels(1, "1 lane");
	kernels(2, "2 lanes");
	kernels(4, "4 lanes");
	peers();
	logins();
	digests();
	load(1);
	load((int)sysconf(_SC_NPROCESSORS_ONLN));
	return 0;
}
