/* SPDX-License-Identifier: BSD-2-Clause */
/* One row for each option: its name, where it is allowed, and its values. */
#include "options-table.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bounds.h"

struct option {
	const char *word;
	int place;
	enum { FLAG, NUMBER, SIZE, CHOICE, COST, TEXT, NAMES } type;
	size_t offset;		/* in struct options */
	uint64_t min, max;	/* TEXT, NAMES: characters; not of CHOICE */
	const char *(*name)(uint32_t value);	/* CHOICE: from 0 on, to NULL */
};

static const char *rehash_name(uint32_t rehash)
{
	switch (rehash) {
	case REHASH_WEAKER: return "weaker";
	case REHASH_EXACT: return "exact";
	case REHASH_LEAVE: return "leave";
	case REHASH_LOG_ONLY: return "log-only";
	case REHASH_NEVER: return "never";
	default: return NULL;
	}
}

static const char *root_name(uint32_t root)
{
	switch (root) {
	case ROOT_AUTO: return "auto";
	case ROOT_YES: return "yes";
	case ROOT_NO: return "no";
	default: return NULL;
	}
}

uint32_t options_login_defs(const char *word)
{
	const struct method *m;
	uint32_t i;

	for (i = METHOD_SYSTEM + 1; (m = options_method(i)); i++)
		if (m->word && strcasecmp(m->word, word) == 0)
			return i;
	return METHOD_SYSTEM;
}

const struct method *options_method(uint32_t number)
{
	static const struct method system = { .name = "system", .new = "" };

	return number == METHOD_SYSTEM ? &system : method_new(number - 1);
}

static const char *method_name(uint32_t number)
{
	const struct method *m = options_method(number);

	return m ? m->name : NULL;
}

#define AT(field) offsetof(struct options, field)

static const struct option table[] = {
	{ "debug", IN_ARGV, FLAG, AT(debug), 0, 0, NULL },
	{ "nullok", IN_ARGV, FLAG, AT(nullok), 0, 0, NULL },
	{ "nullok_secure", IN_ARGV, FLAG, AT(nullok), 0, 0, NULL },
	{ "nodelay", IN_ARGV, FLAG, AT(nodelay), 0, 0, NULL },
	{ "use_first_pass", IN_ARGV, FLAG, AT(use_first_pass), 0, 0, NULL },
	{ "use_authtok", IN_ARGV, FLAG, AT(use_authtok), 0, 0, NULL },
	{ "before_unix", IN_ARGV, FLAG, AT(before_unix), 0, 0, NULL },
	{ "skip_unix", IN_ARGV, FLAG, AT(skip_unix), 0, 0, NULL },
	{ "audit", IN_ARGV, FLAG, AT(debug), 0, 0, NULL },
	{ "minlen", IN_ARGV | IN_FILE, NUMBER, AT(minlen), 0,
	  LYRA2_MAX_PASSWORD, NULL },
	{ "rehash", IN_FILE, CHOICE, AT(policy.rehash), 0, 0, rehash_name },
	{ "rehash_root", IN_FILE, CHOICE, AT(policy.rehash_root), 0, 0,
	  root_name },
	{ "rehash_group", IN_FILE, TEXT, AT(rehash_group), 1, 32, NULL },
	{ "ask_for_others", IN_FILE, NAMES, AT(askers), 1, OPTIONS_ASKERS_TEXT,
	  NULL },
	{ "method", IN_FILE, CHOICE, AT(method), 0, 0, method_name },
	{ "crypt_cost", IN_FILE, NUMBER, AT(policy.crypt_cost), 0, UINT32_MAX,
	  NULL },
	{ "max_concurrent", IN_FILE, NUMBER, AT(policy.max_concurrent), 1,
	  MAX_CONCURRENT, NULL },
	{ "max_memory", IN_FILE, SIZE, AT(policy.max_memory), 1 << 20,
	  LYRA2_MAX_MEMORY, NULL },
	{ "t_cost", IN_FILE, NUMBER, AT(policy.params.t_cost),
	  STRING_MIN_T_COST, UINT32_MAX, NULL },
	{ "cols", IN_FILE, NUMBER, AT(policy.params.cols), STRING_MIN_COLS,
	  STRING_MAX_COLS, NULL },
	{ "lanes", IN_FILE, NUMBER, AT(policy.params.lanes), 1,
	  STRING_MAX_LANES, NULL },
	{ "cost", IN_FILE, COST, AT(policy.params.rows), LYRA2_MIN_COST,
	  LYRA2_MAX_COST, NULL },
};

static void number_text(const struct option *opt, uint64_t n, char text[64])
{
	static const char units[] = "\0KMG";
	int unit = 0;

	if (opt->type == COST)
		n = (uint64_t)__builtin_ctzll(n);
	while (opt->type == SIZE && n % 1024 == 0 && units[unit + 1]) {
		n /= 1024;
		unit++;
	}
	/* Zero stands for what nobody has given, where it is not allowed. */
	snprintf(text, 64, n || opt->min == 0 ? "%llu%.1s" : "",
		 (unsigned long long)n, &units[unit]);
}

const char *options_text(const struct options *o, size_t row, char text[64])
{
	const struct option *opt = &table[row];
	const void *field = (const char *)o + opt->offset;
	uint32_t n = 0;
	uint64_t size = 0;

	_Static_assert(sizeof(table) / sizeof(table[0]) <= OPTIONS_MAX, "");
	if (row >= sizeof(table) / sizeof(table[0]))
		return NULL;
	if (!(opt->place & IN_FILE))
		return "";
	memcpy(&n, field, sizeof(n));
	if (opt->type == SIZE)
		memcpy(&size, field, sizeof(size));
	if (opt->type == TEXT || opt->type == CHOICE)
		snprintf(text, 64, "%s", opt->type == TEXT ?
			 (const char *)field : opt->name(n));
	else
		number_text(opt, opt->type == SIZE ? size : n, text);
	return opt->word;
}

bool options_is_of_new(const char *name)
{
	static const char *const names[] = {
		"method", "crypt_cost", "cost", "t_cost", "cols", "lanes"
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/*
 * Options of pam_unix(8) that this module does not need, or that
 * pam_get_authtok(3) handles.  They are accepted, so that a line of pam_unix
 * can be copied.
 */
static const char *const unix_options[] = {
	"authtok_type", "bigcrypt", "blowfish", "broken_shadow", "des",
	"gost_yescrypt", "likeauth", "md5", "nis", "no_pass_expiry", "noreap",
	"nullresetok", "obscure", "quiet", "remember", "rounds", "sha256",
	"sha512", "shadow", "try_first_pass", "yescrypt",
};

static bool is_unix_option(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(unix_options) / sizeof(unix_options[0]); i++)
		if (strcmp(unix_options[i], name) == 0)
			return true;
	return false;
}

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

static int apply(struct options *o, const struct option *opt,
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

enum option_result options_apply(struct options_state *s,
				 enum option_place place,
				 struct option_word *word)
{
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (!(table[i].place & (int)place) ||
		    strcmp(table[i].word, word->name) != 0)
			continue;
		if (apply(s->o, &table[i], word) < 0)
			return OPTION_INVALID;
		if (s->written) {
			s->written->from[i].path = s->path;
			s->written->from[i].line = s->line;
		}
		return OPTION_OK;
	}
	return place == IN_ARGV && is_unix_option(word->name) ? OPTION_OK :
		OPTION_UNKNOWN;
}

enum option_result options_apply_argument(struct options_state *s,
					  enum option_place place,
					  const char *argument,
					  struct option_word *word)
{
	const char *value = strchr(argument, '=');
	size_t len = value ? (size_t)(value - argument) : strlen(argument);
	enum option_result result;
	char name[32];

	if (len >= sizeof(name))
		return OPTION_UNKNOWN;
	memcpy(name, argument, len);
	name[len] = '\0';
	word->name = name;
	word->value = value ? value + 1 : NULL;
	result = options_apply(s, place, word);
	word->name = word->value = NULL;
	return result;
}
