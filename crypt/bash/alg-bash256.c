/* SPDX-License-Identifier: BSD-2-Clause */
/* bash256 of STB 34.101.77, as liblyra2 has it, and HMAC of RFC 2104. */
#include "crypt-port.h"

#if INCLUDE_bash_lyra2

#include "alg-bash256.h"
#include "byteorder.h"

#define CORE_KERNEL bash_blocks_plain
#define CORE_TARGET
#define BASH_COLUMNS 1
#define BASH_SHORT 0
#include "core-kernel.h"
#include "bash.h"
#include "row-plain.h"
#include "bash-row-plain.h"
#include "bash-body.h"
#include "bash.c"

void bash256_outer(const char *phrase, size_t phr_size, const char *setting,
		   size_t set_size, uint8_t *y)
{
	uint8_t key[BASH256];
	struct bash h;

	bash_start(&h, sizeof(key), bash_blocks_plain);
	bash_add(&h, phrase, phr_size);
	bash_end(&h, key);
	bash_hmac(bash_blocks_plain, key, setting, set_size, key);
	bash_hmac(bash_blocks_plain, key, y, BASH256, y);
	explicit_bzero(key, sizeof(key));
}

#endif /* INCLUDE_bash_lyra2 */
