/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The password scheme {LYRA2} for OpenLDAP's slapd: see slapd-pw-lyra2(5).
 *
 * A value of userPassword is "{LYRA2}" and a string of lyra2(5).  Any error in
 * a value is logged, without the value, and the password is refused.
 */
#include <ctype.h>
#include <errno.h>
#include <lber.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <syslog.h>

#include "slapd.h"
#include "slots.h"
#include "src/stored/options-table.h"
#include "wipe.h"

/*
 * 10 seconds, because then the usual clients have given up; 8 default hashes,
 * because no cost number makes a hash that takes more.
 */
enum { DEFAULT_MAX_WAIT = 10, DEFAULT_MAX_WORK = 8 };

/* slapd keeps the pointer. */
static char scheme_name[] = "{LYRA2}";
static struct berval lyra2_scheme = { sizeof(scheme_name) - 1, scheme_name };

static struct options options;
static uint64_t max_work;	/* lyra2_work() of a stored value */
static bool loaded;

/*
 * slapd has called openlog(3).  Standard error is for users who run slapd in
 * the foreground, slaptest or slappasswd; a daemon has /dev/null there.
 */
__attribute__((format(printf, 2, 3)))
static void report(int priority, const char *format, ...)
{
	char text[512], *c;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	for (c = text; *c != '\0'; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
	syslog(priority, "pw-lyra2: %s", text);
	fprintf(stderr, "pw-lyra2: %s\n", text);
}

/* A stored value as a string.  0, or -1 if it is longer or has a NUL. */
static int value_string(const struct berval *value, char *out, size_t outsize)
{
	if (value->bv_len >= outsize ||
	    memchr(value->bv_val, '\0', value->bv_len))
		return -1;
	memcpy(out, value->bv_val, value->bv_len);
	out[value->bv_len] = '\0';
	return 0;
}

/* Waits in the queue.  After max_wait seconds NULL, and a line in the log. */
static struct lyra2_ctx *take_slot(const char *who)
{
	struct lyra2_ctx *ctx = slots_take(options.max_wait);

	if (!ctx)
		report(LOG_WARNING, "%s is refused unchecked: it has waited %u "
		       "seconds for others (max_wait)", who, options.max_wait);
	return ctx;
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
	struct lyra2_ctx *ctx = take_slot("a bind");
	int verdict;

	if (!ctx)
		return -1;
	verdict = lyra2_verify(keep ? ctx : NULL, stored, password->bv_val,
			       password->bv_len);
	if (verdict < 0)
		report(LOG_ERR, "a stored value cannot be checked: %s",
		       lyra2_strerror(errno));
	slots_give(ctx);
	return verdict;
}

/* False, with the reason in why, above max_memory or max_work. */
static bool within_limits(const struct lyra2_params *params, char *why,
			  size_t size)
{
	if (lyra2_memory(params) > options.policy.max_memory)
		snprintf(why, size, "it takes more than max_memory");
	else if (lyra2_work(params) > max_work)
		snprintf(why, size, "it takes more than max_work");
	else
		return true;
	return false;
}

/* Reads a stored value and its parameters.  0, or -1 if it is refused. */
static int read_value(const struct berval *value, char *stored, size_t size,
		      struct lyra2_params *params)
{
	char why[256] = "too long, or it has a NUL";

	if (value_string(value, stored, size) == 0 &&
	    lyra2_parse(stored, params, why, sizeof(why)) == 0 &&
	    within_limits(params, why, sizeof(why)))
		return 0;
	report(LOG_ERR, "a stored value is refused: %s", why);
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
	struct lyra2_ctx *ctx = take_slot("a new password");
	int status;

	if (!ctx)
		return -1;
	status = lyra2_hash(ctx, &options.policy.params, passwd->bv_val,
			    passwd->bv_len, string, sizeof(string));
	slots_give(ctx);
	if (status == 0)
		status = store(scheme, string, value);
	if (status < 0)
		report(LOG_ERR, "a new password cannot be hashed: %s",
		       lyra2_strerror(errno));
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
		report(LOG_ERR, "unknown argument \"%s\"", argument);
		return false;
	case OPTION_INVALID:
		report(LOG_ERR, "argument \"%s\": it %s", argument,
				word.why);
		return false;
	}
	return false;
}

/* By default stored values may have each cost, and the double of new ones. */
static void set_limits(const struct lyra2_params *params)
{
	struct lyra2_params unit;

	lyra2_params_init(&unit);
	max_work = lyra2_work(&unit) *
		(options.max_work ? options.max_work : DEFAULT_MAX_WORK);
	if (!options.max_work && max_work < 2 * lyra2_work(params))
		max_work = 2 * lyra2_work(params);
	if (!options.max_wait)
		options.max_wait = DEFAULT_MAX_WAIT;
}

/* False, with a line in the log, if the module could not check its hashes. */
static bool check_policy(const struct policy *policy)
{
	char why[256];

	if (lyra2_check_string(&policy->params, why, sizeof(why)) == 0) {
		set_limits(&policy->params);
		if (within_limits(&policy->params, why, sizeof(why)))
			return true;
	}
	report(LOG_ERR, "no new hashes with these arguments: %s", why);
	return false;
}

static bool read_arguments(int argc, char *argv[])
{
	struct options_state s = { .o = &options };
	struct policy *policy = &options.policy;
	int i;

	memset(&options, 0, sizeof(options));
	lyra2_params_init(&policy->params);
	policy->max_memory = LYRA2_MAX_MEMORY;
	for (i = 0; i < argc; i++)
		if (!read_argument(&s, argv[i]))
			return false;
	lyra2_params_fill(&policy->params);
	return check_policy(policy);
}

/*
 * If the arguments are invalid, slapd does not start or refuses the change.
 * slapd calls this again if the file is loaded by another name.
 */
int init_module(int argc, char *argv[])
{
	if (loaded) {
		report(LOG_ERR, "loaded already");
		return -1;
	}
	if (!read_arguments(argc, argv))
		return -1;
	if (slots_make(options.policy.max_concurrent) < 0) {
		report(LOG_ERR, "%s", strerror(errno));
		return -1;
	}
	if (lutil_passwd_add(&lyra2_scheme, check, hash) != 0) {
		slots_free();
		return -1;
	}
	loaded = true;
	return 0;
}

int term_module(void)
{
	loaded = false;
	slots_free();
	return 0;
}
