#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct queen {
    float rings[4];
} queen;
typedef struct hive hive;
queen *queen_raise(void);
void queen_free(queen *q);
hive *hive_found(void);
void hive_settle(hive *h, queen *q); /* the hive frees the queen, and the one before */
int hive_queens(const hive *h);
void hive_free(hive *h);
