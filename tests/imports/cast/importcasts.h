/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct vec {
    float *at;
    int64_t n;
} vec;

typedef struct image {
    void *at;
    int type;
    int64_t rows, columns;
    int64_t step; /* in bytes, between two rows */
} image;

typedef struct matrix {
    double *at;
    int64_t size[2];
    int64_t strides[2];
} matrix;

typedef struct context {
    float factor;
} context;

typedef struct kept {
    void *at;
    int64_t n;
    void (*drop)(void *user);
    void *user;
} kept;

typedef struct pinned {
    float *at;
    int64_t n;
    int place;
} pinned;

typedef struct words {
    void *at;
    int64_t n;
} words;

typedef struct total {
    double sum;
} total;

kept *kept_new(void *at, int64_t n, void (*drop)(void *user), void *user);
void kept_free(kept *k);
int casts_live(void);

static inline float vec_sum(const vec *v)
{
    float sum = 0;

    for (int64_t i = 0; i < v->n; i++) {
        sum += v->at[i];
    }
    return sum;
}

static inline float vec_sum_by_value(vec v)
{
    return vec_sum(&v);
}

static inline float vecs_sum(const vec *const *all, int n)
{
    float sum = 0;

    for (int i = 0; i < n; i++) {
        sum += vec_sum(all[i]);
    }
    return sum;
}

static inline void vec_fill(vec *v, float value)
{
    for (int64_t i = 0; i < v->n; i++) {
        v->at[i] = value;
    }
}

static inline const vec *vec_same(const vec *v)
{
    return v;
}

static inline float *vec_data(const vec *v)
{
    return v->at;
}

static inline void kept_clear(kept *k)
{
    for (int64_t i = 0; i < k->n; i++) {
        ((double *)k->at)[i] = 0;
    }
}

static inline int image_type(const image *i)
{
    return i->type;
}

static inline double matrix_at(const matrix *m, int64_t row, int64_t column)
{
    return m->at[row * m->strides[0] + column * m->strides[1]];
}

static inline context *context_new(float factor)
{
    context *const made = malloc(sizeof *made);

    if (made != NULL) {
        made->factor = factor;
    }
    return made;
}

static inline void context_free(context *c)
{
    free(c);
}

static inline total *total_new(const double *at, int64_t n)
{
    total *const made = malloc(sizeof *made);

    if (made != NULL) {
        made->sum = 0;
        for (int64_t i = 0; i < n; i++) {
            made->sum += at[i];
        }
    }
    return made;
}

static inline void total_free(total *t)
{
    free(t);
}

static inline double total_value(const total *t)
{
    return t->sum;
}

static inline int casts_of_vec(const vec *v)
{
    return 1000 + (int)v->n;
}

static inline int casts_of_doubles(const double *x, size_t n)
{
    (void)x;
    return 2000 + (int)n;
}
