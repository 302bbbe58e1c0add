/* SPDX-License-Identifier: MIT */
#include <mad.h>
#include <stddef.h>
#include <stdlib.h>

struct mad_pcm *new_pcm(void)
{
    struct mad_pcm *pcm = calloc(1, sizeof *pcm);
    pcm->samplerate = 44100;
    pcm->channels = 2;
    pcm->length = 3;
    for (int i = 0; i < 3; i++) {
        pcm->samples[0][i] = i;
        pcm->samples[1][i] = -10 - i;
    }
    return pcm;
}

const void *first_pcm(struct mad_pcm *pcm) { return &pcm->samples[0][0]; }
double at_pcm(struct mad_pcm *pcm, const size_t *at) { return pcm->samples[at[0]][at[1]]; }
