/* SPDX-License-Identifier: BSD-2-Clause */
/* What a module can ask lyra2d, and who may ask it. */
#include "operations.h"

#include <stddef.h>

#include "pam/work/answer.h"
#include "pam/work/login.h"
#include "pam/work/set-password.h"

static const struct operation table[] = {
	{ OP_VERIFY, HELPER, login_verify, NULL },
	{ OP_STATUS, MEMBER, NULL, answer_status },
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

bool operations_allow(const struct operation *op, const struct peer *peer,
		      const struct request *req)
{
	return peer->rank >= op->least &&
		(peer->rank > HELPER || passwd_is_of(req->user, peer->uid));
}
