#ifndef MEMBERS_H
#define MEMBERS_H
#include <stdlib.h>

extern int members_live;
static inline int members_live_count(void) { return members_live; }

/* ---- Members behind a pointer ---- */

typedef struct {
    short size;
    unsigned flag : 3;
} extent;
typedef struct {
    int rank;
    short sizes[4];
    extent extents[4];
    long *steps;
    float *at;
} form;
typedef struct {
    int count;
    struct {
        form *form;
    } info;
} brick;

form *form_new(int rank);
void form_free(form *f);

/* Every brick has this form. */
extern form form_of_all;
typedef struct {
    form *form;
    float *at;
} flat;
typedef struct {
    form *forms[2];
    float *at;
} pair;
static inline short pair_size(pair p) { return p.forms[0]->sizes[0]; }
#endif
