/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <string.h>
typedef struct { int id; double x, y; } star;
typedef unsigned char octet;
static inline double brightest(const star *stars, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) { most = stars[i].y > most ? stars[i].y : most; }
    return most;
}
static inline double by_size(const star *stars, size_t size) { return brightest(stars, (int)(size / sizeof(star))); }
static inline double first_two(const star stars[2]) { return brightest(stars, 2); }
static inline double pairs(const star stars[], int n) { return brightest(stars, 2 * n); }
static inline void dim(star *stars, int n) { for (int i = 0; i < n; i++) { stars[i].y = 0; } }
static inline int octets(const octet *data, int n) { return n > 0 ? data[n - 1] : -1; }
static inline int four(const octet data[4]) { return data[3]; }
typedef struct { double y; } sky;
static inline double sky_add(sky *s, const star *stars, int n) { return s->y += brightest(stars, n); }
static inline sky *sky_new(const star *stars, int n)
{
    static sky only;
    only.y = brightest(stars, n);
    return &only;
}
