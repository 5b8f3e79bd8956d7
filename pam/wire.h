/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Messages between the module and its helpers.
 *
 * A message is its length in 32 bits and then fields: numbers of 32 or 64
 * bits, and texts that carry their length before them.  Both ends run on one
 * machine, so numbers have the byte order of the machine.  An error sets "bad"
 * for good: callers check once, at the end.
 */
#ifndef PAM_LYRA2_WIRE_H
#define PAM_LYRA2_WIRE_H

#include <stddef.h>
#include <stdint.h>

#define WIRE_MAX 4096		/* far below any socket buffer: never blocks */

struct wire {
	size_t len;		/* bytes in buf */
	size_t pos;		/* bytes read so far */
	int bad;
	unsigned char buf[WIRE_MAX];
};

void wire_put_u32(struct wire *w, uint32_t n);
void wire_put_u64(struct wire *w, uint64_t n);

/*
 * Sends at most max + 1 bytes of a text: enough for the reader to see that it
 * is too long, whether the sender was given 512 bytes or a gigabyte.
 */
void wire_put_text(struct wire *w, const char *text, size_t max);

uint32_t wire_get_u32(struct wire *w);
uint64_t wire_get_u64(struct wire *w);

/* Reads a text of fewer than size bytes; a NUL inside it is an error. */
void wire_get_text(struct wire *w, char *out, size_t size);

/* Send and receive one message over a socket; 0, or -1 with errno. */
int wire_send(int fd, const struct wire *w);
int wire_recv(int fd, struct wire *w);

#endif
