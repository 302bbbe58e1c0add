#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct lantern {
    float light[4];
    int *panes; /* NULL until panes are set */
    int count;
} lantern;
lantern *lantern_lit(void);
int lantern_glaze(lantern *l, int count); /* 0, or -1 for a wrong count */
int lantern_panes(const lantern *l);
void lantern_out(lantern *l);  /* of a lantern without panes */
void lantern_free(lantern *l); /* of any lantern */
