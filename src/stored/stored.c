/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads a stored hash and describes it. */
#include "stored.h"

#include <stdio.h>
#include <string.h>

#include "bounds.h"
#include "crypt3.h"

static void read_lyra2(struct stored *s)
{
	struct strength *str = &s->strength;

	if (lyra2_parse(s->hash, NULL, &s->params, NULL) < 0) {
		s->memory = COST_TOO_HIGH;
		return;
	}
	s->memory = lyra2_memory(&s->params);
	str->memory = s->memory;
	str->cost = string_cost(&s->params, s->memory);
	str->salt = setting_salt(strchr(s->hash + 1, '$'));
}

static void read_other(struct stored *s)
{
	struct setting set = { 0 };

	s->method->read(s->hash, &set);
	s->memory = set.bound;
	s->strength.memory = set.memory;
	s->strength.cost = set.cost;
	s->strength.flags = set.flags;
	s->strength.salt = set.salt;
}

void stored_read(struct stored *s, const char *hash)
{
	memset(s, 0, sizeof(*s));
	s->hash = hash;
	s->in_crypt = crypt3_knows(hash);
	s->method = method_of(hash, s->in_crypt);
	if (!s->method)
		return;
	if (stored_is_lyra2(s))
		read_lyra2(s);
	else
		read_other(s);
	s->strength.family = s->method->family;
	s->strength.outer = s->method->outer;
}

bool stored_is_whole(const struct stored *s)
{
	return s->method && s->memory != COST_TOO_HIGH &&
		method_fits(s->method, s->hash);
}

bool stored_is_lyra2(const struct stored *s)
{
	return s->method && s->method->lyra2;
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
	len = strcspn(start, "$");
	if (len < size && start[len] == '$')
		snprintf(out, size, "%.*s", (int)len, start);
}

void stored_describe(const struct stored *s, char *out, size_t size)
{
	char params[128];

	snprintf(out, size, "%s", s->method ? s->method->name : "unknown");
	if (!stored_is_lyra2(s))
		return;
	stored_params(s, params, sizeof(params));
	if (params[0] != '\0')
		snprintf(out, size, "%s(%s)", s->method->name, params);
}
