/* SPDX-License-Identifier: BSD-2-Clause */
/* The PHS() plugins, driven as the competition's harnesses do: by dlopen. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "check-main.h"

typedef int phs_fn(void *out, size_t outlen, const void *in, size_t inlen,
		   const void *salt, size_t saltlen, unsigned int t_cost,
		   unsigned int m_cost);

/*
 * From builds of two public implementations: the one of 2014 with version 2.5,
 * and the authors' with version 3.
 */
static const struct {
	const char *file, *password;
	size_t passwordlen;
	const char *salt;
	size_t saltlen;
	unsigned int t_cost, m_cost;
	const char *key;
} answer[] = {
	{ "libphs_lyra2_v25.so", "\xfb\x09\x93", 3, "\xd1\xb0\x46\x68\xb9"
	  "\x7c\x70\x15\x54\x21\x8a\xc2\xc4\x29\xe2\x47", 16, 2, 4,
	  "3f752fc6f5" },
	{ "libphs_lyra2_v3.so", "a", 1, "salt", 4, 1, 64,
	  "166836e52af1fd576934f51ae212962475c6895f3b43dec854c956d025e46ac8"
	  "dd43d7bab99ce005a4b6ba57c575efd59964863b660260ef6cabcacd986fbf04"
	  "62cae8688fcc6837e95ada0547f3ade73e2b452f73b2c87635fe9edfdb935293"
	  "fa" },
};

static void *plugin;
static phs_fn *phs;

/* The plugin that the build left beside the library. */
static void load(const char *file)
{
	char path[4096];

	snprintf(path, sizeof(path), PLUGINS "/%s", file);
	plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	ck_assert_msg(plugin != NULL, "%s", dlerror());
	*(void **)&phs = dlsym(plugin, "PHS");
	ck_assert_ptr_nonnull(phs);
}

START_TEST(known_answer)
{
	const size_t n = strlen(answer[_i].key) / 2;
	uint8_t key[128];
	char hex[257];
	size_t i;

	load(answer[_i].file);
	ck_assert_int_eq(phs(key, n, answer[_i].password,
			     answer[_i].passwordlen, answer[_i].salt,
			     answer[_i].saltlen, answer[_i].t_cost,
			     answer[_i].m_cost), 0);
	for (i = 0; i < n; i++)
		snprintf(hex + 2 * i, 3, "%02x", key[i]);
	ck_assert_str_eq(hex, answer[_i].key);
	dlclose(plugin);
}
END_TEST

START_TEST(refuses)
{
	uint8_t key[32];

	load(answer[_i].file);
	ck_assert_int_ne(phs(key, 32, "a", 1, "salt", 4, 0, 64), 0);
	ck_assert_int_ne(phs(key, 32, "a", 1, "salt", 4, 1, 2), 0);
	ck_assert_int_ne(phs(key, 0, "a", 1, "salt", 4, 1, 64), 0);
	dlclose(plugin);
}
END_TEST

START_TEST(exports_nothing_else)
{
	load(answer[_i].file);
	ck_assert_ptr_null(dlsym(plugin, "lyra2_kdf"));
	dlclose(plugin);
}
END_TEST

static Suite *make_suite(void)
{
	const int n = sizeof(answer) / sizeof(answer[0]);
	Suite *suite = suite_create("phs");
	TCase *tc = tcase_create("plugins");

	tcase_add_loop_test(tc, known_answer, 0, n);
	tcase_add_loop_test(tc, refuses, 0, n);
	tcase_add_loop_test(tc, exports_nothing_else, 0, n);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	if (SHARED)
		return check_main(make_suite());
	puts("1..0 # SKIP configured with --disable-shared");
	return 0;
}
