/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs a program in a poor or hostile place, for tests:
 *
 *	confine [-u UID] [-s NANOSECONDS] [CALL=ERROR...] -- COMMAND...
 *
 * A seccomp filter answers each CALL with ERROR; timers may be late by
 * NANOSECONDS; then COMMAND runs as the user UID of group 100.  The filter
 * needs root, and no no_new_privs: so a set-user-ID program may follow.
 */
#include <errno.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_clone3
#define SYS_clone3 435
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#ifndef SYS_faccessat2
#define SYS_faccessat2 439
#endif
#define CALL(name) { #name, SYS_##name, 0, 0, 0 }

/* A call, or what of it has this value in an argument, under this mask. */
static const struct call {
	const char *name;
	unsigned number, arg, mask, value;
} calls[] = {
	/* F_OFD_GETLK is 36, and the other two follow. */
	{ "fcntl-ofd", SYS_fcntl, 1, ~3U, 36 },
	{ "mount-bind", SYS_mount, 3, MS_BIND, MS_BIND },
	{ "socket-unix", SYS_socket, 0, ~0U, 1 },
	{ "socketpair-unix", SYS_socketpair, 0, ~0U, 1 },
#ifdef __s390x__
	{ "clone-quiet", SYS_clone, 1, 0xff, 0 },
#else
	{ "clone-quiet", SYS_clone, 0, 0xff, 0 },
#endif
	/* SO_PASSRIGHTS, which Linux has since 6.16 */
	{ "passrights", SYS_setsockopt, 2, ~0U, 83 },
	CALL(capget), CALL(capset), CALL(clone3), CALL(close_range),
	CALL(epoll_create1), CALL(eventfd2), CALL(faccessat2),
	CALL(fchmod), CALL(fchown), CALL(flock), CALL(fsync),
	CALL(getrandom), CALL(ioprio_set), CALL(kcmp), CALL(kill),
	CALL(madvise), CALL(mbind), CALL(memfd_create), CALL(mlock),
	CALL(mlockall), CALL(mount), CALL(openat2), CALL(personality),
	CALL(pidfd_open), CALL(pidfd_send_signal), CALL(pipe2), CALL(prctl),
	CALL(prlimit64), CALL(ptrace), CALL(sched_setaffinity),
	CALL(sched_setattr), CALL(sched_setparam), CALL(sched_setscheduler),
	CALL(set_mempolicy), CALL(setgroups), CALL(setitimer),
	CALL(setpriority), CALL(setns), CALL(setsid), CALL(setsockopt),
	CALL(signalfd4), CALL(statx), CALL(timer_create),
	CALL(timerfd_create), CALL(unshare), CALL(waitid),
};

static const struct {
	const char *name;
	unsigned number;
} errors[] = {
	{ "EPERM", EPERM }, { "ENOSYS", ENOSYS }, { "EINVAL", EINVAL },
	{ "EACCES", EACCES }, { "EAGAIN", EAGAIN }, { "ENOMEM", ENOMEM },
	{ "EAFNOSUPPORT", EAFNOSUPPORT }, { "EROFS", EROFS },
};

static int fail(const char *what)
{
	fprintf(stderr, "confine: %s: %s\n", what, strerror(errno));
	return 125;
}

/* The lower half of an argument; the rest is 0 in all calls above. */
static uint32_t offset_of(unsigned arg)
{
	const uint16_t one = 1;

	return (uint32_t)(offsetof(struct seccomp_data, args) + arg * 8) +
		(*(const uint8_t *)&one ? 0 : 4);
}

static long deny(const struct call *c, unsigned error)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, c->number, 0, 4),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset_of(c->arg)),
		BPF_STMT(BPF_ALU | BPF_AND | BPF_K, c->mask),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, c->value, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {
		.len = sizeof(filter) / sizeof(filter[0]), .filter = filter,
	};

	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

/* Returns -1 with errno if there is no such rule or no filter. */
static long rule(const char *word)
{
	const char *error = strchr(word, '=');
	size_t i, k, len = strcspn(word, "=");

	errno = EINVAL;
	for (i = 0; error && i < sizeof(calls) / sizeof(calls[0]); i++)
		for (k = 0; k < sizeof(errors) / sizeof(errors[0]); k++)
			if (strlen(calls[i].name) == len &&
			    strncmp(calls[i].name, word, len) == 0 &&
			    strcmp(errors[k].name, error + 1) == 0)
				return deny(&calls[i], errors[k].number);
	return -1;
}

int main(int argc, char **argv)
{
	uid_t uid = 0;
	int option;

	while ((option = getopt(argc, argv, "+u:s:")) != -1)
		if (option == 'u')
			uid = (uid_t)atoi(optarg);
		else if (option != 's' ||
			 prctl(PR_SET_TIMERSLACK, atol(optarg), 0, 0, 0) != 0)
			return fail("timer slack");
	argv += optind;
	if (uid != 0 && setgroups(0, NULL) != 0)
		return fail("groups");
	/* getopt(3) leaves "--" only behind a rule. */
	for (; *argv && strchr(*argv, '=') && (*argv)[0] != '/'; argv++)
		if (rule(*argv) < 0)
			return fail(*argv);
	if (*argv && strcmp(*argv, "--") == 0)
		argv++;
	if (uid != 0 && (setresgid(100, 100, 100) != 0 ||
			 setresuid(uid, uid, uid) != 0))
		return fail("user");
	if (*argv)
		execvp(*argv, argv);
	return fail(*argv ? *argv : "no command");
}
