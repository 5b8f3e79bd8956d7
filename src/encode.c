/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads and writes strings: each hash has only one valid spelling. */
#include "encode.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "params.h"
#include "wipe.h"

#define EXAMPLE "$lyra2$t2n12c256p2$"
#define HASH_DIGITS (LYRA2_HASH_BYTES * 4 / 3 + 1)

/*
 * The digits are those of crypt(5), in ASCII order: "./0-9A-Za-z".  Hashes pass
 * here, so no table is read, and no branch taken, that depends on a digit.  A
 * negative difference, shifted right, is a mask of ones.
 */
static char base64_digit(int v)
{
	return (char)(v + '.' + ((11 - v) >> 8 & ('A' - '9' - 1)) +
		      ((37 - v) >> 8 & ('a' - 'Z' - 1)));
}

/* The value of a digit, or -1 for any other character. */
static int base64_value(unsigned char c)
{
	const int u = c;
	int v = -1;

#define WITHIN(lo, hi, value) \
	v += (((lo) - 1 - u) & (u - (hi) - 1)) >> 8 & ((value) + 1)
	WITHIN('.', '9', u - '.');
	WITHIN('A', 'Z', u - 'A' + 12);
	WITHIN('a', 'z', u - 'a' + 38);
#undef WITHIN
	return v;
}

void base64_encode(const uint8_t *in, size_t n, char *out)
{
	uint32_t bits = 0;
	unsigned have = 0;

	while (n-- > 0) {
		bits = bits << 8 | *in++;
		for (have += 8; have >= 6; have -= 6)
			*out++ = base64_digit((int)(bits >> (have - 6) & 63));
	}
	if (have > 0)
		*out++ = base64_digit((int)(bits << (6 - have) & 63));
	*out = '\0';
}

/* Decodes a hash.  False unless it has HASH_DIGITS, with unused bits of 0. */
static bool base64_decode(const char *in, uint8_t out[LYRA2_HASH_BYTES])
{
	uint32_t bits = 0;
	unsigned have = 0;
	size_t i;

	if (strnlen(in, HASH_DIGITS + 1) != HASH_DIGITS)
		return false;
	for (i = 0; i < HASH_DIGITS; i++) {
		int v = base64_value((unsigned char)in[i]);

		if (v < 0)
			return false;
		bits = bits << 6 | (uint32_t)v;
		have += 6;
		if (have >= 8) {
			have -= 8;
			*out++ = (uint8_t)(bits >> have);
		}
	}
	return (bits & ((1U << have) - 1)) == 0;
}

static const char *const prefixes[] = {
	[LYRA2_METHOD_LYRA2] = "$lyra2$",
	[LYRA2_METHOD_BASH_LYRA2] = "$bashlyra2$",
};

/* Skips the text if *s begins with it. */
static bool skip(const char **s, const char *text)
{
	const size_t n = strlen(text);

	if (strncmp(*s, text, n) != 0)
		return false;
	*s += n;
	return true;
}

/* Reads this letter, then 1...2^32-1 without sign or leading zero. */
static bool accept_number(const char **s, char letter, uint32_t *value)
{
	uint64_t n = 0;

	if ((*s)[0] != letter || (*s)[1] < '1' || (*s)[1] > '9')
		return false;
	for (++*s; **s >= '0' && **s <= '9'; ++*s) {
		n = n * 10 + (uint64_t)(**s - '0');
		if (n > UINT32_MAX)
			return false;
	}
	*value = (uint32_t)n;
	return true;
}

static int malformed(struct lyra2_reason *reason, uint32_t field,
		     const char *what)
{
	return params_refuse(reason, EINVAL, field, "%s", what);
}

static int accept_method(const char **s, uint32_t *method,
			 struct lyra2_reason *reason)
{
	if (skip(s, prefixes[LYRA2_METHOD_LYRA2]))
		*method = LYRA2_METHOD_LYRA2;
	else if (skip(s, prefixes[LYRA2_METHOD_BASH_LYRA2]))
		*method = LYRA2_METHOD_BASH_LYRA2;
	else
		return malformed(reason, LYRA2_FIELD_METHOD, "string: does not "
				 "begin with \"$lyra2$\" or \"$bashlyra2$\"");
	if (strncmp(*s, "v=", 2) == 0)
		return malformed(reason, LYRA2_FIELD_METHOD, "string: the form "
				 "with \"v=\" was never released; now it is as "
				 "in " EXAMPLE);
	return 0;
}

/* Reads everything between the prefix and the salt. */
static int accept_params(const char **s, struct lyra2_params *p,
			 struct lyra2_reason *reason)
{
	uint32_t n;

	p->version = 30;
	p->sponge = LYRA2_BLAMKA;
	if (!accept_number(s, 't', &p->t_cost))
		return malformed(reason, LYRA2_FIELD_T_COST, "t_cost: expected "
				 "\"t\" and 2...4294967295, as in " EXAMPLE);
	if (!accept_number(s, 'n', &n) || n > LYRA2_MAX_COST)
		return malformed(reason, LYRA2_FIELD_ROWS, "cost: expected "
				 "\"n\" and 4...15, as in " EXAMPLE);
	p->rows = UINT32_C(1) << n;
	if (!accept_number(s, 'c', &p->cols))
		return malformed(reason, LYRA2_FIELD_COLS, "cols: expected "
				 "\"c\" and 12...4096, as in " EXAMPLE);
	if (!accept_number(s, 'p', &p->lanes) || !skip(s, "$"))
		return malformed(reason, LYRA2_FIELD_LANES, "lanes: expected "
				 "\"p\", 1, 2 or 4 and \"$\", as in " EXAMPLE);
	return 0;
}

/* Reads the salt, which ends at a "$" or with the string. */
static int accept_salt(const char **s, struct lyra2_string *out,
		       struct lyra2_reason *reason)
{
	out->salt = *s;
	while (base64_value((unsigned char)**s) >= 0)
		++*s;
	out->saltlen = (size_t)(*s - out->salt);
	if ((**s == '$' || **s == '\0') && out->saltlen >= LYRA2_MIN_SALT &&
	    out->saltlen <= LYRA2_MAX_SALT)
		return 0;
	return malformed(reason, LYRA2_FIELD_SALT, "salt: not 8...64 "
			 "characters of ./0-9A-Za-z");
}

/* Fails if s has a byte that crypt(3) refuses anywhere in a setting. */
static int check_rest(const char *s, struct lyra2_reason *reason)
{
	for (; *s; s++)
		if (*s <= ' ' || *s > '~' || strchr("!*:;\\", *s))
			return malformed(reason, LYRA2_FIELD_HASH, "hash: has "
					 "a character that crypt(3) refuses");
	return 0;
}

int string_decode(const char *string, struct lyra2_string *out,
		  struct lyra2_reason *reason)
{
	const char *s = string;

	memset(out, 0, sizeof(*out));
	if (!s)
		return malformed(reason, LYRA2_FIELD_NONE, "string: NULL");
	if (accept_method(&s, &out->method, reason) < 0 ||
	    accept_params(&s, &out->params, reason) < 0 ||
	    accept_salt(&s, out, reason) < 0 || check_rest(s, reason) < 0)
		return -1;
	out->setting = string;
	out->settinglen = (size_t)(s - string);
	return lyra2_check_string(&out->params, reason);
}

int string_decode_hash(const char *string, struct lyra2_string *out,
		       struct lyra2_reason *reason)
{
	const char *s;

	if (string_decode(string, out, reason) < 0)
		return -1;
	s = string + out->settinglen;
	if (s[0] == '\0' || s[1] == '\0')
		return malformed(reason, LYRA2_FIELD_HASH, "hash: missing");
	if (!base64_decode(s + 1, out->hash))
		return malformed(reason, LYRA2_FIELD_HASH, "hash: not 32 bytes "
				 "in 43 characters of ./0-9A-Za-z");
	return 0;
}

int string_encode(const struct lyra2_string *in, char *out, size_t outsize)
{
	const struct lyra2_params *p = &in->params;
	const int cost = __builtin_ctz(p->rows);
	const int n = snprintf(out, outsize, "%st%" PRIu32 "n%dc%" PRIu32 "p%"
			       PRIu32 "$%.*s", prefixes[in->method], p->t_cost,
			       cost, p->cols, p->lanes, (int)in->saltlen,
			       in->salt);

	if (n < 0 || (size_t)n >= outsize) {
		errno = ERANGE;
		return -1;
	}
	return 0;
}
