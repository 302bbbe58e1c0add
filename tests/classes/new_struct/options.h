/* SPDX-License-Identifier: MIT */
#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef enum { MOOD_CALM, MOOD_ANGRY = 7 } mood;
typedef struct { short x, y; } place;
typedef struct {
    int passes;
    bool sharp;
    double limit;
    float complex phase;
    char letter;
    mood mood;
    unsigned bits : 3;
    place at;
    unsigned char weights[2];
    int doubled;
    char name[8];
} blur_options;
static inline void blur_options_double(blur_options *self, int value) { self->doubled = 2 * value; }
static inline int blur_options_set_name(blur_options *self, const char *name)
{
    if (strlen(name) >= sizeof self->name) {
        return -1;
    }
    strcpy(self->name, name);
    return 0;
}
static inline double blur_sum(blur_options o) { return o.passes + 10 * o.sharp + o.limit + o.weights[1]; }
static inline const char *blur_name(const blur_options *o) { return o != NULL ? o->name : "none"; }
static inline int blur_sum_of_passes(const blur_options *const *all, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++) {
        sum += all[i]->passes;
    }
    return sum;
}
static inline int blur_next_pass(blur_options *o) { return ++o->passes; }
static inline int blur_passes(blur_options *o) { return o->passes; }

typedef struct { unsigned char r, g, b, a; } colour;
static inline int colour_luma(colour c) { return (c.r + c.g + c.b) / 3; }
static inline int colour_difference(colour a, colour b) { return a.r - b.r; }
static inline colour colour_mixed(const colour *self, const colour *other)
{
    return (colour){(unsigned char)((self->r + other->r) / 2), self->g, self->b, self->a};
}

typedef struct { unsigned char r, g; } shade;
static inline int shade_sum(shade s) { return s.r + s.g; }

/* A struct with memory of its own. */
typedef struct { char *buffer; int size, level; } codec;
extern int codecs;
static inline int codec_init(codec *self)
{
    self->level = 5;
    codecs++;
    return codecs > 100 ? -1 : 0;
}
static inline void codec_end(codec *self) { (void)self; codecs--; }
static inline int codec_count(void) { return codecs; }
static inline void codec_fill_up(int count) { codecs = count; }
static inline int codec_level(const codec *self) { return self->level; }
typedef const codec *codec_view;
static inline int codec_level_seen(codec_view seen) { return seen->level; }
typedef codec *codec_pointer;
static inline int codec_level_moved(codec_pointer moved) { return moved->level; }

/* An object that keeps one of another class. */
typedef struct { const colour *ink; } pen;
static inline pen pen_of(const colour *ink) { return (pen){ink}; }
static inline int pen_red(const pen *self) { return self->ink->r; }
static inline void pen_dip(pen *self, const colour *ink) { self->ink = ink; }

/* A struct that is an array. */
typedef struct { float at[3]; } vec;
static inline float vec_sum(vec v) { return v.at[0] + v.at[1] + v.at[2]; }
