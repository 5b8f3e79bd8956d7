/* SPDX-License-Identifier: BSD-2-Clause */
/* The kinds of value that an option has: read, and written as a file has it. */
#include "option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int store_flag(struct options *o, size_t offset)
{
	*(bool *)((char *)o + offset) = true;
	return 0;
}

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
static int parse_number(const char *text, bool size, uint64_t *out)
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
			struct option_word *word)
{
	uint64_t n;

	if (parse_number(word->value, opt->type == SIZE, &n) < 0 ||
	    n < opt->min || n > opt->max) {
		snprintf(word->why, sizeof(word->why),
			 "must be a number, %llu to %llu%s",
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

static int apply_choice(struct options *o, const struct option *opt,
			struct option_word *word)
{
	const size_t size = sizeof(word->why);
	int n = snprintf(word->why, size, "must be");
	const char *name;
	uint32_t i;

	for (i = 0; (name = opt->name(i)); i++) {
		if (strcmp(name, word->value) == 0)
			return store_u32(o, opt->offset, i);
		if (n >= 0 && (size_t)n < size)
			n += snprintf(word->why + n, size - (size_t)n, "%s %s",
				      i == 0 ? "" : " or", name);
	}
	return -1;
}

static int apply_text(struct options *o, const struct option *opt,
		      struct option_word *word)
{
	const size_t len = strlen(word->value);

	if (len >= opt->min && len <= opt->max) {
		memcpy((char *)o + opt->offset, word->value, len + 1);
		return 0;
	}
	snprintf(word->why, sizeof(word->why), "must have %llu to %llu "
		 "characters", (unsigned long long)opt->min,
		 (unsigned long long)opt->max);
	return -1;
}

/* Blanks stand between names. */
static int apply_names(struct options *o, const struct option *opt,
		       struct option_word *word)
{
	const char *p = word->value;
	unsigned names = 0;

	while (*(p += strspn(p, " \t")) != '\0') {
		p += strcspn(p, " \t");
		names++;
	}
	if (names <= OPTIONS_ASKERS)
		return apply_text(o, opt, word);
	snprintf(word->why, sizeof(word->why), "must have at most %d names",
		 OPTIONS_ASKERS);
	return -1;
}

int option_store(const struct option *opt, struct options *o,
		 struct option_word *word)
{
	const bool bare = opt->type == FLAG;

	snprintf(word->why, sizeof(word->why),
		 bare ? "takes no value" : "needs a value");
	if (bare != (word->value == NULL))
		return -1;
	switch (opt->type) {
	case FLAG:
		return store_flag(o, opt->offset);
	case CHOICE:
		return apply_choice(o, opt, word);
	case TEXT:
		return apply_text(o, opt, word);
	case NAMES:
		return apply_names(o, opt, word);
	default:
		return apply_number(o, opt, word);
	}
}

static uint64_t number_of(const struct option *opt, const void *field)
{
	uint64_t size;
	uint32_t n;

	if (opt->type == SIZE) {
		memcpy(&size, field, sizeof(size));
		return size;
	}
	memcpy(&n, field, sizeof(n));
	return opt->type == COST ? (uint64_t)__builtin_ctz(n) : n;
}

static void number_text(const struct option *opt, uint64_t n,
			char text[OPTION_TEXT])
{
	static const char units[] = "\0KMG";
	int unit = 0;

	while (opt->type == SIZE && n % 1024 == 0 && units[unit + 1]) {
		n /= 1024;
		unit++;
	}
	/* Zero stands for what nobody has given, where it is not allowed. */
	text[0] = '\0';
	if (n > 0 || opt->min == 0)
		snprintf(text, OPTION_TEXT, "%llu%.1s", (unsigned long long)n,
			 &units[unit]);
}

void option_text(const struct option *opt, const struct options *o,
		 char text[OPTION_TEXT])
{
	const void *field = (const char *)o + opt->offset;

	switch (opt->type) {
	case FLAG:
		text[0] = '\0';
		break;
	case TEXT:
	case NAMES:
		snprintf(text, OPTION_TEXT, "%s", (const char *)field);
		break;
	case CHOICE:
		snprintf(text, OPTION_TEXT, "%s",
			 opt->name((uint32_t)number_of(opt, field)));
		break;
	default:
		number_text(opt, number_of(opt, field), text);
	}
}
