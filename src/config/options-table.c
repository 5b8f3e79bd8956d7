/* SPDX-License-Identifier: BSD-2-Clause */
/* One row for each option: its name, where it is allowed, and its values. */
#include "options-table.h"

#include <stddef.h>
#include <string.h>

#include "bounds.h"
#include "option.h"

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

static const char *no_or_yes(uint32_t yes)
{
	return yes == 0 ? "no" : yes == 1 ? "yes" : NULL;
}

uint32_t options_method_number(const char *name)
{
	const struct method *m;
	uint32_t i;

	for (i = METHOD_SYSTEM + 1; name && (m = options_method(i)); i++)
		if (strcmp(m->name, name) == 0)
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
	  no_or_yes },
	{ "rehash_group", IN_FILE, TEXT, AT(rehash_group), 0, 32, NULL },
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
#define ROWS (sizeof(table) / sizeof(table[0]))

const char *options_text(const struct options *o, size_t row,
			 char text[OPTION_TEXT])
{
	_Static_assert(ROWS <= OPTIONS_MAX, "");
	if (row >= ROWS)
		return NULL;
	if (!(table[row].place & IN_FILE))
		return "";
	option_text(&table[row], o, text);
	return table[row].word;
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

enum option_result options_apply(struct options_state *s,
				 enum option_place place,
				 struct option_word *word)
{
	size_t i;

	for (i = 0; i < ROWS; i++) {
		if (!(table[i].place & (int)place) ||
		    strcmp(table[i].word, word->name) != 0)
			continue;
		if (option_store(&table[i], s->o, word) < 0)
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
