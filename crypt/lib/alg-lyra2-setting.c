/* SPDX-License-Identifier: BSD-2-Clause */
/* The settings of lyra2: read, checked and written. */
#include "crypt-port.h"

#ifdef LYRA2_PLAIN

#include "alg-lyra2.h"

#include <errno.h>
#include <stdio.h>

#define MAX_MEMORY ((uint64_t)1 << 30)
#define MAX_WORK ((uint64_t)1 << 28)

/* Reads a letter and a decimal of 1...2^32-1 without sign or leading zero. */
static bool accept_number(const char **s, char letter, uint32_t *value)
{
	uint64_t n = 0;

	if ((*s)[0] != letter || (*s)[1] < '1' || (*s)[1] > '9')
		return false;
	for (++*s; **s >= '0' && **s <= '9'; ++*s) {
		n = n * 10 + (uint64_t)(**s - '0');
		if (n > UINT32_MAX)
			return false;
	}
	*value = (uint32_t)n;
	return true;
}

/* No product overflows: the factors are at most 2^32, 2^15 and 4104. */
static bool within_limits(const struct lyra2_params *p)
{
	const uint64_t passes = (uint64_t)p->t_cost + 1;

	return p->t_cost >= 2 && p->cols >= 12 && p->cols <= 4096 &&
	       (p->lanes == 1 || p->lanes == 2 || p->lanes == 4) &&
	       (uint64_t)p->rows * p->cols * LYRA2_BLOCK_BYTES <= MAX_MEMORY &&
	       passes * p->rows * (p->cols + 8) <= MAX_WORK;
}

bool lyra2_decode(struct lyra2_job *job, const char *prefix,
		  const char *setting, const char **end)
{
	struct lyra2_params *p = &job->params;
	const char *s = setting + strlen(prefix);
	uint32_t n;

	if (strncmp(setting, prefix, strlen(prefix)) != 0 ||
	    !accept_number(&s, 't', &p->t_cost) ||
	    !accept_number(&s, 'n', &n) || n < 4 || n > 15 ||
	    !accept_number(&s, 'c', &p->cols) ||
	    !accept_number(&s, 'p', &p->lanes) || *s != '$')
		return false;
	p->rows = UINT32_C(1) << n;
	job->salt = (const uint8_t *)++s;
	job->saltlen = strspn(s, (const char *)ascii64);
	*end = s + job->saltlen;
	return job->saltlen >= 8 && job->saltlen <= 64 &&
	       (**end == '$' || **end == '\0') && within_limits(p);
}

void lyra2_encode(const uint8_t *in, size_t n, char *out)
{
	uint32_t bits = 0;
	unsigned have = 0;

	while (n-- > 0) {
		bits = bits << 8 | *in++;
		for (have += 8; have >= 6; have -= 6)
			*out++ = (char)ascii64[bits >> (have - 6) & 63];
	}
	if (have > 0)
		*out++ = (char)ascii64[bits << (6 - have) & 63];
	*out = '\0';
}

void lyra2_gensalt(const char *prefix, unsigned long count,
		   const uint8_t *rbytes, size_t nrbytes, uint8_t *output,
		   size_t o_size)
{
	char setting[CRYPT_GENSALT_OUTPUT_SIZE], salt[BASE64_LEN(48) + 1];
	int n;

	if ((count > 0 && count < 4) || count > 15 || nrbytes < 16) {
		errno = EINVAL;
		return;
	}
	lyra2_encode(rbytes, MIN(nrbytes, 48), salt);
	n = snprintf(setting, sizeof(setting), "%st2n%luc256p2$%s", prefix,
		     count > 0 ? count : 12, salt);
	if (n < 0 || (size_t)n >= MIN(o_size, sizeof(setting))) {
		errno = ERANGE;
		return;
	}
	strcpy_or_abort(output, o_size, setting);
}

#endif /* LYRA2_PLAIN */
