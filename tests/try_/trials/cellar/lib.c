#include "lib.h"
enum { BOTTLES = 8 };
static bottle all[BOTTLES];
bottle *bottle_take(void)
{
    for (int i = 0; i < BOTTLES; i++) {
        if (!all[i].is_used) {
            all[i] = (bottle){.levels = {1, 0.5f, 0.25f}, .is_used = 1};
            return &all[i];
        }
    }
    return NULL;
}
void bottle_return(bottle *b) { b->is_used = 0; }
int bottles_free(void)
{
    int count = 0;
    for (int i = 0; i < BOTTLES; i++) count += !all[i].is_used;
    return count;
}
