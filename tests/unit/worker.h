/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Comes before each file of lyra2d in tests/unit/worker.c: what these call, of
 * the system and of others, is the test's.
 */
#ifndef WORKER_SEAMS_H
#define WORKER_SEAMS_H

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#define alarm seam_alarm
#define close seam_close
#define explicit_bzero seam_explicit_bzero
#define fcntl seam_fcntl
#define nanosleep seam_nanosleep
#define open(path, flags, ...) seam_open(path, flags)
#define poll seam_poll
#define recv seam_recv
#define send seam_send
#define sigprocmask(how, set, old) seam_sigprocmask(how)
#define syslog seam_syslog
#define write seam_write

unsigned alarm(unsigned seconds);
int close(int fd);
void explicit_bzero(void *p, size_t n);
int fcntl(int fd, int what, struct flock *lock);
int nanosleep(const struct timespec *t, struct timespec *left);
int seam_open(const char *path, int flags);
int poll(struct pollfd *p, nfds_t n, int ms);
ssize_t recv(int fd, void *p, size_t len, int flags);
ssize_t send(int fd, const void *p, size_t len, int flags);
int seam_sigprocmask(int how);
__attribute__((format(printf, 2, 3)))
void syslog(int priority, const char *format, ...);
ssize_t write(int fd, const void *p, size_t len);

/* Of the project: declared by its headers, under these names. */
#define audit_log seam_audit_log
#define brake_file_load seam_brake_file_load
#define brake_file_lock seam_brake_file_lock
#define brake_file_now seam_brake_file_now
#define brake_file_open seam_brake_file_open
#define brake_file_save seam_brake_file_save
#define clock_ms seam_clock_ms
#define configuration seam_configuration
#define connections_greet seam_connections_greet
#define entry_find seam_entry_find
#define group_read seam_group_read
#define operations_find seam_operations_find
#define policy_hash seam_policy_hash
#define policy_next seam_policy_next
#define reply_send seam_reply_send
#define request_recv seam_request_recv
#define request_wait seam_request_wait
#define secret_recv seam_secret_recv
#define shadow_check seam_shadow_check
#define shadow_lock seam_shadow_lock
#define shadow_store seam_shadow_store
#define shadow_unlock seam_shadow_unlock
#define source_owner seam_source_owner
#define start_directory seam_start_directory
#define tell_recv seam_tell_recv
#define verify_even_out seam_verify_even_out
#define verify_password seam_verify_password
#define worker_run seam_worker_run

#endif
