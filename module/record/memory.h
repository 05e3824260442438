/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/*
 * The contents of a stack, as hashes, which tell what has changed between two samples: see
 * show/went_on.c. Frames are numbered from the outside: 0 is the outermost one.
 */
#ifndef TRACE_IRQOFF_MEMORY_H
#define TRACE_IRQOFF_MEMORY_H

#include <linux/types.h>

#define WALK_FRAMES	64	/* the contents of a deeper stack are not known */
#define WALK_WORDS	1024	/* read for one sample, at most */
#define MEMORY_FRAMES	16	/* kept of each sample, the innermost ones */
#define MEMORY_STEP	8	/* of stacks with more frames, frames are kept from a multiple on */
#define NR_SAVED	6	/* registers that a function preserves for its caller (x86) */

/* The contents of one frame. A hash is never 0. */
struct frame_memory {
	/*
	 * The words below the return address, the nearest first, where a function has saved its
	 * caller's registers; 0: the frame is smaller. Of code that has saved interrupted
	 * registers: these.
	 */
	u16 saved[NR_SAVED];
	u16 others;		/* all other words */
};

/* The contents of a stack. Registers are in the order of struct pt_regs: r15 to r12, rbp, rbx. */
struct stack_memory {
	u8 depth;		/* number of frames; 0: the contents are not known */
	u8 first;		/* number of the outermost frame in @frames */
	u16 interrupts;		/* mask of @frames: code that has saved interrupted registers */
	u16 outer[2];		/* hash of all frames outside of @first, of @first + MEMORY_STEP */
	u16 regs[NR_SAVED];	/* registers of the innermost function */
	u16 other_regs;		/* all others */
	struct frame_memory frames[MEMORY_FRAMES];	/* outermost first */
};

/* Memory for a walk */
struct walk_memory {
	unsigned int words_left;	/* that may still be read */
	bool failed;			/* some contents are not known */
	struct walk_frame {
		u32 ip;			/* low half of the address */
		bool interrupt;
		struct frame_memory memory;
	} frames[WALK_FRAMES];		/* innermost first */
};

#endif /* TRACE_IRQOFF_MEMORY_H */
