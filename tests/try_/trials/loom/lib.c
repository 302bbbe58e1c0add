#include "lib.h"
double loom_widest(double **warp, int rows, int gaps)
{
    double widest = 0;
    for (int r = 0; r < rows; r++) {
        for (int i = 0; i < gaps; i++) {
            double gap = warp[r][i + 1] - warp[r][i];
            if (gap > widest) widest = gap;
        }
    }
    return widest;
}
static void swap(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}
void loom_mirror(double **warp, int rows, int columns)
{
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns / 2; c++) swap(&warp[r][c], &warp[r][columns - 1 - c]);
    }
}
