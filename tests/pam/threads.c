/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A PAM application with threads, for tests:
 *
 * 	threads CONFDIR SERVICE USER PASSWORD
 *
 * Two threads authenticate the user at the same time.  A third starts children
 * and waits for any child, as a daemon's loop does.  Prints the PAM codes.
 * Prints how many children it has noticed, by signal or by wait(2), that it did
 * not start.  Prints whether it still has its handler of SIGCHLD.
 */
#include <pthread.h>
#include <security/pam_appl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char **args;
static atomic_int signals, strangers, own;
static atomic_bool done;

static int converse(int n, const struct pam_message **msg,
		    struct pam_response **resp, void *arg)
{
	(void)msg;
	(void)arg;
	*resp = calloc((size_t)n, sizeof(**resp));
	if (!*resp)
		return PAM_BUF_ERR;
	while (n-- > 0)
		(*resp)[n].resp = strdup(args[4]);
	return PAM_SUCCESS;
}

static void on_child(int number)
{
	(void)number;
	signals++;
}

static void *authenticate(void *out)
{
	const struct pam_conv conv = { converse, NULL };
	pam_handle_t *pamh;
	int *code = out;

	*code = pam_start_confdir(args[2], args[3], &conv, args[1], &pamh);
	if (*code != PAM_SUCCESS)
		return NULL;
	*code = pam_authenticate(pamh, 0);
	pam_end(pamh, *code);
	return NULL;
}

static void *mind_children(void *unused)
{
	pid_t pid, ended;

	(void)unused;
	do {
		pid = fork();
		if (pid == 0) {
			usleep(1000);
			_exit(0);
		}
		own++;
		while ((ended = wait(NULL)) != pid)
			if (ended >= 0)
				strangers++;
	} while (!done);
	return NULL;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_child }, now;
	pthread_t asks[2], minds;
	int code[2], i;

	if (argc != 5)
		return 100;
	args = argv;
	sigaction(SIGCHLD, &action, NULL);
	pthread_create(&minds, NULL, mind_children, NULL);
	for (i = 0; i < 2; i++)
		pthread_create(&asks[i], NULL, authenticate, &code[i]);
	for (i = 0; i < 2; i++)
		pthread_join(asks[i], NULL);
	done = true;
	pthread_join(minds, NULL);
	sigaction(SIGCHLD, NULL, &now);
	printf("%d %d strangers=%d %s\n", code[0], code[1],
	       strangers + (signals > own ? signals - own : 0),
	       now.sa_handler == on_child ? "kept" : "lost");
	return 0;
}
