/* SPDX-License-Identifier: BSD-2-Clause */
/* What a module can ask lyra2d, and who may ask it. */
#include "operations.h"

#include <stddef.h>

#include "pam/work/answer.h"
#include "pam/work/login.h"
#include "pam/work/set-password.h"

static const struct operation table[] = {
	{ OP_VERIFY, true, login_verify, NULL },
	{ OP_STATUS, true, NULL, answer_status },
	{ OP_SET, false, set_password, NULL },
};

const struct operation *operations_find(uint32_t number)
{
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].number == number)
			return &table[i];
	return NULL;
}

bool operations_allow(const struct operation *op, const struct peer *peer,
		      const struct request *req)
{
	if (peer->uid == 0)
		return true;
	return op->for_users && (peer->trusted || peer_is(peer, req->user));
}
