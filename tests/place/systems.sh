# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Poor and hostile systems, each with pam_unix and with pam_lyra2:
# tests/place/systems.py.  ROWS="WORD..." runs the rows with such a word alone.
: "${TABLE:=systems}"
. "$SRCDIR/tests/lib/pam.sh"
setpriv --reuid 1 --clear-groups true 2>/dev/null ||
	skip_all "this namespace has one user ID"

end_service
sha=$(hash '$6$rounds=1000$saltsalt$' secret)
for name in alice bob carol dave erin frank gina; do
	user $name "$sha"
done
# shellcheck disable=SC2119	# no line but the usual ones
configure
TOOLS=$work/tools
mkdir "$TOOLS"
chmod 755 "$work" "$TOOLS"
cp "$BUILDDIR/tests/pam/try" "$BUILDDIR/tests/place/confine" \
    "$(command -v su)" "$(command -v passwd)" "$TOOLS"
chmod 4755 "$TOOLS/try" "$TOOLS/su" "$TOOLS/passwd"
chmod 755 "$TOOLS/confine"
LYRA2D=$lyra2d MODULE=$module CONF=$conf
export LYRA2D MODULE CONF TOOLS
PYTHONPATH=$SRCDIR/tests/lib python3 -B "$SRCDIR/tests/place/$TABLE.py"
status=$?
rm -r "$work"
exit $status
