/* SPDX-License-Identifier: MIT */
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
enum tint { TINT_RED = 1, TINT_BLUE };
typedef struct card { int16_t *at; size_t n; } card;
typedef struct file { const void *bytes; int level; } file;
static inline size_t card_size(const card *c) { return c->n; }
static inline size_t cards_size(const card *const *all, size_t n) { (void)all; return n; }
static inline size_t count(const int16_t *x, size_t n) { (void)x; return n; }
static inline size_t flags(const bool *x, size_t n) { (void)x; return n; }
static inline void clear(int16_t *x, size_t n) { for (size_t i = 0; i < n; i++) { x[i] = 0; } }
static inline size_t size(const void *bytes, size_t n) { (void)bytes; return n; }
static inline file *file_new(const void *bytes, size_t n)
{
    file *made = malloc(sizeof *made);
    *made = (file){bytes, (int)n};
    return made;
}
static inline void file_set(file *f, int level) { f->level = level; }
static inline int twice(int n) { return 2 * n; }
static inline double half(double x) { return x / 2; }
static inline double complex turn(double complex z) { return z * I; }
static inline bool opposite(bool b) { return !b; }
static inline int tint(enum tint t) { return (int)t; }
static inline int first(const char *s) { return s[0]; }
static inline int path_first(const char *path) { return path[0]; }
static inline int table(const char *const *names) { return names[0] != NULL; }
