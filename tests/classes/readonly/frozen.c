/* SPDX-License-Identifier: MIT */
#include "frozen.h"
#include <stdint.h>
#include <stdlib.h>

static int living;
int living_count(void)
{
    return living;
}
const table *ramp(int size)
{
    table *t = size < 0 ? NULL : malloc(sizeof *t);
    if (t != NULL) {
        *t = (table){malloc(sizeof(double) * (size_t)(size + 1)), size, NULL};
        for (int i = 0; i < size; i++) {
            t->data[i] = i;
        }
        living++;
    }
    return t;
}
void table_free(const table *t)
{
    if (t->of == NULL) {
        free(t->data);
    }
    free((void *)(uintptr_t)t);
    living--;
}
const table *part(const table *of)
{
    table *t = malloc(sizeof *t);
    *t = (table){of->data, of->size / 2, of};
    living++;
    return t;
}
int table_double(const table *t, const table **made)
{
    *made = ramp(t->size);
    for (int i = 0; i < t->size; i++) {
        (*made)->data[i] = 2 * t->data[i];
    }
    return 0;
}
void table_scale(table *t, double by)
{
    for (int i = 0; i < t->size; i++) {
        t->data[i] *= by;
    }
}
