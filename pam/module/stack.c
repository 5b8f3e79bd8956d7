/* SPDX-License-Identifier: BSD-2-Clause */
/* What the module knows about the other modules in the stack. */
#include "stack.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>

#define AUTH_RESULT "unix_setcred_return"	/* the name of pam_unix(8) */

static int is_unix(struct dl_phdr_info *info, size_t size, void *arg)
{
	const char *slash = strrchr(info->dlpi_name, '/');
	const char *name = slash ? slash + 1 : info->dlpi_name;

	(void)size;
	(void)arg;
	return strcmp(name, "pam_unix.so") == 0;
}

bool stack_has_unix(void)
{
	return dl_iterate_phdr(is_unix, NULL) != 0;
}

static void forget(pam_handle_t *pamh, void *data, int status)
{
	(void)pamh;
	(void)status;
	free(data);
}

/* Out of memory: the result of an earlier call must not remain. */
void stack_note_auth(pam_handle_t *pamh, int code)
{
	int *result = malloc(sizeof(*result));

	if (result)
		*result = code;
	if (pam_set_data(pamh, AUTH_RESULT, result, forget) != PAM_SUCCESS)
		free(result);
}

bool stack_authenticated(pam_handle_t *pamh)
{
	const void *result;

	return pam_get_data(pamh, AUTH_RESULT, &result) == PAM_SUCCESS &&
		result && *(const int *)result == PAM_SUCCESS;
}
