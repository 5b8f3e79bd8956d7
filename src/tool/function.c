/* SPDX-License-Identifier: BSD-2-Clause */
/* Which Lyra2 is computed: method and parameters as options. */
#include "function.h"

#include <string.h>

#include "tool.h"

int function_set_method(const struct tool_option *option, const char *arg)
{
	uint32_t *method = option->value;

	if (strcmp(arg, "lyra2") == 0)
		*method = LYRA2_METHOD_LYRA2;
	else if (strcmp(arg, "bash-lyra2") == 0)
		*method = LYRA2_METHOD_BASH_LYRA2;
	else
		return tool_error(TOOL_INPUT, "--%s: %s is not lyra2 or "
				  "bash-lyra2", option->name, arg);
	return TOOL_YES;
}

int function_set_cost(const struct tool_option *option, const char *arg)
{
	struct tool_option log2_rows = *option;
	uint32_t n;
	int status;

	log2_rows.value = &n;
	status = options_set_u32(&log2_rows, arg);
	if (status == TOOL_YES)
		*(uint32_t *)option->value = UINT32_C(1) << n;
	return status;
}

void function_init(struct function *f)
{
	f->method = LYRA2_METHOD_LYRA2;
	lyra2_params_default(&f->params);
}

int function_check(const struct function *f)
{
	struct lyra2_reason why;

	if (lyra2_check_string(&f->params, &why) < 0)
		return tool_error(TOOL_INPUT, "%s", why.text);
	return TOOL_YES;
}
