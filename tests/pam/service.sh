# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The rules of lyra2d, one by one: tests/pam/service.py.  floods.sh and ends.sh
# run other scenarios of that file.
: "${SCENARIOS:=packets rights turns silent_verdicts brake brake_of_users killed}"
. "$SRCDIR/tests/lib/pam.sh"
setpriv --reuid 1 --clear-groups true 2>/dev/null ||
	skip_all "this namespace has one user ID"

sha=$(hash '$6$saltsalt$' secret)
for name in alice bob carol; do
	user $name "$sha"
done
user slow "$(hash '$6$rounds=200000$saltsalt$' secret)"
user glacial "\$5\$rounds=9999999\$saltsalt\$$(printf %043d 0)"
user blank ''
user dora "$(hash '$6$saltsalt$' doras-own)"
for name in aged older; do
	user $name "$sha" '19000:0:9:7:::'
done
user young "$sha" "$(($(date +%s) / 86400)):9:::::"
cat >>/etc/passwd <<-END
	inside:$(hash '$1$inside' secret):1010:100::/:/bin/sh
	lineless:x:1011:100::/:/bin/sh
	twin:x:1001:100::/:/bin/sh
	END
echo "twin:$sha:19000::::::" >>/etc/shadow
names_for 2018 2019 3101 3102
configure rehash=never max_concurrent=1
service std
daemon_log "$work/log" sleep 600 &
wait_for test -S /dev/log
PYTHONPATH=$SRCDIR/tests/lib python3 -B "$SRCDIR/tests/pam/service.py" \
    "$service_pid" "$work/log" "$BUILDDIR/tests/pam/try" "$conf" \
    "$lyra2d" "$SCENARIOS"
status=$?
rm -r "$work"
exit $status
