# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# shellcheck disable=SC2154	# the scripts that source this set them
# Sourced by build-libxcrypt and build-shadow: gets the source package of a
# Debian release and adds our series of patches.  They set
#
#	program		their name, for messages
#	minutes		how long --packages takes on two cores
#	package		the source package
#	suffix		what its version gains
#	here		the folder with patches/
#	dir, suite, version, packaging
#			what the command line says, or empty
#	part		--tar-only if debian/ is not needed

# shellcheck source=tests/lib/progress.sh
. "$here/../tests/lib/progress.sh"

say()
{
	echo "$program: $*" >&2
}

passed()
{
	echo "$(grep -c '^PASS: ' "$progress_log") tests passed"
}

fail()
{
	echo "$program: $*" >&2
	exit 1
}

misuse()
{
	echo "$program: $*; try --help" >&2
	exit 2
}

# Checks that the tools are there, makes DIR, and sets what the rest needs.
begin()
{
	[ -n "$dir" ] || misuse "no DIR given"
	for tool in dpkg-source quilt autoreconf libtoolize make gcc git \
	    patch python3; do
		command -v $tool >/dev/null || fail "$tool is missing," \
		    "install it first: apt-get install dpkg-dev quilt" \
		    "autoconf automake libtool pkg-config gcc make git" \
		    "patch python3"
	done
	mkdir -p "$dir"
	dir=$(cd "$dir" && pwd)
	tmp=$(mktemp -d)
	trap 'rm -rf "$tmp"' EXIT
	trap 'exit 1' HUP INT TERM
	jobs=$(nproc)
	# shellcheck source=/dev/null
	host=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
	# A make that runs us has other aims.
	unset MAKEFLAGS MFLAGS MAKELEVEL
}

# mirror RELEASE: where the machine's apt takes a release from
# shellcheck disable=SC2016	# apt expands these, not the shell
mirror()
{
	apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' \
	    'Created-By: Packages' |
	    awk -v release="$1" '$1 == release && $2 == "main" {
		print $3; exit }'
}

# deb_src HOST SUITE: source lines for SUITE from the mirrors of HOST
deb_src()
{
	keyring=/usr/share/keyrings/debian-archive-keyring.gpg
	signed=
	[ ! -r "$keyring" ] || signed="[signed-by=$keyring] "
	for pocket in '' -updates -security; do
		case $2$pocket in
		sid-* | unstable-* | experimental-*) continue ;; # have none
		esac
		uri=$(mirror "$1$pocket")
		[ -z "$uri" ] || echo "deb-src $signed$uri $2$pocket main"
	done
}

# private_apt SUITE...: lists of our own for apt, of these suites
private_apt()
{
	mkdir -p "$tmp/lists/partial" "$tmp/cache/archives/partial"
	chmod 755 "$tmp"	# apt fetches as _apt
	[ ! -e "$tmp/apt.conf" ] || unset APT_CONFIG	# an earlier call's
	for s in $(printf '%s\n' "$@" | sort -u); do
		deb_src "$host" "$s"
	done >"$tmp/sources.list"
	grep -q . "$tmp/sources.list" ||
		fail "apt has no mirror of '$host' configured"
	cat >"$tmp/apt.conf" <<-CONF
	Dir::State::lists "$tmp/lists";
	Dir::Cache "$tmp/cache";
	Dir::Etc::sourcelist "$tmp/sources.list";
	Dir::Etc::sourceparts "-";
	CONF
	APT_CONFIG=$tmp/apt.conf
	export APT_CONFIG
	apt-get update -q >"$tmp/log" 2>&1
}

# The releases that we support, too, as far as the mirror has them.
everywhere()
{
	private_apt "${suite:-$host}" bookworm trixie || :
}

# full_version V: the newest version that is V or whose upstream part is V
full_version()
{
	apt-cache showsrc "$package" 2>/dev/null |
	    sed -n 's/^Version: //p' | sort -Vr |
	    awk -v v="$1" '{ u = $1; sub(/^[0-9]+:/, "", u); sub(/-[^-]*$/,
		"", u) } v == "" || v == $1 || v == u { print $1; exit }'
}

# fetch VERSION [OPTION]: the source package, or the part that OPTION names;
# a part that comes before an error does not stay
# shellcheck disable=SC2086	# an option or none
fetch()
{
	rm -rf "$tmp/whole"
	mkdir "$tmp/whole"
	(cd "$tmp/whole" && apt-get source -q --download-only ${2-} \
	    "$package=$1") >"$tmp/log" 2>&1 && mv "$tmp/whole"/* "$dir/"
}

# fail_with_others VERSION: says what the mirror has in its place
fail_with_others()
{
	why=$(grep -m 1 '^E:' "$tmp/log")
	dir=$tmp/others
	mkdir "$dir"
	fetch "$1" --tar-only && upstream=yes || upstream=
	everywhere
	for v in $(apt-cache showsrc "$package" 2>/dev/null |
	    sed -n 's/^Version: //p' | sort -Vru); do
		[ "$v" != "$1" ] || continue
		fetch "$v" || continue
		try="--version $v"
		[ -z "$upstream" ] || try="--packaging $v, which takes\
 debian/ from that version, or $try"
		fail "cannot fetch $package $1: $why; use $try"
	done
	fail "cannot fetch $package $1: $why; no other version, either"
}

# Puts into DIR what its .dsc, or else an upstream archive and another
# version's debian.tar.xz, do not yet hold.
fetch_missing()
{
	if ls "$dir/$package"_*.orig.tar.* >/dev/null 2>&1; then
		upstream=${version#*:}
		upstream=$dir/${package}_${upstream%-*}
		ls "$upstream"*.orig.tar.* >/dev/null 2>&1 ||
			fail "$dir holds another version than $version"
		return
	fi
	[ ! -t 2 ] || say "fetching the source of $package"
	private_apt "${suite:-$host}" ||
		fail "apt-get update: $(grep -m 1 '^[EW]:' "$tmp/log")"
	full=$(full_version "$version")
	# What is asked for by its version may be another release's.
	if [ -z "$full" ] || [ -n "$packaging" ]; then
		everywhere
	fi
	full=${full:-$(full_version "$version")}
	[ -n "$full" ] || fail "no $package ${version:+$version }in:" \
	    "$(awk '{ printf "%s ", $(NF - 1) }' "$tmp/sources.list")"
	echo "$full" >"$dir/version"
	if [ -z "$packaging" ]; then
		fetch "$full" "${part-}" || fail_with_others "$full"
		return
	fi
	other=$(full_version "$packaging")
	[ -n "$other" ] || fail "--packaging: no $package $packaging"
	fetch "$other" --diff-only || fail "cannot fetch debian/ of" \
	    "$package $other: $(grep -m 1 '^E:' "$tmp/log")"
	fetch "$full" --tar-only || fail "cannot fetch the upstream archive" \
	    "of $package $full: $(grep -m 1 '^E:' "$tmp/log")"
}

# DIR/PACKAGE: the source with Debian's patches
unpack()
{
	rm -rf "${dir:?}/$package" "$dir/build"
	dsc=$(find "$dir" -maxdepth 1 -name "$package"'_*.dsc' \
	    ! -name "*$suffix.dsc")
	if [ -n "$dsc" ]; then
		dpkg-source --no-check -x "$dsc" "$dir/$package" \
		    >"$tmp/log" 2>&1 || fail "dpkg-source: $(cat "$tmp/log")"
		return
	fi
	mkdir "$dir/$package"
	tar -C "$dir/$package" --strip-components 1 -xf \
	    "$dir/$package"_*.orig.tar.*
	tar -C "$dir/$package" -xf "$(find "$dir" -maxdepth 1 \
	    -name "$package"'_*.debian.tar.*' ! -name "*$suffix*")"
	push || fail "Debian's patches do not apply: $(cat "$tmp/log")"
}

# push: applies what debian/patches/series has beyond what is applied
push()
{
	(cd "$dir/$package" && QUILTRC=/dev/null QUILT_PATCHES=debian/patches \
	    quilt push -a --fuzz=0) >"$tmp/log" 2>&1 || [ $? -eq 2 ]
}

# Writes the patches for upstream's source, and ends.
write_series()
{
	rm -rf "$dir/upstream"
	mkdir "$dir/upstream"
	tar -C "$dir/upstream" --strip-components 1 -xf "$dir"/*.orig.tar.*z
	"$here/make-series" "$dir/upstream" "$dir/series"
	exit
}

# Adds our series to debian/patches and applies it.
add_series()
{
	"$here/make-series" "$dir/$package" "$tmp/series" ||
		fail "the patches could not be made: see above"
	patches=$dir/$package/debian/patches
	mkdir -p "$patches"
	for patch in "$tmp/series"/*.patch; do
		cp "$patch" "$patches/lyra2-${patch##*/}"
		echo "lyra2-${patch##*/}" >>"$patches/series"
	done
	push || fail "the patches do not apply: $(cat "$tmp/log")"
}

# One more entry in debian/changelog
add_version()
{
	old=$(dpkg-parsechangelog -l debian/changelog -S Version)
	[ ! -f "$dir/version" ] || old=$(cat "$dir/version")
	distribution=$(dpkg-parsechangelog -l debian/changelog -S Distribution)
	cat - debian/changelog >"$tmp/changelog" <<-ENTRY
	$package ($old$suffix) $distribution; urgency=medium

	  * Local build: add the lyra2 hash method.

	 -- ${DEBFULLNAME:-$program} <${DEBEMAIL:-root@localhost}>  $(
	    date -R)

	ENTRY
	cp "$tmp/changelog" debian/changelog
}

build_packages()
{
	command -v dpkg-buildpackage >/dev/null || fail "needs dpkg-dev"
	dpkg-checkbuilddeps || fail "install these first: apt-get build-dep" \
	    "$dir/$package"
	say "building and testing the packages, about $minutes minutes on two" \
	    "cores; the log is $dir/build.log"
	progress passed "$dir/build.log" dpkg-buildpackage -us -uc -j"$jobs" ||
		fail "dpkg-buildpackage: see $dir/build.log"
	say "$(passed); next, install what you need of:"
	find "$dir" -name "*$suffix*.deb" -o -name "*$suffix.dsc" | sort
	# An update of the distribution sorts above them, and lacks the method.
	echo "$program: when they are installed, and before apt replaces them" \
	    "by an update without the method: apt-mark hold" \
	    "$(find "$dir" -name "*$suffix*.deb" ! -name '*-dbgsym_*' \
	    ! -name '*-udeb_*' -printf '%f\n' | sed 's/_.*//' | sort -u |
	    paste -sd ' ' -)" >&2
}
