/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

typedef struct pool { int plans; } pool;
typedef struct page { int locks; double numbers[2]; } page;
typedef struct plan { pool *home; int n; const double *from; double *to; } plan;
extern int plans_live, too_late;

pool *pool_new(void);
page *page_new(void);
int page_locks(const page *p);
void page_lock(page *p);
void page_unlock(page *p);
void pool_free(pool *ended);
plan *plan_new(int n, const double *from, double *to);
plan *plan_within(pool *home, int n, const double *from, double *to);
int plan_find(int n, double *to, plan **made);
void plan_run(plan *p);
void plan_free(plan *ended);
