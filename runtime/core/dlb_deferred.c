/* SPDX-License-Identifier: MIT-0 */
/* Objects that are made of each other end inside of each other: what keeps others lets go of them in deferred. */
#include "dlb_internal.h"

/* So many levels may stand on the stack; what is deeper waits until the first one is done. */
enum { LEVELS = 64 };

typedef struct ending {
    int level;
    dlb_deferred *waiting;
} ending;

static DLB_THREAD_LOCAL ending this_thread;

void dlb_destroy_or_defer(void (*end)(void *what), void *what, dlb_deferred *storage)
{
    ending *here = &this_thread;

    DLB_LAUNDER(here);
    if (here->level == LEVELS) {
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
