/* SPDX-License-Identifier: MIT-0 */
/* Memory as AddressSanitizer sees it. This file is not instrumented. The process must run with libasan: as an instrumented program, or by
 * LD_PRELOAD. */
#include "memory.h"

#include <sanitizer/asan_interface.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char *dlb_memory_way(void)
{
    return "asan";
}

/* ---- Tables ---- */

void *dlb_memory_table(size_t size)
{
    void *const table = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return table != MAP_FAILED ? table : NULL;
}

void dlb_memory_table_free(void *table, size_t size)
{
    (void)munmap(table, size);
}

/* ---- Zones ----
 *
 * A zone is a block of mapped memory, all of which is poisoned but the array. The blocks are not from malloc(): LeakSanitizer would report
 * those that only the tables of the layer refer to. */

enum { SMALLEST_CLASS = 14, LARGEST_CLASS = 20, LEAST_SIDE = 4096, MOST_SIDE = 1 << 20 };

/* The first word of a free block, which has the size 2^class. */
typedef struct free_block {
    struct free_block *next;
} free_block;

static free_block *free_blocks[LARGEST_CLASS + 1];

/* Returns the class of blocks for `size` bytes; a number above LARGEST_CLASS means a mapping of its own. */
static int class_of(size_t size)
{
    int class = SMALLEST_CLASS;

    while (class <= LARGEST_CLASS && ((size_t)1 << class) < size) {
        class++;
    }
    return class;
}

/* Returns the poisoned block of a class, or NULL. */
static char *block_of_class(int class)
{
    const size_t size = (size_t)1 << class;
    free_block *block = free_blocks[class];
    char *chunk;

    if (block != NULL) {
        __asan_unpoison_memory_region(block, sizeof *block);
        free_blocks[class] = block->next;
        __asan_poison_memory_region(block, sizeof *block);
        return (char *)block;
    }
    chunk = dlb_memory_table((size_t)1 << LARGEST_CLASS);
    if (chunk == NULL) {
        return NULL;
    }
    for (size_t at = ((size_t)1 << LARGEST_CLASS) - size; at > 0; at -= size) {
        block = (free_block *)(void *)(chunk + at);
        block->next = free_blocks[class];
        free_blocks[class] = block;
    }
    __asan_poison_memory_region(chunk, (size_t)1 << LARGEST_CLASS);
    return chunk;
}

bool dlb_zone_make(dlb_zone *zone, size_t size, size_t alignment, uintptr_t residue)
{
    const size_t wide = size < MOST_SIDE ? size : MOST_SIDE; /* a length that is twice too large leads this far */
    const size_t side = wide < LEAST_SIDE ? LEAST_SIDE : wide;
    const size_t needed = size + 2 * side + alignment;
    const int class = class_of(needed);
    uintptr_t place;

    if (needed < size) {
        return false;
    }
    zone->block_size = class <= LARGEST_CLASS ? (size_t)1 << class : needed;
    zone->block = class <= LARGEST_CLASS ? block_of_class(class) : dlb_memory_table(needed);
    if (zone->block == NULL) {
        return false;
    }
    if (class > LARGEST_CLASS) {
        __asan_poison_memory_region(zone->block, needed);
    }
    place = (uintptr_t)zone->block + side;
    place += (residue - place) & (alignment - 1);
    zone->at = (char *)place;
    zone->size = size;
    __asan_unpoison_memory_region(zone->at, size);
    return true;
}

bool dlb_zone_overwritten(const dlb_zone *zone, ptrdiff_t *offset)
{
    (void)zone;
    (void)offset;
    return false; /* all bytes beside the array are poisoned */
}

void dlb_zone_forbid(dlb_zone *zone)
{
    __asan_poison_memory_region(zone->at, zone->size);
}

void dlb_zone_free(dlb_zone *zone)
{
    const int class = class_of(zone->block_size);
    free_block *const block = (free_block *)(void *)zone->block;

    dlb_zone_forbid(zone);
    if (class > LARGEST_CLASS) {
        __asan_unpoison_memory_region(zone->block, zone->block_size); /* the kernel may map other memory there */
        dlb_memory_table_free(zone->block, zone->block_size);
        return;
    }
    __asan_unpoison_memory_region(block, sizeof *block);
    block->next = free_blocks[class];
    free_blocks[class] = block;
    __asan_poison_memory_region(block, sizeof *block);
}

/* ---- Questions ---- */

static bool is_mapped(const void *at)
{
    static long page;
    unsigned char resident;

    if (page == 0) {
        page = sysconf(_SC_PAGESIZE);
    }
    return mincore((void *)((uintptr_t)at & ~(uintptr_t)(page - 1)), 1, &resident) == 0;
}

/* Returns whether the sanitizer marks the address as freed memory of the heap. */
static bool is_marked_freed(const void *at)
{
    enum { HEAP_FREED = 0xfd };
    size_t scale, offset;

    __asan_get_shadow_mapping(&scale, &offset);
    return *(const unsigned char *)(((uintptr_t)at >> scale) + offset) == HEAP_FREED;
}

/* Returns what the sanitizer knows of an address. This is fast for memory of the heap, and takes 30 us for other memory. */
static bool locate(const void *at, dlb_block *block)
{
    char name[8];
    void *start = NULL;
    size_t size = 0;
    const char *const kind = __asan_locate_address((void *)(uintptr_t)at, name, sizeof name, &start, &size);

    if (kind == NULL || strcmp(kind, "heap") != 0 || start == NULL) {
        return false;
    }
    block->start = start;
    block->size = size;
    block->freed = is_marked_freed(start);
    return true;
}

bool dlb_memory_block(const void *at, dlb_block *block)
{
    enum { SIZE_BITS = 16, REMEMBERED = 512 };
    static uint64_t outside[REMEMBERED]; /* parts of 64 KiB with memory that is mapped, and not of the heap */
    const uint64_t part = (uint64_t)(uintptr_t)at >> SIZE_BITS;
    uint64_t *const place = &outside[part % REMEMBERED];

    if (__atomic_load_n(place, __ATOMIC_RELAXED) == part && !is_marked_freed(at)) {
        return false;
    }
    if (locate(at, block)) {
        return true;
    }
    if (is_mapped(at)) {
        __atomic_store_n(place, part, __ATOMIC_RELAXED);
    }
    return false;
}

size_t dlb_memory_bad(const void *at, size_t size)
{
    const char *const bad = size > 0 ? __asan_region_is_poisoned((void *)(uintptr_t)at, size) : NULL;
    dlb_block block;

    if (bad != NULL) {
        return (size_t)(bad - (const char *)at);
    }
    if (size == 0 || dlb_memory_block(at, &block) || (is_mapped(at) && is_mapped((const char *)at + size - 1))) {
        return size; /* memory of the heap is mapped */
    }
    return is_mapped(at) ? size - 1 : 0;
}

bool dlb_memory_writable(const void *at)
{
    dlb_pages pages;
    dlb_block block;

    if (dlb_map_find(at, false, &pages) && pages.writable) {
        return true;
    }
    if (dlb_memory_block(at, &block)) {
        return true;
    }
    return !dlb_map_find(at, true, &pages) || pages.writable;
}

void dlb_memory_undefine(void *at, size_t size)
{
    (void)at;
    (void)size;
}

size_t dlb_memory_undefined(const void *at, size_t size)
{
    (void)at;
    return size;
}

/* ---- Reports ---- */

static void (*report)(const dlb_bad_access *access);

/* Copies the characters up to one of `ends` to `word`. */
static void copy_word(const char *from, const char *ends, char *word, size_t size)
{
    size_t length = strcspn(from, ends);

    length = length < size ? length : size - 1;
    memcpy(word, from, length);
    word[length] = '\0';
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Returns whether a frame belongs to the sanitizer or to the C library, and not to the library that is checked. */
static bool is_foreign_frame(const char *function, const char *line, size_t length)
{
    static const char *const files[] = {"libasan", "libclang_rt", "libsanitizer", "/libc.so", "/libc-", "libpython", "asan_interceptors"};
    static const char *const names[] = {"__interceptor_", "__asan_", "___interceptor", "__sanitizer", "__GI_", "operator "};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (begins(function, names[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const char *const found = strstr(line, files[i]);

        if (found != NULL && found < line + length) {
            return true;
        }
    }
    return false;
}

/* Finds the function of the library, and its line, in the first stack of a report: "    #1 0x7f00 in meter_over /tmp/lib.c:9:30". */
static void find_symbol(const char *text, char *symbol, size_t symbol_size, char *source, size_t source_size)
{
    const char *line = strstr(text, "\n    #0 ");

    while (line != NULL && begins(line, "\n    #")) {
        const char *const end = strchr(line + 1, '\n');
        const size_t length = end != NULL ? (size_t)(end - line) : strlen(line);
        const char *const in = strstr(line, " in ");

        if (in != NULL && in < line + length) {
            copy_word(in + 4, " \n", symbol, symbol_size);
            if (!is_foreign_frame(symbol, line, length)) {
                const char *const space = strchr(in + 4, ' ');
                const char *file = space != NULL && space < line + length ? space + 1 : NULL;

                for (const char *c = file; c != NULL && c < line + length; c++) {
                    file = *c == '/' ? c + 1 : file;
                }
                if (file != NULL && memchr(file, ':', (size_t)(line + length - file)) != NULL) {
                    copy_word(file, "\n)", source, source_size);
                }
                return;
            }
            symbol[0] = '\0';
        }
        line = end;
    }
}

/* Finds the variable of a wrapper beside which C has accessed the stack:
 * "is located in stack of thread T0 at offset 40 in frame\n    #0 0x7f00 in py_ticket_print ...\n    [32, 40) 'text' (line 34) <== Memory". */
static void find_variable(const char *text, char *variable, size_t size)
{
    const char *const frame = strstr(text, " in frame\n");
    const char *const function = frame != NULL ? strstr(frame, " in py_") : NULL;
    const char *const line = frame != NULL ? strchr(frame + strlen(" in frame\n"), '\n') : NULL;
    const char *const mark = line != NULL ? strstr(line, "<== ") : NULL;
    const char *name = NULL;

    variable[0] = '\0';
    if (mark == NULL || function == NULL || function > line) {
        return;
    }
    for (const char *c = line; c < mark; c++) {
        name = *c == '\n' ? NULL : *c == '\'' && name == NULL ? c + 1 : name;
    }
    if (name != NULL) {
        copy_word(name, "'\n", variable, size);
    }
}

/* Reads the address in a report about a signal, "SEGV on unknown address 0x0000 (pc 0x7f00 bp ...)", or about a wrong free, "not
 * malloc()-ed: 0x7f00". */
static const void *address_in(const char *text)
{
    static const char *const before[] = {"address 0x", "not malloc()-ed: 0x"};

    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        const char *const found = strstr(text, before[i]);

        if (found != NULL) {
            return (const void *)(uintptr_t)strtoull(found + strlen(before[i]) - 2, NULL, 16);
        }
    }
    return NULL;
}

static void forward_report(const char *text)
{
    static char kind[64], symbol[200], source[300], variable[100];
    const char *const begin = strstr(text, "AddressSanitizer: ");
    dlb_bad_access access = {"unknown", NULL, 0, -1, symbol, source, variable};

    if (begin != NULL) {
        copy_word(begin + strlen("AddressSanitizer: "), " \n", kind, sizeof kind);
        if (begins(kind, "attempting")) { /* "attempting double-free on", "attempting free on address which was not malloc()-ed" */
            copy_word(begin + strlen("AddressSanitizer: attempting "), " \n", kind, sizeof kind);
            if (strcmp(kind, "free") == 0) {
                memcpy(kind, "bad-free", sizeof "bad-free");
            }
        }
        access.kind = kind;
    }
    find_symbol(text, symbol, sizeof symbol, source, sizeof source);
    find_variable(text, variable, sizeof variable);
    access.at = __asan_report_present() ? __asan_get_report_address() : NULL;
    if (access.at == NULL && begin != NULL) {
        access.at = address_in(begin);
    }
    access.size = __asan_report_present() ? __asan_get_report_access_size() : 0;
    if (strstr(text, "WRITE of size") != NULL || strstr(text, "caused by a WRITE") != NULL) {
        access.write = 1;
    } else if (strstr(text, "READ of size") != NULL || strstr(text, "caused by a READ") != NULL) {
        access.write = 0;
    }
    report(&access);
}

void dlb_memory_start(void (*to)(const dlb_bad_access *access))
{
    report = to;
    __asan_set_error_report_callback(forward_report);
}

void dlb_memory_watch_frees(bool (*is_foreign)(const void *block))
{
    (void)is_foreign;
}

void dlb_memory_collect(void)
{
}

const char *dlb_memory_enter(const char *function)
{
    (void)function;
    return NULL;
}

void dlb_memory_leaks(void (*report_leak)(const dlb_leak *leak, void *context), void *context)
{
    (void)report_leak; /* LeakSanitizer has a report of its own */
    (void)context;
}
