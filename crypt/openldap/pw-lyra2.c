/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The password scheme {LYRA2} for OpenLDAP's slapd: see slapd-pw-lyra2(5).
 *
 * A value of userPassword is "{LYRA2}" and a string of lyra2(5).  Any error in
 * a value is logged, without the value, and the password is refused.
 */
#include "pw-lyra2.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <syslog.h>

#include "pam/module/options-table.h"
#include "slapd.h"
#include "slots.h"
#include "wipe.h"

/* slapd keeps the pointer. */
static char scheme_name[] = PW_LYRA2_SCHEME;
static struct berval lyra2_scheme = { sizeof(scheme_name) - 1, scheme_name };

static struct options options;
static bool loaded;

/*
 * slapd has called openlog(3).  Standard error is for users who run slapd in
 * the foreground, slaptest or slappasswd; a daemon has /dev/null there.
 */
void pw_lyra2_report(int priority, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	syslog(priority, "pw-lyra2: %s", text);
	fprintf(stderr, "pw-lyra2: %s\n", text);
}

int pw_lyra2_string(const struct berval *value, char *out, size_t outsize)
{
	if (value->bv_len >= outsize ||
	    memchr(value->bv_val, '\0', value->bv_len))
		return -1;
	memcpy(out, value->bv_val, value->bv_len);
	out[value->bv_len] = '\0';
	return 0;
}

/*
 * lyra2_verify() in a slot.  Only the memory for new hashes stays mapped: a
 * value that needs more gets its own memory while it is checked.
 */
static int verify(const char *stored, const struct lyra2_params *params,
		  const struct berval *password)
{
	bool keep = lyra2_memory(params) <=
		lyra2_memory(&options.policy.params);
	struct lyra2_ctx *ctx = slots_take();
	int verdict = lyra2_verify(keep ? ctx : NULL, stored,
				   password->bv_val, password->bv_len);

	if (verdict < 0)
		pw_lyra2_report(LOG_ERR, "a stored value cannot be checked: %s",
				errno == EINVAL ?
				"its hash has not 16...64 bytes" :
				strerror(errno));
	slots_give(ctx);
	return verdict;
}

/* Reads a stored value and its parameters.  0, or -1 if it is refused. */
static int read_value(const struct berval *value, char *stored, size_t size,
		      struct lyra2_params *params)
{
	char why[256] = "too long, or it has a NUL";

	if (pw_lyra2_string(value, stored, size) == 0 &&
	    lyra2_parse(stored, params, why, sizeof(why)) == 0) {
		if (lyra2_memory(params) <= options.policy.max_memory)
			return 0;
		snprintf(why, sizeof(why), "it takes more than max_memory");
	}
	pw_lyra2_report(LOG_ERR, "a stored value is refused: %s", why);
	return -1;
}

static int check(const struct berval *scheme, const struct berval *passwd,
		 const struct berval *cred, const char **text)
{
	char stored[LYRA2_MAX_STRING];
	struct lyra2_params params;
	int verdict = -1;

	(void)scheme;
	(void)text;
	if (cred->bv_len > LYRA2_MAX_PASSWORD)
		return SLAPD_ERR;
	if (read_value(passwd, stored, sizeof(stored), &params) == 0)
		verdict = verify(stored, &params, cred);
	lyra2_wipe(stored, sizeof(stored));
	return verdict == 0 ? SLAPD_OK : SLAPD_ERR;
}

/* "{LYRA2}" and the string, in memory that slapd can free. */
static int store(const struct berval *scheme, const char *string,
		 struct berval *hash)
{
	size_t len = strlen(string);
	char *value = ber_memalloc(scheme->bv_len + len + 1);

	if (!value)
		return -1;
	memcpy(value, scheme->bv_val, scheme->bv_len);
	memcpy(value + scheme->bv_len, string, len + 1);
	hash->bv_val = value;
	hash->bv_len = scheme->bv_len + len;
	return 0;
}

/* "{LYRA2}" and the hash of a new password. */
static int make(const struct berval *scheme, const struct berval *passwd,
		struct berval *value)
{
	char string[LYRA2_MAX_STRING];
	struct lyra2_ctx *ctx = slots_take();
	int status = lyra2_hash(ctx, &options.policy.params, passwd->bv_val,
				passwd->bv_len, string, sizeof(string));

	slots_give(ctx);
	if (status == 0)
		status = store(scheme, string, value);
	if (status < 0)
		pw_lyra2_report(LOG_ERR, "a new password cannot be hashed: %s",
				strerror(errno));
	lyra2_wipe(string, sizeof(string));
	return status;
}

static int hash(const struct berval *scheme, const struct berval *passwd,
		struct berval *value, const char **text)
{
	bool too_long = passwd->bv_len > LYRA2_MAX_PASSWORD;

	if (!too_long && make(scheme, passwd, value) == 0)
		return SLAPD_OK;
	if (text)
		*text = too_long ? "the password has more than 511 bytes" :
			"the password cannot be hashed";
	return SLAPD_ERR;
}

/* False, with a line in the log, if the argument is wrong. */
static bool read_argument(struct options_state *s, const char *argument)
{
	struct option_word word;

	switch (options_apply_argument(s, IN_SLAPD, argument, &word)) {
	case OPTION_OK:
		return true;
	case OPTION_UNKNOWN:
		pw_lyra2_report(LOG_ERR, "unknown argument \"%s\"", argument);
		return false;
	case OPTION_INVALID:
		pw_lyra2_report(LOG_ERR, "argument \"%s\": it %s", argument,
				word.why);
		return false;
	}
	return false;
}

/* False, with a line in the log, if the module could not check its hashes. */
static bool check_policy(const struct policy *policy)
{
	char why[256];

	if (lyra2_check_string(&policy->params, why, sizeof(why)) == 0) {
		if (lyra2_memory(&policy->params) <= policy->max_memory)
			return true;
		snprintf(why, sizeof(why), "they take more than max_memory");
	}
	pw_lyra2_report(LOG_ERR, "no hashes with these arguments: %s", why);
	return false;
}

/* Version 2.5 has only one sponge: it need not be configured. */
static bool read_arguments(int argc, char *argv[])
{
	struct options_state s = { .o = &options };
	struct policy *policy = &options.policy;
	int i;

	memset(&options, 0, sizeof(options));
	lyra2_params_init(&policy->params);
	policy->rehash = REHASH_ALWAYS;
	policy->max_memory = LYRA2_MAX_MEMORY;
	for (i = 0; i < argc; i++)
		if (!read_argument(&s, argv[i]))
			return false;
	if (policy->params.version == 25 && !s.sponge_set)
		policy->params.sponge = LYRA2_BLAKE2B;
	return check_policy(policy);
}

/*
 * If the arguments are invalid, slapd does not start or refuses the change.
 * slapd calls this again if the file is loaded by another name.
 */
int init_module(int argc, char *argv[])
{
	if (loaded) {
		pw_lyra2_report(LOG_ERR, "loaded already");
		return -1;
	}
	if (!read_arguments(argc, argv))
		return -1;
	if (slots_make(options.policy.max_concurrent) < 0) {
		pw_lyra2_report(LOG_ERR, "%s", strerror(errno));
		return -1;
	}
	if (lutil_passwd_add(&lyra2_scheme, check, hash) != 0) {
		slots_free();
		return -1;
	}
	loaded = true;
	return 0;
}

const struct policy *pw_lyra2_policy(void)
{
	return loaded ? &options.policy : NULL;
}

int term_module(void)
{
	loaded = false;
	slots_free();
	return 0;
}
