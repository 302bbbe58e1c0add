/* SPDX-License-Identifier: MIT */
#include "keeping.h"

int stores_live, rows_live, too_late;

store *store_open(void)
{
    stores_live++;
    return calloc(1, sizeof(store));
}

void store_close(store *ended)
{
    too_late += ended->rows; /* whose memory would be gone */
    stores_live--;
    free(ended);
}

row *store_row(store *home, double first)
{
    row *made = first < 0 ? NULL : calloc(1, sizeof *made);

    if (made != NULL) {
        made->home = home;
        made->values[0] = first;
        home->rows++;
        rows_live++;
    }
    return made;
}

int store_find(store *home, double first, row **out)
{
    *out = store_row(home, first);
    return *out == NULL;
}

void row_give_back(row *ended, store *home)
{
    home->rows--;
    rows_live--;
    free(ended);
}

void row_free(row *ended)
{
    row_give_back(ended, ended->home);
}
