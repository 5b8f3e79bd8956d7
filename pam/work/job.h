/* SPDX-License-Identifier: BSD-2-Clause */
/* What a worker knows of its request, and its words with the scheduler. */
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
	int control;		/* to the scheduler; -1: lyra2d --once */
	int lock;		/* of lyra2d --once; else -1 */
	bool has_slot;
	bool for_root;		/* the program that asks is root's */
	struct request req;
	const struct options *conf;
	int found;		/* PAM code of entry_find() */
	struct entry entry;
	struct secret secret;
};

/* What a worker tells the scheduler, and the one thing that it hears. */
enum control {
	CONTROL_DONE = 'd',	/* the hash is there: the slot goes back */
	CONTROL_OWES = 'o',	/* the same; the source owes a count */
	CONTROL_COUNTED = 'c',
	CONTROL_AGAIN = 'r',	/* asks for another slot, and gets this back */
};

/* Nothing happens without a scheduler. */
void job_tell(const struct job *job, enum control what);

/* Gives the slot back, if it is not back yet. */
void job_slot_back(struct job *job, bool owes);

/*
 * Waits for another slot, behind all that have had none yet.  Without a
 * scheduler there is none.
 */
bool job_slot_again(struct job *job);

#endif
