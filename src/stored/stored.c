/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads a stored hash and describes it. */
#include "stored.h"

#include <stdio.h>
#include <string.h>

#include "bounds.h"

void stored_read(struct stored *s, const char *hash)
{
	struct strength *str = &s->strength;

	memset(s, 0, sizeof(*s));
	s->hash = hash;
	s->in_crypt = method_in_crypt(hash);
	s->method = method_of(hash, s->in_crypt);
	if (!s->method)
		return;
	if (!stored_is_lyra2(s))
		s->memory = s->method->bound(hash);
	else if (lyra2_parse(hash, NULL, &s->params, NULL) == 0)
		s->memory = lyra2_memory(&s->params);
	else
		s->memory = COST_TOO_HIGH;
	if (s->memory == COST_TOO_HIGH)
		return;
	method_strength(s->method, hash, str);
	if (!stored_is_lyra2(s))
		return;
	str->memory = s->memory;
	str->cost = string_cost(&s->params, s->memory);
	str->salt = method_salt(strchr(hash + 1, '$'));
}

bool stored_is_lyra2(const struct stored *s)
{
	return s->method == &method_lyra2 || s->method == &method_bash_lyra2;
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
