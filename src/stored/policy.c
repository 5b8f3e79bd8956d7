/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes new hashes, and decides whether a login replaces an old one. */
#include "policy.h"

#include <crypt.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "crypt3.h"

#define OLD_CUTS "the old method truncates passwords"
#define NEW_CUTS "the new method truncates passwords"
#define TO_DO "; the user has to set a new one"

static int crypt_setting(const struct policy *p, char *out, size_t size)
{
	return crypt3_setting(p->prefix[0] != '\0' ? p->prefix : NULL,
			      p->crypt_cost, out, size);
}

/*
 * Makes a setting.  A Lyra2 setting also gets a hash, because lyra2_parse()
 * requires one.
 */
static int example(const struct policy *p, char *out, size_t size)
{
	size_t len;

	if (!p->lyra2)
		return crypt_setting(p, out, size);
	if (lyra2_gensalt(p->lyra2, &p->params, NULL, 0, out, size) < 0)
		return -1;
	len = strlen(out);
	snprintf(out + len, size - len, "$%.43s",
		 "...........................................");
	return 0;
}

int policy_ready(struct policy *p)
{
	char hash[CRYPT_GENSALT_OUTPUT_SIZE];
	struct stored s;

	if (example(p, hash, sizeof(hash)) < 0)
		return -1;
	stored_read(&s, hash);
	p->method = s.method;
	p->strength = s.strength;
	p->new_memory = s.memory;
	return 0;
}

uint64_t policy_max_memory(const struct policy *p)
{
	const uint64_t lyra2 = lyra2_memory(&p->params);
	const uint64_t new = lyra2 > p->new_memory ? lyra2 : p->new_memory;

	return new > p->max_memory ? new : p->max_memory;
}

uint32_t policy_max_password(const struct policy *p)
{
	return p->method->bytes ? (uint32_t)p->method->bytes :
		LYRA2_MAX_PASSWORD;
}

/*
 * Returns true if root may have a new hash of this policy.  sulogin(8), the
 * last way into a machine, verifies root's hash with crypt(3).  Even if that
 * knows Lyra2 now, an update of libcrypt may bring one that does not.
 */
static bool root_allowed(const struct policy *p)
{
	return !p->lyra2 || p->rehash_root;
}

static bool is_cut(const struct method *m, const char *password)
{
	return m && m->bytes && strlen(password) > m->bytes;
}

int policy_hash(const struct policy *p, bool root, const char *password,
		char *out, size_t size)
{
	static const struct policy preferred = { .lyra2 = 0 };
	char setting[CRYPT_GENSALT_OUTPUT_SIZE];

	if (root && !root_allowed(p))
		p = &preferred;
	if (p->lyra2)
		return lyra2_hash(NULL, p->lyra2, &p->params, password,
				  strlen(password), out, size);
	if (crypt_setting(p, setting, sizeof(setting)) < 0)
		return -1;
	if (is_cut(method_of(setting, true), password)) {
		errno = EMSGSIZE;
		return -1;
	}
	return crypt3_hash(setting, password, out, size);
}

/*
 * Returns true if the password has a byte above 127.  A method that ignores the
 * eighth bit gives another password the same hash.
 */
static bool has_eighth_bit(const char *password)
{
	for (; *password; password++)
		if (*password & 0x80)
			return true;
	return false;
}

static bool is_current(const struct policy *p, const struct stored *s)
{
	const struct strength *has = &s->strength, *wants = &p->strength;

	return s->method == p->method && has->flags == wants->flags &&
		has->memory == wants->memory && has->cost == wants->cost &&
		has->family != FAMILY_UNKNOWN && !order_weaker(has, wants) &&
		(!p->lyra2 ||
		 memcmp(&s->params, &p->params, sizeof(p->params)) == 0);
}

static bool is_wanted(const struct policy *p, const struct stored *s)
{
	if (p->rehash == REHASH_EXACT)
		return true;
	return order_weaker(&s->strength, &p->strength) ||
		(p->rehash != REHASH_WEAKER && !p->lyra2 &&
		 stored_is_lyra2(s));
}

static const char *prevented(const struct policy *p, const struct stored *s,
			     const struct account *a)
{
	if (a->outside)
		return a->outside;
	if (a->root && !root_allowed(p))
		return "rehash_root = no";
	if (a->expired)
		return "the account has expired";
	if (!a->password)
		return NULL;
	if (is_cut(s->method, a->password))
		return OLD_CUTS TO_DO;
	if (s->method->seven_bits && has_eighth_bit(a->password))
		return "the old method ignores the eighth bit of each byte"
			TO_DO;
	return is_cut(p->method, a->password) ? NEW_CUTS TO_DO : NULL;
}

enum next policy_next(const struct policy *p, const struct stored *s,
		      const struct account *a, const char **why)
{
	*why = NULL;
	if (!stored_is_whole(s))
		return NEXT_NO_HASH;
	if (is_current(p, s))
		return NEXT_CURRENT;
	if (!is_wanted(p, s))
		*why = "it is not weaker than a new hash";
	else if (p->rehash == REHASH_NEVER)
		*why = "rehash = never";
	if (*why)
		return NEXT_KEEP;
	*why = prevented(p, s, a);
	if (*why)
		return NEXT_PREVENTED;
	return p->rehash == REHASH_LOG_ONLY ? NEXT_LOG : NEXT_CONVERT;
}

const char *policy_unless(const struct policy *p, const struct stored *s)
{
	if (s->method->bytes || s->method->seven_bits)
		return OLD_CUTS;
	return p->method->bytes ? NEW_CUTS : NULL;
}
