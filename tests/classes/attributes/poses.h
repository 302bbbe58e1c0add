#ifndef POSES_H
#define POSES_H
#include <stdlib.h>

typedef struct mat {
    double m[2][3];
} mat;
typedef struct {
    int value;
} token;
typedef struct pose {
    int frame, size;
    double m[3][3];
    mat inner;
    const mat *shared;
    mat *mine;
    token token;
    struct pose *parent;
} pose;

extern int poses_live;
static inline int poses_count(void) { return poses_live; }

static inline pose *pose_new(int size, pose *parent)
{
    static const mat shared = {{{7, 8, 9}, {1, 2, 3}}};
    pose *p = calloc(1, sizeof *p);

    for (int i = 0; i < 3; i++) {
        p->m[i][i] = 1;
    }
    p->size = size;
    p->shared = &shared;
    p->token.value = 5;
    p->parent = parent;
    poses_live++;
    return p;
}

static inline const pose *pose_fixed(void)
{
    static const pose fixed = {.frame = 4, .size = 2};

    return &fixed;
}

static inline void pose_free(pose *p)
{
    p->m[0][0] = -1; /* an array that reads freed memory would see this */
    free(p->mine);
    free(p);
    poses_live--;
}

static inline void pose_make(pose *p) { p->mine = calloc(1, sizeof *p->mine); }
static inline void pose_set(pose *p, const double *m)
{
    for (int i = 0; i < 9; i++) {
        p->m[i / 3][i % 3] = m[i];
    }
}
#endif
