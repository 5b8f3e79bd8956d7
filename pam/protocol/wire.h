/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Packets between the module and lyra2d.
 *
 * A packet of a SOCK_SEQPACKET socket holds fields: numbers of 32 or 64 bits,
 * and texts that carry their length before them.  Both ends run on one
 * machine, so numbers have the byte order of the machine.  An error sets "bad"
 * for good: callers check once, at the end.
 */
#ifndef PAM_LYRA2_WIRE_H
#define PAM_LYRA2_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WIRE_MAX 2048		/* far below any socket buffer */

struct wire {
	size_t len;		/* bytes in buf */
	size_t pos;		/* bytes read so far */
	bool bad;
	unsigned char buf[WIRE_MAX];
};

void wire_put_u32(struct wire *w, uint32_t n);
void wire_put_u64(struct wire *w, uint64_t n);

/* Adds zero bytes until the packet has this size; takes those that follow. */
void wire_put_padding(struct wire *w, size_t size);
void wire_get_padding(struct wire *w);

/*
 * Puts at most max + 1 bytes of a text: enough for the reader to see that it
 * is too long, whether the sender was given 512 bytes or a gigabyte.
 */
void wire_put_text(struct wire *w, const char *text, size_t max);

uint32_t wire_get_u32(struct wire *w);
uint64_t wire_get_u64(struct wire *w);

/* Reads a text of fewer than size bytes; a NUL inside it is an error. */
void wire_get_text(struct wire *w, char *out, size_t size);

/*
 * Returns true if the whole packet was read without error; else errno is
 * EBADMSG.  A packet that is too long is as malformed as one that is too short.
 */
bool wire_complete(const struct wire *w);

/*
 * Send and receive one packet; 0, or -1 with errno.  The end of the connection
 * is EPIPE, a packet that is too long EMSGSIZE.  flags are those of send(2)
 * and recv(2), MSG_DONTWAIT or 0.
 */
int wire_send(int fd, const struct wire *w, int flags);
int wire_recv(int fd, struct wire *w, int flags);

#endif
