# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# What PAM calls leave in an application, with pam_unix and with pam_lyra2:
# tests/place/applications.py.
TABLE=applications
. "$SRCDIR/tests/place/systems.sh"
