/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory of the matrix: mapped, wiped, unmapped. */
#include "matrix.h"
#include "wipe.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#define HUGE_PAGE ((size_t)2 << 20)

/*
 * A page of 4 KiB costs more to fault in than to fill.  Huge pages want the
 * start aligned: what is mapped for that beyond the size goes back at once.
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

int matrix_map(struct matrix *m, size_t size)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *p;

	if (m->base && m->size >= size)
		return 0;
	matrix_unmap(m);
	if (size > SIZE_MAX - page) {
		errno = ENOMEM;
		return -1;
	}
	size = (size + page - 1) & ~(page - 1);
	p = map_aligned(size);
	if (p == MAP_FAILED)	/* perhaps for want of the surplus */
		p = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED) {
		errno = ENOMEM;
		return -1;
	}
	/* Each only makes things better: a kernel without it is no error. */
	madvise(p, size, MADV_HUGEPAGE);
	madvise(p, size, MADV_DONTDUMP);
	madvise(p, size, MADV_WIPEONFORK);
	m->base = p;
	m->size = size;
	return 0;
}

/*
 * Line by line: a memset of it all is "rep stosb" in glibc, with which a whole
 * hash with 64 MiB took 5 % longer (lyra2 bench --peers, Cascade Lake).
 */
void matrix_wipe(struct matrix *m, size_t used)
{
	const size_t size = used < m->size ? used : m->size;
	uint64_t *p = m->base;
	size_t i;

	if (!p)
		return;
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
