#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct tray {
    float *cups;
    int count;
} tray;
tray *tray_set(int count);               /* new cups; NULL for less than 1 or more than 100 */
tray *tray_over(float *cups, int count); /* around cups of the caller */
void tray_lift(tray *t);                 /* frees the tray, and not the cups */
void tray_clear(tray *t);                /* frees the tray and the cups */
