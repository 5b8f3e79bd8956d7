#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs a command as root in namespaces of its own, for mounts and processes,
# that have the staged module and helpers in their places, an own /etc and
# /run, and a /dev where a test may listen on /dev/log.  The machine's own
# files stay out of reach.
#
#	pam-ns.sh STAGE PREFIX COMMAND...
#
# STAGE is where "make install DESTDIR=STAGE" went, PREFIX the --prefix.  For
# root all user IDs are there; else only one, in a user namespace.  Exit
# status 77: no namespace can be had here.
set -eu

if [ "${PAM_NS_INSIDE:-}" != yes ]; then
	flags='-mpf --mount-proc --kill-child'
	[ "$(id -u)" = 0 ] || flags="-Ur $flags"
	# shellcheck disable=SC2086 # words
	unshare $flags true 2>/dev/null || exit 77
	PAM_NS_INSIDE=yes
	export PAM_NS_INSIDE
	# shellcheck disable=SC2086
	exec unshare $flags "$0" "$@"
fi
stage=$1 prefix=$2
shift 2

mount --make-rprivate /
mount -t tmpfs -o mode=755 none /mnt
cd /mnt
mkdir -p etc/pam.d etc/security dev run upper/etc/security work
for name in null zero full random urandom tty; do
	: >dev/$name
	mount --bind /dev/$name dev/$name
done
for name in passwd:root:x:0:0::/root:/bin/sh group:root:x:0: \
    group:shadow:x:42: 'shadow:root:!:19000:0:99999:7:::'; do
	echo "${name#*:}" >>"etc/${name%%:*}"
done
for name in passwd group shadow; do
	echo "$name: files"
done >etc/nsswitch.conf
echo 'auth required pam_deny.so' >etc/pam.d/other
chmod 640 etc/shadow
# awk and other commands are links through this one.
[ ! -d /etc/alternatives ] || cp -dR /etc/alternatives etc
mount -t overlay -o \
    "lowerdir=$stage$prefix:$prefix,upperdir=upper,workdir=work" \
    none "$prefix" 2>/dev/null || exit 77
for name in etc dev run; do
	mount --rbind $name /$name
done
cd /

# The loader has to find the library without help from the environment.
mkdir -p /var/cache/ldconfig
mount -t tmpfs none /var/cache/ldconfig
find "$prefix" -name 'liblyra2.so.0' -exec dirname {} + >/etc/ld.so.conf
echo 'include /etc/ld.so.conf.d/*.conf' >>/etc/ld.so.conf
ldconfig -X

# A user namespace of one ID has no other group.
if chgrp 42 /etc/shadow 2>/dev/null; then
	find "$prefix/sbin" -name lyra2_chkpwd -exec chgrp 42 {} + \
	    -exec chmod 2755 {} +
fi
exec "$@"
