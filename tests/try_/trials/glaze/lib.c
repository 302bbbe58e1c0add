#include "lib.h"
#include <string.h>
static float coated(float x, float factor)
{
    float y = x * factor;
    return y > 1 ? 1 : y;
}
void glaze_coat(const float *x, size_t n, float factor, float *out)
{
    for (size_t i = 0; i < n; i++) out[i] = coated(x[i], factor);
}
void glaze_move(const float *x, size_t n, float *out)
{
    if (n > 0) memmove(out, x, n * sizeof *x);
}
