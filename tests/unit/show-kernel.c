/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the kernel in use; tests/unit/set-id.sh makes it a set-id program. */
#include "lyra2.h"

#include <stdio.h>

int main(void)
{
	const char *name = lyra2_kernel();

	puts(name ? name : "none");
	return 0;
}
