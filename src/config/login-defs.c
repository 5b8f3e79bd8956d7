/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads login.defs(5) as pam_unix(8) does, which finds keys with
 * pam_modutil_search_key(3): the first line of a key counts.
 */
#include "login-defs.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pam-line.h"

enum cost { NO_COST, ROUNDS, FACTOR };
enum { KEY_METHOD, KEY_ROUNDS, KEY_FACTOR, KEYS };

/*
 * A value that begins with such a word names the method.  The words are those
 * of pam_unix, without its legacy methods, and BCRYPT and LYRA2.
 */
static const struct {
	const char *word, *method;
	enum cost cost;
} words[] = {
	{ "lyra2", "lyra2", NO_COST },
	{ "sha512", "sha512crypt", ROUNDS },
	{ "blowfish", "bcrypt", NO_COST },
	{ "bcrypt", "bcrypt", NO_COST },
	{ "gost_yescrypt", "gost-yescrypt", NO_COST },
	{ "yescrypt", "yescrypt", FACTOR },
};
#define WORDS (sizeof(words) / sizeof(words[0]))

static bool is_space(char c)
{
	return isspace((unsigned char)c);
}

/* Keeps the value of a key that this line is the first to give. */
static void read_line(char *line, char *values[KEYS])
{
	static const char *const keys[KEYS] = {
		"ENCRYPT_METHOD", "SHA_CRYPT_MAX_ROUNDS",
		"YESCRYPT_COST_FACTOR"
	};
	char *key;
	int i;

	line[strcspn(line, "#\n")] = '\0';
	while (is_space(*line))
		line++;
	key = strsep(&line, " \t=");
	while (line && (is_space(*line) || *line == '='))
		line++;
	for (i = 0; i < KEYS; i++)
		if (!values[i] && strcasecmp(key, keys[i]) == 0)
			values[i] = strdup(line ? line : "");
}

/* Returns the row of the method that a value begins with, or WORDS. */
static size_t word_of(const char *value)
{
	size_t i;

	for (i = 0; i < WORDS; i++)
		if (strncasecmp(value, words[i].word,
				strlen(words[i].word)) == 0)
			break;
	return i;
}

/* Returns the number, or 0 if the value is not one number. */
static long number(const char *value)
{
	char *end;
	long n = value ? strtol(value, &end, 10) : 0;

	return n < 0 || n > INT_MAX || !value || *end != '\0' ? 0 : n;
}

static uint32_t cost_of(enum cost cost, const char *value)
{
	long n = number(value);

	if (cost == ROUNDS) {
		if (n < 1000 || n == INT_MAX)
			return 0;
		return n < 9999999 ? (uint32_t)n : 9999999;
	}
	if (cost == NO_COST || !value || (n == 0 && strcmp(value, "0") != 0))
		return 0;
	return n < 3 ? 3 : n > 11 ? 11 : (uint32_t)n;
}

void login_defs_read(FILE *f, struct login_defs *defs)
{
	char *values[KEYS] = { NULL }, *line = NULL;
	size_t size = 0, i;

	while (getline(&line, &size, f) >= 0)
		read_line(line, values);
	free(line);
	defs->method = NULL;
	defs->cost = 0;
	i = values[KEY_METHOD] ? word_of(values[KEY_METHOD]) : WORDS;
	if (i < WORDS) {
		defs->method = words[i].method;
		defs->cost = cost_of(words[i].cost, values[
			words[i].cost == ROUNDS ? KEY_ROUNDS : KEY_FACTOR]);
	}
	for (i = 0; i < KEYS; i++)
		free(values[i]);
}

/* If the line is pam_unix's for passwords, returns its options, else NULL. */
static char *options_of_unix(char *line)
{
	const char *type = pam_line_word(&line), *module;

	if (!type || !pam_line_is(type, "password") || !pam_line_word(&line))
		return NULL;
	module = pam_line_word(&line);
	return module && strcmp(pam_line_module(module), "pam_unix.so") == 0 ?
		line : NULL;
}

static void take_words(char *line, struct login_defs *defs)
{
	const char *rounds = NULL, *method = defs->method, *word;
	size_t found, i;

	while ((word = pam_line_word(&line))) {
		found = word_of(word);
		if (found < WORDS && strcmp(word, words[found].word) == 0)
			method = words[found].method;
		else if (strncmp(word, "rounds=", 7) == 0)
			rounds = word + 7;
	}
	for (i = 0; method && strcmp(words[i].method, method) != 0; i++)
		;
	if (rounds || method != defs->method)
		defs->cost = method ? cost_of(words[i].cost, rounds) : 0;
	defs->method = method;
}

void login_defs_read_line(FILE *f, struct login_defs *defs)
{
	char *text = NULL, *rest, *line, *found = NULL;
	size_t size = 0;

	if (getdelim(&text, &size, '\0', f) >= 0)
		for (rest = text; !found && (line = pam_line_next(&rest)); )
			found = options_of_unix(line);
	if (found)
		take_words(found, defs);
	free(text);
}
