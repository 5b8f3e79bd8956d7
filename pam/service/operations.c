/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of operations, and which peers may request them. */
#include "operations.h"

#include <security/_pam_types.h>
#include <stddef.h>

#include "askers.h"
#include "pam/work/answer.h"
#include "pam/work/login.h"
#include "pam/work/set-password.h"

static const struct operation table[] = {
	{ OP_VERIFY, HELPER, login_verify, NULL },
	{ OP_STATUS, LISTED, NULL, answer_status },
	{ OP_SET, ROOT, set_password, NULL },
};

const struct operation *operations_find(uint32_t number)
{
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].number == number)
			return &table[i];
	return NULL;
}

/* Without memory or a descriptor it may be. */
static bool may_be_root(const char *name)
{
	struct passwd_user user;
	const int code = passwd_find(name, &user);

	return code == PAM_SYSTEM_ERR ||
		(code != PAM_USER_UNKNOWN && user.uid == 0);
}

bool operations_allow(const struct operation *op, const struct peer *peer,
		      const struct request *req)
{
	if (peer->rank < op->least)
		return false;
	switch (peer->rank) {
	case STRANGER:
		return false;
	case HELPER:
		return passwd_is_of(req->user, peer->uid);
	case LISTED:		/* the list may have changed since */
		return askers_have(peer->uid) && !may_be_root(req->user);
	case MEMBER:
	case ROOT:
		return true;
	}
	return false;
}
