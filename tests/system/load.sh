#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# A thousand logins in little memory; see module-crowd.py.

export SUITES="${SUITES:-bookworm}" STORIES=crowd
# shellcheck source=tests/system/module.sh
. "$SRCDIR/tests/system/module.sh"
