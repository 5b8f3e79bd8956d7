/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One request that takes a hash, in a process of its own.
 *
 * The rules, in the order in which a worker meets them:
 * 1. It alone reads the passwords, and no other request's.
 * 2. It may use the memory that its parameters take and 32 MiB.
 * 3. A wrong password is logged before the verdict is sent; for users a right
 *    one, too, and both take the same time: who kills the program that asks
 *    learns nothing that is not in the log.
 * 4. The slot goes back when the hash is there, before the verdict is logged
 *    and sent: who reads the log may be slow.
 * 5. It lives alike after right and wrong, until the module says "counted" or
 *    COUNT_MS have passed, and till then its user has no other turn.
 * 6. A rehash follows only if the verdict has arrived, and with a slot of its
 *    own.
 */
#ifndef PAM_LYRA2_WORKER_H
#define PAM_LYRA2_WORKER_H

#include "job.h"

/* Does all of it; wipes the job. */
void worker_run(struct job *job);

#endif
