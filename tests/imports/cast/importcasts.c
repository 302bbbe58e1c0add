/* SPDX-License-Identifier: MIT */
#include "importcasts.h"

static int live = 0;

/* Keeps the memory until kept_free(). Refuses 17 elements. */
kept *kept_new(void *at, int64_t n, void (*drop)(void *user), void *user)
{
    kept *const made = n == 17 ? NULL : malloc(sizeof *made);

    if (made != NULL) {
        *made = (kept){at, n, drop, user};
        live++;
    }
    return made;
}

void kept_free(kept *k)
{
    k->drop(k->user);
    free(k);
    live--;
}

int casts_live(void)
{
    return live;
}
