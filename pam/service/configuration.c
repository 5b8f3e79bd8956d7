/* SPDX-License-Identifier: BSD-2-Clause */
/* The administrator's configuration. */
#include "configuration.h"

#include <syslog.h>
#include <unistd.h>

#include "pam/work/log.h"
#include "src/config/paths.h"
#include "version.h"

static struct options options;

static void complain(void *arg, const char *text)
{
	const bool *again = arg;

	if (!*again)
		log_line(LOG_ERR, "%s", text);
}

/*
 * After an error that may pass it reads again at the next question.  Until then
 * what it had before holds, but that nothing is rehashed.
 */
const struct options *configuration(void)
{
	static struct version file, defaults;
	static bool known, failed;
	struct options new;
	bool changed = version_changed(&file, PATH_CONF);
	bool again;

	changed = version_changed(&defaults, PATH_LOGIN_DEFS) || changed;
	if (known && !changed && !failed)
		return &options;
	again = failed && !changed;
	failed = options_read(&new, PATH_CONF, complain, &again) < 0;
	if (!failed || !known)
		options = new;
	else
		options.policy.rehash = REHASH_NEVER;
	known = true;
	return &options;
}

unsigned configuration_slots(void)
{
	long processors;

	if (options.policy.max_concurrent > 0)
		return options.policy.max_concurrent;
	processors = sysconf(_SC_NPROCESSORS_ONLN);
	return processors < 2 ? 2 : (unsigned)processors;
}
