/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Included before each file of the service in tests/unit/service.c: renames its
 * calls to the system and to other files, so that they call the test.
 */
#ifndef SERVICE_SEAMS_H
#define SERVICE_SEAMS_H

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <syslog.h>
#include <unistd.h>

#define accept4 seam_accept4
#define alarm seam_alarm
#define close seam_close
#define fcntl(fd, ...) seam_fcntl(fd)
#define fork seam_fork
#define getsockopt seam_getsockopt
#define getxattr(...) seam_getxattr()
#define kill seam_kill
#define open(...) seam_open(__VA_ARGS__)
#define poll seam_poll
#define read seam_read
#define recv seam_recv
#define send seam_send
#define shutdown seam_shutdown
#define signalfd seam_signalfd
#define sigprocmask seam_sigprocmask
#define socketpair seam_socketpair
#define stat(path, st) seam_stat(path, st)
#define syslog(...) seam_syslog()
#define waitpid seam_waitpid
#define write seam_write

int accept4(int fd, struct sockaddr *a, socklen_t *len, int flags);
unsigned alarm(unsigned seconds);
int close(int fd);
int seam_fcntl(int fd);
pid_t fork(void);
int getsockopt(int fd, int level, int name, void *p, socklen_t *len);
ssize_t seam_getxattr(void);
int kill(pid_t pid, int sig);
int seam_open(const char *path, int flags);
int poll(struct pollfd *p, nfds_t n, int ms);
ssize_t read(int fd, void *p, size_t len);
ssize_t recv(int fd, void *p, size_t len, int flags);
ssize_t send(int fd, const void *p, size_t len, int flags);
int shutdown(int fd, int how);
int signalfd(int fd, const sigset_t *set, int flags);
int sigprocmask(int how, const sigset_t *set, sigset_t *old);
int socketpair(int domain, int type, int protocol, int pair[2]);
int seam_stat(const char *path, struct stat *st);
void seam_syslog(void);
pid_t waitpid(pid_t pid, int *status, int flags);
ssize_t write(int fd, const void *p, size_t len);

/* Functions of the project, which its headers declare under these names */
#define askers_have seam_askers_have
#define askers_refresh seam_askers_refresh
#define brake_file_load seam_brake_file_load
#define brake_file_lock seam_brake_file_lock
#define brake_file_now seam_brake_file_now
#define brake_file_open seam_brake_file_open
#define brake_file_save seam_brake_file_save
#define clock_ms seam_clock_ms
#define configuration seam_configuration
#define configuration_has_slot seam_configuration_has_slot
#define entry_find seam_entry_find
#define hello_send seam_hello_send
#define job_may_leave seam_job_may_leave
#define job_was_free seam_job_was_free
#define log_line seam_log_line
#define login_verify seam_login_verify
#define notify_alive seam_notify_alive
#define notify_send seam_notify_send
#define notify_wake seam_notify_wake
#define notify_wanted seam_notify_wanted
#define passwd_is_of seam_passwd_is_of
#define renew_due seam_renew_due
#define reply_send seam_reply_send
#define request_recv seam_request_recv
#define set_password seam_set_password
#define start_unblock seam_start_unblock
#define subuid_owner seam_subuid_owner
#define worker_run seam_worker_run

#endif
