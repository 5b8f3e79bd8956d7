/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * phases.h - what the entry points do once the user is known.
 *
 * Every function returns a PAM return code; flags are those of the entry
 * point.
 */
#ifndef PAM_LYRA2_PHASES_H
#define PAM_LYRA2_PHASES_H

#include <security/pam_modules.h>

#include "options.h"

/* Verifies the user's password, asked for here. */
int phase_auth(pam_handle_t *pamh, unsigned flags, const struct options *o,
	       const char *user);

/* Says whether the account may be used, and warns. */
int phase_account(pam_handle_t *pamh, unsigned flags, const struct options *o,
		  const char *user);

/* pam_chauthtok(3), first and second call. */
int phase_prelim(pam_handle_t *pamh, unsigned flags, const struct options *o,
		 const char *user);
int phase_update(pam_handle_t *pamh, unsigned flags, const struct options *o,
		 const char *user);

/* For two phases: verify a typed password; whether the stored one is empty. */
int phase_verify(pam_handle_t *pamh, const struct options *o,
		 const char *user, const char *password);
int phase_blank(pam_handle_t *pamh, const struct options *o,
		const char *user);

#endif
