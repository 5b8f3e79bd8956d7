# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Debian's profile for pam-auth-update, debian/pam-configs/lyra2: after each
# result of the module, who decides.  pam_debug takes the place of the modules.
. "$SRCDIR/tests/lib/pam.sh"
debug=$(find /usr/lib /lib -name pam_debug.so 2>/dev/null | head -n 1)
[ -n "$debug" ] || skip_all "pam_debug.so is not installed"
RESULTS='success open_err symbol_err service_err system_err buf_err perm_denied
auth_err cred_insufficient authinfo_unavail user_unknown maxtries
new_authtok_reqd acct_expired session_err cred_unavail cred_expired cred_err
no_module_data conv_err authtok_err authtok_recover_err authtok_lock_busy
authtok_disable_aging try_again ignore abort authtok_expired module_unknown
bad_item'
user alice '*'

# control FIELD: prints what the profile has in brackets.  Behind the module
# come two lines more: pam_unix and pam_deny.
control()
{
	sed -n "/^$1:\$/{n;s/^\t\(\[[^]]*\]\).*/\1/;s/=end/=2/;p;}" \
		"$SRCDIR/debian/pam-configs/lyra2"
}

# results RESULT: the arguments that make pam_debug return it in each call
results()
{
	echo "auth=$1 acct=$1 prechauthtok=$1 chauthtok=$1"
}

# enters RESULT RESULT: succeeds if a user is let in after these two results
enters()
{
	cat >/etc/pam.d/stack <<-STACK
		$type $control $debug $(results "$1")
		$type [success=1 default=ignore] $debug $(results "$2")
		$type requisite pam_deny.so
		$type required pam_permit.so
	STACK
	case $(try stack alice nodelay "$call") in
	*"$call=0/"*) ;;
	*) return 1 ;;
	esac
}

decides()
{
	if ! enters "$1" success; then
		echo "the user is refused"
	elif enters "$1" perm_denied; then
		echo "the user is let in"
	else
		echo "pam_unix decides"
	fi
}

# wanted FIELD RESULT: what it says of the module's result
wanted()
{
	case $1:$2 in
	*:success)
		echo "the user is let in" ;;
	Auth*:authtok_err | Auth*:cred_unavail | Account:new_authtok_reqd)
		echo "the user is refused" ;;
	Password*:user_unknown | Password*:ignore | A*)
		echo "pam_unix decides" ;;
	*)
		echo "the user is refused" ;;
	esac
}

for field in Auth Auth-Initial Account Password Password-Initial; do
	control=$(control $field)
	case $field in
	Auth*) type=auth call=auth ;;
	Account) type=account call=account ;;
	*) type=password call=passwd ;;
	esac
	for result in $RESULTS; do
		is "$field: $result" "$(decides "$result")" \
			"$(wanted $field "$result")"
	done
done
rm -r "$work"
tap_done
