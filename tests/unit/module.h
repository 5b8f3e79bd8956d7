/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Included before each file of the module in tests/unit/module.c: renames its
 * calls to the system, so that they call the test.
 */
#ifndef MODULE_SEAMS_H
#define MODULE_SEAMS_H

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define _exit seam_exit
#define calloc seam_calloc
#define clock_ms seam_clock_ms
#define close seam_close
#define close_range seam_close_range
#define connect seam_connect
#define dup2 seam_dup2
#define execve seam_execve
#define faccessat seam_faccessat
#define fcntl seam_fcntl
#define fstat(fd, st) seam_fstat(fd, st)
#define geteuid seam_geteuid
#define gethostname seam_gethostname
#define getrlimit(what, limit) seam_getrlimit(limit)
#define getsockopt seam_getsockopt
#define getuid seam_getuid
#define kill seam_kill
#define nanosleep seam_nanosleep
#define poll seam_poll
#define pthread_sigmask seam_pthread_sigmask
#define recv seam_recv
#define send seam_send
#define setsid seam_setsid
#define setsockopt seam_setsockopt
#define signal seam_signal
#define socket seam_socket
#define socketpair seam_socketpair
#define stat(path, st) seam_stat(path, st)
#define syscall seam_syscall
#define vfork seam_vfork
#define waitpid seam_waitpid

__attribute__((noreturn)) void _exit(int code);
void *calloc(size_t n, size_t size);
int close(int fd);
int close_range(unsigned from, unsigned to, int flags);
int connect(int fd, const struct sockaddr *a, socklen_t len);
int dup2(int from, int to);
int execve(const char *path, char *const argv[], char *const environment[]);
int faccessat(int dir, const char *path, int mode, int flags);
int seam_fcntl(int fd, int command, int argument);
int seam_fstat(int fd, struct stat *st);
uid_t geteuid(void);
int gethostname(char *name, size_t len);
int seam_getrlimit(struct rlimit *limit);
int getsockopt(int fd, int level, int name, void *p, socklen_t *len);
uid_t getuid(void);
int kill(pid_t pid, int sig);
int nanosleep(const struct timespec *t, struct timespec *left);
int poll(struct pollfd *p, nfds_t n, int ms);
int pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
ssize_t recv(int fd, void *p, size_t len, int flags);
ssize_t send(int fd, const void *p, size_t len, int flags);
pid_t setsid(void);
int setsockopt(int fd, int level, int name, const void *p, socklen_t len);
void (*signal(int sig, void (*action)(int)))(int);
int socket(int domain, int type, int protocol);
int socketpair(int domain, int type, int protocol, int pair[2]);
int seam_stat(const char *path, struct stat *st);
long syscall(long number, ...);
pid_t vfork(void);
pid_t waitpid(pid_t pid, int *status, int flags);

#endif
