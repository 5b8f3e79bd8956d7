/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * INSTRUMENTED: whether a sanitizer or valgrind keeps copies and address
 * space of its own, which limits on memory and searches of it would meet.
 */
#ifndef INSTRUMENTED_H
#define INSTRUMENTED_H

#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* The emulator and valgrind are started by scripts, which say so. */
#define INSTRUMENTED (SANITIZED || getenv("TEST_INSTRUMENTED") != NULL)

#endif
