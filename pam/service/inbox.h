/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a module has sent and nobody has read.
 *
 * A packet can bring descriptors along, which end with it.  The end of one
 * takes as long as its sender likes: a socket with SO_LINGER waits until its
 * other side has read everything.  Only a process that ends does not wait.
 */
#ifndef PAM_LYRA2_INBOX_H
#define PAM_LYRA2_INBOX_H

enum inbox {
	INBOX_EMPTY,
	INBOX_PACKET,
	INBOX_LOADED,		/* a packet with descriptors: do not read it */
	INBOX_END		/* the module has gone */
};

/* Comes before the other two; 0, or -1 with errno. */
int inbox_prepare(int fd);

enum inbox inbox_look(int fd);

/* Closes it; what was sent last can still be read at the other end. */
void inbox_close(int fd);

#endif
