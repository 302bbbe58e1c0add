#include "poses.h"

#include <stdlib.h>

pose *pose_new(void)
{
    pose *const p = calloc(1, sizeof *p);
    for (int i = 0; p != NULL && i < 3; i++) {
        p->m[i][i] = 1;
    }
    return p;
}

void pose_free(pose *p)
{
    free(p);
}
