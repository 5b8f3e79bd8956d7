/* SPDX-License-Identifier: BSD-2-Clause */
/* The strings: one hash has one spelling, and anything else is refused. */
#include "encode.h"
#include "params.h"
#include "wipe.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define PREFIX "$lyra2$v="

static const char *const sponge_name[] = {
	[LYRA2_BLAKE2B] = "blake2b",
	[LYRA2_BLAMKA] = "blamka",
	[LYRA2_HALF_BLAMKA] = "half-blamka",
};

/* The sponge that a string of this version need not name. */
static uint32_t default_sponge(uint32_t version)
{
	return version == 25 ? LYRA2_BLAKE2B : LYRA2_BLAMKA;
}

/*
 * Digits to and from base64 without a table that a cache could tell of, for
 * hashes pass here.  A difference below 0 gives, shifted, a mask of ones.
 */
static char base64_digit(int v)
{
	return (char)(v + 'A' + ((25 - v) >> 8 & ('a' - 'Z' - 1)) -
		      ((51 - v) >> 8 & ('z' + 1 - '0')) -
		      ((61 - v) >> 8 & ('9' + 1 - '+')) +
		      ((62 - v) >> 8 & ('/' - '+' - 1)));
}

/* -1 for what is no digit */
static int base64_value(unsigned char c)
{
	const int u = c;
	int v = -1;

#define WITHIN(lo, hi, value) \
	v += (((lo) - 1 - u) & (u - (hi) - 1)) >> 8 & ((value) + 1)
	WITHIN('A', 'Z', u - 'A');
	WITHIN('a', 'z', u - 'a' + 26);
	WITHIN('0', '9', u - '0' + 52);
	WITHIN('+', '+', 62);
	WITHIN('/', '/', 63);
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

/*
 * Decodes all n characters; the number of bytes is returned, or 0 where a
 * character is none of base64's, the length is none it gives, a bit unused
 * is set or max bytes are exceeded.
 */
static size_t base64_decode(const char *in, size_t n, uint8_t *out, size_t max)
{
	uint32_t bits = 0;
	unsigned have = 0;
	size_t len = 0;

	if (n % 4 == 1 || n / 4 * 3 + n % 4 * 3 / 4 > max)
		return 0;
	while (n-- > 0) {
		int v = base64_value((unsigned char)*in++);

		if (v < 0)
			return 0;
		bits = bits << 6 | (uint32_t)v;
		have += 6;
		if (have >= 8) {
			have -= 8;
			out[len++] = (uint8_t)(bits >> have);
		}
	}
	return bits & ((1U << have) - 1) ? 0 : len;
}

static int malformed(char *why, size_t whysize, const char *what)
{
	if (why && whysize > 0)
		snprintf(why, whysize, "%s", what);
	errno = EINVAL;
	return -1;
}

/* Skips the text if it stands at *s. */
static int accept(const char **s, const char *text)
{
	const size_t n = strlen(text);

	if (strncmp(*s, text, n) != 0)
		return 0;
	*s += n;
	return 1;
}

/* A decimal of 1...2^32-1 without sign or leading zero, or 0 for none. */
static uint32_t accept_number(const char **s)
{
	const char *p = *s;
	uint64_t n = 0;

	if (*p < '1' || *p > '9')
		return 0;
	for (; *p >= '0' && *p <= '9'; p++) {
		n = n * 10 + (uint64_t)(*p - '0');
		if (n > UINT32_MAX)
			return 0;
	}
	*s = p;
	return (uint32_t)n;
}

static int accept_version(const char **s, struct lyra2_params *p)
{
	if (accept(s, "30$"))
		p->version = 30;
	else if (accept(s, "25$"))
		p->version = 25;
	else
		return 0;
	return 1;
}

/* ",f=NAME", which must not be the sponge that goes without saying */
static int accept_sponge(const char **s, struct lyra2_params *p)
{
	uint32_t i;

	p->sponge = default_sponge(p->version);
	if (!accept(s, ",f="))
		return 1;
	for (i = LYRA2_BLAKE2B; i <= LYRA2_HALF_BLAMKA; i++) {
		if (i == p->sponge || !accept(s, sponge_name[i]))
			continue;
		p->sponge = i;
		return 1;
	}
	return 0;
}

/* Everything between "v=" and the salt; NULL, or what is wrong. */
static const char *accept_params(const char **s, struct lyra2_params *p)
{
	if (!accept_version(s, p))
		return "version: \"v=\" is not followed by 25 or 30 and \"$\"";
	if (!accept(s, "t=") || !(p->t_cost = accept_number(s)))
		return "t_cost: \"t=\" and 1...4294967295 expected";
	if (!accept(s, ",r=") || !(p->rows = accept_number(s)))
		return "rows: \",r=\" and 1...4294967295 expected";
	if (!accept(s, ",c=") || !(p->cols = accept_number(s)))
		return "cols: \",c=\" and 1...4294967295 expected";
	if (accept(s, ",p=") && (p->lanes = accept_number(s)) < 2)
		return "lanes: \",p=\" and 2...1431655765 expected";
	if (!accept_sponge(s, p))
		return "sponge: \",f=\" and a name other than the default "
		       "expected";
	if (accept(s, ",w=256"))
		p->rotation = 256;
	if (!accept(s, "$"))
		return "parameters: t, r, c, p, f, w in this order and \"$\" "
		       "expected";
	return NULL;
}

/* What /etc/shadow and libcrypt allow in a field: crypt(5). */
static int printable(const char *s)
{
	for (; *s; s++)
		if (*s < 0x21 || *s > 0x7e || strchr("!*:;\\", *s))
			return 0;
	return 1;
}

int string_decode(const char *string, struct lyra2_string *out, char *why,
		  size_t whysize)
{
	const char *s = string, *end, *wrong;

	memset(out, 0, sizeof(*out));
	lyra2_params_init(&out->params);
	if (strnlen(string, LYRA2_MAX_STRING) == LYRA2_MAX_STRING)
		return malformed(why, whysize,
				 "string: longer than 383 characters");
	if (!accept(&s, PREFIX))
		return malformed(why, whysize,
				 "string: does not begin with \"" PREFIX "\"");
	wrong = accept_params(&s, &out->params);
	if (wrong)
		return malformed(why, whysize, wrong);
	end = strchr(s, '$');
	if (end)
		out->saltlen = base64_decode(s, (size_t)(end - s), out->salt,
					     SALT_MAX);
	if (out->saltlen < SALT_MIN)
		return malformed(why, whysize, "salt: not 8...64 bytes of "
				 "base64 without padding and \"$\"");
	if (!printable(end))
		return malformed(why, whysize,
				 "hash: has a character not for passwd(5)");
	out->settinglen = (size_t)(end + 1 - string);
	out->hashlen = base64_decode(end + 1, strlen(end + 1), out->hash,
				     HASH_MAX);
	if (out->hashlen < HASH_MIN)
		out->hashlen = 0;
	return lyra2_check_string(&out->params, why, whysize);
}

int string_encode(const struct lyra2_string *in, char *out, size_t outsize)
{
	const struct lyra2_params *p = &in->params;
	char salt[SALT_MAX * 4 / 3 + 2], lanes[16] = "";
	const char *f = "", *name = "";
	int n;

	if (p->lanes > 1)
		snprintf(lanes, sizeof(lanes), ",p=%" PRIu32, p->lanes);
	if (p->sponge != default_sponge(p->version)) {
		f = ",f=";
		name = sponge_name[p->sponge];
	}
	base64_encode(in->salt, in->saltlen, salt);
	n = snprintf(out, outsize,
		     PREFIX "%" PRIu32 "$t=%" PRIu32 ",r=%" PRIu32
		     ",c=%" PRIu32 "%s%s%s%s$%s$", p->version, p->t_cost,
		     p->rows, p->cols, lanes, f, name,
		     p->rotation == 256 ? ",w=256" : "", salt);
	if (n < 0 || (size_t)n >= outsize) {
		errno = ERANGE;
		return -1;
	}
	return 0;
}
