/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <stddef.h>
typedef struct sound { int n; float *data; } sound;
extern int sounds_live;
sound *sound_new(int n);
void sound_free(sound *s);
const float *sound_samples(const sound *s, size_t *n);
float *sound_raw(sound *s);
double *sound_halves(const sound *s, int *count);
int sound_matrix(const sound *s, double **values, int *rows, int *cols);
const int *table(void);
unsigned short *odd(long rows, unsigned long cols);
