#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct kite kite;
typedef struct cord cord;
cord *cord_spin(int length); /* NULL for a length below 1 or above 1000 */
void cord_cut(cord *c);
kite *kite_make(void);
void kite_tie(kite *k, const cord *c); /* uses `c` until the next call, or until the kite is broken */
double kite_pull(const kite *k);
void kite_break(kite *k);
