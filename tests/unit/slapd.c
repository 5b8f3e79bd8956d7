/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The module for slapd.  slapd, its log and the time are this test's.  What the
 * module does is told in words.
 */
#include <errno.h>
#include <lber.h>
#include <lyra2.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "check-main.h"
#include "instrumented.h"
#include "say.h"

/* pthread.h declares the function again where a macro has its name. */
#define clock_gettime seam_clock_gettime
#define fprintf seam_fprintf
#define sem_clockwait seam_sem_clockwait
#define sysconf seam_sysconf
#define syslog seam_syslog

static int seam_clock_gettime(clockid_t clock, struct timespec *t);
static int seam_fprintf(FILE *f, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static int seam_sem_clockwait(sem_t *sem, clockid_t clock,
			      const struct timespec *until);
static long seam_sysconf(int name);
static void seam_syslog(int priority, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#include "crypt/openldap/pw-lyra2.c"

#define SETTING "$lyra2$t2n4c12p1$saltsalt$"

static int (*checked)(const struct berval *, const struct berval *,
		      const struct berval *, const char **);
static int (*hashed)(const struct berval *, const struct berval *,
		     struct berval *, const char **);
static int refuses, interrupted;
static bool full;		/* all slots are taken */
static long processors = 3;
static bool no_memory;
static char right[LYRA2_MAX_STRING], stored[LYRA2_MAX_STRING + 16];

int lutil_passwd_add(struct berval *scheme,
	int (*check_fn)(const struct berval *, const struct berval *,
			const struct berval *, const char **),
	int (*hash_fn)(const struct berval *, const struct berval *,
		       struct berval *, const char **))
{
	say("add %.*s; ", (int)scheme->bv_len, scheme->bv_val);
	checked = check_fn;
	hashed = hash_fn;
	return refuses ? -1 : 0;
}

void *ber_memalloc(ber_len_t size)
{
	errno = ENOMEM;
	return no_memory || size > sizeof(stored) ? NULL : stored;
}

static int seam_clock_gettime(clockid_t clock, struct timespec *t)
{
	*t = (struct timespec){ clock == CLOCK_MONOTONIC ? 100 : 1 << 30, 5 };
	return 0;
}

static void (*meanwhile)(void);

/* Is interrupted so many times, and then times out if there is no slot. */
static int seam_sem_clockwait(sem_t *sem, clockid_t clock,
			      const struct timespec *until)
{
	ck_assert_int_eq(clock, CLOCK_MONOTONIC);
	ck_assert_int_eq(until->tv_sec, 130);
	ck_assert_int_eq(until->tv_nsec, 5);
	if (meanwhile)
		meanwhile();
	if (interrupted-- > 0) {
		errno = EINTR;
		return -1;
	}
	if (!full && sem_trywait(sem) == 0)
		return 0;
	errno = ETIMEDOUT;
	return -1;
}

static long seam_sysconf(int name)
{
	ck_assert_int_eq(name, _SC_NPROCESSORS_ONLN);
	return processors;
}

static char printed[600];

static int seam_fprintf(FILE *f, const char *format, ...)
{
	va_list args;

	ck_assert_ptr_eq(f, stderr);
	va_start(args, format);
	vsnprintf(printed, sizeof(printed), format, args);
	va_end(args);
	return 0;
}

static void seam_syslog(int priority, const char *format, ...)
{
	char text[600];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	say("%s %s; ", priority == LOG_ERR ? "error" :
	    priority == LOG_WARNING ? "warning" : "?", text);
}

static int slots_left(void)
{
	int n = -1;

	sem_getvalue(&slots, &n);
	return n;
}

static int load(const char *const *words)
{
	char copy[4][64], *argv[4];
	int n = 0;

	for (; n < 4 && words[n]; n++) {
		snprintf(copy[n], sizeof(copy[n]), "%s", words[n]);
		argv[n] = copy[n];
	}
	return init_module(n, argv);
}

/* ---- arguments ---- */
#define ADD "add {LYRA2}; "
#define WRONG(text) "error pw-lyra2: argument \"" text "\": it must be cost=4 "\
	"to 15, max_cost=4 to 15, or max_concurrent=1 to 65536; "
#define LESS "error pw-lyra2: cost is more than max_cost; "

#define BAD(word) { { word, NULL }, WRONG(word), 0, 0, 0 }

static const struct {
	const char *words[4];
	const char *said;
	uint32_t rows, limit;	/* 0: it is refused */
	int slots;
} loads[] = {
	{ { NULL }, ADD, 4096, 32768, 3 },
	{ { "cost=4", NULL }, ADD, 16, 32768, 3 },
	{ { "cost=010", NULL }, ADD, 1024, 32768, 3 },
	{ { "cost=15", NULL }, ADD, 32768, 32768, 3 },
	{ { "max_cost=12", NULL }, ADD, 4096, 4096, 3 },
	{ { "cost=4", "max_cost=4", "max_concurrent=1", NULL }, ADD, 16, 16,
	  1 },
	{ { "max_concurrent=65536", NULL }, ADD, 4096, 32768, 65536 },
	{ { "cost=5", "max_cost=4", NULL }, LESS, 0, 0, 0 },
	{ { "max_cost=11", NULL }, LESS, 0, 0, 0 },
	BAD("cost=3"), BAD("cost=16"), BAD("max_cost=3"), BAD("max_cost=16"),
	BAD("max_concurrent=0"), BAD("max_concurrent=65537"), BAD("cost"),
	BAD("cost="), BAD("cost=4x"), BAD("cost=+4"), BAD("cost= 4"),
	BAD("cost=0xc"), BAD("costs=4"), BAD("cos=4"), BAD(""),
	BAD("cost=18446744073709551620"),	/* 2^64 and 4 */
	{ { "cost=99", "cost=4", NULL }, WRONG("cost=99"), 0, 0, 0 },
};

START_TEST(arguments)
{
	const bool good = loads[_i].rows != 0;

	ROW(loads[_i].said);
	ck_assert_int_eq(load(loads[_i].words), good ? 0 : -1);
	ck_assert_str_eq(said, loads[_i].said);
	if (!good)
		return;
	ck_assert_uint_eq(of_new.rows, loads[_i].rows);
	ck_assert_uint_eq(most.rows, loads[_i].limit);
	ck_assert_int_eq(slots_left(), loads[_i].slots);
}
END_TEST

START_TEST(processors_are_unknown)
{
	processors = -1;
	ck_assert_int_eq(load((const char *[]){ NULL }), 0);
	ck_assert_int_eq(slots_left(), 1);
}
END_TEST

START_TEST(is_loaded_once)
{
	refuses = 1;
	ck_assert_int_eq(load((const char *[]){ NULL }), -1);
	refuses = 0;
	ck_assert_int_eq(load((const char *[]){ NULL }), 0);
	ck_assert_int_eq(load((const char *[]){ NULL }), -1);
	ck_assert_str_eq(said, ADD ADD
			 "error pw-lyra2: it is loaded already; ");
	ck_assert_str_eq(printed, "pw-lyra2: it is loaded already\n");
}
END_TEST

/* ---- passwords ---- */
static int check_value(const char *value, size_t len, const char *password,
		       size_t passwordlen)
{
	char copy[LYRA2_MAX_STRING * 2], word[1024];
	const struct berval passwd = { len, memcpy(copy, value, len) };
	const struct berval cred = { passwordlen,
				     memcpy(word, password, passwordlen) };
	const char *text = NULL;

	copy[len] = 'x';	/* slapd's values need not end with a NUL */
	return checked(&lyra2_scheme, &passwd, &cred, &text);
}

static void start(void)
{
	const struct lyra2_params p = { 30, LYRA2_BLAMKA, 2, 16, 12, 1, { 0 } };

	said[0] = '\0';
	ck_assert_int_eq(load((const char *[]){ "cost=4", "max_cost=5",
			 "max_concurrent=2", NULL }), 0);
	ck_assert_int_eq(lyra2_hash(NULL, LYRA2_METHOD_LYRA2, &p, "pass", 4,
				    right, sizeof(right)), 0);
	said[0] = '\0';
}

static void stop(void)
{
	ck_assert_int_eq(slots_left(), 2);
}

#define WAITED " is refused unchecked: it has waited 30 seconds for others; "
#define REFUSED "error pw-lyra2: a stored value is refused: "
#define OTHER "string: does not begin with \"$lyra2$\" or \"$bashlyra2$\"; "
#define DOTS "..........................................."

static const struct {
	const char *value, *said;	/* without value: the right one */
	const char *password;
	int result;
} values[] = {
	{ NULL, "", "pass", 0 },
	{ NULL, "", "Pass", -1 },
	{ NULL, "", "", -1 },
	{ "$lyra2$t2n5c256p1$saltsalt$" DOTS, "", "pass", -1 },
	/* max_cost=5 is 32 rows of 256 columns. */
	{ "$lyra2$t2n6c256p1$saltsalt$" DOTS, REFUSED "it takes more than "
	  "max_cost; ", "pass", -1 },
	{ "$lyra2$t2n5c257p1$saltsalt$" DOTS, REFUSED "it takes more than "
	  "max_cost; ", "pass", -1 },
	{ "$lyra2$t9n4c256p1$saltsalt$" DOTS, REFUSED "it takes more than "
	  "max_cost; ", "pass", -1 },
	{ "$lyra2$t5n4c256p1$saltsalt$" DOTS, "", "pass", -1 },
	{ "$6$saltsalt$hash", REFUSED OTHER, "pass", -1 },
	{ "", REFUSED OTHER, "pass", -1 },
};

START_TEST(verdicts)
{
	const char *value = values[_i].value ? values[_i].value : right;

	ROW(values[_i].value);
	ck_assert_int_eq(check_value(value, strlen(value), values[_i].password,
				     strlen(values[_i].password)),
			 values[_i].result);
	ck_assert_str_eq(said, values[_i].said);
	/* What is refused takes no slot. */
	full = true;
	said[0] = '\0';
	ck_assert_int_eq(check_value(value, strlen(value), values[_i].password,
				     strlen(values[_i].password)), -1);
	ck_assert_str_eq(said, *values[_i].said ? values[_i].said :
			 "warning pw-lyra2: a bind" WAITED);
}
END_TEST

/* A value that is longer than any string, or has a NUL, is not even copied. */
START_TEST(odd_values)
{
	char value[LYRA2_MAX_STRING + 1];
	size_t n;

	memset(value, 'A', sizeof(value));
	memcpy(value, SETTING, strlen(SETTING));
	for (n = LYRA2_MAX_STRING - 1; n <= sizeof(value); n++) {
		said[0] = '\0';
		ck_assert_int_eq(check_value(value, n, "pass", 4), -1);
		ck_assert_str_eq(said, n < LYRA2_MAX_STRING ?
				 REFUSED "hash: not 32 bytes in 43 characters "
				 "of ./0-9A-Za-z; " :
				 REFUSED "too long, or it has a NUL; ");
	}
	said[0] = '\0';
	ck_assert_int_eq(check_value("$lyra2$\0", 8, "pass", 4), -1);
	ck_assert_str_eq(said, REFUSED "too long, or it has a NUL; ");
}
END_TEST

/* Neither a long password nor one with a NUL says anything. */
START_TEST(odd_passwords)
{
	char word[LYRA2_MAX_PASSWORD + 1];

	memset(word, 'p', sizeof(word));
	full = true;
	ck_assert_int_eq(check_value(right, strlen(right), word, 512), -1);
	ck_assert_str_eq(said, "");
	full = false;
	ck_assert_int_eq(check_value(right, strlen(right), word, 511), -1);
	ck_assert_int_eq(check_value(right, strlen(right), "pass\0", 5), -1);
	ck_assert_str_eq(said, "");
}
END_TEST

START_TEST(errors_are_no_wrong_passwords)
{
	struct rlimit usual, none;
	int result;

	ck_assert_int_eq(getrlimit(RLIMIT_AS, &usual), 0);
	none = (struct rlimit){ 0, usual.rlim_max };
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &none), 0);
	result = check_value(right, strlen(right), "pass", 4);
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &usual), 0);
	ck_assert_int_eq(result, -1);
	ck_assert_str_eq(said, "error pw-lyra2: a stored value cannot be "
			 "checked: not enough memory for these parameters; ");
}
END_TEST

static int new_password(const char *word, size_t len, const char **text)
{
	char copy[1024];
	const struct berval passwd = { len, memcpy(copy, word, len) };
	struct berval value = { 0, NULL };
	const int result = hashed(&lyra2_scheme, &passwd, &value, text);

	if (result != 0)
		return result;
	ck_assert_ptr_eq(value.bv_val, stored);
	ck_assert_uint_eq(value.bv_len, strlen(stored));
	ck_assert_mem_eq(stored, "{LYRA2}$lyra2$t2n4c256p2$", 25);
	return check_value(stored + 7, value.bv_len - 7, word, len);
}

#define TEXT "the password is too long, or cannot be hashed now"
#define CANNOT "error pw-lyra2: a new password cannot be hashed: "

START_TEST(hashes)
{
	const char *text = NULL;
	char word[512];

	memset(word, 'p', sizeof(word));
	ck_assert_int_eq(new_password("pass", 4, &text), 0);
	ck_assert_int_eq(new_password(word, 511, &text), 0);
	ck_assert_ptr_null(text);
	ck_assert_str_eq(said, "");
	ck_assert_int_eq(new_password(word, 512, &text), -1);
	ck_assert_str_eq(text, TEXT);
	ck_assert_str_eq(said, CANNOT "the password has more than 511 bytes; ");
	ck_assert_int_eq(new_password(word, 512, NULL), -1);
	text = NULL;
	said[0] = '\0';
	no_memory = true;
	ck_assert_int_eq(new_password("pass", 4, &text), -1);
	ck_assert_str_eq(text, TEXT);
	ck_assert_str_eq(said, CANNOT
			 "not enough memory for these parameters; ");
}
END_TEST

/* ---- slots ---- */

static void another_thread(void)
{
	meanwhile = NULL;
	ck_assert_int_eq(check_value(SETTING DOTS, sizeof(SETTING DOTS) - 1,
				     "pass", 4), -1);
}

START_TEST(another_thread_goes_first)
{
	meanwhile = another_thread;
	ck_assert_int_eq(check_value(right, strlen(right), "pass", 4), 0);
}
END_TEST

START_TEST(waits_for_a_slot)
{
	const char *text = NULL;

	interrupted = 2;
	ck_assert_int_eq(check_value(right, strlen(right), "pass", 4), 0);
	ck_assert_int_le(interrupted, 0);
	sem_trywait(&slots);
	sem_trywait(&slots);
	ck_assert_int_eq(check_value(right, strlen(right), "pass", 4), -1);
	ck_assert_str_eq(said, "warning pw-lyra2: a bind" WAITED);
	said[0] = '\0';
	ck_assert_int_eq(new_password("pass", 4, &text), -1);
	ck_assert_str_eq(said, "warning pw-lyra2: a new password" WAITED);
	ck_assert_str_eq(text, TEXT);
	ck_assert_int_eq(slots_left(), 0);
	sem_post(&slots);
	sem_post(&slots);
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof((table)[0]))

int main(void)
{
	Suite *suite = suite_create("slapd");
	TCase *c = tcase_create("arguments");

	tcase_add_loop_test(c, arguments, 0, COUNT(loads));
	tcase_add_test(c, processors_are_unknown);
	tcase_add_test(c, is_loaded_once);
	suite_add_tcase(suite, c);
	c = tcase_create("passwords");
	tcase_add_checked_fixture(c, start, stop);
	tcase_add_loop_test(c, verdicts, 0, COUNT(values));
	tcase_add_test(c, odd_values);
	tcase_add_test(c, odd_passwords);
	if (INSTRUMENTED)
		check_skip(suite, "errors_are_no_wrong_passwords # SKIP the "
			   "instrumentation needs address space");
	else
		tcase_add_test(c, errors_are_no_wrong_passwords);
	tcase_add_test(c, hashes);
	tcase_add_test(c, another_thread_goes_first);
	tcase_add_test(c, waits_for_a_slot);
	suite_add_tcase(suite, c);
	return check_main(suite);
}
