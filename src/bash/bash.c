/* SPDX-License-Identifier: BSD-2-Clause */
/* Feeds input of any length to a kernel of Bash-f. */
#include "bash.h"

#include <string.h>

#include "bytes.h"
#include "wipe.h"

void bash_start(struct bash *h, bash_blocks_fn *blocks)
{
	*h = (struct bash){ .blocks = blocks };
	h->state[bash_place(BASH_WORDS - 1)] = BASH256;
}

void bash_add(struct bash *h, const void *input, size_t n)
{
	const uint8_t *p = input;
	const size_t room = BASH256_BLOCK - h->fill;

	if (h->fill > 0 && n >= room) {
		memcpy(h->in + h->fill, p, room);
		h->blocks(h->state, h->in, 1);
		h->fill = 0;
		p += room;
		n -= room;
	}
	if (n >= BASH256_BLOCK) {
		h->blocks(h->state, p, n / BASH256_BLOCK);
		p += n - n % BASH256_BLOCK;
		n %= BASH256_BLOCK;
	}
	if (n > 0)
		memcpy(h->in + h->fill, p, n);
	h->fill += n;
}

void bash_end(struct bash *h, uint8_t *hash)
{
	unsigned i;

	memset(h->in + h->fill, 0, BASH256_BLOCK - h->fill);
	h->in[h->fill] = 0x40;
	h->blocks(h->state, h->in, 1);
	for (i = 0; i < BASH256 / 8; i++)
		bytes_put64(hash + 8 * i, h->state[bash_place(i)]);
	lyra2_wipe(h, sizeof(*h));
}

void bash_hmac(bash_blocks_fn *blocks, const uint8_t *key, const void *input,
	       size_t n, uint8_t *mac)
{
	uint8_t pad[BASH256_BLOCK];
	struct bash h;
	size_t i;

	memset(pad, 0x36, sizeof(pad));
	for (i = 0; i < BASH256; i++)
		pad[i] ^= key[i];
	bash_start(&h, blocks);
	bash_add(&h, pad, sizeof(pad));
	bash_add(&h, input, n);
	bash_end(&h, mac);
	for (i = 0; i < sizeof(pad); i++)
		pad[i] ^= 0x36 ^ 0x5c;
	bash_start(&h, blocks);
	bash_add(&h, pad, sizeof(pad));
	bash_add(&h, mac, BASH256);
	bash_end(&h, mac);
	lyra2_wipe(pad, sizeof(pad));
}
