/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
typedef struct { size_t n; double v[8]; } vec;
static inline vec *vec_new(size_t n) { vec *v = calloc(1, sizeof *v); v->n = n; v->v[0] = 2.5; return v; }
static inline const double *vec_data(const vec *v, size_t *n) { *n = v->n; return v->v; }
static inline unsigned char *decode(const void *bytes, size_t size, int *w, int *h)
{
    unsigned char *made = calloc(2 * size, 1);
    made[0] = *(const unsigned char *)bytes;
    *w = (int)size;
    *h = 2;
    return made;
}
static inline void digest(const void *bytes, size_t size, unsigned char digest[4])
{
    memset(digest, 0, 4);
    memcpy(digest, bytes, size < 4 ? size : 4);
}
static inline int packed(int count, char into[8], size_t room, size_t *used)
{
    memset(into, 'x', room);
    *used = (size_t)count;
    return 0;
}
static inline int load(int channels, int *w, unsigned char **made, int *h, int *depth)
{
    *w = 3;
    *h = 2;
    *depth = 8;
    *made = calloc((size_t)(6 * channels), 1);
    return 0;
}
static inline int encode(const unsigned char *pixels, int w, int h) { return pixels[3 * w * h - 1]; }
static inline int total(const unsigned char *pixels, size_t count) { return pixels[count - 1]; }
static inline int first(const unsigned char *pixels) { return pixels[0]; }
static inline const double *own(const double *v, size_t n) { (void)n; return v; }
