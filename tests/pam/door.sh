# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Each user may ask lyra2d about the own account: tests/pam/door.py.
. "$SRCDIR/tests/lib/pam.sh"
setpriv --reuid 1 --clear-groups true 2>/dev/null ||
	skip_all "this namespace has one user ID"

sha=$(hash '$6$saltsalt$' secret)
for name in alice bob mallory; do
	user $name "$sha"
done
user blank ''
user slow "\$5\$rounds=999999\$saltsalt\$$(printf %043d 0)"
user soon "$sha" "$(($(date +%s) / 86400 - 87)):0:90:7:::"
sed -i "s|^root:[^:]*|root:$sha|" /etc/shadow
# shellcheck disable=SC2046	# words
names_for $(seq 2000 2119)
configure rehash=never max_concurrent=2
service std
service null nullok
service next before_unix
echo "auth required pam_permit.so" >>/etc/pam.d/next
chmod 755 "$work"
PYTHONPATH=$SRCDIR/tests/lib python3 -B "$SRCDIR/tests/pam/door.py" \
    "$service_pid" "$BUILDDIR/tests/pam/try" "$lyra2d"
status=$?
rm -r "$work"
exit $status
