/* SPDX-License-Identifier: BSD-2-Clause */
/* What a worker knows of its request, and its exchange with the scheduler. */
#ifndef PAM_LYRA2_JOB_H
#define PAM_LYRA2_JOB_H

#include <stdbool.h>

#include "pam/protocol/request.h"
#include "src/account/entry.h"
#include "src/config/options.h"

struct job;
typedef void job_function(struct job *job);

/* Waits until the answer may leave. */
enum leave {
	LEAVE_NOW,
	LEAVE_NEVER,		/* too many wait */
	LEAVE_AGAIN		/* the service ends: its successor answers */
};
typedef enum leave job_leave(struct job *job, bool right);

struct job {
	job_function *work;	/* what is asked for */
	int fd;			/* the connection */
	int control;		/* to the scheduler; -1: lyra2d --once */
	int lock;		/* of lyra2d --once; else -1 */
	bool has_slot;
	uid_t owner;		/* of the user ID of the caller */
	bool braked;		/* its answer may have to wait: see brake.h */
	job_leave *may_leave;
	job_function *was_free;
	struct request req;
	const struct options *conf;
	int found;		/* PAM code of entry_find() */
	struct entry entry;
	struct secret secret;
};

/* What a worker and the scheduler tell each other, in packets. */
enum control_kind {
	CONTROL_DONE,		/* the hash is there: the slot goes back */
	CONTROL_RIGHT,		/* the same, and the answer waits to leave; */
	CONTROL_WRONG,		/* number: whether it is the caller's account */
	CONTROL_ANSWERED,
	CONTROL_CONVERTED,	/* there is a new hash in the file */
	CONTROL_FREE,		/* all modules have let the user in */
	CONTROL_AGAIN,		/* asks for another slot; and the answer */
	CONTROL_LEAVE,		/* to the worker: the answer may leave, */
	CONTROL_WAIT,		/* in so many seconds, */
	CONTROL_NEVER		/* or not at all */
};
struct control {
	uint32_t kind;		/* enum control_kind */
	uint32_t number;
};

/* Sends the scheduler a packet.  Does nothing if there is no scheduler. */
void job_tell(const struct job *job, enum control_kind kind, uint32_t number);

/* Wipes the passwords: an answer that has to wait needs none. */
void job_forget_secret(struct job *job);

/* Gives the slot back, if it is not back yet. */
void job_slot_back(struct job *job);

/* may_leave and was_free of a worker: they ask the scheduler. */
enum leave job_may_leave(struct job *job, bool right);
void job_was_free(struct job *job);

/* Tells the module that it has to wait, and for how long if that is long. */
void job_waits(const struct job *job, uint32_t seconds);

/* Returns true if the account is that of the owner of the caller's user ID. */
bool job_is_own(const struct job *job);

/*
 * Waits for another slot, behind all requests that have had none yet.  Returns
 * false if there is no scheduler.
 */
bool job_slot_again(struct job *job);

/* While on is true, the worker finishes even if the service ends. */
void job_must_finish(bool on);

#endif
