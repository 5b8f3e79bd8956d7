/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests the rights of each rank, and each rule of rights.h for ask_for_others.
 * A file in another root directory stands for the socket.
 */
#include <errno.h>
#include <security/_pam_types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "check-main.h"
#include "devlog.h"
#include "pam/service/rights.h"
#include "pam/service/uids.h"
#include "src/config/paths.h"

#define COUNT(table) (int)(sizeof(table) / sizeof((table)[0]))
#define ACL "system.posix_acl_access"
#define CONF PATH_CONF
#define PASSWD "root:x:0:0::/:\ntoor:x:0:0::/:\nalice:x:1001:100::/:\n" \
	"postgres:x:105:110::/:\ndovecot:x:106:111::/:\n" \
	"dove2:x:106:111::/:\nshadowed:$1$x$:107:107::/:\n" \
	"other:x:1009:1009::/:\n"

/* Makes a new file each time, as an editor does. */
static void put(const char *path, const char *text)
{
	char new[256];
	FILE *f;

	snprintf(new, sizeof(new), "%s.new", path);
	f = fopen(new, "w");
	ck_assert_ptr_nonnull(f);
	ck_assert_int_ge(fputs(text, f), 0);
	ck_assert_int_eq(fclose(f), 0);
	ck_assert_int_eq(chmod(new, 0644), 0);
	ck_assert_int_eq(rename(new, path), 0);
}

static void start(void)
{
	ck_assert_int_eq(system("rm -rf root && mkdir -p root/etc root/run/"
				"lyra2"), 0);
	put(PATH_PASSWD, PASSWD);
	put(PATH_SOCKET, "");
	ck_assert_int_eq(chmod(PATH_SOCKET, 0660), 0);
	devlog_open();
}

static void stop(void)
{
	devlog_close();
	ck_assert_int_eq(system("rm -rf root"), 0);
}

static void configure(const char *names)
{
	char text[1024];

	snprintf(text, sizeof(text), "# a comment\nask_for_others = %s\n",
		 names);
	put(CONF, text);
}

/* ---- rules 1, 3 and 4 ---- */

/* Whether this user may ask for another's account now */
static bool listed(uid_t uid)
{
	const struct peer peer = { uid, LISTED };
	const struct request req = { .user = "other" };

	return rights_allow(rights_operation(OP_STATUS), &peer, &req);
}

static const struct {
	const char *names;
	bool alice, postgres, dovecot, shadowed;
	const char *said;
} lists[] = {
	{ "postgres dovecot", false, true, true, false, "" },
	{ "postgres", false, true, false, false, "" },
	{ "\tpostgres \t alice  ", true, true, false, false, "" },
	{ "dove2 dovecot dovecot", false, false, true, false, "" },
	{ "shadowed", false, false, false, true, "" },
	{ "nobody-here postgres", false, true, false, false,
	  "ask_for_others: no user nobody-here in /etc/passwd\n" },
	{ "postgres,dovecot", false, false, false, false,
	  "ask_for_others: no user postgres,dovecot in /etc/passwd\n" },
	{ "toor dovecot root", false, false, true, false,
	  "ask_for_others: toor is root, who may ask anyway\n"
	  "ask_for_others: root is root, who may ask anyway\n" },
};

START_TEST(users_of_the_list)
{
	ROW(lists[_i].names);
	configure(lists[_i].names);
	ck_assert(listed(1001) == lists[_i].alice);
	ck_assert(listed(105) == lists[_i].postgres);
	ck_assert(listed(106) == lists[_i].dovecot);
	ck_assert(listed(107) == lists[_i].shadowed);
	ck_assert(!listed(0) && !listed((uid_t)-1));
	ck_assert_str_eq(devlog_lines(), lists[_i].said);
}
END_TEST

START_TEST(nobody_without_a_list)
{
	put(CONF, "cost = 10\n");
	ck_assert(!listed(105) && !listed(0));
	ck_assert(remove(CONF) == 0 && !listed(105));
	ck_assert_str_eq(devlog_lines(), "");
}
END_TEST

START_TEST(follows_each_change)
{
	configure("postgres later");
	ck_assert(listed(105) && !listed(108));
	put(PATH_PASSWD, PASSWD "later:x:108:108::/:\n");
	ck_assert(listed(105) && listed(108));
	put(PATH_PASSWD, "later:x:109:108::/:\n");
	ck_assert(!listed(105) && !listed(108) && listed(109));
	put(PATH_PASSWD, PASSWD);
	configure("dovecot");
	ck_assert(!listed(105) && listed(106));
	put(CONF, "");
	ck_assert(!listed(106));
}
END_TEST

START_TEST(reads_again_after_an_error)
{
	configure("postgres");
	ck_assert_int_eq(remove(PATH_PASSWD), 0);
	ck_assert_int_eq(symlink("passwd", PATH_PASSWD), 0);
	ck_assert(!listed(105) && !listed(105));
	put(PATH_PASSWD, PASSWD);
	ck_assert(listed(105));
	ck_assert_str_eq(devlog_lines(), "");
}
END_TEST

/* The files are unchanged, and are read once there are descriptors again. */
START_TEST(reads_again_when_it_can)
{
	struct rlimit usual, none;

	configure("postgres");
	ck_assert(listed(105));
	put(PATH_PASSWD, PASSWD "later:x:108:108::/:\n");
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &usual), 0);
	none = (struct rlimit){ 0, usual.rlim_max };
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
	ck_assert(!listed(105));
	ck_assert_int_eq(uids_have(108), -1);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &usual), 0);
	ck_assert(listed(105));
	ck_assert_int_eq(uids_have(108), 1);
	ck_assert_int_eq(uids_have(109), 0);
}
END_TEST

START_TEST(says_each_line_once)
{
	configure("nobody-here");
	rights_refresh();
	ck_assert_str_ne(devlog_lines(), "");
	rights_refresh();
	ck_assert(!listed(105));
	ck_assert_str_eq(devlog_lines(), "");
}
END_TEST

/* ---- rule 2 ---- */

/* The users of the ACL, as "105 106 ". */
static const char *connecting(void)
{
	static char text[1024];
	unsigned char acl[512];
	ssize_t len = lgetxattr(PATH_SOCKET, ACL, acl, sizeof(acl)), i;

	text[0] = '\0';
	for (i = 4; i < len; i += 8)
		if (acl[i] == 2 && acl[i + 2] == 6)
			snprintf(text + strlen(text), 16, "%d ", acl[i + 4]);
	return text;
}

/* The group's rights: those of the mode, or of the ACL's line for the group. */
static int group(void)
{
	unsigned char acl[512];
	ssize_t len = lgetxattr(PATH_SOCKET, ACL, acl, sizeof(acl)), i;
	struct stat st;

	for (i = 4; i < len; i += 8)
		if (acl[i] == 4)
			return acl[i + 2];
	ck_assert_int_eq(stat(PATH_SOCKET, &st), 0);
	return st.st_mode >> 3 & 7;
}

static mode_t mode(void)
{
	struct stat st;

	ck_assert_int_eq(stat(PATH_SOCKET, &st), 0);
	return st.st_mode & 07777;
}

static bool has_acl(void)
{
	return lgetxattr(PATH_SOCKET, ACL, NULL, 0) >= 0 || errno != ENODATA;
}

static const mode_t modes[] = { 0660, 0600 };

START_TEST(acl_is_the_list)
{
	ROW(NULL);
	ck_assert_int_eq(chmod(PATH_SOCKET, modes[_i]), 0);
	rights_refresh();
	ck_assert(!has_acl());
	configure("postgres dovecot dove2");
	rights_refresh();
	ck_assert_str_eq(connecting(), "105 106 ");
	ck_assert_int_eq(group(), modes[_i] >> 3 & 7);
	ck_assert_uint_eq(mode(), 0660);	/* the mask */
	configure("dovecot");
	rights_refresh();
	ck_assert_str_eq(connecting(), "106 ");
	ck_assert_int_eq(group(), modes[_i] >> 3 & 7);
	put(CONF, "");
	rights_refresh();
	ck_assert(!has_acl());
	ck_assert_uint_eq(mode(), modes[_i]);
	ck_assert_str_eq(devlog_lines(), "");
}
END_TEST

/* A former service set the ACL, on the same socket. */
START_TEST(an_acl_is_found_at_the_start)
{
	static const unsigned char before[] = {
		2, 0, 0, 0, 1, 0, 6, 0, 255, 255, 255, 255,
		2, 0, 6, 0, 105, 0, 0, 0, 4, 0, 0, 0, 255, 255, 255, 255,
		16, 0, 6, 0, 255, 255, 255, 255,
		32, 0, 0, 0, 255, 255, 255, 255
	};

	ck_assert_int_eq(lsetxattr(PATH_SOCKET, ACL, before, sizeof(before),
				   0), 0);
	if (_i)
		configure("dovecot");
	rights_refresh();
	ck_assert_str_eq(connecting(), _i ? "106 " : "");
	ck_assert(has_acl() == (_i == 1) && group() == 0);
	ck_assert_uint_eq(mode(), _i ? 0660 : 0600);
}
END_TEST

START_TEST(a_failure_is_logged)
{
	ck_assert_int_eq(remove(PATH_SOCKET), 0);
	configure("postgres");
	ck_assert(listed(105));
	ck_assert_str_eq(devlog_lines(), "cannot change who may connect, for "
			 "ask_for_others: No such file or directory\n");
}
END_TEST

/* ---- who may ask what ---- */

/*
 * The operations for the own account, another's, root's: "vst" is verify, set,
 * status.
 */
static const struct {
	enum rank rank;
	uid_t uid;
	const char *own, *other, *root;
} ranks[] = {
	{ STRANGER, 1001, "", "", "" },
	{ OWN, 1001, "vt", "", "" },
	{ LISTED, 105, "vt", "vt", "" },
	{ LISTED, 1001, "", "", "" },	/* was listed, is no longer */
	{ MEMBER, 1001, "vt", "vt", "vt" },
	{ ROOT, 0, "vst", "vst", "vst" },
};

static void expect_rights(const struct peer *peer, const char *name,
			  const char *rights)
{
	static const enum op ops[] = { OP_VERIFY, OP_STATUS, OP_SET };
	struct request req = { 0 };
	int i;

	snprintf(req.user, sizeof(req.user), "%s", name);
	for (i = 0; i < COUNT(ops); i++)
		ck_assert_msg(rights_allow(rights_operation(ops[i]), peer,
					   &req) ==
			      (strchr(rights, "vts"[i]) != NULL),
			      "rank %d, %c of %s", peer->rank, "vts"[i], name);
}

START_TEST(rights)
{
	const struct peer peer = { ranks[_i].uid, ranks[_i].rank };

	ROW(ranks[_i].own);
	configure("postgres");
	expect_rights(&peer, peer.uid == 0 ? "root" : peer.uid == 105 ?
		      "postgres" : "alice", ranks[_i].own);
	expect_rights(&peer, "dovecot", ranks[_i].other);
	expect_rights(&peer, "nobody-here", ranks[_i].other);
	expect_rights(&peer, "root", ranks[_i].root);
	expect_rights(&peer, "toor", ranks[_i].root);
}
END_TEST

START_TEST(nobody_is_root_unless_that_is_known)
{
	const struct peer peer = { 105, LISTED };
	struct rlimit limit;

	configure("postgres");
	ck_assert(listed(105));
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	limit.rlim_cur = 0;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	expect_rights(&peer, "root", "");
	expect_rights(&peer, "dovecot", "");
	limit.rlim_cur = limit.rlim_max;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	expect_rights(&peer, "dovecot", "vt");
}
END_TEST

/* Returns true if this file system has ACLs. */
static bool acls_work(void)
{
	if (lgetxattr(".", ACL, NULL, 0) >= 0 || errno == ENODATA)
		return true;
	fputs("# no ACLs here: what is about them is left out\n", stderr);
	return false;
}

int main(void)
{
	Suite *suite = suite_create("rights");
	TCase *list = tcase_create("list"), *acl = tcase_create("acl");

	check_descriptors(list);
	check_descriptors(acl);
	tcase_add_checked_fixture(list, start, stop);
	tcase_add_loop_test(list, users_of_the_list, 0, COUNT(lists));
	tcase_add_test(list, nobody_without_a_list);
	tcase_add_test(list, follows_each_change);
	tcase_add_test(list, reads_again_after_an_error);
	tcase_add_test(list, reads_again_when_it_can);
	tcase_add_test(list, says_each_line_once);
	tcase_add_test(list, a_failure_is_logged);
	tcase_add_loop_test(list, rights, 0, COUNT(ranks));
	tcase_add_test(list, nobody_is_root_unless_that_is_known);
	suite_add_tcase(suite, list);
	tcase_add_checked_fixture(acl, start, stop);
	tcase_add_loop_test(acl, acl_is_the_list, 0, COUNT(modes));
	tcase_add_loop_test(acl, an_acl_is_found_at_the_start, 0, 2);
	if (acls_work())
		suite_add_tcase(suite, acl);
	return check_apart(suite);
}
