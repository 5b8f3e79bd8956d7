/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * policy.h - what the administrator wants: the part of the options that a
 * helper has to know.
 */
#ifndef PAM_LYRA2_POLICY_H
#define PAM_LYRA2_POLICY_H

#include <lyra2.h>

enum { REHASH_ALWAYS, REHASH_NEVER, REHASH_LOG_ONLY };
enum { ROOT_AUTO, ROOT_YES, ROOT_NO };

struct policy {
	struct lyra2_params params;	/* of new hashes */
	uint64_t max_memory;		/* bytes for a stored hash */
	uint32_t max_concurrent;	/* 0: as many as there are CPUs */
	uint32_t rehash;
	uint32_t rehash_root;
};

#endif
