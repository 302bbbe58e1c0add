#include "lib.h"
void fence_gaps(const double *posts, int n, double *gaps)
{
    for (int i = 0; i + 1 < n; i++) {
        double gap = posts[i + 1] - posts[i];
        gaps[i] = gap < 0 ? -gap : gap;
    }
}
double fence_length(const double *posts, int n)
{
    double length = 0;
    for (int i = 0; i + 1 < n; i++) {
        double gap = posts[i + 1] - posts[i];
        length += gap < 0 ? -gap : gap;
    }
    return length;
}
