#include "lib.h"
#include <stdlib.h>
slate *slate_split(int height, int width, int step)
{
    if (height < 1 || width < 1 || width > step || step > 100 || height > 100) return NULL;
    slate *s = malloc(sizeof *s);
    s->height = height;
    s->width = width;
    s->step = step;
    size_t count = (size_t)(height - 1) * (size_t)step + (size_t)width;
    s->rows = malloc(count * sizeof *s->rows);
    for (size_t i = 0; i < count; i++) s->rows[i] = (int16_t)i;
    return s;
}
void slate_break(slate *s)
{
    free(s->rows);
    free(s);
}
int slate_peak(const int16_t *rows, int height, int width, int step)
{
    int peak = INT16_MIN;
    for (int r = 0; r < height; r++) {
        for (int c = 0; c < width; c++) {
            int value = rows[(ptrdiff_t)r * step + c];
            if (value > peak) peak = value;
        }
    }
    return peak;
}
