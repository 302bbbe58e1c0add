/* SPDX-License-Identifier: MIT-0 */
/* The map of pages of the process, as /proc/self/maps prints it. */
#include "memory.h"

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

/* The ranges of the last reading, by address. Adjacent ranges with equal rights are one range. */
static dlb_pages *ranges;
static size_t count, capacity;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A line of the file: "start-end rwxp ...", in hexadecimal digits. */
typedef struct line_state {
    dlb_pages pages;
    int field; /* 0: start; 1: end; 2: rights; 3: the rest */
    int right; /* the number of the character among the rights */
} line_state;

static void add_range(const dlb_pages *pages)
{
    if (count > 0 && ranges[count - 1].end == pages->start && ranges[count - 1].readable == pages->readable &&
        ranges[count - 1].writable == pages->writable) {
        ranges[count - 1].end = pages->end;
        return;
    }
    if (count == capacity) {
        const size_t more = capacity > 0 ? capacity * 2 : 1024;
        dlb_pages *const larger = dlb_memory_table(more * sizeof *larger);

        if (larger == NULL) {
            return;
        }
        if (ranges != NULL) {
            memcpy(larger, ranges, count * sizeof *larger);
            dlb_memory_table_free(ranges, capacity * sizeof *ranges);
        }
        ranges = larger;
        capacity = more;
    }
    ranges[count++] = *pages;
}

static void read_character(line_state *line, char c)
{
    uintptr_t *const number = line->field == 0 ? &line->pages.start : &line->pages.end;

    if (c == '\n') {
        add_range(&line->pages);
        memset(line, 0, sizeof *line);
    } else if (line->field < 2 && ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
        *number = *number * 16 + (uintptr_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    } else if (line->field < 2) {
        line->field++;
    } else if (line->field == 2) {
        if (c == ' ') {
            line->field = 3;
        } else if (line->right == 0) {
            line->pages.readable = c == 'r';
        } else if (line->right == 1) {
            line->pages.writable = c == 'w';
        }
        line->right++;
    }
}

static void read_map(void)
{
    char text[4096];
    line_state line;
    ssize_t size;
    const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);

    memset(&line, 0, sizeof line);
    count = 0;
    while (file >= 0 && (size = read(file, text, sizeof text)) > 0) {
        for (ssize_t i = 0; i < size; i++) {
            read_character(&line, text[i]);
        }
    }
    if (file >= 0) {
        (void)close(file);
    }
}

/* Finds the first range that ends after the address, in the copy of the map. */
static bool find_next(uintptr_t at, dlb_pages *pages)
{
    size_t low = 0, high = count;

    while (low < high) {
        const size_t middle = (low + high) / 2;

        if (ranges[middle].end <= at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == count) {
        return false;
    }
    *pages = ranges[low];
    return true;
}

/* Finds the range with the address in the copy of the map. */
static bool find(uintptr_t at, dlb_pages *pages)
{
    dlb_pages found;

    if (!find_next(at, &found) || at < found.start) {
        return false;
    }
    *pages = found;
    return true;
}

bool dlb_map_find(const void *at, bool fresh, dlb_pages *pages)
{
    bool found;

    (void)pthread_mutex_lock(&lock);
    found = !fresh && find((uintptr_t)at, pages);
    if (!found) {
        read_map();
        found = find((uintptr_t)at, pages);
    }
    (void)pthread_mutex_unlock(&lock);
    return found;
}

bool dlb_map_next(uintptr_t at, dlb_pages *pages)
{
    bool found;

    (void)pthread_mutex_lock(&lock);
    found = find_next(at, pages);
    (void)pthread_mutex_unlock(&lock);
    return found;
}
