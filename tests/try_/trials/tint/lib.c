#include "lib.h"
#include <stdlib.h>
static const int strengths[] = {60, 140, -100};
enum { MODES = sizeof strengths / sizeof *strengths };
int tint_strength(tint_mode mode) { return (int)mode >= 0 && (int)mode < MODES ? strengths[mode] : 0; }
void tint_apply(uint8_t *samples, size_t n, tint_mode mode)
{
    int *table = malloc(MODES * sizeof *table);
    for (int i = 0; i < MODES; i++) table[i] = strengths[i];
    for (size_t i = 0; i < n; i++) {
        int value = samples[i] * (table[mode] % 1000) / 100;
        samples[i] = (uint8_t)(value < 0 ? 255 + value : value > 255 ? 255 : value);
    }
    free(table);
}
