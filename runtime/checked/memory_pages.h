/* SPDX-License-Identifier: MIT-0 */
/* What the files memory_pages*.c share: one large range of addresses, the arena, and its spans.
 *
 * The arena is reserved and forbidden. A span consists of pages with content between forbidden pages; it lies in whole granules of 16 pages:
 *
 *     | 8 forbidden pages | pages with the content | forbidden pages, at least 6 |
 *
 * An address thus belongs to one span only, also beside its content. A span that ends gives its memory back, and stays forbidden until all
 * other addresses were used. Adjacent forbidden pages are one mapping of the kernel (vm.max_map_count is 65530 by default), so that a living
 * span costs two mappings and a dead one none. */
#ifndef DLB_CHECKED_MEMORY_PAGES_H_
#define DLB_CHECKED_MEMORY_PAGES_H_

#include "memory.h"

#define DLB_PAGES_PATTERN 0x5C /* fills accessible bytes beside the content of a span */

#if defined(__GNUC__)
#define DLB_EXPORTED __attribute__((visibility("default")))
#define DLB_HIDDEN __attribute__((visibility("hidden")))
#define DLB_INITIAL_TLS __attribute__((tls_model("initial-exec"))) /* no allocation at the first access by a thread */
#define DLB_RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))
#endif

/* The state of a span. */
enum {
    DLB_SPAN_UNUSED,
    DLB_SPAN_RESERVED, /* its pages are being made accessible */
    DLB_SPAN_ZONE,
    DLB_SPAN_FORBIDDEN_ZONE,
    DLB_SPAN_TABLE,
    DLB_SPAN_BLOCK,
    DLB_SPAN_FREEING, /* a freed block whose pages are still accessible */
    DLB_SPAN_FREED
};

/* A span, stored with its first granule. The other granules of the span only have `back`. */
typedef struct dlb_span {
    size_t size;          /* of the content, in bytes */
    uintptr_t caller;     /* of a block: the code that called malloc(). Of a zone: its serial number */
    const char *function; /* of a block: the wrapper that ran then; NULL: none */
    uint32_t offset;      /* of the content from the begin of the span, in bytes */
    uint32_t pages;       /* the number of accessible pages */
    uint32_t granules;    /* the length of the span */
    uint32_t back;        /* the number of granules to the first one of the span */
    int state;            /* accessed atomically */
    bool reached;         /* used by the search for leaks */
    bool is_of_program;   /* of a block: dlb_memory_fence() has asked for it */
} dlb_span;

/* ---- The arena ---- */

/* Where the content of a new span lies: at the end of its pages, or at the begin; its address is `residue` modulo `alignment`. */
typedef struct dlb_place {
    size_t size;
    size_t alignment;
    uintptr_t residue;
    bool at_front;
} dlb_place;

/* Makes a span with accessible, zeroed pages, in the state DLB_SPAN_RESERVED. Returns NULL if addresses, mappings or memory run out. */
DLB_HIDDEN dlb_span *dlb_span_make(const dlb_place *place);
/* Forbids the pages of a span, and gives their memory back. */
DLB_HIDDEN void dlb_span_forbid(const dlb_span *span);
/* Returns the span of an address of the arena, beside the content too; NULL if there is none. Takes no lock. */
DLB_HIDDEN dlb_span *dlb_span_find(uintptr_t at);
DLB_HIDDEN int dlb_span_state(const dlb_span *span);
DLB_HIDDEN void dlb_span_set_state(dlb_span *span, int state);
/* Sets the state if it is `from`. Returns whether it was. */
DLB_HIDDEN bool dlb_span_replace_state(dlb_span *span, int from, int to);
/* Returns the content, the begin of the accessible pages, and their end. */
DLB_HIDDEN char *dlb_span_content(const dlb_span *span);
DLB_HIDDEN char *dlb_span_first_page(const dlb_span *span);
DLB_HIDDEN char *dlb_span_end_of_pages(const dlb_span *span);
/* Returns whether an address lies in the arena. */
DLB_HIDDEN bool dlb_arena_has(const void *at);
/* Calls `visit` for each span that is not unused. */
DLB_HIDDEN void dlb_arena_visit(void (*visit)(dlb_span *span, void *context), void *context);
DLB_HIDDEN size_t dlb_page_size(void);
/* Returns whether the bytes can be read. Keeps errno. */
DLB_HIDDEN bool dlb_page_readable(uintptr_t at);
/* Returns the offset of the first byte that differs from the pattern; `size` if there is none. */
DLB_HIDDEN size_t dlb_pattern_end(const char *at, size_t size);

/* ---- The libraries under test, and the allocator for them (memory_pages_malloc.c) ---- */

/* Gives the blocks that any code allocates in this thread forbidden pages, or ends that. The program asks for it around the memory of an
 * array: C that uses the array after Python has freed it ends the process then. */
DLB_EXPORTED void dlb_memory_fence(bool fenced);
/* Returns whether an address of code lies in a library under test. Reads the loaded libraries again if others were loaded meanwhile. */
DLB_HIDDEN bool dlb_is_of_library(uintptr_t code);
/* Returns whether the allocator of this file is the one of the process: the file must be preloaded. */
DLB_HIDDEN bool dlb_malloc_is_ours(void);
/* The wrapper that runs in this thread; NULL: none. */
DLB_HIDDEN const char *dlb_pages_function(void);
/* The pointer that the C library frees or resizes in this thread; NULL: none. It calls abort() if the pointer is not one of malloc(). */
DLB_HIDDEN const void *dlb_pages_freeing(void);

/* ---- Faults (memory_pages_faults.c) ---- */

/* Reports a bad access at `code`, or without it at the innermost function of the library that runs. Ends the process. */
DLB_HIDDEN void dlb_pages_fail(const char *kind, const void *at, int write, uintptr_t code) __attribute__((noreturn));
/* Gives the thread a stack for signals, so that an overflow of its stack can be reported. */
DLB_HIDDEN void dlb_pages_prepare_thread(void);

/* ---- Names (memory_pages_symbols.c) ---- */

/* Stores the name of the function with this code, a static one, too; of a stripped library "libfile.so+0x12f0". Returns whether the code is of
 * a library under test, and not of the runtime or the generated code in the module of `wrapper`. NULL: no wrapper. Allocates nothing. */
DLB_HIDDEN bool dlb_pages_library_function(uintptr_t code, const char *wrapper, char *name, size_t size);

#endif
