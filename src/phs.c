/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PHS(), as the Password Hashing Competition's harnesses call it: a plugin
 * for each PHS_VERSION with that version's sponge, t_cost passes over m_cost
 * rows of 256 columns.
 */
#include "lyra2.h"

__attribute__((visibility("default")))
int PHS(void *out, size_t outlen, const void *in, size_t inlen,
	const void *salt, size_t saltlen, unsigned int t_cost,
	unsigned int m_cost);

int PHS(void *out, size_t outlen, const void *in, size_t inlen,
	const void *salt, size_t saltlen, unsigned int t_cost,
	unsigned int m_cost)
{
	struct lyra2_params p;

	lyra2_params_init(&p);
	p.version = PHS_VERSION;
	p.sponge = PHS_VERSION == 25 ? LYRA2_BLAKE2B : LYRA2_BLAMKA;
	p.t_cost = t_cost;
	p.rows = m_cost;
	return lyra2_kdf(NULL, &p, in, inlen, salt, saltlen, out, outlen);
}
