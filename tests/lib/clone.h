/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For what tests load into an application by LD_PRELOAD: the module's clone(2)
 * comes here first, and the file that includes this says what happens then.
 */
#include <dlfcn.h>
#include <sched.h>
#include <stdarg.h>
#include <unistd.h>

static void before_clone(void);
static void in_child(void);

static int (*what)(void *);

static int child(void *arg)
{
	in_child();
	return what(arg);
}

int clone(int (*run)(void *), void *stack, int flags, void *arg, ...)
{
	int (*real)(int (*)(void *), void *, int, void *, ...) =
		(int (*)(int (*)(void *), void *, int, void *, ...))
		dlsym(RTLD_NEXT, "clone");
	va_list more;
	int pid;

	before_clone();
	va_start(more, arg);
	what = run;
	pid = real(child, stack, flags, arg, va_arg(more, int *));
	va_end(more);
	return pid;
}
