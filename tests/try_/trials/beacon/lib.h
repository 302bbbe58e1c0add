#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct beacon {
    double place[2];
    int looks;
} beacon;
beacon *beacon_main(void);        /* always the same one; never freed */
const beacon *beacon_north(void); /* a constant */
int beacon_look(beacon *b);
