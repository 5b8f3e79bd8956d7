# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# A call of libc fails, once, in the module or in lyra2d: tests/pam/failing.py
# and failing.c.  Each room has a /run/lyra2 and processes of its own.
# CHECK=all takes each call and several errors, not the first and the last call.
. "$SRCDIR/tests/lib/pam.sh"
# What is left is looked for soon after each call.
load=$(cut -d. -f1 /proc/loadavg)
[ "$load" -le $((4 * $(nproc))) ] ||
	skip_all "a load of $load: too busy to tell what is left"
setpriv --reuid 1 --clear-groups true 2>/dev/null ||
	skip_all "this namespace has one user ID"
cp "$SRCDIR/tests/pam/failing.c" "$work"
# shellcheck disable=SC2086	# CC may have arguments
$CC -O2 -Wl,-z,now -D_GNU_SOURCE -shared -fPIC -o "$work/failing.so" \
    "$work/failing.c" 2>/dev/null || skip_all "no compiler"
LD_PRELOAD=$work/failing.so /bin/true || skip_all "no library before libc"
end_service

user alice "$(hash '$6$saltsalt$' secret-of-alice)"
user bob x
configure rehash=never max_concurrent=2
service std
rooms=6
i=0 children=''
while [ $i -lt $rooms ]; do
	mkdir "/run/room$i"
	PYTHONPATH=$SRCDIR/tests/lib \
	    unshare -mpf --mount-proc --kill-child sh -ec '
		mount --bind "/run/room$0" /run/lyra2
		shift
		exec python3 -B "$@"' $i - "$SRCDIR/tests/pam/failing.py" $i $rooms \
	    "$BUILDDIR/tests/pam/try" "$lyra2d" "$work" >"$work/out.$i" 2>&1 &
	children="$children $!"
	i=$((i + 1))
done
# shellcheck disable=SC2086	# a list
wait $children
i=0
while [ $i -lt $rooms ]; do
	include "room $i" <"$work/out.$i"
	i=$((i + 1))
done
rm -r "$work"
tap_done
