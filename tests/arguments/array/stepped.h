/* SPDX-License-Identifier: MIT */
/* Each sums the elements, weighted with 1, 2, 3 and so on in row-major order. */
static inline double by_column(int m, int n, const double *a, int lda)
{
    double sum = 0;
    for (int i = 0, k = 0; i < m; i++) { for (int j = 0; j < n; j++) { sum += ++k * a[i + j * lda]; } }
    return sum;
}
/* What a library does that checks what it is given: the last row need not be padded. */
static inline long room(const unsigned short *p, long size, long h, long w, long pitch)
{
    long last = (h - 1) * (pitch < 0 ? -pitch : pitch) + w * (long)sizeof *p;
    return h == 0 || w == 0 || last <= size ? size : -1;
}
static inline int leading(int m, int n, double *a, int lda)
{
    for (int i = 0; i < m; i++) { for (int j = 0; j < n; j++) { a[i + j * lda] += 1; } }
    return lda;
}
static inline double pixels(const double *p, long h, long w, long row, long pixel)
{
    double sum = 0;
    int k = 0;
    for (long y = 0; y < h; y++) {
        for (long x = 0; x < w; x++) { for (int c = 0; c < 2; c++) { sum += ++k * p[y * row + x * pixel + c]; } }
    }
    return sum;
}
static inline double planes(const double *p, long count, long h, long w, long pitch)
{
    double sum = 0;
    int k = 0;
    for (long y = 0; y < count * h; y++) { for (long x = 0; x < w; x++) { sum += ++k * p[y * pitch + x]; } }
    return sum;
}
