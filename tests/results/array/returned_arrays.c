/* SPDX-License-Identifier: MIT */
#include "returned_arrays.h"

int sounds_live;

sound *sound_new(int n)
{
    sound *made = malloc(sizeof *made);

    *made = (sound){n, n > 0 ? malloc(sizeof(float) * (size_t)n) : NULL};
    for (int i = 0; i < n; i++) {
        made->data[i] = (float)i;
    }
    sounds_live++;
    return made;
}

void sound_free(sound *s)
{
    sounds_live--;
    free(s->data);
    free(s);
}

const float *sound_samples(const sound *s, size_t *n)
{
    *n = (size_t)s->n;
    return s->data;
}

float *sound_raw(sound *s) { return s->data; }

double *sound_halves(const sound *s, int *count)
{
    double *made = s->n != 13 ? malloc(sizeof(double) * (size_t)(s->n + 1)) : NULL;

    *count = s->n;
    for (int i = 0; made != NULL && i < s->n; i++) {
        made[i] = s->data[i] / 2;
    }
    return made;
}

int sound_matrix(const sound *s, double **values, int *rows, int *cols)
{
    *rows = 2;
    *cols = s->n / 2;
    *values = sound_halves(s, &(int){0});
    return s->n < 2;
}

const int *table(void)
{
    static const int all[4] = {1, 2, 3, 4};

    return all;
}

unsigned short *odd(long rows, unsigned long cols)
{
    (void)rows, (void)cols;
    return NULL;
}
