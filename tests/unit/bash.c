/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bash: every kernel that this CPU can run gives the numbers of STB
 * 34.101.77-2020, annex A, and what the portable one gives on random input,
 * however it is cut to pieces.
 */
#include "bash.h"

#include <stdio.h>
#include <string.h>

#include "bash-dispatch.h"
#include "check-main.h"
#include "random.h"

static bash_blocks_fn *kernel[KERNELS];
static int kernels;

/* The S-box of STB 34.101.31, the input of the standard's examples */
static const uint8_t sample[256] = {
	0xb1, 0x94, 0xba, 0xc8, 0x0a, 0x08, 0xf5, 0x3b,
	0x36, 0x6d, 0x00, 0x8e, 0x58, 0x4a, 0x5d, 0xe4,
	0x85, 0x04, 0xfa, 0x9d, 0x1b, 0xb6, 0xc7, 0xac,
	0x25, 0x2e, 0x72, 0xc2, 0x02, 0xfd, 0xce, 0x0d,
	0x5b, 0xe3, 0xd6, 0x12, 0x17, 0xb9, 0x61, 0x81,
	0xfe, 0x67, 0x86, 0xad, 0x71, 0x6b, 0x89, 0x0b,
	0x5c, 0xb0, 0xc0, 0xff, 0x33, 0xc3, 0x56, 0xb8,
	0x35, 0xc4, 0x05, 0xae, 0xd8, 0xe0, 0x7f, 0x99,
	0xe1, 0x2b, 0xdc, 0x1a, 0xe2, 0x82, 0x57, 0xec,
	0x70, 0x3f, 0xcc, 0xf0, 0x95, 0xee, 0x8d, 0xf1,
	0xc1, 0xab, 0x76, 0x38, 0x9f, 0xe6, 0x78, 0xca,
	0xf7, 0xc6, 0xf8, 0x60, 0xd5, 0xbb, 0x9c, 0x4f,
	0xf3, 0x3c, 0x65, 0x7b, 0x63, 0x7c, 0x30, 0x6a,
	0xdd, 0x4e, 0xa7, 0x79, 0x9e, 0xb2, 0x3d, 0x31,
	0x3e, 0x98, 0xb5, 0x6e, 0x27, 0xd3, 0xbc, 0xcf,
	0x59, 0x1e, 0x18, 0x1f, 0x4c, 0x5a, 0xb7, 0x93,
	0xe9, 0xde, 0xe7, 0x2c, 0x8f, 0x0c, 0x0f, 0xa6,
	0x2d, 0xdb, 0x49, 0xf4, 0x6f, 0x73, 0x96, 0x47,
	0x06, 0x07, 0x53, 0x16, 0xed, 0x24, 0x7a, 0x37,
	0x39, 0xcb, 0xa3, 0x83, 0x03, 0xa9, 0x8b, 0xf6,
	0x92, 0xbd, 0x9b, 0x1c, 0xe5, 0xd1, 0x41, 0x01,
	0x54, 0x45, 0xfb, 0xc9, 0x5e, 0x4d, 0x0e, 0xf2,
	0x68, 0x20, 0x80, 0xaa, 0x22, 0x7d, 0x64, 0x2f,
	0x26, 0x87, 0xf9, 0x34, 0x90, 0x40, 0x55, 0x11,
	0xbe, 0x32, 0x97, 0x13, 0x43, 0xfc, 0x9a, 0x48,
	0xa0, 0x2a, 0x88, 0x5f, 0x19, 0x4b, 0x09, 0xa1,
	0x7e, 0xcd, 0xa4, 0xd0, 0x15, 0x44, 0xaf, 0x8c,
	0xa5, 0x84, 0x50, 0xbf, 0x66, 0xd2, 0xe8, 0x8a,
	0xa2, 0xd7, 0x46, 0x52, 0x42, 0xa8, 0xdf, 0xb3,
	0x69, 0x74, 0xc5, 0x51, 0xeb, 0x23, 0x29, 0x21,
	0xd4, 0xef, 0xd9, 0xb4, 0x3a, 0x62, 0x28, 0x75,
	0x91, 0x14, 0x10, 0xea, 0x77, 0x6c, 0xda, 0x1d,
};

/* A.3: sizes of hash and input, and the hash */
static const struct {
	size_t size, n;
	const char *hash;
} answer[] = {
	{ 32, 0,
	  "114c3dfae373d9bcbc3602d6386f2d6a2059ba1bf9048dbaa5146a6cb775709d" },
	{ 32, 127,
	  "3d7f4efa00e9ba33feed259986567dcf5c6d12d51057a968f14f06cc0f905961" },
	{ 32, 128,
	  "d7f428311254b8b2d00f7f9eefbd8f3025fa87c4babd1bddbe87e35b7ac80dd6" },
	{ 32, 135,
	  "1393fa1b65172f2d18946aeae576fa1cf54fdd354a0cb2974a997dc4865d3100" },
	{ 48, 95,
	  "64334af830d33f63e9acdfa184e32522103fff5c6860110a2cd369edbc04387c"
	  "501d8f92f749ae4de15a8305c353d64d" },
	{ 48, 96,
	  "d06efbc16fd6c0880cbfc6a4e3d65ab101fa82826934190faabebfbffede93b2"
	  "2b85ea72a7fb3147a133a5a8febd8320" },
	{ 48, 108,
	  "ff763296571e2377e71a1538070cc0de88888606f32eee6b082788d246686b00"
	  "fc05a17405c5517699da44b7ef5f55ab" },
	{ 64, 63,
	  "2a66c87c189c12e255239406123bdedbf19955eaf0808b2ad705e249220845e2"
	  "0f4786fb6765d0b5c48984b1b16556ef19ea8192b985e4233d9c09508d6339e7" },
	{ 64, 64,
	  "07abbf8580e7e5a321e9b940f667ae209e2952cef557978ae743db086bab4885"
	  "b708233c3f5541df8aafc3611482fde498e58b3379a6622dac2664c9c118a162" },
	{ 64, 127,
	  "526073918f97928e9d15508385f42f03ade3211a23900a30131f8a1e3e1ee21c"
	  "c09d13cff6981101235d895746a4643f0aa62b0a7bc98a269e4507a257f0d4ee" },
	{ 64, 192,
	  "8724c7ff8a2a83f22e38cb9763777b96a70aba3444f214c763d93cd6d19fcfde"
	  "6c3d3931857c4ff6cccd49bd99852fe9eaa7495eccdd96b571e0edcf47f89768" },
};
enum { ANSWERS = sizeof(answer) / sizeof(answer[0]) };

static void hex_of(const uint8_t *p, size_t n, char *hex)
{
	size_t i;

	for (i = 0; i < n; i++)
		sprintf(hex + 2 * i, "%02x", p[i]);
}

static void hash_of(bash_blocks_fn *blocks, size_t size, const uint8_t *input,
		    size_t n, uint8_t *hash)
{
	struct bash h;

	bash_start(&h, size, blocks);
	bash_add(&h, input, n);
	bash_end(&h, hash);
}

START_TEST(known_answer)
{
	uint8_t hash[64];
	char hex[129];
	int i;

	for (i = 0; i < ANSWERS; i++) {
		hash_of(kernel[_i], answer[i].size, sample, answer[i].n, hash);
		hex_of(hash, answer[i].size, hex);
		ck_assert_str_eq(hex, answer[i].hash);
	}
}
END_TEST

/* In pieces of any length, none included, it is what the portable one gives. */
START_TEST(pieces)
{
	enum { CASES = 500, MAX = 1000 };
	uint8_t input[MAX], want[65], got[65];
	uint64_t seed = (uint64_t)_i;
	int i;

	random_fill(&seed, input, sizeof(input));
	for (i = 0; i < CASES; i++) {
		const size_t size = 16U * random_in(&seed, 2, 4);
		const size_t n = random_in(&seed, 0, MAX);
		struct bash h;
		size_t done, m;

		memset(want, 0xa5, sizeof(want));
		memset(got, 0xa5, sizeof(got));
		hash_of(bash_dispatch(KERNEL_plain), size, input, n, want);
		bash_start(&h, size, kernel[_i]);
		for (done = 0; done < n; done += m) {
			m = random_in(&seed, 0, 1 + (uint32_t)i);
			if (m > n - done)
				m = n - done;
			bash_add(&h, input + done, m);
		}
		bash_end(&h, got);
		ck_assert_mem_eq(got, want, sizeof(want));
	}
}
END_TEST

/* bash_dispatch() runs the self test, too. */
static void find_kernels(void)
{
	enum kernel k;

	for (k = 0; k < KERNELS; k++)
		if (dispatch_usable(k))
			kernel[kernels++] = bash_dispatch(k);
}

int main(void)
{
	Suite *suite = suite_create("bash");
	TCase *tc = tcase_create("every kernel");

	find_kernels();
	tcase_set_timeout(tc, 0);
	tcase_add_loop_test(tc, known_answer, 0, kernels);
	tcase_add_loop_test(tc, pieces, 0, kernels);
	suite_add_tcase(suite, tc);
	return check_main(suite);
}
