/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every file that the module and its helpers touch.
 *
 * They are fixed when compiled, because lyra2_chkpwd is set-group-id: a test
 * gives the programs another /etc and /run in a mount namespace instead.
 * PAM_LYRA2_SBINDIR and PAM_LYRA2_CONFDIR come from configure.
 */
#ifndef LYRA2_PATHS_H
#define LYRA2_PATHS_H

#define PATH_CHKPWD PAM_LYRA2_SBINDIR "/lyra2_chkpwd"
#define PATH_UPDATE PAM_LYRA2_SBINDIR "/lyra2_update"
#define PATH_CONF PAM_LYRA2_CONFDIR "/pam_lyra2.conf"

#define PATH_FIPS "/proc/sys/crypto/fips_enabled"
#define PATH_LOGIN_DEFS "/etc/login.defs"
#define PATH_PASSWD "/etc/passwd"
#define PATH_SHADOW_DIR "/etc"
#define PATH_SHADOW_NAME "shadow"
#define PATH_SHADOW PATH_SHADOW_DIR "/" PATH_SHADOW_NAME
#define PATH_LOCK "/etc/.pwd.lock"	/* the one of lckpwdf(3) */

#define PATH_SLOT_DIR "/run/lyra2"
#define PATH_SLOTS PATH_SLOT_DIR "/slots"	/* seats and turns */
#define PATH_SLOT PATH_SLOT_DIR "/slot.%u"

#endif
