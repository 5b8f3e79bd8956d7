/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes log lines, and tells the supervisor the state of the service. */
#ifndef PAM_LYRA2_REPORT_H
#define PAM_LYRA2_REPORT_H

#include "service.h"

/* The source of the service's own lines. */
#define REPORT_SELF UINT64_MAX

/* Writes a line of a source to the log: see the rules in limit.h. */
__attribute__((format(printf, 4, 5)))
void report_line(struct service *s, uint64_t source, int priority,
		 const char *format, ...);

/* Logs the result of a password check, which is about to leave. */
void report_verdict(const struct connection *c);

/*
 * Writes the sums that are due, and tells the supervisor changes, at most once
 * a second.
 */
void report_tick(struct service *s);

/* Writes all sums, and tells the supervisor that the service ends. */
void report_end(struct service *s);

/* Returns when report_tick() has something to do, or -1. */
int64_t report_wake(const struct service *s);

#endif
