/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the files of a kernel: how its functions are declared. */
#ifndef LYRA2_CORE_KERNEL_H
#define LYRA2_CORE_KERNEL_H

#include "core.h"

/* Whether x, where it may as well be false: gcc 9 and clang 11 can be told. */
#ifdef __has_builtin
#if __has_builtin(__builtin_expect_with_probability)
#define EITHER(x) __builtin_expect_with_probability(x, 1, 0.5)
#endif
#endif
#ifndef EITHER
#define EITHER(x) (x)
#endif

/*
 * Every function of a kernel is inlined: a call would spill the rows that are
 * in registers.  CORE_TARGET, which each kernel defines, is its target.
 * Sanitizers take minutes to compile fully inlined code, so their builds
 * define LYRA2_CALLS.  Without optimization, each copy would have variables of
 * its own: 2.6 MB of stack, which is not wiped.
 */
#if defined(LYRA2_CALLS) || !defined(__OPTIMIZE__)
#define CORE static __attribute__((unused)) CORE_TARGET
#else
#define CORE static inline __attribute__((always_inline, unused)) CORE_TARGET
#endif

/* For code that runs once or twice per hash, and loops that two share */
#define CORE_ONCE static __attribute__((noinline)) CORE_TARGET

/*
 * For the function that others call.  On i386 the stack may be aligned to 4
 * bytes only; vectors are kept there that need 16.
 */
#ifdef __i386__
#define CORE_ENTRY CORE_TARGET __attribute__((force_align_arg_pointer))
#else
#define CORE_ENTRY CORE_TARGET
#endif

#endif
