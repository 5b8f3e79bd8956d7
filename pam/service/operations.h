/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a module can ask lyra2d, and who may ask it: the one table.
 *
 * A number that the table lacks closes the connection, in the service and in
 * "lyra2d --once".
 */
#ifndef PAM_LYRA2_OPERATIONS_H
#define PAM_LYRA2_OPERATIONS_H

#include "pam/work/job.h"
#include "peer.h"

struct operation {
	uint32_t number;	/* enum op */
	enum rank least;	/* of those who may ask */
	/* One of the two: with a secret and a slot, in a worker; or at once. */
	job_function *work;
	void (*at_once)(int fd, const struct request *req);
};

/* Returns the row of a number, or NULL. */
const struct operation *operations_find(uint32_t number);

/*
 * Whether the table lets the peer ask this.  A HELPER may ask only for a name
 * of its own user ID, one who is LISTED for any but root's.
 */
bool operations_allow(const struct operation *op, const struct peer *peer,
		      const struct request *req);

#endif
