/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The password scheme {LYRA2} for OpenLDAP's slapd: see slapd-pw-lyra2(5).
 *
 * A value of userPassword is "{LYRA2}" and a string of lyra2(5).  Any error in
 * a value is logged, without the value, and the password is refused.
 *
 * slapd serves each bind in a thread of its own.  A semaphore bounds how many
 * threads hash at the same time, and max_cost what each hash may take.
 */
#include <ctype.h>
#include <errno.h>
#include <lber.h>
#include <lyra2.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "wipe.h"

/*
 * OpenLDAP declares these in files that no package installs: include/lutil.h
 * and servers/slapd/module.c.  The module is linked with no OpenLDAP library,
 * so that it uses the functions of slapd itself, also its memory allocator.
 */
enum { SLAPD_OK = 0, SLAPD_ERR = -1 };	/* LUTIL_PASSWD_OK, _ERR */
extern int lutil_passwd_add(
	struct berval *scheme,
	int (*check)(const struct berval *scheme, const struct berval *passwd,
		     const struct berval *cred, const char **text),
	int (*hash)(const struct berval *scheme, const struct berval *passwd,
		    struct berval *value, const char **text));
extern int init_module(int argc, char *argv[]) LYRA2_API;

enum { MAX_WAIT = 30 };		/* seconds; most clients give up before */
enum { DEFAULT_COST = 12 };	/* 2^12 rows */

/* slapd keeps the pointer. */
static char scheme_name[] = "{LYRA2}";
static struct berval lyra2_scheme = { sizeof(scheme_name) - 1, scheme_name };

static struct lyra2_params of_new, most;	/* new; limit of stored */
static sem_t slots;
static bool loaded;

/*
 * slapd has called openlog(3).  Standard error is for users who run slapd in
 * the foreground, slaptest or slappasswd; a daemon has /dev/null there.
 */
__attribute__((format(printf, 2, 3)))
static void report(int priority, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	syslog(priority, "pw-lyra2: %s", text);
	fprintf(stderr, "pw-lyra2: %s\n", text);
}

/* Waits for a slot.  After MAX_WAIT seconds, logs that and returns false. */
static bool take_slot(const char *who)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += MAX_WAIT;
	while (sem_clockwait(&slots, CLOCK_MONOTONIC, &until) < 0)
		if (errno != EINTR) {
			report(LOG_WARNING, "%s is refused unchecked: it has "
			       "waited %d seconds for others", who, MAX_WAIT);
			return false;
		}
	return true;
}

/* Copies a stored value to string.  Returns 0, or -1 with a line in the log. */
static int read_value(const struct berval *value, char *string, size_t size)
{
	struct lyra2_reason why = { 0, "too long, or it has a NUL" };
	struct lyra2_params params;

	if (value->bv_len >= size || memchr(value->bv_val, '\0', value->bv_len))
		goto refused;
	memcpy(string, value->bv_val, value->bv_len);
	string[value->bv_len] = '\0';
	if (lyra2_parse(string, NULL, &params, &why) < 0)
		goto refused;
	if (lyra2_memory(&params) <= lyra2_memory(&most) &&
	    lyra2_work(&params) <= lyra2_work(&most))
		return 0;
	strcpy(why.text, "it takes more than max_cost");
refused:
	report(LOG_ERR, "a stored value is refused: %s", why.text);
	return -1;
}

static int check(const struct berval *scheme, const struct berval *passwd,
		 const struct berval *cred, const char **text)
{
	char string[LYRA2_MAX_STRING];
	int verdict = -1;

	(void)scheme;
	(void)text;
	if (cred->bv_len <= LYRA2_MAX_PASSWORD &&
	    read_value(passwd, string, sizeof(string)) == 0 &&
	    take_slot("a bind")) {
		verdict = lyra2_verify(NULL, string, cred->bv_val,
				       cred->bv_len);
		/* A string's password never has a byte of value 0. */
		if (verdict < 0 && errno != EACCES && errno != EILSEQ)
			report(LOG_ERR, "a stored value cannot be checked: %s",
			       lyra2_strerror(errno));
		sem_post(&slots);
	}
	lyra2_wipe(string, sizeof(string));
	return verdict == 0 ? SLAPD_OK : SLAPD_ERR;
}

/* Sets *value to scheme and string, in memory that slapd can free. */
static int store(const char *string, struct berval *value)
{
	const size_t size = lyra2_scheme.bv_len + strlen(string) + 1;

	value->bv_val = ber_memalloc(size);
	if (!value->bv_val)
		return -1;
	snprintf(value->bv_val, size, "%s%s", scheme_name, string);
	value->bv_len = size - 1;
	return 0;
}

static int hash(const struct berval *scheme, const struct berval *passwd,
		struct berval *value, const char **text)
{
	char string[LYRA2_MAX_STRING];
	int status = -1;

	(void)scheme;
	if (take_slot("a new password")) {
		status = lyra2_hash(NULL, LYRA2_METHOD_LYRA2, &of_new,
				    passwd->bv_val, passwd->bv_len, string,
				    sizeof(string));
		sem_post(&slots);
		if (status == 0)
			status = store(string, value);
		if (status < 0)
			report(LOG_ERR, "a new password cannot be hashed: %s",
			       lyra2_strerror(errno));
		lyra2_wipe(string, sizeof(string));
	}
	if (status < 0 && text)
		*text = "the password is too long, or cannot be hashed now";
	return status == 0 ? SLAPD_OK : SLAPD_ERR;
}

enum { COST, MAX_COST, MAX_CONCURRENT, ARGUMENTS };
struct argument {
	const char *name;
	unsigned long min, max, value;
};

/* Reads "name=number" into its row of a.  Returns 0, or -1 and logs why. */
static int read_argument(struct argument *a, const char *text)
{
	const struct argument *end = a + ARGUMENTS;
	const size_t len = strcspn(text, "=");
	char *rest;

	while (a < end && (strlen(a->name) != len ||
			   memcmp(text, a->name, len) != 0))
		a++;
	if (a < end && text[len] && isdigit((unsigned char)text[len + 1])) {
		a->value = strtoul(text + len + 1, &rest, 10);
		if (*rest == '\0' && a->value >= a->min && a->value <= a->max)
			return 0;
	}
	report(LOG_ERR, "argument \"%s\": it must be cost=4 to 15, max_cost=4 "
	       "to 15, or max_concurrent=1 to 65536", text);
	return -1;
}

/* slapd calls this again if the file is loaded by another name. */
int init_module(int argc, char *argv[])
{
	const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct argument a[ARGUMENTS] = {
		{ "cost", LYRA2_MIN_COST, LYRA2_MAX_COST, DEFAULT_COST },
		{ "max_cost", LYRA2_MIN_COST, LYRA2_MAX_COST, LYRA2_MAX_COST },
		{ "max_concurrent", 1, 65536,
		  cpus > 0 ? (unsigned long)cpus : 1 },
	};

	while (argc > 0)
		if (read_argument(a, argv[--argc]) < 0)
			return -1;
	if (loaded || a[COST].value > a[MAX_COST].value) {
		report(LOG_ERR, loaded ? "it is loaded already" :
		       "cost is more than max_cost");
		return -1;
	}
	lyra2_params_default(&of_new);
	most = of_new;
	of_new.rows = UINT32_C(1) << a[COST].value;
	most.rows = UINT32_C(1) << a[MAX_COST].value;
	if (sem_init(&slots, 0, (unsigned int)a[MAX_CONCURRENT].value) < 0 ||
	    lutil_passwd_add(&lyra2_scheme, check, hash) != 0)
		return -1;
	loaded = true;
	return 0;
}
