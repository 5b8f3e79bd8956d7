/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The only code that writes /etc/shadow.
 *
 * The lock is that of lckpwdf(3), taken as an open file description lock:
 * both exclude each other, and glibc's own function would use the alarm(2) of
 * the process.  Only /etc/.pwd.lock matters; shadow-utils locks it before its
 * own lock files.
 */
#ifndef PAM_LYRA2_SHADOW_H
#define PAM_LYRA2_SHADOW_H

struct shadow_change {
	const char *user;
	const char *old;	/* the stored hash must be this one; NULL: any,
				   and if there is no line, one is added */
	const char *new;
	long lstchg;		/* day of the change; 0: not known; -1 leaves
				   that field */
};

enum shadow_result {
	SHADOW_DONE,
	SHADOW_CHANGED,		/* another process changed the entry first */
	SHADOW_MISSING,		/* no line has that user */
	SHADOW_REFUSED,		/* its lines must be put right first */
	SHADOW_REMOVAL,		/* nothing could verify the hash soon */
	SHADOW_BUSY,		/* another program holds the lock */
	SHADOW_FAILED		/* see errno; the old file is unchanged */
};

/*
 * Waits up to ms milliseconds for the lock.  Sets *lock to -1 unless it returns
 * SHADOW_DONE.
 */
enum shadow_result shadow_lock(int ms, int *lock);
void shadow_unlock(int lock);

/*
 * Replaces the hash of one user, in the line that libc sees, if it still is the
 * expected one.  Refuses that if another line has the name, or if libc would
 * not see the new line: then an old password could stay valid.  Keeps every
 * other byte of the file, and its owner, mode, ACL, label and other extended
 * attributes.  The lock must be held.  Refuses a Lyra2 hash once the module is
 * being removed: a login may have begun before, and waited.
 */
enum shadow_result shadow_store(const struct shadow_change *change);

/*
 * Checks whether that would be possible now, as far as this is known without
 * the lock and a new hash: returns SHADOW_DONE, or why not.
 */
enum shadow_result shadow_check(const struct shadow_change *change);

/* Says why; of SHADOW_REFUSED with file and line, for the last change. */
const char *shadow_reason(enum shadow_result result);

#endif
