/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a worker knows of its request, and its exchange with the service.  Only
 * the service talks to the module; the worker reads one packet of it, the
 * passwords.
 */
#ifndef PAM_LYRA2_JOB_H
#define PAM_LYRA2_JOB_H

#include <stdbool.h>

#include "pam/protocol/request.h"
#include "src/account/entry.h"
#include "src/config/options.h"

struct job;
typedef void job_function(struct job *job);

struct job {
	job_function *work;	/* what is asked for */
	int fd;			/* the connection */
	int control;		/* to the service */
	bool has_slot;
	/* Returns the configuration as it is now. */
	const struct options *(*configuration)(void);
	/* Of a private service: waits for a turn to hash, or gives it back. */
	void (*turn)(const struct request *req, bool take);
	struct request req;
	const struct options *conf;
	int found;		/* PAM code of entry_find() */
	struct entry entry;
	struct secret secret;
	struct reply verdict;	/* priority and text of what is to be logged */
	bool stale;		/* see CONTROL_STALE */
};

/* What a worker and the service tell each other, in packets. */
enum control_kind {
	CONTROL_DONE = 1,	/* the slot goes back */
	CONTROL_VERDICT,	/* the same, and the answer */
	CONTROL_AGAIN,		/* asks for another slot; and the answer */
	CONTROL_STALE,		/* /etc cannot be written here, but maybe by
				   another service */
	CONTROL_CONVERTED,	/* there is a new hash in the file */
	CONTROL_STORES,		/* it begins to store a new password */
	CONTROL_GOT		/* to the worker: the module has the answer */
};
struct control {
	uint32_t kind;		/* enum control_kind */
	bool own;		/* the account is the caller's */
	struct reply verdict;
};

/* Sends the service a packet without an answer. */
void job_tell(const struct job *job, enum control_kind kind);

/* Notes what the module logs with the answer; the last note counts. */
__attribute__((format(printf, 3, 4)))
void job_say(struct job *job, int priority, const char *format, ...);

/*
 * Sends the answer, and gives the slot back.  If the job is stale, the module
 * of a public service asks another.
 */
void job_answer(struct job *job, int code);

/*
 * Waits until the module has the answer, which the brake may hold.  Returns
 * false if it never will.
 */
bool job_is_got(struct job *job);

/* Wipes the passwords. */
void job_forget_secret(struct job *job);

/* Gives the slot back, if it is not back yet. */
void job_slot_back(struct job *job);

/*
 * Waits for another slot, behind all requests that have had none yet.  Returns
 * false if there is none.
 */
bool job_slot_again(struct job *job);

/* While on is true, the worker finishes even if the service ends. */
void job_must_finish(bool on);

#endif
