/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads and writes the strings of lyra2(5):
 * "$lyra2$v=30$t=2$r=4096$c=256$p=4$<salt>$<hash>".
 */
#ifndef LYRA2_ENCODE_H
#define LYRA2_ENCODE_H

#include "core.h"

/* What a string holds. */
struct lyra2_string {
	struct lyra2_params params;
	size_t settinglen;	/* characters before the "$" of the hash */
	size_t saltlen;
	const char *setting;	/* the string, not terminated */
	const char *salt;	/* in it, likewise */
	uint8_t hash[LYRA2_HASH_BYTES];
};

/*
 * Reads a setting into *out, whose salt points into the string.  It ends with
 * the string, or before a "$": what follows is not looked at, as libxcrypt
 * demands of its methods.  Arguments and errors are those of
 * lyra2_check_string().
 */
LYRA2_INTERNAL int string_decode(const char *string, struct lyra2_string *out,
				 char *why, size_t whysize);

/* The same with the hash.  If it is missing, returns 1 and sets errno, too. */
LYRA2_INTERNAL int string_decode_hash(const char *string,
				      struct lyra2_string *out, char *why,
				      size_t whysize);

/*
 * Writes a setting without the "$" that a hash would follow, from the params
 * and the salt of *in.  ERANGE: outsize is too small.
 */
LYRA2_INTERNAL int string_encode(const struct lyra2_string *in, char *out,
				 size_t outsize);

/*
 * Writes n bytes as characters of ./0-9A-Za-z and a NUL: 4 * n / 3 characters,
 * rounded up, plus 1.
 */
LYRA2_INTERNAL void base64_encode(const uint8_t *in, size_t n, char *out);

#endif
