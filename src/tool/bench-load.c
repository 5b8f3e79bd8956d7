/* SPDX-License-Identifier: BSD-2-Clause */
/* The same work in several processes at once. */
#include "bench-time.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool.h"

/* What the processes share. */
struct shared {
	atomic_uint finished;		/* processes that did their runs */
	double us[];			/* runs for each process */
};

struct gate {
	int ready[2];			/* a byte from each: ready */
	int start[2];			/* closed by the parent: begin */
};

uint32_t bench_cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		return (uint32_t)CPU_COUNT(&set);
	return (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
}

/* The first run, which also faults the memory in, is not counted. */
static int child(const struct bench_load *load, const struct gate *gate,
		 struct shared *shared, double *us)
{
	struct bench_work *work = load->work;
	uint32_t i;
	char c = 0;

	close(gate->ready[0]);
	close(gate->start[1]);
	if (work->run(work) < 0)
		return tool_errno(work->name);
	if (write(gate->ready[1], &c, 1) != 1 ||
	    close(gate->ready[1]) < 0 || read(gate->start[0], &c, 1) != 0)
		return TOOL_SYSTEM;
	for (i = 0; atomic_load(&shared->finished) < load->processes; i++) {
		const double begun = bench_now();

		if (work->run(work) < 0)
			return tool_errno(work->name);
		if (i < load->runs)
			us[i] = bench_now() - begun;
		if (i + 1 == load->runs)
			atomic_fetch_add(&shared->finished, 1);
	}
	return TOOL_YES;
}

static pid_t start_child(const struct bench_load *load,
			 const struct gate *gate, struct shared *shared,
			 uint32_t number)
{
	const pid_t parent = getpid(), pid = fork();

	if (pid != 0)
		return pid;
	/* Without the parent, nothing would stop this process. */
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent)
		_exit(TOOL_SYSTEM);
	_exit(child(load, gate, shared,
		    shared->us + (size_t)number * load->runs));
}

static void stop(pid_t *pids, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		if (pids[i] > 0)
			kill(pids[i], SIGKILL);
}

/* A process that failed never finishes; the others would wait for it. */
static int wait_for(pid_t *pids, uint32_t n)
{
	int status = TOOL_YES, how;
	uint32_t i, left;
	pid_t pid;

	for (left = n; left > 0; left--) {
		pid = waitpid(-1, &how, 0);
		if (pid < 0) {
			status = tool_errno("waitpid");
			stop(pids, n);
			break;
		}
		for (i = 0; i < n; i++)
			if (pids[i] == pid)
				pids[i] = 0;
		if (how == 0 || status != TOOL_YES)
			continue;
		status = WIFEXITED(how) ? WEXITSTATUS(how) :
			 tool_error(TOOL_SYSTEM, "a process was killed: %s",
				    strsignal(WTERMSIG(how)));
		stop(pids, n);
	}
	return status;
}

/* Starts all processes at once, when the last one is ready. */
static void open_gate(struct gate *gate, uint32_t n)
{
	char c;

	close(gate->ready[1]);
	close(gate->start[0]);
	while (n > 0 && read(gate->ready[0], &c, 1) == 1)
		n--;
	close(gate->ready[0]);
	close(gate->start[1]);
}

static int run_children(const struct bench_load *load, struct shared *shared,
			pid_t *pids)
{
	struct gate gate;
	uint32_t n = 0;
	int status;

	if (pipe2(gate.ready, O_CLOEXEC) < 0)
		return tool_errno("pipe");
	if (pipe2(gate.start, O_CLOEXEC) < 0) {
		status = tool_errno("pipe");
		close(gate.ready[0]);
		close(gate.ready[1]);
		return status;
	}
	while (n < load->processes) {
		pids[n] = start_child(load, &gate, shared, n);
		if (pids[n] < 0)
			break;
		n++;
	}
	status = n < load->processes ? tool_errno("fork") : TOOL_YES;
	if (status != TOOL_YES)
		stop(pids, n);
	open_gate(&gate, n);
	return n > 0 && wait_for(pids, n) != TOOL_YES && status == TOOL_YES ?
	       TOOL_SYSTEM : status;
}

int bench_load_run(struct bench_load *load)
{
	const size_t times = (size_t)load->processes * load->runs;
	const size_t size = sizeof(struct shared) + times * sizeof(double);
	struct shared *shared = mmap(NULL, size, PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t *pids = calloc(load->processes, sizeof(*pids));
	int status = TOOL_SYSTEM;

	if (shared == MAP_FAILED || !pids) {
		tool_errno("load");
		goto out;
	}
	fflush(stdout);
	status = run_children(load, shared, pids);
	if (status != TOOL_YES)
		goto out;
	load->median = bench_median(shared->us, times);
	load->stddev = bench_stddev(shared->us, times);
	load->spread = bench_spread(shared->us, times);
	load->per_second = load->processes * 1e6 / load->median;
out:
	if (shared != MAP_FAILED)
		munmap(shared, size);
	free(pids);
	return status;
}
