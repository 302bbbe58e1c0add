/* SPDX-License-Identifier: MIT-0 */
/* Limits how deep destructions nest: the destruction of an owner can destroy its dependencies, and so on. CPython calls this
 * technique trashcan. */
#include "dlb_internal.h"

/* The maximal number of nested destructions on one stack. Deeper ones wait until the outermost destruction is done. */
enum { MAX_LEVELS = 64 };

/* The nested destructions of one thread, and the list of deferred ones. */
typedef struct nesting {
    int level;
    dlb_deferred *waiting;
} nesting;

static DLB_THREAD_LOCAL nesting this_thread;

void dlb_destroy_or_defer(void (*end)(void *what), void *what, dlb_deferred *storage)
{
    nesting *here = &this_thread;

    DLB_LAUNDER(here);
    if (here->level == MAX_LEVELS) {
        *storage = (dlb_deferred){here->waiting, end, what};
        here->waiting = storage;
        return;
    }
    here->level++;
    end(what);
    while (here->level == 1 && here->waiting != NULL) {
        const dlb_deferred next = *here->waiting;

        here->waiting = next.next;
        next.end(next.what);
    }
    here->level--;
}
