/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory of the matrix: mapped, wiped, unmapped. */
#include "matrix.h"

#include <errno.h>
#include <sys/mman.h>

#include "wipe.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define HUGE_PAGE ((size_t)2 << 20)
#define LARGEST_PAGE ((size_t)64 << 10)	/* of those that are not huge */

/*
 * A page of 4 KiB costs more to fault in than to fill.  Huge pages need an
 * aligned start: the extra memory mapped for that is unmapped at once.
 */
static void *map_aligned(size_t size)
{
	const size_t more = size + HUGE_PAGE;
	uint8_t *p;
	size_t head;

	if (size < HUGE_PAGE || more < size)
		return MAP_FAILED;
	p = mmap(NULL, more, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return p;
	head = -(uintptr_t)p & (HUGE_PAGE - 1);
	if (head > 0)
		munmap(p, head);
	munmap(p + head + size, more - head - size);
	return p + head;
}

/* An old Linux may lack each of these, which is not an error. */
static void advise(void *p, size_t size)
{
#ifdef MADV_HUGEPAGE
	madvise(p, size, MADV_HUGEPAGE);
#endif
#ifdef MADV_DONTDUMP
	madvise(p, size, MADV_DONTDUMP);
#endif
#ifdef MADV_WIPEONFORK
	madvise(p, size, MADV_WIPEONFORK);
#endif
	(void)p;
	(void)size;
}

/* Returns memory aligned to 64, or NULL if there is none. */
static void *pages_map(size_t *size)
{
	void *p;

	*size = (*size + LARGEST_PAGE - 1) & ~(LARGEST_PAGE - 1);
	p = map_aligned(*size);
	if (p == MAP_FAILED)	/* small, or the slack did not fit */
		p = mmap(NULL, *size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	advise(p, *size);
	return p;
}

int matrix_map(struct matrix *m, size_t size)
{
	if (m->base && m->size >= size)
		return 0;
	matrix_unmap(m);
	m->base = size <= SIZE_MAX / 2 ? pages_map(&size) : NULL;
	if (!m->base) {
		errno = ENOMEM;
		return -1;
	}
	m->size = size;
	return 0;
}

#ifdef __SSE2__
/*
 * Memory that no cache holds is wiped with stores that bypass the caches: a
 * line that is overwritten as a whole need not be read first.  Smaller memory
 * is wiped, and used again, sooner in the cache.
 */
enum { STREAMED = 32 << 20 };

static void wipe_streamed(void *start, size_t size)
{
	const __m128i zero = _mm_setzero_si128();
	__m128i *p = start;
	size_t i;

	for (i = 0; i < size / sizeof(*p); i++)
		_mm_stream_si128(p + i, zero);
	_mm_sfence();
	__asm__ __volatile__("" : : "r"(p) : "memory");
}
#endif

/*
 * Wipes line by line.  A memset of all the memory is "rep stosb" in glibc: a
 * hash with 64 MiB took 5 % longer with that (Cascade Lake).
 */
void matrix_wipe(struct matrix *m, size_t used)
{
	const size_t size = used < m->size ? used : m->size;
	uint64_t *p = m->base;
	size_t i;

	if (!p)
		return;
#ifdef __SSE2__
	if (size >= STREAMED) {
		wipe_streamed(p, size);
		return;
	}
#endif
	for (i = 0; i < size / sizeof(*p); i += 8)
		lyra2_wipe(p + i, 8 * sizeof(*p));
}

void matrix_unmap(struct matrix *m)
{
	const int error = errno;

	if (m->base)
		munmap(m->base, m->size);
	m->base = NULL;
	m->size = 0;
	errno = error;
}
