/* SPDX-License-Identifier: MIT */
#include "givers.h"

enum { MOST = 8 };

symbolic *symbolic_new(int n) { (void)n; return calloc(1, sizeof(symbolic)); }
void symbolic_free(symbolic *s) { free(s); }

static numeric *filled(double value)
{
    numeric *made = malloc(sizeof *made);

    made->diagonal = malloc(sizeof(double) * MOST);
    for (int i = 0; i < MOST; i++) {
        made->diagonal[i] = value;
    }
    return made;
}

numeric *numeric_of(const symbolic *s, double value) { (void)s; return filled(value); }
int numeric_into(numeric **made, const symbolic *s) { (void)s; *made = filled(5); return 0; }
numeric *numeric_sum(const numeric *x, const numeric *y) { return filled(x->diagonal[0] + y->diagonal[0]); }
numeric *numeric_twice(const numeric *x) { return filled(2 * x->diagonal[0]); }
void numeric_free(numeric *m) { free(m->diagonal); free(m); }
