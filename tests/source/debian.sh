# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# libpam-lyra2.postrm counts users when the package is purged; the unit of the
# socket leaves no file behind.
. "$SRCDIR/tests/lib/tap.sh"

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir "$root/etc" "$root/run"

# purged: prints the postrm's output
purged()
{
	DPKG_ROOT=$root DPKG_MAINTSCRIPT_PACKAGE_REFCOUNT=${copies-1} \
		sh "$SRCDIR/debian/libpam-lyra2.postrm" purge 2>&1
}
# counts NUMBER LINE...: with these lines of shadow, the postrm counts NUMBER
counts()
{
	c_wanted=$1
	shift
	for c_file in shadow passwd; do
		rm -f "$root/etc/shadow" "$root/etc/passwd"
		printf '%s\n' "$@" >"$root/etc/$c_file"
		is "$c_wanted in $c_file: $*" "$(purged | sed 's/.*: //')" \
			"$c_wanted"
	done
}
# shellcheck disable=SC2016	# hashes
{
	counts 1 'a:$lyra2$t2n12c256p2$salt$hash:1:'
	counts 1 'a:$bashlyra2$t2n12c256p2$salt$hash:1:'
	counts 3 'a:$lyra2$x:' 'b:$6$x:' 'c:!$bashlyra2$x:' 'd:!!$lyra2$x:'
	counts '' 'a:$6$$lyra2$:' 'b::$lyra2$x:' 'c:$bash$x:' 'd:$xlyra2$x' \
		'e:$y$bashlyra2$x:'
	echo 'a:$bashlyra2$x:' >"$root/etc/shadow"
}
ok "the note names the package and the reason" \
	test "$(purged)" = "libpam-lyra2: note: passwords that are still \
hashed with Lyra2: 1"
is "another architecture's copy stays: no note" "$(copies=2 purged)" ""
rm "$root"/etc/*
is "no files: no note" "$(purged)" ""

# Without this, a socket's file would stay: see "refused" in tests/pam/link.py.
unit=$SRCDIR/pam/service/lyra2d.socket.in
is "the socket's file goes when the unit stops" \
	"$(sed -n '/^\[Socket\]/,/^\[Install\]/s/^RemoveOnStop=//p' "$unit")" yes
tap_done
