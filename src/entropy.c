/* SPDX-License-Identifier: BSD-2-Clause */
/* Random bytes for salts: from Linux. */
#include "entropy.h"

#include <errno.h>
#include <sys/random.h>

int entropy_read(uint8_t *p, size_t n)
{
	while (n > 0) {
		ssize_t got = getrandom(p, n, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return -1;
		p += got;
		n -= (size_t)got;
	}
	return 0;
}
