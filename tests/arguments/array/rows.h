/* SPDX-License-Identifier: MIT */
#include <stddef.h>
static inline double mix(const float *const *in, float **out, int channels, int frames, float gain)
{
    double sum = 0;
    for (int c = 0; c < channels; c++) {
        for (int i = 0; i < frames; i++) {
            sum += in[c][i];
            out[c][i] = gain * in[c][i];
        }
    }
    return sum;
}
static inline double trace(double **m, int n)
{
    double sum = m == NULL ? -1 : 0;
    for (int i = 0; i < n; i++) {
        sum += m[i][i];
    }
    return sum;
}
static inline long stereo(const short *planes[2], size_t frames)
{
    long sum = 0;
    for (size_t i = 0; i < frames; i++) {
        sum += 10 * planes[0][i] + planes[1][i];
    }
    return sum;
}
static inline long bytes(void **rows, int h, int w)
{
    long sum = 0;
    for (int i = 0; i < h; i++) {
        for (int j = 0; j < w; j++) {
            sum += ((unsigned char *)rows[i])[j];
        }
    }
    return sum;
}
static inline void count(unsigned char **rows, int h, int w)
{
    for (int i = 0; i < h; i++) {
        for (int j = 0; j < w; j++) {
            rows[i][j] = (unsigned char)(i * w + j);
        }
    }
}
