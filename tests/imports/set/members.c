#include "members.h"

int members_live;
form form_of_all;

form *form_new(int rank)
{
    form *f = rank == 3 ? NULL : calloc(1, sizeof *f);

    if (f != NULL) {
        f->rank = rank;
        f->steps = calloc(4, sizeof *f->steps);
        members_live++;
    }
    return f;
}

void form_free(form *f)
{
    free(f->steps);
    free(f);
    members_live--;
}
