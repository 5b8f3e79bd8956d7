/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads and writes the strings of lyra2(5):
 * "$lyra2$t2n12c256p2$<salt>$<hash>".
 */
#ifndef LYRA2_ENCODE_H
#define LYRA2_ENCODE_H

#include "core.h"

#define LYRA2_HASH_BYTES 32	/* 43 characters of base64 */
#define LYRA2_NEW_RANDOM 16	/* bytes of salt in new strings */
#define LYRA2_NEW_SALT 22	/* characters of that salt */
#define LYRA2_MIN_RANDOM 6
#define LYRA2_MAX_RANDOM 48
#define LYRA2_MIN_SALT 8	/* characters */
#define LYRA2_MAX_SALT 64

/* The parts of a string. */
struct lyra2_string {
	uint32_t method;
	struct lyra2_params params;
	size_t settinglen;	/* characters before the "$" of the hash */
	size_t saltlen;
	const char *setting;	/* in the string, not terminated */
	const char *salt;	/* in the string, not terminated */
	uint8_t hash[LYRA2_HASH_BYTES];
};

/*
 * Reads a setting into *out.  out->salt points into the string.  The setting
 * ends with the string or before a "$".  As with each method of libxcrypt, any
 * bytes that crypt(3) takes may follow the "$".  Errors: EINVAL, EDOM.
 */
LYRA2_INTERNAL int string_decode(const char *string, struct lyra2_string *out,
				 struct lyra2_reason *reason);

/* Like string_decode(), but the hash must follow, and is read. */
LYRA2_INTERNAL int string_decode_hash(const char *string,
				      struct lyra2_string *out,
				      struct lyra2_reason *reason);

/*
 * Writes a setting from the method, the params and the salt of *in, without the
 * "$" before a hash.  Error: ERANGE, if outsize is too small.
 */
LYRA2_INTERNAL int string_encode(const struct lyra2_string *in, char *out,
				 size_t outsize);

/*
 * Writes n bytes as characters of ./0-9A-Za-z and a NUL.  out has room for 4 *
 * n / 3 characters, rounded up, plus 1.
 */
LYRA2_INTERNAL void base64_encode(const uint8_t *in, size_t n, char *out);

#endif
