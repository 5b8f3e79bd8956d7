/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The entry points of the module, with libpam, the user and lyra2d as this test
 * plays them.  Each row is a call: what comes, in turn, what the module says
 * and asks, and what it returns.
 */
#include <errno.h>
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include "check-main.h"
#include "pam/module/ask.h"
#include "pam/module/link.h"
#include "pam/module/phases.h"
#include "say.h"

#define BYTES_32 "ssssssssssssssssssssssssssssssss"	/* the longest */

static pam_handle_t *const handle = (void *)0x10;
static const char *events;	/* that have not come yet */
static char word[64];		/* of the last one */
static uid_t uid, euid;
static bool readable;		/* is /etc/shadow, for the application */
static const char *old;		/* PAM_OLDAUTHTOK */
static bool no_memory, no_hello;

/*
 * The next event must have that name.  Returns its code after "!", or
 * PAM_SUCCESS with the rest after "=" in word.
 */
static int comes(const char *name)
{
	const size_t len = strlen(name), end = strcspn(events, " ");
	const char *rest = events + len + 1;

	ck_assert_msg(strncmp(events, name, len) == 0 &&
		      strchr("=!", events[len]) && end < sizeof(word),
		      "%s is asked for, and \"%s\" comes", name, events);
	snprintf(word, sizeof(word), "%.*s", (int)(end - len - 1), rest);
	events += end + (events[end] == ' ');
	return rest[-1] == '!' ? atoi(word) : PAM_SUCCESS;
}

/* ---- the system ---- */
uid_t seam_getuid(void);
uid_t seam_getuid(void)
{
	return uid;
}

uid_t seam_geteuid(void);
uid_t seam_geteuid(void)
{
	return euid;
}

int seam_faccessat(int dir, const char *path, int mode, int flags);
int seam_faccessat(int dir, const char *path, int mode, int flags)
{
	(void)dir;
	ck_assert_str_eq(path, "/etc/shadow");
	ck_assert(mode == R_OK && flags != 0);
	errno = EACCES;
	return readable ? 0 : -1;
}

void *seam_malloc(size_t size)
{
	return no_memory ? NULL : calloc(1, size);
}

/* ---- libpam ---- */
void pam_syslog(const pam_handle_t *pamh, int priority, const char *format, ...)
{
	char line[256];
	va_list args;

	ck_assert_ptr_eq(pamh, handle);
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	say("{%d %s} ", priority, line);
}

int pam_prompt(pam_handle_t *pamh, int style, char **answer,
	       const char *format, ...)
{
	char line[256];
	va_list args;

	ck_assert(pamh == handle && style == PAM_TEXT_INFO && !answer);
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	say("[%s] ", line);
	return comes("shown");
}

int pam_get_user(pam_handle_t *pamh, const char **user, const char *prompt)
{
	static char name[64];
	const int code = comes("user");

	ck_assert(pamh == handle && !prompt);
	snprintf(name, sizeof(name), "%s", word);
	*user = code == PAM_SUCCESS ? name : NULL;
	return code;
}

int pam_get_authtok(pam_handle_t *pamh, int item, const char **token,
		    const char *prompt)
{
	static char kept[2][64];
	char *p = kept[item == PAM_OLDAUTHTOK];
	const int code = comes(item == PAM_OLDAUTHTOK ? "old" : "new");

	ck_assert(pamh == handle && !prompt);
	ck_assert(item == PAM_OLDAUTHTOK || item == PAM_AUTHTOK);
	snprintf(p, sizeof(kept[0]), "%s", word);
	*token = code == PAM_SUCCESS ? p : NULL;
	return code;
}

int pam_get_item(const pam_handle_t *pamh, int item, const void **p)
{
	ck_assert(pamh == handle && item == PAM_OLDAUTHTOK);
	*p = old;
	return comes("item");
}

int pam_set_item(pam_handle_t *pamh, int item, const void *p)
{
	ck_assert(pamh == handle && item == PAM_AUTHTOK && !p);
	say("forget ");
	return PAM_SUCCESS;
}

/* of pam_unix's name, and of the link's */
static struct kept {
	void *data;
	void (*end)(pam_handle_t *pamh, void *data, int status);
} results, links;

static struct kept *kept_as(const char *name)
{
	if (strcmp(name, "lyra2_link") == 0)
		return &links;
	ck_assert_str_eq(name, "unix_setcred_return");
	return &results;
}

int pam_set_data(pam_handle_t *pamh, const char *name, void *data,
		 void (*end)(pam_handle_t *pamh, void *data, int status))
{
	struct kept *k = kept_as(name);

	ck_assert_ptr_eq(pamh, handle);
	if (k->end)
		k->end(pamh, k->data, PAM_DATA_REPLACE);
	*k = (struct kept){ data, end };
	return PAM_SUCCESS;
}

int pam_get_data(const pam_handle_t *pamh, const char *name, const void **data)
{
	const struct kept *k = kept_as(name);

	ck_assert_ptr_eq(pamh, handle);
	*data = k->data;
	return k->end ? PAM_SUCCESS : PAM_NO_MODULE_DATA;
}

/* ---- lyra2d ---- */
/* "status=0/20/1": found, change, blank */
int phases_status(pam_handle_t *pamh, const struct options *o, uint32_t flags,
		  const char *user, struct status *status)
{
	const int code = comes("status");
	char *end = word;

	ck_assert(pamh == handle && o);
	say("look%u:%s ", flags, user);
	if (code != PAM_SUCCESS)
		return code;
	status->found = (int)strtol(word, &end, 10);
	status->change = *end ? (int)strtol(end + 1, &end, 10) : 0;
	status->blank = *end == '/';
	return PAM_SUCCESS;
}

int phases_verify(pam_handle_t *pamh, const struct options *o, uint32_t flags,
		  const char *user, const char *password)
{
	ck_assert_ptr_eq(pamh, handle);
	say("verify%u%s:%s:%s ", flags, o->nullok ? "+" : "", user, password);
	return comes("verdict");
}

int ask_service(pam_handle_t *pamh, const struct options *o,
		struct request *req, struct secret *secret)
{
	ck_assert(pamh == handle && o && req->op == OP_SET);
	say("set%u:%s:%s:%s ", req->flags, req->user, secret->password,
	    secret->new_password);
	return comes("stored");
}

const struct hello *ask_hello(pam_handle_t *pamh)
{
	static const struct hello hello = { 0, 0, 6, 32 };

	ck_assert_ptr_eq(pamh, handle);
	return no_hello ? NULL : &hello;
}

void phases_tell(pam_handle_t *pamh, unsigned flags, int style,
		 const char *text)
{
	ck_assert_ptr_eq(pamh, handle);
	say("<%d%s %s> ", style, flags & PAM_SILENT ? " silent" : "", text);
}

/* ---- calls ---- */
typedef int entry(pam_handle_t *pamh, int flags, int argc, const char **argv);

struct call {
	int flags;
	const char *args, *events, *says;
	int code;
};

static void calls(entry *call, const struct call *c)
{
	char words[64], *rest;
	const char *argv[3];
	int argc = 0;

	snprintf(words, sizeof(words), "%s", c->args);
	argv[0] = strtok_r(words, " ", &rest);
	while (argv[argc])
		argv[++argc] = strtok_r(NULL, " ", &rest);
	events = c->events;
	ck_assert_int_eq(call(handle, c->flags, argc, argv), c->code);
	ck_assert_str_eq(events, "");
	ck_assert_str_eq(said, c->says);
	*said = '\0';
}

static void fresh(void)
{
	uid = euid = 1001;
	old = "oldone";
	*said = '\0';
}

#define UNIX "before_unix"
#define BAD "{5 bad username [-ann]} "

static const struct call auths[] = {
	{ 0, "", "user=ann new=secret verdict!0", "verify0:ann:secret ", 0 },
	{ 0, "", "user=ann new=secret verdict!7", "verify0:ann:secret ", 7 },
	{ 0, "", "user=ann new= verdict!7", "verify0:ann: ", 7 },
	{ 0, "", "user!30", "", PAM_INCOMPLETE },
	{ 0, "", "user!19", "", PAM_CONV_ERR },
	{ 0, "debug", "user!19", "{7 could not obtain username} ",
	  PAM_CONV_ERR },
	{ 0, "debug", "user!30", "", PAM_INCOMPLETE },
	{ 0, "debug", "user=ann new!30", "{7 username [ann] obtained} ",
	  PAM_INCOMPLETE },
	{ 0, "", "user=-ann", BAD, PAM_USER_UNKNOWN },
	{ 0, "", "user=+ann", "{5 bad username [+ann]} ", PAM_USER_UNKNOWN },
	{ 0, "", "user=ann new!30", "", PAM_INCOMPLETE },
	{ 0, "", "user=ann new!19",
	  "{2 auth could not identify password for [ann]} ", PAM_CONV_ERR },
	/* who has no password */
	{ 0, "nullok", "user=ann status=0/0/1", "look0:ann {7 user [ann] has "
	  "blank password; authenticated without it} ", 0 },
	{ 0, "nullok", "user=ann status=0/0 new=x verdict!7",
	  "look0:ann verify0+:ann:x ", 7 },
	{ 0, "nullok", "user=ann status!9 new=x verdict!7",
	  "look0:ann verify0+:ann:x ", 7 },
	{ PAM_DISALLOW_NULL_AUTHTOK, "nullok", "user=ann new= verdict!7",
	  "verify0:ann: ", 7 },
	{ 0, UNIX, "user=ann status=0/0/1", "look0:ann ", PAM_IGNORE },
	{ 0, UNIX " nullok", "user=ann status=0/0/1", "look0:ann ",
	  PAM_IGNORE },
	{ PAM_DISALLOW_NULL_AUTHTOK, UNIX, "user=ann status=0/0/1",
	  "look0:ann ", PAM_IGNORE },
	{ 0, UNIX, "user=ann status=0/0 new=x verdict!10",
	  "look0:ann verify0:ann:x ", PAM_USER_UNKNOWN },
};

START_TEST(authenticates)
{
	calls(pam_sm_authenticate, &auths[_i]);
}
END_TEST

/* pam_unix's account phase and setcred read the result of the last attempt. */
START_TEST(keeps_the_result)
{
	static const struct call right = { 0, "",
		"user=ann new=x verdict!0", "verify0:ann:x ", 0 };
	static const struct call wrong = { 0, "",
		"user=ann new=x verdict!7", "verify0:ann:x ", 7 };
	static const struct call in = { 0, "", "", "", 0 };
	static const struct call out = { 0, "", "", "", PAM_IGNORE };

	calls(pam_sm_setcred, &in);
	calls(pam_sm_authenticate, &wrong);
	ck_assert_int_eq(*(int *)results.data, 7);
	calls(pam_sm_setcred, &out);
	calls(pam_sm_authenticate, &right);
	ck_assert_int_eq(*(int *)results.data, 0);
	calls(pam_sm_setcred, &in);
	calls(pam_sm_authenticate, &wrong);
	no_memory = true;
	calls(pam_sm_authenticate, &right);
	ck_assert_ptr_null(results.data);
	calls(pam_sm_setcred, &in);
}
END_TEST

/* ---- what is left of the connection ---- */

/* Makes a link, whose service has told the result.  Returns its other end. */
static int offer(bool admits)
{
	struct link *l = link_kept(handle);
	struct stat st;
	int pair[2];

	ck_assert_ptr_nonnull(l);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
	ck_assert_int_eq(fstat(pair[0], &st), 0);
	l->fd = pair[0];
	l->ino = st.st_ino;
	l->owner = getpid();
	l->used = true;
	l->admits = admits;
	return pair[1];
}

/* What has come there; "" if the link is left. */
static const char *hears(int fd)
{
	static char heard[64];
	enum tell tell;

	*heard = '\0';
	while (tell_recv(fd, &tell) == 0)
		strcat(heard, tell == TELL_ADMITTED ? "admitted " : "got ");
	if (errno != EAGAIN)
		strcat(heard, "end");
	return heard;
}

static const struct {
	const char *name;
	entry *call;
	bool admits;		/* the password was correct, publicly */
	struct call c;
	const char *hears;
} rests[] = {
	{ "wrong", pam_sm_authenticate, false, { 0, "",
	  "user=ann new=x verdict!7", "verify0:ann:x ", 7 }, "end" },
	{ "right, which counts until setcred", pam_sm_authenticate, true, { 0,
	  "", "user=ann new=x verdict!0", "verify0:ann:x ", 0 }, "" },
	{ "account", pam_sm_acct_mgmt, false, { 0, "", "user=ann status!9",
	  "look0:ann ", PAM_IGNORE }, "end" },
	{ "account after a right one", pam_sm_acct_mgmt, true, { 0, "",
	  "user=ann status!9", "look0:ann ", PAM_IGNORE }, "" },
	{ "password", pam_sm_chauthtok, false, { PAM_PRELIM_CHECK, "",
	  "user=ann status!10", "look0:ann ", PAM_AUTHINFO_UNAVAIL }, "end" },
	{ "setcred", pam_sm_setcred, true, { PAM_ESTABLISH_CRED, "", "", "",
	  0 }, "admitted end" },
	{ "setcred after a wrong one", pam_sm_setcred, false, { 0, "", "", "",
	  0 }, "end" },
	{ "setcred with other flags", pam_sm_setcred, true, {
	  PAM_REINITIALIZE_CRED | PAM_SILENT, "", "", "", 0 },
	  "admitted end" },
	{ "logout", pam_sm_setcred, true, { PAM_DELETE_CRED, "", "", "", 0 },
	  "" },
	{ "silent logout", pam_sm_setcred, true, { PAM_DELETE_CRED |
	  PAM_SILENT, "", "", "", 0 }, "" },
};

START_TEST(leaves_no_link)
{
	const int service = offer(rests[_i].admits);
	const char *heard;

	calls(rests[_i].call, &rests[_i].c);
	heard = hears(service);
	ck_assert_msg(strcmp(heard, rests[_i].hears) == 0, "%s: \"%s\"",
		      rests[_i].name, heard);
}
END_TEST

#define EXPIRED(style) "{5 account ann has expired} <" style \
	" Your account has expired; please contact your system administrator.> "

static const struct call accounts[] = {
	{ 0, "", "user=-ann", BAD, PAM_USER_UNKNOWN },
	{ 0, "", "user=ann status!9", "look0:ann ", PAM_IGNORE },
	{ 0, "", "user=ann status=10/0", "look0:ann ", PAM_IGNORE },
	{ 0, "", "user=ann status=0/13", "look0:ann " EXPIRED("3"),
	  PAM_ACCT_EXPIRED },
	{ PAM_SILENT, "", "user=ann status=0/27",
	  "look0:ann " EXPIRED("3 silent"), PAM_AUTHTOK_EXPIRED },
	{ 0, "", "user=ann status=0/0 status!9", "look0:ann look8:ann ",
	  PAM_IGNORE },
	{ 0, "", "user=ann status=0/0 status=9/0", "look0:ann look8:ann ",
	  PAM_IGNORE },
	{ 0, "", "user=ann status=0/0 status=0/0", "look0:ann look8:ann ",
	  PAM_NEW_AUTHTOK_REQD },
	{ 0, "", "user=ann status=0/20 status=0/20", "look0:ann look8:ann ",
	  0 },
};

START_TEST(knows_accounts)
{
	calls(pam_sm_acct_mgmt, &accounts[_i]);
}
END_TEST

/* Programs that can read the file leave the dates to pam_unix(8). */
START_TEST(leaves_accounts)
{
	static const struct call c = { 0, "", "user=ann", "", PAM_IGNORE };

	readable = true;
	calls(pam_sm_acct_mgmt, &c);
	readable = false;
	euid = 0;
	calls(pam_sm_acct_mgmt, &c);
}
END_TEST

#define PRELIM PAM_PRELIM_CHECK
#define UPDATE PAM_UPDATE_AUTHTOK
#define AGED PAM_CHANGE_EXPIRED_AUTHTOK
#define CHANGING "[Changing password for ann.] "
#define OLD "user=ann status=0/0 shown=1 old=oldone "
#define NEW "user=ann status=0/0 item=1 "
#define NO(text) "<3 " text "> forget "
#define SHORT NO("You must choose a longer password.")
#define NO_MORE "{5 new password not acceptable} "
#define SET "look0:ann set3:ann:oldone:"

static const struct call changes[] = {
	{ 0, "", "user=ann", "{2 password received unknown request} ",
	  PAM_ABORT },
	{ PRELIM, "", "user=-ann", BAD, PAM_USER_UNKNOWN },
	/* the old password */
	{ PRELIM, "", OLD "verdict!0",
	  "look0:ann " CHANGING "verify16+:ann:oldone ", 0 },
	{ PRELIM, "", OLD "verdict!7",
	  "look0:ann " CHANGING "verify16+:ann:oldone ", PAM_AUTH_ERR },
	{ PRELIM, UNIX, OLD "verdict!7",
	  "look0:ann " CHANGING "verify16+:ann:oldone ", PAM_AUTHTOK_ERR },
	{ PRELIM, UNIX, OLD "verdict!11",
	  "look0:ann " CHANGING "verify16+:ann:oldone ", PAM_AUTHTOK_ERR },
	{ PRELIM, UNIX, OLD "verdict!24",
	  "look0:ann " CHANGING "verify16+:ann:oldone ", PAM_AUTHTOK_ERR },
	{ PRELIM, UNIX, OLD "verdict!4",
	  "look0:ann " CHANGING "verify16+:ann:oldone ", PAM_SYSTEM_ERR },
	/* The file has the user, so pam_unix(8) must not write. */
	{ PRELIM, "", OLD "verdict!10",
	  "look0:ann " CHANGING "verify16+:ann:oldone ",
	  PAM_AUTHINFO_UNAVAIL },
	{ PRELIM, "", OLD "verdict!25",
	  "look0:ann " CHANGING "verify16+:ann:oldone ",
	  PAM_AUTHINFO_UNAVAIL },
	{ PRELIM, "", "user=ann status!10", "look0:ann ",
	  PAM_AUTHINFO_UNAVAIL },
	{ PRELIM, "", "user=ann status!25", "look0:ann ",
	  PAM_AUTHINFO_UNAVAIL },
	{ PRELIM, "", "user=ann status!15", "look0:ann ", PAM_CRED_UNAVAIL },
	{ PRELIM, "", "user=ann status=10/0", "look0:ann {7 user \"ann\" does "
	  "not exist in /etc/passwd} ", PAM_USER_UNKNOWN },
	{ PRELIM, "", "user=ann status=25/0", "look0:ann {7 password of user "
	  "\"ann\" is not in /etc/shadow} ", PAM_IGNORE },
	{ PRELIM, "", "user=ann status=0/0 shown!19", "look0:ann " CHANGING,
	  PAM_CONV_ERR },
	{ PRELIM | PAM_SILENT, "", "user=ann status=0/0 old=x verdict!0",
	  "look0:ann verify16+:ann:x ", 0 },
	{ PRELIM, "", "user=ann status=0/0 shown=1 old!19", "look0:ann "
	  CHANGING "{5 password - (old) token not obtained} ", PAM_CONV_ERR },
	{ PRELIM, "", "user=ann status=0/20/1", "look0:ann ", 0 },
	/* dates */
	{ PRELIM, "", "user=ann status=0/20 shown=1 old=oldone verdict!0",
	  "look0:ann " CHANGING "verify16+:ann:oldone "
	  "<3 You must wait longer to change your password.> ",
	  PAM_AUTHTOK_ERR },
	{ PRELIM | AGED, "", "user=ann status=0/20 shown=1 old=x verdict!0",
	  "look8:ann " CHANGING "verify16+:ann:x "
	  "<3 Your password is not expired.> ", PAM_AUTHTOK_ERR },
	{ PRELIM, "", "user=ann status=0/13 shown=1 old=oldone verdict!0",
	  "look0:ann " CHANGING "verify16+:ann:oldone ", PAM_ACCT_EXPIRED },
	{ PRELIM, UNIX, "user=ann status=0/13 shown=1 old=oldone verdict!0",
	  "look0:ann " CHANGING "verify16+:ann:oldone ", PAM_AUTHTOK_ERR },
	{ PRELIM, UNIX, "user=ann status=0/27 shown=1 old=oldone verdict!0",
	  "look0:ann " CHANGING "verify16+:ann:oldone ", PAM_AUTHTOK_ERR },
	{ PRELIM, "", "user=ann status=0/10 shown=1 old=oldone verdict!0",
	  "look0:ann " CHANGING "verify16+:ann:oldone ",
	  PAM_AUTHINFO_UNAVAIL },
	/* the new password */
	{ UPDATE, "", NEW "new=newone stored!0", SET "newone ", 0 },
	{ UPDATE, "", NEW "new=newone stored!20", SET "newone ",
	  PAM_AUTHTOK_ERR },
	{ UPDATE, "", NEW "new=newone stored!15", SET "newone ",
	  PAM_AUTHTOK_ERR },
	{ UPDATE, "", NEW "new=newone stored!10", SET "newone ",
	  PAM_AUTHINFO_UNAVAIL },
	{ UPDATE | AGED, "", NEW "new=newone stored!0",
	  "look8:ann set11:ann:oldone:newone ", 0 },
	{ UPDATE, "", NEW "new!19", "look0:ann ", PAM_CONV_ERR },
	{ UPDATE, "", NEW "new= new=oldone new=ssss", "look0:ann "
	  NO("No password has been supplied.")
	  NO("The password has not been changed.") SHORT NO_MORE,
	  PAM_AUTHTOK_ERR },
	{ UPDATE, "", NEW "new=sssss new=ssssss stored!0",
	  "look0:ann " SHORT "set3:ann:oldone:ssssss ", 0 },
	{ UPDATE, "", NEW "new=s" BYTES_32 " new=" BYTES_32 " stored!0",
	  "look0:ann " NO("You must choose a shorter password.")
	  "set3:ann:oldone:" BYTES_32 " ", 0 },
	{ UPDATE, "minlen=8", NEW "new=newone new=newoneee stored!0",
	  "look0:ann " SHORT "set3:ann:oldone:newoneee ", 0 },
	{ UPDATE, "use_authtok", NEW "new=x", "look0:ann " SHORT NO_MORE,
	  PAM_AUTHTOK_ERR },
	{ UPDATE, "use_first_pass", NEW "new=x", "look0:ann " SHORT NO_MORE,
	  PAM_AUTHTOK_ERR },
	{ UPDATE, "", "user=ann status=0/0 item!29", "look0:ann "
	  "{5 user not authenticated} ", PAM_BAD_ITEM },
	/* pam_unix(8) sets it, with the password that was asked for here. */
	{ UPDATE, "", "user=ann status=25/0 item=1 new=newone", "look0:ann "
	  "{7 password of user \"ann\" is not in /etc/shadow} ", PAM_IGNORE },
	{ UPDATE, "", "user=ann status=10/0", "look0:ann {7 user \"ann\" does "
	  "not exist in /etc/passwd} ", PAM_USER_UNKNOWN },
	{ UPDATE, "", "user=ann status!10", "look0:ann ",
	  PAM_AUTHINFO_UNAVAIL },
};

START_TEST(changes_passwords)
{
	calls(pam_sm_chauthtok, &changes[_i]);
}
END_TEST

static const struct call by_root[] = {
	{ PRELIM, "", "user=ann status=0/0", "look4:ann ", 0 },
	{ PRELIM | AGED, "", OLD "verdict!0",
	  "look8:ann " CHANGING "verify16+:ann:oldone ", 0 },
	{ UPDATE, "", NEW "new=x stored!0", "look4:ann set5:ann::x ", 0 },
	{ UPDATE | AGED, "", NEW "new=x new=newone stored!0",
	  "look8:ann " SHORT "set3:ann::newone ", 0 },
};

/* login(1) is root's, but the user changes a password that has expired. */
START_TEST(changes_as_root)
{
	uid = 0;
	old = NULL;
	calls(pam_sm_chauthtok, &by_root[_i]);
}
END_TEST

/* A password that root has set meanwhile is not overwritten. */
START_TEST(changes_a_blank_one)
{
	static const struct call c[] = {
		{ UPDATE, "", NEW "new=newone stored!0",
		  "look0:ann set3:ann::newone ", 0 },
		{ UPDATE | AGED, "", NEW "new=newone stored!0",
		  "look8:ann set3:ann::newone ", 0 },
	};

	old = NULL;
	calls(pam_sm_chauthtok, &c[_i]);
}
END_TEST

/* Root may have the old one asked for, by another module. */
START_TEST(root_knows_the_old_one)
{
	static const struct call c = { UPDATE, "", NEW "new=x stored!0",
		"look4:ann set7:ann:oldone:x ", 0 };

	uid = 0;
	calls(pam_sm_chauthtok, &c);
}
END_TEST

/* Without its rules, lyra2d still refuses what it would not store. */
START_TEST(changes_without_hello)
{
	static const struct call c = { UPDATE, "", NEW "new=x stored!0",
		SET "x ", 0 };

	no_hello = true;
	calls(pam_sm_chauthtok, &c);
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof((table)[0]))

int main(void)
{
	Suite *suite = suite_create("phases");
	TCase *tc = tcase_create("entries");

	tcase_add_checked_fixture(tc, fresh, NULL);
	tcase_add_loop_test(tc, authenticates, 0, COUNT(auths));
	tcase_add_test(tc, keeps_the_result);
	tcase_add_loop_test(tc, leaves_no_link, 0, COUNT(rests));
	tcase_add_loop_test(tc, knows_accounts, 0, COUNT(accounts));
	tcase_add_test(tc, leaves_accounts);
	tcase_add_loop_test(tc, changes_passwords, 0, COUNT(changes));
	tcase_add_loop_test(tc, changes_as_root, 0, COUNT(by_root));
	tcase_add_loop_test(tc, changes_a_blank_one, 0, 2);
	tcase_add_test(tc, root_knows_the_old_one);
	tcase_add_test(tc, changes_without_hello);
	suite_add_tcase(suite, tc);
	return check_main(suite);
}
