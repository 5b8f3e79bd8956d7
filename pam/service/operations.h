/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table of operations, and which peers may request them.  A number that the
 * table lacks closes the connection.
 */
#ifndef PAM_LYRA2_OPERATIONS_H
#define PAM_LYRA2_OPERATIONS_H

#include "pam/work/job.h"
#include "peer.h"

struct operation {
	uint32_t number;	/* enum op */
	enum rank least;	/* of those who may ask */
	/*
	 * One of the two is set.  work runs in a worker, with a secret and a
	 * slot; the other is called at once.
	 */
	job_function *work;
	void (*at_once)(int fd, const struct request *req);
};

/* Returns the table's row with this number, or NULL. */
const struct operation *operations_find(uint32_t number);

/*
 * Returns true if the peer may request the operation.  A HELPER may request it
 * only for a name of its own user ID.  A LISTED peer may request it for any
 * user but root.
 */
bool operations_allow(const struct operation *op, const struct peer *peer,
		      const struct request *req);

#endif
