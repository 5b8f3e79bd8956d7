# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Many at once, and users who starve and freeze their own programs:
# tests/place/crowds.py.
TABLE=crowds
. "$SRCDIR/tests/place/systems.sh"
