/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 kernels: lists them, which can run here, which is used and why. */
#include <stdio.h>

#include "options.h"
#include "tool.h"

static void print_choice(const char *name, uint32_t lanes)
{
	const char *why = "";
	const char *kernel = tool_kernel_for(lanes, &why);

	printf("%-16s %-10s %s\n", name, kernel, why);
}

int kernels_main(int argc, char **argv)
{
	const struct tool_option options[] = { { 0 } };
	struct arguments args = {
		.usage = "",
		.text = "Lists the implementations for CPUs, and which this "
			"CPU uses and why.",
		.options = options,
	};
	const char *name;
	int usable;
	size_t i;

	if (!tool_start(&args, argc, argv))
		return args.status;
	for (i = 0; (name = lyra2_kernel_at(i, &usable)); i++)
		printf("%-10s %s\n", name, usable ? "runs on this CPU" :
						    "not on this CPU");
	putchar('\n');
	print_choice("more lanes", 2);
	print_choice("1 lane", 1);
	return TOOL_YES;
}
