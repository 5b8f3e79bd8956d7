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
 * 4. It gives the answer to the service, which logs and sends it.  Only after a
 *    right one the worker stays, and keeps the password.
 * 5. A rehash follows only if the module has the answer, by the configuration
 *    as it is then, and with a slot of its own.
 */
#ifndef PAM_LYRA2_WORKER_H
#define PAM_LYRA2_WORKER_H

#include "job.h"

/* Does all of it; wipes the job. */
void worker_run(struct job *job);

#endif
