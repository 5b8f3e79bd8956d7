/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Authenticates, and then searches all of its memory for the password and for
 * the stored hash: neither may remain in the application.
 *
 *	memory CONFDIR SERVICE USER <password, which is not an argument
 *
 * The hash is read from /etc/shadow only after the search for the password.
 * This program holds the text that it searches for only in masked form.
 */
#include <fcntl.h>
#include <security/pam_appl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIECE 16
#define FAILED 255
#define MASK 0xa5	/* turns no character of ASCII into NUL */

static char masked[512];	/* the text to search for, each byte ^ MASK */

static void mask(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len && i < sizeof(masked) - 1; i++)
		masked[i] = (char)(text[i] ^ MASK);
	masked[i] = '\0';
}

/*
 * Reads byte by byte, so that no buffer keeps the input.  For a long password,
 * the search is for its end, because other parts may be overwritten.
 */
static int converse(int n, const struct pam_message **msg,
		    struct pam_response **resp, void *arg)
{
	char *line = calloc(1, PAM_MAX_RESP_SIZE);
	size_t len = 0, at;

	(void)msg;
	(void)arg;
	*resp = calloc((size_t)n, sizeof(**resp));
	if (n != 1 || !line || !*resp)
		return PAM_CONV_ERR;
	while (len < PAM_MAX_RESP_SIZE - 1 && read(0, line + len, 1) == 1 &&
	       line[len] != '\n')
		len++;
	line[len] = '\0';
	at = len > PIECE ? len - PIECE : 0;
	mask(line + at, len - at);
	(*resp)[0].resp = line;
	return PAM_SUCCESS;
}

static size_t count(const unsigned char *p, size_t len)
{
	size_t want = strlen(masked), found = 0, i, j;

	for (i = 0; i + want <= len; i++) {
		for (j = 0; j < want; j++)
			if ((p[i + j] ^ MASK) != (unsigned char)masked[j])
				break;
		found += j == want;
	}
	return found;
}

/* Searches every readable mapping of the parent. */
static size_t search_parent(void)
{
	char path[64], line[512], mode[8];
	unsigned long from, to;
	size_t found = 0;
	FILE *maps;
	int mem;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)getppid());
	maps = fopen(path, "r");
	snprintf(path, sizeof(path), "/proc/%d/mem", (int)getppid());
	mem = open(path, O_RDONLY);
	if (!maps || mem < 0)
		_exit(FAILED);
	while (fgets(line, sizeof(line), maps)) {
		unsigned char *copy;
		ssize_t n;

		if (sscanf(line, "%lx-%lx %7s", &from, &to, mode) != 3 ||
		    mode[0] != 'r' || strstr(line, "[v"))
			continue;
		copy = malloc(to - from);
		n = copy ? pread(mem, copy, to - from, (off_t)from) : -1;
		if (n > 0)
			found += count(copy, (size_t)n);
		explicit_bzero(copy, copy ? to - from : 0);
		free(copy);
	}
	fclose(maps);
	close(mem);
	return found;
}

/* Another process searches, so that this one's stack stays as it is. */
static int search(void)
{
	pid_t pid = fork();
	int status;
	size_t found;

	if (pid == 0) {
		found = search_parent();
		_exit(found < FAILED ? (int)found : FAILED - 1);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid ||
	    !WIFEXITED(status) || WEXITSTATUS(status) == FAILED)
		exit(100);
	return WEXITSTATUS(status);
}

/* Reads the user's hash, and masks each byte at once. */
static void mask_hash(const char *user)
{
	int fd = open("/etc/shadow", O_RDONLY);
	size_t want = strlen(user), at = 0, n = 0;
	int field = 0;
	char c;

	while (fd >= 0 && read(fd, &c, 1) == 1) {
		if (c == '\n')
			at = 0, field = 0;
		else if (field == 0)
			field = c == ':' && at == want ? 1 :
				at < want && c == user[at] ? 0 : -1, at++;
		else if (field == 1 && c == ':')
			break;
		else if (field == 1 && n < sizeof(masked) - 1)
			masked[n++] = (char)(c ^ MASK);
	}
	masked[n] = '\0';
	c = 0;
	close(fd);
}

int main(int argc, char **argv)
{
	struct pam_conv conv = { converse, NULL };
	pam_handle_t *pamh;
	int code;

	if (argc != 4 || pam_start_confdir(argv[2], argv[3], &conv, argv[1],
					   &pamh) != PAM_SUCCESS)
		return 100;
	code = pam_authenticate(pamh, 0);
	printf("auth=%d password=%d\n", code, search());
	mask_hash(argv[3]);
	printf("hash of %zu bytes=%d\n", strlen(masked), search());
	mask(argv[3], strlen(argv[3]));
	printf("the search finds what is there: %s\n",
	       search() > 0 ? "yes" : "no");
	pam_end(pamh, code);
	return 0;
}
