/* SPDX-License-Identifier: MIT-0 */
/* The memory of the process, as a checked build sees it. checked.c calls these functions. Each way to see memory implements them once:
 * memory_asan.c with AddressSanitizer, memory_pages.c with forbidden pages, memory_memcheck.c with valgrind. One shared library has
 * checked.c, memory_map.c and one of these files. None of them is compiled with a sanitizer.
 *
 * "Forbidden" memory ends the process when C reads or writes it. "Bad" memory is memory that C may not access: it is freed, lies between
 * two blocks, or is not mapped. Sizes and offsets count bytes.
 *
 * Threads: checked.c holds its lock during each call of a dlb_zone_ function. Any thread may call the other functions at any time. None of
 * these functions may call Python. */
#ifndef DLB_CHECKED_MEMORY_H_
#define DLB_CHECKED_MEMORY_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns "asan", "pages" or "memcheck". */
const char *dlb_memory_way(void);

/* ---- Zones: memory of exact length, with forbidden memory before and behind it ---- */

/* A zone. C gets the bytes from `at` on. The implementation owns the other members. */
typedef struct dlb_zone {
    char *at;
    size_t size;
    char *block; /* the memory with its forbidden sides */
    size_t block_size;
    unsigned serial; /* pages: every fourth zone has the array at the front of its pages */
} dlb_zone;

/* Makes a zone of `size` bytes, whose content is undefined. `size` can be 0: each access is then forbidden. `at` is `residue` modulo
 * `alignment`, a power of two of at most 4096. The end of the array is as near to forbidden memory as the alignment allows. Pages: in every
 * fourth zone the start of the array is near to it instead. Returns false if memory runs out. */
bool dlb_zone_make(dlb_zone *zone, size_t size, size_t alignment, uintptr_t residue);
/* Returns whether C has written to bytes beside the array that it could access, such as the rest of a page. Stores the offset of such a
 * byte from `zone->at` in `*offset`: negative before the array, else at least `zone->size`. */
bool dlb_zone_overwritten(const dlb_zone *zone, ptrdiff_t *offset);
/* Forbids the whole zone from now on. checked.c keeps forbidden zones of 64 MiB in all, and then frees the oldest ones. */
void dlb_zone_forbid(dlb_zone *zone);
/* Frees the memory of a zone, forbidden or not. Later zones may have the same addresses. */
void dlb_zone_free(dlb_zone *zone);

/* ---- Questions ---- */

/* Returns the offset of the first bad byte of `size` bytes at `at`; `size` if there is none. Memory that the implementation does not know
 * (another allocator, a stack, a global variable) is bad only if it is not mapped. */
size_t dlb_memory_bad(const void *at, size_t size);

/* A block of the heap. */
typedef struct dlb_block {
    char *start;
    size_t size; /* as the caller of malloc() asked for it */
    bool freed;
} dlb_block;

/* Finds the block of malloc(), or of the C++ operator new, that contains the address: a living one, or a freed one that is not used again
 * yet. Returns false for all other memory, and if blocks are not known. */
bool dlb_memory_block(const void *at, dlb_block *block);

/* Returns whether the page of the address can be written; true if that is not known. May use a copy of the map of pages, but reads the
 * map again before it returns false. */
bool dlb_memory_writable(const void *at);

/* ---- Undefined memory (memcheck only) ---- */

/* Marks memory as undefined. Other ways do nothing. */
void dlb_memory_undefine(void *at, size_t size);
/* Returns the offset of the first undefined byte; `size` if all bytes are defined, or if that is not known. */
size_t dlb_memory_undefined(const void *at, size_t size);

/* ---- Bad accesses ---- */

/* A bad access, which is about to end the process. */
typedef struct dlb_bad_access {
    const char *kind;   /* in the words of AddressSanitizer, such as "heap-buffer-overflow", "double-free"; a signal: "SEGV", "BUS" */
    const void *at;     /* the address; NULL: unknown */
    size_t size;        /* the number of bytes; 0: unknown */
    int write;          /* 1: C wrote; 0: C read; -1: unknown */
    const char *symbol; /* the function of the library, such as "meter_over"; "": unknown. Not of the C library, not of a sanitizer. */
    const char *source; /* its file and line, such as "meter.c:9"; "": unknown */
    const char *variable; /* a variable on the stack of a wrapper that C left, such as "text"; "": none, or unknown */
} dlb_bad_access;

/* Starts to watch. checked.c calls this once, when the library is loaded. `report` is called once, before a bad access ends the process,
 * perhaps from a signal handler. It calls no allocator. memcheck: it is called for each error, and the process goes on. */
void dlb_memory_start(void (*report)(const dlb_bad_access *access));
/* Asks `is_foreign` about each block of malloc() that a library under test frees or resizes, and that it has not allocated itself. If the
 * answer is true, the block belongs to the program: that is a "bad-free". checked.c calls this once, when the library is loaded. Only pages
 * needs the answer: the other ways know all blocks, and checked.c sees that such a block is freed. */
void dlb_memory_watch_frees(bool (*is_foreign)(const void *block));
/* Calls `report` for all bad accesses that the implementation knows, and that are not reported yet. checked.c calls this at the end of each
 * call (memcheck counts its errors; the other ways have nothing to do). */
void dlb_memory_collect(void);

/* ---- Leaks (pages only: AddressSanitizer and valgrind have their own reports) ---- */

/* Says which wrapper runs in this thread from now on; NULL: none. Returns the wrapper before. The string must live until the process ends.
 * Each block that the library allocates keeps it. */
const char *dlb_memory_enter(const char *function);

/* A block that the library allocated, that is not freed, and whose address is nowhere in the memory of the process. */
typedef struct dlb_leak {
    size_t size;
    const char *function; /* the wrapper that ran when it was allocated; NULL: none */
    const char *symbol;   /* the function of the library that called malloc(), such as "label_make", or "liblabel.so+0x12f0" if its name is
                           * unknown; "": the allocation is not of the library */
} dlb_leak;

/* Calls `report` for each leaked block. Reads all writable memory: call it once, at the end, while no other thread changes pointers. */
void dlb_memory_leaks(void (*report)(const dlb_leak *leak, void *context), void *context);

/* ---- Memory of the layer ---- */

/* Allocates zeroed memory that no leak checker scans, and that is no block of the heap (mmap). Returns NULL if memory runs out. */
void *dlb_memory_table(size_t size);
/* Frees memory of dlb_memory_table(). */
void dlb_memory_table_free(void *table, size_t size);

/* ---- The map of pages (memory_map.c, for all ways) ---- */

/* A range of pages with equal rights. */
typedef struct dlb_pages {
    uintptr_t start;
    uintptr_t end;
    bool readable;
    bool writable;
} dlb_pages;

/* Finds the range of pages with the address in a copy of /proc/self/maps. Reads the file again if `fresh`, or if the copy has no such range.
 * Returns false if the address is not mapped. */
bool dlb_map_find(const void *at, bool fresh, dlb_pages *pages);
/* Finds the first range that ends after `at`, in the copy of the last reading. Returns false if there is none. */
bool dlb_map_next(uintptr_t at, dlb_pages *pages);

#ifdef __cplusplus
}
#endif

#endif
