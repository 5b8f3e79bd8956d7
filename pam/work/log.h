/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes a log line without waiting.  syslog(3) waits if no process reads the
 * log, and all clients of the service would wait with it.  This loses the line
 * instead.
 */
#ifndef PAM_LYRA2_LOG_H
#define PAM_LYRA2_LOG_H

__attribute__((format(printf, 2, 3)))
void log_line(int priority, const char *format, ...);

#endif
