/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For libFuzzer: two readers find the same cost in a stored hash.  A hash that
 * is accepted as small takes no more memory than its cost says.  The input is a
 * stored field.
 */
#include <crypt.h>
#include <lyra2.h>
#include <sys/resource.h>

#include "hash.h"

#define SLACK (8 << 20)		/* for the sanitizers, and for other methods */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Saturates: more than any limit */
#define HUGE (UINT64_C(1) << 62)

static int value(char c)
{
	return c >= 'a' && c <= 'z' ? c - 'a' + 38 :
		c >= 'A' && c <= 'Z' ? c - 'A' + 12 :
		c >= '.' && c <= '9' ? c - '.' : -1;
}

/* Numbers have 1 to 4 digits after the first one, by its value. */
static uint64_t number(const char **s, bool *bad)
{
	static const struct {
		int first, digits;
		uint64_t start;
	} lengths[] = {
		{ 0, 0, 0 }, { 48, 1, 48 }, { 56, 2, 48 + 8 * 64 },
		{ 60, 3, 48 + 8 * 64 + 4 * 4096 },
		{ 62, 4, 48 + 8 * 64 + 4 * 4096 + 2 * 262144 },
	};
	int d = value(**s), i = 4, k;
	uint64_t n;

	*bad = *bad || d < 0 || d > 62;
	while (!*bad && d < lengths[i].first)
		i--;
	n = *bad ? 0 : (uint64_t)(d - lengths[i].first);
	for (k = 1; !*bad && k <= lengths[i].digits; k++) {
		*bad = value((*s)[k]) < 0;
		n = n * 64 + (uint64_t)(*bad ? 0 : value((*s)[k]));
	}
	if (*bad)
		return 0;
	*s += 1 + lengths[i].digits;
	return n + lengths[i].start;
}

static uint64_t product(uint64_t log2n, uint64_t r, uint64_t p, uint64_t t)
{
	unsigned __int128 n = (unsigned __int128)r * p;

	if (log2n > 40 || r > 1 << 24 || p > 1 << 24 || t > 1 << 24)
		return HUGE;
	n = (n * t * 128) << log2n;
	return n > HUGE ? HUGE : (uint64_t)n;
}

/* A reader of "$y$...$" and "$gy$...$" from their description in crypt(5). */
static uint64_t yescrypt(const char *s)
{
	uint64_t log2n, r, have = 0, p = 1, t = 0;
	bool bad = false;

	number(&s, &bad);
	log2n = number(&s, &bad) + 1;
	r = number(&s, &bad) + 1;
	if (!bad && *s != '$')
		have = number(&s, &bad) + 1;
	if (!bad && (have & 1))
		p = number(&s, &bad) + 2;
	if (!bad && (have & 2))
		t = number(&s, &bad) + 1;
	return bad || have > 3 ? HUGE : product(log2n, r, p, t + 1);
}

static void check_yescrypt(const char *field, uint64_t cost)
{
	uint64_t other = HUGE;

	if (strncmp(field, "$y$", 3) == 0)
		other = yescrypt(field + 3);
	else if (strncmp(field, "$gy$", 4) == 0)
		other = yescrypt(field + 4);
	else
		return;
	if (cost != other && (cost <= LYRA2_MAX_MEMORY ||
			      other <= LYRA2_MAX_MEMORY))
		abort();
}

static uint64_t peak(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (uint64_t)u.ru_maxrss * 1024;
}

static void check_memory(const char *field, uint64_t cost)
{
	static struct crypt_data data;
	uint64_t before = peak();

	(void)crypt_rn("password", field, &data, (int)sizeof(data));
	if (peak() - before > cost + SLACK)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *field = strndup((const char *)data, size);
	struct stored s;

	stored_read(&s, field ? field : "");
	if (s.method && !stored_is_lyra2(&s)) {
		check_yescrypt(field, s.memory);
		if (cheap_hash(field))
			check_memory(field, s.memory);
	}
	free(field);
	return 0;
}
