# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Users and programs that ask lyra2d too much, or send what they may not.
scenarios="limits remains trespassers goes_on_sending nobody_logs flood
	one_answer_a_turn setters one_loses_its_place rehashes"
[ -z "${CHECK:-}" ] || scenarios="$scenarios crowd"
: "${SCENARIOS:=$scenarios}"
. "$SRCDIR/tests/pam/service.sh"
