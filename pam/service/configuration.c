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
	(void)arg;
	log_line(LOG_ERR, "%s", text);
}

const struct options *configuration(void)
{
	static struct version file, defaults;
	static bool known;
	bool changed = version_changed(&file, PATH_CONF);

	if (version_changed(&defaults, PATH_LOGIN_DEFS) || changed || !known)
		options_read(&options, PATH_CONF, complain, NULL);
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
