/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lyra2d(8): verifies passwords for pam_lyra2, and is the only program of the
 * project that writes /etc/shadow.  Root has started it, so no process that a
 * user can stop, limit, trace or kill takes part in verifying.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "config.h"
#include "loop.h"
#include "report.h"
#include "rights.h"
#include "src/config/paths.h"
#include "start.h"

/* Kernels for these two have numbers of their own, which nobody has tried. */
#if !defined(SO_PASSRIGHTS) && (defined(__sparc__) || defined(__hppa__))
#define SO_PASSRIGHTS -1
#elif !defined(SO_PASSRIGHTS)
#define SO_PASSRIGHTS 83
#endif

static const char usage[] =
	"Usage: lyra2d [--private | --help | --version]\n"
	"\n"
	"Verifies passwords for pam_lyra2(8), which asks at " PATH_SOCKET ".\n"
	"  --private  serve one module, on standard input; pam_lyra2 starts\n"
	"             that where no service answers\n";

static struct sockaddr_un address(void)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	_Static_assert(sizeof(PATH_SOCKET) <= sizeof(a.sun_path), "path");
	memcpy(a.sun_path, PATH_SOCKET, sizeof(PATH_SOCKET));
	return a;
}

/*
 * Takes the lock that a service holds as long as it lives.  Two services would
 * compute twice as many hashes at once, and take the socket from each other.
 * Returns false if another process has the lock, and its PID; 0 is a process
 * of another PID namespace.
 *
 * The lock belongs to the process: a worker that outlives its service does not
 * inherit it.  A service that is stopped keeps it, and a new one does not
 * start, as it cannot know whether the old one goes on.  A supervisor kills the
 * old one, as systemd(1) does by its watchdog, and tries again.
 */
static bool is_only_one(pid_t *other)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	const int fd = open(PATH_SERVICE_LOCK,
			    O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0 || fcntl(fd, F_SETLK, &lock) == 0 ||
	    (errno != EAGAIN && errno != EACCES))
		return true;
	*other = fcntl(fd, F_GETLK, &lock) == 0 ? lock.l_pid : 0;
	return false;
}

/*
 * Makes the kernel refuse packets that carry a descriptor, since Linux 6.16.
 * Connections inherit that.  Returns false if the kernel cannot.
 */
static bool refuse_descriptors(int fd)
{
	const int off = 0;
	int now = 1;
	socklen_t len = sizeof(now);

	return setsockopt(fd, SOL_SOCKET, SO_PASSRIGHTS, &off,
			  sizeof(off)) == 0 &&
		getsockopt(fd, SOL_SOCKET, SO_PASSRIGHTS, &now, &len) == 0 &&
		now == 0;
}

/*
 * Opens the door, see rights.h, or else lets root connect, and the group of
 * rights_door(), if there is one.
 */
static int set_rights(bool open)
{
	gid_t group;

	if (open) {
		rights_open();
		return chmod(PATH_SOCKET, 0666);
	}
	if (!rights_door(&group))
		return chmod(PATH_SOCKET, 0600);
	return chown(PATH_SOCKET, 0, group) < 0 ? -1 : chmod(PATH_SOCKET, 0660);
}

static int make_socket(void)
{
	const struct sockaddr_un a = address();
	int fd = socket(AF_UNIX,
			SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	bool open;

	if (fd < 0)
		return -1;
	open = refuse_descriptors(fd);
	(void)unlink(PATH_SOCKET);
	if (bind(fd, (const struct sockaddr *)&a, sizeof(a)) == 0 &&
	    set_rights(open) == 0 && listen(fd, SOMAXCONN) == 0)
		return fd;
	close(fd);
	return -1;
}

static int run_service(void)
{
	pid_t other;
	int fd, rc;

	start_directory();
	if (!is_only_one(&other)) {
		fprintf(stderr, "lyra2d: another lyra2d serves " PATH_SOCKET
			": process %ld\n", (long)other);
		return 1;
	}
	fd = make_socket();
	if (fd < 0) {
		fprintf(stderr, "lyra2d: cannot listen on " PATH_SOCKET
			": %s\n", strerror(errno));
		return 1;
	}
	rc = loop_public(fd);
	/* From now on, modules find no service. */
	(void)unlink(PATH_SOCKET);
	return rc;
}

/* Serves the module at the other end of standard input. */
static int run_private(void)
{
	int module;

	closefrom(STDIN_FILENO + 1);
	module = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (module < 0)
		return 1;
	close(STDIN_FILENO);
	start_clean(true, module + 1);
	return loop_private(module);
}

int main(int argc, char **argv)
{
	const char *word = argc == 2 ? argv[1] : "";

	if (strcmp(word, "--help") == 0)
		return fputs(usage, stdout) < 0;
	if (strcmp(word, "--version") == 0)
		return printf("lyra2d %s\n", PACKAGE_VERSION) < 0;
	if (argc > 1 && strcmp(word, "--private") != 0) {
		fputs(usage, stderr);
		return 2;
	}
	if (geteuid() != 0) {
		fputs("lyra2d: only root can start lyra2d\n", stderr);
		return 1;
	}
	if (argc > 1)
		return run_private();
	report_read_environment();
	start_clean(false, STDERR_FILENO + 1);
	return run_service();
}
