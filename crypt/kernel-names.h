/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernel-names.h - lets one translation unit hold several kernels: each name
 * that core-body.h and row-*.h give to a type or a function gets the kernel's
 * as a prefix.  To be included before the first kernel and after everything
 * else; a name forgotten here is one that the compiler calls redefined.
 */
#ifndef KERNEL_NAMES_H
#define KERNEL_NAMES_H

/* CORE_KERNEL is looked up anew wherever a name is used. */
#define KERNEL_NAME(name) KERNEL_PASTE(CORE_KERNEL, name)
#define KERNEL_PASTE(kernel, name) KERNEL_PASTE2(kernel, name)
#define KERNEL_PASTE2(kernel, name) kernel##_##name

#define state KERNEL_NAME(state)
#define block KERNEL_NAME(block)
#define shape KERNEL_NAME(shape)
#define lane KERNEL_NAME(lane)
#define modulus KERNEL_NAME(modulus)
#define modulo KERNEL_NAME(modulo)
#define mix KERNEL_NAME(mix)
#define columns KERNEL_NAME(columns)
#define diagonals KERNEL_NAME(diagonals)
#define permute KERNEL_NAME(permute)
#define permute_full KERNEL_NAME(permute_full)
#define state_init KERNEL_NAME(state_init)
#define block_load KERNEL_NAME(block_load)
#define block_store KERNEL_NAME(block_store)
#define block_add KERNEL_NAME(block_add)
#define block_xor KERNEL_NAME(block_xor)
#define block_rotate KERNEL_NAME(block_rotate)
#define rate KERNEL_NAME(rate)
#define duplex KERNEL_NAME(duplex)
#define lsw KERNEL_NAME(lsw)
#define le64 KERNEL_NAME(le64)
#define absorb_block KERNEL_NAME(absorb_block)
#define absorb KERNEL_NAME(absorb)
#define bootstrap KERNEL_NAME(bootstrap)
#define fill_row0 KERNEL_NAME(fill_row0)
#define fill_row KERNEL_NAME(fill_row)
#define window KERNEL_NAME(window)
#define window_next KERNEL_NAME(window_next)
#define setup KERNEL_NAME(setup)
#define wander_row KERNEL_NAME(wander_row)
#define wander_alone KERNEL_NAME(wander_alone)
#define wander_row_lane KERNEL_NAME(wander_row_lane)
#define wander_together KERNEL_NAME(wander_together)
#define wrap_up KERNEL_NAME(wrap_up)
#define compute KERNEL_NAME(compute)
#define row KERNEL_NAME(row)
#define row_half KERNEL_NAME(row_half)
#define row_load KERNEL_NAME(row_load)
#define row_store KERNEL_NAME(row_store)
#define row_add KERNEL_NAME(row_add)
#define row_xor KERNEL_NAME(row_xor)
#define row_blamka KERNEL_NAME(row_blamka)
#define row_ror32 KERNEL_NAME(row_ror32)
#define row_ror24 KERNEL_NAME(row_ror24)
#define row_ror16 KERNEL_NAME(row_ror16)
#define row_ror63 KERNEL_NAME(row_ror63)
#define row_left1 KERNEL_NAME(row_left1)
#define row_left2 KERNEL_NAME(row_left2)
#define row_left3 KERNEL_NAME(row_left3)
#define row_join KERNEL_NAME(row_join)
#define row_low KERNEL_NAME(row_low)
#define row_pair KERNEL_NAME(row_pair)
#define row_word0 KERNEL_NAME(row_word0)
#define row_word2 KERNEL_NAME(row_word2)

#endif
