/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the administrator has configured: the options that a helper needs.
 */
#ifndef PAM_LYRA2_POLICY_H
#define PAM_LYRA2_POLICY_H

#include <lyra2.h>

enum rehash { REHASH_ALWAYS, REHASH_NEVER, REHASH_LOG_ONLY, REHASH_EXACT };
enum rehash_root { ROOT_AUTO, ROOT_YES, ROOT_NO };

struct policy {
	struct lyra2_params params;	/* of new hashes */
	uint64_t max_memory;		/* bytes for a stored hash */
	uint32_t max_concurrent;	/* 0: as many as there are CPUs */
	uint32_t rehash;		/* enum rehash */
	uint32_t rehash_root;		/* enum rehash_root */
};

#endif
