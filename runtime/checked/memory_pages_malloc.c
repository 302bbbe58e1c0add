/* SPDX-License-Identifier: MIT-0 */
/* malloc() and its family, with forbidden memory beside each block of the libraries under test.
 *
 * The shared library with this file is preloaded (LD_PRELOAD), so that all of the process calls these functions. DLB_CHECKED_LIBRARIES has
 * the paths of the libraries under test, separated by colons, the module among them. A call from their code gets a block that ends at a
 * forbidden page; all other callers get a block of the C library, except while dlb_memory_fence() asks for such blocks. Any caller may free
 * or resize any block: its address tells what it is.
 *
 * The C++ operators new and delete are replaced, too: in libstdc++ they would call malloc(), and hide their caller. They throw as those of
 * libstdc++ do.
 *
 * The runtime in the module counts as the library: structs that an object holds by value lie in blocks of the runtime.
 *
 * A library that is not preloaded, but linked by a module, does not replace anything. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* dladdr, dl_iterate_phdr, RTLD_NEXT */
#endif
#include "memory_pages.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

enum { LARGEST_BLOCK = 64 << 20, FILLED = 4096, FRONT_PATTERN = 64 };
enum { MOST_LIVING = 20000, OTHER_MAPPINGS = 8000, NEW_MEMORY = 0xBE };

#define ALIGNMENT ((size_t)16) /* of malloc(): compilers rely on it even for small blocks */

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

/* ---- The libraries under test ---- */

/* The code of a loaded object. */
typedef struct range {
    uintptr_t start, end;
    bool tested;
} range;

/* The loaded objects by address. A new reading makes a new table; others may still read the old one. */
typedef struct object_table {
    size_t count;
    unsigned long long changes; /* how many objects had been loaded and unloaded */
    range ranges[];
} object_table;

enum { MOST_LIBRARIES = 64, MOST_OBJECTS = 4096 };

static const char *library_names;
static const object_table *objects;
static uint64_t reading; /* 1: a thread reads the loaded objects */
static bool fences;
static unsigned living, most_living;
static size_t (*usable_size_of_libc)(void *block);
static bool (*is_foreign)(const void *block);
static __thread const char *function_of_thread DLB_INITIAL_TLS;
static __thread const void *freeing DLB_INITIAL_TLS; /* what the C library frees */
static __thread bool fences_program DLB_INITIAL_TLS; /* the program asks for forbidden pages, too */

static int count_changes(struct dl_phdr_info *info, size_t size, void *changes)
{
    (void)size;
    *(unsigned long long *)changes = info->dlpi_adds + info->dlpi_subs;
    return 1;
}

/* A reading of the loaded objects. */
typedef struct scan {
    object_table *table;
    struct stat libraries[MOST_LIBRARIES];
    size_t library_count;
} scan;

static void add_object(scan *state, const range *object)
{
    object_table *const table = state->table;
    size_t i = table->count;

    if (i == MOST_OBJECTS) {
        return;
    }
    while (i > 0 && table->ranges[i - 1].start > object->start) {
        table->ranges[i] = table->ranges[i - 1];
        i--;
    }
    table->ranges[i] = *object;
    table->count++;
}

static int scan_object(struct dl_phdr_info *info, size_t size, void *context)
{
    scan *const state = context;
    range object = {UINTPTR_MAX, 0, false};
    struct stat file;

    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *const header = &info->dlpi_phdr[i];

        if (header->p_type == PT_LOAD && (header->p_flags & PF_X) != 0) {
            const uintptr_t start = info->dlpi_addr + header->p_vaddr;

            object.start = start < object.start ? start : object.start;
            object.end = start + header->p_memsz > object.end ? start + header->p_memsz : object.end;
        }
    }
    if (object.end == 0) {
        return 0;
    }
    if (info->dlpi_name != NULL && info->dlpi_name[0] != '\0' && stat(info->dlpi_name, &file) == 0) {
        for (size_t i = 0; i < state->library_count; i++) {
            object.tested = object.tested || (file.st_ino == state->libraries[i].st_ino && file.st_dev == state->libraries[i].st_dev);
        }
    }
    add_object(state, &object);
    return 0;
}

/* Finds the files of DLB_CHECKED_LIBRARIES. */
static void find_libraries(scan *state)
{
    const char *name = library_names;

    state->library_count = 0;
    while (*name != '\0' && state->library_count < MOST_LIBRARIES) {
        const size_t length = strcspn(name, ":");
        char path[4096];

        if (length > 0 && length < sizeof path) {
            memcpy(path, name, length);
            path[length] = '\0';
            if (stat(path, &state->libraries[state->library_count]) == 0) {
                state->library_count++;
            }
        }
        name += length + (name[length] == ':');
    }
}

/* Reads the loaded objects if others than those of the table are loaded. Returns whether it did. */
static bool read_objects(void)
{
    const object_table *const old = __atomic_load_n(&objects, __ATOMIC_ACQUIRE);
    const int before = errno;
    unsigned long long changes = 0;
    uint64_t open = 0;
    scan state;

    (void)dl_iterate_phdr(count_changes, &changes);
    if (old != NULL && old->changes == changes) {
        return false;
    }
    if (!__atomic_compare_exchange_n(&reading, &open, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        return false;
    }
    state.table = dlb_memory_table(sizeof *state.table + MOST_OBJECTS * sizeof(range));
    if (state.table != NULL) {
        state.table->changes = changes;
        find_libraries(&state);
        (void)dl_iterate_phdr(scan_object, &state);
        __atomic_store_n(&objects, state.table, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&reading, 0, __ATOMIC_RELEASE);
    errno = before;
    return state.table != NULL;
}

/* Returns 1 for code of a library under test, 0 for other code, -1 for unknown code. */
static int search(uintptr_t code)
{
    const object_table *const table = __atomic_load_n(&objects, __ATOMIC_ACQUIRE);
    size_t low = 0, high = table != NULL ? table->count : 0;

    while (low < high) {
        const size_t middle = (low + high) / 2;

        if (table->ranges[middle].end <= code) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return table != NULL && low < table->count && code >= table->ranges[low].start ? table->ranges[low].tested : -1;
}

bool dlb_is_of_library(uintptr_t code)
{
    int found;

    if (library_names == NULL) {
        return false;
    }
    found = search(code);
    if (found < 0 && read_objects()) {
        found = search(code);
    }
    return found == 1;
}

/* ---- Blocks ---- */

const char *dlb_pages_function(void)
{
    return function_of_thread;
}

const char *dlb_memory_enter(const char *function)
{
    const char *const before = function_of_thread;

    function_of_thread = function;
    dlb_pages_prepare_thread();
    return before;
}

bool dlb_malloc_is_ours(void)
{
    return fences;
}

void dlb_memory_fence(bool fenced)
{
    fences_program = fenced;
}

/* Returns whether a call from this code gets a block with forbidden memory beside it. */
static bool is_fenced(uintptr_t caller)
{
    return fences && (fences_program || dlb_is_of_library(caller));
}

static size_t front_pattern(const char *first, const char *content)
{
    return (size_t)(content - first) < FRONT_PATTERN ? (size_t)(content - first) : FRONT_PATTERN;
}

/* Makes a block, or returns NULL: the caller then uses the allocator of the C library. */
static void *make_block(size_t size, size_t alignment, uintptr_t caller)
{
    const dlb_place place = {size, alignment, 0, false};
    dlb_span *span;
    char *content, *end;

    if (size > LARGEST_BLOCK || alignment > dlb_page_size()) {
        return NULL;
    }
    if (__atomic_add_fetch(&living, 1, __ATOMIC_RELAXED) > most_living || (span = dlb_span_make(&place)) == NULL) {
        __atomic_sub_fetch(&living, 1, __ATOMIC_RELAXED);
        return NULL;
    }
    dlb_pages_prepare_thread();
    content = dlb_span_content(span);
    if (size > 0) {
        const size_t before = front_pattern(dlb_span_first_page(span), content);

        end = dlb_span_end_of_pages(span);
        memset(content - before, DLB_PAGES_PATTERN, before);
        memset(content + size, DLB_PAGES_PATTERN, (size_t)(end - content) - size);
    }
    span->caller = caller;
    span->function = function_of_thread;
    span->is_of_program = fences_program;
    dlb_span_set_state(span, DLB_SPAN_BLOCK);
    return content;
}

/* As make_block(), for memory that its caller must set. */
static void *make_unset_block(size_t size, size_t alignment, uintptr_t caller)
{
    void *const block = make_block(size, alignment, caller);

    if (block != NULL) {
        memset(block, NEW_MEMORY, size < FILLED ? size : FILLED);
    }
    return block;
}

/* Reports writes beside a block: to bytes that no page protects. */
static void check_sides(const dlb_span *span, uintptr_t caller)
{
    char *const content = dlb_span_content(span);
    char *const behind = content + span->size;
    size_t before, size, same;

    if (span->pages == 0) {
        return;
    }
    size = (size_t)(dlb_span_end_of_pages(span) - behind);
    same = dlb_pattern_end(behind, size);
    if (same < size) {
        dlb_pages_fail("heap-buffer-overflow", behind + same, 1, caller);
    }
    before = front_pattern(dlb_span_first_page(span), content);
    same = dlb_pattern_end(content - before, before);
    if (same < before) {
        dlb_pages_fail("heap-buffer-overflow", content - before + same, 1, caller);
    }
}

/* Returns the span of a living block, or ends the process: the block is freed already, or the pointer is not one of malloc(). */
static dlb_span *living_span(const void *block, uintptr_t caller)
{
    dlb_span *const span = dlb_span_find((uintptr_t)block);
    const int state = span != NULL ? dlb_span_state(span) : DLB_SPAN_UNUSED;

    if (span != NULL && dlb_span_content(span) == block) {
        if (state == DLB_SPAN_BLOCK) {
            return span;
        }
        if (state == DLB_SPAN_FREEING || state == DLB_SPAN_FREED) {
            dlb_pages_fail("double-free", block, -1, caller);
        }
    }
    dlb_pages_fail("bad-free", block, -1, caller);
}

/* Ends the process if a library under test frees a block of the program. */
static void check_program(const dlb_span *span, const void *block, uintptr_t caller)
{
    if (span->is_of_program && dlb_is_of_library(caller)) {
        dlb_pages_fail("bad-free", block, -1, caller);
    }
}

static void free_block(void *block, uintptr_t caller)
{
    dlb_span *const span = living_span(block, caller);
    const int before = errno;

    check_program(span, block, caller);
    check_sides(span, caller);
    if (!dlb_span_replace_state(span, DLB_SPAN_BLOCK, DLB_SPAN_FREEING)) {
        dlb_pages_fail("double-free", block, -1, caller); /* another thread was faster */
    }
    span->caller = caller;
    dlb_span_forbid(span);
    dlb_span_set_state(span, DLB_SPAN_FREED);
    __atomic_sub_fetch(&living, 1, __ATOMIC_RELAXED);
    errno = before;
}

static void *resize_block(void *block, size_t size, uintptr_t caller)
{
    const dlb_span *const span = living_span(block, caller);
    void *larger;

    check_program(span, block, caller);
    if (size == 0) { /* as glibc does */
        free_block(block, caller);
        return NULL;
    }
    larger = make_unset_block(size, ALIGNMENT, caller);
    if (larger == NULL) {
        larger = __libc_malloc(size);
    }
    if (larger == NULL) {
        return NULL;
    }
    memcpy(larger, block, size < span->size ? size : span->size);
    free_block(block, caller);
    return larger;
}

static void *allocate(size_t size, uintptr_t caller)
{
    void *const block = is_fenced(caller) ? make_unset_block(size, ALIGNMENT, caller) : NULL;

    return block != NULL ? block : __libc_malloc(size);
}

static void *allocate_aligned(size_t alignment, size_t size, uintptr_t caller)
{
    const bool valid = alignment >= sizeof(void *) && (alignment & (alignment - 1)) == 0;
    void *const block = valid && is_fenced(caller) ? make_unset_block(size, alignment, caller) : NULL;

    return block != NULL ? block : __libc_memalign(alignment, size);
}

void dlb_memory_watch_frees(bool (*answer)(const void *block))
{
    is_foreign = answer;
}

/* Ends the process if a library under test frees a block of the C library that belongs to the program. */
static void check_owner(const void *block, uintptr_t caller)
{
    if (block != NULL && is_foreign != NULL && fences && dlb_is_of_library(caller) && is_foreign(block)) {
        dlb_pages_fail("bad-free", block, -1, caller);
    }
}

static void *resize(void *block, size_t size, uintptr_t caller)
{
    void *larger;

    if (block == NULL) {
        return allocate(size, caller);
    }
    if (dlb_arena_has(block)) {
        return resize_block(block, size, caller);
    }
    check_owner(block, caller);
    freeing = block;
    larger = __libc_realloc(block, size);
    freeing = NULL;
    return larger;
}

static void release(void *block, uintptr_t caller)
{
    if (dlb_arena_has(block)) {
        free_block(block, caller);
        return;
    }
    check_owner(block, caller);
    freeing = block;
    __libc_free(block);
    freeing = NULL;
}

const void *dlb_pages_freeing(void)
{
    return freeing;
}

/* ---- The family of malloc() ---- */

DLB_EXPORTED void *malloc(size_t size)
{
    return allocate(size, DLB_RETURN_ADDRESS);
}

DLB_EXPORTED void free(void *block)
{
    release(block, DLB_RETURN_ADDRESS);
}

DLB_EXPORTED void *calloc(size_t count, size_t size)
{
    const uintptr_t caller = DLB_RETURN_ADDRESS;
    size_t bytes;
    void *block = NULL;

    if (!__builtin_mul_overflow(count, size, &bytes) && is_fenced(caller)) {
        block = make_block(bytes, ALIGNMENT, caller);
    }
    return block != NULL ? block : __libc_calloc(count, size);
}

DLB_EXPORTED void *realloc(void *block, size_t size)
{
    return resize(block, size, DLB_RETURN_ADDRESS);
}

DLB_EXPORTED void *reallocarray(void *block, size_t count, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return resize(block, bytes, DLB_RETURN_ADDRESS);
}

DLB_EXPORTED int posix_memalign(void **out, size_t alignment, size_t size)
{
    const int before = errno;
    void *block;

    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) {
        return EINVAL;
    }
    block = allocate_aligned(alignment, size, DLB_RETURN_ADDRESS);
    errno = before;
    if (block == NULL) {
        return ENOMEM;
    }
    *out = block;
    return 0;
}

DLB_EXPORTED void *aligned_alloc(size_t alignment, size_t size)
{
    return allocate_aligned(alignment, size, DLB_RETURN_ADDRESS);
}

DLB_EXPORTED void *memalign(size_t alignment, size_t size);
DLB_EXPORTED void *memalign(size_t alignment, size_t size)
{
    return allocate_aligned(alignment, size, DLB_RETURN_ADDRESS);
}

DLB_EXPORTED void *valloc(size_t size)
{
    return allocate_aligned((size_t)sysconf(_SC_PAGESIZE), size, DLB_RETURN_ADDRESS);
}

DLB_EXPORTED void *pvalloc(size_t size);
DLB_EXPORTED void *pvalloc(size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);

    if (size > SIZE_MAX - page) {
        errno = ENOMEM;
        return NULL;
    }
    return allocate_aligned(page, (size + page - 1) / page * page, DLB_RETURN_ADDRESS);
}

DLB_EXPORTED size_t malloc_usable_size(void *block);
DLB_EXPORTED size_t malloc_usable_size(void *block)
{
    if (block == NULL) {
        return 0;
    }
    if (dlb_arena_has(block)) {
        return living_span(block, DLB_RETURN_ADDRESS)->size;
    }
    if (usable_size_of_libc == NULL) {
        *(void **)&usable_size_of_libc = dlsym(RTLD_NEXT, "malloc_usable_size");
    }
    return usable_size_of_libc != NULL ? usable_size_of_libc(block) : 0;
}

static char *copy_string(const char *string, size_t length, uintptr_t caller)
{
    char *const copy = allocate(length + 1, caller);

    if (copy != NULL) {
        memcpy(copy, string, length);
        copy[length] = '\0';
    }
    return copy;
}

DLB_EXPORTED char *strdup(const char *string)
{
    return copy_string(string, strlen(string), DLB_RETURN_ADDRESS);
}

DLB_EXPORTED char *strndup(const char *string, size_t length)
{
    return copy_string(string, strnlen(string, length), DLB_RETURN_ADDRESS);
}

/* ---- The operators of C++ ---- */

/* Calls an operator of libstdc++ itself: it calls the handler of the program, and throws. The process may have loaded libstdc++ for another
 * module only, so that RTLD_NEXT does not find it. */
static void *new_of_libstdcpp(const char *name, size_t size, size_t alignment)
{
    void *const library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
    void *const found = library != NULL ? dlsym(library, name) : NULL;
    union {
        void *address;
        void *(*plain)(size_t size);
        void *(*aligned)(size_t size, size_t alignment);
    } operator_new;

    if (found == NULL) {
        abort();
    }
    operator_new.address = found;
    return alignment == 0 ? operator_new.plain(size) : operator_new.aligned(size, alignment);
}

static void *allocate_or_throw(size_t size, uintptr_t caller)
{
    void *const block = allocate(size, caller);

    return block != NULL ? block : new_of_libstdcpp("_Znwm", size, 0);
}

static void *allocate_aligned_or_throw(size_t size, size_t alignment, uintptr_t caller)
{
    void *const block = allocate_aligned(alignment < sizeof(void *) ? sizeof(void *) : alignment, size, caller);

    return block != NULL ? block : new_of_libstdcpp("_ZnwmSt11align_val_t", size, alignment);
}

/* "m" is size_t, "St11align_val_t" the alignment, "RKSt9nothrow_t" std::nothrow. */
#define DEFINE_NEW(name)                                                                                               \
    DLB_EXPORTED void *name(size_t size);                                                                              \
    DLB_EXPORTED void *name(size_t size)                                                                               \
    {                                                                                                                  \
        return allocate_or_throw(size, DLB_RETURN_ADDRESS);                                                            \
    }                                                                                                                  \
    DLB_EXPORTED void *name##RKSt9nothrow_t(size_t size, const void *nothrow);                                         \
    DLB_EXPORTED void *name##RKSt9nothrow_t(size_t size, const void *nothrow)                                          \
    {                                                                                                                  \
        (void)nothrow;                                                                                                 \
        return allocate(size, DLB_RETURN_ADDRESS);                                                                     \
    }                                                                                                                  \
    DLB_EXPORTED void *name##St11align_val_t(size_t size, size_t alignment);                                           \
    DLB_EXPORTED void *name##St11align_val_t(size_t size, size_t alignment)                                            \
    {                                                                                                                  \
        return allocate_aligned_or_throw(size, alignment, DLB_RETURN_ADDRESS);                                         \
    }                                                                                                                  \
    DLB_EXPORTED void *name##St11align_val_tRKSt9nothrow_t(size_t size, size_t alignment, const void *nothrow);        \
    DLB_EXPORTED void *name##St11align_val_tRKSt9nothrow_t(size_t size, size_t alignment, const void *nothrow)         \
    {                                                                                                                  \
        (void)nothrow;                                                                                                 \
        return allocate_aligned(alignment < sizeof(void *) ? sizeof(void *) : alignment, size, DLB_RETURN_ADDRESS);    \
    }

#define DEFINE_DELETE(name, parameters, ignored)                                                                       \
    DLB_EXPORTED void name parameters;                                                                                 \
    DLB_EXPORTED void name parameters                                                                                  \
    {                                                                                                                  \
        ignored;                                                                                                       \
        release(block, DLB_RETURN_ADDRESS);                                                                            \
    }
#define DEFINE_DELETES(name)                                                                                           \
    DEFINE_DELETE(name, (void *block), (void)0)                                                                        \
    DEFINE_DELETE(name##m, (void *block, size_t size), (void)size)                                                     \
    DEFINE_DELETE(name##RKSt9nothrow_t, (void *block, const void *nothrow), (void)nothrow)                             \
    DEFINE_DELETE(name##St11align_val_t, (void *block, size_t alignment), (void)alignment)                             \
    DEFINE_DELETE(name##mSt11align_val_t, (void *block, size_t size, size_t alignment), ((void)size, (void)alignment)) \
    DEFINE_DELETE(name##St11align_val_tRKSt9nothrow_t, (void *block, size_t alignment, const void *nothrow),           \
                  ((void)alignment, (void)nothrow))

DEFINE_NEW(_Znwm)
DEFINE_NEW(_Znam)
DEFINE_DELETES(_ZdlPv)
DEFINE_DELETES(_ZdaPv)

/* ---- Start ---- */

/* Returns how many blocks may live: each needs two mappings, and the rest of the process has some. */
static unsigned limit_of_blocks(void)
{
    char text[32];
    long mappings = 65530;
    const int file = open("/proc/sys/vm/max_map_count", O_RDONLY | O_CLOEXEC);
    const ssize_t size = file >= 0 ? read(file, text, sizeof text - 1) : 0;

    if (file >= 0) {
        (void)close(file);
    }
    if (size > 0) {
        text[size] = '\0';
        mappings = strtol(text, NULL, 10);
    }
    mappings = (mappings - OTHER_MAPPINGS) / 2;
    return mappings < 0 ? 0 : mappings > MOST_LIVING ? MOST_LIVING : (unsigned)mappings;
}

/* Returns whether malloc() of the process is that of this file. */
static bool is_preloaded(void)
{
    void *const found = dlsym(RTLD_DEFAULT, "malloc");
    Dl_info own, other;

    return found != NULL && dladdr(found, &other) != 0 && dladdr(&fences, &own) != 0 && own.dli_fbase == other.dli_fbase;
}

__attribute__((constructor)) static void start_malloc(void)
{
    const char *const names = getenv("DLB_CHECKED_LIBRARIES");
    size_t length;
    char *copy;

    *(void **)&usable_size_of_libc = dlsym(RTLD_NEXT, "malloc_usable_size");
    most_living = limit_of_blocks();
    if (names == NULL || names[0] == '\0') {
        return;
    }
    length = strlen(names);
    copy = dlb_memory_table(length + 1);
    if (copy == NULL) {
        return;
    }
    memcpy(copy, names, length + 1);
    library_names = copy;
    fences = is_preloaded(); /* another allocator would not know these blocks */
}
