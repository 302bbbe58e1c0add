/* SPDX-License-Identifier: MIT */
/* The state that all modules of a process share: call sites, the fault that is set, and live blocks. */
#include "starve.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SITES 4096
#define BUCKETS 65536

typedef struct block {
    struct block *next;
    const void *address;
    int site;
} block;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static starve_site sites[SITES];
static long calls[SITES]; /* of each site, since starve_begin() */
static int site_count;
static block *blocks[BUCKETS];
static long live[SITES]; /* blocks of each site that are not freed */

/* The fault: call `to_fail` of site `target` fails, or call `to_fail` of all if `target` is 0. */
static int armed, target, onward, first_failed;
static long to_fail, all_calls, failures;
static pthread_t thread; /* the calls of other threads are not counted */

void starve_begin(int site, long call, int all_later);
long starve_end(void);
int starve_site_count(void);
long starve_calls(int number);
long starve_all_calls(void);
int starve_first_failed(void);
const char *starve_describe(int number);
long starve_live(int number);

static int ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), end_length = strlen(end);

    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* Returns 1 for the runtime, generated files and functions that are called by address: the libraries of the tests do not check for failures. */
static int is_tested(const char *file)
{
    if (strstr(file, "/starve/include/") != NULL) {
        return 1;
    }
    if (strstr(file, "/tests/") != NULL) {
        return 0;
    }
    return strstr(file, "/runtime/") != NULL || ends_with(file, "_module.c") || ends_with(file, "_dlpack.c") ||
           ends_with(file, "_dlpack.h");
}

/* Gives the site its number; equal sites of several modules have one number. */
static void number_site(starve_site *site)
{
    if (!is_tested(site->file)) {
        site->number = -1;
        return;
    }
    for (int i = 0; i < site_count; i++) {
        if (sites[i].line == site->line && strcmp(sites[i].file, site->file) == 0 && strcmp(sites[i].name, site->name) == 0) {
            site->number = i + 1;
            return;
        }
    }
    if (site_count == SITES) {
        fputs("starve: too many call sites\n", stderr);
        abort();
    }
    sites[site_count++] = *site;
    site->number = site_count;
}

int starve_fails(starve_site *site)
{
    int fails = 0;

    pthread_mutex_lock(&lock);
    if (site->number == 0) {
        number_site(site);
    }
    if (armed && site->number > 0 && pthread_equal(thread, pthread_self())) {
        const long call = ++calls[site->number - 1];

        all_calls++;
        fails = target == 0 ? all_calls == to_fail : site->number == target && call == to_fail;
        fails |= onward && failures > 0;
        if (fails && failures++ == 0) {
            first_failed = site->number;
        }
    }
    pthread_mutex_unlock(&lock);
    return fails;
}

static _Thread_local const starve_site *failed;

starve_any *starve_choose(starve_site *site, starve_any *function, starve_any *stub)
{
    if (!starve_fails(site)) {
        return function;
    }
    failed = site;
    return stub;
}

const starve_site *starve_failed(void)
{
    return failed;
}

static block **bucket_of(const void *address)
{
    return &blocks[((size_t)address >> 4) * 2654435761u % BUCKETS];
}

void starve_add_block(const starve_site *site, void *address)
{
    block *const added = address != NULL && site->number > 0 ? malloc(sizeof *added) : NULL;

    if (added == NULL) {
        return;
    }
    pthread_mutex_lock(&lock);
    block **const bucket = bucket_of(address);
    *added = (block){*bucket, address, site->number};
    *bucket = added;
    live[site->number - 1]++;
    pthread_mutex_unlock(&lock);
}

void starve_remove_block(const void *address)
{
    block *found = NULL;

    pthread_mutex_lock(&lock);
    for (block **at = bucket_of(address); *at != NULL; at = &(*at)->next) {
        if ((*at)->address == address) {
            found = *at;
            *at = found->next;
            live[found->site - 1]--;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    free(found);
}

void *starve_malloc(starve_site *site, size_t size)
{
    void *allocated = NULL;

    if (starve_fails(site)) {
        errno = ENOMEM;
        return NULL;
    }
    allocated = malloc(size);
    starve_add_block(site, allocated);
    return allocated;
}

void *starve_calloc(starve_site *site, size_t count, size_t size)
{
    void *allocated = NULL;

    if (starve_fails(site)) {
        errno = ENOMEM;
        return NULL;
    }
    allocated = calloc(count, size);
    starve_add_block(site, allocated);
    return allocated;
}

void starve_free(void *address)
{
    if (address != NULL) {
        starve_remove_block(address);
    }
    free(address);
}

/* ---- For control.py ---- */

/* Lets one call of this thread fail; `all_later`: and all calls after it. Site 0 with call 0: only counts. */
void starve_begin(int site, long call, int all_later)
{
    pthread_mutex_lock(&lock);
    memset(calls, 0, sizeof calls);
    all_calls = failures = first_failed = 0;
    target = site;
    to_fail = call;
    onward = all_later;
    thread = pthread_self();
    armed = 1;
    pthread_mutex_unlock(&lock);
}

/* Returns how many calls have failed; none fails from now on. */
long starve_end(void)
{
    armed = 0;
    return failures;
}

int starve_site_count(void)
{
    return site_count;
}

long starve_calls(int number)
{
    return calls[number - 1];
}

/* Returns the site of the first call that failed, or 0. */
int starve_first_failed(void)
{
    return first_failed;
}

long starve_all_calls(void)
{
    return all_calls;
}

/* Returns "file:line function name" of a site, valid until the next call. */
const char *starve_describe(int number)
{
    static char text[1024];
    const starve_site *const site = &sites[number - 1];

    snprintf(text, sizeof text, "%s:%d %s %s", site->file, site->line, site->function, site->name);
    return text;
}

/* Returns how many blocks of a site are not freed. */
long starve_live(int number)
{
    return live[number - 1];
}
