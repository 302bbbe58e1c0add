/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdlib.h>
typedef struct vec3 { float x, y, z; } vec3;
typedef struct mesh { int n; vec3 *points; } mesh;
static inline double total(const vec3 *p, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) { sum += p[i].x + p[i].y + p[i].z; }
    return sum;
}
static inline vec3 last(const vec3 *p, size_t n) { return p[n - 1]; }
static inline void twice(const vec3 *p, size_t n, vec3 *out)
{
    for (size_t i = 0; i < n; i++) { out[i] = (vec3){2 * p[i].x, 2 * p[i].y, 2 * p[i].z}; }
}
static inline int above(const vec3 *p, int n, vec3 *out)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        if (p[i].z > 0) { out[k++] = p[i]; }
    }
    return k;
}
static inline mesh *mesh_new(const vec3 *p, int n)
{
    mesh *const m = malloc(sizeof *m);
    *m = (mesh){n, calloc((size_t)n + 1, sizeof(vec3))};
    for (int i = 0; i < n; i++) { m->points[i] = p[i]; }
    return m;
}
static inline void mesh_free(mesh *m) { free(m->points); free(m); }
static inline const vec3 *mesh_points(const mesh *m, int *n) { *n = m->n; return m->points; }
static inline void mesh_data(const mesh *m, const void **data) { *data = m->points; }
static inline void nibbles(int n, uint8_t *found)
{
    for (int i = 0; i < n; i++) { found[i] = 0x21; }
}
static inline uint16_t *ones(int n)
{
    uint16_t *const half = calloc((size_t)n + 1, 2);
    for (int i = 0; i < n; i++) { half[i] = 0x3c00; }
    return half;
}
