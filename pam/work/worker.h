/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One request that takes a hash, in a process of its own.
 *
 * The rules, in the order in which a worker meets them:
 * 1. It alone reads the passwords, and no other request's.
 * 2. It may use the memory that its parameters take and 32 MiB; and besides,
 *    while it checks or changes /etc/shadow, that file's size.
 * 3. Right and wrong passwords take the same time.  The slot goes back when the
 *    hash is there.
 * 4. Where a user asks, the answer waits until the brake lets it leave: see
 *    pam/service/brake.h.
 * 5. A wrong password is logged before the answer is sent; a user's right one,
 *    too.
 * 6. After a right one it waits FREE_MS for the module to say that all modules
 *    have let the user in.  Before a new password it need not say so.
 * 7. A rehash follows only if the answer has arrived, and with a slot of its
 *    own.
 */
#ifndef PAM_LYRA2_WORKER_H
#define PAM_LYRA2_WORKER_H

#include "job.h"

/* Does all of it; wipes the job. */
void worker_run(struct job *job);

#endif
