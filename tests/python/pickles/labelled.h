/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <string.h>
typedef struct labelled { double *data; int64_t count; int gain, mood; char label[8]; } labelled;
static inline int labelled_set_gain(labelled *self, int gain) { self->gain = gain; return gain < 0; }
static inline void labelled_set_mood(labelled *self, int mood) { self->mood = mood; }
static inline void labelled_set_label(labelled *self, const char *label) { strncpy(self->label, label, 7); }
