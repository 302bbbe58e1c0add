/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
typedef struct { int channels, place; } sound;
static inline sound *sound_new(int channels) { sound *s = calloc(1, sizeof *s); s->channels = channels; return s; }
static inline void sound_free(sound *s) { free(s); }
static inline int sound_write(sound *s, const float *samples, long frames)
{
    (void)samples;
    return (int)frames * s->channels;
}
static inline int sound_seek(sound *s, int sample) { return s->place = sample; }
static inline int sound_scale(sound *s, int channels) { return s->channels * channels; }
static inline int s_place(sound *s) { return s->place; }
static inline float *plane_new(void) { return calloc(3, sizeof(float)); }
static inline int plane_add(float *p, const float *other) { p[2] += other[2]; return (int)p[2]; }
