/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A PAM application for tests: runs calls on one handle and prints what each
 * returns and what the module says.
 *
 *	try CONFDIR SERVICE USER CALL...
 *
 * A call is auth, setcred, account or passwd.  Flags may follow, as in
 * "auth:n": n PAM_DISALLOW_NULL_AUTHTOK, e PAM_CHANGE_EXPIRED_AUTHTOK,
 * s PAM_SILENT, d PAM_DELETE_CRED.  Each prompt takes one line of standard
 * input; at its end the conversation fails.  Other words change the
 * application, or are its actions:
 *
 *	again		the next prompt gets PAM_CONV_AGAIN: ask in a later call
 *	uid:N		becomes user N altogether
 *	euid:N		has the real user ID N, as a set-user-ID program
 *	sudo:N		was started by user N and has become root, as sudo(8)
 *	ruser:NAME	names its client so, as some daemons do
 *	says:WORD	answers each prompt with that, and reads no input
 *	rhost:NAME tty:NAME	names the host or the terminal of that user
 *	nodelay		failures cause no delay
 *	quiet		the handle ends with PAM_DATA_SILENT
 *	forked		a child ends the handle, as if the user were in
 *	shell		starts a child and waits for any, as login(1) does
 *	minds:HOW	looks after its children.  HOW is wait or waitpid, in a
 *			handler of SIGCHLD; ignore; nocldwait; signalfd;
 *			subreaper; thread, in which it waits for all
 *	children	counts the children that it has noticed since then
 *	reuse		closes all descriptors, as daemons do, and opens another
 *			file by each number
 *	kept		tells whether all these files are still open
 *	open		counts the descriptors that are open
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <security/pam_appl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int again, child_fd = -1;
static const char *says;
static volatile sig_atomic_t noticed, waits;

static int answer(char **out)
{
	size_t size = 0;
	ssize_t len;

	*out = says ? strdup(says) : NULL;
	if (*out)
		return PAM_SUCCESS;
	len = getline(out, &size, stdin);
	if (len < 0) {
		free(*out);
		*out = NULL;
		return PAM_CONV_ERR;
	}
	(*out)[strcspn(*out, "\n")] = '\0';
	return PAM_SUCCESS;
}

static int converse(int n, const struct pam_message **msg,
		    struct pam_response **resp, void *arg)
{
	int i, code = PAM_SUCCESS;

	(void)arg;
	if (again) {
		again = 0;
		return PAM_CONV_AGAIN;
	}
	*resp = calloc((size_t)n, sizeof(**resp));
	for (i = 0; i < n && code == PAM_SUCCESS; i++) {
		printf("%s%s\n", msg[i]->msg_style == PAM_TEXT_INFO ? "info: " :
		       msg[i]->msg_style == PAM_ERROR_MSG ? "error: " :
		       "prompt: ", msg[i]->msg);
		if (msg[i]->msg_style == PAM_PROMPT_ECHO_OFF)
			code = answer(&(*resp)[i].resp);
	}
	return code;
}

static void no_delay(int code, unsigned us, void *arg)
{
	(void)code;
	(void)us;
	(void)arg;
}

static void set_no_delay(pam_handle_t *pamh)
{
	void (*delay)(int, unsigned, void *) = no_delay;
	const void *item;

	memcpy(&item, &delay, sizeof(item));
	pam_set_item(pamh, PAM_FAIL_DELAY, item);
}

/* Returns 1 if the word names an item of the application, and sets it. */
static int set_item(pam_handle_t *pamh, const char *word)
{
	const char *value = strchr(word, ':');
	int item = strncmp(word, "ruser:", 6) == 0 ? PAM_RUSER :
		strncmp(word, "rhost:", 6) == 0 ? PAM_RHOST :
		strncmp(word, "tty:", 4) == 0 ? PAM_TTY : 0;

	return item != 0 && pam_set_item(pamh, item, value + 1) ==
		PAM_SUCCESS;
}

static int flags_of(const char *call)
{
	const char *p = strchr(call, ':');
	int flags = 0;

	for (p = p ? p : ""; *p; p++)
		flags |= *p == 'n' ? (int)PAM_DISALLOW_NULL_AUTHTOK :
			*p == 'e' ? (int)PAM_CHANGE_EXPIRED_AUTHTOK :
			*p == 'd' ? (int)PAM_DELETE_CRED :
			*p == 's' ? (int)PAM_SILENT : 0;
	return flags;
}

static int become(const char *call)
{
	uid_t id = (uid_t)atoi(strchr(call, ':') + 1);

	if (call[0] == 'e')
		return setresuid(id, 0, 0);
	return setresgid(id, id, id) || setresuid(id, id, id);
}

/* Takes the child that has ended; with waitpid(2), also all others. */
static void on_child(int number)
{
	int saved = errno;

	(void)number;
	noticed++;
	if (waits)
		(void)wait(NULL);
	else
		while (waitpid(-1, NULL, WNOHANG) > 0)
			continue;
	errno = saved;
}

/* Waits also for children that only __WCLONE finds. */
static void *wait_for_all(void *arg)
{
	const struct timespec pause = { 0, 100000 };

	for (;;)
		if (waitpid(-1, NULL, __WALL) < 0)
			nanosleep(&pause, NULL);
	return arg;
}

static void mind_children(const char *how)
{
	pthread_t thread;
	struct sigaction action = { .sa_handler = on_child };
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	waits = strcmp(how, "wait") == 0;
	if (strcmp(how, "ignore") == 0)
		action.sa_handler = SIG_IGN;
	if (strcmp(how, "nocldwait") == 0)
		action.sa_flags = SA_NOCLDWAIT;
	if (strcmp(how, "signalfd") == 0 &&
	    sigprocmask(SIG_BLOCK, &child, NULL) == 0)
		child_fd = signalfd(-1, &child, SFD_NONBLOCK);
	if (strcmp(how, "thread") == 0 &&
	    pthread_create(&thread, NULL, wait_for_all, NULL) != 0)
		exit(9);
	if (strcmp(how, "subreaper") == 0)
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	sigaction(SIGCHLD, &action, NULL);
}

/* Counts a moment later, in case the service leaves a child. */
static int children(void)
{
	struct signalfd_siginfo info;

	while (sleep(1) > 0)
		continue;
	if (child_fd >= 0 && read(child_fd, &info, sizeof(info)) > 0)
		noticed++;
	while (waitpid(-1, NULL, WNOHANG) > 0)
		noticed++;
	return noticed;
}

static int run(pam_handle_t *pamh, const char *call)
{
	static const struct {
		const char *name;
		int (*call)(pam_handle_t *, int);
	} calls[] = {
		{ "auth", pam_authenticate }, { "setcred", pam_setcred },
		{ "account", pam_acct_mgmt }, { "passwd", pam_chauthtok },
	};
	size_t len = strcspn(call, ":"), i;

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (strlen(calls[i].name) == len &&
		    strncmp(call, calls[i].name, len) == 0)
			return calls[i].call(pamh, flags_of(call));
	return PAM_SYSTEM_ERR;
}

enum { FIRST = 3, LAST = 63 };

static int reuse(void)
{
	int other = open("/dev/null", O_RDWR), fd;

	for (fd = FIRST; fd <= LAST; fd++)
		if (dup2(other, fd) < 0)
			return 1;
	return 0;
}

static int kept(void)
{
	int fd;

	for (fd = FIRST; fd <= LAST; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			return 1;
	return 0;
}

static int count_open(void)
{
	int fd, n = 0;

	for (fd = 0; fd < 1024; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* Both processes have the handle, and what the module keeps in it. */
static int forked(pam_handle_t *pamh)
{
	pid_t pid = fork();

	if (pid == 0) {
		pam_end(pamh, PAM_SUCCESS);
		_exit(0);
	}
	return pid > 0 && waitpid(pid, NULL, 0) == pid ? 0 : 1;
}

/*
 * Does as login(1) does next: starts a shell, and takes the first child that
 * ends for it.  Returns 0 if it was the shell.
 */
static int shell(void)
{
	pid_t pid = fork(), ended;

	if (pid == 0) {
		sleep(4);
		_exit(0);
	}
	do
		ended = wait(NULL);
	while (ended < 0 && errno == EINTR);
	return pid > 0 && ended == pid ? 0 : 1;
}

/*
 * The kernel keeps the real user ID that a program was started with.  Starts
 * this one again with that of "sudo:N"; then it becomes root.
 */
static int start_as(char **argv)
{
	uid_t id = 0;
	int i;

	for (i = 1; argv[i]; i++)
		if (strncmp(argv[i], "sudo:", 5) == 0)
			id = (uid_t)atoi(argv[i] + 5);
	if (id == 0)
		return 0;
	if (getauxval(AT_UID) == id)
		return setresuid(0, 0, 0);
	return setresuid(id, 0, 0) || execv(argv[0], argv);
}

int main(int argc, char **argv)
{
	struct pam_conv conv = { converse, NULL };
	pam_handle_t *pamh;
	int i, at_end = 0, code = PAM_SYSTEM_ERR;

	if (argc < 5 || start_as(argv) ||
	    pam_start_confdir(argv[2], argv[3], &conv, argv[1], &pamh) !=
	    PAM_SUCCESS)
		return 100;
	setvbuf(stdout, NULL, _IOLBF, 0);
	setvbuf(stdin, NULL, _IONBF, 0);	/* no copy of the password */
	for (i = 4; i < argc; i++) {
		if (strcmp(argv[i], "again") == 0) {
			again = 1;
			continue;
		}
		if (strncmp(argv[i], "sudo:", 5) == 0)
			continue;
		if (strncmp(argv[i], "says:", 5) == 0) {
			says = argv[i] + 5;
			continue;
		}
		if (strcmp(argv[i], "nodelay") == 0) {
			set_no_delay(pamh);
			continue;
		}
		if (strncmp(argv[i], "minds:", 6) == 0) {
			mind_children(argv[i] + 6);
			continue;
		}
		if (strcmp(argv[i], "quiet") == 0) {
			at_end = (int)PAM_DATA_SILENT;
			continue;
		}
		if (set_item(pamh, argv[i]))
			continue;
		if (strstr(argv[i], "uid:")) {
			if (become(argv[i]))
				return 100;
			continue;
		}
		code = strcmp(argv[i], "shell") == 0 ? shell() :
			strcmp(argv[i], "forked") == 0 ? forked(pamh) :
			strcmp(argv[i], "children") == 0 ? children() :
			strcmp(argv[i], "reuse") == 0 ? reuse() :
			strcmp(argv[i], "kept") == 0 ? kept() :
			strcmp(argv[i], "open") == 0 ? count_open() :
			run(pamh, argv[i]);
		printf("%s=%d\n", argv[i], code);
	}
	pam_end(pamh, code | at_end);
	return code;
}
