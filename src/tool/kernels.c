/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 kernels: lists them, which can run here, which is used and why. */
#include <stdbool.h>
#include <stdio.h>

#include "options.h"
#include "tool.h"

static void print_list(bool json)
{
	const char *name;
	int usable;
	size_t i;

	for (i = 0; (name = lyra2_kernel_at(i, &usable)); i++)
		if (json)
			printf("%s{\"name\":\"%s\",\"usable\":%s}",
			       i ? "," : "", name, usable ? "true" : "false");
		else
			printf("%-10s %s\n", name, usable ?
			       "runs on this CPU" : "not on this CPU");
}

static void print_choice(uint32_t sponge, uint32_t lanes, bool json)
{
	const char *name = lyra2_sponge_name(sponge), *why = "", *kernel;
	struct lyra2_params p;

	lyra2_params_init(&p);
	p.sponge = sponge;
	p.lanes = lanes;
	kernel = tool_kernel_for(&p, &why);
	if (json)
		printf("{\"sponge\":\"%s\",\"lanes\":%u,\"kernel\":\"%s\","
		       "\"why\":\"%s\"}", name, lanes, kernel, why);
	else
		printf("%-12s %-16s %-10s %s\n", name, lanes > 1 ?
		       "more lanes" : "1 lane", kernel, why);
}

/* The default sponge comes first, as do four lanes. */
static void print_choices(uint32_t lanes, bool json)
{
	static const uint32_t sponges[] = {
		LYRA2_BLAMKA, LYRA2_BLAKE2B, LYRA2_HALF_BLAMKA
	};
	size_t i;

	for (i = 0; i < sizeof(sponges) / sizeof(sponges[0]); i++) {
		fputs(json && (i > 0 || lanes == 1) ? "," : "", stdout);
		print_choice(sponges[i], lanes, json);
	}
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
		.text = "Lists the kernels, and which is used on this CPU and "
			"why.",
		.options = options,
	};

	if (!tool_start(&args, argc, argv))
		return args.status;
	fputs(json ? "{\"kernels\":[" : "", stdout);
	print_list(json);
	fputs(json ? "],\"choices\":[" : "\n", stdout);
	print_choices(4, json);
	print_choices(1, json);
	fputs(json ? "]}\n" : "", stdout);
	return TOOL_YES;
}
