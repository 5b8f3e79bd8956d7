/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How many passwords a second one who guesses can try on an OpenCL device: it
 * hashes random passwords of its own with lyra2.cl, compares a sample with
 * lyra2_kdf(), and says how fast it was.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "tool/bench-time.h"
#include "tool/function.h"
#include "tool/json.h"
#include "tool/options.h"
#include "tool/tool.h"

enum { PARTS = 4, PASSWORD = 16, KEY = 32, RATE = 96, BLOCKS = 2, SKIP = 77 };

static const char salt[] = "0123456789abcdefghijkl";

struct attack {
	struct lyra2_params params;
	uint32_t device, width, group, hashes, runs, sample;
	uint64_t memory;
	bool cpu;
	cl_device_id id;
	cl_context context;
	cl_command_queue queue;
	cl_kernel kernel;
	cl_mem input, keys, part[PARTS];
	uint8_t *password, *blocks, *got;
	double us[100];
};

/* ---- OpenCL: nothing goes on after an error ---- */

static void must(cl_int error, const char *what)
{
	if (error != CL_SUCCESS)
		exit(tool_error(TOOL_SYSTEM, "%s: OpenCL error %d", what,
				error));
}

static void *must_have(size_t size)
{
	void *p = calloc(1, size);

	if (!p)
		exit(tool_errno("memory of the host"));
	return p;
}

static cl_ulong limit(const struct attack *a, cl_device_info what)
{
	cl_ulong n = 0;

	must(clGetDeviceInfo(a->id, what, sizeof(n), &n, NULL), "device");
	return n;
}

/* Counts the devices of all platforms. */
static bool find_device(struct attack *a)
{
	cl_platform_id platform[16];
	cl_device_id id[16];
	cl_uint platforms = 0, n, i, skip = a->device;

	if (clGetPlatformIDs(16, platform, &platforms) != CL_SUCCESS)
		return false;
	for (i = 0; i < platforms && i < 16; i++) {
		if (clGetDeviceIDs(platform[i], CL_DEVICE_TYPE_ALL, 16, id,
				   &n) != CL_SUCCESS)
			continue;
		n = n < 16 ? n : 16;
		if (skip < n) {
			a->id = id[skip];
			return true;
		}
		skip -= n;
	}
	return false;
}

static char *read_text(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = must_have(1 << 16);

	if (!f || fread(text, 1, (1 << 16) - 1, f) == 0)
		exit(tool_errno(path));
	fclose(f);
	return text;
}

static void build(struct attack *a)
{
	const struct lyra2_params *p = &a->params;
	char *text = read_text(ATTACK_KERNEL), log[4096] = "", flags[256];
	const char *source = text;
	cl_program program;
	cl_int e;

	snprintf(flags, sizeof(flags), "-cl-std=CL1.2 -D WIDTH=%" PRIu32
		 " -D GROUP=%" PRIu32 " -D VERSION=%" PRIu32 " -D BLAMKA=%d"
		 " -D LANES=%" PRIu32 " -D ROWS=%" PRIu32 " -D COLS=%" PRIu32,
		 a->width, a->group, p->version, p->sponge == LYRA2_BLAMKA,
		 p->lanes, p->rows, p->cols);
	program = clCreateProgramWithSource(a->context, 1, &source, NULL, &e);
	must(e, ATTACK_KERNEL);
	free(text);
	e = clBuildProgram(program, 1, &a->id, flags, NULL, NULL);
	if (e != CL_SUCCESS) {
		clGetProgramBuildInfo(program, a->id, CL_PROGRAM_BUILD_LOG,
				      sizeof(log) - 1, log, NULL);
		fputs(log, stderr);
	}
	must(e, ATTACK_KERNEL);
	a->kernel = clCreateKernel(program, "lyra2", &e);
	must(e, "kernel");
}

static cl_mem buffer(const struct attack *a, size_t size)
{
	cl_int e;
	cl_mem m = clCreateBuffer(a->context, CL_MEM_READ_WRITE, size, NULL,
				  &e);

	must(e, "memory of the device");
	return m;
}

/* ---- what there is to hash ---- */

/* The padded input of a lane: core-body.h, bootstrap() */
static void pad(const struct attack *a, uint32_t hash, uint32_t lane)
{
	const struct lyra2_params *p = &a->params;
	const uint32_t field[8] = { KEY, PASSWORD, sizeof(salt) - 1, p->t_cost,
				    p->rows, p->cols, p->lanes, lane };
	uint8_t *to = a->blocks + (hash * p->lanes + lane) * 64 * BLOCKS;
	size_t i, n = PASSWORD + sizeof(salt) - 1;

	memset(to, 0, 64 * BLOCKS);
	memcpy(to, a->password + hash * PASSWORD, PASSWORD);
	memcpy(to + PASSWORD, salt, sizeof(salt) - 1);
	for (i = 0; i < (p->lanes > 1 ? 32 : 24); i++)
		to[n++] = (uint8_t)(field[i / 4] >> 8 * (i % 4));
	to[n] = 0x80;
	to[64 * ((n + 64) / 64) - 1] ^= 0x01;
}

static uint32_t blocks(const struct attack *a)
{
	return (PASSWORD + sizeof(salt) - 1 +
		(a->params.lanes > 1 ? 32 : 24)) / 64 + 1;
}

static void prepare(struct attack *a)
{
	const size_t states = (size_t)a->hashes * a->params.lanes;
	const size_t n = blocks(a) * 64;
	size_t i, bytes = (size_t)a->hashes * PASSWORD;

	for (i = 0; i < bytes; i += 256)
		if (getrandom(a->password + i,
			      bytes - i < 256 ? bytes - i : 256, 0) < 0)
			exit(tool_errno("random passwords"));
	for (i = 0; i < states; i++) {
		pad(a, (uint32_t)(i / a->params.lanes),
		    (uint32_t)(i % a->params.lanes));
		/* One block follows the other. */
		memmove(a->blocks + i * n, a->blocks + i * 64 * BLOCKS, n);
	}
	must(clEnqueueWriteBuffer(a->queue, a->input, CL_TRUE, 0, states * n,
				  a->blocks, 0, NULL, NULL), "passwords");
}

/* Returns how many keys of the sample are wrong. */
static uint32_t wrong(const struct attack *a)
{
	const uint32_t lanes = a->params.lanes;
	uint8_t want[KEY], got[KEY];
	uint32_t i, j, bad = 0, sample;

	sample = a->sample < a->hashes ? a->sample : a->hashes;
	for (i = 0; i < sample; i++) {
		const uint32_t hash = (uint32_t)((uint64_t)i * a->hashes /
						 sample);

		memset(got, 0, sizeof(got));
		for (j = 0; j < lanes * KEY; j++)
			got[j % KEY] ^= a->got[(hash * lanes + j / KEY) * RATE +
					       j % KEY];
		if (lyra2_kdf(NULL, &a->params, a->password + hash * PASSWORD,
			      PASSWORD, salt, sizeof(salt) - 1, want, KEY) < 0)
			exit(tool_library_error("lyra2_kdf"));
		bad += memcmp(got, want, KEY) != 0;
	}
	return bad;
}

/* ---- measuring ---- */

/* As many hashes as fit, in whole groups; returns those of a part. */
static uint32_t fit(struct attack *a)
{
	const uint64_t size = lyra2_memory(&a->params);
	uint64_t per_part = limit(a, CL_DEVICE_MAX_MEM_ALLOC_SIZE) / size;
	uint64_t all;

	if (!a->memory)
		a->memory = limit(a, CL_DEVICE_GLOBAL_MEM_SIZE) / 10 *
			    (a->cpu ? 3 : 9);
	all = a->memory / size;
	if (a->hashes && a->hashes < all)
		all = a->hashes;
	if (all > PARTS * per_part)
		all = PARTS * per_part;
	a->hashes = (uint32_t)(all / a->group * a->group);
	if (!a->hashes)
		exit(tool_error(TOOL_INPUT, "--group: the device has no memory "
				"for %" PRIu32 " hashes at once", a->group));
	return per_part < a->hashes ? (uint32_t)per_part : a->hashes;
}

static void allocate(struct attack *a)
{
	const uint32_t per_part = fit(a), n = blocks(a);
	const size_t states = (size_t)a->hashes * a->params.lanes;
	cl_uint i;

	a->password = must_have((size_t)a->hashes * PASSWORD);
	a->blocks = must_have(states * 64 * BLOCKS);
	a->got = must_have(states * RATE);
	a->input = buffer(a, states * 64 * BLOCKS);
	a->keys = buffer(a, states * RATE);
	for (i = 0; i < PARTS; i++) {
		const uint64_t first = (uint64_t)i * per_part;
		uint64_t here = first < a->hashes ? a->hashes - first : 0;

		here = here < per_part ? here : per_part;
		a->part[i] = here ? buffer(a, here * lyra2_memory(&a->params)) :
				    a->part[0];
		must(clSetKernelArg(a->kernel, 5 + i, sizeof(cl_mem),
				    &a->part[i]), "argument");
	}
	must(clSetKernelArg(a->kernel, 0, sizeof(cl_mem), &a->input) |
	     clSetKernelArg(a->kernel, 1, sizeof(n), &n) |
	     clSetKernelArg(a->kernel, 2, sizeof(n), &a->params.t_cost) |
	     clSetKernelArg(a->kernel, 3, sizeof(cl_mem), &a->keys) |
	     clSetKernelArg(a->kernel, 4, sizeof(n), &per_part), "argument");
}

/* Returns microseconds. */
static double hash_all(struct attack *a, uint32_t hashes)
{
	const size_t local = (size_t)a->group * a->params.lanes * a->width;
	const size_t global = hashes / a->group * local;
	const double start = bench_now();

	must(clEnqueueNDRangeKernel(a->queue, a->kernel, 1, NULL, &global,
				    &local, 0, NULL, NULL), "start");
	must(clEnqueueReadBuffer(a->queue, a->keys, CL_TRUE, 0,
				 (size_t)hashes * a->params.lanes * RATE,
				 a->got, 0, NULL, NULL), "keys");
	return bench_now() - start;
}

/* What the device reads and writes a second where it only copies. */
static double copy_bytes_per_s(struct attack *a)
{
	size_t size = 0;
	double start;
	uint32_t i;

	must(clGetMemObjectInfo(a->part[0], CL_MEM_SIZE, sizeof(size), &size,
				NULL), "copy");
	size /= 2;
	for (i = 0; i < a->runs; i++) {
		start = bench_now();
		must(clEnqueueCopyBuffer(a->queue, a->part[0], a->part[0], 0,
					 size, size, 0, NULL, NULL), "copy");
		must(clFinish(a->queue), "copy");
		a->us[i] = bench_now() - start;
	}
	return 2e6 * (double)size / bench_median(a->us, a->runs);
}

static int measure(struct attack *a, bool json)
{
	char device[128] = "";
	uint32_t i, bad;
	double rate, moved, copied;

	must(clGetDeviceInfo(a->id, CL_DEVICE_NAME, sizeof(device) - 1, device,
			     NULL), "device");
	prepare(a);
	hash_all(a, a->group);	/* pocl compiles only now */
	for (i = 0; i < a->runs; i++)
		a->us[i] = hash_all(a, a->hashes);
	bad = wrong(a);
	rate = a->hashes / bench_median(a->us, a->runs) * 1e6;
	moved = rate * bench_traffic(&a->params);
	copied = copy_bytes_per_s(a);
	if (json) {
		printf("{\"device\":");
		json_text(device);
		printf(",\"width\":%" PRIu32 ",\"group\":%" PRIu32 ",",
		       a->width, a->group);
		function_print_json(&a->params);
		printf(",\"in_flight\":%" PRIu32 ",\"per_s\":%.3f,"
		       "\"bytes_per_s\":%.0f,\"copy_bytes_per_s\":%.0f,"
		       "\"wrong\":%" PRIu32 "}\n", a->hashes, rate, moved,
		       copied, bad);
	} else {
		printf("%s: %.1f guesses/s, %" PRIu32 " in flight, %.1f GB/s, "
		       "%.0f %% of a copy's, %" PRIu32 " wrong\n", device,
		       rate, a->hashes, moved / 1e9, 100 * moved / copied,
		       bad);
	}
	return bad ? TOOL_NO : TOOL_YES;
}

static int attack(struct attack *a, bool json)
{
	cl_int e;

	if (!find_device(a)) {
		printf("no OpenCL device number %" PRIu32 "\n", a->device);
		return SKIP;
	}
	a->cpu = limit(a, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU;
	if (!a->width)
		a->width = a->cpu ? 1 : 4;
	if (!a->group)
		a->group = a->width == 4 && a->params.lanes < 8 ?
			   8 / a->params.lanes : 1;
	if (a->hashes && a->group > a->hashes)
		a->group = a->hashes;
	a->context = clCreateContext(NULL, 1, &a->id, NULL, NULL, &e);
	must(e, "context");
	a->queue = clCreateCommandQueue(a->context, a->id, 0, &e);
	must(e, "queue");
	build(a);
	allocate(a);
	return measure(a, json);
}

int main(int argc, char **argv)
{
	struct attack a = { .runs = 5, .sample = 4 };
	struct lyra2_params *p = &a.params;
	bool json = false;
	const struct tool_option options[] = {
		FUNCTION_STRING_OPTIONS(p, FUNCTION_SPONGES),
		{ "device", "N", "which OpenCL device (0)", options_set_u32,
		  &a.device, 0, 255 },
		{ "width", "1|4", "work items of a lane (CPUs: 1, others: 4)",
		  options_set_u32, &a.width, 1, 4 },
		{ "group", "N", "hashes of a work group (32 work items)",
		  options_set_u32, &a.group, 1, 256 },
		{ "memory", "SIZE", "at most, of the device (90 %; CPUs: 30 %)",
		  options_set_size, &a.memory, 1 << 10, UINT64_C(1) << 40 },
		{ "hashes", "N", "at once, at most (what fits)",
		  options_set_u32, &a.hashes, 1, 1 << 24 },
		{ "runs", "N", "whose median counts (5)", options_set_u32,
		  &a.runs, 1, 100 },
		{ "sample", "N", "hashes to compare with lyra2_kdf() (4)",
		  options_set_u32, &a.sample, 1, 1 << 24 },
		{ "json", NULL, "print an object", options_set_flag, &json, 0,
		  0 },
		{ 0 },
	};
	struct arguments args = {
		.usage = "[OPTION...]",
		.text = "Hashes random passwords on an OpenCL device and says "
			"how many a second.",
		.options = options,
	};
	int status;

	tool_command = "attack";
	lyra2_params_init(p);
	if (!tool_start(&args, argc, argv))
		return args.status;
	status = function_check(p, lyra2_check);
	if (status != TOOL_YES)
		return status;
	if (p->sponge == LYRA2_HALF_BLAMKA || a.width == 2 || a.width == 3)
		return tool_error(TOOL_INPUT, "the kernel has blamka and "
				  "blake2b, and widths 1 and 4");
	return attack(&a, json);
}
