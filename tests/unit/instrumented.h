/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * INSTRUMENTED is true under a sanitizer, valgrind or an emulator.  Each keeps
 * copies and address space of its own, which disturb limits and searches of
 * memory.
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

/* The scripts that start an emulator or valgrind set the variable. */
#define INSTRUMENTED (SANITIZED || getenv("TEST_INSTRUMENTED") != NULL)

#endif
