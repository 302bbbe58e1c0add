/* SPDX-License-Identifier: MIT-0 */
/* Memory with forbidden pages: for C libraries that are only linked, without a sanitizer in the process. This file has the arena, the zones
 * of arrays, and the answers about memory. memory_pages.h explains the arena. */
#include "memory_pages.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGES_OF_GRANULE = 16, PAGES_BEFORE = 8, PAGES_BEHIND = 6 };

#define LARGEST_ARENA ((size_t)1 << 36) /* a million spans of one granule */
#define SMALLEST_ARENA ((size_t)1 << 26)

/* ---- The arena ---- */

/* `spans` has an entry for each granule, and lies at the begin of the arena: nobody scans it for pointers. */
typedef struct arena_state {
    uintptr_t start, end;
    size_t page, granule;
    dlb_span *spans;
    uint32_t count; /* of granules */
    uint32_t first; /* the first granule after `spans` */
    uint32_t next;  /* where the search for the next span begins */
    bool unusable;
} arena_state;

static arena_state arena;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of `next` and the lengths of spans */

static void *map_forbidden(void *at, size_t size)
{
    const int fixed = at != NULL ? MAP_FIXED : 0;

    return mmap(at, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
}

static void lock_arena(void)
{
    (void)pthread_mutex_lock(&lock);
}
static void unlock_arena(void)
{
    (void)pthread_mutex_unlock(&lock);
}

/* Reserves the arena. A limit of the address space (ulimit -v) makes it smaller. The caller holds the lock. */
static void reserve(void)
{
    size_t size, table;
    void *start = MAP_FAILED;

    arena.page = (size_t)sysconf(_SC_PAGESIZE);
    arena.granule = arena.page * PAGES_OF_GRANULE;
    for (size = LARGEST_ARENA; size >= SMALLEST_ARENA && start == MAP_FAILED; size /= 2) {
        start = map_forbidden(NULL, size + arena.granule);
        if (start != MAP_FAILED) {
            break;
        }
    }
    if (start == MAP_FAILED) {
        arena.unusable = true;
        return;
    }
    arena.start = ((uintptr_t)start + arena.granule - 1) / arena.granule * arena.granule;
    arena.count = (uint32_t)(size / arena.granule);
    table = arena.count * sizeof *arena.spans;
    if (mprotect((void *)arena.start, table, PROT_READ | PROT_WRITE) != 0) {
        arena.unusable = true;
        return;
    }
    arena.spans = (dlb_span *)arena.start;
    arena.first = (uint32_t)((table + arena.granule - 1) / arena.granule);
    arena.next = arena.first;
    __atomic_store_n(&arena.end, arena.start + arena.count * arena.granule, __ATOMIC_RELEASE);
    (void)pthread_atfork(lock_arena, unlock_arena, unlock_arena);
}

/* Runs before all code of the libraries under test. Without it, the fork of a program that has no zone yet would not know the lock. */
__attribute__((constructor)) static void reserve_at_start(void)
{
    lock_arena();
    if (arena.end == 0 && !arena.unusable) {
        reserve();
    }
    unlock_arena();
}

size_t dlb_page_size(void)
{
    return arena.page;
}

bool dlb_arena_has(const void *at)
{
    const uintptr_t end = __atomic_load_n(&arena.end, __ATOMIC_ACQUIRE);

    return (uintptr_t)at < end && (uintptr_t)at >= arena.start;
}

int dlb_span_state(const dlb_span *span)
{
    return __atomic_load_n(&span->state, __ATOMIC_ACQUIRE);
}

void dlb_span_set_state(dlb_span *span, int state)
{
    __atomic_store_n(&span->state, state, __ATOMIC_RELEASE);
}

bool dlb_span_replace_state(dlb_span *span, int from, int to)
{
    return __atomic_compare_exchange_n(&span->state, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static char *begin_of(const dlb_span *span)
{
    return (char *)(arena.start + (size_t)(span - arena.spans) * arena.granule);
}

char *dlb_span_content(const dlb_span *span)
{
    return begin_of(span) + span->offset;
}

char *dlb_span_first_page(const dlb_span *span)
{
    return begin_of(span) + PAGES_BEFORE * arena.page;
}

char *dlb_span_end_of_pages(const dlb_span *span)
{
    return begin_of(span) + (PAGES_BEFORE + span->pages) * arena.page;
}

dlb_span *dlb_span_find(uintptr_t at)
{
    dlb_span *span;

    if (!dlb_arena_has((const void *)at)) {
        return NULL;
    }
    span = &arena.spans[(at - arena.start) / arena.granule];
    span -= span->back;
    return dlb_span_state(span) != DLB_SPAN_UNUSED ? span : NULL;
}

void dlb_arena_visit(void (*visit)(dlb_span *span, void *context), void *context)
{
    for (uint32_t i = arena.first; i < arena.count; i++) {
        if (arena.spans[i].back == 0 && dlb_span_state(&arena.spans[i]) != DLB_SPAN_UNUSED) {
            visit(&arena.spans[i], context);
        }
    }
}

/* Returns whether addresses of a span may be used again. */
static bool is_over(int state)
{
    return state == DLB_SPAN_UNUSED || state == DLB_SPAN_FREED || state == DLB_SPAN_FORBIDDEN_ZONE;
}

/* Forgets a span, so that its addresses can be used again. The caller holds the lock. */
static void forget(dlb_span *span)
{
    const uint32_t granules = span->granules;

    for (uint32_t i = 0; i < granules; i++) {
        span[i].back = 0;
        span[i].granules = 0;
        dlb_span_set_state(&span[i], DLB_SPAN_UNUSED);
    }
}

/* Returns the first of `granules` adjacent granules that no living span uses, or 0. Addresses that were freed first are used again first.
 * The caller holds the lock. */
static uint32_t find_granules(uint32_t granules)
{
    uint32_t start = arena.next;
    int rounds = 0;

    while (rounds < 2) {
        uint32_t i = start;

        if (start + granules > arena.count || start + granules < start) {
            start = arena.first;
            rounds++;
            continue;
        }
        while (i < start + granules) {
            const dlb_span *const span = &arena.spans[i] - arena.spans[i].back;

            if (!is_over(dlb_span_state(span))) {
                start = (uint32_t)(span - arena.spans) + span->granules;
                break;
            }
            i++;
        }
        if (i == start + granules) {
            return start;
        }
    }
    return 0;
}

/* Reserves addresses for a span, and returns it, or NULL. */
static dlb_span *take_span(uint32_t granules)
{
    dlb_span *span = NULL;
    uint32_t start;

    lock_arena();
    if (arena.end == 0 && !arena.unusable) {
        reserve();
    }
    start = arena.unusable || granules > arena.count ? 0 : find_granules(granules);
    if (start != 0) {
        span = &arena.spans[start];
        for (uint32_t i = 0; i < granules; i++) {
            if (span[i].granules != 0 || span[i].back != 0) {
                forget(&span[i] - span[i].back);
            }
        }
        for (uint32_t i = 1; i < granules; i++) {
            span[i].back = i;
        }
        span->granules = granules;
        dlb_span_set_state(span, DLB_SPAN_RESERVED);
        arena.next = start + granules;
    }
    unlock_arena();
    return span;
}

dlb_span *dlb_span_make(const dlb_place *place)
{
    const size_t page = arena.page != 0 ? arena.page : (size_t)sysconf(_SC_PAGESIZE);
    size_t before = place->at_front ? place->residue : 0; /* accessible bytes before the content */
    const size_t gap = place->at_front || place->size == 0 ? 0 : (0 - (place->size + place->residue)) & (place->alignment - 1);
    size_t pages, granules;
    dlb_span *span;

    if (place->size >= LARGEST_ARENA) {
        return NULL;
    }
    pages = place->size == 0 ? 0 : (before + place->size + gap + page - 1) / page; /* an empty array has no accessible byte */
    granules = (pages + PAGES_BEFORE + PAGES_BEHIND + PAGES_OF_GRANULE - 1) / PAGES_OF_GRANULE;
    span = take_span((uint32_t)granules);
    if (span == NULL) {
        return NULL;
    }
    span->size = place->size;
    span->pages = (uint32_t)pages;
    before = place->at_front || place->size == 0 ? place->residue : pages * page - place->size - gap;
    span->offset = (uint32_t)(PAGES_BEFORE * page + before);
    span->reached = false;
    if (pages > 0 && mprotect(dlb_span_first_page(span), pages * page, PROT_READ | PROT_WRITE) != 0) {
        dlb_span_set_state(span, DLB_SPAN_FORBIDDEN_ZONE); /* more mappings than the kernel allows */
        return NULL;
    }
    return span;
}

void dlb_span_forbid(const dlb_span *span)
{
    char *const first = dlb_span_first_page(span);
    const size_t size = span->pages * arena.page;

    if (size == 0) {
        return;
    }
    /* A new mapping merges with its neighbours. mprotect() would leave a mapping of its own where another page was written before. */
    if (map_forbidden(first, size) == MAP_FAILED) {
        (void)mprotect(first, size, PROT_NONE);
        (void)madvise(first, size, MADV_DONTNEED);
    }
}

size_t dlb_pattern_end(const char *at, size_t size)
{
    size_t i = 0;

    if (size == 0 || (at[0] == DLB_PAGES_PATTERN && memcmp(at, at + 1, size - 1) == 0)) {
        return size;
    }
    while (at[i] == DLB_PAGES_PATTERN) {
        i++;
    }
    return i;
}

/* ---- Zones ---- */

const char *dlb_memory_way(void)
{
    return "pages";
}

bool dlb_zone_make(dlb_zone *zone, size_t size, size_t alignment, uintptr_t residue)
{
    static unsigned made;
    const unsigned serial = __atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
    const dlb_place place = {size, alignment, residue & (alignment - 1), serial % 4 == 3};
    dlb_span *const span = dlb_span_make(&place);
    char *at, *first, *end;

    dlb_pages_prepare_thread();
    if (span == NULL) {
        return false;
    }
    at = dlb_span_content(span);
    first = dlb_span_first_page(span);
    end = dlb_span_end_of_pages(span);
    if (first < end) {
        memset(first, DLB_PAGES_PATTERN, (size_t)(at - first));
        memset(at + size, DLB_PAGES_PATTERN, (size_t)(end - (at + size)));
    }
    span->caller = serial;
    dlb_span_set_state(span, DLB_SPAN_ZONE);
    *zone = (dlb_zone){at, size, begin_of(span), span->granules * arena.granule, serial};
    return true;
}

/* Returns the span of a zone; NULL if its addresses were used again, after many other zones. */
static dlb_span *span_of(const dlb_zone *zone)
{
    dlb_span *const span = zone->block != NULL ? dlb_span_find((uintptr_t)zone->block) : NULL;

    return span != NULL && span->caller == zone->serial && dlb_span_content(span) == zone->at ? span : NULL;
}

bool dlb_zone_overwritten(const dlb_zone *zone, ptrdiff_t *offset)
{
    const dlb_span *const span = span_of(zone);
    char *const end_of_array = zone->at + zone->size;
    char *first, *end;
    size_t same;

    if (span == NULL || dlb_span_state(span) != DLB_SPAN_ZONE || span->pages == 0) {
        return false;
    }
    first = dlb_span_first_page(span);
    end = dlb_span_end_of_pages(span);
    same = dlb_pattern_end(end_of_array, (size_t)(end - end_of_array));
    if (end_of_array + same < end) {
        *offset = (ptrdiff_t)(zone->size + same);
        return true;
    }
    same = dlb_pattern_end(first, (size_t)(zone->at - first));
    if (first + same < zone->at) {
        *offset = (first + same) - zone->at;
        return true;
    }
    return false;
}

void dlb_zone_forbid(dlb_zone *zone)
{
    dlb_span *const span = span_of(zone);

    if (span != NULL && dlb_span_state(span) == DLB_SPAN_ZONE) {
        dlb_span_forbid(span);
        dlb_span_set_state(span, DLB_SPAN_FORBIDDEN_ZONE);
    }
}

/* Lets later zones use the addresses. They do so when all other addresses were used. */
void dlb_zone_free(dlb_zone *zone)
{
    dlb_span *const span = span_of(zone);

    dlb_zone_forbid(zone);
    if (span != NULL) {
        lock_arena();
        if (dlb_span_state(span) == DLB_SPAN_FORBIDDEN_ZONE) {
            forget(span);
        }
        unlock_arena();
    }
    *zone = (dlb_zone){NULL, 0, NULL, 0, 0};
}

/* ---- Questions ---- */

/* The kernel copies the bytes before it refuses the first argument. No file and no signal is touched. NULL would mean no set of signals. */
bool dlb_page_readable(uintptr_t at)
{
    const uintptr_t word = at & ~(uintptr_t)7;
    const int before = errno;
    const bool readable = word != 0 && (syscall(SYS_rt_sigprocmask, ~0L, word, NULL, (size_t)8) == 0 || errno != EFAULT);

    errno = before;
    return readable;
}

/* Returns whether the content of the span can be accessed. */
static bool is_living(const dlb_span *span)
{
    const int state = dlb_span_state(span);

    return state == DLB_SPAN_ZONE || state == DLB_SPAN_BLOCK || state == DLB_SPAN_TABLE;
}

size_t dlb_memory_bad(const void *at, size_t size)
{
    size_t offset = 0;

    while (offset < size) {
        const uintptr_t now = (uintptr_t)at + offset;
        size_t step = arena.page - now % arena.page;

        if (dlb_arena_has((const void *)now)) {
            const dlb_span *const span = dlb_span_find(now);
            uintptr_t start;

            if (span == NULL || !is_living(span)) {
                return offset;
            }
            start = (uintptr_t)dlb_span_content(span);
            if (now < start || now >= start + span->size) {
                return offset;
            }
            step = start + span->size - now;
        } else if (!dlb_page_readable(now)) {
            return offset;
        }
        offset = step < size - offset ? offset + step : size;
    }
    return size;
}

bool dlb_memory_block(const void *at, dlb_block *block)
{
    const dlb_span *const span = dlb_span_find((uintptr_t)at);
    char *start;
    int state;

    if (span == NULL) {
        return false;
    }
    start = dlb_span_content(span);
    state = dlb_span_state(span);
    if (state < DLB_SPAN_BLOCK || (const char *)at < start || (const char *)at >= start + (span->size != 0 ? span->size : 1)) {
        return false;
    }
    *block = (dlb_block){start, span->size, state != DLB_SPAN_BLOCK};
    return true;
}

/* Linux 5.14 can tell cheaply: it prepares the page for a write, and fails if no write is allowed. Older versions refuse the request. */
bool dlb_memory_writable(const void *at)
{
    enum { POPULATE_WRITE = 23 }; /* MADV_POPULATE_WRITE, which older headers lack */
    const int before = errno;
    dlb_pages pages;

    if (dlb_arena_has(at)) {
        const dlb_span *const span = dlb_span_find((uintptr_t)at);

        return span != NULL && is_living(span);
    }
    if (madvise((void *)((uintptr_t)at / arena.page * arena.page), arena.page, POPULATE_WRITE) == 0) {
        errno = before;
        return true;
    }
    errno = before;
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

void dlb_memory_collect(void)
{
}

/* ---- Tables: spans, so that the search for leaks does not see their pointers ---- */

void *dlb_memory_table(size_t size)
{
    const dlb_place place = {size, 64, 0, true};
    dlb_span *const span = dlb_span_make(&place);

    if (span == NULL) {
        return NULL;
    }
    dlb_span_set_state(span, DLB_SPAN_TABLE);
    return dlb_span_content(span);
}

void dlb_memory_table_free(void *table, size_t size)
{
    dlb_span *const span = dlb_span_find((uintptr_t)table);

    (void)size;
    if (span != NULL && dlb_span_replace_state(span, DLB_SPAN_TABLE, DLB_SPAN_RESERVED)) {
        dlb_span_forbid(span);
        dlb_span_set_state(span, DLB_SPAN_FORBIDDEN_ZONE);
    }
}
