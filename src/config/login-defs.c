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

enum { KEY_METHOD, KEY_ROUNDS, KEY_FACTOR, KEYS };
#define NO_KEY KEYS

/*
 * A value that begins with such a word names the method.  The words are those
 * of pam_unix, without its legacy methods, and BCRYPT and LYRA2.  The costs are
 * those that pam_unix takes, but for bcrypt, whose limit there is 31: lyra2d
 * would verify no such hash.
 */
static const struct {
	const char *word, *method;
	int key;		/* for the cost, if no "rounds=" gives it */
	int min, max;
} words[] = {
	{ "lyra2", "lyra2", NO_KEY, 0, 0 },
	{ "sha512", "sha512crypt", KEY_ROUNDS, 1000, 9999999 },
	{ "blowfish", "bcrypt", NO_KEY, 4, 16 },
	{ "bcrypt", "bcrypt", NO_KEY, 4, 16 },
	{ "gost_yescrypt", "gost-yescrypt", NO_KEY, 3, 11 },
	{ "yescrypt", "yescrypt", KEY_FACTOR, 3, 11 },
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

/* Returns the number, or -1 if the value is none that pam_unix takes. */
static int number(const char *value)
{
	char *end;
	long n = value ? strtol(value, &end, 10) : -1;

	return n < 0 || n > INT_MAX || end == value || *end != '\0' ? -1 :
		(int)n;
}

/* Sets method and cost of this row of words. */
static void take_word(struct login_defs *defs, size_t row, int rounds)
{
	int n = rounds;

	defs->method = row < WORDS ? words[row].method : NULL;
	defs->cost = 0;
	if (row == WORDS || words[row].max == 0)
		return;
	if (n < 0 && words[row].key == KEY_ROUNDS)
		n = defs->rounds;
	if (n < 0 && words[row].key == KEY_FACTOR)
		n = defs->factor;
	/* A value that makes no sense for SHA-512 is left out. */
	if (n < 0 || (words[row].key == KEY_ROUNDS &&
		      (n < words[row].min || n == INT_MAX)))
		return;
	defs->cost = (uint32_t)(n < words[row].min ? words[row].min :
				n > words[row].max ? words[row].max : n);
}

void login_defs_read(FILE *f, struct login_defs *defs)
{
	char *values[KEYS] = { NULL }, *line = NULL;
	size_t size = 0;
	int i;

	while (getline(&line, &size, f) >= 0)
		read_line(line, values);
	free(line);
	defs->rounds = number(values[KEY_ROUNDS]);
	defs->factor = number(values[KEY_FACTOR]);
	take_word(defs, values[KEY_METHOD] ? word_of(values[KEY_METHOD]) :
		  WORDS, -1);
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

/* Of a method that defs has already, the row is that of another word, too. */
static size_t row_of(const struct login_defs *defs)
{
	size_t i;

	for (i = 0; i < WORDS; i++)
		if (defs->method && strcmp(words[i].method, defs->method) == 0)
			break;
	return i;
}

static void take_words(char *line, struct login_defs *defs)
{
	size_t row = row_of(defs), found;
	const char *word;
	int rounds = -1;

	while ((word = pam_line_word(&line))) {
		found = word_of(word);
		if (found < WORDS && strncmp(word, words[found].word,
					     strlen(words[found].word)) == 0)
			row = found;
		else if (strncmp(word, "rounds=", 7) == 0 &&
			 number(word + 7) >= 0)
			rounds = number(word + 7);
	}
	take_word(defs, row, rounds);
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
