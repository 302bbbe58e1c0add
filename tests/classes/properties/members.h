/* SPDX-License-Identifier: MIT */
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
typedef struct { double x, y; } spot;
typedef struct { spot *at; int tag; } pointing;
typedef enum { MOOD_CALM, MOOD_ANGRY = 7 } mood;
typedef struct { uint8_t level; } options;
typedef struct {
    options options;
    uint64_t wide;
    int64_t far;
    unsigned before : 3, bits : 3, behind : 3;
    int signed_bits : 4;
    unsigned long long long_bits : 40;
    short table[3];
    int *pointer, under;
    bool on;
    int number;
    int bit : 1;
    double quality;
    float small;
    long double great;
    double complex phase;
    float complex small_phase;
    char letter;
    mood mood;
    uint8_t flags;
} config;
static inline config *config_new(void)
{
    config *const made = calloc(1, sizeof *made);
    made->pointer = &made->under;
    made->before = made->behind = 5;
    return made;
}
static inline const config *config_standard(void)
{
    static const config standard = {.options = {3}, .number = 1};
    return &standard;
}
static inline int config_bits_around(const config *self) { return self->before == 5 && self->behind == 5; }
typedef struct { int least; } limits;
static inline limits *limits_new(void) { return calloc(1, sizeof(limits)); }
typedef config *chain;
static inline chain chain_new(limits *bounds) { (void)bounds; return config_new(); }
typedef struct { int x, y; } point;
static inline point point_new(void) { return (point){1, 2}; }
static inline int point_sum(point p) { return p.x + p.y; }
typedef struct { int level; } args;
typedef struct { int named; } kwnames;
static inline kwnames *names_new(void) { return calloc(1, sizeof(kwnames)); }
static int given;
static inline args *args_new(kwnames *names) { (void)names; given = 0; return calloc(1, sizeof(args)); }
static inline args *fits(args *self) { return self; }
typedef struct { double *data; int64_t count; float gain; unsigned bits : 3; mood mood; } track;
