/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Comes before each file of lyra2d in tests/unit/worker.c: what these call, of
 * the system and of others, is the test's.
 */
#ifndef WORKER_SEAMS_H
#define WORKER_SEAMS_H

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#define alarm seam_alarm
#define close seam_close
#define fcntl seam_fcntl
#define nanosleep seam_nanosleep
#define open(path, flags, ...) seam_open(path, flags)
#define poll seam_poll
#define recv seam_recv
#define send seam_send
#define syslog seam_syslog
#define write seam_write

unsigned alarm(unsigned seconds);
int close(int fd);
int fcntl(int fd, int what, struct flock *lock);
int nanosleep(const struct timespec *t, struct timespec *left);
int seam_open(const char *path, int flags);
int poll(struct pollfd *p, nfds_t n, int ms);
ssize_t recv(int fd, void *p, size_t len, int flags);
ssize_t send(int fd, const void *p, size_t len, int flags);
__attribute__((format(printf, 2, 3)))
void syslog(int priority, const char *format, ...);
ssize_t write(int fd, const void *p, size_t len);

/* Of the project: declared by its headers, under these names. */
#define brake_file_load seam_brake_file_load
#define brake_file_lock seam_brake_file_lock
#define brake_file_now seam_brake_file_now
#define brake_file_open seam_brake_file_open
#define brake_file_save seam_brake_file_save
#define clock_ms seam_clock_ms
#define configuration seam_configuration
#define connections_greet seam_connections_greet
#define operations_find seam_operations_find
#define rehash_after_login seam_rehash_after_login
#define rehash_wanted seam_rehash_wanted
#define reply_send seam_reply_send
#define request_recv seam_request_recv
#define request_wait seam_request_wait
#define secret_recv seam_secret_recv
#define source_owner seam_source_owner
#define start_directory seam_start_directory
#define tell_recv seam_tell_recv
#define verify_even_out seam_verify_even_out
#define verify_password seam_verify_password
#define worker_run seam_worker_run

#endif
