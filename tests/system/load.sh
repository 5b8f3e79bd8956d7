#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# A thousand logins in little memory, and sieges; see module-crowd.py and
# module-siege.py.

export SUITES="${SUITES:-bookworm}" SCENARIOS="crowd siege"
# shellcheck source=tests/system/module.sh
. "$SRCDIR/tests/system/module.sh"
