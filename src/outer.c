/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes the outer hash. */
#include "outer.h"

#include "wipe.h"

int outer_bash256(enum kernel kernel, const struct lyra2_string *s,
		  const void *password, size_t passwordlen, uint8_t *y)
{
	bash_blocks_fn *blocks = bash_dispatch(kernel);
	uint8_t key[BASH256];
	struct bash h;

	if (!blocks)
		return -1;
	bash_start(&h, blocks);
	bash_add(&h, password, passwordlen);
	bash_end(&h, key);
	bash_hmac(blocks, key, s->setting, s->settinglen, key);
	bash_hmac(blocks, key, y, BASH256, y);
	lyra2_wipe(key, sizeof(key));
	return 0;
}
