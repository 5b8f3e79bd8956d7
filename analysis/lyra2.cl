/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lyra2 with BlaMka as one who guesses passwords computes it: many hashes at
 * once, four work items for each lane.  The host defines LANES (1, 2, 4), ROWS,
 * COLS, and NEAR if the row that each lane visited last fits into local memory.
 */
#define HEIGHT (ROWS / LANES)		/* rows of a slice */
#define LEN (COLS * 12UL)		/* words of a row */
#define SLICE (HEIGHT * LEN)
#define NEXT(at) ((at) + 12 < LEN ? (at) + 12 : 0)
#define LOAD(p) ((ulong3)((p)[0], (p)[4], (p)[8]))
#define STORE(p, b) ((p)[0] = (b).x, (p)[4] = (b).y, (p)[8] = (b).z)

/* Work item w has column w of the state, and of each block, as ulong3. */
struct sponge {
	ulong a, b, c, d;
	local ulong *box;
	uint w;
};

/*
 * GET(s, x, from) is the x of another work item of the lane: bits 2w and 2w+1
 * of from, a constant, say whose the work item w gets.
 */
enum { LEFT1 = 0x39, LEFT2 = 0x4e, LEFT3 = 0x93, ITEM0 = 0, ITEM2 = 0xaa };

#if defined(__AMDGCN__)
#define MOVE(x, from) __builtin_amdgcn_mov_dpp(x, from, 15, 15, true)
#define GET(s, x, from) as_ulong((int2)(MOVE(as_int2(x).s0, from), \
					MOVE(as_int2(x).s1, from)))
#elif defined(__NV_CL_C_VERSION) || defined(__NVPTX__)
static ulong by_shuffle(uint2 x, uint from)
{
	asm volatile("shfl.sync.idx.b32 %0, %0, %2, 0x1c1f, 0xffffffff;\n\t"
		     "shfl.sync.idx.b32 %1, %1, %2, 0x1c1f, 0xffffffff;"
		     : "+r"(x.x), "+r"(x.y) : "r"(from));
	return as_ulong(x);
}

#define GET(s, x, from) by_shuffle(as_uint2(x), (from) >> 2 * (s)->w & 3)
#else
#define NEEDS_BOX
static ulong by_box(const struct sponge *s, ulong x, uint from)
{
	barrier(CLK_LOCAL_MEM_FENCE);	/* who still reads the last x */
	s->box[s->w] = x;
	barrier(CLK_LOCAL_MEM_FENCE);
	return s->box[from >> 2 * s->w & 3];
}

#define GET(s, x, from) by_box(s, x, from)
#endif

#define ROR(x, n) rotate(x, 64UL - n)

static ulong mix(ulong x, ulong y)
{
	return x + y + 2 * ((ulong)(uint)x * (uint)y);
}

static void columns(struct sponge *s)
{
	s->a = mix(s->a, s->b);
	s->d = ROR(s->d ^ s->a, 32);
	s->c = mix(s->c, s->d);
	s->b = ROR(s->b ^ s->c, 24);
	s->a = mix(s->a, s->b);
	s->d = ROR(s->d ^ s->a, 16);
	s->c = mix(s->c, s->d);
	s->b = ROR(s->b ^ s->c, 63);
}

/* b, which is ready last, stays where it is. */
static void permute(struct sponge *s)
{
	columns(s);
	s->a = GET(s, s->a, LEFT3);
	s->d = GET(s, s->d, LEFT2);
	s->c = GET(s, s->c, LEFT1);
	columns(s);
	s->a = GET(s, s->a, LEFT1);
	s->d = GET(s, s->d, LEFT2);
	s->c = GET(s, s->c, LEFT3);
}

/* Returns the rate after that number of rounds. */
static ulong3 duplex(struct sponge *s, ulong3 block, uint rounds)
{
	s->a ^= block.x;
	s->b ^= block.y;
	s->c ^= block.z;
	for (uint i = 0; i < rounds; i++)
		permute(s);
	return (ulong3)(s->a, s->b, s->c);
}

/* The rate, each word taken from two words on */
static ulong3 rotated(const struct sponge *s)
{
	const ulong a = GET(s, s->a, LEFT2), b = GET(s, s->b, LEFT2);
	const ulong c = GET(s, s->c, LEFT2);

	return s->w < 2 ? (ulong3)(a, b, c) : (ulong3)(b, c, a);
}

/*
 * later: not one of the first rows, which have no row1 and prev1.  No store of
 * a column changes what the next one loads: it loads a permutation ahead.
 */
static void fill_row(struct sponge *s, bool later, global ulong *row0,
		     global ulong *row1, global const ulong *prev0,
		     global const ulong *prev1)
{
	ulong3 old = LOAD(prev0), old1 = LOAD(row1), more = LOAD(prev1);

	for (ulong at = 0; at < LEN; at += 12) {
		const ulong3 in = later ? old + old1 + more : old;
		ulong3 new = old, new1 = old1;

		old = LOAD(prev0 + NEXT(at));
		old1 = LOAD(row1 + NEXT(at));
		more = LOAD(prev1 + NEXT(at));
		new ^= duplex(s, in, 1);
		STORE(row0 + LEN - 12 - at, new);
		if (later) {
			new1 ^= rotated(s);
			STORE(row1 + at, new1);
		}
	}
}

static uint setup(struct sponge *s, global ulong *hash, uint lane, uint *prev1)
{
	global ulong *own = hash + lane * SLICE;
	uint row1 = 1, wnd = 2, stp = 1, sqrt = 2, gap = 1, off = 0, sync = 4;

	for (ulong at = LEN; at > 0; at -= 12) {
		const ulong3 rate = { s->a, s->b, s->c };

		STORE(own + at - 12, rate);
		permute(s);
	}
	fill_row(s, false, own + LEN, own, own, own);
	fill_row(s, false, own + 2 * LEN, own, own + LEN, own);
	*prev1 = 0;
	barrier(CLK_GLOBAL_MEM_FENCE);
	for (uint row0 = 3; row0 < HEIGHT; row0++) {
		global ulong *other = hash + (lane + off) % LANES * SLICE;

		fill_row(s, true, own + row0 * LEN, other + row1 * LEN,
			 own + (row0 - 1) * LEN, other + *prev1 * LEN);
		*prev1 = row1;
		row1 = (row1 + stp) % wnd;
		if (row1 == 0) {
			stp = sqrt + gap;
			gap = -gap;
			wnd *= 2;
			if (gap != 1)
				sqrt *= 2;
		}
		if (row0 == sync) {
			sync += sqrt / 2;
			off = (off + 1) % LANES;
			barrier(CLK_GLOBAL_MEM_FENCE);
		}
	}
	barrier(CLK_GLOBAL_MEM_FENCE);
	return sqrt;
}

/* near is prev0, if NEAR.  A work item reads only words that it wrote, too. */
static void visit(struct sponge *s, global ulong *row0, global ulong *row1,
		  global const ulong *prev0, global const ulong *prev1,
		  local ulong *near)
{
	ulong3 old = LOAD(row0), old1 = LOAD(row1);

	for (ulong at = 0; at < LEN; at += 12) {
		const ulong col = GET(s, s->b, ITEM2) % COLS * 12;
		ulong3 in = old + old1, new = old, new1 = old1;

#if LANES == 1
		in += LOAD(prev0 + GET(s, s->b, ITEM0) % COLS * 12);
		in += LOAD(prev1 + col);
#elif defined(NEAR)
		in += LOAD(near + col);
#else
		in += LOAD(prev0 + col);
#endif
		old = LOAD(row0 + NEXT(at));
		old1 = LOAD(row1 + NEXT(at));
		new ^= duplex(s, in, 1);
		STORE(row0 + at, new);
#if LANES == 1
		new1 = (row0 == row1 ? new : new1) ^ rotated(s);
		STORE(row1 + at, new1);
#elif defined(NEAR)
		if (row0 == prev0)
			STORE(near + at, new);
#endif
	}
}

static void wander(struct sponge *s, global ulong *m, uint lane, uint t_cost,
		   uint sqrt, global ulong *prev1, local ulong *near)
{
	const ulong window = LANES > 1 ? HEIGHT / 2 : HEIGHT;
	global ulong *own = m + lane * SLICE;
	global ulong *prev0 = own + (HEIGHT - 1) * LEN;
	ulong off0 = 0, off1 = HEIGHT - window, sync = sqrt;

	for (ulong n = 0; n < (ulong)t_cost * HEIGHT; n++) {
		const ulong j = GET(s, s->b, ITEM0) % LANES;
		const ulong row0 = off0 + GET(s, s->a, ITEM0) % window;
		const ulong row1 = off1 + GET(s, s->a, ITEM2) % window;

#ifdef NEAR
		for (ulong at = 0; at < LEN; at += 4)
			near[at] = prev0[at];
#endif
		visit(s, own + row0 * LEN, m + j * SLICE + row1 * LEN, prev0,
		      prev1, near);
		prev0 = own + row0 * LEN;
		prev1 = m + j * SLICE + row1 * LEN;
		if (LANES > 1 && n == sync) {
			sync += sqrt;
			off0 = window - off0;
			off1 = window - off1;
			barrier(CLK_GLOBAL_MEM_FENCE);
		}
	}
	duplex(s, LOAD(prev0), 12);
}

/*
 * A work group hashes one password of 16 bytes, seed and a number in letters,
 * with the salt "0123456789abcdefghijklmn".  keys: four words of each lane.
 */
kernel __attribute__((reqd_work_group_size(LANES * 4, 1, 1)))
void lyra2(ulong seed, uint t_cost, uint first, global ulong *keys,
	   global ulong *memory)
{
	const uint lane = get_local_id(0) / 4, w = get_local_id(0) % 4;
	const uint group = get_group_id(0), n = first + group;
	const ulong iv[8] = {
		0x6a09e667f3bcc908, 0xbb67ae8584caa73b,
		0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
		0x510e527fade682d1, 0x9b05688c2b3e6c1f,
		0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
	};
	const ulong in[16] = {
		seed, 0x6161616161616161 + (n & 0xf) + ((n & 0xf0UL) << 4) +
		      ((n & 0xf00UL) << 8) + ((n & 0xf000UL) << 12),
		0x3736353433323130, 0x6665646362613938, 0x6e6d6c6b6a696867,
		32 | 16UL << 32, 24 | (ulong)t_cost << 32,
		ROWS | (ulong)COLS << 32,
		LANES > 1 ? LANES | (ulong)lane << 32 : 0x80,
		LANES > 1 ? 0x80 : 0, 0, 0, 0, 0, 0, 1UL << 56,
	};
	global ulong *m = memory + group * LANES * SLICE + w;
	struct sponge s = { 0, 0, iv[w], iv[4 + w], 0, w };
	local ulong *near = 0;
	uint sqrt, prev1;
#ifdef NEEDS_BOX
	local ulong box[LANES * 4];

	s.box = box + lane * 4;
#endif
#ifdef NEAR
	local ulong rows[LANES * LEN];

	near = rows + lane * LEN + w;
#endif
	duplex(&s, (ulong3)(in[w], in[4 + w], 0), 12);
	duplex(&s, (ulong3)(in[8 + w], in[12 + w], 0), 12);
	sqrt = setup(&s, m, lane, &prev1);
	wander(&s, m, lane, t_cost, sqrt, m + prev1 * LEN, near);
	keys[(group * LANES + lane) * 4 + w] = s.a;
}
