/* SPDX-License-Identifier: BSD-2-Clause */
/* The methods of crypt(5) and of lyra2(5): one table. */
#include "method.h"

#include <lyra2.h>
#include <string.h>

/*
 * A prefix is compared in this order.  Prefixes and lengths are those of
 * crypt(5).  FAMILY_LEGACY is what it calls weak, and what it advises against.
 */
static const struct method methods[] = {
	{ .prefix = "$lyra2$", .name = "lyra2", .family = FAMILY_LYRA2,
	  .lyra2 = LYRA2_METHOD_LYRA2, .params = "",
	  .new = "" },
	{ .prefix = "$bashlyra2$", .name = "bash-lyra2", .family = FAMILY_LYRA2,
	  .outer = OUTER_BASH, .lyra2 = LYRA2_METHOD_BASH_LYRA2, .params = "",
	  .new = "" },
	{ .prefix = "$y$", .name = "yescrypt", .family = FAMILY_YESCRYPT,
	  .read = setting_yescrypt, .params = "",
	  .new = "$y$", .cost = 5, .hash = 43, .parts = 4 },
	{ .prefix = "$gy$", .name = "gost-yescrypt", .family = FAMILY_YESCRYPT,
	  .outer = OUTER_GOST, .read = setting_yescrypt, .params = "",
	  .new = "$gy$", .cost = 5, .hash = 43, .parts = 4 },
	{ .prefix = "$sm3y$", .name = "sm3-yescrypt", .family = FAMILY_YESCRYPT,
	  .outer = OUTER_SM3, .read = setting_yescrypt, .params = "",
	  .new = "$sm3y$", .cost = 5, .hash = 43, .parts = 4 },
	{ .prefix = "$7$", .name = "scrypt", .family = FAMILY_SCRYPT,
	  .read = setting_scrypt, .new = "$7$", .cost = 7, .hash = 43,
	  .parts = 3 },
	/*
	 * From a bug: a password with bytes above 127 has the hash of another
	 * one.
	 */
	{ .prefix = "$2x$", .name = "bcrypt-x", .family = FAMILY_LEGACY,
	  .read = setting_bcrypt, .bytes = 72, .seven_bits = true,
	  .params = "", .hash = 53 },
	{ .prefix = "$2", .name = "bcrypt", .family = FAMILY_BCRYPT,
	  .read = setting_bcrypt, .bytes = 72, .params = "",
	  .new = "$2b$", .cost = 5, .hash = 53 },
	{ .prefix = "$6$", .name = "sha512crypt", .family = FAMILY_SHA512,
	  .read = setting_rounds, .params = "rounds=",
	  .new = "$6$", .cost = 5000, .hash = 86 },
	{ .prefix = "$5$", .name = "sha256crypt", .family = FAMILY_LEGACY,
	  .read = setting_rounds, .params = "rounds=", .hash = 43 },
	{ .prefix = "$sm3$", .name = "sm3crypt", .family = FAMILY_LEGACY,
	  .read = setting_rounds, .params = "rounds=", .hash = 43 },
	{ .prefix = "$sha1$", .name = "sha1crypt", .family = FAMILY_LEGACY,
	  .read = setting_sha1, .params = "", .hash = 28, .parts = 4 },
	{ .prefix = "$md5", .name = "sunmd5", .family = FAMILY_LEGACY,
	  .read = setting_rounds, .hash = 22 },
	{ .prefix = "$1$", .name = "md5crypt", .family = FAMILY_LEGACY,
	  .read = setting_plain, .hash = 22 },
	{ .prefix = "$3$", .name = "nt", .family = FAMILY_LEGACY,
	  .read = setting_plain, .hash = 32 },
	/* Of a libcrypt that is newer than this list */
	{ .prefix = "$", .name = "other", .family = FAMILY_UNKNOWN,
	  .read = setting_plain },
};
#define METHODS (sizeof(methods) / sizeof(methods[0]))

/*
 * These hashes have no prefix, and are recognised by their length: two
 * characters of salt, and eleven for each eight bytes of the password.
 */
#define DES_SALT 2
#define DES_HASH 11
#define BIGCRYPT_MOST (DES_SALT + 16 * DES_HASH)
static const struct method descrypt = {
	.prefix = "", .name = "descrypt", .family = FAMILY_LEGACY,
	.read = setting_plain, .bytes = 8, .seven_bits = true,
	.hash = DES_HASH
};
static const struct method bigcrypt = {
	.prefix = "", .name = "bigcrypt", .family = FAMILY_LEGACY,
	.read = setting_plain, .bytes = 128, .seven_bits = true,
	.hash = DES_HASH
};

/* The digits of all methods; those of the NT hash are among them. */
static size_t digits(const char *s)
{
	return strspn(s, "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
		      "abcdefghijklmnopqrstuvwxyz");
}

static size_t dollars(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += *s == '$';
	return n;
}

size_t method_length(const char *hash)
{
	const size_t len = strlen(hash), least = DES_SALT + DES_HASH;

	return hash[0] == '$' || len <= least ? len :
		least + digits(hash + least);
}

const struct method *method_of(const char *hash, bool in_crypt)
{
	const struct method *m;
	size_t len;

	for (m = methods; m < methods + METHODS; m++)
		if (strncmp(hash, m->prefix, strlen(m->prefix)) == 0)
			return m->lyra2 || in_crypt ? m : NULL;
	/*
	 * crypt(3) knows hashes of BSDi, but pam_unix(8) takes them for one of
	 * these, which no password matches.
	 */
	len = method_length(hash);
	if (!in_crypt || hash[0] == '_' || len < DES_SALT + DES_HASH)
		return NULL;
	return len == DES_SALT + DES_HASH ? &descrypt : &bigcrypt;
}

bool method_fits(const struct method *m, const char *hash)
{
	const size_t len = method_length(hash);
	const char *last = strrchr(hash, '$');

	if (m->hash == 0)
		return true;
	if (m->prefix[0] == '\0')
		return digits(hash) == len && len <= BIGCRYPT_MOST &&
			(len - DES_SALT) % DES_HASH == 0;
	last = last ? last + 1 : hash + strlen(m->prefix);
	return digits(last) == m->hash && last[m->hash] == '\0' &&
		dollars(hash) >= m->parts;
}

const struct method *method_new(uint32_t number)
{
	const struct method *m;

	for (m = methods; m < methods + METHODS; m++)
		if (m->new && number-- == 0)
			return m;
	return NULL;
}
