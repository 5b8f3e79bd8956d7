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

#define PREFIX "$lyra2$v="
#define OUTER "$o=bash256"
#define HASH_DIGITS (LYRA2_HASH_BYTES * 4 / 3 + 1)

/*
 * The digits are those of crypt(5), in ASCII order: "./0-9A-Za-z".  Hashes
 * pass here, so no table is read and no branch taken that depends on a digit:
 * a negative difference, shifted right, is a mask of ones.
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

/* Decodes a hash: false unless it is HASH_DIGITS whose unused bits are 0. */
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

static int malformed(char *why, size_t whysize, const char *what)
{
	if (why && whysize > 0)
		snprintf(why, whysize, "%s", what);
	errno = EINVAL;
	return -1;
}

/* Skips the text if *s begins with it. */
static bool skip(const char **s, const char *text)
{
	const size_t n = strlen(text);

	if (strncmp(*s, text, n) != 0)
		return false;
	*s += n;
	return true;
}

/*
 * Reads "NAME=" and a decimal of 1...2^32-1 without sign or leading zero.
 * Returns 0 if that is not what *s begins with.
 */
static uint32_t accept_number(const char **s, const char *name)
{
	uint64_t n = 0;

	if (!skip(s, name) || **s < '1' || **s > '9')
		return 0;
	for (; **s >= '0' && **s <= '9'; ++*s) {
		n = n * 10 + (uint64_t)(**s - '0');
		if (n > UINT32_MAX)
			return 0;
	}
	return (uint32_t)n;
}

static bool accept_version(const char **s, struct lyra2_params *p)
{
	if (skip(s, "30$")) {
		p->version = 30;
		return true;
	}
	p->version = 25;
	return skip(s, "25$");
}

/* Reads everything between "v=" and the salt: NULL, or what is wrong. */
static const char *accept_params(const char **s, struct lyra2_params *p)
{
	if (!accept_version(s, p))
		return "version: \"v=\" is not followed by 25 or 30 and \"$\"";
	if (!(p->t_cost = accept_number(s, "t=")))
		return "t_cost: expected \"t=\" and 1...4294967295";
	if (!(p->rows = accept_number(s, "$r=")))
		return "rows: expected \"$r=\" and 1...4294967295";
	if (!(p->cols = accept_number(s, "$c=")))
		return "cols: expected \"$c=\" and 1...4294967295";
	p->lanes = 1;
	if (strncmp(*s, "$p=", 3) == 0 &&
	    (p->lanes = accept_number(s, "$p=")) < 2)
		return "lanes: expected \"$p=\" and 2...1431655765";
	if (p->version == 30 && skip(s, "$f=blake2b"))
		p->sponge = LYRA2_BLAKE2B;
	if (skip(s, OUTER))
		p->outer = LYRA2_BASH256;
	/* No salt has an equals sign: here it is one more parameter. */
	if (!skip(s, "$") || (**s != '\0' && (*s)[1] == '='))
		return "parameters: expected t, r, c, p, f, o in this order, "
		       "without defaults, and \"$\"";
	return NULL;
}

/* Reads the salt, which ends at a "$" or with the string. */
static bool accept_salt(const char **s, struct lyra2_string *out)
{
	out->salt = *s;
	while (base64_value((unsigned char)**s) >= 0)
		++*s;
	out->saltlen = (size_t)(*s - out->salt);
	return (**s == '$' || **s == '\0') && out->saltlen >= LYRA2_MIN_SALT &&
	       out->saltlen <= LYRA2_MAX_SALT;
}

int string_decode(const char *string, struct lyra2_string *out, char *why,
		  size_t whysize)
{
	const char *s = string, *wrong;

	memset(out, 0, sizeof(*out));
	lyra2_params_init(&out->params);
	if (!skip(&s, PREFIX))
		return malformed(why, whysize,
				 "string: does not begin with \"" PREFIX "\"");
	wrong = accept_params(&s, &out->params);
	if (wrong)
		return malformed(why, whysize, wrong);
	if (!accept_salt(&s, out))
		return malformed(why, whysize, "salt: not 8...64 characters "
				 "of ./0-9A-Za-z");
	out->setting = string;
	out->settinglen = (size_t)(s - string);
	lyra2_params_fill(&out->params);
	return lyra2_check_string(&out->params, why, whysize);
}

int string_decode_hash(const char *string, struct lyra2_string *out, char *why,
		       size_t whysize)
{
	const char *s;

	if (string_decode(string, out, why, whysize) < 0)
		return -1;
	s = string + out->settinglen;
	if (s[0] == '\0' || s[1] == '\0') {
		malformed(why, whysize, "hash: missing");
		return 1;
	}
	if (!base64_decode(s + 1, out->hash))
		return malformed(why, whysize, "hash: not 32 bytes in 43 "
				 "characters of ./0-9A-Za-z");
	return 0;
}

int string_encode(const struct lyra2_string *in, char *out, size_t outsize)
{
	const struct lyra2_params *p = &in->params;
	char lanes[16] = "";
	int n;

	if (p->lanes > 1)
		snprintf(lanes, sizeof(lanes), "$p=%" PRIu32, p->lanes);
	n = snprintf(out, outsize, PREFIX "%" PRIu32 "$t=%" PRIu32 "$r=%" PRIu32
		     "$c=%" PRIu32 "%s%s%s$%.*s", p->version, p->t_cost,
		     p->rows, p->cols, lanes, p->version == 30 &&
		     p->sponge == LYRA2_BLAKE2B ? "$f=blake2b" : "",
		     p->outer == LYRA2_BASH256 ? OUTER : "",
		     (int)in->saltlen, in->salt);
	if (n < 0 || (size_t)n >= outsize) {
		errno = ERANGE;
		return -1;
	}
	return 0;
}
