# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Fifty users, each method for new hashes, each change from one to another; and
# the reports of lyra2 audit and the package's prerm: tests/pam/users.py.
. "$SRCDIR/tests/lib/pam.sh"
[ -x "$prefix/bin/lyra2" ] || skip_all "configured with --disable-tool"

# The prerm changes files outside /etc, but in no directory of this machine.
mkdir -p /var/lib/pam "$work/bin"
mount -t tmpfs none /var/lib/pam
: >/etc/pam.d/common-auth
for name in pam-auth-update dpkg-query; do
	printf '#!/bin/sh\n' | replace "$work/bin/$name"
done
printf '#!/bin/sh\necho here\n' | replace "$work/bin/dpkg"
service login	# so that logins reach the module
end_service
configure max_concurrent=2
start_service
PATH=$work/bin:$prefix/bin:$PATH PYTHONPATH=$SRCDIR/tests/lib \
    python3 -B "$SRCDIR/tests/pam/users.py" "$conf" "$service_pid" \
    "$SRCDIR/debian/libpam-lyra2.prerm"
status=$?
rm -r "$work"
exit $status
