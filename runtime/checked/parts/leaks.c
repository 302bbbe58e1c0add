/* SPDX-License-Identifier: MIT-0 */
/* Leaks, as the implementation of memory.h finds them; LeakSanitizer has a report of its own. */
#include "layer.h"

/* The leaks from one function of the library in one wrapper. */
typedef struct leak_site {
    const char *function;
    char symbol[200];
    size_t size, blocks;
} leak_site;

enum { MOST_SITES = 100 };

static void count_leak(const dlb_leak *leak, void *sites_)
{
    leak_site *site = sites_;
    leak_site *const end = site + MOST_SITES;

    if (leak->function == NULL || leak->symbol[0] == '\0') {
        return; /* from outside of a call, or of the runtime */
    }
    while (site < end && site->function != NULL &&
           (site->function != leak->function || strncmp(site->symbol, leak->symbol, sizeof site->symbol - 1) != 0)) {
        site++;
    }
    if (site == end) {
        return;
    }
    site->function = leak->function;
    (void)strncpy(site->symbol, leak->symbol, sizeof site->symbol - 1);
    site->size += leak->size;
    site->blocks++;
}

static void write_leaks(void)
{
    leak_site *const sites = dlb_memory_table(MOST_SITES * sizeof *sites);

    if (sites == NULL) {
        return;
    }
    dlb_memory_leaks(count_leak, sites);
    for (size_t i = 0; i < MOST_SITES && sites[i].function != NULL; i++) {
        line to;

        begin_line(&to, "leak");
        add_string(&to, "function", sites[i].function);
        add_string(&to, "symbol", sites[i].symbol);
        add_number(&to, "size", (int64_t)sites[i].size);
        add_number(&to, "blocks", (int64_t)sites[i].blocks);
        write_line(&to);
    }
    dlb_memory_table_free(sites, MOST_SITES * sizeof *sites);
}
