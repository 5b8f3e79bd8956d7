# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The packages' scripts in debian/ (preinst, postinst, prerm, postrm), with
# stand-ins for the programs that they call: tests/system/maintscripts.py.
. "$SRCDIR/tests/lib/tap.sh"

[ -d "$SRCDIR/debian" ] || skip_all "the archive has no debian/"
command -v dpkg >/dev/null || skip_all "no dpkg here"
if [ "${PAM_NS_INSIDE:-}" != yes ]; then
	stage=$(mktemp -d)
	# Directories that the test writes to, also where a user runs it.
	mkdir -p "$stage/usr/sbin" "$stage/usr/share/pam-configs" \
	    "$stage/usr/lib/pam_lyra2"
	status=0
	"$SRCDIR/tests/lib/namespace" "$stage" /usr \
	    sh "$SRCDIR/tests/system/maintscripts.sh" || status=$?
	rm -r "$stage"
	[ "$status" -ne 77 ] || skip_all "no mount namespace available here"
	exit "$status"
fi

# The namespace has an own /etc, /run and /usr.
mount -t tmpfs none /var || exit 77
mkdir /mnt/target && mount -o remount,bind,ro / 2>/dev/null
SCRIPTS=$SRCDIR/debian PYTHONPATH=$SRCDIR/tests/lib \
    exec python3 -B "$SRCDIR/tests/system/maintscripts.py"
