/* SPDX-License-Identifier: MIT-0 */
/* The search for leaks: blocks of the library whose address is nowhere in the memory of the process.
 *
 * Each aligned word of writable memory counts as a pointer. A block is reached if such a word has an address of the block, and the word lies
 * outside the arena or in a block that is reached. An old copy of an address can thus hide a leak; a pointer that the program still has is
 * never reported. Pointers that are stored otherwise (compressed, or in memory that is shared with a device) are not seen. */
#include "memory_pages.h"

/* The blocks that are reached, and whose content is not read yet. */
typedef struct search_state {
    dlb_span **waiting;
    size_t count, capacity;
} search_state;

static void reach(search_state *search, uintptr_t word)
{
    dlb_span *span;
    uintptr_t start;

    if (!dlb_arena_has((const void *)word)) {
        return;
    }
    span = dlb_span_find(word);
    if (span == NULL || span->reached || dlb_span_state(span) != DLB_SPAN_BLOCK || search->count == search->capacity) {
        return;
    }
    start = (uintptr_t)dlb_span_content(span);
    if (word == start || (word > start && word < start + span->size)) {
        span->reached = true;
        search->waiting[search->count++] = span;
    }
}

static void read_words(search_state *search, uintptr_t start, uintptr_t end)
{
    const uintptr_t step = sizeof(uintptr_t);

    for (uintptr_t at = (start + step - 1) / step * step; at + step <= end; at += step) {
        reach(search, *(const uintptr_t *)at);
    }
}

static void read_block(search_state *search, const dlb_span *span)
{
    const uintptr_t start = (uintptr_t)dlb_span_content(span);

    read_words(search, start, start + span->size);
}

static void read_waiting(search_state *search)
{
    while (search->count > 0) {
        read_block(search, search->waiting[--search->count]);
    }
}

/* Reads the writable memory outside the arena. The stack of this thread is read from the frame of this function on: what is below is not
 * used any more. */
static __attribute__((noinline)) void read_process(search_state *search)
{
    const size_t page = dlb_page_size();
    const uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
    dlb_pages pages = {0, 0, false, false};

    (void)dlb_map_find(search, true, &pages); /* reads the map */
    pages.end = 0;
    while (dlb_map_next(pages.end, &pages)) {
        uintptr_t at = stack > pages.start && stack < pages.end ? stack : pages.start;

        while (pages.readable && pages.writable && at < pages.end) {
            const uintptr_t end = at / page * page + page;

            if (!dlb_arena_has((const void *)at) && dlb_page_readable(at)) {
                read_words(search, at, end);
                read_waiting(search);
            }
            at = end;
        }
    }
}

static void count_block(dlb_span *span, void *count)
{
    if (dlb_span_state(span) == DLB_SPAN_BLOCK) {
        span->reached = false;
        ++*(size_t *)count;
    }
}

/* Marks the blocks that a leaked block leads to: only the leaked block itself is reported, as LeakSanitizer does. */
static void mark_indirect(dlb_span *span, void *search_)
{
    search_state *const search = search_;

    if (dlb_span_state(span) == DLB_SPAN_BLOCK && !span->reached) {
        span->reached = true; /* a cycle need not read it again */
        read_block(search, span);
        read_waiting(search);
        span->reached = false;
    }
}

/* Reads arrays of calls that still run. */
static void read_zone(dlb_span *span, void *search)
{
    if (dlb_span_state(span) == DLB_SPAN_ZONE) {
        read_block(search, span);
        read_waiting(search);
    }
}

enum { MOST_NAMES = 64, LONGEST_NAME = 200 };

/* The name of a function of the library that allocated in a wrapper. */
typedef struct allocation_site {
    uintptr_t caller;
    const char *wrapper;
    bool is_of_library;
    char name[LONGEST_NAME];
} allocation_site;

/* A caller of dlb_memory_leaks(). It keeps names, because many blocks come from few functions. */
typedef struct listener {
    void (*report)(const dlb_leak *leak, void *context);
    void *context;
    allocation_site *sites; /* by a hash of the caller */
} listener;

static const allocation_site *find_site(const listener *to, const dlb_span *span)
{
    allocation_site *const site = &to->sites[(span->caller ^ span->caller >> 6) % MOST_NAMES];

    if (site->caller != span->caller || site->wrapper != span->function) {
        site->caller = span->caller;
        site->wrapper = span->function;
        /* the call of malloc() can be the last instruction of its function */
        site->is_of_library = dlb_pages_library_function(span->caller - 1, span->function, site->name, sizeof site->name);
    }
    return site;
}

static void report_block(dlb_span *span, void *context)
{
    const listener *const to = context;

    if (dlb_span_state(span) == DLB_SPAN_BLOCK && !span->reached) {
        const allocation_site *const site = find_site(to, span);
        const dlb_leak leak = {span->size, span->function, site->is_of_library ? site->name : ""};

        to->report(&leak, to->context);
    }
}

void dlb_memory_leaks(void (*report)(const dlb_leak *leak, void *context), void *context)
{
    search_state search = {NULL, 0, 0};
    listener to = {report, context, NULL};

    if (!dlb_malloc_is_ours()) {
        return;
    }
    __builtin_unwind_init(); /* stores the registers of the callers in this frame */
    dlb_arena_visit(count_block, &search.capacity);
    if (search.capacity == 0) {
        return;
    }
    search.waiting = dlb_memory_table(search.capacity * sizeof *search.waiting);
    to.sites = dlb_memory_table(MOST_NAMES * sizeof *to.sites);
    if (search.waiting == NULL || to.sites == NULL) {
        return;
    }
    read_process(&search);
    dlb_arena_visit(read_zone, &search);
    dlb_arena_visit(mark_indirect, &search);
    dlb_arena_visit(report_block, &to);
    dlb_memory_table_free(to.sites, MOST_NAMES * sizeof *to.sites);
    dlb_memory_table_free(search.waiting, search.capacity * sizeof *search.waiting);
}
