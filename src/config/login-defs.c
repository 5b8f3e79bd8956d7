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

/* Returns the number, or 0 if the value is not one number. */
static long number(const char *value)
{
	char *end;
	long n = value ? strtol(value, &end, 10) : 0;

	return n < 0 || n > INT_MAX || !value || *end != '\0' ? 0 : n;
}

static uint32_t cost_of(enum cost cost, char *const values[KEYS])
{
	long n;

	if (cost == ROUNDS) {
		n = number(values[KEY_ROUNDS]);
		if (n < 1000 || n == INT_MAX)
			return 0;
		return n < 9999999 ? (uint32_t)n : 9999999;
	}
	if (cost == NO_COST || !values[KEY_FACTOR])
		return 0;
	n = number(values[KEY_FACTOR]);
	if (n == 0 && strcmp(values[KEY_FACTOR], "0") != 0)
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
	for (i = 0; values[KEY_METHOD] && i < WORDS; i++)
		if (strncasecmp(values[KEY_METHOD], words[i].word,
				strlen(words[i].word)) == 0) {
			defs->method = words[i].method;
			defs->cost = cost_of(words[i].cost, values);
			break;
		}
	for (i = 0; i < KEYS; i++)
		free(values[i]);
}
