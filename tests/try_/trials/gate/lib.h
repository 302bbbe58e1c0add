#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct gate gate;
gate *gate_hang(int bars); /* NULL for less than 1 or more than 100 */
int gate_bars(const gate *g);
int gate_sell(gate *g, int price); /* frees the gate, unless the price is below 1; 0, or -1 */
void gate_free(gate *g);
