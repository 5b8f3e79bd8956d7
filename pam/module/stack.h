/* SPDX-License-Identifier: BSD-2-Clause */
/* What the module knows about the other modules in the stack. */
#ifndef PAM_LYRA2_STACK_H
#define PAM_LYRA2_STACK_H

#include <security/pam_modules.h>
#include <stdbool.h>

/*
 * Whether libpam has loaded pam_unix(8) for this service.  It loads all
 * modules of a service, of every type, before it calls the first one.
 */
bool stack_has_unix(void);

/*
 * The result of authentication on this handle, a PAM return code, for the
 * option no_pass_expiry of this module and of pam_unix(8), which store it in
 * the same place.  stack_authenticated() is false if there was none.
 */
void stack_note_auth(pam_handle_t *pamh, int code);
bool stack_authenticated(pam_handle_t *pamh);

#endif
