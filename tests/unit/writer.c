/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The writer of /etc/shadow: each of its calls fails once, or is its last.
 *
 * The writer's calls to the system go through a seam, writer-seams.h, which
 * counts the calls and strikes at one: with an error; with a kill,
 * after which the kernel closes the files; with fewer bytes than requested;
 * with a clock that jumps.  All this happens in one process, thousands of times
 * a second.  Afterwards /etc/shadow is the old file or the new one, whole, with
 * owner, mode, ACL and other attributes.  No process has the lock.  The next
 * change succeeds and leaves no other file.  A new file has no name before it
 * is on the disk.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#define WRITER_TEST
#include "check-main.h"
#include "pam/shadow/shadow.h"
#include "src/config/paths.h"
#include "writer-seams.h"

#define COUNT(table) (int)(sizeof(table) / sizeof((table)[0]))
#define MANY 400		/* more calls than any change makes */
#define HOUR 3600000
#define NAMES 8			/* for the new file */
#define TEMP PATH_SHADOW_DIR "/.shadow.lyra2.%d"
#define MOST_BYTES (512L << 20)

/* ---- the seam ---- */
/*
 * In place of an error: half of the bytes; none; success without effect; a jump
 * of the clock
 */
enum { HALF = -1, NONE = -2, LIE = -3, JUMP = -4 };

static struct fault {
	int nth;		/* the call that it meets */
	int error;
	bool lasts;		/* later calls of it fail, too */
	int kill;		/* the process ends before this call */
} fault;

static int calls, new_file;
static const char *struck;	/* the name of the call */
bool seam_dirty;
static bool on_disk;
static int64_t now;
static sigjmp_buf killed;
static void (*meanwhile)(void);	/* other programs act before the rename */
static int other_lock = -1;
static int64_t release_at;	/* the time when that is released */
static bool changing;

static bool strikes(const char *call)
{
	bool due = ++calls == fault.nth ||
		(fault.lasts && strcmp(struck, call) == 0);
	struct stat st;

	ck_assert_int_lt(calls, MANY);
	if (stat(PATH_SHADOW_DIR "/.shadow.lyra2.0", &st) == 0)
		ck_assert_uint_eq(st.st_mode & 0777 & ~0640U, 0);
	if (calls == fault.kill)
		siglongjmp(killed, 1);
	if (due) {
		struck = call;
		errno = fault.error;
	}
	return due;
}

/* No signal ends the change half-way. */
static bool is_undisturbed(void)
{
	sigset_t blocked;

	sigprocmask(SIG_BLOCK, NULL, &blocked);
	return sigismember(&blocked, SIGTERM) && sigismember(&blocked, SIGALRM);
}

bool seam_fails(const char *call)
{
	return strikes(call) && fault.error > 0;
}

/* Linux closes the file even if close(2) fails. */
int seam_close(int fd)
{
	ck_assert_int_eq(close(fd), 0);
	if (!seam_fails("close"))
		return 0;
	seam_dirty = seam_dirty || fd == new_file;
	return -1;
}

ssize_t seam_read(int fd, void *p, size_t len)
{
	if (!strikes("read") || fault.error == JUMP)
		return read(fd, p, len);
	if (fault.error == HALF)
		return read(fd, p, (len + 1) / 2);
	return fault.error > 0 ? -1 : fault.error == LIE;
}

ssize_t seam_write(int fd, const void *p, size_t len)
{
	new_file = fd;
	seam_dirty = true;
	if (!strikes("write") || fault.error == JUMP)
		return write(fd, p, len);
	if (fault.error == HALF)
		return write(fd, p, (len + 1) / 2);
	return fault.error > 0 ? -1 : fault.error == LIE;
}

/* Does not wait for a disk, but notes which data would be on it. */
int seam_fsync(int fd)
{
	if (seam_fails("fsync"))
		return -1;
	on_disk = fd != new_file;
	if (!on_disk) {
		seam_dirty = false;
		if (meanwhile)
			meanwhile();
	}
	return 0;
}

/* Check asks for the time, too, but not during a change. */
int clock_gettime(clockid_t clock, struct timespec *t)
{
	if (!changing)
		return (int)syscall(SYS_clock_gettime, clock, t);
	ck_assert_int_eq(clock, CLOCK_MONOTONIC);
	if (strikes("clock") && fault.error == JUMP)
		now += HOUR;
	*t = (struct timespec){ now / 1000, now % 1000 * 1000000 };
	return 0;
}

int seam_nanosleep(const struct timespec *t, struct timespec *left)
{
	(void)left;
	now += t->tv_sec * 1000 + t->tv_nsec / 1000000;
	if (other_lock >= 0 && now >= release_at) {
		ck_assert_int_eq(close(other_lock), 0);
		other_lock = -1;
	}
	return seam_fails("nanosleep") ? -1 : 0;
}

/* For one test: a label in front of the file's attributes */
static struct {
	const char *name;	/* NULL: none */
	int error;		/* errno of setting it */
} label;

ssize_t seam_flistxattr(int fd, char *list, size_t size)
{
	const size_t own = label.name ? strlen(label.name) + 1 : 0;
	ssize_t n = seam_fails("flistxattr") ? -2 :
		flistxattr(fd, list + own, size - own);

	if (n == -2)
		return -1;
	if (own)
		memcpy(list, label.name, own);
	return n < 0 ? n : n + (ssize_t)own;
}

static bool is_label(const char *name)
{
	return label.name && strcmp(name, label.name) == 0;
}

ssize_t seam_fgetxattr(int fd, const char *name, void *p, size_t size)
{
	if (seam_fails("fgetxattr"))
		return -1;
	return is_label(name) ? 1 : fgetxattr(fd, name, p, size);
}

int seam_fsetxattr(int fd, const char *name, const void *p, size_t n,
		   int flags)
{
	seam_dirty = true;
	if (seam_fails("fsetxattr"))
		return -1;
	if (!is_label(name))
		return fsetxattr(fd, name, p, n, flags);
	errno = label.error;
	return label.error ? -1 : 0;
}

/* For one test: attributes that others have set for the file */
static uint64_t file_attributes;

int seam_statx(int dir, const char *name, int flags, unsigned mask,
	       struct statx *st)
{
	if (seam_fails("statx") || statx(dir, name, flags, mask, st) < 0)
		return -1;
	st->stx_attributes |= file_attributes;
	return 0;
}

/* The file and the new line, whose hashes stay in no memory */
static struct { char *p; size_t size; } blocks[2];

void *seam_malloc(size_t size)
{
	const int i = blocks[0].p != NULL;

	if (seam_fails("malloc"))
		return NULL;
	ck_assert_ptr_null(blocks[i].p);
	blocks[i].p = malloc(size);
	blocks[i].size = size;
	return blocks[i].p;
}

/* The last byte of the file's block is none of the file. */
void seam_free(void *p)
{
	const int i = p != blocks[0].p;
	const char *bytes = p;
	size_t n;

	if (!p)
		return;
	ck_assert_ptr_eq(p, blocks[i].p);
	for (n = 0; n + 1 < blocks[i].size; n++)
		ck_assert_int_eq(bytes[n], 0);
	blocks[i].p = NULL;
	free(p);
}

int seam_renameat(int from, const char *old, int to, const char *new)
{
	ck_assert(!seam_dirty && is_undisturbed());
	return seam_fails("renameat") ? -1 : renameat(from, old, to, new);
}

/* ---- changes ---- */
#define GONE 100		/* not a result: it was killed */
#define TEXT_BYTES 256
#define A "root:!:1::::::\n# a comment\nalice:"
#define Z ":0:99999:7:::\nbob:*:1::::::"

#define REHASH { "alice", "$6$old", "$y$new", -1 }

static const struct {
	const char *before, *after;	/* NULL: the text does not change */
	struct shadow_change change;
	enum shadow_result result;
} changes[] = {
	{ A "$6$old:19000" Z, A "$y$new:19000" Z, REHASH, SHADOW_DONE },
	{ A "$6$old:19000" Z, A "$y$new:20000" Z,
		{ "alice", "$6$old", "$y$new", 20000 }, SHADOW_DONE },
	{ A "!:19000" Z, A "$y$new:" Z,
		{ "alice", NULL, "$y$new", 0 }, SHADOW_DONE },
	{ A "!:19000" Z, A "!:19000" Z "\ncarol:$y$new:20000::::::\n",
		{ "carol", NULL, "$y$new", 20000 }, SHADOW_DONE },
#define STRUCK 4	/* these meet the faults */
	{ A "$6$old:1" Z "\r\n", A "$y$new:1" Z "\r\n", REHASH, SHADOW_DONE },
	{ A "$6$old:1:" Z, NULL, REHASH, SHADOW_REFUSED },
	{ A "$6$old" Z, NULL, REHASH, SHADOW_REFUSED },
	{ A "$6$old:\r" Z, NULL, REHASH, SHADOW_REFUSED },
	{ A "$6$old:1" Z "\nalice:", NULL, REHASH, SHADOW_REFUSED },
	/* What libc sees, and what it does not */
	{ "\f alice:$6$old:1:0:9\nbob:x\n", "\f alice:$y$new:1:0:9\nbob:x\n",
		REHASH, SHADOW_DONE },
	{ "#alice:!\nalice:$6$old:::: \n", "#alice:!\nalice:$y$new:1::: \n",
		{ "alice", "$6$old", "$y$new", 1 }, SHADOW_DONE },
	{ "alice:!:x:0:9:7:::\nalice:$6$old:1:0:9\n", NULL, REHASH,
		SHADOW_REFUSED },
	{ "alice:$6$old:1:0:9\nalice:!:x\n", NULL, REHASH, SHADOW_REFUSED },
	{ "alice:$6$old:1:0:9\n alice\n", NULL, REHASH, SHADOW_REFUSED },
	{ " alice:$6$old:1:0:9", NULL, REHASH, SHADOW_REFUSED },
	{ "alice\n", NULL, { "alice", NULL, "new", 1 }, SHADOW_REFUSED },
	{ A "!:1" Z, NULL, { "alice", NULL, "a:b", 1 }, SHADOW_REFUSED },
	{ A "!:1" Z, NULL, { "alice", NULL, "a\nalice:b", 1 },
		SHADOW_REFUSED },
	{ A "!:1" Z, NULL, { "carol", NULL, "a:b", 1 }, SHADOW_REFUSED },
	{ "bob:$6$old:1::::::\n", NULL, REHASH, SHADOW_MISSING },
	{ A "!$6$old:1" Z, NULL, REHASH, SHADOW_CHANGED },
	{ A "$6$odd:1" Z, NULL, REHASH, SHADOW_CHANGED },
	{ A "$6$older:1" Z, NULL, REHASH, SHADOW_CHANGED },
	{ A "$6$ol:1" Z, NULL, REHASH, SHADOW_CHANGED },
};

/* user::rw-,user:7:r--,group::r--,mask::r--,other::---, as in acl(5) */
static const uint32_t acl[] = {
	2, 6 << 16 | 1, -1U, 4 << 16 | 2, 7, 4 << 16 | 4, -1U, 4 << 16 | 16,
	-1U, 32, -1U
};

static struct attributes {
	uint32_t mode, uid, gid;
	char acl[sizeof(acl)], note[4];
} given;

static struct attributes attributes(void)
{
	struct attributes a = { 0 };
	struct stat st;

	ck_assert_int_eq(stat(PATH_SHADOW, &st), 0);
	a.mode = st.st_mode;
	a.uid = st.st_uid;
	a.gid = st.st_gid;
	getxattr(PATH_SHADOW, "system.posix_acl_access", a.acl, sizeof(a.acl));
	getxattr(PATH_SHADOW, "user.note", a.note, sizeof(a.note));
	return a;
}

static void write_file(const char *text)
{
	FILE *f = fopen(PATH_SHADOW, "w");

	ck_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
	if (geteuid() == 0)
		ck_assert_int_eq(chown(PATH_SHADOW, 1, 42), 0);
	ck_assert_int_eq(chmod(PATH_SHADOW, 01640), 0);
	/* Not every file system has these. */
	setxattr(PATH_SHADOW, "system.posix_acl_access", acl, sizeof(acl), 0);
	setxattr(PATH_SHADOW, "user.note", "kept", 4, 0);
	given = attributes();
}

static const char *file_now(void)
{
	static char text[TEXT_BYTES];
	FILE *f = fopen(PATH_SHADOW, "r");

	ck_assert_ptr_nonnull(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	return text;
}

static bool leaves_nothing(void)
{
	DIR *dir = opendir(PATH_SHADOW_DIR);
	const struct dirent *e;
	bool clean = true;

	ck_assert_ptr_nonnull(dir);
	while ((e = readdir(dir)) != NULL)
		clean = clean && strncmp(e->d_name, ".shadow", 7) != 0;
	closedir(dir);
	return clean;
}

/* Takes the lock as another process would, or returns -1. */
static int take_lock(void)
{
	struct flock fl = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd = open(PATH_LOCK, O_RDWR | O_CREAT, 0600);

	return fcntl(fd, F_OFD_SETLK, &fl) == 0 ? fd : -1;
}

/* Returns the lowest free descriptor. */
static int next_file(void)
{
	int fd = dup(0);

	close(fd);
	return fd;
}

static const char *reason;
static int first_file;
static const struct fault none;

/* Makes a change as the service does, which checks before it hashes. */
static int make(const struct shadow_change *c, struct fault f)
{
	static enum shadow_result result;
	static int lock;

	fault = f;
	calls = 0;
	new_file = -1;
	first_file = next_file();
	struck = "";
	memset(blocks, 0, sizeof(blocks));
	changing = true;
	if (sigsetjmp(killed, 1)) {
		changing = false;
		return GONE;
	}
	result = shadow_lock(100, &lock);
	if (result == SHADOW_DONE && c->old)
		result = shadow_check(c);
	if (result == SHADOW_DONE)
		result = shadow_store(c);
	reason = shadow_reason(result);
	shadow_unlock(lock);
	changing = false;
	return (int)result;
}

static void make_next(void)
{
	static const struct shadow_change next = { "alice", NULL, "next", -1 };
	char expected[TEXT_BYTES];
	const char *text = file_now();

	snprintf(expected, sizeof(expected), A "next%s",
		 strchr(text + strlen(A), ':'));
	ck_assert_int_eq(make(&next, none), SHADOW_DONE);
	ck_assert_str_eq(file_now(), expected);
	ck_assert(leaves_nothing());
}

static int made, kept, gone;

/* Checks what must be true after each change, whatever the fault. */
static void judge(int i, int result)
{
	bool is_new = strcmp(file_now(), changes[i].after) == 0;
	struct attributes have = attributes();
	sigset_t blocked;
	int fd;

	if (!is_new)
		ck_assert_str_eq(file_now(), changes[i].before);
	ck_assert_mem_eq(&have, &given, sizeof(given));
	for (fd = first_file; fd < first_file + 9; fd++)
		ck_assert(close(fd) < 0 || result == GONE);
	fd = take_lock();
	ck_assert_int_ge(fd, 0);
	close(fd);
	sigprocmask(SIG_BLOCK, NULL, &blocked);
	ck_assert(!sigismember(&blocked, SIGTERM));
	if (result == SHADOW_DONE)
		ck_assert(is_new && (on_disk || strcmp(struck, "fsync") == 0));
	else if (result != GONE)
		ck_assert(!is_new);
	if (result == SHADOW_FAILED)
		ck_assert_str_eq(reason, strerror(fault.error > 0 ?
						  fault.error : EIO));
	if (result != GONE && strcmp(struck, "unlinkat") != 0)
		ck_assert(leaves_nothing());
	made += is_new;
	kept += !is_new;
	gone += result == GONE;
}

static int strike(int i, struct fault f)
{
	int result;

	write_file(changes[i].before);
	result = make(&changes[i].change, f);
	judge(i, result);
	/* After a short or interrupted read or write, the change goes on. */
	if (f.error == HALF || f.error == JUMP ||
	    (f.error == EINTR && f.kill == 0 && (strcmp(struck, "read") == 0 ||
						 strcmp(struck, "write") == 0)))
		ck_assert_int_eq(result, SHADOW_DONE);
	make_next();
	return result;
}

/* ---- tests ---- */
START_TEST(one_line_changes)
{
	ROW(changes[_i].before);
	write_file(changes[_i].before);
	ck_assert_int_eq(make(&changes[_i].change, none),
			 (int)changes[_i].result);
	ck_assert_str_eq(file_now(), changes[_i].after ? changes[_i].after :
			 changes[_i].before);
	if (changes[_i].result == SHADOW_REFUSED)
		ck_assert_ptr_nonnull(strstr(reason, PATH_SHADOW ":"));
}
END_TEST

/* Returns how many calls a change makes without a fault. */
static int calls_of(int i)
{
	write_file(changes[i].before);
	ck_assert_int_eq(make(&changes[i].change, none), SHADOW_DONE);
	return calls;
}

static const int errors[] = {
	EIO, ENOSPC, EINTR, EACCES, EROFS, ENOMEM, EDQUOT, EMFILE, EAGAIN,
	HALF, NONE, LIE, JUMP
};

START_TEST(each_call_fails)
{
	int n, e, last = calls_of(_i);

	ROW(NULL);
	for (n = 1; n <= last; n++) {
		for (e = 0; e < COUNT(errors); e++) {
			struct fault f = { .nth = n, .error = errors[e] };

			strike(_i, f);
			f.lasts = f.error != EINTR;
			strike(_i, f);
		}
	}
	printf("# change %d, %d faults: %d made, %d kept the old file\n", _i,
	       made + kept, made, kept);
}
END_TEST

/* Kills at each call, without and with an error before it. */
START_TEST(each_call_is_the_last)
{
	int n, last = calls_of(_i);

	ROW(NULL);
	for (n = 0; n <= last; n++) {
		struct fault f = { .nth = n, .error = EIO, .kill = n };

		do
			f.kill++;
		while (strike(_i, f) == GONE);
	}
	printf("# change %d, %d kills\n", _i, gone);
}
END_TEST

START_TEST(waits_for_the_lock)
{
	struct fault f = { .nth = 1, .error = JUMP };

	write_file(changes[0].before);
	other_lock = take_lock();
	release_at = 20;
	ck_assert_int_eq(make(&changes[0].change, none), SHADOW_DONE);
	ck_assert_int_ge(now, 20);
	ck_assert_int_lt(now, 100);
	other_lock = take_lock();
	now = 0;
	release_at = INT64_MAX;
	ck_assert_int_eq(make(&changes[1].change, none), SHADOW_BUSY);
	ck_assert_int_ge(now, 100);
	ck_assert_int_lt(now, 200);
	for (; f.nth <= calls; f.nth++) {
		ck_assert_int_eq(make(&changes[1].change, f), SHADOW_BUSY);
		ck_assert_int_eq(next_file(), first_file);
	}
	close(other_lock);
}
END_TEST

/* Changes by a tool that ignores the lock; each differs in one way only. */
static const struct {
	const char *text;
	bool anew;		/* the file has another inode */
	struct timespec time;
} meddlings[] = {
	{ A "$6$old:1" Z, true, { 1, 5 } },
	{ A "$6$old:1" Z "\n", false, { 1, 5 } },
	{ A "$6$own:1" Z, false, { 2, 5 } },
	{ A "$6$own:1" Z, false, { 1, 6 } },
};
static int meddling;

static void set_time(struct timespec t)
{
	struct timespec both[] = { t, t };

	ck_assert_int_eq(utimensat(AT_FDCWD, PATH_SHADOW, both, 0), 0);
}

static void meddle(void)
{
	if (meddlings[meddling].anew)
		rename(PATH_SHADOW, "aside");
	write_file(meddlings[meddling].text);
	set_time(meddlings[meddling].time);
}

START_TEST(what_others_wrote_stays)
{
	ROW(meddlings[_i].text);
	write_file(A "$6$old:1" Z);
	set_time((struct timespec){ 1, 5 });
	meddling = _i;
	meanwhile = meddle;
	ck_assert_int_eq(make(&changes[0].change, none), SHADOW_CHANGED);
	ck_assert_str_eq(file_now(), meddlings[_i].text);
	ck_assert(leaves_nothing());
}
END_TEST

/* Labels of security modules that are absent here, and of a file system */
static const struct {
	const char *name, *filesystems;
	int error;
	enum shadow_result result;
} labels[] = {
	{ "security.selinux", "nodev\tproc\n\text4\n", EPERM, SHADOW_DONE },
	{ "security.selinux", "nodev\tselinuxfs\n", EPERM, SHADOW_FAILED },
	{ "security.selinux", "nodev\tselinuxfs\n", 0, SHADOW_DONE },
	{ "security.selinux", "nodev\tsmackfs\n", EOPNOTSUPP, SHADOW_DONE },
	{ "security.selinux", "nodev\tproc\n", ENOSPC, SHADOW_FAILED },
	{ "security.selinux", NULL, EPERM, SHADOW_FAILED },
	{ "security.selinux2", "nodev\tproc\n", EPERM, SHADOW_FAILED },
	{ "security.SMACK64", "nodev\tselinuxfs\n", EPERM, SHADOW_DONE },
	{ "security.SMACK64EXEC", "nodev\tproc\n", EPERM, SHADOW_DONE },
	{ "security.SMACK64", "nodev\tsmackfs\n", EPERM, SHADOW_FAILED },
	{ "security.capability", "nodev\tproc\n", EPERM, SHADOW_FAILED },
	{ "security.new", "nodev\tproc\n", EPERM, SHADOW_FAILED },
	{ "user.new", "nodev\tproc\n", EPERM, SHADOW_FAILED },
	/* digests of the old file */
	{ "security.evm", "nodev\tselinuxfs\n", EPERM, SHADOW_DONE },
	{ "security.ima", "nodev\tselinuxfs\n", EPERM, SHADOW_DONE },
};

START_TEST(labels_of_idle_modules_are_left_out)
{
	FILE *f;

	ROW(labels[_i].name);
	write_file(changes[0].before);
	unlink(PATH_FILESYSTEMS);
	if (labels[_i].filesystems) {
		f = fopen(PATH_FILESYSTEMS, "w");
		ck_assert(f && fputs(labels[_i].filesystems, f) >= 0 &&
			  fclose(f) == 0);
	}
	label.name = labels[_i].name;
	label.error = labels[_i].error;
	ck_assert_int_eq(make(&changes[0].change, none),
			 (int)labels[_i].result);
	ck_assert_str_eq(reason, labels[_i].result == SHADOW_DONE ? "done" :
			 strerror(labels[_i].error));
	ck_assert_str_eq(file_now(), labels[_i].result == SHADOW_DONE ?
			 changes[0].after : changes[0].before);
	ck_assert(leaves_nothing());
}
END_TEST

#ifdef STATX_ATTR_MOUNT_ROOT
static const struct {
	uint64_t attributes;
	int error;
} fixed[] = {
	{ STATX_ATTR_MOUNT_ROOT, EBUSY },
	{ STATX_ATTR_IMMUTABLE, EPERM },
	{ STATX_ATTR_APPEND, EPERM },
};

/* The service finds this out before it computes a hash. */
START_TEST(what_cannot_be_replaced_is_not_tried)
{
	int lock = -1;

	ROW(NULL);
	write_file(changes[0].before);
	ck_assert_int_eq(shadow_lock(0, &lock), SHADOW_DONE);
	ck_assert_int_eq(shadow_check(&changes[0].change), SHADOW_DONE);
	file_attributes = fixed[_i].attributes;
	errno = 0;
	ck_assert_int_eq(shadow_check(&changes[0].change), SHADOW_FAILED);
	ck_assert_int_eq(errno, fixed[_i].error);
	shadow_unlock(lock);
}
END_TEST
#endif

/* Nor is it in a directory that is read-only. */
START_TEST(each_call_of_the_check_fails)
{
	bool writable = false;
	int n = 0;

	write_file(changes[0].before);
	do {
		fault = (struct fault){ .nth = ++n, .error = EROFS };
		calls = 0;
		struck = "";
		ck_assert_int_eq(shadow_check(&changes[0].change) ==
				 SHADOW_DONE, calls < n ||
				 strcmp(struck, "close") == 0);
		writable = writable || strcmp(struck, "faccessat") == 0;
	} while (calls >= n);
	ck_assert(writable);
}
END_TEST

/* Two of ours exclude each other, and keep out other tools' readers. */
START_TEST(lock_has_one_holder)
{
	struct flock reader = { .l_type = F_RDLCK, .l_whence = SEEK_SET };
	int first, second, fd = open(PATH_LOCK, O_RDWR | O_CREAT, 0600);

	ck_assert_int_eq(shadow_lock(0, &first), SHADOW_DONE);
	ck_assert_int_eq(shadow_lock(0, &second), SHADOW_BUSY);
	ck_assert_int_eq(second, -1);
	ck_assert_int_eq(fcntl(fd, F_OFD_SETLK, &reader), -1);
	shadow_unlock(first);
	ck_assert_int_eq(shadow_lock(0, &second), SHADOW_DONE);
	shadow_unlock(second);
	close(fd);
}
END_TEST

#ifdef SYS_fcntl64
#define NR_FCNTL SYS_fcntl64
#else
#define NR_FCNTL SYS_fcntl
#endif

/* From now on, the kernel has no locks of open files. */
static int be_old(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NR_FCNTL, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, args[1])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_OFD_SETLK, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
	};
	const struct sock_fprog filter = { COUNT(code), code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ? -1 :
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

/* Returns what another process gets that asks for the lock. */
static int asked_elsewhere(void)
{
	int lock, status = -1;
	pid_t pid = fork();

	if (pid == 0)
		_exit((int)shadow_lock(0, &lock));
	return waitpid(pid, &status, 0) == pid ? WEXITSTATUS(status) : -1;
}

/* Without them, the lock is that of lckpwdf(3). */
START_TEST(old_kernels_have_another_lock)
{
	struct flock fl = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int lock, status = -1, fd = open(PATH_LOCK, O_RDWR);
	pid_t pid = fork();

	if (pid == 0)
		_exit(be_old() < 0 || fcntl(fd, F_OFD_SETLK, &fl) == 0 ||
		      shadow_lock(0, &lock) != SHADOW_DONE ||
		      asked_elsewhere() != SHADOW_BUSY ||
		      (shadow_unlock(lock), asked_elsewhere()) != SHADOW_DONE);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	close(fd);
}
END_TEST

/* No link is followed, and nothing but a file is read. */
START_TEST(only_files_are_written)
{
	int lock;

	write_file(changes[0].before);
	ck_assert_int_eq(shadow_lock(0, &lock), SHADOW_DONE);
	shadow_unlock(lock);
	ck_assert_int_eq(rename(PATH_LOCK, "aside"), 0);
	ck_assert_int_eq(symlink("../../aside", PATH_LOCK), 0);
	ck_assert_int_eq(shadow_lock(0, &lock), SHADOW_FAILED);
	ck_assert_int_eq(errno, ELOOP);
	ck_assert_int_eq(lock, -1);
	ck_assert_int_eq(unlink(PATH_LOCK), 0);
	ck_assert_int_eq(rename(PATH_SHADOW, "aside"), 0);
	ck_assert_int_eq(symlink("../../aside", PATH_SHADOW), 0);
	ck_assert_int_eq(make(&changes[0].change, none), SHADOW_FAILED);
	ck_assert_str_eq(reason, "the file is a symbolic link");
	ck_assert_int_eq(unlink(PATH_SHADOW), 0);
	ck_assert_int_eq(mkfifo(PATH_SHADOW, 0600), 0);
	ck_assert_int_eq(make(&changes[0].change, none), SHADOW_FAILED);
	ck_assert_str_eq(reason, strerror(EINVAL));
	ck_assert(leaves_nothing());
	ck_assert_int_eq(unlink(PATH_SHADOW), 0);
}
END_TEST

/* Directories in which all names for the new file but one, or all, are taken */
START_TEST(names_may_be_taken)
{
	const int taken = NAMES - 1 + _i;
	char name[64];
	int n;

	write_file(changes[0].before);
	for (n = 0; n < taken; n++) {
		snprintf(name, sizeof(name), TEMP, n);
		ck_assert_int_eq(mkdir(name, 0600), 0);
	}
	ck_assert_int_eq(make(&changes[0].change, none),
			 _i ? SHADOW_FAILED : SHADOW_DONE);
	ck_assert_str_eq(file_now(), _i ? changes[0].before :
			 changes[0].after);
	ck_assert_str_eq(reason, _i ? strerror(EEXIST) : "done");
	while (n-- > 0) {
		snprintf(name, sizeof(name), TEMP, n);
		ck_assert_int_eq(rmdir(name), 0);
	}
	ck_assert(leaves_nothing());
}
END_TEST

START_TEST(huge_files_are_left_alone)
{
	write_file(changes[0].before);
	ck_assert_int_eq(truncate(PATH_SHADOW, MOST_BYTES + 1), 0);
	ck_assert_int_eq(make(&changes[0].change, none), SHADOW_FAILED);
	ck_assert_str_eq(reason, strerror(EFBIG));
}
END_TEST

/* In memory, if possible: on ext4, a rename waits for the disk. */
static char folder[] = "/dev/shm/writer.XXXXXX";

static void make_folder(void)
{
	if ((!mkdtemp(folder) && !mkdtemp(strcpy(folder, "writer.XXXXXX"))) ||
	    chdir(folder) < 0 || system("mkdir -p " PATH_SHADOW_DIR " "
					PATH_ROOT "/proc") != 0)
		abort();
}

static void remove_folder(void)
{
	if (system("rm -r \"$PWD\"") != 0)
		abort();
}

int main(void)
{
	Suite *suite = suite_create("writer");
	TCase *c = tcase_create("writer");
	int fd;

	check_descriptors(c);
	for (fd = 3; fd < 64; fd++)	/* left open by the parent */
		close(fd);
	tcase_add_unchecked_fixture(c, make_folder, remove_folder);
	tcase_add_loop_test(c, one_line_changes, 0, COUNT(changes));
	tcase_add_loop_test(c, each_call_fails, 0, STRUCK);
	tcase_add_loop_test(c, each_call_is_the_last, 0, STRUCK);
	tcase_add_test(c, waits_for_the_lock);
	tcase_add_test(c, each_call_of_the_check_fails);
	tcase_add_test(c, lock_has_one_holder);
	tcase_add_test(c, old_kernels_have_another_lock);
	tcase_add_loop_test(c, what_others_wrote_stays, 0, COUNT(meddlings));
	tcase_add_loop_test(c, labels_of_idle_modules_are_left_out, 0,
			    COUNT(labels));
#ifdef STATX_ATTR_MOUNT_ROOT
	tcase_add_loop_test(c, what_cannot_be_replaced_is_not_tried, 0,
			    COUNT(fixed));
#endif
	tcase_add_test(c, only_files_are_written);
	tcase_add_loop_test(c, names_may_be_taken, 0, 2);
	tcase_add_test(c, huge_files_are_left_alone);
	suite_add_tcase(suite, c);
	return check_main(suite);
}
