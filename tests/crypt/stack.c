/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For tests/crypt/libxcrypt.sh: calls crypt_r() with each setting given, in a
 * thread whose stack it then searches.  Prints how many bytes of the stack the
 * call used.  Prints how many words of the hash, before its conversion to
 * digits, are left there.
 */
#include <crypt.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { STACK = 1 << 20, HASH = 32, FILL = 0xa5 };

static struct crypt_data data;

static void *hash(void *setting)
{
	return crypt_r("secret", setting, &data);
}

/* Six bits a digit, the first bit of each byte first, as lyra2(5) says */
static void decode(const char *digits, uint8_t *bytes)
{
	static const char all[] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				  "abcdefghijklmnopqrstuvwxyz";
	uint32_t bits = 0;
	int have = 0, n = 0;

	while (n < HASH) {
		const char *found = strchr(all, *digits++);

		if (!found)
			exit(1);
		bits = bits << 6 | (uint32_t)(found - all);
		have += 6;
		if (have < 8)
			continue;
		have -= 8;
		bytes[n++] = (uint8_t)(bits >> have);
	}
}

static void search(const uint8_t *stack, const uint8_t *words)
{
	size_t used = 0, left = 0, i, j;

	while (used < STACK && stack[used] == FILL)
		used++;
	for (i = used; i + 8 <= STACK; i++)
		for (j = 0; j < HASH; j += 8)
			left += memcmp(stack + i, words + j, 8) == 0;
	printf("%zu %zu\n", STACK - used, left);
}

int main(int argc, char **argv)
{
	uint8_t *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint8_t words[HASH] = { 0 };
	pthread_attr_t attr;
	pthread_t thread;
	void *said;
	int i;

	if (stack == MAP_FAILED || pthread_attr_init(&attr) ||
	    pthread_attr_setstack(&attr, stack, STACK))
		return 1;
	for (i = 1; i < argc; i++) {
		memset(stack, FILL, STACK);
		if (pthread_create(&thread, &attr, hash, argv[i]) ||
		    pthread_join(thread, &said) || !said)
			return 1;
		decode(strrchr(said, '$') + 1, words);
		search(stack, words);
	}
	return 0;
}
