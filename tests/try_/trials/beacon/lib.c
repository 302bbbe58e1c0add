#include "lib.h"
#include <stdlib.h>
static beacon *first;
static const beacon north = {{0, 90}, 0};
static void light(void)
{
    first = calloc(1, sizeof *first);
    first->place[0] = 8.5;
    first->place[1] = 47.25;
}
beacon *beacon_main(void)
{
    if (first == NULL) light();
    return first;
}
const beacon *beacon_north(void) { return &north; }
int beacon_look(beacon *b)
{
    b->looks = (b->looks + 1) % 1000000;
    return b->looks;
}
