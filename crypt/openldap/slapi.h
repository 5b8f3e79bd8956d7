/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The part of SLAPI, slapd's interface for plugins, that the upgrade needs.
 *
 * It is the interface that Netscape's and then 389's directory servers
 * document; OpenLDAP has it since 2.2 and declares it in
 * include/slapi-plugin.h, which Debian does not install.  A slapd that was
 * built without it has none of these functions: they are weak.
 */
#ifndef PW_LYRA2_SLAPI_H
#define PW_LYRA2_SLAPI_H

#include <lber.h>
#include <ldap.h>

#pragma GCC visibility push(default)

enum slapi_arg {
	SLAPI_PLUGIN_VERSION = 8,		/* char *: "03" */
	SLAPI_PLUGIN_INTOP_RESULT = 15,		/* int: a code of LDAP */
	SLAPI_PLUGIN_INTOP_SEARCH_ENTRIES = 16,	/* slapi_entry **, or NULL */
	SLAPI_TARGET_DN = 50,			/* char * */
	SLAPI_BIND_METHOD = 70,			/* int: LDAP_AUTH_SIMPLE... */
	SLAPI_BIND_CREDENTIALS = 71,		/* struct berval * */
	SLAPI_PLUGIN_POST_BIND_FN = 501,	/* int (*)(slapi_pblock *) */
	SLAPI_RESULT_CODE = 881,		/* int: a code of LDAP */
};

typedef struct slapi_pblock slapi_pblock;
typedef struct slapi_entry slapi_entry;
typedef struct slapi_attr slapi_attr;

/* Read and set an item of a parameter block.  Return 0 on success. */
extern int slapi_pblock_get(slapi_pblock *pb, int arg, void *value)
	__attribute__((weak));
extern int slapi_pblock_set(slapi_pblock *pb, int arg, void *value)
	__attribute__((weak));
extern void slapi_pblock_destroy(slapi_pblock *pb) __attribute__((weak));

/* Operations of the server itself, as its rootdn; the block has the result. */
extern slapi_pblock *slapi_search_internal(char *base, int scope, char *filter,
					   LDAPControl **controls,
					   char **attributes, int types_only)
	__attribute__((weak));
extern void slapi_free_search_results_internal(slapi_pblock *pb)
	__attribute__((weak));
extern slapi_pblock *slapi_modify_internal(char *dn, LDAPMod **changes,
					   LDAPControl **controls, int log)
	__attribute__((weak));

/* Attributes of an entry; the values are copies, for ber_bvecfree(). */
extern int slapi_entry_attr_find(slapi_entry *entry, char *type,
				 slapi_attr **attr) __attribute__((weak));
extern int slapi_attr_get_values(slapi_attr *attr, struct berval ***values)
	__attribute__((weak));

/* What slapd calls when its configuration names it as a plugin. */
extern int pw_lyra2_upgrade(slapi_pblock *pb);

#pragma GCC visibility pop
#endif
