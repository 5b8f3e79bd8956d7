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
#include <syslog.h>
#include <unistd.h>

#include "pam/protocol/client.h"
#include "pam/protocol/clock.h"
#include "src/config/paths.h"

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
static int64_t heard(void *data, const struct reply *reply)
{
	const unsigned char seconds = reply->kind != REPLY_WAIT ? 0 :
		reply->number < 255 ? (unsigned char)reply->number : 255;

	(void)data;
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
	struct reply reply;
	bool working = false;

	if (client_hear(fd, SILENCE_MS, &reply, &working, heard, NULL) != DONE)
		return PAM_TRY_AGAIN;
	(void)tell_send(fd, TELL_GOT);
	/* No module comes behind: as root, this counts. */
	(void)tell_send(fd, TELL_ADMITTED);
	log_text(&reply);
	return reply.number >= 0 && reply.number < 128 ? reply.number :
		PAM_SYSTEM_ERR;
}

/* When hello has arrived, the service knows its configuration. */
static int ask(int fd, struct request *req)
{
	static struct secret secret;
	struct hello hello;
	bool is_read;

	switch (client_hello(fd, clock_ms() + SILENCE_MS, &hello)) {
	case DONE:
		break;
	case NO_SERVICE:
		return PAM_AUTHINFO_UNAVAIL;
	default:
		return PAM_TRY_AGAIN;
	}
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
	enum outcome outcome;
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
	outcome = client_connect(&fd, clock_ms() + SILENCE_MS);
	error = errno;
	if (!give_up())
		return PAM_SYSTEM_ERR;
	if (outcome != DONE)
		return error == EACCES || error == ENOENT ||
			error == ECONNREFUSED ? PAM_AUTHINFO_UNAVAIL :
			PAM_TRY_AGAIN;
	req.flags = nullok ? FLAG_NULLOK : 0;
	request_text(req.user, sizeof(req.user), argv[1]);
	return ask(fd, &req);
}
