#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct bottle {
    float levels[3];
    int is_used;
} bottle;
bottle *bottle_take(void); /* one of eight bottles; NULL if all are used */
void bottle_return(bottle *b);
int bottles_free(void);
