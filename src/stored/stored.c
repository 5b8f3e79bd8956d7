/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads a stored hash, describes it, and says whether a login rehashes. */
#include "stored.h"

#include <crypt.h>
#include <stdio.h>
#include <string.h>

#define FLOOR_BYTES (UINT64_C(1) << 20)

/* Where the salt of Lyra2 begins: no salt has an equals sign, as fields do. */
static size_t salt_at(const char *hash)
{
	const char *s = hash + strlen(method_lyra2.prefix);

	while (s[strcspn(s, "=$")] == '=')
		s += strcspn(s, "$") + 1;
	return (size_t)(s - hash);
}

void stored_read(struct stored *s, const char *hash)
{
	memset(s, 0, sizeof(*s));
	s->hash = hash;
	s->in_crypt = method_in_crypt(hash);
	s->method = method_of(hash, s->in_crypt);
	if (!s->method)
		return;
	if (!stored_is_lyra2(s)) {
		s->memory = s->method->memory(hash);
	} else if (lyra2_parse(hash, &s->params, NULL, 0) == 0) {
		s->memory = lyra2_memory(&s->params);
		s->salt = salt_at(hash);
	} else {
		/* lyra2_parse() reads a setting, too. */
		memset(&s->params, 0, sizeof(s->params));
		s->memory = COST_TOO_HIGH;
	}
}

bool stored_is_lyra2(const struct stored *s)
{
	return s->method == &method_lyra2;
}

/* Parameters have one spelling: a setting of them begins like the hash. */
static bool has_params(const struct stored *s,
		       const struct lyra2_params *wanted)
{
	char setting[LYRA2_MAX_STRING];

	return lyra2_gensalt(wanted, "not random", 10, setting,
			     sizeof(setting)) == 0 &&
		salt_at(setting) == s->salt &&
		memcmp(setting, s->hash, s->salt) == 0;
}

/*
 * What a guess costs hardware that computes the lanes at once: the memory for
 * as long as one lane takes.  No overflow within the limits on strings.
 */
static uint64_t guess(const struct lyra2_params *p)
{
	return lyra2_memory(p) * (lyra2_work(p) / p->lanes);
}

bool policy_leads_back(const struct policy *p)
{
	return p->prefix[0] != '\0';
}

static int setting_back(const struct policy *p, char *out, size_t size)
{
	const bool preferred = strcmp(p->prefix, POLICY_PREFERRED) == 0;

	return method_setting(preferred ? NULL : p->prefix, p->crypt_cost,
			      out, size);
}

const struct method *policy_method(const struct policy *p)
{
	char setting[CRYPT_GENSALT_OUTPUT_SIZE];

	if (!policy_leads_back(p))
		return &method_lyra2;
	return setting_back(p, setting, sizeof(setting)) == 0 ?
		method_of(setting, true) : NULL;
}

uint64_t policy_max_memory(const struct policy *p)
{
	char setting[CRYPT_GENSALT_OUTPUT_SIZE];
	struct stored new;

	/* Instead of those that cannot be made, it is the preferred method. */
	if (!policy_leads_back(p) ||
	    (setting_back(p, setting, sizeof(setting)) < 0 &&
	     method_setting(NULL, 0, setting, sizeof(setting)) < 0))
		return p->max_memory;
	stored_read(&new, setting);
	return new.memory > p->max_memory ? new.memory : p->max_memory;
}

static enum stored_status status_back(const struct policy *p,
				      const struct stored *s)
{
	char setting[CRYPT_GENSALT_OUTPUT_SIZE], has[128], wants[128];
	struct stored new;

	if (setting_back(p, setting, sizeof(setting)) < 0)
		return STORED_WEAKER;
	stored_read(&new, setting);
	if (s->method != new.method)
		return STORED_WEAKER;
	stored_params(s, has, sizeof(has));
	stored_params(&new, wants, sizeof(wants));
	return strcmp(has, wants) == 0 && s->memory == new.memory ?
		STORED_CURRENT : STORED_DIFFERS;
}

enum stored_status policy_status(const struct policy *p,
				 const struct stored *s)
{
	const struct lyra2_params *wanted = &p->params, *has = &s->params;

	if (!s->method || (stored_is_lyra2(s) && has->version == 0))
		return STORED_NO_HASH;
	if (policy_leads_back(p))
		return status_back(p, s);
	if (s->method == &method_other)
		return STORED_DIFFERS;
	if (!stored_is_lyra2(s) || s->memory < lyra2_memory(wanted) ||
	    guess(has) < guess(wanted) ||
	    has->t_cost < wanted->t_cost || has->version < wanted->version ||
	    (has->outer == LYRA2_NO_OUTER && wanted->outer != LYRA2_NO_OUTER) ||
	    strcspn(s->hash + s->salt, "$") < LYRA2_NEW_SALT)
		return STORED_WEAKER;
	return has_params(s, wanted) ? STORED_CURRENT : STORED_DIFFERS;
}

void stored_params(const struct stored *s, char *out, size_t size)
{
	const char *start;
	size_t len;

	out[0] = '\0';
	if (!s->method || !s->method->params)
		return;
	/* After "$y$", "$2b$", "$lyra2$". */
	start = strchr(s->hash + 1, '$');
	if (!start++ || strncmp(start, s->method->params,
				strlen(s->method->params)) != 0)
		return;
	len = s->salt ? s->salt - (size_t)(start - s->hash) - 1 :
		strcspn(start, "$");
	if (len < size && start[len] == '$')
		snprintf(out, size, "%.*s", (int)len, start);
}

void stored_describe(const struct stored *s, char *out, size_t size)
{
	char params[128];
	char *dollar;

	snprintf(out, size, "%s", s->method ? s->method->name : "unknown");
	if (!stored_is_lyra2(s))
		return;
	stored_params(s, params, sizeof(params));
	while ((dollar = strchr(params, '$')))
		*dollar = ' ';
	if (params[0] != '\0')
		snprintf(out, size, "%s(%s)", s->method->name, params);
}

/*
 * Whether the new one is known to have no less memory, passes or outer hash,
 * nor so many more lanes that a guess costs less.
 */
static bool no_loss(const struct policy *p, const struct stored *s)
{
	return s->method != &method_other &&
		s->memory <= lyra2_memory(&p->params) &&
		(!stored_is_lyra2(s) ||
		 guess(&s->params) <= guess(&p->params)) &&
		s->params.t_cost <= p->params.t_cost &&
		(s->params.outer == LYRA2_NO_OUTER ||
		 p->params.outer != LYRA2_NO_OUTER);
}

bool policy_rehashes(const struct policy *p, const struct stored *s)
{
	switch (policy_status(p, s)) {
	case STORED_NO_HASH:
	case STORED_CURRENT:
		return false;
	case STORED_DIFFERS:
	case STORED_WEAKER:
		break;
	}
	if (p->rehash == REHASH_EXACT)
		return true;
	return policy_leads_back(p) ? stored_is_lyra2(s) : no_loss(p, s);
}

int policy_hash(const struct policy *p, const char *password, char *out,
		size_t size)
{
	char setting[CRYPT_GENSALT_OUTPUT_SIZE];

	if (!policy_leads_back(p))
		return lyra2_hash(NULL, &p->params, password, strlen(password),
				  out, size);
	if (setting_back(p, setting, sizeof(setting)) < 0)
		return -1;
	return method_crypt(setting, password, out, size);
}

bool policy_floor_met(const struct policy *p)
{
	return policy_leads_back(p) || lyra2_memory(&p->params) >= FLOOR_BYTES;
}

bool policy_in_crypt(const struct lyra2_params *params)
{
	char setting[LYRA2_MAX_STRING];

	return lyra2_gensalt(params, NULL, 0, setting, sizeof(setting)) == 0 &&
		method_in_crypt(setting);
}

bool policy_root_allowed(const struct policy *p)
{
	if (policy_leads_back(p))
		return true;
	if (p->rehash_root != ROOT_AUTO)
		return p->rehash_root == ROOT_YES;
	return policy_in_crypt(&p->params);
}
