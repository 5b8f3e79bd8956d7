/* SPDX-License-Identifier: BSD-2-Clause */
/* The strings: "$lyra2$v=30$t=2,r=2048,c=256$<salt>$<hash>", lyra2(5). */
#ifndef LYRA2_ENCODE_H
#define LYRA2_ENCODE_H

#include "core.h"

enum {
	SALT_MIN = 8,
	SALT_MAX = 64,
	SALT_NEW = 16,
	HASH_MIN = 16,
	HASH_MAX = 64,
	HASH_NEW = 32,
};

/* What a string holds. */
struct lyra2_string {
	struct lyra2_params params;
	size_t settinglen;	/* characters up to the hash */
	size_t saltlen;
	size_t hashlen;		/* 0: none, or not a canonical one */
	uint8_t salt[SALT_MAX];
	uint8_t hash[HASH_MAX];
};

/* As lyra2_parse(), which says what is accepted. */
LYRA2_INTERNAL int string_decode(const char *string, struct lyra2_string *out,
				 char *why, size_t whysize);

/* Writes params and salt of *in as a setting.  ERANGE: outsize is too small. */
LYRA2_INTERNAL int string_encode(const struct lyra2_string *in, char *out,
				 size_t outsize);

/* Base64 without padding, and a NUL: 4 * n / 3 characters, rounded up, + 1. */
LYRA2_INTERNAL void base64_encode(const uint8_t *in, size_t n, char *out);

#endif
