/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library for ld.so.preload: one call of a function of libc fails.
 *
 * The file ORDER says which one, in which program, with which error.  All
 * processes of that program count together.  The library counts the calls of
 * each function, and the copies of a secret that are in a process's memory when
 * it ends.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#define ORDER "/run/lyra2/order"
#define MASK 0x55

/* Each with what it returns when it fails. */
#define FUNCTIONS(F) \
	F(accept4, -1) F(bind, -1) F(chdir, -1) F(chmod, -1) F(connect, -1) \
	F(crypt_rn, 0) F(dup2, -1) F(execve, -1) F(faccessat, -1) \
	F(fcntl, -1) F(fcntl64, -1) F(fdopen, 0) F(fgets, 0) F(flock, -1) \
	F(fopen, 0) F(fopen64, 0) F(fork, -1) F(fstat, -1) F(fstat64, -1) \
	F(ftruncate, -1) F(ftruncate64, -1) F(getline, -1) F(getrandom, -1) \
	F(getrlimit, -1) F(getrlimit64, -1) F(getsockopt, -1) F(kill, -1) \
	F(listen, -1) F(mkdir, -1) F(nanosleep, -1) F(open, -1) F(open64, -1) \
	F(openat, -1) F(openat64, -1) F(poll, -1) F(prctl, -1) F(pread, -1) \
	F(pread64, -1) F(pwrite, -1) F(pwrite64, -1) F(read, -1) F(recv, -1) \
	F(send, -1) F(sendto, -1) F(setgroups, -1) F(setitimer, -1) \
	F(setresgid, -1) F(setresuid, -1) F(setrlimit, -1) \
	F(setrlimit64, -1) F(setsid, -1) F(setsockopt, -1) F(shutdown, -1) \
	F(sigaction, -1) F(signalfd, -1) F(sigprocmask, -1) F(socket, -1) \
	F(socketpair, -1) F(stat, -1) F(stat64, -1) F(statx, -1) \
	F(syscall, -1) F(tsearch, 0) F(unlink, -1) F(waitpid, -1) \
	F(write, -1)

#define NUMBER(name, value) N_##name,
enum { FUNCTIONS(NUMBER) N_vfork, N_malloc, N_calloc, N_realloc, N_ALL };
#define NAME(name, value) #name,
static const char *const names[] = {
	FUNCTIONS(NAME) "vfork", "malloc", "calloc", "realloc"
};

/* The same in failing.py. */
static struct order {
	char program[16], function[16], secret[32];
	int32_t when, error, failed, left, counts[N_ALL];
} *order;

static int fails(int number)
{
	int nth;

	if (!order)
		return 0;
	if (strcmp(order->program, program_invocation_short_name) != 0)
		return 0;
	nth = __atomic_add_fetch(&order->counts[number], 1, __ATOMIC_SEQ_CST);
	if (strcmp(order->function, names[number]) != 0 ||
	    nth != order->when)
		return 0;
	order->failed = 1;
	errno = order->error;
	return 1;
}

static void *real(const char *name)
{
	void *f = dlsym(RTLD_NEXT, name);

	if (!f)
		abort();
	return f;
}

/*
 * Seven words are enough for each, and a shorter result is part of a word.  The
 * names in C are others, as the headers have these with other types.
 */
#define WRAP(name, value) \
	long fail_##name(long, long, long, long, long, long, long) \
		__asm__(#name); \
	long fail_##name(long a, long b, long c, long d, long e, long f, \
			 long g) \
	{ \
		static void *next; \
		if (!next) \
			next = real(#name); \
		return fails(N_##name) ? value : \
			((long (*)(long, long, long, long, long, long, long)) \
			 (uintptr_t)next)(a, b, c, d, e, f, g); \
	}
FUNCTIONS(WRAP)

/* The call at the end is a jump, so that the child returns from it, too. */
long fail_vfork(void) __asm__("vfork");
long fail_vfork(void)
{
	static void *next;

	if (!next)
		next = real("vfork");
	if (fails(N_vfork))
		return -1;
	return ((long (*)(void))(uintptr_t)next)();
}

/* dlsym(3) may need memory itself. */
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

void *malloc(size_t size)
{
	return fails(N_malloc) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return fails(N_calloc) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
	return fails(N_realloc) ? NULL : __libc_realloc(p, size);
}

/* ---- what is left in memory ---- */
static int count(const char *p, const char *end, const struct order *o)
{
	const size_t len = strlen(o->secret);
	size_t i;
	int n = 0;

	for (; p + len <= end; p++) {
		for (i = 0; i < len && p[i] == (o->secret[i] ^ MASK); i++)
			continue;
		n += i == len;
	}
	return n;
}

static void look(void)
{
	struct order *o = order;
	unsigned long from, to;
	char line[512], mode[5];
	FILE *maps;

	order = NULL;
	if (!o || strcmp(o->program, program_invocation_short_name) != 0)
		return;
	maps = fopen("/proc/self/maps", "r");
	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %4s", &from, &to, mode) == 3 &&
		    strncmp(mode, "rw", 2) == 0 && !strstr(line, "[v") &&
		    !strchr(mode, 's'))
			__atomic_add_fetch(&o->left,
					   count((char *)from, (char *)to, o),
					   __ATOMIC_SEQ_CST);
	if (maps)
		fclose(maps);
}

__attribute__((constructor)) static void begin(void)
{
	int fd = open(ORDER, O_RDWR | O_CLOEXEC);
	void *p;

	if (fd < 0)
		return;
	p = mmap(NULL, sizeof(*order), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		 0);
	close(fd);
	order = p == MAP_FAILED ? NULL : p;
}

__attribute__((destructor)) static void end(void)
{
	look();
}

/* A worker ends by it, and a child of the application that has its memory. */
void fail_exit(int) __asm__("_exit");
__attribute__((noreturn)) void fail_exit(int status)
{
	if (strcmp(program_invocation_short_name, "lyra2d") == 0)
		look();
	for (;;)
		syscall(SYS_exit_group, status);
}
