/* SPDX-License-Identifier: MIT */
#include "kept_arrays.h"

int plans_live, too_late;

page *page_new(void) { return calloc(1, sizeof(page)); }
int page_locks(const page *p) { return p->locks; }
void page_lock(page *p) { p->locks++; }
void page_unlock(page *p) { p->locks--; }

pool *pool_new(void) { return calloc(1, sizeof(pool)); }

void pool_free(pool *ended)
{
    too_late += ended->plans;
    free(ended);
}

plan *plan_within(pool *home, int n, const double *from, double *to)
{
    plan *made = n > 0 ? malloc(sizeof *made) : NULL;

    if (made != NULL) {
        *made = (plan){home, n, from, to};
        plans_live++;
        if (home != NULL) {
            home->plans++;
        }
    }
    return made;
}

plan *plan_new(int n, const double *from, double *to) { return plan_within(NULL, n, from, to); }

int plan_find(int n, double *to, plan **made)
{
    *made = plan_within(NULL, n, NULL, to);
    return *made == NULL;
}

void plan_run(plan *p)
{
    for (int i = 0; i < p->n; i++) {
        p->to[i] = p->from != NULL ? 3 * p->from[i] : i;
    }
}

void plan_free(plan *ended)
{
    if (ended->home != NULL) {
        ended->home->plans--;
    }
    plans_live--;
    ended->to[0] = -1; /* which must still be there */
    free(ended);
}
