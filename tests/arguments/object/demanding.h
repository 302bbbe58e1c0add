/* SPDX-License-Identifier: MIT */
#include <stddef.h>
typedef struct series { void *data; long count; int kind; int mark; } series;
typedef struct fixed { const double *data; long count; int mark; } fixed;
typedef struct placed { void *data; long count; int place, id; } placed;
static inline int place(const placed *x) { return x->place; }
static inline double total(const series *x)
{
    double sum = 0;
    for (long i = 0; i < x->count; i++) {
        sum += x->kind == 0 ? ((const float *)x->data)[i] : ((const double *)x->data)[i];
    }
    return sum;
}
static inline double sum_of_three(const double *x) { return x[0] + x[1] + x[2]; }
static inline double single(const double *x) { return *x; }
static inline char *words(int bad, char ***list)
{
    static char name[] = "a", wrong[] = "\xff", *all[] = {name, name, NULL};
    *list = all;
    return bad ? wrong : name;
}
static inline char *counted(int bad, char ***list, int *n)
{
    *n = 2;
    return words(bad, list);
}
static inline char *label(int bad, char room[8])
{
    char **list;
    room[0] = 'b';
    room[1] = 0;
    return words(bad, &list);
}
