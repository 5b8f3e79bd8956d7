/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every file that the module and lyra2d touch.
 *
 * They are fixed when compiled: a test gives the programs another /etc and
 * /run in a mount namespace instead.
 * PAM_LYRA2_SBINDIR, _CONFDIR and _VENDORDIR come from configure.
 */
#ifndef LYRA2_PATHS_H
#define LYRA2_PATHS_H

#define PATH_LYRA2D PAM_LYRA2_SBINDIR "/lyra2d"
#define PATH_CHKPWD PAM_LYRA2_SBINDIR "/lyra2_chkpwd"
#define PATH_CONF PAM_LYRA2_CONFDIR "/pam_lyra2.conf"
#define PATH_CONF_VENDOR PAM_LYRA2_VENDORDIR "/pam_lyra2.conf"
#define PATH_CONF_PARTS PATH_CONF ".d/*.conf"	/* of glob(3) */

#ifndef PATH_ROOT
#define PATH_ROOT ""	/* the tests in tests/unit have another */
#endif
#define PATH_FILESYSTEMS PATH_ROOT "/proc/filesystems"	/* of the kernel */
#define PATH_GROUP PATH_ROOT "/etc/group"
#define PATH_LOGIN_DEFS PATH_ROOT "/etc/login.defs"
#define PATH_UNIX_LINE PATH_ROOT "/etc/pam.d/common-password"
#define PATH_UNIX_LINE_2 PATH_ROOT "/etc/pam.d/system-auth"
#define PATH_PASSWD PATH_ROOT "/etc/passwd"
#define PATH_SHADOW_DIR PATH_ROOT "/etc"
#define PATH_SHADOW_NAME "shadow"
#define PATH_SHADOW PATH_SHADOW_DIR "/" PATH_SHADOW_NAME
#define PATH_LOCK PATH_SHADOW_DIR "/.pwd.lock"	/* the one of lckpwdf(3) */

/* Made by the prerm of Debian: no Lyra2 hash may be stored from now on. */
#define PATH_REMOVAL PATH_ROOT "/run/pam_lyra2.removal"
#define PATH_RUN PATH_ROOT "/run/lyra2"
#define PATH_SOCKET PATH_RUN "/socket"	/* of lyra2d */
#define PATH_SERVICE_LOCK PATH_RUN "/lock"	/* that lyra2d holds */
#define PATH_BRAKE PATH_RUN "/brake.1"	/* see pam/service/brake-file.h */
#define PATH_TURNS PATH_RUN "/turns"	/* see pam/service/turn.h */
#define PATH_RENEWED PATH_RUN "/renewed"	/* see pam/service/renew.c */
#define PATH_SAID PATH_RUN "/said"	/* see pam/work/rehash.c */
#define PATH_CGROUP PATH_ROOT "/sys/fs/cgroup"
#define PATH_LOG PATH_ROOT "/dev/log"	/* of syslog(3) */

#endif
