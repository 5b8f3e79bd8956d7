/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 kernels: which there are, which run here, which is used and why. */
#include "tool.h"

#include <string.h>

const char *tool_kernel(void)
{
	const char *chosen = lyra2_kernel();

	if (!chosen)
		tool_error(TOOL_INPUT, "LYRA2_KERNEL: names no kernel that "
			   "this CPU can run");
	return chosen;
}

int tool_kernels(int argc, char **argv)
{
	bool json = false;
	const struct tool_option options[] = {
		{ "json", NULL, "print an object", tool_set_flag, &json, 0, 0 },
	};
	const char *chosen, *name, *why;
	char **operands;
	int status, usable;
	size_t i;

	if (tool_parse(argc, argv, options, 1, "[OPTION...]", "Lists the "
		       "kernels, those preferred on this CPU first.", 0,
		       &operands, &status) < 0)
		return status;
	chosen = tool_kernel();
	if (!chosen)
		return TOOL_INPUT;
	why = strcmp(chosen, lyra2_kernel_at(0, NULL)) == 0 ?
	      "measured to be the best for CPUs of this kind" :
	      "LYRA2_KERNEL asks for it";
	if (json)
		printf("{\"chosen\":\"%s\",\"why\":\"%s\",\"kernels\":[",
		       chosen, why);
	for (i = 0; (name = lyra2_kernel_at(i, &usable)); i++) {
		const bool this = strcmp(name, chosen) == 0;

		if (json)
			printf("%s{\"name\":\"%s\",\"usable\":%s}",
			       i ? "," : "", name, usable ? "true" : "false");
		else
			printf("%-10s %-20s %s%s\n", name, usable ?
			       "runs on this CPU" : "not on this CPU",
			       this ? "chosen: " : "", this ? why : "");
	}
	if (json)
		puts("]}");
	return TOOL_YES;
}
