/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes log lines, and tells the supervisor the state of the service, by the
 * protocol of sd_notify(3).
 *
 * The lines are limited:
 *
 *  1. The first line of a source is written at once.  For REPORT_LIMIT_MS after
 *     it, no other line of that source is written.
 *  2. If there were other lines, one line then says how many.  Another
 *     REPORT_LIMIT_MS begin.
 *  3. So all sources together write at most REPORT_SOURCES lines in
 *     REPORT_LIMIT_MS.  If there are more sources, they share the last place.
 *  4. Lines that cost a hash are not limited: each guess is in the log.
 */
#ifndef PAM_LYRA2_REPORT_H
#define PAM_LYRA2_REPORT_H

#include "service.h"

#define REPORT_LIMIT_MS 2000
#define REPORT_SOURCES 256

/* The source of the service's own lines. */
#define REPORT_SELF UINT64_MAX

/*
 * Reads the supervisor's address, and whether it wants signs of life, from the
 * environment, before that is emptied.
 */
void report_read_environment(void);

/* Writes a line of a source to the log, or counts it. */
__attribute__((format(printf, 3, 4)))
void report_line(uint64_t source, int priority, const char *format, ...);

/* Logs the result of a password check, which is about to leave: rule 4. */
void report_verdict(const struct connection *c);

/*
 * Writes the sums that are due, gives a sign of life, so that the supervisor
 * kills a service that hangs, and tells the supervisor changes, at most once a
 * second.
 */
void report_tick(const struct service *s);

/* Writes all sums, and tells the supervisor that the service ends. */
void report_end(void);

/* Returns when report_tick() has something to do, in ms, or -1. */
int64_t report_wake(const struct service *s);

#endif
