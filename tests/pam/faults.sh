# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Each system call of logins and changes fails, or is the last: see faults.py.
# FAULTS is 1 for all faults, N for one in N, the same ones each time.
. "$SRCDIR/tests/lib/pam.sh"

inject=$BUILDDIR/tests/pam/inject
command -v python3 >/dev/null || skip_all "no python3 here"
command -v setfacl >/dev/null || skip_all "no setfacl here"
another_id "faults" uid:1 && tap_done
"$inject" /dev/null 5000 - true || skip_all "the kernel cannot ask about calls"

# The stack that the package sets up, as pam-auth-update(8) writes it.  Its
# files and those of debconf are private, like /etc.
profile()
{
	command -v pam-auth-update >/dev/null || return 0
	[ -f "$SRCDIR/debian/pam-configs/lyra2" ] || return 0
	for folder in /usr/share/pam-configs /var/lib/pam /var/cache/debconf; do
		cp -a "$folder" "$work/copy"
		mount -t tmpfs none "$folder"
		cp -a "$work/copy/." "$folder"
		rm -r "$work/copy"
	done
	cp "$SRCDIR/debian/pam-configs/lyra2" /usr/share/pam-configs
	find /usr/share/pam-configs -type f ! -name unix ! -name lyra2 -delete
	DEBCONF_SYSTEMRC=/usr/share/debconf/debconf.conf \
	    DEBIAN_FRONTEND=noninteractive pam-auth-update --package --force
	sed -i "s,pam_lyra2.so,$module conf=$conf," /etc/pam.d/common-*
	for name in auth account password session; do
		echo "@include common-$name"
	done >/etc/pam.d/profile
}

service alone nullok
profile
user alice x
python3 -B "$SRCDIR/tests/pam/faults.py" "$BUILDDIR" "$conf" "${FAULTS:-500}"
