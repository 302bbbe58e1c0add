/* SPDX-License-Identifier: MIT-0 */
/* Memory as memcheck, a tool of valgrind, sees it: `valgrind --tool=memcheck --xml=yes --xml-file=FILE --child-silent-after-fork=yes python`.
 * DLB_CHECKED_VALGRIND names FILE, as on the command line: "%p" stands for the process. DLB_CHECKED_LIBRARIES has the paths of the libraries
 * under test, separated by colons, the module among them; without it, all code counts as theirs.
 *
 * The process goes on after an error. Valgrind counts its errors, and writes each of them to FILE once. dlb_memory_collect() reads those
 * that are new, and reports them as AddressSanitizer would name them. An address of a zone thus leads to the argument, as in other ways. */
#include "memory.h"

#include <valgrind/memcheck.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIDE = 4096, TEXT = 1 << 17, WORD = 200 };

const char *dlb_memory_way(void)
{
    return "memcheck";
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

/* ---- Zones: mapped memory, so that the search for leaks does not know them ---- */

bool dlb_zone_make(dlb_zone *zone, size_t size, size_t alignment, uintptr_t residue)
{
    static unsigned made;
    const size_t whole = size + 2 * SIDE + 2 * alignment;
    uintptr_t start;
    char *block;

    if (whole < size || (block = dlb_memory_table(whole)) == NULL) {
        return false;
    }
    start = (uintptr_t)block + SIDE + alignment - 1;
    zone->at = (char *)(start - start % alignment + (residue & (alignment - 1)));
    zone->size = size;
    zone->block = block;
    zone->block_size = whole;
    zone->serial = __atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
    (void)VALGRIND_MAKE_MEM_NOACCESS(block, whole);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(zone->at, size);
    return true;
}

bool dlb_zone_overwritten(const dlb_zone *zone, ptrdiff_t *offset)
{
    (void)zone;
    (void)offset;
    return false; /* each access beside the array is an error */
}

void dlb_zone_forbid(dlb_zone *zone)
{
    (void)VALGRIND_MAKE_MEM_NOACCESS(zone->block, zone->block_size);
}

void dlb_zone_free(dlb_zone *zone)
{
    if (zone->block != NULL) {
        dlb_memory_table_free(zone->block, zone->block_size);
    }
    *zone = (dlb_zone){NULL, 0, NULL, 0, 0};
}

/* ---- Questions. They are asked in the form of checks, which would be errors. ---- */

size_t dlb_memory_bad(const void *at, size_t size)
{
    uintptr_t bad;

    VALGRIND_DISABLE_ERROR_REPORTING;
    bad = size > 0 ? (uintptr_t)VALGRIND_CHECK_MEM_IS_ADDRESSABLE(at, size) : 0;
    VALGRIND_ENABLE_ERROR_REPORTING;
    return bad != 0 ? bad - (uintptr_t)at : size > 0 && at == NULL ? 0 : size;
}

bool dlb_memory_block(const void *at, dlb_block *block)
{
    (void)at;
    (void)block;
    return false;
}

bool dlb_memory_writable(const void *at)
{
    dlb_pages pages;

    if (dlb_map_find(at, false, &pages) && pages.writable) {
        return true;
    }
    return !dlb_map_find(at, true, &pages) || pages.writable;
}

void dlb_memory_undefine(void *at, size_t size)
{
    (void)VALGRIND_MAKE_MEM_UNDEFINED(at, size);
}

size_t dlb_memory_undefined(const void *at, size_t size)
{
    uintptr_t first;

    VALGRIND_DISABLE_ERROR_REPORTING;
    first = size > 0 ? (uintptr_t)VALGRIND_CHECK_MEM_IS_DEFINED(at, size) : 0;
    VALGRIND_ENABLE_ERROR_REPORTING;
    return first != 0 ? first - (uintptr_t)at : size;
}

/* ---- The file of valgrind ---- */

/* A part of the text of the file. */
typedef struct span {
    const char *start;
    const char *end;
} span;

static void (*reporter)(const dlb_bad_access *access);
static const char *libraries; /* separated by colons; NULL: all */
static char file_name[4096];
static off_t next_byte;  /* of the file: all before is read */
static unsigned counted; /* the errors that are reported */
static char *text;       /* the part of the file that is being read */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const char *find(span in, const char *word)
{
    const size_t size = strlen(word);

    for (const char *at = in.start; (size_t)(in.end - at) >= size; at++) {
        at = memchr(at, word[0], (size_t)(in.end - at) - size + 1);
        if (at == NULL) {
            return NULL;
        }
        if (memcmp(at, word, size) == 0) {
            return at;
        }
    }
    return NULL;
}

/* Finds the next element with this name, and moves the begin of `in` behind it. Returns false if there is none. */
static bool take_element(span *in, const char *name, span *content)
{
    char begin[32] = "<", end[32] = "</";
    const char *at;

    (void)strcat(strcat(begin, name), ">");
    (void)strcat(strcat(end, name), ">");
    at = find(*in, begin);
    if (at == NULL) {
        return false;
    }
    content->start = at + strlen(begin);
    content->end = find((span){content->start, in->end}, end);
    if (content->end == NULL) {
        return false;
    }
    in->start = content->end + strlen(end);
    return true;
}

/* Copies the text of an element; an empty string if there is none. */
static void copy_element(span in, const char *name, char *word, size_t size)
{
    static const char *const escapes[][2] = {{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}};
    size_t length = 0;
    span content;

    if (take_element(&in, name, &content)) {
        while (content.start < content.end && length + 1 < size) {
            size_t step = 1;

            word[length] = *content.start;
            for (size_t i = 0; *content.start == '&' && i < sizeof escapes / sizeof *escapes; i++) {
                const size_t escaped = strlen(escapes[i][0]);

                if ((size_t)(content.end - content.start) >= escaped && memcmp(content.start, escapes[i][0], escaped) == 0) {
                    word[length] = escapes[i][1][0];
                    step = escaped;
                }
            }
            length++;
            content.start += step;
        }
    }
    word[length] = '\0';
}

static bool is_library(const char *path)
{
    const size_t length = strlen(path);
    const char *at = libraries;

    while (at != NULL && *at != '\0') {
        const size_t own = strcspn(at, ":");

        if (own == length && memcmp(at, path, own) == 0) {
            return true;
        }
        at += own + (at[own] == ':');
    }
    return libraries == NULL;
}

static bool starts_with(const char *word, const char *prefix)
{
    return strncmp(word, prefix, strlen(prefix)) == 0;
}

/* Where an error happened. */
typedef struct place {
    char symbol[WORD];   /* the innermost function of the library */
    char source[WORD];   /* its file and line */
    char function[WORD]; /* the wrapper, of the form "py_..." */
    bool is_of_library;
} place;

static void read_stack(span in, place *found)
{
    span stack, frame;

    memset(found, 0, sizeof *found);
    if (!take_element(&in, "stack", &stack)) {
        return;
    }
    while (take_element(&stack, "frame", &frame)) {
        char object[1024], function[WORD], line[24];

        copy_element(frame, "obj", object, sizeof object);
        copy_element(frame, "fn", function, sizeof function);
        if (!is_library(object)) {
            continue;
        }
        found->is_of_library = true;
        if (starts_with(function, "py_")) {
            if (found->function[0] == '\0') {
                (void)strcpy(found->function, function);
            }
        } else if (found->symbol[0] == '\0' && !starts_with(function, "dlb_")) {
            (void)strcpy(found->symbol, function);
            copy_element(frame, "file", found->source, sizeof found->source - sizeof line - 1);
            copy_element(frame, "line", line, sizeof line);
            if (line[0] != '\0') {
                (void)strcat(strcat(found->source, ":"), line);
            }
        }
    }
}

/* Returns the number behind a word of a text, or 0. */
static uintptr_t number_behind(span in, const char *word, int base)
{
    char digits[24] = "";
    const char *at = find(in, word);

    if (at != NULL) {
        at += strlen(word);
        for (size_t i = 0; i + 1 < sizeof digits && at < in.end; i++) {
            digits[i] = *at++;
        }
    }
    return (uintptr_t)strtoull(digits, NULL, base);
}

/* Returns the kind of an error in the words of AddressSanitizer. */
static const char *kind_of(const char *kind, span error)
{
    const bool has_block = find(error, "a block of size") != NULL; /* "not stack'd, malloc'd or (recently) free'd" is no block */
    const bool freed = has_block && find(error, "free'd") != NULL;

    if (starts_with(kind, "InvalidRead") || starts_with(kind, "InvalidWrite") || starts_with(kind, "InvalidJump")) {
        if (freed) {
            return "heap-use-after-free";
        }
        return has_block ? "heap-buffer-overflow" : "SEGV";
    }
    if (strcmp(kind, "InvalidFree") == 0) {
        return freed ? "double-free" : "bad-free";
    }
    if (strcmp(kind, "MismatchedFree") == 0) {
        return "alloc-dealloc-mismatch";
    }
    if (strcmp(kind, "Overlap") == 0) {
        return "memcpy-param-overlap";
    }
    return starts_with(kind, "Uninit") || find(error, "uninitialised") != NULL ? "uninitialized-value" : kind;
}

/* A caller of dlb_memory_leaks(). */
typedef struct listener {
    void (*report)(const dlb_leak *leak, void *context);
    void *context;
} listener;

static void report_leak(span error, const place *found, const listener *to)
{
    const size_t bytes = number_behind(error, "<leakedbytes>", 10), blocks = number_behind(error, "<leakedblocks>", 10);
    char *const function = found->function[0] != '\0' ? dlb_memory_table(WORD) : NULL; /* lives until the process ends */
    const dlb_leak leak = {blocks > 0 ? bytes / blocks : bytes, function, found->symbol};

    if (function != NULL) {
        (void)strcpy(function, found->function);
    }
    for (size_t i = 0; i < blocks; i++) {
        to->report(&leak, to->context);
    }
}

static void read_error(span error, const listener *to)
{
    char kind[WORD];
    place found;

    copy_element(error, "kind", kind, sizeof kind);
    read_stack(error, &found);
    if (!found.is_of_library) {
        return;
    }
    if (starts_with(kind, "Leak_")) {
        if (to != NULL && strcmp(kind, "Leak_DefinitelyLost") == 0) {
            report_leak(error, &found, to);
        }
    } else if (reporter != NULL) {
        const dlb_bad_access access = {
            .kind = kind_of(kind, error),
            .at = (const void *)number_behind(error, "Address 0x", 16),
            .size = number_behind(error, "of size ", 10),
            .write = starts_with(kind, "InvalidWrite") ? 1 : starts_with(kind, "InvalidRead") ? 0 : -1,
            .symbol = found.symbol,
            .source = found.source,
            .variable = "",
        };

        reporter(&access);
    }
}

/* Reads the errors that valgrind has written since the last time. Returns how many there are. */
static int read_errors(const listener *to)
{
    const int file = file_name[0] != '\0' && text != NULL ? open(file_name, O_RDONLY | O_CLOEXEC) : -1;
    int count = 0;
    ssize_t size;

    while (file >= 0 && (size = pread(file, text, TEXT, next_byte)) > 0) {
        span rest = {text, text + size}, error;
        const char *const start = rest.start;

        while (take_element(&rest, "error", &error)) {
            read_error(error, to);
            count++;
        }
        if (rest.start == start) {
            if (size < TEXT) {
                break; /* the rest is no error, or the begin of one */
            }
            rest.start += size / 2; /* one that is longer than the memory for it */
        }
        next_byte += rest.start - start;
    }
    if (file >= 0) {
        (void)close(file);
    }
    return count;
}

void dlb_memory_watch_frees(bool (*is_foreign)(const void *block))
{
    (void)is_foreign;
}

void dlb_memory_collect(void)
{
    const int before = errno;
    const unsigned errors = VALGRIND_COUNT_ERRORS;

    if (errors == counted || pthread_mutex_trylock(&lock) != 0) {
        return;
    }
    counted = errors;
    if (read_errors(NULL) == 0 && file_name[0] == '\0' && reporter != NULL) {
        const dlb_bad_access access = {"memcheck", NULL, 0, -1, "", "", ""};

        reporter(&access);
    }
    (void)pthread_mutex_unlock(&lock);
    errno = before;
}

/* ---- Leaks ---- */

const char *dlb_memory_enter(const char *function)
{
    (void)function;
    return NULL; /* the stack of a block tells the wrapper */
}

void dlb_memory_leaks(void (*report)(const dlb_leak *leak, void *context), void *context)
{
    const listener to = {report, context};

    dlb_memory_collect();
    (void)pthread_mutex_lock(&lock);
    VALGRIND_DO_LEAK_CHECK;
    (void)read_errors(&to);
    (void)pthread_mutex_unlock(&lock);
    dlb_memory_collect();
}

/* ---- Start ---- */

static struct sigaction earlier[2];

/* Reports the error that ends the process. */
static void handle(int number, siginfo_t *info, void *context)
{
    (void)context;
    dlb_memory_collect();
    (void)sigaction(number, &earlier[number == SIGBUS], NULL);
    if (info->si_code <= 0) {
        (void)raise(number); /* otherwise the instruction runs again, and fails again */
    }
}

/* Writes the name of the file of this process. */
static void set_file_name(const char *pattern)
{
    size_t length = 0;

    while (*pattern != '\0' && length + 24 < sizeof file_name) {
        if (starts_with(pattern, "%p")) {
            char digits[24];
            size_t count = 0;

            for (long process = getpid(); process > 0; process /= 10) {
                digits[count++] = (char)('0' + process % 10);
            }
            while (count > 0) {
                file_name[length++] = digits[--count];
            }
            pattern += 2;
        } else {
            file_name[length++] = *pattern++;
        }
    }
    file_name[length] = '\0';
}

void dlb_memory_start(void (*report)(const dlb_bad_access *access))
{
    const char *const pattern = getenv("DLB_CHECKED_VALGRIND");
    const char *const names = getenv("DLB_CHECKED_LIBRARIES");
    struct sigaction action;

    reporter = report;
    if (text != NULL) {
        return;
    }
    libraries = names != NULL && names[0] != '\0' ? names : NULL;
    if (libraries != NULL) {
        char *const copy = dlb_memory_table(strlen(names) + 1); /* the program may change its environment */

        libraries = copy != NULL ? strcpy(copy, names) : NULL;
    }
    text = dlb_memory_table(TEXT);
    if (pattern != NULL) {
        set_file_name(pattern);
    }
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGSEGV, &action, &earlier[0]);
    (void)sigaction(SIGBUS, &action, &earlier[1]);
}
