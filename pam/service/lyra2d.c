/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lyra2d(8): verifies passwords for pam_lyra2, and is the only program of the
 * project that writes /etc/shadow.  Root has started it, so no process that a
 * user can stop, limit, trace or kill takes part in verifying.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <syslog.h>
#include <unistd.h>

#include "config.h"
#include "loop.h"
#include "notify.h"
#include "once.h"
#include "src/config/paths.h"
#include "start.h"

#define FIRST_PASSED 3		/* SD_LISTEN_FDS_START of sd_listen_fds(3) */

#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

static const char usage[] =
	"Usage: lyra2d [--once | --help | --version]\n"
	"\n"
	"Verifies passwords for pam_lyra2(8), as a service of lyra2d.socket.\n"
	"Started by hand, it makes its socket, " PATH_SOCKET ", itself.\n"
	"  --once  serve one module, on standard input; pam_lyra2 starts that\n"
	"          where there is no service\n";

/*
 * Returns true if the first process of the system, systemd(1), has passed a
 * socket.
 */
static bool is_passed(void)
{
	const char *pid = getenv("LISTEN_PID"), *fds = getenv("LISTEN_FDS");

	return pid && fds && strtol(pid, NULL, 10) == getpid() &&
		strcmp(fds, "1") == 0;
}

static struct sockaddr_un address(void)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	_Static_assert(sizeof(PATH_SOCKET) <= sizeof(a.sun_path), "path");
	memcpy(a.sun_path, PATH_SOCKET, sizeof(PATH_SOCKET));
	return a;
}

/*
 * Returns true if another service answers.  Two would compute twice as many
 * hashes at once.
 */
static bool is_served(void)
{
	const struct sockaddr_un a = address();
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	bool is = fd >= 0 &&
		connect(fd, (const struct sockaddr *)&a, sizeof(a)) == 0;

	if (fd >= 0)
		close(fd);
	return is;
}

/* Makes the kernel refuse packets that carry a descriptor, since Linux 6.16. */
static void refuse_descriptors(int fd)
{
	const int off = 0;

	(void)setsockopt(fd, SOL_SOCKET, SO_PASSRIGHTS, &off, sizeof(off));
}

/* Lets root connect, and the group of peer_group(), if there is one. */
static int set_rights(void)
{
	gid_t group;

	if (!peer_group(&group))
		return chmod(PATH_SOCKET, 0600);
	return chown(PATH_SOCKET, 0, group) < 0 ? -1 : chmod(PATH_SOCKET, 0660);
}

static int make_socket(void)
{
	const struct sockaddr_un a = address();
	int fd = socket(AF_UNIX,
			SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -1;
	refuse_descriptors(fd);
	start_directory();
	(void)unlink(PATH_SOCKET);
	if (bind(fd, (const struct sockaddr *)&a, sizeof(a)) == 0 &&
	    set_rights() == 0 && listen(fd, SOMAXCONN) == 0)
		return fd;
	close(fd);
	return -1;
}

static int run_service(bool passed)
{
	int fd = FIRST_PASSED, rc;

	if (!passed && is_served()) {
		fputs("lyra2d: another lyra2d serves " PATH_SOCKET "\n",
		      stderr);
		return 1;
	}
	if (!passed && (fd = make_socket()) < 0) {
		fprintf(stderr, "lyra2d: cannot listen on " PATH_SOCKET
			": %s\n", strerror(errno));
		return 1;
	}
	if (passed)
		refuse_descriptors(fd);
	rc = loop(fd);
	/* From now on, modules find no service. */
	if (!passed)
		(void)unlink(PATH_SOCKET);
	return rc;
}

int main(int argc, char **argv)
{
	const char *word = argc == 2 ? argv[1] : "";
	const bool passed = argc == 1 && is_passed();

	if (strcmp(word, "--help") == 0)
		return fputs(usage, stdout) < 0;
	if (strcmp(word, "--version") == 0)
		return printf("lyra2d %s\n", PACKAGE_VERSION) < 0;
	if (argc > 1 && strcmp(word, "--once") != 0) {
		fputs(usage, stderr);
		return 2;
	}
	if (geteuid() != 0) {
		fputs("lyra2d: only root can start lyra2d\n", stderr);
		return 1;
	}
	notify_read_address();
	start_clean(argc > 1, FIRST_PASSED + passed);
	return argc > 1 ? once(STDIN_FILENO) : run_service(passed);
}
