/* SPDX-License-Identifier: BSD-2-Clause */
/* options-table.c - one row for each option: its name, place and values. */
#include "options-table.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
	const char *text;
	uint32_t value;
};

struct option {
	const char *name;
	int place;
	enum { FLAG, NUMBER, SIZE, WORD, COST, FOREIGN } type;
	size_t offset;		/* in struct options */
	uint64_t min, max;	/* of NUMBER, SIZE and COST */
	const struct word *words;
};

static const struct word versions[] = {
	{ "2.5", 25 }, { "3", 30 }, { 0 }
};
static const struct word sponges[] = {
	{ "blake2b", LYRA2_BLAKE2B }, { "blamka", LYRA2_BLAMKA },
	{ "half-blamka", LYRA2_HALF_BLAMKA }, { 0 }
};
static const struct word rotations[] = {
	{ "128", 128 }, { "256", 256 }, { 0 }
};
static const struct word rehashes[] = {
	{ "always", REHASH_ALWAYS }, { "never", REHASH_NEVER },
	{ "log-only", REHASH_LOG_ONLY }, { 0 }
};
static const struct word rehash_roots[] = {
	{ "auto", ROOT_AUTO }, { "yes", ROOT_YES }, { "no", ROOT_NO }, { 0 }
};

#define AT(field) offsetof(struct options, field)
#define BOTH (IN_ARGV | IN_FILE)

/*
 * FOREIGN words are obeyed by pam_get_authtok(3) itself, which reads the
 * module line again, and by libpam: known here only so that none complains.
 */
static const struct option table[] = {
	{ "debug", IN_ARGV, FLAG, AT(debug), 0, 1, NULL },
	{ "quiet", IN_ARGV, FLAG, AT(quiet), 0, 1, NULL },
	{ "nullok", IN_ARGV, FLAG, AT(nullok), 0, 1, NULL },
	{ "nodelay", IN_ARGV, FLAG, AT(nodelay), 0, 1, NULL },
	{ "use_first_pass", IN_ARGV, FLAG, AT(use_first_pass), 0, 1, NULL },
	{ "use_authtok", IN_ARGV, FLAG, AT(use_authtok), 0, 1, NULL },
	{ "norehash", IN_ARGV, FLAG, AT(policy.rehash), 0, REHASH_NEVER,
	  NULL },
	{ "try_first_pass", IN_ARGV, FOREIGN, 0, 0, 0, NULL },
	{ "authtok_type", IN_ARGV, FOREIGN, 0, 0, 0, NULL },
	{ "conf", IN_ARGV, FOREIGN, 0, 0, 0, NULL },
	{ "minlen", BOTH, NUMBER, AT(minlen), 0, LYRA2_MAX_PASSWORD, NULL },
	{ "rehash", BOTH, WORD, AT(policy.rehash), 0, 0, rehashes },
	{ "rehash_root", BOTH, WORD, AT(policy.rehash_root), 0, 0,
	  rehash_roots },
	{ "max_concurrent", BOTH, NUMBER, AT(policy.max_concurrent), 1, 65536,
	  NULL },
	{ "max_memory", BOTH, SIZE, AT(policy.max_memory), 1 << 20,
	  LYRA2_MAX_MEMORY, NULL },
	{ "version", BOTH, WORD, AT(policy.params.version), 0, 0, versions },
	{ "sponge", BOTH, WORD, AT(policy.params.sponge), 0, 0, sponges },
	{ "rotation", BOTH, WORD, AT(policy.params.rotation), 0, 0,
	  rotations },
	{ "t_cost", BOTH, NUMBER, AT(policy.params.t_cost), 1, UINT32_MAX,
	  NULL },
	{ "rows", BOTH, NUMBER, AT(policy.params.rows), 3, UINT32_MAX, NULL },
	{ "cols", BOTH, NUMBER, AT(policy.params.cols), 1, UINT32_MAX, NULL },
	{ "lanes", BOTH, NUMBER, AT(policy.params.lanes), 1, UINT32_MAX,
	  NULL },
	{ "cost", BOTH, COST, AT(policy.params.rows), LYRA2_COST_MIN,
	  LYRA2_COST_MAX, NULL },
};

static int store_u32(struct options *o, size_t offset, uint32_t value)
{
	memcpy((char *)o + offset, &value, sizeof(value));
	return 0;
}

static int store_u64(struct options *o, size_t offset, uint64_t value)
{
	memcpy((char *)o + offset, &value, sizeof(value));
	return 0;
}

/* Decimal digits, then K, M or G where a size is read; nothing else. */
static int parse_number(const char *text, int size, uint64_t *out)
{
	static const char units[] = "KMG";
	unsigned long long n;
	const char *unit;
	char *end;

	if (text[0] < '0' || text[0] > '9' || strlen(text) > 18)
		return -1;
	n = strtoull(text, &end, 10);
	*out = n;
	if (*end == '\0')
		return 0;
	unit = size && end[1] == '\0' ? strchr(units, *end) : NULL;
	if (!unit || n > UINT64_MAX >> 30)
		return -1;
	*out = (uint64_t)n << (10 * (unit - units + 1));
	return 0;
}

static int apply_number(struct options *o, const struct option *opt,
			const char *value, char *why, size_t size)
{
	uint64_t n;

	if (parse_number(value, opt->type == SIZE, &n) || n < opt->min ||
	    n > opt->max) {
		snprintf(why, size, "must be a number, %llu to %llu%s",
			 (unsigned long long)opt->min,
			 (unsigned long long)opt->max,
			 opt->type == SIZE ? ", or one with K, M or G" : "");
		return -1;
	}
	if (opt->type == SIZE)
		return store_u64(o, opt->offset, n);
	if (opt->type == COST)
		n = UINT64_C(1) << n;
	return store_u32(o, opt->offset, (uint32_t)n);
}

static int apply_word(struct options *o, const struct option *opt,
		      const char *value, char *why, size_t size)
{
	const struct word *w;
	int n = snprintf(why, size, "must be");

	for (w = opt->words; w->text; w++) {
		if (strcmp(w->text, value) == 0)
			return store_u32(o, opt->offset, w->value);
		if (n >= 0 && (size_t)n < size)
			n += snprintf(why + n, size - (size_t)n, "%s %s",
				      w == opt->words ? "" : " or", w->text);
	}
	return -1;
}

static int apply(struct options *o, const struct option *opt,
		 const char *value, char *why, size_t size)
{
	if (opt->type == FOREIGN)
		return 0;
	snprintf(why, size, opt->type == FLAG ? "takes no value" :
		 "needs a value");
	if ((opt->type == FLAG) != (value == NULL))
		return -1;
	if (opt->type == FLAG)
		return store_u32(o, opt->offset, (uint32_t)opt->max);
	if (opt->type == WORD)
		return apply_word(o, opt, value, why, size);
	return apply_number(o, opt, value, why, size);
}

enum option_result option_apply(struct options_state *s,
				enum option_place place, const char *name,
				const char *value, char *why, size_t size)
{
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (!(table[i].place & (int)place) ||
		    strcmp(table[i].name, name) != 0)
			continue;
		if (apply(s->o, &table[i], value, why, size))
			return OPTION_INVALID;
		if (table[i].offset == AT(policy.params.sponge))
			s->sponge_set = 1;
		return OPTION_OK;
	}
	return OPTION_UNKNOWN;
}
