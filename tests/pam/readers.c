/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Compares our readers with those of glibc: both read the same odd files of
 * /etc, and must see the same users, hashes, dates, IDs and members.
 *
 *	readers [COUNT [SEED]]
 *
 * Writes the files of this table, and COUNT random mutations of them.  We may
 * refuse a line that glibc reads if it begins with a blank and no newline is
 * behind it; then we say so.  Writes only where /etc is a tmpfs(5), which a
 * namespace of the test has.
 */
/* entry.h has a struct of that name, too. */
#define group libc_group
#include <grp.h>
#undef group
#include <linux/magic.h>
#include <pwd.h>
#include <security/_pam_types.h>
#include <shadow.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

#include "src/account/entry.h"
#include "src/account/passwd.h"

#define PASSWD "ann:x:1001:100::/:/bin/sh\n"
#undef SHADOW
#define SHADOW "ann:$6$s$h:19000:0:99999:7:::\n"
#define GROUP "ann:x:77:bob,ann\n"
#define NUL "\001"		/* written as a NUL byte */

static const char *const passwds[] = {
	PASSWD, " \t" PASSWD, "ann:x:1:2", " ann:x:1:2", "ann:x:1:2:" NUL "\n",
	" ann:x:1:2" NUL "\n", "ann:x:+1: 2:\n", "ann:x:-1:2:\n" PASSWD,
	"ann:x:4294967295:4294967296:\n" PASSWD, "ann:x:1:\n" PASSWD,
	"ann:x:01751:4294967295:\n", "ann:x:1 :2:\n" PASSWD, "ann\n" PASSWD,
	"#ann:x:1:2:\n" PASSWD, "+::::::\n-ann::::::\n+ann\n" PASSWD,
	"ann:x:1:2\r\n" PASSWD, "ann:x:-18446744073709551615:2:\n",
	"ann:##ann:3:4:5:6:7:8:9\n", "ann:*NP*:3:4\n", "ann::3:4\n", ""
};
static const char *const shadows[] = {
	SHADOW, " " SHADOW, "\f\v\r" SHADOW, " ann:!\n" SHADOW,
	" ann:!::::\n" SHADOW, "ann:!:x:0:99999:7:::\n" SHADOW,
	"ann:$6$s$h:1:2:3:4:5:6:7:\n", "ann:$6$s$h:1:2:3\n",
	"ann:$6$s$h:1:2:3:4\n", "ann:$6$s$h:1:2:3:4:5:6:x\n" SHADOW,
	"ann:$6$s$h:1:2:3:4:5:6:-1\n", "ann:$6$s$h:1:2:3:4:5:6: \n",
	"ann:$6$s$h: 19000:+1:03:4:5:6:4294967295\n",
	"ann:$6$s$h:19000 :2:3:4:5:6:\n", "ann:$6$s$h:0x4a38:2:3:4:5:6:\n",
	"ann:$6$s$h:1:2:-1:4:5:-5:\n",
	"ann:$6$s$h:1:2:4294967295:4::4294967296:",
	"ann:$6$s$h:2147483648:4294967295:4294967294:4:5:6:\n",
	"ann:$6$s$h:1:2:3:4:5:6:" NUL "\n", "ann:$6$s" NUL "$h:1:2:3:4:5:6:\n",
	" ann:$6$s$h:1:2:3:4:5:6:", "  ann:$6$s$h:1:2:3" NUL "\n" SHADOW,
	"#ann:!\n\n+::::::::\n-ann\n" SHADOW, "ann:$6$s$h:1:2:3:4:5:6:\r\n",
	"ann:$6$s$h:1:2:3: \r\n", "ann::::: :5:6\n", "ann:$6$s$h:::9\n", ""
};
static const char *const groups[] = {
	GROUP, " " GROUP, "ann:x:y:bob\n" GROUP, "ann:x:1\n" GROUP,
	" ann:x:1:bob", "ann:x: 1: bob,, ann ,\n", "ann:x:1:ann" NUL ",bob\n",
	"ann:x:\n" GROUP, "ann:x:-1:bob\n", "ann:x:1:bob:ann,c\n", ""
};
#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static unsigned long refused, differences;

static void put(const char *path, const char *text, size_t len)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(text, 1, len, f) != len || fclose(f) != 0) {
		perror(path);
		exit(1);
	}
}

static void differs(const char *what, const char *text, size_t len)
{
	differences++;
	printf("# %s: ", what);
	for (; len > 0; len--, text++)
		printf(*text > ' ' && *text < 127 ? "%c" : "\\%03o",
		       (unsigned char)*text);
	putchar('\n');
}

/* Returns true if a difference is a refusal that names the reason. */
static bool is_refusal(const char *why)
{
	const bool refuses = why && strstr(why, ": the line begins with a "
					   "blank, and no newline ends it");

	refused += refuses;
	return refuses;
}

static void compare_passwd(const char *text, size_t len)
{
	const struct passwd *p;
	struct passwd_user user;
	int code;

	put("/etc/passwd", text, len);
	p = getpwnam("ann");
	code = passwd_find("ann", &user);
	if (is_refusal(user.odd))
		return;
	if ((code == PAM_USER_UNKNOWN) != !p ||
	    (p && (user.uid != p->pw_uid || user.gid != p->pw_gid ||
		   (code == PAM_SUCCESS) != (strcmp(p->pw_passwd, "x") == 0 ||
			strcmp(p->pw_passwd, "*NP*") == 0 ||
			strcmp(p->pw_passwd, "##ann") == 0))))
		differs("passwd", text, len);
}

static void compare_shadow(const char *text, size_t len)
{
	const struct spwd *s;
	struct entry e;
	int code;

	put("/etc/shadow", text, len);
	s = getspnam("ann");
	code = entry_find("ann", &e);
	if (is_refusal(e.damage))
		return;
	if ((code == PAM_SUCCESS) != (s != NULL) ||
	    (s && (strcmp(s->sp_pwdp, e.hash) != 0 ||
		   s->sp_lstchg != e.aging.lstchg ||
		   s->sp_min != e.aging.min || s->sp_max != e.aging.max ||
		   s->sp_inact != e.aging.inact ||
		   s->sp_expire != e.aging.expire)))
		differs("shadow", text, len);
}

static bool is_member(const struct libc_group *g, const char *name)
{
	char **m;

	for (m = g->gr_mem; *m; m++)
		if (strcmp(*m, name) == 0)
			return true;
	return false;
}

static void compare_group(const char *text, size_t len)
{
	static const char *const names[] = { "ann", "bob", "c", "", "ann " };
	const struct libc_group *theirs;
	struct group ours;
	size_t i;
	bool same;

	put("/etc/group", text, len);
	theirs = getgrnam("ann");
	same = group_read(&ours, "ann", NULL) == 0 &&
		ours.found == (theirs != NULL) &&
		(!theirs || ours.gid == theirs->gr_gid);
	for (i = 0; same && theirs && i < COUNT(names); i++)
		same = !group_lacks(&ours, names[i], ours.gid + 1) ==
			is_member(theirs, names[i]);
	if (!is_refusal(ours.why) && !same)
		differs("group", text, len);
	group_free(&ours);
}

/* A text of the table, with its NUL bytes */
static void compare_text(const char *from,
			 void compare(const char *text, size_t len))
{
	char text[512], *p;
	const size_t len = strlen(from);

	strcpy(text, from);
	while ((p = memchr(text, *NUL, len)))
		*p = '\0';
	compare(text, len);
}

static void mutate(const char *const *table, size_t n,
		   void compare(const char *text, size_t len))
{
	static const char bytes[] = ":: \t\n\n\r#+-,0129ax\377" NUL;
	char text[512];
	size_t len, at, i;

	strcpy(text, table[(size_t)rand() % n]);
	if (rand() % 2)
		strcat(text, table[(size_t)rand() % n]);
	len = strlen(text);
	for (i = (size_t)rand() % 5; i > 0; i--) {
		const char c = bytes[(size_t)rand() % (sizeof(bytes) - 1)];

		at = (size_t)rand() % (len + 1);
		if (at < len && rand() % 3 == 0) {
			memmove(text + at, text + at + 1, --len - at);
		} else if (at < len && rand() % 2) {
			text[at] = c;
		} else {
			memmove(text + at + 1, text + at, len++ - at);
			text[at] = c;
		}
	}
	for (i = 0; i < len; i++)
		text[i] = text[i] == *NUL ? '\0' : text[i];
	compare(text, len);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *const *table;
		size_t n;
		void (*compare)(const char *text, size_t len);
	} files[] = {
		{ groups, COUNT(groups), compare_group },
		{ passwds, COUNT(passwds), compare_passwd },
		{ shadows, COUNT(shadows), compare_shadow },
	};
	long count = argc > 1 ? atol(argv[1]) : 0, done = 0;
	struct statfs fs;
	size_t i, k;

	if (statfs("/etc", &fs) < 0 || fs.f_type != TMPFS_MAGIC) {
		fputs("readers: /etc is the machine's own\n", stderr);
		return 2;
	}
	srand(argc > 2 ? (unsigned)atol(argv[2]) : 1);
	for (i = 0; i < COUNT(files); i++) {
		/* The entry is read only for a user with the mark "x". */
		put("/etc/passwd", PASSWD, strlen(PASSWD));
		for (k = 0; k < files[i].n; k++)
			compare_text(files[i].table[k], files[i].compare);
		for (; count > 0 && done < count * (long)(i + 1) / 3; done++)
			mutate(files[i].table, files[i].n, files[i].compare);
	}
	printf("%ld mutations, %lu refused, %lu differences\n", done, refused,
	       differences);
	return differences > 0;
}
