/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For tests/source/headers.sh: includes only lyra2.h.  Exits with 0 only if the
 * hash in the argument is that of "password".
 */
#include <lyra2.h>

int main(int argc, char **argv)
{
	struct lyra2_params p = LYRA2_PARAMS_INIT;
	struct lyra2_reason why;

	if (argc != 2 || lyra2_check(&p, &why) == 0)
		return 2;
	lyra2_params_default(&p);
	if (lyra2_check_string(&p, &why) < 0 ||
	    lyra2_memory(&p) > LYRA2_MAX_MEMORY)
		return 2;
#ifdef IGNORE
	lyra2_verify(0, argv[1], "password", 8);
#endif
	if (lyra2_verify(0, argv[1], "password", 8) < 0)
		return 1;
	return 0;
}
