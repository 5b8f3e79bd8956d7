/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A line of the log, without waiting: syslog(3) waits where nobody reads the
 * log, and with it would all who ask the service.  The line is lost then.
 */
#ifndef PAM_LYRA2_LOG_H
#define PAM_LYRA2_LOG_H

__attribute__((format(printf, 2, 3)))
void log_line(int priority, const char *format, ...);

#endif
