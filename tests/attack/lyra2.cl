/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lyra2, versions 2.5 and 3, as one who guesses passwords computes it: many
 * hashes at once.  Names are those of src/core-body.h.  The host defines
 * WIDTH (work items of a lane: 4 for GPUs, 1 for CPUs), GROUP (hashes of a work
 * group), VERSION (25, 30), BLAMKA, LANES, ROWS and COLS.
 */
#if WIDTH == 4
typedef ulong row;	/* each work item has a column of the state */
#else
typedef ulong4 row;
#endif

#define HEIGHT (ROWS / LANES)		/* rows of a slice */
#define BLOCK (3 * WIDTH)		/* elements of a block */
#define LEN ((ulong)COLS * BLOCK)	/* of a row of the matrix */
#define NEXT(at) ((at) + BLOCK < LEN ? (at) + BLOCK : 0)
#define SLICE (HEIGHT * LEN)
#define STATES (GROUP * LANES)
#define ROR(x, n) rotate(x, (row)(64 - n))

struct sponge {
	row a, b, c, d;
#if WIDTH == 4
	local ulong *in, *out;	/* the state between columns and diagonals */
	uint w;
#endif
};

struct block {
	row a, b, c;
};

static row mix(row x, row y)
{
#if BLAMKA
	return x + y + 2UL * (x & 0xffffffffUL) * (y & 0xffffffffUL);
#else
	return x + y;
#endif
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

#if WIDTH == 4
/* Nobody writes what another still reads: a barrier lies between. */
static void permute(struct sponge *s)
{
	const uint w = s->w, x = (w + 1) % 4, y = (w + 2) % 4, z = (w + 3) % 4;

	columns(s);
	s->in[w] = s->b;
	s->in[4 + w] = s->c;
	s->in[8 + w] = s->d;
	barrier(CLK_LOCAL_MEM_FENCE);
	s->b = s->in[x];
	s->c = s->in[4 + y];
	s->d = s->in[8 + z];
	columns(s);
	s->out[w] = s->a;
	s->out[4 + x] = s->b;
	s->out[8 + y] = s->c;
	s->out[12 + z] = s->d;
	barrier(CLK_LOCAL_MEM_FENCE);
	s->b = s->out[4 + w];
	s->c = s->out[8 + w];
	s->d = s->out[12 + w];
}

#define WORD(s, i) ((s)->out[i])

static struct block rotated(const struct sponge *s)
{
	return (struct block){ s->out[s->w + 2], s->out[s->w + 6],
			       s->out[(s->w + 10) % 12] };
}
#else
static void permute(struct sponge *s)
{
	columns(s);
	s->b = s->b.yzwx;
	s->c = s->c.zwxy;
	s->d = s->d.wxyz;
	columns(s);
	s->b = s->b.wxyz;
	s->c = s->c.zwxy;
	s->d = s->d.yzwx;
}

#define WORD(s, i) ((i) < 4 ? (i) ? (s)->a.z : (s)->a.x : \
		    (i) == 4 ? (s)->b.x : (s)->b.z)

static struct block rotated(const struct sponge *s)
{
	return (struct block){ (row)(s->a.zw, s->b.xy),
			       (row)(s->b.zw, s->c.xy),
			       (row)(s->c.zw, s->a.xy) };
}
#endif

static struct block load(global const row *p)
{
	return (struct block){ p[0], p[WIDTH], p[2 * WIDTH] };
}

static void store(global row *p, struct block x)
{
	p[0] = x.a;
	p[WIDTH] = x.b;
	p[2 * WIDTH] = x.c;
}

static struct block add(struct block x, struct block y)
{
	return (struct block){ x.a + y.a, x.b + y.b, x.c + y.c };
}

static struct block xor(struct block x, struct block y)
{
	return (struct block){ x.a ^ y.a, x.b ^ y.b, x.c ^ y.c };
}

static struct block duplex(struct sponge *s, struct block x)
{
	s->a ^= x.a;
	s->b ^= x.b;
	s->c ^= x.c;
	permute(s);
	return (struct block){ s->a, s->b, s->c };
}

static void permute_full(struct sponge *s)
{
	for (uint i = 0; i < 12; i++)
		permute(s);
}

/*
 * row1 and prev1 are 0 for the first rows.  No store of a column changes what
 * the next one loads, so those loads go out a whole permutation before.
 */
static void fill_row(struct sponge *s, global row *row0, global row *row1,
		     global const row *prev0, global const row *prev1)
{
	struct block old = load(prev0), old1 = old, more = old;

	if (row1)
		old1 = load(row1);
	if (prev1)
		more = load(prev1);
	for (ulong at = 0; at < LEN; at += BLOCK) {
		const ulong next = NEXT(at);
		const struct block was = old, was1 = old1;
		struct block x = old;

		if (row1) {
			x = add(x, old1);
			old1 = load(row1 + next);
		}
		if (prev1) {
			x = add(x, more);
			more = load(prev1 + next);
		}
		old = load(prev0 + next);
		x = duplex(s, x);
		store(row0 + LEN - BLOCK - at, xor(was, x));
		if (row1)
			store(row1 + at, xor(was1, rotated(s)));
	}
	barrier(CLK_GLOBAL_MEM_FENCE);
}

static uint setup(struct sponge *s, global row *hash, uint lane, uint *prev1)
{
	global row *own = hash + lane * SLICE;
	uint row1 = 1, wnd = 2, stp = 1, sqrt = 2, gap = 1, off = 0, sync = 4;

	for (ulong at = LEN; at > 0; at -= BLOCK) {
		store(own + at - BLOCK, (struct block){ s->a, s->b, s->c });
		permute(s);
	}
	fill_row(s, own + LEN, 0, own, 0);
	fill_row(s, own + 2 * LEN, VERSION == 25 ? own : 0, own + LEN, 0);
	*prev1 = 0;
	for (uint row0 = 3; row0 < HEIGHT; row0++) {
		global row *other = hash + (lane + off) % LANES * SLICE;

		fill_row(s, own + row0 * LEN, other + row1 * LEN,
			 own + (row0 - 1) * LEN, other + *prev1 * LEN);
		*prev1 = row1;
		row1 = (row1 + stp) % wnd;
		if (row1 == 0) {
			stp = (VERSION == 25 ? wnd : sqrt) + gap;
			gap = -gap;
			wnd *= 2;
			if (gap != 1)
				sqrt *= 2;
		}
		if (row0 == sync) {
			sync += sqrt / 2;
			off = (off + 1) % LANES;
		}
	}
	return sqrt;
}

#if LANES == 1
static struct block wander(struct sponge *s, global row *m, uint lane,
			   uint t_cost, uint sqrt, uint prev)
{
	global row *prev0 = m + (HEIGHT - 1) * LEN, *prev1 = m + prev * LEN;
	ulong col0 = 0;

	for (ulong n = (ulong)t_cost * ROWS; n > 0; n--) {
		global row *row0 = m + WORD(s, 0) % ROWS * LEN;
		global row *row1 = m + WORD(s, 2) % ROWS * LEN;
		struct block old = load(row0), old1 = load(row1);

		for (ulong at = 0; at < LEN; at += BLOCK) {
			const ulong next = NEXT(at);
			const ulong col1 = WORD(s, 6) % COLS * BLOCK;
			struct block x = add(old, old1), was = old, was1 = old1;

			col0 = WORD(s, 4) % COLS * BLOCK;
			x = add(x, add(load(prev0 + col0), load(prev1 + col1)));
			old = load(row0 + next);
			old1 = load(row1 + next);
			x = duplex(s, x);
			was = xor(was, x);
			store(row0 + at, was);
			store(row1 + at, xor(row0 == row1 ? was : was1,
					     rotated(s)));
		}
		prev0 = row0;
		prev1 = row1;
	}
	return load(prev0 + (VERSION == 25 ? col0 : 0));
}
#else
static struct block wander(struct sponge *s, global row *m, uint lane,
			   uint t_cost, uint sqrt, uint prev)
{
	global row *own = m + lane * SLICE, *prev0 = own + (HEIGHT - 1) * LEN;
	const ulong window = HEIGHT / 2;
	ulong off0 = 0, offp = window, sync = sqrt;

	for (ulong n = 0; n < (ulong)t_cost * HEIGHT; n++) {
		global row *row0 = own + (off0 + WORD(s, 0) % window) * LEN;
		global row *row1 = m + WORD(s, 4) % LANES * SLICE +
				   (offp + WORD(s, 2) % window) * LEN;
		struct block old = load(row0), more = load(row1);

		for (ulong at = 0; at < LEN; at += BLOCK) {
			const ulong next = NEXT(at);
			const ulong col0 = WORD(s, 6) % COLS * BLOCK;
			const struct block was = old;
			const struct block x = add(add(old, more),
						   load(prev0 + col0));

			old = load(row0 + next);
			more = load(row1 + next);
			store(row0 + at, xor(was, duplex(s, x)));
		}
		barrier(CLK_GLOBAL_MEM_FENCE);
		prev0 = row0;
		if (n == sync) {
			sync += sqrt;
			off0 = window - off0;
			offp = window - offp;
		}
	}
	return load(prev0);
}
#endif

/*
 * input: of each lane, blocks of eight words.  keys: twelve words of each lane.
 * The matrices lie in up to four parts, because devices limit a buffer.
 */
kernel __attribute__((reqd_work_group_size(STATES * WIDTH, 1, 1)))
void lyra2(global const row *input, uint blocks, uint t_cost,
	   global row *keys, uint per_part, global row *part0,
	   global row *part1, global row *part2, global row *part3)
{
	const uint id = get_local_id(0), w = id % WIDTH;
	const uint lane = id / WIDTH % LANES;
	const uint number = get_group_id(0) * GROUP + id / WIDTH / LANES;
	const uint part = number / per_part;
	const ulong index = (ulong)number * LANES + lane;
	global row *m = part == 0 ? part0 : part == 1 ? part1 :
			part == 2 ? part2 : part3;
	const ulong iv[8] = {
		0x6a09e667f3bcc908, 0xbb67ae8584caa73b,
		0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
		0x510e527fade682d1, 0x9b05688c2b3e6c1f,
		0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
	};
	struct sponge s;
	struct block x;
	uint sqrt, prev1;
#if WIDTH == 4
	local ulong in[STATES * 12], out[STATES * 16];

	s.w = w;
	s.in = in + id / WIDTH * 12;
	s.out = out + id / WIDTH * 16;
	s.c = iv[w];
	s.d = iv[4 + w];
#else
	s.c = vload4(0, iv);
	s.d = vload4(1, iv);
#endif
	s.a = s.b = 0;
	for (uint i = 0; i < blocks; i++) {
		global const row *p = input + (index * blocks + i) * 2 * WIDTH;

		s.a ^= p[w];
		s.b ^= p[WIDTH + w];
		permute_full(&s);
	}
	m += number % per_part * LANES * SLICE + w;
	sqrt = setup(&s, m, lane, &prev1);
	x = wander(&s, m, lane, t_cost, sqrt, prev1);
	s.a ^= x.a;
	s.b ^= x.b;
	s.c ^= x.c;
	permute_full(&s);
	store(keys + index * BLOCK + w, (struct block){ s.a, s.b, s.c });
}
