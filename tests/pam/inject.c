/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs a command and lets one of its system calls fail, or be the last:
 *
 *	inject REPORT MS RULE COMMAND...
 *
 * All processes of the command are watched, set-user-ID ones too, and no
 * tracer is needed: the kernel asks here about every call, see
 * seccomp_unotify(2).  With the rule "-" the file REPORT gets a line for each
 * call: process, number of the call, and the file that it is about.  Process 0
 * is the command, 1, 2, ... are its children in the order of their start, 101,
 * 102, ... are the children of these, and 99 is one of their children.  Calls
 * of the command count from the one that opens the module.  Another rule is
 *
 *	PROCESS:CALL:NTH:FAULT:FILE
 *
 * for the NTH such call with this file there.  FAULT is an error number, "k"
 * (the process is killed and the call not done) or "z" (it returns 0); with a
 * "+" after it the same calls of all processes fail from then on.  REPORT then
 * is "STRUCK MS", how many calls failed and how long all took.  What still
 * runs after MS milliseconds is killed, and STRUCK is -1.  The exit status is
 * that of the command; 77: the kernel cannot do this here.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pam/clock.h"

#define FILE_CHARS 128
#define MANY 256	/* processes */
#define CHILD_OF 100	/* is added to the number of its parent */
#define LATER 99
#define MODULE "/pam_lyra2.so"

static struct rule {
	int process, call, nth;
	int error;		/* 0: success */
	bool kill, persists;
	char file[FILE_CHARS];
} rule;

static struct process {
	pid_t pid;
	int number;
} processes[MANY];
static int process_count, children;
static bool recording, counting, active;
static int seen, struck;
static FILE *report;

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define LOAD BPF_STMT(BPF_LD | BPF_W | BPF_ABS, \
		      offsetof(struct seccomp_data, nr))
#define IF(call, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, \
				(uint32_t)(call), skip, 0)
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_##what)

/*
 * What can be done to the first three is not worth knowing, or not possible.
 * With a rule the kernel asks about its call, and about those that tell that
 * the module is opened, and in which order processes start: that is quicker.
 */
static int listen_to_calls(void)
{
	struct sock_filter all[] = {
		LOAD, IF(SYS_exit, 3), IF(SYS_exit_group, 2),
		IF(SYS_rt_sigreturn, 1), RETURN(USER_NOTIF), RETURN(ALLOW)
	};
	struct sock_filter some[] = {
		LOAD, IF(rule.call, 3), IF(SYS_openat, 2),
		IF(SYS_execve, 1), RETURN(ALLOW), RETURN(USER_NOTIF)
	};
	struct sock_fprog program = { COUNT(all), recording ? all : some };

	static_assert(COUNT(all) == COUNT(some), "one length for both");
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			    SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

/* The child shares its descriptors until it executes the command. */
static int start(char **argv)
{
	volatile int *fd = mmap(NULL, sizeof(*fd), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	long pid;

	if (fd == MAP_FAILED)
		return -1;
	pid = syscall(SYS_clone, CLONE_FILES | SIGCHLD, NULL, NULL, NULL,
		      NULL);
	if (pid < 0)
		return -1;
	if (pid == 0) {
		int listener = listen_to_calls();

		*fd = listener < 0 ? -1 : listener;
		if (listener >= 0)
			execvp(argv[0], argv);
		_exit(77);
	}
	processes[process_count++] = (struct process){ (pid_t)pid, 0 };
	while (*fd == 0)
		usleep(50);	/* it cannot tell: its calls wait for us */
	return *fd;
}

static pid_t parent_of(pid_t pid)
{
	char path[32], text[256];
	ssize_t len = -1;
	int fd, parent = 0;
	char *p;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		len = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	text[len > 0 ? len : 0] = '\0';
	p = strrchr(text, ')');
	if (p)
		sscanf(p, ") %*c %d", &parent);
	return parent;
}

/* -1: it is not known. */
static int known_number(pid_t pid)
{
	int i;

	for (i = 0; i < process_count; i++)
		if (processes[i].pid == pid)
			return processes[i].number;
	return -1;
}

static int number_of(pid_t pid)
{
	int number = known_number(pid), parent;

	if (number >= 0)
		return number;
	parent = known_number(parent_of(pid));
	if (parent == 0)
		number = ++children;
	else
		number = parent > 0 && parent < LATER ? parent + CHILD_OF :
			LATER;
	if (process_count < MANY)
		processes[process_count++] = (struct process){ pid, number };
	return number;
}

/* Which argument names a file: its descriptor d, or its path p. */
static const struct {
	int call, d, p;
} arguments[] = {
	{ SYS_read, 0, -1 }, { SYS_write, 0, -1 }, { SYS_close, 0, -1 },
	{ SYS_fstat, 0, -1 }, { SYS_lseek, 0, -1 }, { SYS_pread64, 0, -1 },
	{ SYS_fcntl, 0, -1 }, { SYS_fsync, 0, -1 }, { SYS_fchmod, 0, -1 },
	{ SYS_fchown, 0, -1 }, { SYS_ftruncate, 0, -1 }, { SYS_mmap, 4, -1 },
	{ SYS_flistxattr, 0, -1 }, { SYS_fgetxattr, 0, -1 },
	{ SYS_fsetxattr, 0, -1 }, { SYS_getdents64, 0, -1 },
	{ SYS_openat, -1, 1 }, { SYS_newfstatat, -1, 1 },
	{ SYS_statx, -1, 1 }, { SYS_faccessat, -1, 1 }, { SYS_execve, -1, 0 },
	{ SYS_unlinkat, -1, 1 }, { SYS_chdir, -1, 0 }, { SYS_renameat2, -1, 1 },
#ifdef SYS_open
	{ SYS_open, -1, 0 }, { SYS_stat, -1, 0 }, { SYS_access, -1, 0 },
	{ SYS_mkdir, -1, 0 }, { SYS_chown, -1, 0 }, { SYS_chmod, -1, 0 },
	{ SYS_rename, -1, 0 }, { SYS_unlink, -1, 0 }, { SYS_lstat, -1, 0 },
	{ SYS_renameat, -1, 1 },
#endif
};

static void path_of(pid_t pid, uint64_t address, char *file)
{
	struct iovec here = { file, FILE_CHARS - 1 };
	struct iovec there = { (void *)(uintptr_t)address, FILE_CHARS - 1 };
	ssize_t len = process_vm_readv(pid, &here, 1, &there, 1, 0);

	/* The string may be the last thing before what is not mapped. */
	if (len < 0) {
		there.iov_len = 4096 - (address & 4095);
		len = process_vm_readv(pid, &here, 1, &there, 1, 0);
	}
	file[len > 0 ? len : 0] = '\0';
}

/* Without the numbers of sockets and pipes, which differ each time. */
static void link_of(pid_t pid, uint64_t fd, char *file)
{
	char path[48];
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, (int)fd);
	len = readlink(path, file, FILE_CHARS - 1);
	file[len > 0 ? len : 0] = '\0';
	file[strcspn(file, "[ ")] = '\0';
}

static void file_of(const struct seccomp_notif *n, char *file)
{
	size_t i;

	file[0] = '\0';
	for (i = 0; i < COUNT(arguments); i++) {
		if (arguments[i].call != n->data.nr)
			continue;
		if (arguments[i].d >= 0)
			link_of((pid_t)n->pid, n->data.args[arguments[i].d],
				file);
		else
			path_of((pid_t)n->pid, n->data.args[arguments[i].p],
				file);
	}
}

static bool opens_module(const struct seccomp_notif *n)
{
	char file[FILE_CHARS];
	size_t len;

	if (n->data.nr != SYS_openat)
		return false;
	file_of(n, file);
	len = strlen(file);
	return len >= strlen(MODULE) &&
		strcmp(file + len - strlen(MODULE), MODULE) == 0;
}

/* Whether this call is to fail. */
static bool strikes(const struct seccomp_notif *n, int process)
{
	char file[FILE_CHARS];

	if ((struck > 0 && !active) || n->data.nr != rule.call ||
	    (!active && process != rule.process))
		return false;
	file_of(n, file);
	if (strcmp(file, rule.file) != 0)
		return false;
	if (!active && ++seen != rule.nth)
		return false;
	active = rule.persists;
	return true;
}

static void record(const struct seccomp_notif *n, int process)
{
	char file[FILE_CHARS];

	file_of(n, file);
	fprintf(report, "%d %d %s\n", process, n->data.nr, file);
}

static void answer(int listener, const struct seccomp_notif *n)
{
	int process = number_of((pid_t)n->pid);
	struct seccomp_notif_resp r = {
		.id = n->id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE
	};

	counting = counting || opens_module(n);
	if (counting && recording) {
		record(n, process);
	} else if (counting && strikes(n, process)) {
		struck++;
		if (rule.kill) {
			kill((pid_t)n->pid, SIGKILL);
			return;
		}
		r.flags = 0;
		r.error = -rule.error;
	}
	/* ENOENT: the process was killed meanwhile. */
	ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &r);
}

static void kill_all(void)
{
	int i;

	for (i = 0; i < process_count; i++)
		kill(processes[i].pid, SIGKILL);
	struck = -1;
}

/* Until no process is left that has the filter. */
static void supervise(int listener, int64_t end)
{
	struct pollfd p = { .fd = listener, .events = POLLIN };
	struct seccomp_notif n;
	bool late = false;

	while (poll(&p, 1, 100) >= 0 && !(p.revents & POLLHUP)) {
		if (!late && clock_ms() > end) {
			late = true;
			kill_all();
		}
		memset(&n, 0, sizeof(n));
		if ((p.revents & POLLIN) &&
		    ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &n) == 0)
			answer(listener, &n);
	}
}

static int read_rule(const char *text)
{
	char fault[16];
	int used = 0;

	recording = strcmp(text, "-") == 0;
	if (recording)
		return 0;
	if (sscanf(text, "%d:%d:%d:%15[^:]:%n", &rule.process, &rule.call,
		   &rule.nth, fault, &used) != 4 || used == 0)
		return -1;
	snprintf(rule.file, sizeof(rule.file), "%s", text + used);
	rule.kill = fault[0] == 'k';
	rule.error = atoi(fault);
	rule.persists = strchr(fault, '+') != NULL;
	return 0;
}

static int reap_all(void)
{
	int status, result = 0;
	pid_t pid;

	while ((pid = waitpid(-1, &status, 0)) > 0 || errno == EINTR)
		if (pid == processes[0].pid)
			result = WIFEXITED(status) ? WEXITSTATUS(status) :
				128 + WTERMSIG(status);
	return result;
}

int main(int argc, char **argv)
{
	int64_t begun = clock_ms();
	int listener, status;

	if (argc < 5 || read_rule(argv[3]) < 0)
		return 100;
	report = fopen(argv[1], "we");
	if (!report || prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		return 100;
	listener = start(argv + 4);
	if (listener < 0)
		return 77;
	supervise(listener, begun + atoi(argv[2]));
	status = reap_all();
	if (!recording)
		fprintf(report, "%d %d\n", struck, (int)(clock_ms() - begun));
	return fclose(report) == 0 ? status : 100;
}
