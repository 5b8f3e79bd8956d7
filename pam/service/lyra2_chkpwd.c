/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lyra2_chkpwd(8): has the password of its user verified by lyra2d, for
 * programs that may not connect to it, such as screen lockers.
 *
 * It connects with the group that may, gives that up for good, and then reads
 * the password.
 */
#include <errno.h>
#include <security/_pam_types.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <syslog.h>
#include <unistd.h>

#include "pam/protocol/clock.h"
#include "pam/protocol/request.h"
#include "src/config/paths.h"

static int connect_service(void)
{
	const struct timeval limit = { SILENCE_MS / 1000, 0 };
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	memcpy(a.sun_path, PATH_SOCKET, sizeof(PATH_SOCKET));
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit,
				 sizeof(limit)) < 0 ||
	    connect(fd, (const struct sockaddr *)&a, sizeof(a)) < 0)
		return -1;
	return fd;
}

/* Sets the group to the real one.  Returns true if it cannot come back. */
static bool give_up(void)
{
	const gid_t gid = getgid(), egid = getegid();

	if (setresgid(gid, gid, gid) < 0)
		return false;
	return getuid() == 0 || egid == gid || setegid(egid) < 0;
}

/*
 * Reads up to a NUL byte or the end.  lyra2d refuses a password that fills out.
 */
static bool read_password(char *out, size_t room)
{
	ssize_t n = 0;

	while (room-- > 0 && (n = read(STDIN_FILENO, out, 1)) > 0 &&
	       *out++ != '\0')
		continue;
	return n >= 0;
}

/* Tells the module the seconds that the user waits, or 0: lyra2d lives. */
static int64_t tell(const struct reply *reply)
{
	const unsigned char seconds = reply->kind != REPLY_WAIT ? 0 :
		reply->number < 255 ? (unsigned char)reply->number : 255;

	(void)send(STDIN_FILENO, &seconds, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
	return seconds * INT64_C(1000);
}

/* What the service wants logged about the account. */
static void log_text(struct reply *reply)
{
	request_printable(reply->text);
	if (reply->text[0] && reply->priority != LOG_DEBUG)
		syslog((int)(reply->priority & LOG_PRIMASK), "%s", reply->text);
}

/* Waits for the result. */
static int hear_verdict(int fd)
{
	int64_t end = clock_ms() + (QUEUE_SECONDS + WORK_SECONDS) * 1000;
	struct reply reply;

	while (clock_ms() < end && request_wait(fd, SILENCE_MS) &&
	       reply_recv(fd, &reply) == 0 && reply.kind != REPLY_AGAIN) {
		if (reply.kind == REPLY_VERDICT) {
			(void)tell_send(fd, TELL_GOT);
			/* No module comes behind: as root, this counts. */
			(void)tell_send(fd, TELL_ADMITTED);
			log_text(&reply);
			return reply.number >= 0 && reply.number < 128 ?
				reply.number : PAM_SYSTEM_ERR;
		}
		end += tell(&reply);
	}
	return PAM_TRY_AGAIN;
}

/* When hello has arrived, the service knows its configuration. */
static int ask(int fd, struct request *req)
{
	static struct secret secret;
	struct hello hello;
	bool is_read;

	if (!request_wait(fd, SILENCE_MS))
		return PAM_TRY_AGAIN;
	if (hello_recv(fd, &hello) < 0 || !hello_is_here(&hello))
		return PAM_AUTHINFO_UNAVAIL;
	if (!passwd_is_of(req->user, getuid()))
		return PAM_AUTHINFO_UNAVAIL;
	is_read = read_password(secret.password, LYRA2_MAX_PASSWORD + 1);
	/* If lyra2d refuses at once, sending fails, and the result follows. */
	if (is_read) {
		(void)request_send(fd, req);
		(void)secret_send(fd, &secret);
	}
	explicit_bzero(&secret, sizeof(secret));
	return is_read ? hear_verdict(fd) : PAM_SYSTEM_ERR;
}

int main(int argc, char **argv)
{
	static const char usage[] =
		"Usage: lyra2_chkpwd USER nullok|nonull <PASSWORD\n"
		"PAM starts it for screen lockers: see lyra2_chkpwd(8).\n";
	struct request req = { .op = OP_VERIFY, .caller = getuid() };
	const bool nullok = argc == 3 && strcmp(argv[2], "nullok") == 0;
	struct stat st;
	int fd, error;

	if (fstat(STDIN_FILENO, &st) < 0 || isatty(STDIN_FILENO) || (!nullok &&
	    (argc != 3 || strcmp(argv[2], "nonull") != 0))) {
		(void)!write(STDERR_FILENO, usage, sizeof(usage) - 1);
		return PAM_SYSTEM_ERR;
	}
	openlog("lyra2_chkpwd", LOG_PID, LOG_AUTHPRIV);
	/* lyra2d would take each of its requests for root's. */
	if (geteuid() == 0 && getuid() != 0) {
		syslog(LOG_ERR, "%s", PATH_CHKPWD " is set-user-ID root, and "
		       "must not be: see lyra2_chkpwd(8)");
		return PAM_SYSTEM_ERR;
	}
	fd = connect_service();
	error = errno;
	if (!give_up())
		return PAM_SYSTEM_ERR;
	if (fd < 0 && error != EACCES && error != ENOENT &&
	    error != ECONNREFUSED)
		return PAM_TRY_AGAIN;
	if (fd < 0)
		return PAM_AUTHINFO_UNAVAIL;
	req.flags = nullok ? FLAG_NULLOK : 0;
	request_text(req.user, sizeof(req.user), argv[1]);
	return ask(fd, &req);
}
