/* SPDX-License-Identifier: BSD-2-Clause */
/* Signals as a new program expects them. */
#include "signals.h"

#include <signal.h>
#include <stddef.h>

void signals_reset(void)
{
	sigset_t none;
	int sig;

	for (sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}
