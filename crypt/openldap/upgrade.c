/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Upgrade on bind: replaces hashes that pam_lyra2 would replace at a login, and
 * hashes of slapd's own schemes, with a new {LYRA2} value.  Nothing here can
 * make a bind fail.
 *
 * The replacement is an ordinary modification by the rootdn: it is replicated,
 * and it deletes exactly the value that was verified, so that it fails if the
 * password is changed at the same moment.
 */
#include "slapi.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <syslog.h>

#include "pam/helper/method.h"
#include "pam/helper/outdated.h"
#include "pw-lyra2.h"
#include "slapd.h"
#include "wipe.h"

static char user_password[] = "userPassword";
static char relax_oid[] = LDAP_CONTROL_RELAX;

/* What slapo-ppolicy(5) stores about a password. */
enum { CHANGED, RESET, HISTORY, GRACE, POLICED };
static char policed[POLICED][16] = {
	"pwdChangedTime", "pwdReset", "pwdHistory", "pwdGraceUseTime"
};

static bool begins(const struct berval *value, const char *prefix)
{
	const size_t len = strlen(prefix);

	return value->bv_len >= len &&
		strncasecmp(value->bv_val, prefix, len) == 0;
}

/*
 * Schemes that are hashes of the password.  The others ask another service, as
 * {SASL} does, or need more than a password, as {TOTP1} does.
 */
static bool is_other_hash(const struct berval *value)
{
	static const char *const schemes[] = {
		"{MD5}", "{SMD5}", "{SHA", "{SSHA", "{APR1}", "{BSDMD5}",
		"{PBKDF2", "{ARGON2}",
	};
	size_t i;

	for (i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++)
		if (begins(value, schemes[i]))
			return true;
	return false;
}

/* Whether a login would replace a {LYRA2} or {CRYPT} value. */
static bool string_should_go(const struct berval *value, size_t skip,
			     const struct berval *password)
{
	const struct berval rest = { value->bv_len - skip,
				     value->bv_val + skip };
	char string[LYRA2_MAX_STRING];
	const struct method *method;
	bool go = false;

	if (pw_lyra2_string(&rest, string, sizeof(string)) == 0) {
		method = method_of(string);
		go = method && outdated_replace(string, pw_lyra2_policy()) &&
			(method->bytes == 0 ||
			 password->bv_len <= method->bytes);
	}
	lyra2_wipe(string, sizeof(string));
	return go;
}

/* Whether "{ARGON2}$argon2id$v=19$m=KIBIBYTES,..." takes more than our hash. */
static bool argon2_takes_more(const struct berval *value)
{
	const char *kib = strstr(value->bv_val, "$m=");

	return begins(value, "{ARGON2}") &&
		(!kib || strtoull(kib + 3, NULL, 10) >
		 lyra2_memory(&pw_lyra2_policy()->params) >> 10);
}

static bool should_go(const struct berval *value,
		      const struct berval *password)
{
	const char *text;
	bool go;

	if (begins(value, PW_LYRA2_SCHEME))
		go = string_should_go(value, strlen(PW_LYRA2_SCHEME), password);
	else if (begins(value, "{CRYPT}"))
		go = string_should_go(value, strlen("{CRYPT}"), password);
	else
		go = is_other_hash(value) && !argon2_takes_more(value);
	return go && lutil_passwd(value, password, NULL, &text) == SLAPD_OK;
}

static LDAPMod change(int operation, char *type, struct berval **values)
{
	LDAPMod mod = { .mod_op = operation | LDAP_MOD_BVALUES,
			.mod_type = type };

	mod.mod_bvalues = values;
	return mod;
}

/* The values of an attribute, or NULL if the entry has none. */
static struct berval **values_of(slapi_entry *entry, char *type)
{
	slapi_attr *attr = NULL;
	struct berval **values = NULL;

	if (slapi_entry_attr_find(entry, type, &attr) != 0 || !attr ||
	    slapi_attr_get_values(attr, &values) != 0)
		return NULL;
	return values;
}

/* Returns an LDAP code. */
static int modify(char *dn, LDAPMod *changes[], LDAPControl *controls[])
{
	slapi_pblock *pb = slapi_modify_internal(dn, changes, controls, 0);
	int result = LDAP_NO_MEMORY;

	if (pb) {
		slapi_pblock_get(pb, SLAPI_PLUGIN_INTOP_RESULT, &result);
		slapi_pblock_destroy(pb);
	}
	return result;
}

/*
 * Replaces one value by one atomic modification, and returns an LDAP code.
 *
 * The password is the same, so what slapo-ppolicy stores about it must stay.
 * slapo-ppolicy does not change pwdChangedTime, pwdReset and pwdHistory if the
 * modification sets them, so it sets them to the values that they have.  With
 * pwdChangedTime alone, OpenLDAP 2.5 and 2.6 would add a value to pwdHistory
 * that begins with uninitialized memory.  slapo-ppolicy deletes pwdGraceUseTime
 * unless the modification does, so it deletes it and adds the same values.
 *
 * Where slapo-ppolicy is not loaded, slapd does not know these attributes.
 */
static int replace_value(char *dn, slapi_entry *entry, struct berval *old,
			 struct berval *new)
{
	struct berval **is[POLICED] = {
		values_of(entry, policed[CHANGED]),
		values_of(entry, policed[RESET]),
		values_of(entry, policed[HISTORY]),
		values_of(entry, policed[GRACE]),
	};
	struct berval *olds[] = { old, NULL }, *news[] = { new, NULL };
	LDAPControl relax = { .ldctl_oid = relax_oid, .ldctl_iscritical = 1 };
	LDAPControl *controls[] = { &relax, NULL };
	LDAPMod c[] = {
		change(LDAP_MOD_DELETE, user_password, olds),
		change(LDAP_MOD_ADD, user_password, news),
		change(LDAP_MOD_REPLACE, policed[CHANGED], is[CHANGED]),
		change(LDAP_MOD_REPLACE, policed[RESET], is[RESET]),
		change(LDAP_MOD_REPLACE, policed[HISTORY], is[HISTORY]),
		change(LDAP_MOD_DELETE, policed[GRACE], NULL),
		change(LDAP_MOD_ADD, policed[GRACE], is[GRACE]),
	};
	LDAPMod *only_value[] = { &c[0], &c[1], NULL };
	LDAPMod *all[] = { &c[0], &c[1], &c[2], &c[3], &c[4],
			   is[GRACE] ? &c[5] : NULL, &c[6], NULL };
	int i, result = modify(dn, all, controls);

	if (result == LDAP_UNDEFINED_TYPE)
		result = modify(dn, only_value, NULL);
	for (i = 0; i < POLICED; i++)
		ber_bvecfree(is[i]);
	return result;
}

static void replace(char *dn, slapi_entry *entry, struct berval *old,
		    const struct berval *password)
{
	struct berval new = { 0, NULL };
	const char *text;
	int result;

	if (lutil_passwd_hash(password, PW_LYRA2_SCHEME, &new, &text) != 0)
		return;
	result = replace_value(dn, entry, old, &new);
	/* A replica cannot write.  A bind to its provider can upgrade. */
	if (result == LDAP_SUCCESS)
		pw_lyra2_report(LOG_NOTICE, "hash of %s upgraded", dn);
	else if (result != LDAP_REFERRAL)
		pw_lyra2_report(LOG_WARNING, "hash of %s not upgraded: %s", dn,
				ldap_err2string(result));
	lyra2_wipe(new.bv_val, new.bv_len);
	ber_memfree(new.bv_val);
}

static void upgrade(char *dn, slapi_entry *entry,
		    const struct berval *password)
{
	struct berval **values = values_of(entry, user_password);
	size_t i;

	for (i = 0; values && values[i]; i++)
		if (should_go(values[i], password))
			replace(dn, entry, values[i], password);
	for (i = 0; values && values[i]; i++)
		lyra2_wipe(values[i]->bv_val, values[i]->bv_len);
	ber_bvecfree(values);
}

/* Searches for the entry of the user who has just bound. */
static void find(char *dn, const struct berval *password)
{
	static char filter[] = "(objectClass=*)";
	char *wanted[] = { user_password, policed[CHANGED], policed[RESET],
			   policed[HISTORY], policed[GRACE], NULL };
	slapi_entry **entries = NULL;
	slapi_pblock *found;

	found = slapi_search_internal(dn, LDAP_SCOPE_BASE, filter, NULL,
				      wanted, 0);
	if (!found)
		return;
	slapi_pblock_get(found, SLAPI_PLUGIN_INTOP_SEARCH_ENTRIES, &entries);
	if (entries && entries[0])
		upgrade(dn, entries[0], password);
	slapi_free_search_results_internal(found);
	slapi_pblock_destroy(found);
}

/* {CRYPT} needs the NUL that a password in a request does not have. */
static void upgrade_with(char *dn, const struct berval *cred)
{
	char copy[LYRA2_MAX_PASSWORD + 1];
	struct berval password = { cred->bv_len, copy };

	if (pw_lyra2_string(cred, copy, sizeof(copy)) == 0 && copy[0] != '\0')
		find(dn, &password);
	lyra2_wipe(copy, sizeof(copy));
}

/* Always returns 0, because errors here must not affect the bind. */
static int after_bind(slapi_pblock *pb)
{
	int method = 0, result = LDAP_OTHER;
	struct berval *cred = NULL;
	char *dn = NULL;

	slapi_pblock_get(pb, SLAPI_RESULT_CODE, &result);
	slapi_pblock_get(pb, SLAPI_BIND_METHOD, &method);
	slapi_pblock_get(pb, SLAPI_TARGET_DN, &dn);
	slapi_pblock_get(pb, SLAPI_BIND_CREDENTIALS, &cred);
	if (result == LDAP_SUCCESS && method == (int)LDAP_AUTH_SIMPLE && dn &&
	    cred && pw_lyra2_policy() &&
	    outdated_floor_met(&pw_lyra2_policy()->params))
		upgrade_with(dn, cred);
	return 0;
}

int pw_lyra2_upgrade(slapi_pblock *pb)
{
	static char version[] = "03";

	if (!slapi_pblock_set || !pw_lyra2_policy()) {
		pw_lyra2_report(LOG_ERR, "no upgrades: first load pw-lyra2");
		return -1;
	}
	if (slapi_pblock_set(pb, SLAPI_PLUGIN_VERSION, version) != 0)
		return -1;
	return slapi_pblock_set(pb, SLAPI_PLUGIN_POST_BIND_FN,
				(void *)after_bind);
}
