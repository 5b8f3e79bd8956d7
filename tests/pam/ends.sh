# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The end of lyra2d, its supervisor, and logins without it.
: "${SCENARIOS:=ends ends_soon hostile tells descriptors alone renewed \
read_only watched}"
. "$SRCDIR/tests/pam/service.sh"
