/* SPDX-License-Identifier: MIT */
#include <erfa.h>
#include <stddef.h>

eraASTROM *new_parameters(void)
{
    static eraASTROM a;
    for (int i = 0; i < 3; i++) {
        a.eb[i] = i + 0.5;
        for (int j = 0; j < 3; j++)
            a.bpn[i][j] = 10 * (i + 1) + j + 1;
    }
    return &a;
}

eraLDBODY *new_body(void)
{
    static eraLDBODY b = {.pv = {{1, 2, 3}, {11, 12, 13}}};
    return &b;
}

const void *first_matrix(eraASTROM *a) { return a->bpn; }
double at_matrix(eraASTROM *a, const size_t *at) { return a->bpn[at[0]][at[1]]; }
const void *first_observer(eraASTROM *a) { return a->eb; }
double at_observer(eraASTROM *a, const size_t *at) { return a->eb[at[0]]; }
const void *first_body(eraLDBODY *b) { return b->pv; }
double at_body(eraLDBODY *b, const size_t *at) { return b->pv[at[0]][at[1]]; }
