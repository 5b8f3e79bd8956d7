/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the module asks lyra2d, and what lyra2d answers.
 *
 *	lyra2d	hello		its protocol, and which system it serves
 *	module	header		the question, the user, who asks and where
 *	module	secret		the passwords: OP_VERIFY and OP_SET only; of one
 *				size, however long they are
 *	lyra2d	QUEUED ...	at once, and again every second while it waits
 *	lyra2d	WORKING ...	a worker has begun; and every second until the
 *				answer
 *	lyra2d	WAIT		how long that has to wait, if that is long
 *	lyra2d	VERDICT		a PAM return code, and what the module has to
 *				log; or AGAIN: there will be none, and nothing
 *				was stored, so the module asks once more
 *	module	TELL_GOT	the verdict has arrived: a rehash may follow
 *	module	TELL_ADMITTED	all modules have let the user in
 *
 * Each line is one kind of packet.  The passwords are a packet of their own, so
 * that only the worker of a request ever holds them.  A login is one OP_VERIFY.
 * With nullok or before_unix, OP_STATUS comes first, over the same connection:
 * the password may be empty.
 *
 * The exchange is the same with the public service and with a private one,
 * which ends it after TELL_GOT, once a rehash is done.
 */
#ifndef PAM_LYRA2_REQUEST_H
#define PAM_LYRA2_REQUEST_H

#include <lyra2.h>
#include <stdbool.h>

#include "src/account/passwd.h"
#include "wire.h"

/* Hello and header carry this number.  Raise it if any packet changes. */
#define LYRA2D_PROTOCOL 4

/* A worker ends after this time, and the module stops waiting. */
#define WORK_SECONDS 120
/* The module waits at most so long for its turn. */
#define QUEUE_SECONDS 120
/*
 * The module takes the service for stopped after so long without a packet.  The
 * same time is the limit for connect(2) and hello together.
 */
#define SILENCE_MS 5000
/* How often the service tells waiting modules that it lives. */
#define HEARTBEAT_MS 1000
/* A worker waits so long for TELL_GOT, without which it does not rehash. */
#define GOT_MS 2000
/* A user who has to wait longer than this for an answer is told so. */
#define PATIENCE_SECONDS 5

#define USER_MAX PASSWD_NAME_MAX
#define HOST_MAX 255	/* of a name in DNS; a longer one is truncated */
#define TTY_MAX 63
#define SERVICE_MAX 63
#define SAY_BYTES 512	/* of what the module has to log */

/* pam/service/rights.c has a row for each. */
enum op {
	OP_VERIFY = 1,	/* is this the password? */
	OP_STATUS,	/* what can be known without a password */
	OP_SET		/* a new password */
};

enum request_flag {
	FLAG_NULLOK = 1,	/* an empty password is a password */
	FLAG_CHECK_OLD = 2,	/* OP_SET: only if password is the old one */
	FLAG_ROOT = 4,		/* aging does not bind the caller; */
				/* both OP_STATUS and OP_SET */
	FLAG_EXPIRED = 8,	/* OP_STATUS: whether it has expired */
	FLAG_NO_REHASH = 16,	/* OP_VERIFY: a new password comes next */
	FLAG_SILENT = 32,	/* to a private service: the public one was
				   silent */
	FLAG_NO_ACCOUNT = 64	/* the caller has none, by the name service */
};

/* The answer to OP_STATUS: two PAM return codes, and a bit. */
struct status {
	int found;	/* PAM_SUCCESS; PAM_USER_UNKNOWN: not in /etc/passwd;
			   PAM_IGNORE: /etc/passwd has the hash itself;
			   PAM_AUTHINFO_UNAVAIL: no entry can be read */
	int change;	/* PAM_SUCCESS: the flags and the age of the password
			   allow a change; with FLAG_EXPIRED, a login needs
			   one */
	bool blank;	/* the stored password is empty */
};

struct hello {
	uint64_t dev, ino;	/* of its /etc */
	uint32_t minlen, maxlen;	/* bytes of a new password */
};

/*
 * One caller for all that have no account, never root.  A user may take many
 * such IDs: subuid(5).
 */
#define CALLER_UNKNOWN UINT32_MAX

struct request {
	uint32_t op;		/* enum op */
	uint32_t flags;		/* of enum request_flag, or-ed */
	uint32_t caller;	/* real user ID of the application */
	char user[USER_MAX + 2];	/* room to be one too long */
	char rhost[HOST_MAX + 1];	/* PAM_RHOST, or empty */
	char tty[TTY_MAX + 1];		/* PAM_TTY, or empty */
	char service[SERVICE_MAX + 1];	/* PAM_SERVICE, or empty */
};

struct secret {
	char password[LYRA2_MAX_PASSWORD + 2];
	char new_password[LYRA2_MAX_PASSWORD + 2];
};

enum reply_kind {
	REPLY_QUEUED = 1,	/* number: how many hashes come first */
	REPLY_WORKING,
	REPLY_VERDICT,		/* number: a PAM return code, or a packed
				   status */
	REPLY_AGAIN,		/* nothing was stored: ask once more, maybe its
				   successor */
	REPLY_WAIT		/* number: seconds until the answer may leave */
};

struct reply {
	uint32_t kind;		/* enum reply_kind */
	int32_t number;
	uint32_t priority;	/* of syslog(3) */
	char text[SAY_BYTES];	/* of REPLY_VERDICT, to be logged; or empty */
};

enum tell { TELL_GOT = 1, TELL_ADMITTED };

/*
 * Each returns 0, or -1 with errno.  A malformed packet is EBADMSG, and a hello
 * or a header of another protocol EPROTONOSUPPORT.
 */
int hello_send(int fd, const struct hello *hello);
int hello_recv(int fd, struct hello *hello);
int request_send(int fd, const struct request *req);
int request_recv(int fd, struct request *req);	/* never waits */
int secret_send(int fd, const struct secret *secret);
int secret_recv(int fd, struct secret *secret);	/* never waits */
int reply_send(int fd, const struct reply *reply);	/* never waits */
int reply_recv(int fd, struct reply *reply);
int tell_send(int fd, enum tell tell);		/* never waits */
int tell_recv(int fd, enum tell *tell);		/* never waits */

/*
 * Returns true if the service is of this system.  In a chroot or a container,
 * /run may be another system's.
 */
bool hello_is_here(const struct hello *hello);

/* Packs a status into one number, which is not a PAM return code. */
int32_t status_pack(const struct status *status);

/* Unpacks a status.  Returns false if the number is a PAM return code. */
bool status_unpack(int32_t number, struct status *status);

/*
 * Waits until fd can be read, at most ms milliseconds.  Returns true if it can.
 */
bool request_wait(int fd, int ms);

/* Copies src, truncated to the size of the field. */
void request_text(char *field, size_t size, const char *src);

/*
 * Writes "?" for each byte that is not printable ASCII: a name of a file or of
 * a client must not act on the terminal that shows the log, nor end the line.
 */
void request_printable(char *text);

#endif
