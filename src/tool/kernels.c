/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 kernels: lists them, which can run here, which is used and why. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "options.h"
#include "tool.h"

const char *tool_kernel(void)
{
	const char *chosen = lyra2_kernel();

	if (!chosen)
		tool_error(TOOL_INPUT, "LYRA2_KERNEL: names no kernel that "
			   "this CPU can run");
	return chosen;
}

int kernels_main(int argc, char **argv)
{
	bool json = false;
	const struct tool_option options[] = {
		{ "json", NULL, "print an object", options_set_flag, &json,
		  0, 0 },
		{ 0 },
	};
	struct arguments args = {
		.usage = "[OPTION...]",
		.text = "Lists the kernels, those preferred on this CPU "
			"first.",
		.options = options,
	};
	const char *chosen, *name, *why;
	int usable;
	size_t i;

	if (!options_parse(&args, argc, argv))
		return args.status;
	chosen = tool_kernel();
	if (!chosen)
		return TOOL_INPUT;
	why = strcmp(chosen, lyra2_kernel_at(0, NULL)) == 0 ?
	      "usual for such CPUs; lyra2 bench measures them here" :
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
