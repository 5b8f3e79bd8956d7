/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For libFuzzer: a password fits a stored field exactly if crypt(3) or
 * lyra2_crypt() computes that field, without what HP-UX appends.  Any field can
 * be described and judged.  The input is the password and, after a newline, the
 * field.
 */
#include <crypt.h>
#include <ctype.h>
#include <lyra2.h>
#include <security/_pam_types.h>

#include "hash.h"
#include "pam/work/verify.h"
#include "src/tool/judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct lyra2_params *tiny(void)
{
	static struct lyra2_params p;

	lyra2_params_default(&p);
	p.rows = 16;
	p.cols = 12;
	return &p;
}

static void check_judgement(const struct stored *s)
{
	struct policy policy = { .params = *tiny(),
				 .lyra2 = LYRA2_METHOD_LYRA2 };
	const struct judge_facts root = { .account = { .root = true } };
	struct judgement entry;
	const char *why;
	char out[24];

	if (policy_ready(&policy) < 0)
		abort();
	judge_entry(&policy, s, &root, &entry);
	if (!entry.method || entry.status >= JUDGE_STATUSES ||
	    strlen(entry.params) >= sizeof(entry.params))
		abort();
	stored_describe(s, out, sizeof(out));
	if (policy_next(&policy, s, &root.account, &why) != NEXT_NO_HASH &&
	    !s->method)
		abort();
}

/* As pam_unix(8): a DES hash ends before a character that it cannot have. */
static void cut_aging(char *field)
{
	char *c = field + 13;

	if (field[0] == '$' || strlen(field) <= 13)
		return;
	while (isalnum((unsigned char)*c) || *c == '.' || *c == '/')
		c++;
	*c = '\0';
}

/* Independent of verify.c: returns true if the password gives this field. */
static bool gives(const char *field, const char *password)
{
	static struct crypt_data data;
	char out[LYRA2_MAX_STRING];
	const char *again;

	if (strncmp(field, "$lyra2$", 7) == 0 ||
	    strncmp(field, "$bashlyra2$", 11) == 0)
		return lyra2_crypt(NULL, field, password, strlen(password),
				   out, sizeof(out)) == 0 &&
			strcmp(out, field) == 0;
	again = crypt_rn(password, field, &data, (int)sizeof(data));
	return again && strcmp(again, field) == 0;
}

static void check_verdict(const struct stored *s, const char *password)
{
	struct verify_result v = verify_password(s, password, false,
						 CHEAP_BYTES);
	char *field = strdup(s->hash);
	bool right;

	if (!field)
		return;
	cut_aging(field);
	right = password[0] != '\0' && cheap_hash(s->hash) &&
		gives(field, password);
	free(field);

	if ((v.code == PAM_SUCCESS) != right)
		abort();
	if (v.code == PAM_AUTH_ERR)
		verify_even_out(&v, s, password, tiny());
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *password = strndup((const char *)data, size), *field;
	struct stored s;

	if (!password)
		return 0;
	field = strchr(password, '\n');
	if (field) {
		*field++ = '\0';
		stored_read(&s, field);
		check_judgement(&s);
		if (!s.method || cheap_hash(field))
			check_verdict(&s, password);
	}
	free(password);
	return 0;
}
