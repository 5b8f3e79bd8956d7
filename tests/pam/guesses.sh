# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# A user who guesses with every trick, and users who mistype:
# tests/pam/guesses.py.
. "$SRCDIR/tests/lib/pam.sh"
setpriv --reuid 1 --clear-groups true 2>/dev/null ||
	skip_all "this namespace has one user ID"

sha=$(hash '$6$saltsalt$' secret)
for name in alice bob dave erin frank gina; do
	user $name "$sha"
done
configure rehash=never max_concurrent=2
service std
# In a tenth of that; without a compiler, for a minute.
seconds=300 rate=10
case ${CHECK:-} in
all) seconds=600 ;;
long) seconds=3600 ;;
esac
$CC -D_GNU_SOURCE -DRATE=$rate -shared -fPIC -o /mnt/tmp/fast.so \
    "$SRCDIR/tests/pam/fast.c" 2>/dev/null || seconds=60 rate=1
chmod 755 "$work" /mnt/tmp/fast.so 2>/dev/null
daemon_log "$work/log" sleep 900 &
wait_for test -S /dev/log
PYTHONPATH=$SRCDIR/tests/lib python3 -B "$SRCDIR/tests/pam/guesses.py" \
    "$service_pid" "$work/log" "$BUILDDIR/tests/pam/try" "$lyra2d" "$seconds" $rate
status=$?
rm -r "$work"
exit $status
