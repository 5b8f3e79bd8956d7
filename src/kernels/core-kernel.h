/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the files of a kernel: how its functions are declared. */
#ifndef LYRA2_CORE_KERNEL_H
#define LYRA2_CORE_KERNEL_H

#include "core.h"

/*
 * Functions of a kernel are inlined: a call would spill the state that is in
 * registers.  Each kernel defines CORE_TARGET, the attribute that names its
 * instruction set.  Sanitizers take minutes to compile fully inlined code, so
 * their builds define LYRA2_CALLS.  Without optimization nothing may be
 * inlined, either: each copy would have variables of its own, on 2.6 MB of
 * stack that is not wiped.
 */
#if defined(LYRA2_CALLS) || !defined(__OPTIMIZE__)
#define CORE static __attribute__((unused)) CORE_TARGET
#else
#define CORE static inline __attribute__((always_inline, unused)) CORE_TARGET
#endif

/* For functions that run seldom, or where short code matters more than speed */
#define CORE_ONCE static __attribute__((noinline)) CORE_TARGET

/*
 * For a kernel's entry function.  On i386 a caller may align the stack to 4
 * bytes only, but vectors on the stack need 16.
 */
#ifdef __i386__
#define CORE_ENTRY CORE_TARGET __attribute__((force_align_arg_pointer))
#else
#define CORE_ENTRY CORE_TARGET
#endif

#endif
